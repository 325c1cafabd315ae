//! Workloads for measuring: a large cluster, and pods that wait to be scheduled one after another.
//!
//! The shape is that of a sequence whose steps all schedule. Nothing here reads a clock: whoever
//! measures brings one.

use std::sync::Arc;

use berth_core::api::ObjectKey;
use berth_core::cluster::Refresh;
use berth_core::explain::{Explanation, explain};
use berth_core::framework::cycle::{Decision, decide};

use crate::answer::scenario::{Loaded, load};
use crate::tree::{Node, json};

/// A loaded workload.
#[derive(Debug)]
pub struct Workload {
    /// Its name.
    pub name: String,
    /// Pods that wait, in order.
    pub waiting: Vec<ObjectKey>,
    loaded: Loaded,
}

/// How fast the waiting pods were scheduled.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Measured {
    /// How many pods were counted.
    pub pods: u32,
    /// How many of those found a node.
    pub bound: u32,
    /// Seconds for all of them.
    pub seconds: f64,
}

impl Measured {
    /// Microseconds for one pod.
    pub fn us_per_pod(&self) -> f64 {
        self.seconds * 1e6 / f64::from(self.pods)
    }
}

impl Workload {
    /// Reads a workload from JSON.
    pub fn read(text: &str) -> Result<Self, String> {
        let tree = json::parse(text).map_err(|error| error.to_string())?;
        let steps = tree.get("steps").map(Node::items).unwrap_or_default();
        let scheduled = |step: &Node<'_>| step.get("schedule")?.as_str().map(ObjectKey::parse);
        Ok(Self {
            name: tree.get("name").and_then(Node::as_str).unwrap_or_default().to_owned(),
            waiting: steps.iter().filter_map(scheduled).collect(),
            loaded: load(&tree)?,
        })
    }

    /// Schedules the waiting pods one after another. The first tenth is warm-up and not counted.
    /// `clock` gives seconds.
    pub fn measure(&mut self, clock: impl Fn() -> f64) -> Measured {
        let waiting = self.waiting.clone();
        let (warm_up, counted) = waiting.split_at(waiting.len() / 10);
        for pod in warm_up {
            self.schedule(pod);
        }
        let start = clock();
        let bound = counted.iter().filter(|pod| self.schedule(pod)).count();
        Measured { pods: counted.len() as u32, bound: bound as u32, seconds: clock() - start }
    }

    /// Why a pod goes where it goes. `None` if there is no such pod.
    pub fn explain(&mut self, key: &ObjectKey) -> Option<Explanation> {
        let Loaded { cluster, profile } = &mut self.loaded;
        let pod = cluster.pod_named(key).and_then(|idx| cluster.pod(idx)).cloned()?;
        Some(explain(cluster, profile, &pod))
    }

    /// Schedules a pod: every node is filtered, every feasible one scored, and the pod bound to
    /// the first of the best. False if no node can take it.
    pub fn schedule(&mut self, key: &ObjectKey) -> bool {
        let Loaded { cluster, profile } = &mut self.loaded;
        let pod = cluster.pod_named(key).and_then(|idx| cluster.pod(idx)).cloned();
        let Some(pod) = pod else { return false };
        let Decision::Filtered(placement) = decide(cluster, profile, &pod) else { return false };
        let node = placement.best.first().and_then(|idx| cluster.node(*idx));
        let Some(node) = node.map(|node| node.name.to_string()) else { return false };
        let mut bound = (*pod.pod).clone();
        bound.spec.node_name = node;
        cluster.put_pod(&Arc::new(bound));
        cluster.update_snapshot(Refresh::Changed);
        true
    }
}
