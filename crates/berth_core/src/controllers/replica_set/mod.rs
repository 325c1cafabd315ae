//! The ReplicaSet controller: so many pods, no more and no less.
//!
//! Mirrors `pkg/controller/replicaset/replica_set.go`.

mod status;
mod sync;

use alloc::boxed::Box;
use alloc::sync::Arc;

use super::consistency::Consistency;
use super::expectations::Expectations;
use super::ownership::{old_pod, resolve, selecting};
use super::recorder::Recorder;
use crate::api::{Kind, Object, ObjectKey, Pod, Workload, WorkloadKind};
use crate::queue::time::SECOND;
use crate::simulation::server::{Action, ApiError};
use crate::simulation::{Change, Context, Controller, WorkItem};

pub(super) use status::FAILURE;

const KIND: WorkloadKind = WorkloadKind::ReplicaSet;

/// The ReplicaSet controller.
#[derive(Clone, Debug, Default)]
pub struct ReplicaSetController {
    expectations: Expectations,
    consistency: Consistency,
    recorder: Recorder,
}

impl Controller for ReplicaSetController {
    fn watches(&self) -> &'static [Kind] {
        &[Kind::Workload(KIND), Kind::Pod]
    }

    fn observe(&mut self, change: &Change, context: &mut Context<'_>) {
        self.consistency.heard(change);
        let old = change.old.as_ref();
        match (&change.object, change.action) {
            (Object::Workload(set), Action::Deleted) => {
                let key = set.metadata.key();
                self.consistency.clear(&key, &set.metadata.uid);
                self.expectations.remove(&key);
                enqueue(context, set);
            }
            (Object::Workload(set), _) => enqueue(context, set),
            (Object::Pod(pod), Action::Added) => self.pod_added(pod, context),
            (Object::Pod(pod), Action::Modified) => {
                if let Some(old) = old_pod(old) {
                    self.pod_updated(old, pod, context);
                }
            }
            (Object::Pod(pod), Action::Deleted) => self.pod_deleted(pod, context),
            _ => {}
        }
    }

    fn sync(&mut self, item: &WorkItem, context: &mut Context<'_>) -> Result<(), ApiError> {
        self.sync_set(&item.key, context)
    }

    fn clone_box(&self) -> Box<dyn Controller> {
        Box::new(self.clone())
    }
}

impl ReplicaSetController {
    fn pod_added(&mut self, pod: &Arc<Pod>, context: &mut Context<'_>) {
        if pod.metadata.deletion_timestamp.is_some() {
            self.pod_deleted(pod, context);
        } else if let Some(owner) = pod.metadata.controller() {
            if let Some(set) = resolve(context.cache, KIND, &pod.metadata.namespace, owner) {
                self.expectations.creation_observed(&set.metadata.key());
                enqueue(context, set);
            }
        } else {
            enqueue_selecting(context, pod);
        }
    }

    fn pod_updated(&mut self, old: &Arc<Pod>, pod: &Arc<Pod>, context: &mut Context<'_>) {
        let relabelled = old.metadata.labels != pod.metadata.labels;
        if pod.metadata.deletion_timestamp.is_some() {
            self.pod_deleted(pod, context);
            if relabelled {
                self.pod_deleted(old, context);
            }
            return;
        }
        let namespace = &pod.metadata.namespace;
        let (was, is) = (old.metadata.controller(), pod.metadata.controller());
        if was != is
            && let Some(set) = was.and_then(|was| resolve(context.cache, KIND, namespace, was))
        {
            enqueue(context, set);
        }
        let Some(owner) = is else {
            if relabelled || was != is {
                enqueue_selecting(context, pod);
            }
            return;
        };
        let Some(set) = resolve(context.cache, KIND, namespace, owner) else { return };
        enqueue(context, set);
        let seconds = i64::from(set.control.min_ready_seconds);
        if !old.is_ready() && pod.is_ready() && seconds > 0 {
            let at = context.now().after(seconds.saturating_mul(SECOND));
            context.queue.add_at(at, item(&set.metadata.key()));
        }
    }

    fn pod_deleted(&mut self, pod: &Arc<Pod>, context: &mut Context<'_>) {
        let Some(owner) = pod.metadata.controller() else { return };
        if let Some(set) = resolve(context.cache, KIND, &pod.metadata.namespace, owner) {
            self.expectations.deletion_observed(&set.metadata.key(), &pod.metadata.key());
            enqueue(context, set);
        }
    }
}

fn item(key: &ObjectKey) -> WorkItem {
    WorkItem::new(0, key.clone())
}

fn enqueue(context: &mut Context<'_>, set: &Workload) {
    context.queue.add(item(&set.metadata.key()));
}

/// Wakes every ReplicaSet that may adopt a pod.
fn enqueue_selecting(context: &mut Context<'_>, pod: &Pod) {
    for set in selecting(context.cache, KIND, &pod.metadata) {
        context.queue.add(item(&set.metadata.key()));
    }
}
