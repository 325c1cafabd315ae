//! Amounts of resources, and what a container asks for.

use crate::collections::Map;
use alloc::string::String;

use super::Quantity;
use super::names::label_key_errors;

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

/// Whether a resource is Kubernetes' own: a name without a prefix, or with one of its own (`IsNativeResource`).
#[must_use]
pub fn is_native_resource(name: &str) -> bool {
    !name.contains('/') || name.contains("kubernetes.io/")
}

/// Whether a resource is huge pages of some size (`IsHugePageResourceName`).
#[must_use]
pub fn is_huge_page_resource(name: &str) -> bool {
    name.starts_with("hugepages-")
}

/// Whether a resource is an extended one, such as `example.com/gpu` (`IsExtendedResourceName`).
#[must_use]
pub fn is_extended_resource(name: &str) -> bool {
    !is_native_resource(name)
        && !name.starts_with("requests.")
        && label_key_errors(&alloc::format!("requests.{name}")).is_empty()
}
