//! A timeline with what the page remembers of it, and how it moves on.

use super::against::Against;
use super::asked::History;
use super::attempts::Looked;
use super::branches::Comparison;
use super::charts::Charts;
use super::form::Draft;
use super::memory::Trial;
use super::stage::{Ahead, Solved, Stage};
use super::told::Told;
use super::{TimeMsg, moment, words};
use crate::app::App;
use crate::dom;
use crate::engine::Aside;
use crate::tool::task;
use berth_core::api::Object;
use berth_core::framework::config::Configuration;
use berth_core::queue::Instant;
use berth_core::queue::time::SECOND;
use berth_core::simulation::{BranchId, Parameters, Simulation, Timeline};
use std::cell::RefCell;
use std::rc::Rc;
use yew::AttrValue;

/// A run that several hold.
pub(super) type Shared = Rc<RefCell<Run>>;

/// How fast time can go.
pub(super) const SPEEDS: [f64; 9] = [0.25, 0.5, 1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0];
/// How long a slice of work goes on, in milliseconds.
const SLICE: f64 = 8.0;
/// The same for what somebody waits for who has pressed something.
const ASKED: f64 = 40.0;
/// A frame that took longer counts as this many milliseconds: who comes back to a page does not want to find the end.
const LONGEST_FRAME: f64 = 100.0;
/// So far is looked for a next event, in nanoseconds.
pub(super) const HORIZON: i64 = 600 * SECOND;
/// Time goes no further than a day.
const LAST: Instant = Instant(86_400 * SECOND);
/// What the scrubber has at least, and by what it grows, in nanoseconds.
const LEAST_SPAN: i64 = 60 * SECOND;
const MORE_SPAN: i64 = 30 * SECOND;

/// What the panel shows below the scrubber.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Tab {
    /// What happened.
    Events,
    /// Each pod's course.
    Pods,
    /// Numbers over time.
    Charts,
    /// What is left of a node's memory.
    Memory,
    /// What the scheduler tried.
    Attempts,
    /// The branches.
    Branches,
    /// How long things take.
    Parameters,
}

/// A timeline that is shown.
pub(super) struct Run {
    pub(super) timeline: Timeline,
    pub(super) configuration: Configuration,
    /// What there was at second 0, and how long things take.
    start: Start,
    pub(super) parameters: Parameters,
    /// The board as it was.
    pub(super) aside: Aside,
    /// The moment that is shown.
    pub(super) at: Instant,
    /// The branch and the steps that the board was made from.
    pub(super) made: Option<(BranchId, u64)>,
    /// The engine's count of clusters and its revision since then: others mean that somebody did something.
    pub(super) openings: u32,
    pub(super) revision: u32,
    pub(super) playing: bool,
    /// The place of the speed among [`SPEEDS`].
    pub(super) speed: usize,
    /// Where it is on its way to.
    goal: Option<Instant>,
    /// Whether frames move it on.
    driven: bool,
    /// Whether nothing is to move by itself on the page, and how far time has come there without showing it.
    still: bool,
    waited: Option<Instant>,
    /// The lesson that it is, with its solution, and how it goes on.
    pub(super) stage: Option<Rc<Stage>>,
    pub(super) solved: Option<Solved>,
    pub(super) ahead: Option<Ahead>,
    pub(super) looks_ahead: bool,
    pub(super) told: Told,
    pub(super) charts: Charts,
    /// Whether charts are shown as tables.
    pub(super) as_tables: bool,
    pub(super) tab: Tab,
    pub(super) draft: Draft,
    pub(super) trial: Trial,
    pub(super) history: History,
    pub(super) looked: Option<Looked>,
    pub(super) comparison: Option<Comparison>,
    pub(super) against: Against,
}

impl Run {
    /// Time stands at second 0.
    pub(super) fn new(
        start: Start,
        configuration: Configuration,
        parameters: Parameters,
    ) -> Result<Self, String> {
        let timeline = begin(&start, &configuration, &parameters)?;
        let stage = match &start {
            Start::Lesson(stage, _) => Some(Rc::clone(stage)),
            Start::Board(_) => None,
        };
        Ok(Self {
            at: timeline.now(),
            timeline,
            configuration,
            start,
            parameters,
            aside: Aside::default(),
            made: None,
            openings: 0,
            revision: 0,
            playing: false,
            speed: 2,
            goal: None,
            driven: false,
            still: dom::prefers_still(),
            waited: None,
            stage,
            solved: None,
            ahead: None,
            looks_ahead: false,
            told: Told::default(),
            charts: Charts::default(),
            as_tables: false,
            tab: Tab::Events,
            draft: Draft::default(),
            trial: Trial::default(),
            history: History::default(),
            looked: None,
            comparison: None,
            against: Against::default(),
        })
    }

    /// Begins anew, with the parameters as they are now.
    pub(super) fn restart(&mut self) {
        if let Ok(timeline) = begin(&self.start, &self.configuration, &self.parameters) {
            self.timeline = timeline;
            self.made = None;
            self.playing = false;
            self.goal = None;
            self.told = Told::default();
            self.charts = Charts::default();
            self.looked = None;
            self.comparison = None;
            self.solved = None;
            self.ahead = None;
            self.history = History::default();
            self.against = Against::default();
        }
    }

