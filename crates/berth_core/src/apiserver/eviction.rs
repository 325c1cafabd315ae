//! Eviction: deleting a pod if its disruption budget allows it.
//!
//! Mirrors `EvictionREST.Create` (`pkg/registry/core/pod/storage/eviction.go`). Deviations: conflicts with other
//! writers do not happen, so nothing is retried (a precondition that does not hold is retried for ten seconds there,
//! to no avail), and the pod that would be stored is not validated.

use alloc::format;
use alloc::string::String;
use core::fmt;

use super::preconditions::{Conflict, DeleteOptions, Preconditions};
use crate::api::field_error::quote;
use crate::api::{
    Condition, ObjectKey, Pod, PodDisruptionBudget, PodDisruptionBudgetStatus, PodPhase, Selector,
    Time, UnhealthyPodEvictionPolicy,
};

/// Granted evictions that the disruption controller has not seen, at most (`MaxDisruptedPodSize`).
const MOST_DISRUPTED: usize = 2000;

const WOULD_VIOLATE: &str = "Cannot evict pod as it would violate the pod's disruption budget.";

/// What becomes of an eviction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Evicted {
    /// The budget that was charged. It is, even if the deletion is then refused.
    pub charge: Option<Charge>,
    /// Whether the pod gets the condition `DisruptionTarget`, for the reason `EvictionByEvictionAPI`.
    pub marked: bool,
    /// The deletion that follows, or why there is none.
    pub outcome: Result<Deletion, Refusal>,
}

/// What an eviction takes from a budget.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Charge {
    /// The budget.
    pub budget: ObjectKey,
    /// Its status from now on.
    pub status: PodDisruptionBudgetStatus,
}

/// The deletion of a pod that may be evicted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Deletion {
    /// Seconds that were asked for.
    pub grace_period_seconds: Option<i64>,
    /// Whether nothing is stored.
    pub dry_run: bool,
    /// Whether the pod must not have changed since it was marked.
    pub same_version: bool,
}

/// Why a pod is not evicted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// Several budgets select it.
    SeveralBudgets,
    /// The status of the budget of this name is not about its present spec, or the pod has changed meanwhile.
    BeingProcessed(String),
    /// The status of the budget of this name cannot be.
    Negative(String),
    /// Too many evictions on the budget of this name have not been seen yet.
    TooManyDisrupted(String),
    /// The budget allows no disruption.
    NotAllowed {
        /// Its name.
        budget: String,
        /// Why.
        why: NotAllowed,
    },
    /// The pod is not the one that was meant.
    Conflict(Conflict),
}

/// Why a budget allows no disruption.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NotAllowed {
    /// The controller could not tell, for this reason.
    SyncFailed(String),
    /// No pod can be spared.
    Healthy {
        /// How many have to be healthy.
        desired: i32,
        /// How many are.
        current: i32,
    },
    /// For the reason that its condition gives.
    Condition {
        /// In a word.
        reason: String,
        /// In a sentence.
        message: String,
    },
    /// Nothing says why.
    Unknown,
}

impl Refusal {
    /// The status code of the answer.
    pub const fn code(&self) -> u16 {
        match self {
            Self::SeveralBudgets => 500,
            Self::BeingProcessed(_) | Self::NotAllowed { .. } => 429,
            Self::Negative(_) | Self::TooManyDisrupted(_) => 403,
            Self::Conflict(_) => 409,
        }
    }

    /// The reason in a word; empty if the API server gives none.
    pub const fn reason(&self) -> &'static str {
        match self {
            Self::SeveralBudgets => "",
            Self::BeingProcessed(_) | Self::NotAllowed { .. } => "TooManyRequests",
            Self::Negative(_) | Self::TooManyDisrupted(_) => "Forbidden",
            Self::Conflict(_) => "Conflict",
        }
    }

    /// Seconds after which to try again, if it makes sense to.
    pub const fn retry_after_seconds(&self) -> i32 {
        if let Self::BeingProcessed(_) = self { 10 } else { 0 }
    }

    /// What the message is due to (`DisruptionBudget` is its type).
    pub fn cause(&self) -> Option<String> {
        match self {
            Self::BeingProcessed(budget) => Some(format!(
                "The disruption budget {budget} is still being processed by the server."
            )),
            Self::NotAllowed { budget, why } => {
                let allows = "does not allow evicting pods currently";
                let words = match why {
                    NotAllowed::SyncFailed(message) => {
                        format!("{allows} because it failed sync: {message}")
                    }
                    NotAllowed::Healthy { desired, current } => {
                        format!("needs {desired} healthy pods and has {current} currently")
                    }
                    NotAllowed::Condition { reason, message } => {
                        format!("{allows} ({reason}): {message}")
                    }
                    NotAllowed::Unknown => allows.into(),
                };
                Some(format!("The disruption budget {budget} {words}"))
            }
            _ => None,
        }
    }
}

impl fmt::Display for Refusal {
    /// The API server's message.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (budget, why) = match self {
            Self::SeveralBudgets => {
                return f.write_str(
                    "This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.",
                );
            }
            Self::BeingProcessed(_) | Self::NotAllowed { .. } => return f.write_str(WOULD_VIOLATE),
            Self::Conflict(conflict) => return conflict.fmt(f),
            Self::Negative(budget) => (budget, "pdb disruptions allowed is negative"),
            Self::TooManyDisrupted(budget) => (
                budget,
                "DisruptedPods map too big - too many evictions not confirmed by PDB controller",
            ),
        };
        write!(f, "poddisruptionbudget.policy {} is forbidden: {why}", quote(budget))
    }
}

impl core::error::Error for Refusal {}

