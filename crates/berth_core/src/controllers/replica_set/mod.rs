//! The ReplicaSet controller: so many pods, no more and no less.
//!
//! Mirrors `pkg/controller/replicaset/replica_set.go`.

mod status;
mod sync;

use alloc::boxed::Box;
use alloc::sync::Arc;

use super::consistency::Consistency;
use super::expectations::Expectations;
use super::ownership::{old_pod, resolve};
use super::recorder::Recorder;
use super::waking::{self, enqueue};
use crate::api::{Kind, Object, Pod, WorkloadKind};
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
        } else {
            waking::pod_added(context, KIND, pod, &mut self.expectations);
        }
    }

    fn pod_updated(&mut self, old: &Arc<Pod>, pod: &Arc<Pod>, context: &mut Context<'_>) {
        if pod.metadata.deletion_timestamp.is_none() {
            waking::pod_updated(context, KIND, old, pod, 0);
            return;
        }
        self.pod_deleted(pod, context);
        if old.metadata.labels != pod.metadata.labels {
            self.pod_deleted(old, context);
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
