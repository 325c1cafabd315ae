//! What happens in a cluster, as far as it can make a pod schedulable.
//!
//! Mirrors `pkg/scheduler/framework/events.go` and `ClusterEvent` of
//! `k8s.io/kube-scheduler/framework/types.go`. Only nodes and pods have events: of the other kinds that
//! plugins ask for Berth simulates none, and no plugin asks for namespaces or disruption budgets. Nodes'
//! conditions, annotations and declared features are left out, since no plugin that can refuse a pod here
//! asks for them.

use alloc::sync::Arc;
use alloc::vec::Vec;

use crate::api::{Node, Pod, Quantity};
use crate::cluster::PodInfo;
use crate::cluster::requests::{RequestOptions, pod_requests};

/// Kinds of change, as bits (`ActionType`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ActionType(u16);

impl ActionType {
    /// The object came. A pod comes when it is bound, too.
    pub const ADD: Self = Self(1);
    /// The object went. A pod that was nominated goes from the node when the nomination does.
    pub const DELETE: Self = Self(1 << 1);
    /// A node's allocatable amounts changed.
    pub const UPDATE_NODE_ALLOCATABLE: Self = Self(1 << 2);
    /// A node's labels changed.
    pub const UPDATE_NODE_LABEL: Self = Self(1 << 3);
    /// A node's taints changed, or it was uncordoned.
    pub const UPDATE_NODE_TAINT: Self = Self(1 << 4);
    /// A pod's labels changed.
    pub const UPDATE_POD_LABEL: Self = Self(1 << 8);
    /// A pod requests less of something.
    pub const UPDATE_POD_SCALE_DOWN: Self = Self(1 << 9);
    /// A pod has more or fewer tolerations.
    pub const UPDATE_POD_TOLERATION: Self = Self(1 << 10);
    /// The last of a pod's scheduling gates is gone.
    pub const UPDATE_POD_SCHEDULING_GATES_ELIMINATED: Self = Self(1 << 11);

    /// Both kinds.
    #[must_use]
    pub const fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Whether somebody who asked for this hears of `incoming` (`MatchClusterEvents`).
    pub const fn matches(self, incoming: Self) -> bool {
        self.0 & incoming.0 != 0 && incoming.0 <= self.0
    }
}

/// Something that happened.
#[derive(Clone, Debug)]
pub enum Event {
    /// To a node.
    Node {
        /// What.
        action: ActionType,
        /// The node before.
        old: Option<Arc<Node>>,
        /// The node after.
        new: Option<Arc<Node>>,
    },
    /// To a pod.
    Pod {
        /// What.
        action: ActionType,
        /// The pod before.
        old: Option<Arc<PodInfo>>,
        /// The pod after.
        new: Option<Arc<PodInfo>>,
    },
    /// The pod has been unschedulable for too long (`EventUnschedulableTimeout`).
    UnschedulableTimeout,
}

/// What changed at a node (`NodeSchedulingPropertiesChange`).
pub fn node_changes(old: &Node, new: &Node) -> Vec<ActionType> {
    let mut changes = Vec::new();
    // Cordoning is no event, uncordoning is.
    if old.spec.unschedulable && !new.spec.unschedulable {
        changes.push(ActionType::UPDATE_NODE_TAINT);
    }
    if old.status.allocatable != new.status.allocatable {
        changes.push(ActionType::UPDATE_NODE_ALLOCATABLE);
    }
    if old.metadata.labels != new.metadata.labels {
        changes.push(ActionType::UPDATE_NODE_LABEL);
    }
    if old.spec.taints != new.spec.taints {
        changes.push(ActionType::UPDATE_NODE_TAINT);
    }
    changes
}

/// What changed at a pod (`PodSchedulingPropertiesChange`). Where nothing did that has a name the
/// real list has a general update, for which no plugin asks.
pub fn pod_changes(old: &PodInfo, new: &PodInfo) -> Vec<ActionType> {
    let mut changes = Vec::new();
    let (was, is): (&Pod, &Pod) = (&old.pod, &new.pod);
    if was.metadata.labels != is.metadata.labels {
        changes.push(ActionType::UPDATE_POD_LABEL);
    }
    if scaled_down(was, is) {
        changes.push(ActionType::UPDATE_POD_SCALE_DOWN);
    }
    if !was.spec.scheduling_gates.is_empty() && is.spec.scheduling_gates.is_empty() {
        changes.push(ActionType::UPDATE_POD_SCHEDULING_GATES_ELIMINATED);
    }
    if was.spec.tolerations.len() != is.spec.tolerations.len() {
        changes.push(ActionType::UPDATE_POD_TOLERATION);
    }
    changes
}

/// Whether a pod requests less of something (`extractPodScaleDown`).
fn scaled_down(old: &Pod, new: &Pod) -> bool {
    let after = pod_requests(new, RequestOptions::AS_SCHEDULED);
    for (name, before) in &pod_requests(old, RequestOptions::AS_SCHEDULED) {
        if after.get(name).map(Quantity::milli_value).is_none_or(|now| before.milli_value() > now) {
            return true;
        }
    }
    false
}
