//! Virtual time on the page: the cluster on the board in a [`Timeline`](berth_core::simulation::Timeline), played, stepped
//! through, changed at any moment, and held against its other branches. A part of the program that is fetched when it is
//! first asked for, see [`crate::parts`].
//!
//! * [`run`] is the timeline with what the page remembers of it; it moves on by frames, and only while it is played.
//! * [`moment`] shows it on the board, and gives the board back.
//! * [`asked`] remembers what was asked for, and takes it back.
//! * [`request`] and [`absorb`] make requests to the API server of what is asked for in the panel and on the board.
//! * [`stage`] is a lesson that is played in time.
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
mod stage;
mod told;
mod words;

pub use stage::Stage;
pub use words::{TimeMsg, TimeWords};

use crate::app::App;
use crate::parts::{Call, Late, late};
use run::Shared;
use std::cell::RefCell;
use std::rc::{Rc, Weak};

late!(time, |app| {
    app.style(include_str!("../../../../web/styles/late/time.css"));
    Box::new(Part { run: Weak::new(), stage: Weak::new() })
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

/// This part: the run that is shown, and the lesson that is taken, as long as they are.
struct Part {
    run: Weak<RefCell<run::Run>>,
    stage: Weak<Stage>,
}

impl Part {
    fn begin(&mut self, app: &mut App, stage: Option<Rc<Stage>>) {
        if let Some(run) = moment::enter(app, stage) {
            self.run = Rc::downgrade(&run);
        }
    }

    /// Begins a lesson, or plays its solution.
    fn play(&mut self, app: &mut App, stage: Rc<Stage>, solved: bool) {
        self.stage = Rc::downgrade(&stage);
        let is_shown = |run: &Shared| app.engine().openings() == run.borrow().openings;
        if self.run.upgrade().as_ref().is_none_or(|run| !is_shown(run)) {
            self.begin(app, Some(stage));
        }
        if let Some(run) = self.run.upgrade().filter(|_| solved) {
            stage::solve(&run, app);
        }
    }
}

impl Late for Part {
    fn call(&mut self, app: &mut App, call: Call) {
        let tick = match call {
            Call::Time(tick) => tick,
            Call::Stage(stage, solved) => return self.play(app, stage, solved),
            _ => return,
        };
        match (self.run.upgrade(), tick) {
            (Some(run), Tick::Open) => moment::leave(&run, app, false),
            (None, Tick::Open) => {
                let is_shown = |stage: &Rc<Stage>| stage.openings.get() == app.engine().openings();
                self.begin(app, self.stage.upgrade().filter(is_shown));
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
