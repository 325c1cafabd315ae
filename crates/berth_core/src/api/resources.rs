//! Amounts of resources, and what a container asks for.

use crate::collections::Map;
use alloc::string::String;

use super::Quantity;

/// Amounts by resource name (`v1.ResourceList`).
pub type ResourceList = Map<String, Quantity>;

/// `resources` of a container or a pod.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct ResourceRequirements {
    /// What is set aside.
    pub requests: ResourceList,
    /// What may not be exceeded.
    pub limits: ResourceList,
}
