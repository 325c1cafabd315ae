//! Which container waits for which: sidecars end after everything else, the last first.
//!
//! Mirrors `pkg/kubelet/kuberuntime/kuberuntime_termination_order.go`.

use alloc::vec::Vec;

use super::{KillReason, Stop, Stopping, container_grace_period, kill_in_turn};
use crate::api::{Container, Pod, RestartPolicy};

/// Stops all containers of a pod that run. `grace` replaces what the pod says; `least` is what each gets at least.
/// Containers that the pod does not have are left out.
///
/// The pod's containers and its init containers that are no sidecars go at once; a sidecar, once these and the
/// sidecars after it have ended or its own time is over.
pub fn kill_pod<'a>(
    pod: &Pod,
    running: &[Stopping<'a>],
    grace: Option<i64>,
    least: i64,
) -> Vec<Stop<'a>> {
    let mut stops: Vec<Stop<'a>> = Vec::new();
    let mut stop = |container: &Container, before: &[u64]| {
        let container = running.iter().find(|other| other.name == container.name)?;
        let seconds =
            grace.unwrap_or_else(|| container_grace_period(pod, container, KillReason::Other));
        let stop = kill_in_turn(container, seconds, least, before);
        stops.push(stop);
        Some(stop.exited)
    };
    // When those ended that every sidecar waits for, and the sidecar after the one at hand.
    let mut before: Vec<u64> = Vec::new();
    for container in &pod.spec.containers {
        before.extend(stop(container, &[]));
    }
    before.push(0);
    for container in pod.spec.init_containers.iter().rev() {
        if container.restart_policy == Some(RestartPolicy::Always) {
            // A sidecar that does not run holds nobody up, not even for the one after it.
            let exited = stop(container, &before).unwrap_or(0);
            if let Some(next) = before.last_mut() {
                *next = exited;
            }
        } else {
            stop(container, &[]);
        }
    }
    stops
}
