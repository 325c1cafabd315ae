//! A lesson in time: begun with what is given, solved on a branch of its own, and its goals looked up ahead of the moment
//! that is shown.

use super::run::{Run, Shared};
use super::{moment, run};
use crate::app::App;
use crate::dom;
use crate::tool::task;
use berth_core::api::Object;
use berth_core::framework::config::Configuration;
use berth_core::queue::Instant;
use berth_core::simulation::{BranchId, Event, Kubelet, Timeline};
use berth_wire::lesson::goal::State;
use berth_wire::lesson::time::{Begun, end_of};
use berth_wire::lesson::{Goal, Lesson, Time};
use berth_wire::manifest::Report;
use std::cell::{Cell, RefCell};
use std::rc::Rc;

/// How long a slice of looking ahead goes on, in milliseconds.
const SLICE: f64 = 6.0;

/// A lesson that is played in time: the lesson's part begins it, and reads here how it stands.
#[derive(Debug)]
pub struct Stage {
    /// The lesson.
    pub lesson: Rc<Lesson>,
    /// Its time.
    pub time: Time,
    /// Its cluster.
    pub report: Report,
    /// How the goals stand on the branch that is shown, each once its moment has been simulated.
    pub states: RefCell<Vec<Option<State>>>,
    /// The engine's count of clusters, as long as one of this lesson is shown.
    pub openings: Cell<u32>,
}

impl Stage {
    /// The lesson begun with its own cluster, or with what has become of it on the board.
    pub(super) fn begin(
        &self,
        board: Option<&(Vec<Object>, Configuration)>,
        kubelet: &Kubelet,
    ) -> Result<Begun, String> {
        let time = self.time_with(kubelet);
        let begun = match board {
            Some((objects, configuration)) => {
                time.begin_with(objects.clone(), configuration.clone(), false)
            }
            None => time.begin(&self.report, &[], false),
        };
        begun.map_err(|error| error.to_string())
    }

    fn time_with(&self, kubelet: &Kubelet) -> Time {
        Time { kubelet: kubelet.clone(), ..self.time.clone() }
    }

    /// The goals with their places, in the order of their moments.
    fn goals(&self) -> Vec<(usize, &Goal)> {
        let mut goals: Vec<_> = self.lesson.goal.iter().enumerate().collect();
        goals.sort_by_key(|(_, goal)| goal.moment(self.time.until));
        goals
    }
}

/// The solution, on a branch of its own.
pub(super) struct Solved {
    branch: BranchId,
    configuration: Configuration,
}

impl Run {
    /// When what is given happens.
    pub(super) fn given(&self) -> impl Iterator<Item = Instant> {
        let given = self.stage.iter().flat_map(|stage| &stage.time.given);
        given.map(|request| request.at)
    }

    /// The configuration on the branch that is shown.
    pub(super) fn configuration(&self) -> &Configuration {
        let mut branch = self.timeline.current();
        while let Some((parent, _)) = self.timeline.parent(branch) {
            branch = parent;
        }
        match &self.solved {
            Some(solved) if solved.branch == branch => &solved.configuration,
            _ => &self.configuration,
        }
    }

    /// Goes to the beginning of the solution, which is a branch of its own. The error says why there is none.
    fn solve(&mut self) -> Result<(), String> {
        let Some(stage) = self.stage.clone() else { return Ok(()) };
        if let Some(solved) = &self.solved {
            self.timeline.switch(solved.branch);
        } else {
            let time = stage.time_with(&self.parameters.kubelet);
            let begun = time.begin(&stage.report, &stage.lesson.solution, true);
            let begun = begun.map_err(|error| error.to_string())?;
            let branch = self.timeline.begin_another(begun.simulation);
            self.solved = Some(Solved { branch, configuration: begun.configuration });
        }
        self.timeline.seek(Instant::default());
        self.playing = true;
        self.looked = None;
        Ok(())
    }
}

/// Plays the solution.
pub(super) fn solve(shared: &Shared, app: &mut App) {
    let solved = shared.borrow_mut().solve();
    moment::show(shared, app);
    match solved {
        Ok(()) => run::drive(shared, app),
        Err(error) => app.tell(error.into()),
    }
}

/// A copy of the timeline that goes ahead, goal by goal.
pub(super) struct Ahead {
    /// The branch, and how many requests there were on it.
    of: (BranchId, usize),
    timeline: Timeline,
    /// How many goals have been looked up.
    done: usize,
}

/// Has the goals looked up anew if the branch that is shown is another, or has another request.
pub(super) fn follow(shared: &Shared, app: &App) {
    {
        let mut run = shared.borrow_mut();
        if run.stage.is_none() {
            return;
        }
        let of = (run.timeline.current(), run.timeline.acted().count());
        let begun = run.ahead.as_ref().map(|ahead| ahead.of);
        if begun == Some(of) {
            return;
        }
        run.ahead = Some(Ahead { of, timeline: run.timeline.clone(), done: 0 });
        if begun.is_some() && std::mem::replace(&mut run.looks_ahead, true) {
            return;
        }
        run.looks_ahead = true;
    }
    let (weak, send) = (Rc::downgrade(shared), app.env().send.clone());
    dom::spawn(async move {
        loop {
            dom::frame().await;
            let Some(shared) = weak.upgrade() else { return };
            if !shared.try_borrow().is_ok_and(|run| run.looks_ahead) {
                return;
            }
            send.emit(task(move |_| shared.borrow_mut().look_ahead()));
        }
    });
}

impl Run {
    /// Goes ahead for a slice, and looks up the goals whose moments have come.
    fn look_ahead(&mut self) {
        let (Some(stage), Some(mut ahead)) = (self.stage.clone(), self.ahead.take()) else {
            return;
        };
        let (goals, until) = (stage.goals(), stage.time.until);
        let stop = js_sys::Date::now() + SLICE;
        while let Some((place, goal)) = goals.get(ahead.done) {
            let end = end_of(goal.moment(until));
            if !ahead.timeline.go_towards(end, || js_sys::Date::now() < stop) {
                break;
            }
            let happened: Vec<Event> =
                ahead.timeline.events().take_while(|event| event.at <= end).cloned().collect();
            let state =
                goal.evaluate_in(ahead.timeline.state(), self.configuration(), happened.iter());
            if let Some(known) = stage.states.borrow_mut().get_mut(*place) {
                *known = Some(state);
            }
            ahead.done += 1;
        }
        self.looks_ahead = ahead.done < goals.len();
        self.ahead = Some(ahead);
    }
}
