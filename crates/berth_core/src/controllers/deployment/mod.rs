//! The Deployment controller: ReplicaSets for each template, and the way from one to the next.
//!
//! Mirrors `pkg/controller/deployment`. Deviations: the revision is not noted on the Deployment itself, only on its
//! ReplicaSets; there is no rollback by annotation.

mod recreate;
mod revisions;
mod rolling;
mod scale;
mod status;
mod sync;

use alloc::boxed::Box;
use alloc::sync::Arc;

use super::ownership::{is_controlled_by, old_workload, pods_of, resolve, selecting};
use super::recorder::Recorder;
use crate::api::{Kind, Object, ObjectKey, Pod, Workload, WorkloadKind};
use crate::simulation::server::{Action, ApiError};
use crate::simulation::{Change, Context, Controller, WorkItem};

const KIND: WorkloadKind = WorkloadKind::Deployment;
const SETS: WorkloadKind = WorkloadKind::ReplicaSet;

/// So often a Deployment is tried again before it is left alone (`maxRetries`).
const MOST_RETRIES: u32 = 15;

/// The Deployment controller.
#[derive(Clone, Debug, Default)]
pub struct DeploymentController {
    recorder: Recorder,
}

impl Controller for DeploymentController {
    fn watches(&self) -> &'static [Kind] {
        &[Kind::Workload(KIND), Kind::Workload(SETS), Kind::Pod]
    }

    fn observe(&mut self, change: &Change, context: &mut Context<'_>) {
        match &change.object {
            Object::Workload(deployment) if deployment.kind == KIND => {
                enqueue(context, &deployment.metadata.key());
            }
            Object::Workload(set) => set_changed(set, change, context),
            Object::Pod(pod) if change.action == Action::Deleted => pod_deleted(pod, context),
            _ => {}
        }
    }

    fn sync(&mut self, item: &WorkItem, context: &mut Context<'_>) -> Result<(), ApiError> {
        let synced = self.sync_deployment(&item.key, context);
        if context.queue.failures(item) < MOST_RETRIES { synced } else { Ok(()) }
    }

    fn clone_box(&self) -> Box<dyn Controller> {
        Box::new(self.clone())
    }
}

fn enqueue(context: &mut Context<'_>, key: &ObjectKey) {
    context.queue.add(WorkItem::new(0, key.clone()));
}

fn set_changed(set: &Arc<Workload>, change: &Change, context: &mut Context<'_>) {
    let namespace = &set.metadata.namespace;
    let is = set.metadata.controller();
    let old = old_workload(change.old.as_ref()).filter(|_| change.action == Action::Modified);
    let was = old.map(|old| old.metadata.controller());
    let released = was.is_some_and(|was| was != is);
    if let Some(owner) = was.flatten().filter(|_| released)
        && let Some(deployment) = resolve(context.cache, KIND, namespace, owner)
    {
        enqueue(context, &deployment.metadata.key());
    }
    if let Some(owner) = is {
        if let Some(deployment) = resolve(context.cache, KIND, namespace, owner) {
            enqueue(context, &deployment.metadata.key());
        }
        return;
    }
    let relabelled = old.is_some_and(|old| old.metadata.labels != set.metadata.labels);
    if change.action == Action::Added || relabelled || released {
        for deployment in selecting(context.cache, KIND, &set.metadata) {
            enqueue(context, &deployment.metadata.key());
        }
    }
}

/// A Deployment that recreates its pods goes on when the last old one is gone.
fn pod_deleted(pod: &Pod, context: &mut Context<'_>) {
    let namespace = &pod.metadata.namespace;
    let set = pod.metadata.controller().and_then(|o| resolve(context.cache, SETS, namespace, o));
    let owner = set.and_then(|set| set.metadata.controller());
    let Some(deployment) = owner.and_then(|o| resolve(context.cache, KIND, namespace, o)) else {
        return;
    };
    if scale::is_rolling(deployment) {
        return;
    }
    let uid = &deployment.metadata.uid;
    let is_bare = {
        // Its ReplicaSets as the API server has them.
        let live = context.server.objects().workloads(SETS);
        let mut own = live.filter(|set| is_controlled_by(&set.metadata, uid));
        own.all(|set| pods_of(context.cache, set, false).is_empty())
    };
    if is_bare {
        enqueue(context, &deployment.metadata.key());
    }
}
