//! What is done in the text area.

use super::Shared;
use super::draft::{Applied, Draft};
use super::words::{EditorMsg, EditorWords};
use crate::app::App;
use crate::dom;
use crate::env::Env;
use crate::tool::task;
use std::rc::Rc;
use wasm_bindgen::JsCast;
use web_sys::HtmlTextAreaElement;
use yew::{Callback, Event, InputEvent, KeyboardEvent, TargetCast};

/// Something is done to the text, and it is drawn anew.
fn on_draft(env: &Env, draft: &Shared, act: impl Fn(&mut Draft, &mut App) + 'static) {
    let draft = Rc::clone(draft);
    env.send(task(move |app| act(&mut draft.borrow_mut(), app)));
}

/// Where the caret is, as a byte offset.
fn caret(area: &HtmlTextAreaElement) -> usize {
    let units = area.selection_end().ok().flatten().unwrap_or_default();
    dom::byte_offset(&area.value(), units)
}

/// Takes what is typed.
pub(super) fn typed(env: &Env, draft: &Shared) -> Callback<InputEvent> {
    let (env, draft) = (env.clone(), Rc::clone(draft));
    Callback::from(move |event: InputEvent| {
        let Some(area) = event.target_dyn_into::<HtmlTextAreaElement>() else { return };
        let (text, caret) = (area.value(), caret(&area));
        on_draft(&env, &draft, move |draft, app| draft.write(app, &text, caret));
    })
}

/// Follows the caret.
pub(super) fn moved<E>(env: &Env, draft: &Shared) -> Callback<E>
where
    E: AsRef<Event> + JsCast + 'static,
{
    let (env, draft) = (env.clone(), Rc::clone(draft));
    Callback::from(move |event: E| {
        let Some(area) = event.target_dyn_into::<HtmlTextAreaElement>() else { return };
        let caret = caret(&area);
        if draft.borrow().caret != caret {
            on_draft(&env, &draft, move |draft, _| draft.move_to(caret));
        }
    })
}

/// What keys do. Tab leaves the text area, as it leaves every control.
pub(super) fn pressed(env: &Env, draft: &Shared) -> Callback<KeyboardEvent> {
    let (env, draft) = (env.clone(), Rc::clone(draft));
    Callback::from(move |event: KeyboardEvent| {
        let Some(area) = event.target_dyn_into::<HtmlTextAreaElement>() else { return };
        let ctrl = event.ctrl_key() || event.meta_key();
        let chosen = draft.borrow().list.as_ref().map(|list| list.at);
        match (&*event.key(), chosen) {
            ("Enter", _) if ctrl => apply(&env, &draft),
            (" ", _) if ctrl => {
                let caret = caret(&area);
                on_draft(&env, &draft, move |draft, _| {
                    draft.move_to(caret);
                    draft.offer(true);
                });
            }
            (key @ ("ArrowDown" | "ArrowUp"), Some(_)) => {
                let down = key == "ArrowDown";
                on_draft(&env, &draft, move |draft, _| draft.choose(down));
            }
            ("Enter" | "Tab", Some(index)) if !event.shift_key() => take(&draft, &area, index),
            ("Escape", Some(_)) => on_draft(&env, &draft, |draft, _| draft.list = None),
            // It would put away what is written.
            ("Escape", None) => {}
            ("Enter", None) if !event.shift_key() && !event.is_composing() => {
                let indent = draft.borrow().indent();
                dom::type_in(&area, None, &("\n".to_owned() + &" ".repeat(indent)));
            }
            _ => return,
        }
        event.prevent_default();
        event.stop_propagation();
    })
}

/// Writes an offer into the text area, as if it had been typed.
pub(super) fn take(draft: &Shared, area: &HtmlTextAreaElement, index: usize) {
    let taken = draft.borrow_mut().take(index);
    if let Some((start, text)) = taken {
        dom::type_in(area, Some(start), &text);
    }
}

/// Makes what is written true, or says why not.
pub(super) fn apply(env: &Env, draft: &Shared) {
    on_draft(env, draft, |draft, app| {
        let words: EditorWords = app.env().table();
        let what = draft.target.name(&words);
        let said = match draft.apply(app) {
            Applied::Done => words.fill(EditorMsg::Applied, &[("what", &what)]),
            Applied::Nothing => words.text(EditorMsg::NothingChanged),
            Applied::Refused => {
                let first = draft.checked.problems.first();
                first.map(|remark| remark.problem.message.clone()).unwrap_or_default()
            }
        };
        app.tell(said);
        app.focus("#yaml-text");
    });
}

/// Goes back to what is true.
pub(super) fn discard(env: &Env, draft: &Shared) {
    on_draft(env, draft, |draft, app| {
        draft.discard(app);
        app.focus("#yaml-text");
    });
}
