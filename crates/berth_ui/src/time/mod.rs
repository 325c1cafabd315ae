//! Virtual time on the page: the cluster on the board in a [`Timeline`](berth_core::simulation::Timeline), played, stepped
//! through, changed at any moment, and held against its other branches. A part of the program that is fetched when it is
//! first asked for, see [`crate::parts`].
//!
//! * [`run`] is the timeline with what the page remembers of it; it moves on by frames, and only while it is played.
//! * [`moment`] shows it on the board, and gives the board back.
//! * [`asked`] remembers what was asked for, and takes it back.
//! * [`request`] and [`absorb`] make requests to the API server of what is asked for in the panel and on the board.
//! * [`panel`] is what is drawn, with [`scrubber`], [`lanes`], [`chart`], [`charts`], [`told`] (events), [`memory`], [`attempts`], [`against`] (two of them), [`branches`] and
//!   [`parameters`].

mod absorb;
mod against;
mod asked;
mod attempts;
mod branches;
mod chart;
mod charts;
mod countdown;
mod form;
mod lanes;
mod memory;
mod moment;
mod panel;
mod parameters;
mod request;
mod run;
mod scrubber;
mod told;
mod words;

pub use words::{TimeMsg, TimeWords};

use crate::app::App;
use crate::parts::{Call, Late, late};
use run::Shared;
use std::cell::RefCell;
use std::rc::Weak;

late!(time, |app| {
    app.style(include_str!("../../../../web/styles/late/time.css"));
    Box::new(Part(Weak::new()))
});

/// What time is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tick {
    /// Begin, or end.
    Open,
    /// Play, or stop.
    Play,
    /// To the next event.
    Next,
    /// To the event before.
    Previous,
    /// To the next phase of a scheduling attempt.
    Phase,
}

/// This part: the run that is shown, as long as it is.
struct Part(Weak<RefCell<run::Run>>);

impl Late for Part {
    fn call(&mut self, app: &mut App, call: Call) {
        let Call::Time(tick) = call else { return };
        match (self.0.upgrade(), tick) {
            (Some(run), Tick::Open) => moment::leave(&run, app, false),
            (None, Tick::Open) => {
                if let Some(run) = moment::enter(app) {
                    self.0 = std::rc::Rc::downgrade(&run);
                }
            }
            (Some(run), tick) => perform(&run, app, tick),
            (None, _) => {
                let text = words(app).text(TimeMsg::NotOpen);
                app.tell(text);
            }
        }
    }
}

/// Does what is asked of time that is shown.
fn perform(run: &Shared, app: &mut App, tick: Tick) {
    match tick {
        Tick::Open => {}
        Tick::Play => run::play(run, app),
        Tick::Next => run::step(run, app, true),
        Tick::Previous => run::step(run, app, false),
        Tick::Phase => attempts::phase(run, app),
    }
}

fn words(app: &App) -> TimeWords {
    app.env().table()
}
