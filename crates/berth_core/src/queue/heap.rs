//! A binary heap that moves its items exactly as Go's does.
//!
//! Mirrors `pkg/scheduler/backend/heap/heap.go` over `container/heap`: of pods that compare equal, the
//! moves decide which comes out first.

use alloc::sync::Arc;
use alloc::vec::Vec;

use super::time::Backoff;
use super::{QueuedPod, less};
use crate::api::ObjectKey;

/// What a heap is ordered by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Order {
    /// As PrioritySort has it.
    Priority,
    /// By the end of the backoff, then as PrioritySort has it (`lessBackoffCompletedWithPriority`).
    Backoff(Backoff),
    /// By the end of the backoff alone (`lessBackoffCompleted`).
    BackoffOnly(Backoff),
}

impl Order {
    fn less(self, a: &QueuedPod, b: &QueuedPod) -> bool {
        match self {
            Self::Priority => less(a, b),
            Self::Backoff(backoff) => {
                let (first, second) = (backoff.expiry(a), backoff.expiry(b));
                if first == second { less(a, b) } else { first < second }
            }
            Self::BackoffOnly(backoff) => backoff.expiry(a) < backoff.expiry(b),
        }
    }
}

/// Pods, the first of which comes out first.
#[derive(Clone, Debug)]
pub(super) struct Heap {
    order: Order,
    items: Vec<Arc<QueuedPod>>,
}

impl Heap {
    /// A heap without pods.
    pub(super) const fn new(order: Order) -> Self {
        Self { order, items: Vec::new() }
    }

    /// How many pods there are.
    pub(super) const fn len(&self) -> usize {
        self.items.len()
    }

    /// The pods in the order in which they would come out.
    pub(super) fn sorted(&self) -> Vec<Arc<QueuedPod>> {
        let mut rest = self.clone();
        let mut sorted = Vec::with_capacity(self.items.len());
        while let Some(pod) = rest.pop() {
            sorted.push(pod);
        }
        sorted
    }

    /// The pod that would come out next.
    pub(super) fn peek(&self) -> Option<&Arc<QueuedPod>> {
        self.items.first()
    }

    /// A pod by key.
    pub(super) fn find(&self, key: &ObjectKey) -> Option<usize> {
        super::position(&self.items, key)
    }

    /// Adds a pod that is not there.
    pub(super) fn push(&mut self, pod: Arc<QueuedPod>) {
        self.items.push(pod);
        self.up(self.items.len() - 1);
    }

    /// Takes the first pod out.
    pub(super) fn pop(&mut self) -> Option<Arc<QueuedPod>> {
        let last = self.items.len().checked_sub(1)?;
        self.items.swap(0, last);
        self.down(0, last);
        self.items.pop()
    }

    /// Takes the pod at a place out.
    pub(super) fn remove(&mut self, at: usize) -> Option<Arc<QueuedPod>> {
        let last = self.items.len().checked_sub(1)?;
        if at < last {
            self.items.swap(at, last);
            if !self.down(at, last) {
                self.up(at);
            }
        }
        self.items.pop()
    }

    /// Changes the pod at a place.
    pub(super) fn update(&mut self, at: usize, change: impl FnOnce(&mut QueuedPod)) {
        let Some(pod) = self.items.get_mut(at) else { return };
        change(Arc::make_mut(pod));
        if !self.down(at, self.items.len()) {
            self.up(at);
        }
    }

    fn less(&self, a: usize, b: usize) -> bool {
        match (self.items.get(a), self.items.get(b)) {
            (Some(a), Some(b)) => self.order.less(a, b),
            _ => false,
        }
    }

    fn up(&mut self, mut at: usize) {
        while at > 0 {
            let parent = (at - 1) / 2;
            if !self.less(at, parent) {
                break;
            }
            self.items.swap(parent, at);
            at = parent;
        }
    }

    /// Whether the item moved.
    fn down(&mut self, start: usize, end: usize) -> bool {
        let mut at = start;
        loop {
            let mut child = 2 * at + 1;
            if child >= end {
                break;
            }
            if child + 1 < end && self.less(child + 1, child) {
                child += 1;
            }
            if !self.less(child, at) {
                break;
            }
            self.items.swap(at, child);
            at = child;
        }
        at > start
    }
}
