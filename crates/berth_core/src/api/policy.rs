//! Disruption budgets.

use crate::collections::Map;
use alloc::string::String;

use super::{LabelSelector, ObjectMeta, Time};

/// A PodDisruptionBudget (`policy/v1`).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PodDisruptionBudget {
    /// Name and namespace.
    pub metadata: ObjectMeta,
    /// The pods; none selects no pod, empty every pod of the namespace.
    pub selector: Option<LabelSelector>,
    /// How many must stay.
    pub min_available: Option<IntOrPercent>,
    /// How many may be missing.
    pub max_unavailable: Option<IntOrPercent>,
    /// What the disruption controller computed.
    pub status: PodDisruptionBudgetStatus,
}

/// A number, or a share such as `50%`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum IntOrPercent {
    /// A number of pods.
    Int(i32),
    /// The text of a share.
    Percent(String),
}

/// `status` of a budget.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PodDisruptionBudgetStatus {
    /// How many more pods may be disrupted now.
    pub disruptions_allowed: i32,
    /// Healthy pods.
    pub current_healthy: i32,
    /// Healthy pods wanted at least.
    pub desired_healthy: i32,
    /// Pods counted by the budget.
    pub expected_pods: i32,
    /// Pods whose eviction was granted but not yet seen, with the time.
    pub disrupted_pods: Map<String, Time>,
}
