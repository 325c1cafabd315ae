//! What could make a pod schedulable that did not tolerate a taint.
//!
//! Mirrors `isSchedulableAfterNodeChange` and `isSchedulableAfterPodTolerationChange` of `taint_toleration.go`.

use super::untolerated;
use crate::api::Node;
use crate::cluster::PodInfo;
use crate::framework::fact::Silent;
use crate::framework::hint::HintContext;

/// A node came, or lost taints, so that the pod tolerates those it has.
pub fn node(cx: &mut HintContext<'_>, old: Option<&Node>, new: Option<&Node>) -> bool {
    let shuns = |node: &Node| {
        untolerated(&node.spec.taints, &cx.pod.pod.spec.tolerations, &mut Silent).is_some()
    };
    old.is_none_or(shuns) && !new.is_some_and(shuns)
}

/// The pod itself has got a toleration, whichever.
pub fn pod(cx: &mut HintContext<'_>, _: Option<&PodInfo>, new: Option<&PodInfo>) -> bool {
    new.is_some_and(|new| new.uid == cx.pod.uid)
}
