//! Pods that use more disk than they may: they go without any threshold.
//!
//! Mirrors `containerEphemeralStorageLimitEviction` of `eviction_manager.go`.

use alloc::format;
use alloc::string::String;

use super::{Candidate, disk_usage};
use crate::api::field_error::quote;

/// What is said of a pod whose first container is over its limit of `ephemeral-storage`.
pub(super) fn over_limit(candidate: &Candidate<'_>) -> Option<String> {
    let used = disk_usage(candidate.stats?);
    let containers = &candidate.pod.spec.containers;
    let name = &containers.first()?.name;
    let limits = containers.iter().rev().filter(|container| container.name == *name);
    let mut limits = limits.filter_map(|c| c.resources.limits.get("ephemeral-storage"));
    let limit = limits.find(|limit| limit.value() != 0)?;
    (*limit < used).then(|| {
        let limit = quote(&format!("{limit}"));
        format!("Container {name} exceeded its local ephemeral storage limit {limit}. ")
    })
}
