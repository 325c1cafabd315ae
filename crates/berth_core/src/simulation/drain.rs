//! `kubectl drain`: evicts every pod of a node, and asks again where a budget does not allow it.
//!
//! Mirrors `k8s.io/kubectl/pkg/drain`: the node is cordoned, pods of DaemonSets stay, all others are asked to go at the
//! same time, and one that may not go yet is asked again every five seconds. Pods that nobody owns are evicted as with
//! `--force`.

use alloc::string::String;
use alloc::vec::Vec;

use super::server::{ApiError, Server};
use crate::api::{ObjectKey, Pod};
use crate::apiserver::{DeleteOptions, Refusal};
use crate::queue::Instant;
use crate::queue::time::SECOND;

/// From one eviction to the next, in nanoseconds.
const AGAIN: i64 = 5 * SECOND;

/// A pod that is to leave a node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Leaving {
    pod: ObjectKey,
    uid: String,
    grace_period_seconds: Option<i64>,
}

/// The pods that have to leave a node.
pub(super) fn leaving(
    node: &str,
    grace_period_seconds: Option<i64>,
    server: &Server,
) -> Vec<Leaving> {
    let stays =
        |pod: &Pod| pod.metadata.controller().is_some_and(|owner| owner.kind == "DaemonSet");
    let on_node = server.objects().pods().filter(|pod| pod.spec.node_name == node && !stays(pod));
    on_node
        .map(|pod| Leaving {
            pod: pod.metadata.key(),
            uid: pod.metadata.uid.clone(),
            grace_period_seconds,
        })
        .collect()
}

/// Asks a pod to leave; gives when to ask again, if its budget does not allow it yet.
pub(super) fn evict(leaving: &Leaving, server: &mut Server) -> Option<Instant> {
    let pod = server.objects().pod(&leaving.pod)?;
    if pod.metadata.uid != leaving.uid || pod.metadata.deletion_timestamp.is_some() {
        return None;
    }
    let options = DeleteOptions {
        grace_period_seconds: leaving.grace_period_seconds,
        ..DeleteOptions::default()
    };
    match server.evict(&leaving.pod, &options) {
        Err(ApiError::Eviction(Refusal::NotAllowed { .. } | Refusal::BeingProcessed(_))) => {
            Some(server.now().after(AGAIN))
        }
        _ => None,
    }
}
