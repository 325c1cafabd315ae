//! Whether a pod may preempt at all.
//!
//! Mirrors `PodEligibleToPreemptOthers` of `default_preemption.go`.

use crate::api::{Pod, PreemptionPolicy};
use crate::cluster::{NodeIdx, PodIdx};
use crate::framework::cycle::nominated_node;
use crate::framework::state::Context;
use crate::framework::status::Code;

/// Why a pod may not preempt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ineligible {
    /// It says so itself.
    PolicyNever,
    /// It preempted before: this pod is still going from the node that it is nominated to.
    TerminatingVictim(PodIdx),
}

impl Ineligible {
    /// Kubernetes' text.
    pub const fn message(self) -> &'static str {
        match self {
            Self::PolicyNever => "not eligible due to preemptionPolicy=Never.",
            Self::TerminatingVictim(_) => {
                "not eligible due to a terminating pod on the nominated node."
            }
        }
    }
}

/// Why the pod may not preempt, if so. `rejected` are the nodes with the codes that Filter gave
/// them; one that was not filtered counts as `UnschedulableAndUnresolvable`.
pub fn eligibility(cx: &Context<'_>, rejected: &[(NodeIdx, Code)]) -> Option<Ineligible> {
    if cx.pod.pod.spec.preemption_policy == Some(PreemptionPolicy::Never) {
        return Some(Ineligible::PolicyNever);
    }
    // If no victim could help there, the pod may look for others.
    let nominated = nominated_node(cx)?;
    let (_, code) = rejected.iter().find(|(idx, _)| *idx == nominated)?;
    if *code == Code::UnschedulableAndUnresolvable {
        return None;
    }
    let node = cx.cluster.node(nominated)?;
    for &idx in &node.pods {
        if let Some(pod) = cx.cluster.pod(idx)
            && pod.priority() < cx.pod.priority()
            && terminating_by_preemption(&pod.pod)
        {
            return Some(Ineligible::TerminatingVictim(idx));
        }
    }
    None
}

/// Whether the scheduler asked for the pod's deletion: only the first `DisruptionTarget` counts.
fn terminating_by_preemption(pod: &Pod) -> bool {
    if pod.metadata.deletion_timestamp.is_none() {
        return false;
    }
    for condition in &pod.status.conditions {
        if condition.kind == "DisruptionTarget" {
            return condition.status == "True" && condition.reason == "PreemptionByScheduler";
        }
    }
    false
}
