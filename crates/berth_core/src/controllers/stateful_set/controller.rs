//! The StatefulSet controller.
//!
//! Mirrors `pkg/controller/statefulset/stateful_set.go`. Deviation: there are no volumes, so no claims are made for pods.

use alloc::boxed::Box;
use alloc::format;
use alloc::sync::Arc;
use alloc::vec::Vec;

use super::revisions::Histories;
use crate::api::{Kind, Object, ObjectKey, Pod, Selector, Workload, WorkloadKind};
use crate::controllers::availability::next_available;
use crate::controllers::consistency::Consistency;
use crate::controllers::ownership::{claim_pods, old_pod, pods_of, resolve};
use crate::controllers::recorder::Recorder;
use crate::controllers::waking::{self, enqueue, enqueue_selecting, item};
use crate::queue::time::SECOND;
use crate::simulation::server::{Action, ApiError};
use crate::simulation::{Change, Context, Controller, WorkItem};

const KIND: WorkloadKind = WorkloadKind::StatefulSet;

/// The StatefulSet controller.
#[derive(Clone, Debug, Default)]
pub struct StatefulSetController {
    pub(super) consistency: Consistency,
    pub(super) histories: Histories,
    pub(super) recorder: Recorder,
}

impl Controller for StatefulSetController {
    fn watches(&self) -> &'static [Kind] {
        &[Kind::Workload(KIND), Kind::Pod]
    }

    fn observe(&mut self, change: &Change, context: &mut Context<'_>) {
        self.consistency.heard(change);
        match (&change.object, change.action) {
            (Object::Workload(set), _) => enqueue(context, set),
            (Object::Pod(pod), Action::Modified) => {
                if let Some(old) = old_pod(change.old.as_ref()) {
                    waking::pod_updated(context, KIND, old, pod, 0);
                }
            }
            (Object::Pod(pod), action) => {
                if let Some(owner) = pod.metadata.controller() {
                    let namespace = &pod.metadata.namespace;
                    if let Some(set) = resolve(context.cache, KIND, namespace, owner) {
                        enqueue(context, set);
                    }
                } else if action == Action::Added && pod.metadata.deletion_timestamp.is_none() {
                    enqueue_selecting(context, KIND, pod);
                }
            }
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

impl StatefulSetController {
    /// `sync` and `syncStatefulSet`.
    fn sync_set(&mut self, key: &ObjectKey, context: &mut Context<'_>) -> Result<(), ApiError> {
        self.consistency.ensure_ready(key)?;
        let Some(set) = context.cache.workload(KIND, key).cloned() else {
            self.consistency.clear(key, "");
            self.histories.remove(key);
            return Ok(());
        };
        let Ok(selector) = Selector::from_label_selector(set.selector.as_ref()) else {
            return Ok(());
        };
        let all = pods_of(context.cache, &set, true);
        let (uid, consistency) = (&set.metadata.uid, &mut self.consistency);
        let is_member = |pod: &Pod| ordinal(&set, pod).is_some();
        let pods = claim_pods(context, &set, &selector, all, is_member, |object| {
            consistency.wrote(key, uid, object);
        })?;
        let status = self.update(&set, &pods, context)?;
        let seconds = set.control.min_ready_seconds;
        if seconds > 0 && status.ready_replicas != status.available_replicas {
            let latest = context.now().after(i64::from(seconds).saturating_mul(SECOND));
            let next = next_available(context.server, &pods, seconds).unwrap_or(latest);
            context.queue.add_at(next, item(key));
        }
        Ok(())
    }
}

/// The number of a set's pod, by its name; none if the name is not one of the set's (`getOrdinal`, `isMemberOf`).
pub(super) fn ordinal(set: &Workload, pod: &Pod) -> Option<i32> {
    let digits = pod.metadata.name.strip_prefix(&format!("{}-", set.metadata.name))?;
    let is_number = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    // A number that is too large is a member's, but not one that anything is done about.
    is_number.then(|| digits.parse().unwrap_or(-1))
}

/// The pods in ascending order of their numbers.
pub(super) fn by_ordinal(set: &Workload, pods: &[Arc<Pod>]) -> Vec<(i32, Arc<Pod>)> {
    let numbered = pods.iter().filter_map(|pod| Some((ordinal(set, pod)?, Arc::clone(pod))));
    let mut numbered: Vec<_> = numbered.filter(|(number, _)| *number >= 0).collect();
    numbered.sort_by_key(|(number, _)| *number);
    numbered
}
