//! Which workloads a pod's change wakes: those that own it, and those that may adopt it.
//!
//! Mirrors `addPod` and `updatePod` of `pkg/controller/{replicaset,statefulset,daemon}`, as far as they are alike.

use super::expectations::Expectations;
use super::ownership::{resolve, selecting};
use crate::api::{ObjectKey, Pod, Workload, WorkloadKind};
use crate::queue::time::SECOND;
use crate::simulation::{Context, WorkItem};

/// The queue of workloads that are to be looked after; a controller may have others.
pub(super) const WORKLOADS: u8 = 0;

/// A workload to be looked after.
pub(super) fn item(key: &ObjectKey) -> WorkItem {
    WorkItem::new(WORKLOADS, key.clone())
}

/// Wakes a workload.
pub(super) fn enqueue(context: &mut Context<'_>, workload: &Workload) {
    context.queue.add(item(&workload.metadata.key()));
}

/// Wakes every workload of a kind that may adopt a pod.
pub(super) fn enqueue_selecting(context: &mut Context<'_>, kind: WorkloadKind, pod: &Pod) {
    for workload in selecting(context.cache, kind, &pod.metadata) {
        context.queue.add(item(&workload.metadata.key()));
    }
}

/// A pod that is not being deleted has come.
pub(super) fn pod_added(
    context: &mut Context<'_>,
    kind: WorkloadKind,
    pod: &Pod,
    expectations: &mut Expectations,
) {
    let Some(owner) = pod.metadata.controller() else {
        enqueue_selecting(context, kind, pod);
        return;
    };
    if let Some(workload) = resolve(context.cache, kind, &pod.metadata.namespace, owner) {
        expectations.creation_observed(&workload.metadata.key());
        enqueue(context, workload);
    }
}

/// A pod that is not being deleted has changed. Its workload is woken once more so many seconds after the pod has been
/// ready for `minReadySeconds`.
pub(super) fn pod_updated(
    context: &mut Context<'_>,
    kind: WorkloadKind,
    old: &Pod,
    pod: &Pod,
    seconds_more: i64,
) {
    let namespace = &pod.metadata.namespace;
    let (was, is) = (old.metadata.controller(), pod.metadata.controller());
    if was != is
        && let Some(before) = was.and_then(|was| resolve(context.cache, kind, namespace, was))
    {
        enqueue(context, before);
    }
    let Some(owner) = is else {
        if was != is || old.metadata.labels != pod.metadata.labels {
            enqueue_selecting(context, kind, pod);
        }
        return;
    };
    let Some(workload) = resolve(context.cache, kind, namespace, owner) else { return };
    enqueue(context, workload);
    let seconds = i64::from(workload.control.min_ready_seconds);
    if !old.is_ready() && pod.is_ready() && seconds > 0 {
        let at = context.now().after((seconds + seconds_more).saturating_mul(SECOND));
        context.queue.add_at(at, item(&workload.metadata.key()));
    }
}
