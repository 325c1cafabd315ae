//! What the scheduler did with its queue: as `kubectl get events` would show it, and for programs.

use berth_core::api::ObjectKey;
use berth_core::framework::plugin::PluginId;
use berth_core::playground::{Attempt, AttemptResult, Playground, Run, Victim};
use berth_core::queue::Place;
use serde_json::{Value, json};

/// The version of the form for programs.
pub const VERSION: u32 = 1;

/// An event as Kubernetes records it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Event {
    /// `Normal` or `Warning`.
    pub kind: &'static str,
    /// Why, in one word.
    pub reason: &'static str,
    /// The pod that it is about.
    pub pod: ObjectKey,
    /// Kubernetes' text.
    pub message: String,
}

/// The events of an attempt, in order. Where Kubernetes names a pod by its UID there is its name.
pub fn events(attempt: &Attempt) -> Vec<Event> {
    let pod = &attempt.pod;
    let failed = |message: &String| Event {
        kind: "Warning",
        reason: "FailedScheduling",
        pod: pod.clone(),
        message: message.clone(),
    };
    match &attempt.result {
        AttemptResult::Bound { node, .. } => vec![Event {
            kind: "Normal",
            reason: "Scheduled",
            pod: pod.clone(),
            message: format!("Successfully assigned {pod} to {node}"),
        }],
        AttemptResult::Preempting { node, message, victims, .. } => {
            let mut events = vec![failed(message)];
            for victim in victims.iter().filter(|victim| victim.deleted) {
                events.push(Event {
                    kind: "Normal",
                    reason: "Preempted",
                    pod: victim.pod.clone(),
                    message: format!("Preempted by pod {pod} on node {node}"),
                });
            }
            events
        }
        AttemptResult::Unschedulable { message, .. } | AttemptResult::Skipped { message } => {
            vec![failed(message)]
        }
    }
}

/// The word for a place in the queue.
pub const fn word(place: Place) -> &'static str {
    match place {
        Place::Active => "active",
        Place::Backoff | Place::ErrorBackoff => "backoff",
        Place::Unschedulable => "unschedulable",
        Place::Gated => "gated",
    }
}

/// What the scheduler did and where that left the cluster.
pub fn to_json(run: &Run, playground: &Playground) -> Value {
    let cluster = playground.cluster();
    let nodes = cluster.order().iter().filter_map(|idx| cluster.node(*idx)).map(|node| {
        let pods = node.pods.iter().filter_map(|idx| cluster.pod(*idx));
        let pods: Vec<String> = pods.map(|pod| pod.key().to_string()).collect();
        json!({ "node": &*node.name, "pods": pods })
    });
    let queue = playground.queue();
    let queue = queue.iter().map(|(place, queued)| {
        let plugins = queued.unschedulable_plugins.iter();
        let nominated = &queued.pod.status.nominated_node_name;
        json!({
            "pod": queued.pod.metadata.key().to_string(),
            "place": word(*place),
            "attempts": queued.attempts,
            "plugins": plugins.map(PluginId::name).collect::<Vec<_>>(),
            "nominatedNode": (!nominated.is_empty()).then_some(nominated),
        })
    });
    json!({
        "version": VERSION,
        "seed": playground.seed(),
        "attempts": run.attempts.iter().map(attempt).collect::<Vec<_>>(),
        "atRest": run.at_rest,
        "nodes": nodes.collect::<Vec<_>>(),
        "queue": queue.collect::<Vec<_>>(),
    })
}

fn attempt(attempt: &Attempt) -> Value {
    let mut value = match &attempt.result {
        AttemptResult::Bound { node, ties } => {
            json!({ "result": "bound", "node": node, "ties": ties })
        }
        AttemptResult::Preempting { node, message, victims, cleared, ties } => json!({
            "result": "preempting",
            "message": message,
            "node": node,
            "ties": ties,
            "victims": victims.iter().map(victim).collect::<Vec<_>>(),
            "cleared": cleared.iter().map(ObjectKey::to_string).collect::<Vec<_>>(),
        }),
        AttemptResult::Unschedulable { message, plugins, lost_nomination } => json!({
            "result": "unschedulable",
            "message": message,
            "plugins": plugins.iter().map(|plugin| plugin.name()).collect::<Vec<_>>(),
            "lostNomination": lost_nomination,
        }),
        AttemptResult::Skipped { message } => json!({ "result": "skipped", "message": message }),
    };
    value["pod"] = attempt.pod.to_string().into();
    value["attempt"] = attempt.number.into();
    value
}

fn victim(victim: &Victim) -> Value {
    json!({ "pod": victim.pod.to_string(), "deleted": victim.deleted })
}
