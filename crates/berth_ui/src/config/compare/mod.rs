//! Two playgrounds side by side: A is a copy that was pinned, B is what is on the board. Only what differs is listed.

mod settings;
mod view;
mod work;

use super::words::{ConfigMsg, ConfigWords};
use crate::app::App;
use crate::locale::Msg;
use crate::slices;
use crate::tool::Tool;
use berth_core::compare::restore;
use berth_core::playground::{Command, Playground};
use settings::Setting;
use std::cell::RefCell;
use std::rc::Rc;
use work::Work;
use yew::{AttrValue, Html};

/// What is held against the board.
#[derive(Default)]
pub(super) struct Held {
    a: Option<Pinned>,
    /// Counts what was pinned.
    turn: u32,
}

/// A copy that was pinned.
struct Pinned {
    playground: Playground,
    name: AttrValue,
}

/// What a comparison was begun for: the board's revision, what was pinned, and the placed pod that is looked at.
type Asked = (u32, u32, Option<AttrValue>);

/// The comparison, in the inspector's place.
pub(super) struct Comparison {
    held: Rc<RefCell<Held>>,
    asked: Option<Asked>,
    work: Option<Rc<RefCell<Work>>>,
    /// What of the configuration differs.
    settings: Vec<Setting>,
}

impl Comparison {
    /// A comparison with what is held.
    pub(super) fn new(held: &Rc<RefCell<Held>>) -> Self {
        Self { held: Rc::clone(held), asked: None, work: None, settings: Vec::new() }
    }
}

impl Tool for Comparison {
    fn follow(&mut self, app: &App) {
        let held = self.held.borrow();
        let selected = app.state().selected.clone();
        // Pods that wait are looked at anyway.
        let waits = |key: &AttrValue| app.cluster().pending.iter().any(|pod| pod.key == *key);
        let placed = selected.filter(|key| !waits(key));
        let asked = (app.engine().revision(), held.turn, placed);
        if self.asked.as_ref() == Some(&asked) {
            return;
        }
        let both = held.a.as_ref().zip(app.engine().playground());
        self.work = both.map(|(a, board)| {
            let work = Work::new([&a.playground, board], asked.2.as_deref());
            Rc::new(RefCell::new(work))
        });
        self.settings = both.map_or_else(Vec::new, |(a, board)| {
            settings::differences(a.playground.configuration(), board.configuration())
        });
        self.asked = Some(asked);
        if let Some(work) = &self.work {
            slices::run(work, app.env().send.clone());
        }
    }

    fn view(&self, app: &App) -> Html {
        view::panel(app, &self.held, self.work.as_ref(), &self.settings)
    }
}

/// Pins the board as A.
fn pin(app: &mut App, held: &RefCell<Held>) {
    let words: ConfigWords = app.env().table();
    let Some(board) = app.engine().playground().map(Playground::rehearsal) else { return };
    let mut held = held.borrow_mut();
    held.turn = held.turn.wrapping_add(1);
    held.a = Some(Pinned { playground: board, name: board_name(app) });
    app.tell(words.text(ConfigMsg::SayPinned));
    app.focus("#compare-title");
}

/// What the board's cluster is called.
fn board_name(app: &App) -> AttrValue {
    let (name, _, _) = app.engine().opened_with();
    if name.is_empty() { app.env().words.text(Msg::Untitled) } else { name.clone() }
}

/// Forgets A.
fn unpin(app: &mut App, held: &RefCell<Held>) {
    let words: ConfigWords = app.env().table();
    held.borrow_mut().a = None;
    held.borrow_mut().turn += 1;
    app.tell(words.text(ConfigMsg::SayUnpinned));
    app.focus("#compare-title");
}

/// Makes the board what A is, as one step; when they are swapped, what was on the board is A from now on.
fn take_back(app: &mut App, held: &RefCell<Held>, swap: bool) {
    let words: ConfigWords = app.env().table();
    let name = words.text(if swap { ConfigMsg::DidSwap } else { ConfigMsg::DidTakeBack });
    let before = app.engine().playground().map(Playground::rehearsal);
    let called = board_name(app);
    let commands = {
        let held = held.borrow();
        let Some((a, board)) = held.a.as_ref().zip(app.engine().playground()) else { return };
        restore(board, &a.playground)
    };
    if !commands.is_empty() {
        let batch = Command::Batch { name: name.to_string(), commands };
        let Some(board) = app.engine_mut().playground_mut() else { return };
        if let Err(error) = board.apply(batch) {
            return app.tell(error.to_string().into());
        }
    }
    if swap {
        let mut held = held.borrow_mut();
        held.turn = held.turn.wrapping_add(1);
        held.a = before.map(|playground| Pinned { playground, name: called });
    }
    app.tell(name);
    app.focus("#compare-title");
}
