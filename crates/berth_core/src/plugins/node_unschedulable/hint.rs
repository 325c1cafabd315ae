//! What could make a pod schedulable that only cordoned nodes were left for.
//!
//! Mirrors `isSchedulableAfterNodeChange` and `isSchedulableAfterPodTolerationChange` of `node_unschedulable.go`.

use super::cordon;
use crate::api::Node;
use crate::cluster::PodInfo;
use crate::framework::hint::HintContext;
use crate::plugins::taint_toleration::find_toleration;

/// A node that is not cordoned came, or one was uncordoned.
pub fn node(_: &mut HintContext<'_>, old: Option<&Node>, new: Option<&Node>) -> bool {
    let was = old.is_none_or(|node| node.spec.unschedulable);
    was && new.is_some_and(|node| !node.spec.unschedulable)
}

/// The pod itself tolerates cordoned nodes now.
pub fn pod(cx: &mut HintContext<'_>, _: Option<&PodInfo>, new: Option<&PodInfo>) -> bool {
    new.is_some_and(|new| {
        new.uid == cx.pod.uid && find_toleration(&new.pod.spec.tolerations, &cordon()).is_some()
    })
}
