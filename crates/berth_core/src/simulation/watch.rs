//! Who hears of a write, and how much later.
//!
//! Each component hears of writes after a time of its own, of pods later than of anything else; no two writes reach it
//! at the same instant. The scheduler hears first. So a batch that is created in one instant is in its queue whole
//! before it takes the first pod, and a controller knows what it did itself before it hears of the next pod. The
//! times are as in the reference that Berth is tested against; a real cluster's are milliseconds, and differ each time.

use crate::api::{Kind, WorkloadKind};
use crate::queue::Instant;

/// How long after a write the scheduler hears of a pod, in nanoseconds.
pub(super) const SCHEDULER: i64 = 100;

/// What one component watches of one kind.
#[derive(Clone, Copy, Debug)]
pub(super) struct Watch {
    kind: Kind,
    latency: i64,
    gap: i64,
    last: Instant,
}

impl Watch {
    /// The watch of a component that hears of pods so many nanoseconds late.
    pub(super) fn new(kind: Kind, base: i64) -> Self {
        let is_controller = base > SCHEDULER;
        let spread = i64::from(spread(kind));
        let (latency, gap) = match (kind, is_controller) {
            (Kind::Pod, true) => (base, 1_000),
            (Kind::Pod, false) => (base, 1),
            (_, true) => (100 + base / 100 + spread % 7 * 100, 1),
            (_, false) => (base + 20 + spread % 500, 1),
        };
        Self { kind, latency, gap, last: Instant(i64::MIN) }
    }

    /// The kind of objects.
    pub(super) const fn kind(&self) -> Kind {
        self.kind
    }

    /// When the component hears of a write.
    pub(super) fn hear(&mut self, written: Instant) -> Instant {
        self.last = written.after(self.latency).max(self.last.after(self.gap));
        self.last
    }
}

/// A number of a kind's own, from its plural.
fn spread(kind: Kind) -> u32 {
    let plural = match kind {
        Kind::Node => "nodes",
        Kind::Pod => "pods",
        Kind::Namespace => "namespaces",
        Kind::PriorityClass => "priorityclasses",
        Kind::PodDisruptionBudget => "poddisruptionbudgets",
        Kind::Service => "services",
        Kind::Workload(WorkloadKind::Deployment) => "deployments",
        Kind::Workload(WorkloadKind::ReplicaSet) => "replicasets",
        Kind::Workload(WorkloadKind::ReplicationController) => "replicationcontrollers",
        Kind::Workload(WorkloadKind::StatefulSet) => "statefulsets",
        Kind::Workload(WorkloadKind::DaemonSet) => "daemonsets",
        Kind::Workload(WorkloadKind::Job) => "jobs",
    };
    plural.bytes().fold(0, |sum: u32, byte| sum.wrapping_mul(31).wrapping_add(u32::from(byte)))
}
