//! What could make a pod schedulable whose host ports were taken.
//!
//! Mirrors `isSchedulableAfterPodDeleted` of `node_ports.go`.

use crate::cluster::PodInfo;
use crate::framework::hint::HintContext;

/// A pod went that stood on a node, or was nominated to one, and held one of the ports.
pub fn pod(cx: &mut HintContext<'_>, old: Option<&PodInfo>, _: Option<&PodInfo>) -> bool {
    old.is_some_and(|old| {
        let wanted = &cx.pod.host_ports;
        old.has_a_node()
            && old.host_ports.iter().any(|held| wanted.iter().any(|port| port.conflicts(*held)))
    })
}
