//! Any object that Berth knows.

use alloc::sync::Arc;

use super::{
    Namespace, Node, ObjectKey, ObjectMeta, Pod, PodDisruptionBudget, PriorityClass, Service,
    Workload, WorkloadKind,
};

/// An object of the cluster.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Object {
    /// A node.
    Node(Arc<Node>),
    /// A pod.
    Pod(Arc<Pod>),
    /// A namespace.
    Namespace(Arc<Namespace>),
    /// A priority class.
    PriorityClass(Arc<PriorityClass>),
    /// A disruption budget.
    PodDisruptionBudget(Arc<PodDisruptionBudget>),
    /// A service.
    Service(Arc<Service>),
    /// Something that makes pods.
    Workload(Arc<Workload>),
}

/// Kind of an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// A node.
    Node,
    /// A pod.
    Pod,
    /// A namespace.
    Namespace,
    /// A priority class.
    PriorityClass,
    /// A disruption budget.
    PodDisruptionBudget,
    /// A service.
    Service,
    /// Something that makes pods.
    Workload(WorkloadKind),
}

impl Kind {
    /// The API's word.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Node => "Node",
            Self::Pod => "Pod",
            Self::Namespace => "Namespace",
            Self::PriorityClass => "PriorityClass",
            Self::PodDisruptionBudget => "PodDisruptionBudget",
            Self::Service => "Service",
            Self::Workload(kind) => kind.as_str(),
        }
    }
}

impl Object {
    /// Its kind.
    pub fn kind(&self) -> Kind {
        match self {
            Self::Node(_) => Kind::Node,
            Self::Pod(_) => Kind::Pod,
            Self::Namespace(_) => Kind::Namespace,
            Self::PriorityClass(_) => Kind::PriorityClass,
            Self::PodDisruptionBudget(_) => Kind::PodDisruptionBudget,
            Self::Service(_) => Kind::Service,
            Self::Workload(workload) => Kind::Workload(workload.kind),
        }
    }

    /// Its metadata.
    pub fn metadata(&self) -> &ObjectMeta {
        match self {
            Self::Node(object) => &object.metadata,
            Self::Pod(object) => &object.metadata,
            Self::Namespace(object) => &object.metadata,
            Self::PriorityClass(object) => &object.metadata,
            Self::PodDisruptionBudget(object) => &object.metadata,
            Self::Service(object) => &object.metadata,
            Self::Workload(object) => &object.metadata,
        }
    }

    /// Namespace and name.
    pub fn key(&self) -> ObjectKey {
        self.metadata().key()
    }
}
