//! What the kubelet says of a pod that it evicts (`evictionMessage`).

use alloc::format;
use alloc::string::String;

use super::{Candidate, Observation, Signal, Threshold, bytes};
use crate::api::{Pod, Quantity};
use crate::cluster::requests::has_pod_level_resources;

/// The message of the pod's status and event.
pub(super) fn message(
    candidate: &Candidate<'_>,
    signal: Signal,
    thresholds: &[&Threshold],
    observations: &[Observation],
) -> String {
    let resource = signal.resource();
    let mut message = format!("The node was low on resource: {resource}. ");
    let known = thresholds.iter().filter(|t| t.signal.resource() == resource).find_map(|t| {
        Some((t, observations.iter().find(|observation| observation.signal == t.signal)?))
    });
    if let Some((threshold, observed)) = known {
        let quantity = threshold.value.quantity(&observed.capacity);
        let available = &observed.available;
        let met = format!("Threshold quantity: {quantity}, available: {available}. ");
        message.push_str(&met);
    }
    let Some(stats) = candidate.stats else { return message };
    let pod = candidate.pod;
    if let Some(request) = pod_level_memory(pod, signal)
        && stats.memory.is_some()
    {
        message += &larger("Pod", &pod.metadata.name, &bytes(stats.memory), request, resource);
    }
    let used = match signal {
        Signal::MemoryAvailable => stats.memory,
        Signal::NodeFsAvailable => {
            stats.disk.zip(stats.logs).map(|(disk, logs)| disk.wrapping_add(logs))
        }
        Signal::NodeFsInodesFree | Signal::PidAvailable => None,
    };
    if let (Some(used), Some(container)) = (used, pod.spec.containers.first()) {
        let usage = bytes(Some(used));
        let request = container.resources.requests.get(resource);
        let request = request.cloned().unwrap_or_else(Quantity::zero);
        if usage > request {
            message += &larger("Container", &container.name, &usage, &request, resource);
        }
    }
    message
}

fn larger(what: &str, name: &str, usage: &Quantity, request: &Quantity, resource: &str) -> String {
    format!(
        "{what} {name} was using {usage}, request is {request}, has larger consumption of {resource}. "
    )
}

fn pod_level_memory(pod: &Pod, signal: Signal) -> Option<&Quantity> {
    let own = pod.spec.resources.as_ref()?;
    (signal == Signal::MemoryAvailable && has_pod_level_resources(pod))
        .then(|| own.requests.get(signal.resource()))?
}
