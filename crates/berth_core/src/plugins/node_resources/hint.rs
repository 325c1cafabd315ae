//! What could make a pod schedulable for which nodes had too little.
//!
//! Mirrors `isSchedulableAfterPodEvent`, `isSchedulableAfterPodScaleDown`, `isSchedulableAfterNodeChange` and
//! `haveAnyRequestedResourcesIncreased` of `fit.go`. Device classes are not simulated.

use super::fit::{filter, pre_filter};
use crate::api::Node;
use crate::cluster::requests::{RequestOptions, pod_requests};
use crate::cluster::{Cluster, NodeInfo, PodInfo, Resources};
use crate::framework::fact::Silent;
use crate::framework::hint::HintContext;

/// A pod went that stood on a node, or was nominated to one, whatever it took; or one that stands on a node asks
/// for less of something that the pod wants; or the pod itself asks for less.
pub fn pod(cx: &mut HintContext<'_>, old: Option<&PodInfo>, new: Option<&PodInfo>) -> bool {
    let Some(old) = old else { return true };
    let Some(new) = new else { return old.has_a_node() };
    if new.uid == cx.pod.uid {
        return true;
    }
    if new.pod.spec.node_name.is_empty() {
        return false;
    }
    let was = amounts(cx.cluster, old);
    let is = amounts(cx.cluster, new);
    let wanted = pod_requests(&cx.pod.pod, RequestOptions::AS_SCHEDULED);
    wanted.iter().any(|(name, amount)| {
        let less = match name.as_str() {
            "cpu" => was.milli_cpu > is.milli_cpu,
            "memory" => was.memory > is.memory,
            "ephemeral-storage" => was.ephemeral_storage > is.ephemeral_storage,
            // Only what is counted as a scalar resource is among these.
            other => cx
                .cluster
                .strings()
                .find(other)
                .is_some_and(|id| was.scalar(id).unwrap_or(0) > is.scalar(id).unwrap_or(0)),
        };
        less && !amount.is_zero()
    })
}

fn amounts(cluster: &mut Cluster, pod: &PodInfo) -> Resources {
    cluster.resources_at_least_zero(&pod_requests(&pod.pod, RequestOptions::AS_SCHEDULED))
}

/// A node came that the pod would fit if it were empty, or one that it would fit has more of something that the
/// pod asks for, or lets in more pods. What the profile ignores is looked at all the same.
pub fn node(cx: &mut HintContext<'_>, old: Option<&Node>, new: Option<&Node>) -> bool {
    let Some(new) = new else { return false };
    let asked = pre_filter(cx.cluster, None, cx.pod);
    let new = empty(cx.cluster, new);
    if !filter(&asked, &new, &mut Silent).is_success() {
        return false;
    }
    let Some(old) = old else { return true };
    let old = empty(cx.cluster, old);
    if new.allowed_pods > old.allowed_pods {
        return true;
    }
    let (asked, was, is) = (asked.requests(), &old.allocatable, &new.allocatable);
    asked.milli_cpu > 0 && is.milli_cpu > was.milli_cpu
        || asked.memory > 0 && is.memory > was.memory
        || asked.ephemeral_storage > 0 && is.ephemeral_storage > was.ephemeral_storage
        || asked.scalars.iter().any(|&(id, amount)| {
            amount != 0 && is.scalar(id).unwrap_or(0) > was.scalar(id).unwrap_or(0)
        })
}

/// A node as if no pod stood there.
fn empty(cluster: &mut Cluster, node: &Node) -> NodeInfo {
    let mut info = NodeInfo::new(&node.metadata.name);
    (info.allocatable, info.allowed_pods) = cluster.resources(&node.status.allocatable);
    info
}
