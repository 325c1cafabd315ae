//! Nodes and namespaces.

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use super::{ObjectMeta, ResourceList};

/// A node (`v1.Node`).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Node {
    /// Name and labels.
    pub metadata: ObjectMeta,
    /// What was asked of it.
    pub spec: NodeSpec,
    /// What it reported.
    pub status: NodeStatus,
}

/// `spec` of a node.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NodeSpec {
    /// Cordoned: `kubectl cordon` sets it.
    pub unschedulable: bool,
    /// Taints in their given order, which decides the one that is reported.
    pub taints: Vec<Taint>,
}

/// `status` of a node.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NodeStatus {
    /// Everything the machine has.
    pub capacity: ResourceList,
    /// What pods may use of it: the number that scheduling reads.
    pub allocatable: ResourceList,
    /// Images that are already on the node.
    pub images: Vec<ContainerImage>,
}

/// An image on a node.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ContainerImage {
    /// All names of the image.
    pub names: Vec<String>,
    /// Size in bytes.
    pub size_bytes: i64,
}

/// A taint.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Taint {
    /// Key.
    pub key: String,
    /// Value; may be empty.
    pub value: String,
    /// What it does to pods that do not tolerate it.
    pub effect: TaintEffect,
}

impl fmt::Display for Taint {
    /// `key=value:effect`, or `key:effect` without a value (`v1.Taint.ToString`).
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.key)?;
        if !self.value.is_empty() {
            write!(f, "={}", self.value)?;
        }
        write!(f, ":{}", self.effect)
    }
}

/// What a taint does to pods that do not tolerate it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum TaintEffect {
    /// New pods are refused.
    NoSchedule,
    /// New pods go elsewhere when they can.
    PreferNoSchedule,
    /// New pods are refused and running ones evicted.
    NoExecute,
}

impl TaintEffect {
    /// All effects, in the API's order.
    pub const ALL: [Self; 3] = [Self::NoSchedule, Self::PreferNoSchedule, Self::NoExecute];

    /// The API's word.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::NoSchedule => "NoSchedule",
            Self::PreferNoSchedule => "PreferNoSchedule",
            Self::NoExecute => "NoExecute",
        }
    }
}

impl fmt::Display for TaintEffect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// A namespace (`v1.Namespace`): scheduling reads its labels.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Namespace {
    /// Name and labels.
    pub metadata: ObjectMeta,
}
