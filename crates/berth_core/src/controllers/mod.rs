//! What the controllers of workloads make: ReplicaSets and pods.
//!
//! [`expand`] looks at all objects once, adopts what belongs to a workload, and makes what is missing, as the
//! controllers of v1.36.3 would have when they come to rest: `pkg/controller/{deployment,replicaset,replication,
//! statefulset,daemon,job}`. Deviations: nothing is deleted, pods are made at once and not one after the other, and a
//! Deployment whose ReplicaSets have other templates gets a new one for what is missing instead of a rollout. Names
//! and hashes are not Kubernetes' own (see [`names`]).

mod availability;
mod consistency;
mod daemon_set;
mod deployment;
pub mod disruption;
mod expansion;
mod expectations;
mod job;
pub mod names;
mod ownership;
mod pod_control;
pub mod pod_gc;
mod ranking;
pub mod recorder;
mod replica_set;
mod replicas;
mod stateful_set;
mod taint_eviction;
mod waking;

pub use daemon_set::DaemonSetController;
pub use deployment::DeploymentController;
pub use job::JobController;
pub(crate) use job::generate_selector;
pub use replica_set::ReplicaSetController;
pub use stateful_set::StatefulSetController;
pub use taint_eviction::TaintEvictionController;

use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;

use crate::api::{IntOrPercent, Object, ObjectKey, Workload, WorkloadKind};
use availability::is_active;
use expansion::State;

/// What [`expand`] found and made.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Expansion {
    /// New ReplicaSets and pods, in the order in which they were made.
    pub created: Vec<Object>,
    /// Objects of the input that now have an owner.
    pub adopted: Vec<Object>,
    /// A line for each workload that has pods of its own or should have.
    pub lines: Vec<Line>,
}

/// What became of one workload.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// Its kind.
    pub kind: WorkloadKind,
    /// Its namespace and name.
    pub key: ObjectKey,
    /// How many ReplicaSets or pods of the input are its own: by owner reference, or taken on by its selector.
    pub adopted: u32,
    /// How many were made.
    pub created: u32,
    /// How many of its own are more than it wants. They stay.
    pub excess: u32,
    /// Why it makes nothing, if it cannot.
    pub refused: Option<Refusal>,
}

/// Why a workload makes nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// Its selector is missing or wrong.
    Selector(String),
    /// Its selector does not select what its template makes.
    Template,
    /// It asks for more pods than an input may have.
    TooMany,
}

/// The most pods that one expansion makes.
pub const MOST_PODS: u32 = 150_000;

/// Makes what the workloads among the objects lack.
pub fn expand(objects: &[Object], seed: u64) -> Expansion {
    let mut expander = Expander::new(objects, seed);
    while expander.step(objects, usize::MAX) {}
    expander.finish(objects)
}

/// An expansion in the making, for those who cannot wait for it. Every call takes the same objects.
#[derive(Debug)]
pub struct Expander {
    state: State,
    /// How many objects are taken in.
    known: usize,
}

impl Expander {
    /// Nothing is taken in yet.
    pub fn new(objects: &[Object], seed: u64) -> Self {
        let has_workloads = objects.iter().any(|object| matches!(object, Object::Workload(_)));
        // Without workloads nobody asks.
        let known = if has_workloads { 0 } else { objects.len() };
        Self { state: State::new(objects, seed), known }
    }

    /// Takes in so many objects at most. Returns whether there are more.
    pub fn step(&mut self, objects: &[Object], most: usize) -> bool {
        let left = objects.get(self.known..).unwrap_or_default();
        for object in left.iter().take(most) {
            self.state.add(object, objects);
            self.known += 1;
        }
        self.known < objects.len()
    }

    /// Makes what the workloads lack.
    pub fn finish(mut self, objects: &[Object]) -> Expansion {
        while self.step(objects, usize::MAX) {}
        let mut state = self.state;
        let workloads = |kind: WorkloadKind| {
            objects.iter().filter_map(move |object| match object {
                Object::Workload(workload) if workload.kind == kind => Some(Arc::clone(workload)),
                _ => None,
            })
        };
        for deployment in workloads(WorkloadKind::Deployment) {
            replicas::deployment(&mut state, &deployment);
        }
        // Those that were just made or adopted have pods to make as well.
        for set in state.replica_sets() {
            replicas::replica_set(&mut state, &set);
        }
        for controller in workloads(WorkloadKind::ReplicationController) {
            replicas::replica_set(&mut state, &controller);
        }
        for set in workloads(WorkloadKind::StatefulSet) {
            stateful_set::stateful_set(&mut state, &set);
        }
        for set in workloads(WorkloadKind::DaemonSet) {
            daemon_set::daemon_set(&mut state, &set);
        }
        for job in workloads(WorkloadKind::Job) {
            job::job(&mut state, &job);
        }
        state.finish()
    }
}

/// A number of pods that is wanted.
fn wanted(workload: &Workload) -> u32 {
    workload.replicas.unwrap_or_default().max(0) as u32
}

/// A number, or a share of all (`GetScaledValueFromIntOrPercent`).
fn share(value: Option<&IntOrPercent>, all: i32, up: bool) -> i32 {
    match value {
        None => 0,
        Some(IntOrPercent::Int(number)) => *number,
        Some(IntOrPercent::Percent(text)) => {
            let percent: f64 = text.trim_end_matches('%').parse().unwrap_or(0.0);
            let share = percent * f64::from(all) / 100.0;
            (if up { libm::ceil(share) } else { libm::floor(share) }) as i32
        }
    }
}

/// The order in which requests are carried out that a controller makes at the same time: any order would do, this is
/// that of Go with one processor, the last first.
fn at_once<T>(requests: &[T]) -> impl Iterator<Item = &T> {
    let (last, others) = match requests.split_last() {
        Some((last, others)) => (Some(last), others),
        None => (None, requests),
    };
    last.into_iter().chain(others)
}
