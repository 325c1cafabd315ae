//! What was asked for, by its name: to be taken back, and done again, while the moment that is shown stays.

use super::run::{Run, Shared, seek};
use super::{TimeMsg, words};
use crate::app::App;
use crate::dom::Listener;
use crate::tool::task;
use berth_core::queue::Instant;
use berth_core::simulation::{BranchId, Command};
use std::collections::BTreeMap;
use std::rc::Rc;
use wasm_bindgen::JsCast;
use web_sys::{Element, KeyboardEvent};
use yew::AttrValue;

/// Where undo is not about time: dialogs, and what text is typed into.
const WITH_OWN: &str = "dialog, textarea, input[type=text], input[type=search], input:not([type])";

/// What somebody asked for at once.
#[derive(Clone, Debug)]
struct Asked {
    name: AttrValue,
    /// How many requests that were.
    requests: usize,
}

/// What was taken back.
#[derive(Clone, Debug)]
enum Undone {
    /// A branch was left, on which it still is.
    Left(BranchId, AttrValue),
    /// It is gone: what it was, and when.
    Taken(Asked, Instant, Vec<Command>),
}

/// What was asked for on each branch, and what was taken back since.
#[derive(Debug, Default)]
pub(super) struct History {
    done: BTreeMap<BranchId, Vec<Asked>>,
    undone: Vec<Undone>,
}

/// Asks for something at the moment; true if a branch begins with it.
pub(super) fn ask(run: &mut Run, name: AttrValue, requests: Vec<Command>) -> bool {
    let forked = act(run, Asked { name, requests: requests.len() }, requests);
    run.history.undone.clear();
    run.looked = None;
    forked
}

fn act(run: &mut Run, asked: Asked, requests: Vec<Command>) -> bool {
    let before = run.timeline.current();
    for request in requests {
        run.timeline.act(request);
    }
    let branch = run.timeline.current();
    run.history.done.entry(branch).or_default().push(asked);
    branch != before
}

/// A branch begins at the moment, by this name.
pub(super) fn fork(run: &mut Run, name: AttrValue) {
    run.timeline.fork();
    let asked = Asked { name, requests: 0 };
    run.history.done.entry(run.timeline.current()).or_default().push(asked);
    run.history.undone.clear();
}

/// What is taken back next.
pub(super) fn next_undo(run: &Run) -> Option<AttrValue> {
    let done = run.history.done.get(&run.timeline.current())?;
    done.last().map(|asked| asked.name.clone())
}

/// What is done again next.
pub(super) fn next_redo(run: &Run) -> Option<AttrValue> {
    run.history.undone.last().map(|undone| match undone {
        Undone::Left(_, name) | Undone::Taken(Asked { name, .. }, ..) => name.clone(),
    })
}

/// Takes the last request of this branch back; gives its name.
fn take_back(run: &mut Run) -> Option<AttrValue> {
    let branch = run.timeline.current();
    let asked = run.history.done.get(&branch)?.last()?.clone();
    let name = asked.name.clone();
    let mut last: Vec<(Instant, Command)> =
        run.timeline.acted().map(|acted| (acted.at, acted.command.clone())).collect();
    let last = last.split_off(last.len().saturating_sub(asked.requests));
    if !run.timeline.undo(asked.requests) {
        return None;
    }
    let undone = if run.timeline.current() == branch {
        run.history.done.entry(branch).or_default().pop();
        let at = last.first().map_or(run.at, |(at, _)| *at);
        Undone::Taken(asked, at, last.into_iter().map(|(_, command)| command).collect())
    } else {
        Undone::Left(branch, name.clone())
    };
    run.history.undone.push(undone);
    Some(name)
}

/// Does again what was taken back last; gives its name.
fn bring_back(run: &mut Run) -> Option<AttrValue> {
    match run.history.undone.pop()? {
        Undone::Left(branch, name) => {
            run.timeline.switch(branch);
            Some(name)
        }
        Undone::Taken(asked, at, commands) => {
            let name = asked.name.clone();
            run.timeline.seek(at);
            act(run, asked, commands);
            Some(name)
        }
    }
}

/// Undo, or redo; the same moment is shown afterwards.
pub(super) fn go(run: &Shared, app: &mut App, undo: bool) {
    let words = words(app);
    let (moment, found) = {
        let mut run = run.borrow_mut();
        run.playing = false;
        let found = if undo { take_back(&mut run) } else { bring_back(&mut run) };
        (run.at, found)
    };
    let Some(name) = found else {
        return app.tell(words.text(if undo {
            TimeMsg::NothingToUndo
        } else {
            TimeMsg::NothingToRedo
        }));
    };
    seek(run, app, moment);
    let msg = if undo { TimeMsg::SayUndone } else { TimeMsg::SayRedone };
    app.tell(words.fill(msg, &[("what", &name)]));
}

/// Hears the keys of undo and redo wherever the focus is, but where text is typed and in dialogs.
pub(super) fn listen(run: &Shared, app: &App) -> Option<Listener> {
    let (weak, send) = (Rc::downgrade(run), app.env().send.clone());
    let window = web_sys::window()?;
    Some(Listener::new(&window, "keydown", move |event| {
        let Some(run) = weak.upgrade() else { return };
        let keys: &KeyboardEvent = event.unchecked_ref();
        let is_modified = (keys.ctrl_key() || keys.meta_key()) && !keys.alt_key();
        let target = event.target().and_then(|target| target.dyn_into::<Element>().ok());
        // There they are the browser's, or mean something else.
        let has_own =
            target.is_some_and(|at| at.closest(WITH_OWN).is_ok_and(|found| found.is_some()));
        if !is_modified || has_own {
            return;
        }
        let undo = match (&*keys.key().to_lowercase(), keys.shift_key()) {
            ("z", false) => true,
            ("z", true) | ("y", false) => false,
            _ => return,
        };
        event.prevent_default();
        send.emit(task(move |app| go(&run, app, undo)));
    }))
}
