//! The Job controller: what it hears of, and what that wakes.
//!
//! Mirrors the handlers of `pkg/controller/job/job_controller.go` and `tracking_utils.go`.

use alloc::boxed::Box;
use alloc::string::String;
use alloc::sync::Arc;

use super::backoff::Backoff;
use super::{KIND, is_finished};
use crate::api::{Kind, Object, ObjectKey, Pod, Selector, Workload};
use crate::collections::{Map, Set};
use crate::controllers::consistency::Consistency;
use crate::controllers::expectations::Expectations;
use crate::controllers::ownership::{old_pod, old_workload, resolve, selecting};
use crate::controllers::recorder::Recorder;
use crate::controllers::waking::{WORKLOADS, enqueue, item};
use crate::queue::Instant;
use crate::queue::time::SECOND;
use crate::simulation::server::{Action, ApiError, Part, metadata_mut};
use crate::simulation::{Change, Context, Controller, WorkItem};

/// The queue of pods that may have to be let go of.
const ORPHAN: u8 = 1;
/// The queue of Jobs whose pods may have to be let go of.
const ORPHANS: u8 = 2;
/// How long news of pods are gathered, in nanoseconds (`SyncJobBatchPeriod`).
pub(super) const BATCH: i64 = SECOND;
/// How long a Job waits after an error at first, and at most (`DefaultJobApiBackOff`, `MaxJobApiBackOff`).
const RETRY: (i64, i64) = (SECOND, 60 * SECOND);

/// The Job controller.
#[derive(Clone, Debug, Default)]
pub struct JobController {
    pub(super) expectations: Expectations,
    pub(super) consistency: Consistency,
    pub(super) recorder: Recorder,
    /// The pods of each Job that are to be let go of and have not been heard of since (`finalizerExpectations`).
    pub(super) released: Map<ObjectKey, Set<String>>,
    /// The failures of each Job's pods.
    pub(super) backoff: Map<ObjectKey, Backoff>,
    /// Jobs that are over and that have not been heard of since, by identity.
    pub(super) finished: Set<String>,
    /// The selectors of Jobs that are over or gone.
    selectors: Map<ObjectKey, Selector>,
}

impl Controller for JobController {
    fn watches(&self) -> &'static [Kind] {
        &[Kind::Workload(KIND), Kind::Pod]
    }

    fn retries(&self) -> (i64, i64) {
        RETRY
    }

    fn observe(&mut self, change: &Change, context: &mut Context<'_>) {
        self.consistency.heard(change);
        let old = change.old.as_ref();
        match (&change.object, change.action) {
            (Object::Workload(job), Action::Added) => enqueue(context, job),
            (Object::Workload(job), Action::Modified) => {
                if let Some(old) = old_workload(old) {
                    self.job_updated(old, job, context);
                }
            }
            (Object::Workload(job), Action::Deleted) => self.job_deleted(job, context),
            (Object::Pod(pod), Action::Added) => self.pod_added(pod, context),
            (Object::Pod(pod), Action::Modified) => {
                if let Some(old) = old_pod(old) {
                    self.pod_updated(old, pod, context);
                }
            }
            (Object::Pod(pod), Action::Deleted) => self.pod_deleted(pod, true, context),
            _ => {}
        }
    }

    fn sync(&mut self, item: &WorkItem, context: &mut Context<'_>) -> Result<(), ApiError> {
        match item.queue {
            ORPHAN => match context.cache.pod(&item.key).cloned() {
                Some(pod) => self.let_go(&pod, context),
                None => Ok(()),
            },
            ORPHANS => {
                self.let_go_of_all(&item.key, context);
                Ok(())
            }
            _ => self.sync_job(&item.key, context),
        }
    }

    fn clone_box(&self) -> Box<dyn Controller> {
        Box::new(self.clone())
    }
}

/// Wakes a Job a little later, with all else that happens to its pods until then (`enqueueSyncJobBatched`).
fn enqueue_batched(context: &mut Context<'_>, job: &Workload) {
    wake_at(context, job, context.now().after(BATCH));
}

/// Wakes a Job at an instant.
pub(super) fn wake_at(context: &mut Context<'_>, job: &Workload, at: Instant) {
    let item = item(&job.metadata.key());
    if at <= context.now() {
        context.queue.add(item);
    } else {
        context.queue.add_at(at, item);
    }
}

impl JobController {
    fn job_updated(&mut self, old: &Workload, job: &Workload, context: &mut Context<'_>) {
        if is_finished(job) {
            self.enqueue_orphans(job, context);
            return;
        }
        if job.metadata.generation == old.metadata.generation {
            enqueue_batched(context, job);
        } else {
            enqueue(context, job);
        }
        let deadline = job.control.job.active_deadline_seconds;
        if let (Some(start), Some(seconds)) = (job.status.start_time, deadline)
            && deadline != old.control.job.active_deadline_seconds
        {
            let at = context.server.instant_of(start).after(seconds.saturating_mul(SECOND));
            wake_at(context, job, at);
        }
    }

    fn job_deleted(&mut self, job: &Workload, context: &mut Context<'_>) {
        enqueue(context, job);
        let key = job.metadata.key();
        self.consistency.clear(&key, &job.metadata.uid);
        self.finished.remove(&job.metadata.uid);
        self.enqueue_orphans(job, context);
        self.backoff.remove(&key);
    }

