//! Node-pressure eviction: which pod has to go when a node runs short of memory, disk, inodes or process numbers.
//!
//! Mirrors `pkg/kubelet/eviction/{eviction_manager,helpers}.go`. Deviations: the node has one disk for everything;
//! nothing can be freed by deleting images and dead containers; volumes are not measured; statistics are taken anew
//! for every round.

mod limits;
mod manager;
mod message;
mod rank;
mod threshold;

use crate::api::{Pod, Quantity};

pub use manager::{Evicted, Manager, Round};
pub use rank::rank;
pub use threshold::{Observation, Signal, Threshold, ThresholdValue};

/// From this priority on a pod is not evicted (`SystemCriticalPriority`).
const CRITICAL_PRIORITY: i32 = 2_000_000_000;

/// What a pod uses, as the kubelet's summary says it: all in its first container.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PodStats {
    /// Working set in bytes.
    pub memory: Option<u64>,
    /// Bytes in the container's writable layer.
    pub disk: Option<u64>,
    /// Bytes of its logs.
    pub logs: Option<u64>,
    /// Inodes of its writable layer.
    pub inodes: Option<u64>,
    /// Processes.
    pub processes: Option<u64>,
}

/// A pod that runs on the node.
#[derive(Clone, Copy, Debug)]
pub struct Candidate<'a> {
    /// The pod.
    pub pod: &'a Pod,
    /// What it uses, if that is known.
    pub stats: Option<&'a PodStats>,
    /// Whether the kubelet has it from a file (or it stands for such a one): it would not come back.
    pub is_static: bool,
}

impl Candidate<'_> {
    /// Whether it is never evicted (`IsCriticalPod`).
    pub fn is_critical(&self) -> bool {
        self.is_static || self.pod.spec.priority.is_some_and(|p| p >= CRITICAL_PRIORITY)
    }
}

/// A number of bytes, as wide as Go's conversion leaves it.
fn bytes(used: Option<u64>) -> Quantity {
    Quantity::from_value(used.unwrap_or(0).cast_signed(), crate::api::Format::BinarySI)
}

/// What a pod has written: its writable layer and its logs (`podDiskUsage`).
fn disk_usage(stats: &PodStats) -> Quantity {
    let mut used = bytes(stats.disk);
    used.add(&bytes(stats.logs));
    used
}

#[cfg(test)]
mod tests;
