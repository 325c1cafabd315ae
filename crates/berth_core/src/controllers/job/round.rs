//! What the controller finds out about a Job while it looks after it (`syncJobCtx`).

use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;

use super::backoff::Backoff;
use super::indexes::{Intervals, index_of};
use crate::api::{Condition, Pod, PodPhase, Workload, WorkloadStatus};
use crate::collections::{Map, Set};

/// So many failures do not yet make a Job fail.
const BACKOFF_LIMIT: i32 = 6;

/// One look at a Job.
#[derive(Clone, Debug)]
pub(super) struct Round {
    /// The Job, with the status that it is to have.
    pub(super) job: Workload,
    /// Its own pods.
    pub(super) pods: Vec<Arc<Pod>>,
    /// Those of them that neither ended nor are going.
    pub(super) active: Vec<Arc<Pod>>,
    /// The condition by which it is over, or about to be.
    pub(super) finished: Option<Condition>,
    /// How many pods, or indexes, succeeded.
    pub(super) succeeded: i32,
    /// How many pods failed.
    pub(super) failed: i32,
    /// The indexes that were known to have succeeded.
    pub(super) succeeded_before: Intervals,
    /// The indexes that have succeeded.
    pub(super) succeeded_indexes: Intervals,
    /// The indexes that have failed, if they are counted.
    pub(super) failed_indexes: Option<Intervals>,
    /// Its failures, these included.
    pub(super) backoff: Backoff,
    /// The identities of pods that it has let go of and not heard of since.
    pub(super) released: Set<String>,
    /// The identities of pods that were counted last time and may not be let go of, those that ended well first.
    pub(super) uncounted: (Set<String>, Set<String>),
    /// The last pod that failed of each index that is to be tried again.
    pub(super) delayed: Map<i32, Arc<Pod>>,
    /// How many pods are on their way out.
    pub(super) terminating: i32,
    /// How many active pods are ready.
    pub(super) ready: i32,
}

impl Round {
    /// The status that the Job is to have.
    pub(super) fn status(&mut self) -> &mut WorkloadStatus {
        Arc::make_mut(&mut self.job.status)
    }

    /// How many completions it wants; none counts as 0.
    pub(super) fn completions(&self) -> i32 {
        self.job.completions.unwrap_or(0)
    }

    pub(super) fn backoff_limit(&self) -> i32 {
        let control = &self.job.control.job;
        let default =
            if control.backoff_limit_per_index.is_some() { i32::MAX } else { BACKOFF_LIMIT };
        control.backoff_limit.unwrap_or(default)
    }

    /// Whether pods are replaced only once they have ended (`onlyReplaceFailedPods`).
    pub(super) fn replaces_failed_only(&self) -> bool {
        let control = &self.job.control.job;
        control.replace_failed_only || !control.pod_failure_policy.is_empty()
    }

    /// Whether a pod failed; one that is going has, unless it is to end first (`isPodFailed`).
    pub(super) fn is_failed(&self, pod: &Pod) -> bool {
        let is_going = pod.metadata.deletion_timestamp.is_some();
        pod.status.phase == PodPhase::Failed
            || (!self.replaces_failed_only() && is_going && pod.status.phase != PodPhase::Succeeded)
    }

    /// The pods that have not been counted yet, of these (`getValidPodsWithFilter`).
    pub(super) fn uncounted_pods(
        &self,
        uncounted: &Set<String>,
        is_meant: impl Fn(&Pod) -> bool,
    ) -> Vec<Arc<Pod>> {
        let is_new = |pod: &&Arc<Pod>| {
            self.is_tracked(pod)
                && !uncounted.contains(&pod.metadata.uid)
                && (!self.job.indexed || self.index_in_range(pod).is_some())
                && is_meant(pod)
        };
        self.pods.iter().filter(is_new).cloned().collect()
    }

    /// Whether a pod has to be let go of still.
    pub(super) fn is_tracked(&self, pod: &Pod) -> bool {
        pod.metadata.job_tracking && !self.released.contains(&pod.metadata.uid)
    }

    /// A pod's index, if it is one of those that are wanted.
    pub(super) fn index_in_range(&self, pod: &Pod) -> Option<i32> {
        index_of(pod).filter(|index| *index < self.completions())
    }

    /// The indexes of tracked pods.
    pub(super) fn tracked_indexes(&self, is_meant: impl Fn(&&Arc<Pod>) -> bool) -> Vec<i32> {
        let pods = self.pods.iter().filter(|pod| pod.metadata.job_tracking).filter(is_meant);
        pods.filter_map(|pod| self.index_in_range(pod)).collect()
    }
}
