//! What a controller has done and not yet heard of: until it has, it does not count its pods again.
//!
//! Mirrors `ControllerExpectations` and `UIDTrackingControllerExpectations` of `pkg/controller/controller_utils.go`.

use alloc::vec::Vec;

use crate::api::ObjectKey;
use crate::collections::{Map, Set};
use crate::queue::Instant;
use crate::queue::time::SECOND;

/// After so many nanoseconds nothing is waited for any more (`ExpectationsTimeout`).
const TIMEOUT: i64 = 5 * 60 * SECOND;

/// What each workload of a controller waits for.
#[derive(Clone, Debug, Default)]
pub(super) struct Expectations {
    counts: Map<ObjectKey, Count>,
    /// The pods whose deletion is awaited.
    deleted: Map<ObjectKey, Set<ObjectKey>>,
}

#[derive(Clone, Copy, Debug)]
struct Count {
    creations: i64,
    deletions: i64,
    since: Instant,
}

impl Expectations {
    /// Whether a workload waits for nothing, or has waited for long enough (`SatisfiedExpectations`).
    pub(super) fn satisfied(&self, workload: &ObjectKey, now: Instant) -> bool {
        self.counts.get(workload).is_none_or(|count| {
            (count.creations <= 0 && count.deletions <= 0)
                || now.0.saturating_sub(count.since.0) > TIMEOUT
        })
    }

    /// Sets what a workload waits for, in place of what it waited for before (`SetExpectations`).
    pub(super) fn expect(
        &mut self,
        workload: &ObjectKey,
        creations: usize,
        deletions: usize,
        now: Instant,
    ) {
        let (creations, deletions) = (creations as i64, deletions as i64);
        let count = Count { creations, deletions, since: now };
        self.counts.insert(workload.clone(), count);
    }

    /// Waits for these pods to go, and for nothing else (`ExpectDeletions`).
    pub(super) fn expect_deletions(
        &mut self,
        workload: &ObjectKey,
        pods: Vec<ObjectKey>,
        now: Instant,
    ) {
        let pods: Set<ObjectKey> = pods.into_iter().collect();
        self.expect(workload, 0, pods.len(), now);
        self.deleted.insert(workload.clone(), pods);
    }

    /// Waits for more (`RaiseExpectations`).
    pub(super) fn raise(&mut self, workload: &ObjectKey, creations: i64, deletions: i64) {
        if let Some(count) = self.counts.get_mut(workload) {
            count.creations += creations;
            count.deletions += deletions;
        }
    }

    /// A pod has come, or will not (`CreationObserved`).
    pub(super) fn creation_observed(&mut self, workload: &ObjectKey) {
        self.raise(workload, -1, 0);
    }

    /// A pod is going, or will not (`DeletionObserved` without identities).
    pub(super) fn deletion_counted(&mut self, workload: &ObjectKey) {
        self.raise(workload, 0, -1);
    }

    /// A pod is going, or will not: it counts once.
    pub(super) fn deletion_observed(&mut self, workload: &ObjectKey, pod: &ObjectKey) {
        if self.deleted.get_mut(workload).is_some_and(|pods| pods.remove(pod)) {
            self.deletion_counted(workload);
        }
    }

    /// Forgets a workload.
    pub(super) fn remove(&mut self, workload: &ObjectKey) {
        self.counts.remove(workload);
        self.deleted.remove(workload);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pod_that_goes_counts_once() {
        let (set, pod) = (ObjectKey::new("a", "set"), ObjectKey::new("a", "pod"));
        let mut expectations = Expectations::default();
        assert!(expectations.satisfied(&set, Instant(0)));
        let other = ObjectKey::new("a", "other");
        expectations.expect_deletions(&set, alloc::vec![pod.clone(), other.clone()], Instant(0));
        expectations.deletion_observed(&set, &pod);
        expectations.deletion_observed(&set, &pod);
        assert!(!expectations.satisfied(&set, Instant(TIMEOUT)));
        assert!(expectations.satisfied(&set, Instant(TIMEOUT + 1)));
        expectations.deletion_observed(&set, &other);
        assert!(expectations.satisfied(&set, Instant(0)));
        expectations.expect(&set, 1, 0, Instant(0));
        assert!(!expectations.satisfied(&set, Instant(0)));
        expectations.remove(&set);
        assert!(expectations.satisfied(&set, Instant(0)));
    }
}
