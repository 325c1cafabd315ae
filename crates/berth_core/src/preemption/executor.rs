//! What a preemption does once a node is chosen.
//!
//! Mirrors `prepareCandidateAsync` and `getLowerPriorityNominatedPods` of
//! `pkg/scheduler/framework/preemption/executor.go`, as far as they decide who is touched.

use alloc::vec::Vec;

use crate::cluster::{NodeIdx, PodIdx};
use crate::framework::state::Context;

/// Who is touched.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Effects {
    /// Victims that are deleted: those that are not being deleted already.
    pub deleted: Vec<PodIdx>,
    /// Lower pods that lose their nomination to the node. If no victim is left to delete, none
    /// does.
    pub cleared: Vec<PodIdx>,
}

/// What happens if `victims` of a node go for the pod.
pub fn effects(cx: &Context<'_>, node: NodeIdx, victims: &[PodIdx]) -> Effects {
    let mut effects = Effects::default();
    for &idx in victims {
        if cx.cluster.pod(idx).is_some_and(|pod| !pod.is_terminating()) {
            effects.deleted.push(idx);
        }
    }
    if effects.deleted.is_empty() {
        return effects;
    }
    let Some(node) = cx.cluster.node(node) else { return effects };
    for (idx, pod) in cx.cluster.nominated_to(&node.name) {
        if pod.priority() < cx.pod.priority() {
            effects.cleared.push(idx);
        }
    }
    effects
}
