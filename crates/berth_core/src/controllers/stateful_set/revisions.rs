//! The templates that a StatefulSet has had.
//!
//! Mirrors `getStatefulSetRevisions` and `truncateHistory` of `stateful_set_control.go`. Deviations: revisions are kept by
//! the controller and not as objects, and the hash in their names is that of the template and not of the revision.

use alloc::format;
use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;

use crate::api::{ObjectKey, Pod, PodTemplate, Workload};
use crate::collections::Map;
use crate::controllers::names::revision_hash;

/// The label with the revision of a pod.
pub(super) const REVISION_LABEL: &str = "controller-revision-hash";

/// The revisions of all sets.
#[derive(Clone, Debug, Default)]
pub(super) struct Histories(Map<ObjectKey, History>);

#[derive(Clone, Debug, Default)]
struct History {
    /// The identity of the set.
    uid: String,
    /// The latest last.
    revisions: Vec<Revision>,
}

/// A template that a set has or had.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Revision {
    pub(super) name: String,
    pub(super) template: Arc<PodTemplate>,
}

impl Histories {
    /// The revision that a set comes from and the one that it goes to, which is noted.
    pub(super) fn revisions(&mut self, set: &Workload) -> (Revision, Revision) {
        let history = self.0.or_default(set.metadata.key());
        if history.uid != set.metadata.uid {
            *history = History { uid: set.metadata.uid.clone(), revisions: Vec::new() };
        }
        let revisions = &mut history.revisions;
        let current = revisions.iter().find(|r| r.name == set.status.current_revision).cloned();
        let known = revisions.iter().position(|revision| *revision.template == set.template);
        let update = match known {
            // One that was left comes back as the latest.
            Some(place) => revisions.remove(place),
            None => Revision {
                name: format!("{}-{}", set.metadata.name, revision_hash(set)),
                template: Arc::new(set.template.clone()),
            },
        };
        revisions.push(update.clone());
        (current.unwrap_or_else(|| update.clone()), update)
    }

    /// Forgets the oldest revisions that nobody has, as far as there are more of them than the set keeps.
    pub(super) fn truncate(&mut self, set: &Workload, pods: &[Arc<Pod>], live: [&str; 2]) {
        let limit = set.control.revision_history_limit.unwrap_or(i32::MAX);
        let (Ok(limit), Some(history)) =
            (usize::try_from(limit), self.0.get_mut(&set.metadata.key()))
        else {
            return;
        };
        let is_live = |revision: &Revision| {
            live.contains(&&*revision.name)
                || pods.iter().any(|pod| revision_of(pod) == revision.name)
        };
        let idle = history.revisions.iter().filter(|revision| !is_live(revision)).count();
        let mut excess = idle.saturating_sub(limit);
        history.revisions.retain(|revision| {
            let forget = excess > 0 && !is_live(revision);
            excess -= usize::from(forget);
            !forget
        });
    }

    /// Forgets a set.
    pub(super) fn remove(&mut self, set: &ObjectKey) {
        self.0.remove(set);
    }
}

/// The revision of a pod; empty if it has none.
pub(super) fn revision_of(pod: &Pod) -> &str {
    pod.metadata.labels.get(REVISION_LABEL).map_or("", String::as_str)
}
