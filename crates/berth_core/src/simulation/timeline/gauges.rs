//! Numbers of a cluster over time: how far constraints are from even, what budgets allow, how long the queue is.
//!
//! A value is noted in the step in which it becomes another. Requests of the user can change anything, so after one
//! everything is counted anew; in between, pods and nodes are followed by what happens to them.

use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;

use super::spread::{Spread, SpreadConstraint, is_counted};
use crate::api::{Labels, ObjectKey, Pod, PodDisruptionBudgetStatus};
use crate::collections::{Map, Set};
use crate::queue::{Instant, QueueLengths};
use crate::simulation::{Event, Simulation, What};

/// So many constraints are followed.
const MOST_CONSTRAINTS: usize = 32;

/// Something that is measured.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Gauge {
    /// Pods that are to be scheduled.
    Active,
    /// Pods that back off.
    Backoff,
    /// Pods that wait for something to happen, gated ones too.
    Unschedulable,
    /// How many more pods a budget allows to disrupt.
    DisruptionsAllowed(ObjectKey),
    /// A budget's healthy pods.
    CurrentHealthy(ObjectKey),
    /// How many healthy pods a budget wants at least.
    DesiredHealthy(ObjectKey),
    /// How far the domains of a constraint are apart: by its number, see [`super::Timeline::constraint`].
    Skew(u32),
    /// Matching pods in a domain of a constraint.
    Domain(u32, Arc<str>),
}

/// A gauge that shows another value from a moment on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sample {
    /// When.
    pub at: Instant,
    /// What is measured.
    pub gauge: Gauge,
    /// The value; none where there is nothing to be measured any more.
    pub value: Option<i64>,
}

/// The gauges of a branch, as they are after its last step.
#[derive(Clone, Debug, Default)]
pub(super) struct Gauges {
    spreads: Vec<Spread>,
    /// Where each counted pod was counted: its node, and the constraints by number.
    pods: Map<ObjectKey, (String, Vec<u32>)>,
    shown: Map<Gauge, i64>,
    queue: Option<QueueLengths>,
}

impl Gauges {
    /// The constraints that are followed.
    pub(super) fn constraint(&self, number: u32) -> Option<&Arc<SpreadConstraint>> {
        self.spreads.get(number as usize).map(|spread| &spread.about)
    }

    /// Takes in what happened in a step.
    pub(super) fn follow(
        &mut self,
        simulation: &Simulation,
        events: &[Event],
        mut tell: impl FnMut(Sample),
    ) {
        let mut show = Shown { at: simulation.now(), values: &mut self.shown, tell: &mut tell };
        let queue = simulation.scheduler().lengths();
        if self.queue.replace(queue) != Some(queue) {
            show.queue(queue);
        }
        if events.is_empty() {
            return;
        }
        let objects = simulation.objects();
        let is_moved = |event: &&Event| match &event.what {
            What::NodeAdded | What::NodeUpdated | What::NodeDeleted => {
                self.spreads.iter().any(|spread| !spread.knows(&event.key.name, objects))
            }
            What::Created { .. } if self.spreads.len() < MOST_CONSTRAINTS => {
                objects.pod(&event.key).is_some_and(|pod| {
                    let new = Spread::of(pod, objects);
                    new.iter().any(|new| {
                        !self.spreads.iter().any(|known| known.about.is_same(&new.about))
                    })
                })
            }
            _ => false,
        };
        if events.iter().any(|event| is_moved(&event)) {
            return self.count(simulation, tell);
        }
        for event in events {
            match &event.what {
                What::Budget(status) => show.budget(&event.key, status),
                What::Created { .. }
                | What::Scheduled { .. }
                | What::Phase { .. }
                | What::Deleting { .. }
                | What::Deleted { .. } => {
                    let pod = objects.pod(&event.key).filter(|pod| is_counted(pod));
                    let pod = pod.map(|pod| (&*pod.spec.node_name, &pod.metadata.labels));
                    place(&mut self.pods, &mut self.spreads, &event.key, pod, &mut show);
                }
                _ => {}
            }
        }
    }

