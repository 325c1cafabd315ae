//! What keys and clicks mean.

use super::commands::COMMANDS;
use super::{Edit, things};
use crate::app::App;
use wasm_bindgen::JsCast;
use web_sys::{Element, Event, KeyboardEvent};

/// Something happened at an element of the page that is for the editor.
pub(super) fn happened(edit: &Edit, app: &mut App, event: &Event, place: &Element) {
    if let Some(key) = event.dyn_ref::<KeyboardEvent>() {
        pressed(edit, app, &name(key), place);
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
    if app.state().drag.held().is_some() || app.state().letters_off && key.chars().count() == 1 {
        return;
    }
    if let Some(command) = COMMANDS.iter().find(|command| command.has_key(key)) {
        let things = things::at(app, Some(place));
        command.perform(edit, app, &things);
    }
}
