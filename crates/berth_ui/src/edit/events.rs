//! What keys, clicks, menus and pastes mean.

use super::commands::COMMANDS;
use super::things::shown_by;
use super::{Edit, EditMsg, foot, menu, palette, picked};
use crate::app::{App, Source};
use crate::cursor::Step;
use crate::dom;
use crate::parts::Call;
use crate::tool::Slot;
use std::rc::Rc;
use wasm_bindgen::JsCast;
use web_sys::{Element, Event, KeyboardEvent, MouseEvent};
use yew::AttrValue;

/// Something happened at an element of the page that is for the editor.
pub(super) fn happened(edit: &Edit, app: &mut App, event: &Event, place: &Element) {
    if let Some(key) = event.dyn_ref::<KeyboardEvent>() {
        // What was asked for first covers the page, though it is not drawn yet.
        if app.has_tool(Slot::Over) {
            return palette::write(edit, key);
        }
        pressed(edit, app, &name(key), place);
    } else if let Some(mouse) = event.dyn_ref::<MouseEvent>() {
        match event.type_().as_str() {
            "click" if place.closest("[data-menu]").ok().flatten().is_some() => {
                ask(edit, app, place, dom::corner(place));
            }
            "click" => clicked(edit, app, mouse.shift_key(), place),
            _ => ask(edit, app, place, (mouse.client_x(), mouse.client_y())),
        }
    } else if let Some(text) = dom::pasted(event) {
        let sources = Rc::new([Source { name: AttrValue::default(), text: text.into() }]);
        let name = app.env().table().text(EditMsg::Paste);
        app.env().send(Call::Add(sources, name));
    }
}

/// A key with its modifiers, as the table writes it.
fn name(event: &KeyboardEvent) -> String {
    let key = event.key();
    let letter = key.chars().all(char::is_alphabetic) && key.chars().count() == 1;
    let mut name = String::new();
    if event.ctrl_key() || event.meta_key() {
        name.push_str("Ctrl+");
    }
    // What is typed with Shift, like a question mark, says so itself.
    if event.shift_key() && (letter || key.len() > 1) {
        name.push_str("Shift+");
    }
    name.push_str(&if letter { key.to_uppercase() } else { key });
    name
}

fn pressed(edit: &Edit, app: &mut App, key: &str, place: &Element) {
    let letter = !key.contains("Ctrl+") && key.trim_start_matches("Shift+").chars().count() == 1;
    if app.state().drag.held().is_some() || app.state().letters_off && letter {
        return;
    }
    let step = match key {
        "Shift+ArrowLeft" => Step::Left,
        "Shift+ArrowRight" => Step::Right,
        "Shift+ArrowUp" => Step::Up,
        "Shift+ArrowDown" => Step::Down,
        "Ctrl+A" => return picked::everything(edit, app, place),
        "Escape" => return foot::escape(edit, app),
        "ContextMenu" | "Shift+F10" => return ask(edit, app, place, dom::corner(place)),
        "Ctrl+K" => return palette::open(edit, app, &picked::meant(edit, app, Some(place))),
        // A text that is selected on the page is what is copied.
        "Ctrl+C" if dom::has_selection() => return,
        _ => {
            if let Some(command) = COMMANDS.iter().find(|command| command.has_key(key)) {
                command.perform(edit, app, &picked::meant(edit, app, Some(place)));
            }
            return;
        }
    };
    picked::walk(edit, app, step);
}

fn clicked(edit: &Edit, app: &mut App, shift: bool, place: &Element) {
    let Some(thing) = shown_by(place) else { return };
    if shift { picked::extend(edit, app, thing) } else { picked::toggle(edit, app, thing) }
}

/// Opens the menu for what an element shows.
fn ask(edit: &Edit, app: &mut App, place: &Element, at: (i32, i32)) {
    let Some(thing) = shown_by(place) else { return };
    let among = edit.0.borrow().picked.contains(&thing);
    let things = if among { edit.0.borrow().picked.clone() } else { vec![thing] };
    menu::open(edit, app, &things, at);
}
