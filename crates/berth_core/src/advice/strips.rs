//! What each value of one field would come to.

use alloc::string::String;
use alloc::vec::Vec;

use super::apply::{HIGHEST_PRIORITY, commands};
use super::edit::Edit;
use super::verdict::{Verdict, verdict};
use crate::api::{ObjectKey, Pod, UnsatisfiableConstraintAction};
use crate::cluster::PodInfo;
use crate::collections::Set;
use crate::playground::{Command, CommandError, Playground};

/// The highest `maxSkew` that a strip shows, besides the one that is there.
const HIGHEST_SKEW: i32 = 5;

/// A field whose values are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Field {
    /// `maxSkew` of a constraint of `spec.topologySpreadConstraints`: 1 to 5.
    MaxSkew(u32),
    /// `minDomains` of such a constraint: not set, and 1 to one more than the key has domains. A soft constraint has
    /// no such strip, since the API server refuses the field there.
    MinDomains(u32),
    /// `priority`: every stretch of values between those of the other pods.
    Priority,
}

/// A stretch of values that come to the same; most are a single one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cell {
    /// The first value; none is "not set".
    pub from: Option<i32>,
    /// The last one.
    pub to: Option<i32>,
    /// Whether the value that is there is among them.
    pub is_current: bool,
    /// What becomes of the pod.
    pub verdict: Verdict,
}

/// A strip under way.
#[derive(Clone, Debug)]
pub struct Strip {
    scratch: Playground,
    pod: ObjectKey,
    field: Field,
    current: Option<i32>,
    values: Vec<Option<i32>>,
    at: usize,
    cells: Vec<Cell>,
}

impl Strip {
    /// Begins a strip. It has no cells if the pod has no such field.
    pub fn new(
        playground: &Playground,
        key: &ObjectKey,
        field: Field,
    ) -> Result<Self, CommandError> {
        let mut scratch = playground.scratch();
        let pod = scratch.with_waiting(key, |_, _, info| alloc::sync::Arc::clone(&info.pod))?;
        let (current, values) = values(&scratch, &pod, field).unwrap_or_default();
        let pod = key.clone();
        Ok(Self { scratch, pod, field, current, values, at: 0, cells: Vec::new() })
    }

    /// Goes on: asks about so many values at most. False once all are known.
    pub fn step(&mut self, questions: u32) -> bool {
        for _ in 0..questions {
            let Some(&value) = self.values.get(self.at) else { return false };
            self.at += 1;
            if let Some(verdict) = self.ask(value) {
                self.add(value, verdict);
            }
        }
        self.at < self.values.len()
    }

    /// Goes on to the end.
    #[must_use]
    pub fn run(mut self) -> Self {
        while self.step(u32::MAX) {}
        self
    }

    /// The field.
    pub fn field(&self) -> Field {
        self.field
    }

    /// The cells so far, in the order of the values.
    pub fn cells(&self) -> &[Cell] {
        &self.cells
    }

    /// The edit that sets a value; none if it is there already, or may not be.
    pub fn edit(&self, value: Option<i32>) -> Option<Edit> {
        if value == self.current {
            return None;
        }
        edit(self.field, value)
    }

    /// The command that sets a value.
    pub fn command(&self, value: Option<i32>, name: String) -> Option<Command> {
        let commands = commands(&[self.edit(value)?], self.scratch.cluster(), &self.pod)?;
        Some(Command::Batch { name, commands })
    }

    fn ask(&mut self, value: Option<i32>) -> Option<Verdict> {
        if value == self.current {
            return verdict(&mut self.scratch, &self.pod).ok();
        }
        let command = self.command(value, String::new())?;
        self.scratch.apply(command).ok()?;
        let found = verdict(&mut self.scratch, &self.pod);
        self.scratch.undo();
        found.ok()
    }

    /// Adds a cell, or lengthens the last one: only of priorities, of which there are too many to show each.
    fn add(&mut self, value: Option<i32>, verdict: Verdict) {
        let is_current = value == self.current;
        if self.field == Field::Priority
            && let Some(last) = self.cells.last_mut()
            && last.verdict == verdict
        {
            last.to = value;
            last.is_current |= is_current;
            return;
        }
        self.cells.push(Cell { from: value, to: value, is_current, verdict });
    }
}

fn edit(field: Field, value: Option<i32>) -> Option<Edit> {
    Some(match field {
        Field::MaxSkew(constraint) => Edit::MaxSkew { constraint, to: value? },
        Field::MinDomains(constraint) => Edit::MinDomains { constraint, to: value },
        Field::Priority => Edit::Priority { to: value? },
    })
}

/// The value that is there, and those to be compared.
fn values(
    playground: &Playground,
    pod: &Pod,
    field: Field,
) -> Option<(Option<i32>, Vec<Option<i32>>)> {
    let constraint = |at: u32| pod.spec.topology_spread_constraints.get(at as usize);
    let (current, values): (Option<i32>, Set<Option<i32>>) = match field {
        Field::MaxSkew(at) => {
            let current = Some(constraint(at)?.max_skew);
            (current, (1..=HIGHEST_SKEW).map(Some).collect())
        }
        Field::MinDomains(at) => {
            let constraint = constraint(at)?;
            if constraint.when_unsatisfiable != UnsatisfiableConstraintAction::DoNotSchedule {
                return None;
            }
            let most = domains(playground, &constraint.topology_key).saturating_add(1);
            (constraint.min_domains, (1..=most).map(Some).chain([None]).collect())
        }
        Field::Priority => {
            let current = Some(pod.spec.priority.unwrap_or(0));
            (current, priorities(playground).into_iter().map(Some).collect())
        }
    };
    let mut values = values;
    values.insert(current);
    Some((current, values.into_iter().collect()))
}

/// How many values the nodes have of a label.
fn domains(playground: &Playground, key: &str) -> i32 {
    let nodes = playground.cluster().node_slots().iter();
    let values: Set<&String> = nodes.filter_map(|node| node.api_labels()?.get(key)).collect();
    i32::try_from(values.len()).unwrap_or(i32::MAX)
}

/// Between these nothing changes: the priorities of the other pods, and what is just below and above each.
fn priorities(playground: &Playground) -> Set<i32> {
    let pods = playground.cluster().pods().map(|(_, pod)| pod);
    let counting =
        pods.filter(|pod| pod.node.is_some() || !pod.pod.status.nominated_node_name.is_empty());
    let mut values = Set::new();
    for value in counting.map(PodInfo::priority).collect::<Set<i32>>() {
        let near = [value.checked_sub(1), Some(value), value.checked_add(1)];
        values.extend(near.into_iter().flatten().filter(|near| *near <= HIGHEST_PRIORITY));
    }
    values
}
