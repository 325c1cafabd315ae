//! What could make a pod schedulable that wanted other nodes.
//!
//! Mirrors `isSchedulableAfterNodeChange` of `node_affinity.go`. The profile's added affinity is asked about the
//! node as it is now alone, so a node that comes to meet it wakes no pod that it met before.

use super::required_node_affinity;
use crate::api::Node;
use crate::framework::hint::HintContext;

/// A node came that the pod wants, or a node changed so that the pod wants it now.
pub fn node(cx: &mut HintContext<'_>, old: Option<&Node>, new: Option<&Node>) -> bool {
    let Some(new) = new else { return false };
    let meta = &new.metadata;
    let added = cx.profile.added_node_selector.as_ref();
    if added.is_some_and(|added| !added.matches(&meta.labels, &meta.name)) {
        return false;
    }
    let required = required_node_affinity(&cx.pod.pod);
    // Requirements that cannot be evaluated wake the pod.
    match required.matches(&meta.labels, &meta.name) {
        Ok(false) => return false,
        Err(_) => return true,
        Ok(true) => {}
    }
    old.is_none_or(|old| {
        !required.matches(&old.metadata.labels, &old.metadata.name).unwrap_or(false)
    })
}
