//! When a pod counts: as active, as available, and when it will be.
//!
//! Mirrors `IsPodAvailable` (`pkg/api/v1/pod/util.go`) and `FindMinNextPodAvailabilityCheck`
//! (`pkg/controller/controller_utils.go`).

use alloc::sync::Arc;

use crate::api::{Condition, Pod, Time};
use crate::queue::Instant;
use crate::queue::time::SECOND;
use crate::simulation::Server;

/// Since when a pod is ready, if it is and that is known.
pub(super) fn ready_since(pod: &Pod) -> Option<Time> {
    let ready = Condition::find(&pod.status.conditions, "Ready");
    ready.filter(|ready| ready.status == "True")?.last_transition_time
}

/// Whether a pod has been ready for so many seconds.
pub(super) fn is_available(server: &Server, pod: &Pod, min_ready_seconds: i32) -> bool {
    let for_long_enough = |since| available_at(server, since, min_ready_seconds) <= server.now();
    pod.is_ready() && (min_ready_seconds == 0 || ready_since(pod).is_some_and(for_long_enough))
}

/// When the next of these pods will have been ready for so many seconds.
pub(super) fn next_available(
    server: &Server,
    pods: &[Arc<Pod>],
    min_ready_seconds: i32,
) -> Option<Instant> {
    let since = pods.iter().filter_map(|pod| ready_since(pod));
    let at = since.map(|since| available_at(server, since, min_ready_seconds));
    at.filter(|at| *at > server.now()).min()
}

fn available_at(server: &Server, since: Time, min_ready_seconds: i32) -> Instant {
    server.instant_of(since).after(i64::from(min_ready_seconds) * SECOND)
}

/// Whether a pod counts for its controller (`IsPodActive`).
pub(super) fn is_active(pod: &Pod) -> bool {
    !pod.status.phase.is_terminal() && pod.metadata.deletion_timestamp.is_none()
}

/// Whether a pod is on its way out (`IsPodTerminating`).
pub(super) fn is_terminating(pod: &Pod) -> bool {
    !pod.status.phase.is_terminal() && pod.metadata.deletion_timestamp.is_some()
}
