//! How the pods of a DaemonSet change over to a new template.
//!
//! Mirrors `pkg/controller/daemon/update.go`. Deviation: nodes are looked at in order of their names, where Go's map has
//! any order.

use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;

use super::controller::{ByNode, daemon_spec, is_updated, surge};
use super::should_run;
use crate::api::{Node, Pod, Workload};
use crate::controllers::availability::is_available;
use crate::controllers::share;
use crate::simulation::Context;

/// What is to be done for a rolling update.
#[derive(Default)]
pub(super) struct Plan {
    /// Names of pods.
    pub(super) delete: Vec<String>,
    /// Names of nodes.
    pub(super) create: Vec<String>,
}

/// The pods of one node that are not going: at most one of each revision.
struct OnNode<'p> {
    new: Option<&'p Arc<Pod>>,
    old: Option<&'p Arc<Pod>>,
}

/// The next step (`rollingUpdate`).
pub(super) fn roll(
    set: &Workload,
    nodes: &[Arc<Node>],
    by_node: &ByNode,
    hash: &str,
    context: &Context<'_>,
) -> Plan {
    let spec = daemon_spec(set);
    let wanted = |node: &Arc<Node>| should_run(&spec, node).0;
    let mut by_node = by_node.clone();
    let mut count = 0;
    for node in nodes.iter().filter(|node| wanted(node)) {
        by_node.or_default(node.metadata.name.clone());
        count += 1;
    }
    let surge = surge(set, count);
    let strategy = set.update_strategy.as_ref();
    let mut unavailable = share(strategy.and_then(|s| s.max_unavailable.as_ref()), count, true);
    if count > 0 && unavailable == 0 && surge == 0 {
        unavailable = 1;
    }
    let available = |pod: &Pod| is_available(context.server, pod, set.control.min_ready_seconds);
    let on_node = |pods| find(pods, hash);
    if surge == 0 {
        replace(&by_node, on_node, available, unavailable)
    } else {
        let runs_on = |name: &str| nodes.iter().find(|node| node.metadata.name == name).map(wanted);
        add(&by_node, on_node, available, runs_on, surge, count)
    }
}

/// The pods of a node, unless there are several of one revision (`findUpdatedPodsOnNode`).
fn find<'p>(pods: &'p [Arc<Pod>], hash: &str) -> Option<OnNode<'p>> {
    let mut found = OnNode { new: None, old: None };
    for pod in pods.iter().filter(|pod| pod.metadata.deletion_timestamp.is_none()) {
        let place = if is_updated(pod, hash) { &mut found.new } else { &mut found.old };
        if place.replace(pod).is_some() {
            return None;
        }
    }
    Some(found)
}

/// Old pods go, as long as few enough are unavailable.
fn replace<'p>(
    by_node: &'p ByNode,
    on_node: impl Fn(&'p [Arc<Pod>]) -> Option<OnNode<'p>>,
    available: impl Fn(&Pod) -> bool,
    most: i32,
) -> Plan {
    let mut plan = Plan::default();
    let mut candidates = Vec::new();
    let mut unavailable = 0;
    for pods in by_node.values() {
        match on_node(pods) {
            Some(OnNode { new: Some(new), old: None }) => {
                unavailable += i32::from(!available(new));
            }
            Some(OnNode { new: None, old: Some(old) }) => {
                let name = old.metadata.name.clone();
                if !available(old) {
                    plan.delete.push(name);
                    unavailable += 1;
                } else if unavailable < most {
                    candidates.push(name);
                }
            }
            _ => unavailable += 1,
        }
    }
    let left = usize::try_from(most - unavailable).unwrap_or(0);
    plan.delete.extend(candidates.into_iter().take(left));
    plan
}

/// New pods come beside old ones, and old ones go once the new ones are available.
fn add<'p>(
    by_node: &'p ByNode,
    on_node: impl Fn(&'p [Arc<Pod>]) -> Option<OnNode<'p>>,
    available: impl Fn(&Pod) -> bool,
    runs_on: impl Fn(&str) -> Option<bool>,
    most: i32,
    wanted: i32,
) -> Plan {
    let mut plan = Plan::default();
    let (mut unwanted, mut candidates) = (Vec::new(), Vec::new());
    let (mut surged, mut up) = (0, 0);
    for (node, pods) in by_node {
        let Some(OnNode { new, old }) = on_node(pods) else {
            surged += 1;
            continue;
        };
        up += i32::from(old.or(new).is_some_and(|pod| available(pod)));
        let Some(old) = old else { continue };
        let name = || old.metadata.name.clone();
        match new {
            Some(new) if available(new) => plan.delete.push(name()),
            Some(_) => surged += 1,
            None => match (available(old), runs_on(node)) {
                // The real controller gives up on everything if a node is gone.
                (_, None) => return Plan::default(),
                (false, Some(false)) => plan.delete.push(name()),
                (false, Some(true)) => plan.create.push(node.clone()),
                (true, Some(false)) => unwanted.push(name()),
                (true, Some(true)) if surged < most => candidates.push(node.clone()),
                (true, Some(true)) => {}
            },
        }
    }
    let spare = usize::try_from(up - wanted).unwrap_or(0);
    plan.delete.extend(unwanted.into_iter().take(spare));
    let left = usize::try_from(most - surged).unwrap_or(0);
    plan.create.extend(candidates.into_iter().take(left));
    plan
}
