//! What lets a gated pod in.
//!
//! Mirrors `isSchedulableAfterUpdatePodSchedulingGatesEliminated` of `scheduling_gates.go`.

use crate::cluster::PodInfo;
use crate::framework::hint::HintContext;

/// The pod itself lost its last gate.
pub fn pod(cx: &mut HintContext<'_>, _: Option<&PodInfo>, new: Option<&PodInfo>) -> bool {
    new.is_some_and(|new| new.uid == cx.pod.uid)
}