    fn enqueue_orphans(&mut self, job: &Workload, context: &mut Context<'_>) {
        if let Ok(selector) = Selector::from_label_selector(job.selector.as_ref()) {
            let key = job.metadata.key();
            self.selectors.insert(key.clone(), selector);
            context.queue.add(WorkItem::new(ORPHANS, key));
        }
    }

    fn pod_added(&mut self, pod: &Arc<Pod>, context: &mut Context<'_>) {
        if pod.metadata.deletion_timestamp.is_some() {
            self.pod_deleted(pod, false, context);
            return;
        }
        if let Some(owner) = pod.metadata.controller() {
            if let Some(job) = resolve(context.cache, KIND, &pod.metadata.namespace, owner) {
                self.expectations.creation_observed(&job.metadata.key());
                enqueue_batched(context, &Arc::clone(job));
            }
            return;
        }
        if pod.metadata.job_tracking {
            context.queue.add(WorkItem::new(ORPHAN, pod.metadata.key()));
        }
        enqueue_selecting(pod, context);
    }

    fn pod_updated(&mut self, old: &Arc<Pod>, pod: &Arc<Pod>, context: &mut Context<'_>) {
        if pod.metadata.deletion_timestamp.is_some() {
            self.pod_deleted(pod, false, context);
            return;
        }
        let (was, is) = (old.metadata.controller(), pod.metadata.controller());
        let mut owners = alloc::vec![is];
        if was != is {
            owners.insert(0, was);
        }
        for owner in owners.into_iter().flatten() {
            let Some(job) = resolve(context.cache, KIND, &pod.metadata.namespace, owner).cloned()
            else {
                continue;
            };
            if !pod.metadata.job_tracking {
                self.release_observed(&job.metadata.key(), &pod.metadata.uid);
            }
            enqueue_batched(context, &job);
        }
        if is.is_none() {
            if pod.metadata.job_tracking {
                context.queue.add(WorkItem::new(ORPHAN, pod.metadata.key()));
            }
            if was != is || old.metadata.labels != pod.metadata.labels {
                enqueue_selecting(pod, context);
            }
        }
    }

    /// A pod is going, or gone.
    fn pod_deleted(&mut self, pod: &Arc<Pod>, is_gone: bool, context: &mut Context<'_>) {
        let is_tracked = pod.metadata.job_tracking;
        let owner = pod.metadata.controller();
        let job = owner
            .and_then(|owner| resolve(context.cache, KIND, &pod.metadata.namespace, owner))
            .filter(|job| !is_finished(job))
            .cloned();
        let Some(job) = job else {
            if is_tracked {
                context.queue.add(WorkItem::new(ORPHAN, pod.metadata.key()));
            }
            return;
        };
        let key = job.metadata.key();
        self.expectations.deletion_counted(&key);
        if is_gone || !is_tracked {
            self.release_observed(&key, &pod.metadata.uid);
        }
        enqueue_batched(context, &job);
    }

    /// A pod has been let go of, or will not be (`finalizerRemovalObserved`).
    pub(super) fn release_observed(&mut self, job: &ObjectKey, uid: &str) {
        if let Some(released) = self.released.get_mut(job) {
            released.remove(uid);
        }
    }

    /// Lets go of the pods of a Job that is over or gone (`syncOrphanPodsBySelector`).
    fn let_go_of_all(&mut self, job: &ObjectKey, context: &mut Context<'_>) {
        let Some(selector) = self.selectors.remove(job) else { return };
        let pods = context.cache.pods_in(&job.namespace);
        let pods: alloc::vec::Vec<_> =
            pods.filter(|pod| selector.matches(&pod.metadata.labels)).cloned().collect();
        for pod in pods {
            // Who cannot be let go of is gone.
            let _ = self.let_go(&pod, context);
        }
    }

    /// Lets go of a pod, unless its Job still counts on it (`handleSingleOrphanPod`).
    fn let_go(&mut self, pod: &Arc<Pod>, context: &mut Context<'_>) -> Result<(), ApiError> {
        if let Some(owner) = pod.metadata.controller() {
            let is_job = owner.kind == KIND.as_str() && owner.api_version == KIND.api_version();
            let job = resolve(context.cache, KIND, &pod.metadata.namespace, owner);
            if !is_job || job.is_some_and(|job| !is_finished(job)) {
                return Ok(());
            }
        }
        match self.release(pod, context) {
            Err(ApiError::NotFound(..)) => Ok(()),
            outcome => outcome,
        }
    }

    /// Takes the finalizer off a pod, if it has one.
    pub(super) fn release(&mut self, pod: &Pod, context: &mut Context<'_>) -> Result<(), ApiError> {
        if !pod.metadata.job_tracking {
            return Ok(());
        }
        let key = pod.metadata.key();
        let written = context.server.patch(Kind::Pod, &key, Part::Main, |object| {
            metadata_mut(object).job_tracking = false;
        })?;
        if let Some(owner) = written.metadata().controller() {
            let job = ObjectKey::new(key.namespace, owner.name.clone());
            self.consistency.wrote(&job, &owner.uid, &written);
        }
        Ok(())
    }
}

/// Wakes every Job that may adopt a pod.
fn enqueue_selecting(pod: &Pod, context: &mut Context<'_>) {
    let jobs = selecting(context.cache, KIND, &pod.metadata);
    let keys: alloc::vec::Vec<ObjectKey> = jobs.map(|job| job.metadata.key()).collect();
    let at = context.now().after(BATCH);
    for key in keys {
        context.queue.add_at(at, WorkItem::new(WORKLOADS, key));
    }
}
