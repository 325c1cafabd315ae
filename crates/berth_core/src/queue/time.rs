//! Virtual time, and how long pods back off.
//!
//! Mirrors `backoff_queue.go`, as far as it computes.

use super::QueuedPod;

/// A second in nanoseconds: also the window in which pods that back off are ordered by priority, and
/// the interval at which they are flushed (`backoffQOrderingWindowDuration`).
pub const SECOND: i64 = 1_000_000_000;
/// How often unschedulable pods are looked at for the flush.
pub const UNSCHEDULABLE_FLUSH_INTERVAL: i64 = 30 * SECOND;
/// How long a pod has to be unschedulable at least to be flushed
/// (`DefaultPodMaxInUnschedulablePodsDuration`).
pub const MAX_IN_UNSCHEDULABLE: i64 = 5 * 60 * SECOND;

/// A moment of virtual time: nanoseconds since a whole second of somebody's choice.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Instant(pub i64);

impl Instant {
    /// So many nanoseconds later.
    #[must_use]
    pub const fn after(self, nanoseconds: i64) -> Self {
        Self(self.0.saturating_add(nanoseconds))
    }

    /// The whole second in which this moment is (`alignToWindow`).
    #[must_use]
    pub const fn window(self) -> Self {
        Self(self.0.saturating_sub(self.0.rem_euclid(SECOND)))
    }
}

/// How long pods back off.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Backoff {
    /// After the first attempt, in nanoseconds.
    initial: i64,
    /// At most, in nanoseconds; 0 is no backoff at all.
    max: i64,
}

impl Backoff {
    /// From the configuration's `podInitialBackoffSeconds` and `podMaxBackoffSeconds`.
    pub const fn from_seconds(initial: i64, max: i64) -> Self {
        Self { initial: initial.saturating_mul(SECOND), max: max.saturating_mul(SECOND) }
    }

    /// The longest backoff, in nanoseconds.
    pub const fn max(self) -> i64 {
        self.max
    }

    /// How long a pod backs off after so many attempts, in nanoseconds (`calculateBackoffDuration`).
    pub const fn duration(self, attempts: u32) -> i64 {
        let Some(shift) = attempts.checked_sub(1) else { return 0 };
        let shift = if shift > 63 { 63 } else { shift };
        if self.initial > self.max >> shift { self.max } else { self.initial << shift }
    }

    /// When a pod's backoff ends; none if it has none (`getBackoffTime`).
    pub fn expiry(self, pod: &QueuedPod) -> Option<Instant> {
        let count = if pod.consecutive_errors > 0 {
            pod.consecutive_errors
        } else {
            pod.unschedulable_count
        };
        if self.max == 0 || count == 0 {
            return None;
        }
        Some(pod.timestamp.after(self.duration(count)).window())
    }

    /// Whether a pod is to wait still. It is throughout the second in which its backoff ends
    /// (`isPodBackingoff`).
    pub fn is_backing_off(self, pod: &QueuedPod, now: Instant) -> bool {
        self.expiry(pod).is_some_and(|expiry| expiry >= now.window())
    }
}
