//! Nodes that go down: what the control plane makes of a kubelet that is silent.
//!
//! Stands in for the node lifecycle controller (`pkg/controller/nodelifecycle`) with kube-controller-manager's
//! defaults. A kubelet renews its lease every ten seconds; a node that has been silent for 50 seconds
//! (`--node-monitor-grace-period`) is found out by the next look, one every five seconds (`--node-monitor-period`). It is
//! tainted `node.kubernetes.io/unreachable`, for new pods and for those that run, and its pods are not ready any more. The
//! pods go when they do not tolerate that any longer, which is the taint eviction controller's; on the node nobody ends
//! them before it is back. Deviations: leases are renewed at multiples of ten seconds, and however many nodes go, each
//! is tainted at once, where the real one slows down when much of a zone is silent.

use alloc::borrow::ToOwned;
use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;

use super::server::{Part, Server};
use crate::api::{Condition, Kind, Object, ObjectKey, Pod, PodPhase, Taint, TaintEffect};
use crate::queue::Instant;
use crate::queue::time::SECOND;

/// From one renewal of a lease to the next, in nanoseconds.
const RENEWAL: i64 = 10 * SECOND;
/// How long a node may be silent, in nanoseconds (`--node-monitor-grace-period`).
const GRACE_PERIOD: i64 = 50 * SECOND;
/// From one look to the next, in nanoseconds (`--node-monitor-period`).
const MONITOR_PERIOD: i64 = 5 * SECOND;

/// The taint of a node that is silent.
const UNREACHABLE: &str = "node.kubernetes.io/unreachable";

/// When it is found out that a node went down at an instant.
pub(super) fn found_out(down: Instant) -> Instant {
    let last_heard = down.0.saturating_sub(down.0.rem_euclid(RENEWAL));
    next_look(Instant(last_heard).after(GRACE_PERIOD))
}

/// When it is found out that a node is back.
pub(super) fn next_look(at: Instant) -> Instant {
    Instant(at.0.saturating_sub(at.0.rem_euclid(MONITOR_PERIOD))).after(MONITOR_PERIOD)
}

/// Taints a node that is silent, or takes the taints away if it is not, and says of its pods whether they are ready.
pub(super) fn look(node: &str, is_down: bool, server: &mut Server) {
    let key = ObjectKey::new("", node);
    let Some(known) = server.objects().node(node) else { return };
    let is_ours =
        |taint: &Taint| taint.key == UNREACHABLE && taint.effect != TaintEffect::PreferNoSchedule;
    let is_tainted = known.spec.taints.iter().any(is_ours);
    if is_tainted == is_down {
        return;
    }
    let marked = server.patch(Kind::Node, &key, Part::Main, |object| {
        let Object::Node(node) = object else { return };
        let taints = &mut Arc::make_mut(node).spec.taints;
        taints.retain(|taint| !is_ours(taint));
        if is_down {
            for effect in [TaintEffect::NoSchedule, TaintEffect::NoExecute] {
                let (key, value) = (UNREACHABLE.to_owned(), String::new());
                taints.push(Taint { key, value, effect });
            }
        }
    });
    if marked.is_ok() {
        let (status, reason) = if is_down { ("False", "NodeNotReady") } else { ("True", "") };
        say_ready(node, status, reason, server);
    }
}

fn say_ready(node: &str, status: &str, reason: &str, server: &mut Server) {
    let now = server.time();
    let runs = |pod: &&Arc<Pod>| {
        pod.spec.node_name == node
            && Condition::find(&pod.status.conditions, "Ready").is_some()
            && pod.status.phase == PodPhase::Running
    };
    let pods: Vec<ObjectKey> =
        server.objects().pods().filter(runs).map(|pod| pod.metadata.key()).collect();
    for key in pods {
        // It was there just now.
        let _ = server.patch(Kind::Pod, &key, Part::Status, |object| {
            if let Object::Pod(pod) = object {
                let ready = Condition::new("Ready", status, reason);
                Condition::update(&mut Arc::make_mut(pod).status.conditions, ready, now);
            }
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn silence_is_found_out_by_a_look() {
        for (down, found) in [(0, 55), (3, 55), (9, 55), (10, 65), (14, 65), (20, 75)] {
            assert_eq!(found_out(Instant(down * SECOND)), Instant(found * SECOND), "{down}");
        }
        assert_eq!(next_look(Instant(SECOND)), Instant(5 * SECOND));
    }
}
