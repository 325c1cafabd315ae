//! SchedulingGates: a pod with gates does not enter the queue.
//!
//! Mirrors `pkg/scheduler/framework/plugins/schedulinggates/scheduling_gates.go`.

pub mod hint;

use alloc::string::String;

use crate::api::Pod;

/// Kubernetes' text if the pod is gated.
pub fn pre_enqueue(pod: &Pod) -> Option<String> {
    let gates = &pod.spec.scheduling_gates;
    (!gates.is_empty())
        .then(|| alloc::format!("waiting for scheduling gates: [{}]", gates.join(" ")))
}
