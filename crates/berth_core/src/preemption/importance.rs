//! Which of two pods is more important.
//!
//! Mirrors `MoreImportantPod` and `GetPodStartTime` of `pkg/scheduler/util/utils.go`.

use crate::cluster::{PodIdx, PodInfo};
use crate::sort_slice::sort_slice;

/// A pod with what its importance hangs on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ranked {
    /// The pod.
    pub pod: PodIdx,
    /// Its priority.
    pub priority: i32,
    /// When it started, in seconds; none is the time at which somebody asks.
    pub start: Option<i64>,
}

impl Ranked {
    /// A pod of the store.
    pub fn new(idx: PodIdx, pod: &PodInfo) -> Self {
        Self { pod: idx, priority: pod.priority(), start: pod.start_time.map(|time| time.0) }
    }

    /// Whether the pod is more important than another: by priority, then by the earlier start.
    ///
    /// Time passes between two looks at the clock, so of two pods without a start time the one that
    /// is asked about first is the more important, whichever it is.
    pub fn more_important(self, other: Self) -> bool {
        if self.priority != other.priority {
            return self.priority > other.priority;
        }
        match (self.start, other.start) {
            (Some(start), Some(other)) => start < other,
            (_, None) => true,
            (None, Some(_)) => false,
        }
    }
}

/// Puts the more important pods first, in exactly the order in which Go's sort leaves them.
pub fn sort(pods: &mut [Ranked]) {
    sort_slice(pods, Ranked::more_important);
}