/// Evicts a pod, as far as the budgets (of any namespace) allow it.
pub fn evict(
    pod: &Pod,
    budgets: &mut dyn Iterator<Item = &PodDisruptionBudget>,
    options: &DeleteOptions,
    now: Time,
) -> Evicted {
    let refused = |refusal| Evicted { charge: None, marked: false, outcome: Err(refusal) };
    let asks_version = options.preconditions.resource_version.is_some();
    if ignores_budgets(pod) {
        // A pending pod may have become ready since.
        let pin = pod.status.phase == PodPhase::Pending
            && pod.metadata.deletion_timestamp.is_none()
            && !asks_version;
        return delete(pod, options, pin);
    }
    let mut selecting = budgets.filter(|budget| selects(budget, pod));
    let budget = selecting.next();
    if selecting.next().is_some() {
        return refused(Refusal::SeveralBudgets);
    }
    let Some(budget) = budget else { return delete(pod, options, false) };
    if !pod.is_ready() && spares_unready(budget) {
        let mut evicted = delete(pod, options, true);
        if let (Err(Refusal::Conflict(_)), false) = (&evicted.outcome, asks_version) {
            evicted.outcome = Err(Refusal::BeingProcessed(budget.metadata.name.clone()));
        }
        return evicted;
    }
    match decrement(budget, &pod.metadata.name, now) {
        Err(refusal) => refused(refusal),
        Ok(status) => {
            let charge = Charge { budget: budget.metadata.key(), status };
            let charge = (!options.dry_run).then_some(charge);
            Evicted { charge, ..delete(pod, options, false) }
        }
    }
}

/// A pod that has ended, has not begun, or is on its way out disrupts nothing (`canIgnorePDB`).
fn ignores_budgets(pod: &Pod) -> bool {
    pod.metadata.deletion_timestamp.is_some()
        || matches!(pod.status.phase, PodPhase::Pending | PodPhase::Succeeded | PodPhase::Failed)
}

fn selects(budget: &PodDisruptionBudget, pod: &Pod) -> bool {
    budget.metadata.namespace == pod.metadata.namespace
        && Selector::from_label_selector(budget.selector.as_ref())
            .is_ok_and(|selector| selector.matches(&pod.metadata.labels))
}

/// Whether a pod that is not ready may go without being counted.
fn spares_unready(budget: &PodDisruptionBudget) -> bool {
    let PodDisruptionBudgetStatus { current_healthy, desired_healthy, .. } = budget.status;
    budget.unhealthy_pod_eviction_policy == Some(UnhealthyPodEvictionPolicy::AlwaysAllow)
        || (current_healthy >= desired_healthy && desired_healthy > 0)
}

/// The budget's status with one disruption less to give (`checkAndDecrement`).
fn decrement(
    budget: &PodDisruptionBudget,
    pod: &str,
    now: Time,
) -> Result<PodDisruptionBudgetStatus, Refusal> {
    let status = &budget.status;
    let name = &budget.metadata.name;
    if status.observed_generation < budget.metadata.generation {
        return Err(Refusal::BeingProcessed(name.clone()));
    }
    if status.disruptions_allowed < 0 {
        return Err(Refusal::Negative(name.clone()));
    }
    if status.disrupted_pods.len() > MOST_DISRUPTED {
        return Err(Refusal::TooManyDisrupted(name.clone()));
    }
    if status.disruptions_allowed == 0 {
        return Err(Refusal::NotAllowed { budget: name.clone(), why: not_allowed(status) });
    }
    let mut status = status.clone();
    status.disruptions_allowed -= 1;
    if status.disruptions_allowed == 0 {
        status.update_condition();
    }
    status.disrupted_pods.insert(pod.into(), now);
    Ok(status)
}

fn not_allowed(status: &PodDisruptionBudgetStatus) -> NotAllowed {
    let condition = Condition::find(&status.conditions, PodDisruptionBudgetStatus::CONDITION);
    let told = condition.filter(|c| c.status == "False" && !c.message.is_empty());
    match told {
        Some(told) if told.reason == PodDisruptionBudgetStatus::SYNC_FAILED => {
            NotAllowed::SyncFailed(told.message.clone())
        }
        _ if status.current_healthy <= status.desired_healthy => {
            NotAllowed::Healthy { desired: status.desired_healthy, current: status.current_healthy }
        }
        Some(told) => {
            NotAllowed::Condition { reason: told.reason.clone(), message: told.message.clone() }
        }
        None => NotAllowed::Unknown,
    }
}

/// Marks the pod and deletes it (`addConditionAndDeletePod`), if it is still what it has to be. With `pin` it has to
/// be what it is now, whatever version was asked for.
fn delete(pod: &Pod, options: &DeleteOptions, pin: bool) -> Evicted {
    let version = if pin {
        Some(&pod.metadata.resource_version)
    } else {
        options.preconditions.resource_version.as_ref()
    };
    let mut preconditions = Preconditions {
        uid: options.preconditions.uid.clone(),
        resource_version: version.cloned(),
    };
    let same_version = version.is_some();
    if !options.dry_run {
        // To be marked the pod only has to be what is asked for in so many words.
        if let Err(conflict) = preconditions.without_empty().check(&pod.metadata) {
            let outcome = Err(Refusal::Conflict(conflict));
            return Evicted { charge: None, marked: false, outcome };
        }
        // From here on its version is the one that marking it made.
        preconditions.resource_version = None;
    }
    let outcome = match preconditions.check(&pod.metadata) {
        Err(conflict) => Err(Refusal::Conflict(conflict)),
        Ok(()) => Ok(Deletion {
            grace_period_seconds: options.grace_period_seconds,
            dry_run: options.dry_run,
            same_version,
        }),
    };
    Evicted { charge: None, marked: !options.dry_run, outcome }
}

#[cfg(test)]
mod tests;
