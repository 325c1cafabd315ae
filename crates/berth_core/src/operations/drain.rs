//! `kubectl drain`: a node is cordoned, then its pods are evicted, as far as their disruption budgets allow it.
//!
//! Mirrors `k8s.io/kubectl/pkg/drain` with `--ignore-daemonsets --delete-emptydir-data --force`. Deviations: pods are
//! evicted one after the other by name, each once (kubectl does it side by side, and tries again what a budget refuses
//! until somebody interrupts it), and are gone at once. What a controller makes for a pod that went waits for a node, so it
//! is not ready: a budget that was used up allows nothing more.

use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;

use super::{batch, pods_on, put_pod, replacement};
use crate::api::{
    Condition, Kind, Object, ObjectKey, Pod, PodDisruptionBudget, PodPhase, StatusSource, Time,
};
use crate::apiserver::eviction::{Refusal, evict};
use crate::apiserver::preconditions::DeleteOptions;
use crate::playground::{Command, Playground};

/// What draining a node comes to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Drained {
    /// What does it.
    pub command: Command,
    /// The pods that go.
    pub evicted: Vec<ObjectKey>,
    /// Those of them that come back, waiting.
    pub replaced: Vec<ObjectKey>,
    /// The pods that stay, and why.
    pub stay: Vec<(ObjectKey, Stay)>,
}

/// Why a pod stays.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stay {
    /// A DaemonSet's pods are left alone: the DaemonSet would put them on the node again.
    DaemonSet,
    /// It is the node's own (a static pod).
    Static,
    /// The API server refuses to evict it.
    Refused(Refusal),
}

/// What draining nodes comes to, one after the other. `name` is what the command is called.
pub fn drain(playground: &Playground, nodes: &[&str], name: &str) -> Drained {
    let mut trial = Trial {
        playground: playground.scratch(),
        commands: Vec::new(),
        drained: Drained {
            command: batch(name, Vec::new()),
            evicted: Vec::new(),
            replaced: Vec::new(),
            stay: Vec::new(),
        },
    };
    for node in nodes {
        trial.cordon(node);
    }
    for node in nodes {
        for pod in pods_on(trial.playground.cluster(), node) {
            trial.pod(&pod);
        }
    }
    let Trial { commands, mut drained, .. } = trial;
    drained.command = batch(name, commands);
    drained
}

/// A drain on a copy of the cluster, on which each eviction sees those before it.
struct Trial {
    playground: Playground,
    commands: Vec<Command>,
    drained: Drained,
}

impl Trial {
    fn apply(&mut self, command: Command) {
        // What is put or dropped here is there.
        if self.playground.apply(command.clone()).is_ok() {
            self.commands.push(command);
        }
    }

    fn cordon(&mut self, name: &str) {
        let cluster = self.playground.cluster();
        let node = cluster.node_named(name).and_then(|idx| cluster.node(idx)?.node.clone());
        if let Some(node) = node.filter(|node| !node.spec.unschedulable) {
            let mut node = (*node).clone();
            node.spec.unschedulable = true;
            self.apply(Command::Put(Object::Node(Arc::new(node))));
        }
    }

    fn pod(&mut self, pod: &Arc<Pod>) {
        let key = pod.metadata.key();
        let owner = pod.metadata.controller().map(|owner| owner.kind.as_str());
        match owner {
            Some("Node") => self.drained.stay.push((key, Stay::Static)),
            Some("DaemonSet") if !pod.status.phase.is_terminal() => {
                self.drained.stay.push((key, Stay::DaemonSet));
            }
            _ => self.evict(key, pod),
        }
    }

    fn evict(&mut self, key: ObjectKey, pod: &Pod) {
        let cluster = self.playground.cluster();
        let running = running(pod);
        let budgets = || cluster.budgets().values().map(|budget| &**budget);
        let evicted = evict(&running, &mut budgets(), &DeleteOptions::default(), Time::default());
        if let Err(refusal) = evicted.outcome {
            self.drained.stay.push((key, Stay::Refused(refusal)));
            return;
        }
        // The status of any other budget follows the pods by itself.
        let pinned = evicted.charge.and_then(|charge| {
            let budget = cluster.budgets().get(&charge.budget)?;
            let pinned = budget.status_source == StatusSource::Pinned;
            pinned.then(|| PodDisruptionBudget { status: charge.status, ..(**budget).clone() })
        });
        let replacement = replacement::of(cluster, pod);
        if let Some(budget) = pinned {
            self.apply(Command::Put(Object::PodDisruptionBudget(Arc::new(budget))));
        }
        self.apply(Command::Drop(Kind::Pod, key.clone()));
        self.drained.evicted.push(key);
        if let Some(pod) = replacement {
            self.drained.replaced.push(pod.metadata.key());
            self.apply(put_pod(pod));
        }
    }
}

/// The pod as its kubelet would report it: nothing runs here, so a pod on a node of which nobody says whether it is ready
/// counts as ready, as it does for budgets.
fn running(pod: &Pod) -> Pod {
    let mut pod = pod.clone();
    if Condition::find(&pod.status.conditions, "Ready").is_none() && !pod.status.phase.is_terminal()
    {
        pod.status.phase = PodPhase::Running;
        Condition::set(&mut pod.status.conditions, Condition::new("Ready", "True", ""));
    }
    pod
}

impl Stay {
    /// The API server's words about a pod that may not be evicted.
    pub fn refusal(&self) -> Option<String> {
        match self {
            Self::Refused(refusal) => refusal.cause().or_else(|| Some(alloc::format!("{refusal}"))),
            Self::DaemonSet | Self::Static => None,
        }
    }
}
