//! The queue of a controller's keys.
//!
//! Mirrors `k8s.io/client-go/util/workqueue`: a key is in the queue once, keys come out in the order in which they
//! came, a key that failed waits longer each time. A controller with several queues tells them apart by number.

use alloc::collections::{BTreeSet, VecDeque};
use alloc::vec::Vec;

use crate::api::ObjectKey;
use crate::collections::Map;
use crate::queue::Instant;

/// Something to be worked on: a key in one of a controller's queues.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct WorkItem {
    /// Which queue.
    pub queue: u8,
    /// Which object.
    pub key: ObjectKey,
}

impl WorkItem {
    /// A key in a queue.
    pub const fn new(queue: u8, key: ObjectKey) -> Self {
        Self { queue, key }
    }
}

/// All queues of one controller.
#[derive(Clone, Debug, Default)]
pub struct WorkQueue {
    ready: VecDeque<WorkItem>,
    /// The same, to be looked up: a cluster that begins with many pods brings as many keys at once.
    listed: BTreeSet<WorkItem>,
    /// What is to come in later, each with its time.
    waiting: Map<WorkItem, Instant>,
    /// The same as far as the agenda does not know it yet.
    later: Vec<(Instant, WorkItem)>,
    failures: Map<WorkItem, u32>,
    /// How long a key waits after its first failure, and at most, in nanoseconds.
    delays: (i64, i64),
}

impl WorkQueue {
    /// An empty queue in which a key that failed waits so many nanoseconds, then twice as many and so on, at most so
    /// many.
    pub(super) fn new(delays: (i64, i64)) -> Self {
        Self { delays, ..Self::default() }
    }

    /// Puts a key in, unless it is there.
    pub fn add(&mut self, item: WorkItem) {
        if self.listed.insert(item.clone()) {
            self.ready.push_back(item);
        }
    }

    /// Puts a key in at an instant, unless it comes sooner anyway (`AddAfter`).
    pub fn add_at(&mut self, at: Instant, item: WorkItem) {
        if self.waiting.get(&item).is_none_or(|known| *known > at) {
            self.waiting.insert(item.clone(), at);
            self.later.push((at, item));
        }
    }

    /// Puts a key that failed in again, after a time that doubles with each failure (`AddRateLimited`).
    pub fn add_rate_limited(&mut self, now: Instant, item: WorkItem) {
        let failures = self.failures.or_default(item.clone());
        let delay = self.delays.0.saturating_mul(1 << (*failures).min(40));
        *failures = failures.saturating_add(1);
        self.add_at(now.after(delay.min(self.delays.1)), item);
    }

    /// How often a key failed since it was last forgotten (`NumRequeues`).
    pub fn failures(&self, item: &WorkItem) -> u32 {
        self.failures.get(item).copied().unwrap_or(0)
    }

    /// A key did not fail any more (`Forget`).
    pub fn forget(&mut self, item: &WorkItem) {
        self.failures.remove(item);
    }

    /// The time has come for a key. False if it had come before.
    pub(super) fn arrive(&mut self, now: Instant, item: WorkItem) -> bool {
        let is_due = self.waiting.get(&item).is_some_and(|at| *at <= now);
        if is_due {
            self.waiting.remove(&item);
            self.add(item);
        }
        is_due
    }

    /// The next key to be worked on.
    pub(super) fn pop(&mut self) -> Option<WorkItem> {
        let item = self.ready.pop_front()?;
        self.listed.remove(&item);
        Some(item)
    }

    /// What is to come in later.
    pub(super) fn take_later(&mut self) -> Vec<(Instant, WorkItem)> {
        core::mem::take(&mut self.later)
    }
}
