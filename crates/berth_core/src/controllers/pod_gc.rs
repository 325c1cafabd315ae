//! The pod garbage collector: pods whose node is gone for good, and pods that nobody else takes away.
//!
//! Mirrors `PodGCController` (`pkg/controller/podgc/gc_controller.go`). A round takes a microsecond, so that a node that
//! was missed in one round is let go two rounds later. Nodes have no conditions here: one that is out of service is
//! taken not to be ready.

use alloc::boxed::Box;
use alloc::string::{String, ToString};
use alloc::sync::Arc;
use alloc::vec::Vec;

use crate::api::{Condition, Kind, Object, ObjectKey, Pod, PodPhase};
use crate::apiserver::DeleteOptions;
use crate::collections::{Map, Set, sort_by_key};
use crate::queue::Instant;
use crate::queue::time::SECOND;
use crate::simulation::controller::{Context, Controller};
use crate::simulation::server::{ApiError, Change, Part};
use crate::simulation::work_queue::WorkItem;

/// From one round to the next, in nanoseconds (`gcCheckPeriod`).
const PERIOD: i64 = 20 * SECOND;
/// How long a round takes, in nanoseconds.
const ROUND: i64 = 1_000;
/// How long a node has to be missed, in nanoseconds (`quarantineTime`).
const QUARANTINE: i64 = 40 * SECOND;
/// Pods that are over stay if they are no more than this (`--terminated-pod-gc-threshold`).
const MOST_TERMINATED: usize = 12_500;

const OUT_OF_SERVICE: &str = "node.kubernetes.io/out-of-service";

/// The pod garbage collector.
#[derive(Clone, Debug, Default)]
pub struct PodGc {
    /// Nodes that are missed, and when that has lasted long enough.
    missed: Map<String, Instant>,
}

impl Controller for PodGc {
    fn watches(&self) -> &'static [Kind] {
        &[Kind::Pod, Kind::Node]
    }

    fn observe(&mut self, _: &Change, _: &mut Context<'_>) {}

    fn start(&mut self, context: &mut Context<'_>) {
        context.queue.add(round());
    }

    fn sync(&mut self, _: &WorkItem, context: &mut Context<'_>) -> Result<(), ApiError> {
        self.collect(context);
        context.queue.add_at(context.now().after(PERIOD + ROUND), round());
        Ok(())
    }

    fn clone_box(&self) -> Box<dyn Controller> {
        Box::new(self.clone())
    }
}

fn round() -> WorkItem {
    WorkItem::new(0, ObjectKey::default())
}

impl PodGc {
    fn collect(&mut self, context: &mut Context<'_>) {
        let pods: Vec<Arc<Pod>> = context.cache.pods().map(Arc::clone).collect();
        collect_terminated(&pods, context);
        collect_out_of_service(&pods, context);
        self.collect_orphaned(&pods, context);
        for pod in &pods {
            if pod.metadata.deletion_timestamp.is_some() && pod.spec.node_name.is_empty() {
                fail_and_delete(pod, None, context);
            }
        }
    }

    /// Pods on nodes that are not there (`gcOrphaned`).
    fn collect_orphaned(&mut self, pods: &[Arc<Pod>], context: &mut Context<'_>) {
        let now = context.now();
        let mut ripe = Set::new();
        self.missed.retain(|node, at| {
            if *at <= now {
                ripe.insert(node.clone());
            }
            *at > now
        });
        for pod in pods {
            let node = &pod.spec.node_name;
            if !node.is_empty() && context.cache.node(node).is_none() {
                self.missed.or_insert(node.clone(), now.after(QUARANTINE));
            }
        }
        let mut gone = Set::new();
        for node in ripe.iter() {
            let key = ObjectKey::new("", node.clone());
            if context.cache.node(node).is_none() && context.server.get(Kind::Node, &key).is_err() {
                gone.insert(node.clone());
            }
        }
        for pod in pods {
            if gone.contains(&pod.spec.node_name) {
                let condition = Condition {
                    message: "PodGC: node no longer exists".to_string(),
                    ..Condition::new("DisruptionTarget", "True", "DeletionByPodGC")
                };
                fail_and_delete(pod, Some(condition), context);
            }
        }
    }
}

/// Pods that are over, if there are too many (`gcTerminated`).
fn collect_terminated(pods: &[Arc<Pod>], context: &mut Context<'_>) {
    let mut over: Vec<&Arc<Pod>> =
        pods.iter().filter(|pod| pod.status.phase.is_terminal()).collect();
    let excess = over.len().saturating_sub(MOST_TERMINATED);
    if excess > 0 {
        sort_by_key(&mut over, |pod| (pod.metadata.creation_timestamp, pod.metadata.name.clone()));
        for pod in over.iter().take(excess) {
            fail_and_delete(pod, None, context);
        }
    }
}

/// Pods that are going, on nodes that somebody declared out of service (`gcTerminating`).
fn collect_out_of_service(pods: &[Arc<Pod>], context: &mut Context<'_>) {
    for pod in pods {
        let node = context.cache.node(&pod.spec.node_name);
        let is_out = node
            .is_some_and(|node| node.spec.taints.iter().any(|taint| taint.key == OUT_OF_SERVICE));
        if is_out && pod.metadata.deletion_timestamp.is_some() {
            fail_and_delete(pod, None, context);
        }
    }
}

/// `markFailedAndDeletePodWithCondition`.
fn fail_and_delete(pod: &Pod, condition: Option<Condition>, context: &mut Context<'_>) {
    let key = pod.metadata.key();
    let now = context.time();
    if !pod.status.phase.is_terminal() {
        let written = context.server.patch(Kind::Pod, &key, Part::Status, |object| {
            let Object::Pod(pod) = object else { return };
            let status = &mut Arc::make_mut(pod).status;
            status.phase = PodPhase::Failed;
            if let Some(condition) = condition {
                Condition::update(&mut status.conditions, condition, now);
            }
        });
        if written.is_err() {
            return;
        }
    }
    let options = DeleteOptions { grace_period_seconds: Some(0), ..DeleteOptions::default() };
    // Whoever was faster, it is gone.
    let _ = context.server.delete(Kind::Pod, &key, &options);
}
