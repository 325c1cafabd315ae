//! The work behind the comparison.

use crate::slices::Sliced;
use berth_core::api::ObjectKey;
use berth_core::compare::{Difference, Judgement, Rehearsal, difference, judge};
use berth_core::playground::Playground;

/// So many pods are judged one by one; all are scheduled.
pub(super) const MOST_PODS: usize = 200;

/// What is known so far.
pub(super) struct Work {
    /// Copies to ask: A and B.
    sides: [Playground; 2],
    /// The pods to judge.
    pub(super) pods: Vec<ObjectKey>,
    /// How many pods wait on either side.
    pub(super) waiting: usize,
    /// How many are judged.
    pub(super) judged: usize,
    /// What A says of the next one, once it has said so.
    first: Option<Judgement>,
    /// The pods about which they differ.
    pub(super) found: Vec<Difference>,
    /// Where all pods go: on A and on B.
    pub(super) rehearsals: [Rehearsal; 2],
    /// Whether there is more to schedule.
    running: [bool; 2],
    /// What kept the scheduler from going on.
    pub(super) error: Option<String>,
    /// Whether it was stopped by hand.
    pub(super) stopped: bool,
}

impl Work {
    /// Begins. A placed pod is judged too, if one is given.
    pub(super) fn new(sides: [&Playground; 2], placed: Option<&str>) -> Self {
        let mut pods: Vec<ObjectKey> = Vec::new();
        for side in sides {
            let waiting = side.cluster().pods_by_age();
            for info in waiting.filter(|info| info.pod.spec.node_name.is_empty()) {
                pods.push(info.key());
            }
        }
        berth_core::collections::sort(&mut pods);
        pods.dedup();
        let waiting = pods.len();
        pods.truncate(MOST_PODS);
        pods.extend(placed.map(ObjectKey::parse));
        Self {
            sides: sides.map(Playground::scratch),
            pods,
            waiting,
            judged: 0,
            first: None,
            found: Vec::new(),
            rehearsals: sides.map(Rehearsal::new),
            running: [true; 2],
            error: None,
            stopped: false,
        }
    }

    /// Whether nothing is left to do.
    pub(super) fn is_over(&self) -> bool {
        self.stopped || (self.judged == self.pods.len() && self.running == [false; 2])
    }

    /// Asks the engine one question more.
    fn advance(&mut self) {
        let [a, b] = &mut self.sides;
        if let Some(pod) = self.pods.get(self.judged) {
            match self.first.take() {
                None => self.first = Some(judge(a, pod)),
                Some(first) => {
                    self.found.extend(difference(pod, first, judge(b, pod)));
                    self.judged += 1;
                }
            }
            return;
        }
        for (rehearsal, running) in self.rehearsals.iter_mut().zip(&mut self.running) {
            if *running {
                *running = rehearsal.step(1).unwrap_or_else(|error| {
                    self.error = Some(error.to_string());
                    false
                });
                return;
            }
        }
    }
}

impl Sliced for Work {
    fn step(&mut self) -> bool {
        if self.is_over() {
            return false;
        }
        self.advance();
        !self.is_over()
    }
}
