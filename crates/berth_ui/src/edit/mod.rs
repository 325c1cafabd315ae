//! The editor: every command of the page in one table, menus, selection and search. A part of the program that is fetched when it is first needed, see [`crate::parts`].
//!
//! * [`commands`] is the table: the palette, the menus, the keys and the page of shortcuts are all made from it.
//! * [`events`] finds the command that a key or a click means, [`things`] and [`picked`] what it is done to.
//! * [`foot`] holds the search ([`find`]) and the bar of what is selected, [`history`] the changes by their names.
//!
//! What changes something is in a part of its own, [`crate::change`].

mod commands;
mod events;
mod find;
mod foot;
mod history;
mod menu;
mod names;
mod palette;
mod picked;
mod shortcuts;
mod things;
mod words;

pub use things::{ON_BOARD, Thing};
pub use words::{EditMsg, EditWords};

use crate::app::App;
use crate::parts::{Call, Late, late};
use std::cell::RefCell;
use std::rc::Rc;
use yew::AttrValue;

late!(edit, |app| {
    app.style(include_str!("../../../../web/styles/late/edit.css"));
    app.name_by(|env, command| names::name(&env.table(), command));
    Box::new(Edit::default())
});

/// This part: all that it brings shares what it remembers.
#[derive(Clone, Default)]
struct Edit(Rc<RefCell<Memory>>);

/// What the editor remembers.
#[derive(Default)]
struct Memory {
    /// What is selected for being acted on together.
    picked: Vec<Thing>,
    /// What was selected last: a range begins there.
    anchor: Option<Thing>,
    /// What was written for the palette before it was drawn.
    typed: String,
    /// Whether a tap selects more.
    picking: bool,
    /// What is searched for, while the search is open.
    find: Option<AttrValue>,
}

impl Late for Edit {
    fn call(&mut self, app: &mut App, call: Call) {
        match call {
            Call::Palette => palette::open(self, app, &picked::meant(self, app, None)),
            Call::Edit(event, place) => events::happened(self, app, &event, &place),
            _ => {}
        }
    }
}