    /// Counts everything anew.
    pub(super) fn count(&mut self, simulation: &Simulation, mut tell: impl FnMut(Sample)) {
        let objects = simulation.objects();
        let mut seen = Set::new();
        let of_workload = |pod: &&Arc<Pod>| {
            let revision = pod.metadata.labels.get("controller-revision-hash");
            let owner =
                pod.metadata.controller().map(|owner| (owner.uid.clone(), revision.cloned()));
            // Those that are made from one template are alike.
            owner.is_none_or(|owner| seen.insert(owner))
        };
        for spread in objects.pods().filter(of_workload).flat_map(|pod| Spread::of(pod, objects)) {
            let is_known = self.spreads.iter().any(|known| known.about.is_same(&spread.about));
            if !is_known && self.spreads.len() < MOST_CONSTRAINTS {
                self.spreads.push(spread);
            }
        }
        let mut before = core::mem::take(&mut self.shown);
        let mut now = Map::new();
        let mut quiet = |_| {};
        let mut show = Shown { at: simulation.now(), values: &mut now, tell: &mut quiet };
        let queue = simulation.scheduler().lengths();
        self.queue = Some(queue);
        show.queue(queue);
        for budget in objects.budgets().filter(|budget| budget.status.observed_generation > 0) {
            show.budget(&budget.metadata.key(), &budget.status);
        }
        self.pods.clear();
        for spread in &mut self.spreads {
            spread.restart(objects);
        }
        for pod in objects.pods().filter(|pod| is_counted(pod)) {
            let counted = Some((&*pod.spec.node_name, &pod.metadata.labels));
            place(&mut self.pods, &mut self.spreads, &pod.metadata.key(), counted, &mut show);
        }
        for (number, spread) in self.spreads.iter().enumerate() {
            show.spread(number as u32, spread);
        }
        let at = simulation.now();
        for (gauge, value) in &now {
            if before.remove(gauge) != Some(*value) {
                tell(Sample { at, gauge: gauge.clone(), value: Some(*value) });
            }
        }
        for gauge in before.keys() {
            tell(Sample { at, gauge: gauge.clone(), value: None });
        }
        self.shown = now;
    }
}

/// Counts a pod on its node, by its labels, and no longer where it was counted before.
fn place(
    pods: &mut Map<ObjectKey, (String, Vec<u32>)>,
    spreads: &mut [Spread],
    key: &ObjectKey,
    pod: Option<(&str, &Labels)>,
    show: &mut Shown<'_>,
) {
    let places = (0_u32..).zip(spreads.iter());
    let now = pod.map(|(node, labels)| {
        let counts = places.filter(|(_, spread)| spread.matches(&key.namespace, labels));
        (String::from(node), counts.map(|(number, _)| number).collect::<Vec<u32>>())
    });
    let now = now.filter(|(_, numbers)| !numbers.is_empty());
    if pods.get(key) == now.as_ref() {
        return;
    }
    for (by, (node, numbers)) in
        pods.remove(key).iter().map(|gone| (-1, gone)).chain(now.iter().map(|new| (1, new)))
    {
        for number in numbers {
            show.moved(spreads, *number, node, by);
        }
    }
    if let Some(now) = now {
        pods.insert(key.clone(), now);
    }
}

/// What gauges show, at a moment.
struct Shown<'a> {
    at: Instant,
    values: &'a mut Map<Gauge, i64>,
    tell: &'a mut dyn FnMut(Sample),
}

impl Shown<'_> {
    fn set(&mut self, gauge: Gauge, value: Option<i64>) {
        let before = match value {
            Some(value) => self.values.insert(gauge.clone(), value),
            None => self.values.remove(&gauge),
        };
        if before != value {
            (self.tell)(Sample { at: self.at, gauge, value });
        }
    }

    fn queue(&mut self, lengths: QueueLengths) {
        let QueueLengths { active, backoff, unschedulable } = lengths;
        self.set(Gauge::Active, Some(i64::from(active)));
        self.set(Gauge::Backoff, Some(i64::from(backoff)));
        self.set(Gauge::Unschedulable, Some(i64::from(unschedulable)));
    }

    fn budget(&mut self, key: &ObjectKey, status: &PodDisruptionBudgetStatus) {
        let PodDisruptionBudgetStatus {
            disruptions_allowed, current_healthy, desired_healthy, ..
        } = status;
        let key = || key.clone();
        self.set(Gauge::DisruptionsAllowed(key()), Some(i64::from(*disruptions_allowed)));
        self.set(Gauge::CurrentHealthy(key()), Some(i64::from(*current_healthy)));
        self.set(Gauge::DesiredHealthy(key()), Some(i64::from(*desired_healthy)));
    }

    fn moved(&mut self, spreads: &mut [Spread], number: u32, node: &str, by: i64) {
        let Some(spread) = spreads.get_mut(number as usize) else { return };
        if let Some(domain) = spread.add(node, by) {
            let (value, matching) = (Arc::clone(&domain.value), domain.matching());
            self.set(Gauge::Domain(number, value), matching);
            self.set(Gauge::Skew(number), spread.skew());
        }
    }

    fn spread(&mut self, number: u32, spread: &Spread) {
        for domain in &spread.domains {
            self.set(Gauge::Domain(number, Arc::clone(&domain.value)), domain.matching());
        }
        self.set(Gauge::Skew(number), spread.skew());
    }
}
