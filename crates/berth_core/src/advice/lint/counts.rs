//! Counting nodes and pods.

use alloc::string::String;

use crate::api::{Labels, Node, ObjectKey, Selector};
use crate::cluster::{Cluster, PodInfo, StrId};
use crate::collections::Set;

/// All nodes.
pub(super) fn nodes(cluster: &Cluster) -> impl Iterator<Item = &Node> {
    cluster.node_slots().iter().filter_map(|slot| slot.node.as_deref())
}

/// How many nodes there are, and how many of them lack a label.
pub(super) fn missing(cluster: &Cluster, key: &str) -> (u32, u32) {
    let lacks = |node: &&Node| !node.metadata.labels.contains_key(key);
    (nodes(cluster).filter(lacks).count() as u32, cluster.node_count())
}

/// The values that nodes have of a label.
pub(super) fn values<'c>(cluster: &'c Cluster, key: &str) -> Set<&'c String> {
    nodes(cluster).filter_map(|node| node.metadata.labels.get(key)).collect()
}

/// Pods of a namespace that a selector selects and that are not on their way out, but for one; those that wait
/// included.
pub(super) fn selected<'c>(
    cluster: &'c Cluster,
    namespace: StrId,
    selector: &'c Selector,
    but: &'c ObjectKey,
) -> impl Iterator<Item = &'c PodInfo> {
    cluster.pods().map(|(_, pod)| pod).filter(move |pod| {
        pod.namespace == namespace
            && !pod.is_terminating()
            && !pod.pod.status.phase.is_terminal()
            && pod.key() != *but
            && selector.matches(&pod.pod.metadata.labels)
    })
}

/// The labels of the node that a pod is on.
pub(super) fn node_labels<'c>(cluster: &'c Cluster, pod: &PodInfo) -> Option<&'c Labels> {
    cluster.node(pod.node?)?.api_labels()
}

/// A number for people.
pub(super) fn number(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}