    /// As far as the branch that is shown has come.
    pub(super) fn reached(&self) -> Instant {
        self.timeline.reached(self.timeline.current()).max(self.at)
    }

    /// How much the scrubber has, in nanoseconds.
    pub(super) fn span(&self) -> i64 {
        let reached = self.reached().0;
        LEAST_SPAN.max((reached / MORE_SPAN + 1) * MORE_SPAN)
    }

    /// Whether frames have to move it on.
    const fn moves(&self) -> bool {
        self.playing || self.goal.is_some()
    }

    /// Goes on for some milliseconds at most.
    fn advance(&mut self, to: Instant, milliseconds: f64) {
        let end = js_sys::Date::now() + milliseconds;
        if self.timeline.go_towards(to, || js_sys::Date::now() < end) {
            self.goal = None;
        }
    }

    /// A frame while it is played, in which so many nanoseconds pass; true if there is something new to show. Where
    /// nothing is to move by itself, it is the next event that is shown, once its time has come.
    fn flow(&mut self, passed: i64) -> bool {
        let now = self.timeline.now();
        let from = self.waited.filter(|waited| *waited > now).unwrap_or(now);
        let to = from.after(passed).min(LAST);
        if to >= LAST {
            self.playing = false;
        }
        if !self.still {
            self.advance(to, SLICE);
            return true;
        }
        self.waited = Some(to);
        self.timeline.next_event(to).is_some()
    }
}

/// What time begins with.
pub(super) enum Start {
    /// What is on the board.
    Board(Vec<Object>),
    /// A lesson, or what has become of its cluster on the board.
    Lesson(Rc<Stage>, Option<(Vec<Object>, Configuration)>),
}

fn begin(
    start: &Start,
    configuration: &Configuration,
    parameters: &Parameters,
) -> Result<Timeline, String> {
    match start {
        Start::Board(objects) => {
            Simulation::new(objects.iter().cloned(), configuration, parameters.clone())
                .map_err(|error| error.to_string())
        }
        Start::Lesson(stage, board) => {
            stage.begin(board.as_ref(), &parameters.kubelet).map(|begun| begun.simulation)
        }
    }
    .map(Timeline::new)
}

/// Goes to a moment, as far as that is done in a moment, and then frame by frame.
pub(super) fn seek(run: &Shared, app: &mut App, at: Instant) {
    {
        let mut run = run.borrow_mut();
        let at = at.max(Instant::default()).min(LAST);
        run.goal = Some(at);
        run.waited = None;
        run.looked = None;
        run.advance(at, ASKED);
    }
    moment::show(run, app);
    drive(run, app);
}

/// Plays, or stops.
pub(super) fn play(run: &Shared, app: &App) {
    {
        let mut run = run.borrow_mut();
        run.playing = !run.playing;
        run.waited = None;
        run.goal = None;
        run.looked = None;
    }
    drive(run, app);
}

/// To the next event, or to the one before, and says it.
pub(super) fn step(run: &Shared, app: &mut App, forward: bool) {
    let found = {
        let mut run = run.borrow_mut();
        run.playing = false;
        run.goal = None;
        run.looked = None;
        let now = run.timeline.now();
        if forward {
            run.timeline.next_event(now.after(HORIZON).min(LAST))
        } else if now > Instant::default() {
            Some(run.timeline.previous_event().unwrap_or_else(|| {
                run.timeline.seek(Instant::default());
                Instant::default()
            }))
        } else {
            None
        }
    };
    moment::show(run, app);
    let said = match found {
        Some(at) => run.borrow().told.at(at),
        None => words(app).text(if forward { TimeMsg::NothingComes } else { TimeMsg::Beginning }),
    };
    app.tell(said);
}

/// Has frames move it on for as long as there is something to move.
pub(super) fn drive(run: &Shared, app: &App) {
    {
        let mut run = run.borrow_mut();
        if !run.moves() || std::mem::replace(&mut run.driven, true) {
            return;
        }
    }
    let (weak, send) = (Rc::downgrade(run), app.env().send.clone());
    dom::spawn(async move {
        let mut last = dom::frame().await;
        loop {
            let now = dom::frame().await;
            let Some(run) = weak.upgrade() else { return };
            if let Ok(mut known) = run.try_borrow_mut()
                && !known.moves()
            {
                known.driven = false;
                return;
            }
            let passed = (now - last).clamp(0.0, LONGEST_FRAME);
            last = now;
            send.emit(task(move |app| frame(&run, app, passed)));
        }
    });
}

/// A frame, so many milliseconds after the last.
fn frame(run: &Shared, app: &mut App, passed: f64) {
    let news = {
        let mut run = run.borrow_mut();
        let speed = SPEEDS.get(run.speed).copied().unwrap_or(1.0);
        match run.goal {
            Some(goal) => {
                run.advance(goal, SLICE);
                true
            }
            None => run.playing && run.flow((passed * speed * 1_000_000.0) as i64),
        }
    };
    if news {
        moment::show(run, app);
    }
}

/// A moment in seconds: to the millisecond, to the microsecond where that says more.
pub(super) fn clock(at: Instant) -> AttrValue {
    let micros = at.0 / 1_000;
    let (whole, rest) = (micros / 1_000_000, micros % 1_000_000);
    if rest % 1_000 == 0 {
        format!("{whole}.{:03} s", rest / 1_000).into()
    } else {
        format!("{whole}.{rest:06} s").into()
    }
}
