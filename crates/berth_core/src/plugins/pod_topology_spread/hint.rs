//! What could make a pod schedulable that would have been spread too unevenly.
//!
//! Mirrors `isSchedulableAfterPodChange` and `isSchedulableAfterNodeChange` of `plugin.go`.

use alloc::vec::Vec;

use super::constraint::{Source, sources};
use crate::api::{Node, NodeInclusionPolicy, UnsatisfiableConstraintAction};
use crate::cluster::PodInfo;
use crate::framework::hint::HintContext;

/// The hard constraints; none if they cannot be used, which wakes the pod.
fn hard<'a>(cx: &HintContext<'a>) -> Option<Vec<Source<'a>>> {
    let args = &cx.profile.args.pod_topology_spread;
    sources(cx.cluster, args, cx.pod, UnsatisfiableConstraintAction::DoNotSchedule).ok()
}

/// Whether a pod bears on how the other is spread (`involvedInTopologySpreading`).
fn is_involved(cx: &HintContext<'_>, pod: &PodInfo) -> bool {
    pod.uid == cx.pod.uid || pod.has_a_node() && pod.namespace == cx.pod.namespace
}

/// A pod of the namespace that is counted came or went, or its labels changed so that it is counted now, or no longer.
/// Or the pod itself has got a toleration, and a constraint counts only nodes that it tolerates.
pub fn pod(cx: &mut HintContext<'_>, old: Option<&PodInfo>, new: Option<&PodInfo>) -> bool {
    if [old, new].into_iter().flatten().any(|pod| !is_involved(cx, pod)) {
        return false;
    }
    let Some(constraints) = hard(cx) else { return true };
    let counted =
        |pod: &PodInfo, source: &Source<'_>| source.selector.matches(&pod.pod.metadata.labels);
    match (old, new) {
        (Some(old), Some(new)) => {
            let honors = |source: &Source<'_>| {
                source.constraint.node_taints_policy == Some(NodeInclusionPolicy::Honor)
            };
            new.uid == cx.pod.uid
                && new.pod.spec.tolerations != old.pod.spec.tolerations
                && constraints.iter().any(honors)
                || constraints.iter().any(|source| counted(old, source) != counted(new, source))
        }
        (Some(pod), None) | (None, Some(pod)) => {
            constraints.iter().any(|source| counted(pod, source))
        }
        (None, None) => false,
    }
}

/// A node with all the constraints' labels came, went, became one, ceased to be one, moved to another domain or
/// changed its taints.
pub fn node(cx: &mut HintContext<'_>, old: Option<&Node>, new: Option<&Node>) -> bool {
    let Some(constraints) = hard(cx) else { return true };
    let has_all = |node: Option<&Node>| {
        node.is_some_and(|node| {
            let has = |source: &Source<'_>| {
                node.metadata.labels.contains_key(source.constraint.topology_key.as_str())
            };
            constraints.iter().all(has)
        })
    };
    let (was, is) = (has_all(old), has_all(new));
    if was != is {
        return true;
    }
    let (Some(old), Some(new)) = (old, new) else { return is };
    let moved = |source: &Source<'_>| {
        let key = source.constraint.topology_key.as_str();
        old.metadata.labels.get(key) != new.metadata.labels.get(key)
    };
    is && (constraints.iter().any(moved) || old.spec.taints != new.spec.taints)
}
