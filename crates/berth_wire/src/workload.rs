//! Workloads for measuring: a large cluster, and pods that wait.
//!
//! The shape is that of a sequence whose steps all schedule, one pod after another, or all preempt:
//! such a pod fits nowhere, and whom it would preempt is dry-run on every node, which changes
//! nothing. Nothing here reads a clock: whoever measures brings one.

use std::sync::Arc;

use berth_core::api::ObjectKey;
use berth_core::cluster::{NodeIdx, PodInfo, Refresh};
use berth_core::explain::{Explanation, explain};
use berth_core::framework::cycle::{Decision, Verdict, decide};
use berth_core::preemption::{self, Outcome};
use serde_json::{Value, json};

use crate::answer::scenario::{Loaded, load};
use crate::tree::{Node, json};

/// A loaded workload.
#[derive(Debug)]
pub struct Workload {
    /// Its name.
    pub name: String,
    /// Pods that wait, in order.
    pub waiting: Vec<ObjectKey>,
    preempts: bool,
    loaded: Loaded,
}

/// What was done with the pods that were counted: whoever else measures the same workload must
/// come to the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Done {
    /// So many pods found a node.
    Bound(u32),
    /// The dry runs of all pods together.
    Preempted {
        /// Nodes that could be freed.
        candidates: u32,
        /// Pods that would have to go from them.
        victims: u32,
        /// How many of those break a budget.
        violations: i64,
    },
}

/// How fast the waiting pods were worked off.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Measured {
    /// How many pods were counted.
    pub pods: u32,
    /// What was done with them.
    pub done: Done,
    /// Seconds for all of them.
    pub seconds: f64,
}

impl Measured {
    /// Microseconds for one pod.
    pub fn us_per_pod(&self) -> f64 {
        self.seconds * 1e6 / f64::from(self.pods)
    }

    /// The numbers, in the words of `oracle bench`.
    pub fn to_json(&self) -> Value {
        let done = match self.done {
            Done::Bound(bound) => json!({ "bound": bound }),
            Done::Preempted { candidates, victims, violations } => {
                json!({ "candidates": candidates, "victims": victims, "violations": violations })
            }
        };
        json!({ "pods": self.pods, "done": done, "us_per_pod": self.us_per_pod() })
    }
}

impl Workload {
    /// Reads a workload from JSON.
    pub fn read(text: &str) -> Result<Self, String> {
        let tree = json::parse(text).map_err(|error| error.to_string())?;
        let steps = tree.get("steps").map(Node::items).unwrap_or_default();
        let pods = |what: &str| -> Vec<ObjectKey> {
            let pod = |step: &Node<'_>| step.get(what)?.as_str().map(ObjectKey::parse);
            steps.iter().filter_map(pod).collect()
        };
        let (scheduled, preempting) = (pods("schedule"), pods("preempt"));
        if !scheduled.is_empty() && !preempting.is_empty() {
            return Err("steps: some schedule and some preempt".to_owned());
        }
        let preempts = !preempting.is_empty();
        Ok(Self {
            name: tree.get("name").and_then(Node::as_str).unwrap_or_default().to_owned(),
            waiting: if preempts { preempting } else { scheduled },
            preempts,
            loaded: load(&tree)?,
        })
    }

    /// Works the waiting pods off one after another. The first tenth is warm-up and not counted.
    /// `clock` gives seconds.
    pub fn measure(&mut self, clock: impl Fn() -> f64) -> Result<Measured, String> {
        let waiting = self.waiting.clone();
        let (warm_up, counted) = waiting.split_at(waiting.len() / 10);
        let (done, seconds) = if self.preempts {
            self.preempt_all(warm_up, &clock)?;
            self.preempt_all(counted, &clock)?
        } else {
            self.schedule_all(warm_up, &clock);
            self.schedule_all(counted, &clock)
        };
        Ok(Measured { pods: counted.len() as u32, done, seconds })
    }

    /// Why a pod goes where it goes. `None` if there is no such pod.
    pub fn explain(&mut self, key: &ObjectKey) -> Option<Explanation> {
        let pod = self.pod(key)?;
        let Loaded { cluster, profile } = &mut self.loaded;
        Some(explain(cluster, profile, &pod))
    }

    fn pod(&self, key: &ObjectKey) -> Option<PodInfo> {
        let cluster = &self.loaded.cluster;
        cluster.pod(cluster.pod_named(key)?).cloned()
    }

    fn schedule_all(&mut self, pods: &[ObjectKey], clock: &impl Fn() -> f64) -> (Done, f64) {
        let start = clock();
        let bound = pods.iter().filter(|pod| self.schedule(pod)).count();
        (Done::Bound(bound as u32), clock() - start)
    }

