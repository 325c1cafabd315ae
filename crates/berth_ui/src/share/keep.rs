//! What the browser keeps of the cluster, so that closing the page loses nothing.

use super::state::state;
use crate::app::App;
use crate::dom;
use crate::tool::{Slot, Tool, task};
use std::cell::Cell;
use std::rc::Rc;
use yew::Html;

/// What it is kept under.
const KEY: &str = dom::KEPT;
/// How long nothing must happen before it is kept, in milliseconds.
const REST: i32 = 400;
/// A cluster of more objects is not kept: writing it would be felt.
const MOST_OBJECTS: usize = 2_000;

/// Follows what happens, and keeps what comes of it.
pub(super) struct Keeper {
    /// The revision that was kept last, or is about to be, or need not be.
    seen: u32,
    /// Counts the changes, so that of several soon after each other the last is kept.
    turn: Rc<Cell<u32>>,
}

thread_local! {
    /// Whether nothing is to be kept any more, until the page is opened anew.
    static STOPPED: Cell<bool> = const { Cell::new(false) };
}

impl Keeper {
    /// Keeps what has been done already if there is something, and all that is done from now on.
    pub(super) fn new(app: &App, done: bool) -> Self {
        let seen = if done { 0 } else { app.engine().revision() };
        Self { seen, turn: Rc::default() }
    }
}

impl Tool for Keeper {
    fn follow(&mut self, app: &App) {
        let revision = app.engine().revision();
        if std::mem::replace(&mut self.seen, revision) == revision || STOPPED.get() {
            return;
        }
        self.turn.set(self.turn.get().wrapping_add(1));
        let (turn, now, send) = (Rc::clone(&self.turn), self.turn.get(), app.env().send.clone());
        dom::spawn(async move {
            dom::pause(REST).await;
            if turn.get() == now {
                send.emit(task(keep));
            }
        });
    }

    fn view(&self, _app: &App) -> Html {
        Html::default()
    }
}

/// Keeps the state as it is, if it is not too large for a link.
fn keep(app: &mut App) {
    let (_, objects, _) = app.engine().opened_with();
    // While time is shown, the board is not what is worked on.
    if STOPPED.get() || objects.len() > MOST_OBJECTS || app.has_tool(Slot::Time) {
        return;
    }
    if let Ok(link) = state(app).seal() {
        dom::remember(KEY, &link);
    }
}

/// What is kept.
pub(super) fn kept() -> Option<String> {
    dom::remembered(KEY)
}

/// Forgets everything that is kept, and keeps nothing until the page is opened anew.
pub(super) fn forget() {
    STOPPED.set(true);
    dom::forget_all();
}

/// Whether something is kept, or will be.
pub(super) fn keeps() -> bool {
    !STOPPED.get()
}
