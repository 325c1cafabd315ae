//! Which plugin asks for which events, and what it makes of them.
//!
//! Mirrors `buildQueueingHintMap` of `pkg/scheduler/scheduler.go`, `isPodWorthRequeuing` of
//! `scheduling_queue.go`, and each plugin's `EventsToRegister`. Plugins that cannot refuse a pod here are
//! left out, and so are the kinds of objects that are not simulated.

use super::event::{ActionType, Event};
use super::{QueuedPod, Scene};
use crate::api::Node;
use crate::cluster::PodInfo;
use crate::framework::hint::HintContext;
use crate::framework::plugin::PluginId;
use crate::plugins::{
    inter_pod_affinity, node_affinity, node_ports, node_resources, node_unschedulable,
    pod_topology_spread, scheduling_gates, taint_toleration,
};

/// What a plugin makes of an event: true wakes the pod that it refused (`QueueingHintFn`).
#[derive(Clone, Copy)]
enum Hint {
    /// Wakes it.
    Queue,
    /// Looks at a node before and after.
    Node(fn(&mut HintContext<'_>, Option<&Node>, Option<&Node>) -> bool),
    /// Looks at a pod before and after.
    Pod(fn(&mut HintContext<'_>, Option<&PodInfo>, Option<&PodInfo>) -> bool),
}

/// A plugin, what it asks for, and what it makes of it.
type Registration = (PluginId, ActionType, Hint);

const ADD: ActionType = ActionType::ADD;
const DELETE: ActionType = ActionType::DELETE;
const LABEL: ActionType = ActionType::UPDATE_NODE_LABEL;
const TAINT: ActionType = ActionType::UPDATE_NODE_TAINT;
const TOLERATION: ActionType = ActionType::UPDATE_POD_TOLERATION;

/// What plugins ask for of nodes. One that asks for new nodes, but not for taints, hears of every change of
/// taints and wakes its pods whatever it was: a remedy for another scheduler's check that stayed when the check went.
const OF_NODES: &[Registration] = &[
    (PluginId::NodeUnschedulable, ADD.or(TAINT), Hint::Node(node_unschedulable::hint::node)),
    (PluginId::NodeName, ADD.or(TAINT), Hint::Queue),
    (PluginId::TaintToleration, ADD.or(TAINT), Hint::Node(taint_toleration::hint::node)),
    (PluginId::NodeAffinity, ADD.or(LABEL), Hint::Node(node_affinity::hint::node)),
    (PluginId::NodeAffinity, TAINT, Hint::Queue),
    (PluginId::NodePorts, ADD.or(TAINT), Hint::Queue),
    (
        PluginId::NodeResourcesFit,
        ADD.or(ActionType::UPDATE_NODE_ALLOCATABLE),
        Hint::Node(node_resources::hint::node),
    ),
    (PluginId::NodeResourcesFit, TAINT, Hint::Queue),
    (
        PluginId::PodTopologySpread,
        ADD.or(DELETE).or(LABEL).or(TAINT),
        Hint::Node(pod_topology_spread::hint::node),
    ),
    (PluginId::InterPodAffinity, ADD.or(LABEL), Hint::Node(inter_pod_affinity::hint::node)),
    (PluginId::InterPodAffinity, TAINT, Hint::Queue),
];

/// What plugins ask for of pods, those that wait and those that run alike.
const OF_PODS: &[Registration] = &[
    (
        PluginId::SchedulingGates,
        ActionType::UPDATE_POD_SCHEDULING_GATES_ELIMINATED,
        Hint::Pod(scheduling_gates::hint::pod),
    ),
    (PluginId::NodeUnschedulable, TOLERATION, Hint::Pod(node_unschedulable::hint::pod)),
    (PluginId::TaintToleration, TOLERATION, Hint::Pod(taint_toleration::hint::pod)),
    (PluginId::NodePorts, DELETE, Hint::Pod(node_ports::hint::pod)),
    (
        PluginId::NodeResourcesFit,
        DELETE.or(ActionType::UPDATE_POD_SCALE_DOWN),
        Hint::Pod(node_resources::hint::pod),
    ),
    (
        PluginId::PodTopologySpread,
        ADD.or(DELETE).or(ActionType::UPDATE_POD_LABEL).or(TOLERATION),
        Hint::Pod(pod_topology_spread::hint::pod),
    ),
    (
        PluginId::InterPodAffinity,
        ADD.or(DELETE).or(ActionType::UPDATE_POD_LABEL),
        Hint::Pod(inter_pod_affinity::hint::pod),
    ),
];

/// Who asks for events of this one's kind, and what happened.
const fn asked(event: &Event) -> Option<(&'static [Registration], ActionType)> {
    match event {
        Event::Node { action, .. } => Some((OF_NODES, *action)),
        Event::Pod { action, .. } => Some((OF_PODS, *action)),
        Event::UnschedulableTimeout => None,
    }
}

/// Whether a plugin asks for an event.
pub(super) fn is_registered(plugin: PluginId, event: &Event) -> bool {
    asked(event).is_some_and(|(table, action)| {
        table.iter().any(|(asks, wanted, _)| *asks == plugin && wanted.matches(action))
    })
}

/// Whether an event could make a pod schedulable: one of the plugins that refused it says so.
pub(super) fn is_worth_requeuing(queued: &QueuedPod, scene: &mut Scene<'_>, event: &Event) -> bool {
    let Some((table, action)) = asked(event) else { return true };
    let refused = queued.unschedulable_plugins;
    if refused.is_empty() {
        return true;
    }
    let mut pod = None;
    for (plugin, wanted, hint) in table {
        if !refused.contains(*plugin) || !wanted.matches(action) {
            continue;
        }
        let pod = pod.get_or_insert_with(|| scene.cluster.derive(&queued.pod));
        let Some(profile) = scene.profile(&queued.pod) else { return true };
        let cx = &mut HintContext { cluster: scene.cluster, profile, pod };
        let queue = match (hint, event) {
            (Hint::Node(hint), Event::Node { old, new, .. }) => {
                hint(cx, old.as_deref(), new.as_deref())
            }
            (Hint::Pod(hint), Event::Pod { old, new, .. }) => {
                hint(cx, old.as_deref(), new.as_deref())
            }
            _ => true,
        };
        if queue {
            return true;
        }
    }
    false
}

#[cfg(test)]
mod tests;
