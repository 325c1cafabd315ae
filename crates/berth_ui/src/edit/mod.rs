//! The editor: every command of the page in one table, and what changes nodes, pods and workloads other than by hand. A
//! part of the program that is fetched when it is first needed, see [`crate::parts`].
//!
//! * [`commands`] is the table: the palette, the menus, the keys and the page of shortcuts are all made from it.
//! * [`events`] finds the command that a key or a click means, [`things`] what it is done to.

mod commands;
mod events;
mod palette;
mod shortcuts;
mod things;
mod words;

pub use words::{EditMsg, EditWords};

use crate::app::App;
use crate::parts::{Call, Late, late};

late!(edit, |app| {
    app.style(include_str!("../../../../web/styles/late/edit.css"));
    Box::new(Edit)
});

/// This part.
#[derive(Clone)]
struct Edit;

impl Late for Edit {
    fn call(&mut self, app: &mut App, call: Call) {
        match call {
            Call::Palette => palette::open(self, app),
            Call::Edit(event, place) => events::happened(self, app, &event, &place),
            _ => {}
        }
    }
}