    /// Schedules a pod: every node is filtered, every feasible one scored, and the pod bound to
    /// the first of the best. False if no node can take it.
    fn schedule(&mut self, key: &ObjectKey) -> bool {
        let Some(pod) = self.pod(key) else { return false };
        let Loaded { cluster, profile } = &mut self.loaded;
        let Decision::Filtered(placement) = decide(cluster, profile, &pod) else { return false };
        let node = placement.best.first().and_then(|idx| cluster.node(*idx));
        let Some(node) = node.map(|node| node.name.to_string()) else { return false };
        let mut bound = (*pod.pod).clone();
        bound.spec.node_name = node;
        cluster.put_pod(&Arc::new(bound));
        cluster.update_snapshot(Refresh::Changed);
        true
    }

    /// Finds whom each pod would preempt. The time is that from the nodes' verdicts to the choice.
    fn preempt_all(
        &mut self,
        pods: &[ObjectKey],
        clock: &impl Fn() -> f64,
    ) -> Result<(Done, f64), String> {
        let mut refused = Vec::with_capacity(pods.len());
        for key in pods {
            refused.push(self.refused(key).ok_or_else(|| format!("{key} fits somewhere"))?);
        }
        let Loaded { cluster, profile } = &mut self.loaded;
        let (mut candidates, mut victims, mut violations) = (0_u32, 0_u32, 0_i64);
        let start = clock();
        for (pod, rejected) in &refused {
            let found = preemption::decide(cluster, profile, pod, rejected);
            let found = found.ok_or("the profile does not preempt")?;
            candidates += found.candidates.len() as u32;
            for run in &found.runs {
                if let Outcome::Candidate(of_node) = &run.outcome {
                    victims += of_node.pods.len() as u32;
                    violations += of_node.violations;
                }
            }
        }
        Ok((Done::Preempted { candidates, victims, violations }, clock() - start))
    }

    /// A pod with the verdict of each node, if there is such a pod and it fits nowhere.
    fn refused(&mut self, key: &ObjectKey) -> Option<(PodInfo, Vec<(NodeIdx, Verdict)>)> {
        let pod = self.pod(key)?;
        let Loaded { cluster, profile } = &mut self.loaded;
        let Decision::Filtered(placement) = decide(cluster, profile, &pod) else { return None };
        placement.feasible.is_empty().then_some((pod, placement.rejected))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two nodes with two CPUs, of which two pods take one each.
    fn workload(step: &str, cpu: u32) -> Result<Workload, String> {
        let mut objects = Vec::new();
        let pod = |name: &str, node: &str, cpu: u32, priority: i32| {
            json!({
                "apiVersion": "v1", "kind": "Pod",
                "metadata": { "name": name, "namespace": "default" },
                "spec": {
                    "nodeName": node, "priority": priority,
                    "containers": [{
                        "name": "c", "image": "c",
                        "resources": { "requests": { "cpu": cpu.to_string() } },
                    }],
                },
            })
        };
        for node in ["a", "b"] {
            objects.push(json!({
                "apiVersion": "v1", "kind": "Node", "metadata": { "name": node },
                "status": { "allocatable": { "cpu": "2", "pods": "10" } },
            }));
            objects.push(pod(&["one-", node].concat(), node, 1, 0));
            objects.push(pod(&["two-", node].concat(), node, 1, 0));
        }
        objects.push(pod("waits", "", cpu, 10));
        let steps = json!([{ (step): "default/waits" }]);
        Workload::read(&json!({ "name": "n", "objects": objects, "steps": steps }).to_string())
    }

    fn done(step: &str, cpu: u32) -> Result<Done, String> {
        workload(step, cpu)?.measure(|| 0.0).map(|measured| measured.done)
    }

    #[test]
    fn the_work_done_is_counted() {
        // Of both nodes both pods would have to go, or one, or neither would help.
        let preempted =
            |candidates, victims| Done::Preempted { candidates, victims, violations: 0 };
        assert_eq!(done("preempt", 2), Ok(preempted(2, 4)));
        assert_eq!(done("preempt", 1), Ok(preempted(2, 2)));
        assert_eq!(done("preempt", 3), Ok(preempted(0, 0)));
        assert_eq!(done("schedule", 1), Ok(Done::Bound(0)));
        assert_eq!(done("schedule", 0), Ok(Done::Bound(1)));
    }

    #[test]
    fn a_pod_that_fits_preempts_nobody() {
        assert_eq!(done("preempt", 0), Err("default/waits fits somewhere".to_owned()));
    }
}
