//! State that travels: links, files, text and pictures of what is under study, and what the browser keeps of it. A part
//! of the program that is fetched when it is first needed, see [`crate::parts`].
//!
//! Links, pictures and what is kept hold only what the scheduler reads (see [`berth_wire::link`]); files hold whole
//! objects. Nothing of it is sent anywhere.

mod arrive;
mod card;
mod content;
mod dialog;
mod keep;
mod picture;
mod state;
mod strip;
mod words;

pub use words::{ShareMsg, ShareWords};

use crate::app::App;
use crate::dom;
use crate::parts::{Call, Late, late};
use crate::tool::Slot;
use berth_core::playground::Machine;
use berth_wire::link::State;
use content::What;
use keep::Keeper;

late!(share, |app| {
    app.style(include_str!("../../../../web/styles/late/share.css"));
    // A log may hold anything.
    app.engine_mut().run_by(Machine::WHOLE);
    Box::new(Share::default())
});

/// This part.
#[derive(Default)]
struct Share {
    /// What the address held when it was last looked at; none before.
    heard: Option<String>,
}

impl Late for Share {
    fn call(&mut self, app: &mut App, call: Call) {
        match call {
            Call::Share => dialog::open(app, What::Link, false),
            Call::Wake => self.wake(app),
            _ => {}
        }
    }
}

impl Share {
    /// Opens a link that has not been looked at yet. The first time, offers what the browser keeps, and begins to keep.
    fn wake(&mut self, app: &mut App) {
        let fragment = dom::fragment();
        let first = self.heard.is_none();
        let new = self.heard.as_ref() != Some(&fragment);
        let arrives = new && State::is_in(&fragment);
        if arrives {
            arrive::arrive(app, &fragment);
        }
        self.heard = Some(fragment);
        if first {
            // What is kept stays until something is done here, which is why this is asked for otherwise.
            let done = !arrives && keep::kept().is_none();
            app.open(Slot::Unseen, Box::new(Keeper::new(app, done)));
            strip::offer(app);
        }
    }
}
