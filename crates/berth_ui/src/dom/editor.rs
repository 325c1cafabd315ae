//! Which events are for the editor: the rest of the page leaves them alone.

use super::{Listener, is_typing};
use crate::app::Intent;
use crate::parts::Call;
use wasm_bindgen::JsCast;
use web_sys::{Element, Event, KeyboardEvent};
use yew::Callback;

/// What happens that may be for the editor.
const KINDS: [&str; 4] = ["keydown", "click", "contextmenu", "paste"];

/// Hands the events of a page that are for the editor to it, once the page itself had no use for them. They are taken
/// from the window: nothing on the page needs to have the focus.
pub fn hand_over(root: &Element, send: &Callback<Intent>) -> Vec<Listener> {
    let mut listeners = Vec::new();
    let Some(window) = web_sys::window() else { return listeners };
    for kind in KINDS {
        let (root, send) = (root.clone(), send.clone());
        listeners.push(Listener::new(&window, kind, move |event| {
            if let Some(place) = place(&root, kind, &event) {
                send.emit(Call::Edit(event, place).into());
            }
        }));
    }
    listeners
}

/// Where an event happened, if it is for the editor. Then the browser does nothing about it, unless that is a click or a
/// copy.
fn place(root: &Element, kind: &str, event: &Event) -> Option<Element> {
    let place: Element = event.composed_path().get(0).dyn_into().ok()?;
    let within = |selector: &str| place.closest(selector).ok().flatten().is_some();
    // Without a focus, the body has it.
    let here = root.contains(Some(&place)) || place.contains(Some(root));
    if event.default_prevented() || !here || within("dialog") {
        return None;
    }
    // A click has these keys as well.
    let keys: &KeyboardEvent = event.unchecked_ref();
    let typing = is_typing(event);
    let wanted = match kind {
        "keydown" => {
            let key = keys.key();
            let key = key.as_str();
            if keys.ctrl_key() || keys.meta_key() {
                if !typing && key == "c" {
                    return Some(place);
                }
                key == "k" || !typing && matches!(key, "a" | "d") && !within(".side")
            } else {
                // Letters, and what stands for a command by itself; with Shift also the arrows.
                let alone = match key {
                    "Escape" => matches!(root.query_selector(".deck"), Ok(Some(_))),
                    _ => key.len() == 1 && key != " " || matches!(key, "Delete" | "ContextMenu"),
                };
                !typing
                    && !keys.alt_key()
                    && (alone || keys.shift_key() && (key == "F10" || key.starts_with("Arrow")))
            }
        }
        "click" => {
            let several = keys.ctrl_key() || keys.meta_key() || keys.shift_key();
            let wanted =
                if several { "[data-lift]" } else { "[data-menu], [data-picking] [data-lift]" };
            return within(wanted).then_some(place);
        }
        "contextmenu" => within(".queue, [role=\"grid\"]"),
        _ => !typing,
    };
    if wanted {
        event.prevent_default();
    }
    wanted.then_some(place)
}
