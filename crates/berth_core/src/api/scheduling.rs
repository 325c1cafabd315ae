//! Priority classes.

use alloc::string::String;

use super::{ObjectMeta, PreemptionPolicy};

/// A PriorityClass (`scheduling.k8s.io/v1`).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PriorityClass {
    /// Name.
    pub metadata: ObjectMeta,
    /// The priority that pods of this class get.
    pub value: i32,
    /// Whether pods without a class get this one.
    pub global_default: bool,
    /// Whether pods of this class may preempt.
    pub preemption_policy: Option<PreemptionPolicy>,
    /// For people.
    pub description: String,
}
