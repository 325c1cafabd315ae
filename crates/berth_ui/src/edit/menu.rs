//! Menus: the commands for what is under the pointer or has the focus.

use super::commands::COMMANDS;
use super::palette::{Item, Items, item, keys};
use super::things::{Sort, Thing};
use super::{Edit, EditMsg, EditWords};
use crate::app::App;
use crate::components::use_dialog;
use crate::dom;
use crate::env::use_env;
use crate::locale::Msg;
use crate::tool::{Slot, Tool, task};
use web_sys::{Element, HtmlDialogElement, HtmlElement};
use yew::{
    AttrValue, Callback, Html, KeyboardEvent, MouseEvent, PointerEvent, Properties, TargetCast,
    component, html, use_effect_with,
};

/// Opens the menu of these things at a point of the page.
pub(super) fn open(edit: &Edit, app: &mut App, things: &[Thing], at: (i32, i32)) {
    let words: EditWords = app.env().table();
    let mut items: Vec<Item> = Vec::new();
    for command in COMMANDS.iter().filter(|command| command.takes(things)) {
        items.push(item(edit, app, &words, command, things));
    }
    let name = match things {
        [Thing::Ground] | [] => words.text(EditMsg::MenuGround),
        [thing] => thing.name().to_owned().into(),
        several => {
            let pods = several.iter().all(|thing| thing.sort() == Sort::Pod);
            let msg = if pods { Msg::Pods } else { Msg::Nodes };
            let mixed = !pods && several.iter().any(|thing| thing.sort() == Sort::Pod);
            let count = several.len() as u32;
            if mixed {
                words.count(EditMsg::Things, count)
            } else {
                app.env().words.count(msg, count)
            }
        }
    };
    app.open(Slot::Over, Box::new(Menu { items: Items(items.into()), name, at }));
}

struct Menu {
    items: Items,
    name: AttrValue,
    at: (i32, i32),
}

impl Tool for Menu {
    fn view(&self, _app: &App) -> Html {
        html! { <MenuDialog items={self.items.clone()} name={self.name.clone()} at={self.at} /> }
    }
}

#[derive(PartialEq, Properties)]
struct MenuProps {
    items: Items,
    name: AttrValue,
    at: (i32, i32),
}

#[component]
fn MenuDialog(props: &MenuProps) -> Html {
    let env = use_env();
    let dialog = use_dialog();
    {
        let dialog = dialog.clone();
        use_effect_with(props.at, move |(x, y)| {
            if let Some(dialog) = dialog.cast::<HtmlElement>() {
                dom::set_css(&dialog, "--x", &[&x.to_string(), "px"].concat());
                dom::set_css(&dialog, "--y", &[&y.to_string(), "px"].concat());
            }
        });
    }
    let close = {
        let dialog = dialog.clone();
        move || {
            // What had the focus has it again, unless the command moves it.
            if let Some(dialog) = dialog.cast::<HtmlDialogElement>() {
                dialog.close();
            }
        }
    };
    let beside = {
        let (dialog, close) = (dialog.clone(), close.clone());
        // Not a click: that of the finger that asked for the menu may still come.
        Callback::from(move |event: PointerEvent| {
            let target = event.target_dyn_into::<Element>();
            if target.is_some() && target == dialog.cast::<Element>() {
                close();
            }
        })
    };
    let pressed = Callback::from(move |event: KeyboardEvent| {
        let Some(at) = event.target_dyn_into::<Element>() else { return };
        let step = match event.key().as_str() {
            "ArrowDown" => 1,
            "ArrowUp" => -1,
            "Home" => i32::MIN,
            "End" => i32::MAX,
            // A Tab leads out of a menu, which there is nowhere to.
            "Tab" => 0,
            _ => return,
        };
        event.prevent_default();
        dom::focus_beside(&at, "[role=\"menu\"]", "[role=\"menuitem\"]", step);
    });
    let closed = env.on(task(|app| app.close(Slot::Over)));
    let mut group = &AttrValue::default();
    let mut rows: Vec<Html> = Vec::new();
    for (index, item) in props.items.0.iter().enumerate() {
        if item.group != *group {
            if !rows.is_empty() {
                rows.push(html! { <li role="separator" key={item.group.as_str()}></li> });
            }
            group = &item.group;
        }
        let (send, items, close) = (env.send.clone(), props.items.clone(), close.clone());
        let onclick = Callback::from(move |_: MouseEvent| {
            if let Some(item) = items.0.get(index).filter(|item| item.why.is_none()) {
                close();
                send.emit(item.chosen.clone());
            }
        });
        rows.push(html! {
            <li role="presentation" key={index}>
                <button type="button" role="menuitem" aria-disabled={item.why.is_some().to_string()}
                    tabindex={if index == 0 { "0" } else { "-1" }} {onclick}>
                    <span class="grow">
                        {item.name.clone()}
                        if let Some(why) = &item.why { <span class="dimmer">{why.clone()}</span> }
                    </span>
                    {keys(item.keys)}
                </button>
            </li>
        });
    }
    html! {
        <dialog class="dialog menu" ref={dialog} onclose={closed} onpointerdown={beside} aria-label={props.name.clone()}>
            <p class="dimmer clip" aria-hidden="true">{props.name.clone()}</p>
            <ul role="menu" aria-label={props.name.clone()} onkeydown={pressed}>{for rows}</ul>
        </dialog>
    }
}
