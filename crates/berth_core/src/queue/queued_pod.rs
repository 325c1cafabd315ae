//! A pod with what the queue knows of it.
//!
//! Mirrors `QueuedPodInfo` of `pkg/scheduler/framework/types.go` and `PrioritySort.Less` of
//! `pkg/scheduler/framework/plugins/queuesort/priority_sort.go`.

use alloc::sync::Arc;

use super::time::Instant;
use crate::api::{ObjectKey, Pod};
use crate::framework::plugin::PluginId;

/// Plugins, each once.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PluginSet(u32);

impl PluginSet {
    /// Adds a plugin.
    pub const fn insert(&mut self, plugin: PluginId) {
        self.0 |= 1 << plugin as u32;
    }

    /// Whether a plugin is there.
    pub const fn contains(self, plugin: PluginId) -> bool {
        self.0 & 1 << plugin as u32 != 0
    }

    /// Whether there is no plugin.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The plugins.
    pub fn iter(self) -> impl Iterator<Item = PluginId> {
        PluginId::ALL.iter().copied().filter(move |plugin| self.contains(*plugin))
    }
}

/// A pod that waits.
///
/// `PendingPlugins` has no place: no plugin that Berth runs lets a pod wait for something else than
/// the cluster's change, so a pod never skips its backoff.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct QueuedPod {
    /// The pod as it was last heard of.
    pub pod: Arc<Pod>,
    /// When it came, or when its last attempt ended.
    pub timestamp: Instant,
    /// Attempts that were begun.
    pub attempts: u32,
    /// Attempts that plugins ended.
    pub unschedulable_count: u32,
    /// Attempts in a row that ended with an error.
    pub consecutive_errors: u32,
    /// The plugins that refused it: only what concerns one of them wakes it.
    pub unschedulable_plugins: PluginSet,
    /// The plugin that does not let it in.
    pub gating_plugin: Option<PluginId>,
}

impl QueuedPod {
    /// A pod that comes now.
    pub fn new(pod: &Arc<Pod>, now: Instant) -> Self {
        Self {
            pod: Arc::clone(pod),
            timestamp: now,
            attempts: 0,
            unschedulable_count: 0,
            consecutive_errors: 0,
            unschedulable_plugins: PluginSet::default(),
            gating_plugin: None,
        }
    }

    /// Whether a pod has that key.
    pub fn is(&self, key: &ObjectKey) -> bool {
        self.pod.metadata.name == key.name && self.pod.metadata.namespace == key.namespace
    }
}

/// Whether one pod goes before another: by priority, then by time.
pub fn less(a: &QueuedPod, b: &QueuedPod) -> bool {
    let (first, second) = (a.pod.priority(), b.pod.priority());
    first > second || first == second && a.timestamp < b.timestamp
}
