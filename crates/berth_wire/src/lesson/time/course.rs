//! A lesson in time, begun and gone through.

use std::fmt;

use berth_core::api::Object;
use berth_core::framework::config::Configuration;
use berth_core::playground::{Machine, Playground};
use berth_core::queue::Instant;
use berth_core::simulation::{Event, Parameters, Simulation};

use super::{Time, end_of};
use crate::export;
use crate::lesson::goal::{Found, State};
use crate::lesson::step::Failure;
use crate::lesson::{Goal, Lesson, Step};
use crate::manifest::{Report, note_template};
use crate::simulate::{self, EPOCH, with_namespaces};
use crate::tree::json;

/// A lesson in time at second 0.
#[derive(Clone, Debug)]
pub struct Begun {
    /// The cluster, in which what is given will happen.
    pub simulation: Simulation,
    /// The scheduler's configuration.
    pub configuration: Configuration,
}

/// Why a lesson cannot begin.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unbegun {
    /// A step of the solution cannot be carried out before.
    Step(String, Failure),
    /// The scheduler's configuration cannot be run.
    Configuration(String),
}

impl fmt::Display for Unbegun {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Step(step, failure) => write!(f, "{step}: {failure}"),
            Self::Configuration(error) => f.write_str(error),
        }
    }
}

impl Time {
    /// Begins with a cluster, after these steps on its board. What is given will happen, and, if it is to be solved, what
    /// the solution asks for.
    pub fn begin(&self, report: &Report, steps: &[Step], solved: bool) -> Result<Begun, Unbegun> {
        let (objects, configuration) = start(report, steps)?;
        self.begin_with(objects, configuration, solved)
    }

    /// Begins with these objects.
    pub fn begin_with(
        &self,
        mut objects: Vec<Object>,
        configuration: Configuration,
        solved: bool,
    ) -> Result<Begun, Unbegun> {
        // The solution may need a namespace even if it is only played later.
        let all = self.requests(true).into_iter().map(|request| &request.command);
        with_namespaces(&mut objects, all);
        let kubelet = self.kubelet.clone();
        let parameters =
            Parameters { epoch: EPOCH, seed: self.seed, kubelet, ..Parameters::default() };
        let simulation = Simulation::new(objects, &configuration, parameters)
            .map_err(|error| Unbegun::Configuration(error.to_string()))?;
        let mut begun = Begun { simulation, configuration };
        let mut last = Instant(i64::MIN);
        for request in self.requests(solved) {
            // Requests are sent one after the other.
            last = request.at.max(last.after(1));
            begun.simulation.plan(last, request.command.clone());
        }
        Ok(begun)
    }
}

/// The objects and the configuration after steps on the board, on which workloads have made nothing yet.
pub(super) fn start(
    report: &Report,
    steps: &[Step],
) -> Result<(Vec<Object>, Configuration), Unbegun> {
    let objects = simulate::objects(report);
    let configuration = report.configuration.clone().unwrap_or_default();
    if steps.is_empty() {
        return Ok((objects, configuration));
    }
    let mut playground = Playground::new(objects, configuration)
        .map_err(|error| Unbegun::Configuration(error.to_string()))?;
    for step in steps {
        let done = step.carry_out(&mut playground);
        done.map_err(|failure| Unbegun::Step(step.text.clone(), failure))?;
    }
    let mut objects = export::objects(report, playground.cluster());
    for object in objects.iter_mut().filter(|now| matches!(now, Object::Workload(_))) {
        if let Ok(tree) = json::parse(&written(report, object)) {
            note_template(object, &tree);
        }
    }
    Ok((objects, playground.configuration().clone()))
}

/// The object as it is written, with what was edited since.
pub(super) fn written(report: &Report, now: &Object) -> String {
    let is_same = |object: &Object| (object.kind(), object.key()) == (now.kind(), now.key());
    match report.items.iter().find(|item| is_same(&item.object)) {
        Some(item) if item.object == *now => item.text.to_string(),
        item => export::object(item.map(|item| &*item.text), now),
    }
}

impl Lesson {
    /// How the goals stand if nothing is done, or if the solution is. None if the lesson is not in time.
    pub fn play(&self, report: &Report, solved: bool) -> Option<Result<Vec<State>, Unbegun>> {
        let time = self.time.as_ref()?;
        let begun = time.begin(report, self.before(solved), solved);
        Some(begun.map(|begun| begun.states(&self.goal, time.until)))
    }
}

impl Begun {
    /// Goes on to the end, and says how the goals stand, each at its moment.
    fn states(mut self, goals: &[Goal], until: Instant) -> Vec<State> {
        let mut order: Vec<(usize, &Goal)> = goals.iter().enumerate().collect();
        order.sort_by_key(|(_, goal)| goal.moment(until));
        let mut events: Vec<Event> = Vec::new();
        let mut states: Vec<(usize, State)> = Vec::new();
        for (place, goal) in order {
            self.simulation.run_until(end_of(goal.moment(until)));
            events.extend(self.simulation.take_events());
            let state = goal.evaluate_in(&self.simulation, &self.configuration, events.iter());
            states.push((place, state));
        }
        states.sort_by_key(|(place, _)| *place);
        states.into_iter().map(|(_, state)| state).collect()
    }
}

impl Goal {
    /// The moment that it is about, in a lesson that ends then.
    pub fn moment(&self, until: Instant) -> Instant {
        self.at.unwrap_or(until)
    }

    /// How it stands at a moment, after all these events.
    pub fn evaluate_in<'e>(
        &self,
        moment: &Simulation,
        configuration: &Configuration,
        events: impl Iterator<Item = &'e Event>,
    ) -> State {
        match Playground::of_moment(moment, configuration.clone(), Machine::LIGHT) {
            Ok(mut playground) => self.evaluate_after(&mut playground, events),
            // The simulation runs by this configuration.
            Err(_) => State { met: false, found: Found::Gone },
        }
    }
}
