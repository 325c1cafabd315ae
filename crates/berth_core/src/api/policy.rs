//! Disruption budgets.

use crate::collections::Map;
use alloc::string::String;
use alloc::vec::Vec;

use super::pod::api_enum;
use super::{Condition, LabelSelector, ObjectMeta, Time};

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
    /// Which pods that are not ready may be evicted; none is as `IfHealthyBudget`.
    pub unhealthy_pod_eviction_policy: Option<UnhealthyPodEvictionPolicy>,
    /// What the disruption controller computed.
    pub status: PodDisruptionBudgetStatus,
    /// Where the status is from.
    pub status_source: StatusSource,
}

/// Where a budget's status is from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum StatusSource {
    /// From the spec, the pods and the workloads, as the disruption controller has it by now.
    #[default]
    Computed,
    /// It was given, and stays: the controller's status may lag behind.
    Pinned,
}

api_enum! {
    /// What an eviction does about a pod that is not ready.
    UnhealthyPodEvictionPolicy {
        /// It is evicted if as many others are healthy as the budget asks for.
        IfHealthyBudget = "IfHealthyBudget",
        /// It is evicted.
        AlwaysAllow = "AlwaysAllow",
    }
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
    /// The `metadata.generation` that the rest was computed from.
    pub observed_generation: i64,
    /// Conditions; the controller writes `DisruptionAllowed`.
    pub conditions: Vec<Condition>,
}

impl PodDisruptionBudgetStatus {
    /// The condition that says whether a disruption is allowed.
    pub const CONDITION: &str = "DisruptionAllowed";
    /// The condition's reason where the controller could not tell.
    pub const SYNC_FAILED: &str = "SyncFailed";

    /// Makes the condition say what `disruptions_allowed` says (`UpdateDisruptionAllowedCondition`).
    pub fn update_condition(&mut self) {
        let (status, reason) = self.condition();
        self.set_condition(status, reason, String::new());
    }

    /// Whether the condition says what `disruptions_allowed` says.
    pub fn has_condition(&self) -> bool {
        let (status, reason) = self.condition();
        Condition::find(&self.conditions, Self::CONDITION)
            .is_some_and(|c| c.status == status && c.reason == reason)
    }

    pub(crate) fn set_condition(&mut self, status: &str, reason: &str, message: String) {
        Condition::set(
            &mut self.conditions,
            Condition {
                kind: Self::CONDITION.into(),
                status: status.into(),
                reason: reason.into(),
                message,
                last_transition_time: None,
            },
        );
    }

    const fn condition(&self) -> (&'static str, &'static str) {
        if self.disruptions_allowed > 0 {
            ("True", "SufficientPods")
        } else {
            ("False", "InsufficientPods")
        }
    }
}
