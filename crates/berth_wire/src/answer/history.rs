//! Questions about time: what happens to a cluster, and when. `{"input":…}`, as `oracle history` takes it.

mod input;

use std::collections::BTreeMap;

use berth_core::api::{PodDisruptionBudgetStatus, Workload, WorkloadKind};
use berth_core::queue::{Instant, Place};
use berth_core::simulation::{Event, Simulation, What};
use serde_json::{Map, Value, json};

use input::Input;

/// Half a millisecond, in nanoseconds: the last instant happens too.
const REST: i64 = 500_000;
const MILLISECOND: i64 = 1_000_000;

/// Events that the reference does not tell.
const QUIET: [&str; 2] = ["SuccessfulCreate", "SuccessfulDelete"];

/// Replays an input.
pub(super) fn answer(input: &str) -> Result<Value, String> {
    let Input { name, mut simulation, until } = input::load(input)?;
    simulation.run_until(until.after(REST));
    let events = events(simulation.take_events());
    Ok(json!({ "name": name, "events": events, "final": end(&simulation) }))
}

/// The events as they are told: cut to milliseconds, and of a budget's statuses in one millisecond the last, if it is
/// news.
fn events(events: Vec<Event>) -> Vec<Value> {
    let mut last = BTreeMap::new();
    for (place, event) in events.iter().enumerate() {
        if let What::Budget(_) = event.what {
            last.insert((event.key.clone(), millis(event.at)), place);
        }
    }
    let mut told: BTreeMap<_, PodDisruptionBudgetStatus> = BTreeMap::new();
    let mut out = Vec::new();
    for (place, event) in events.into_iter().enumerate() {
        match &event.what {
            What::Budget(status) => {
                let is_last = last.get(&(event.key.clone(), millis(event.at))) == Some(&place);
                let is_known =
                    told.get(&event.key).is_some_and(|known| budget(known) == budget(status));
                if !is_last || is_known {
                    continue;
                }
                told.insert(event.key.clone(), status.clone());
            }
            What::Reported(report) if QUIET.contains(&report.reason) => continue,
            _ => {}
        }
        out.push(tell(event));
    }
    out
}

fn millis(at: Instant) -> i64 {
    at.0 / MILLISECOND
}

/// Seconds, cut to the millisecond, as Go writes a number: whole ones without a point.
fn seconds(at: Instant) -> Value {
    let millis = millis(at);
    if millis % 1000 == 0 { (millis / 1000).into() } else { (millis as f64 / 1000.0).into() }
}

fn tell(Event { at, key, what }: Event) -> Value {
    let mut object = key.to_string();
    let (word, more) = match what {
        What::ActionFailed { kind, message } => {
            object = format!("{}/{key}", kind.as_str());
            ("ActionFailed", json!({ "message": message }))
        }
        What::NodeAdded => ("NodeAdded", json!({})),
        What::NodeUpdated => ("NodeUpdated", json!({})),
        What::NodeDeleted => ("NodeDeleted", json!({})),
        What::NodeDown => ("NodeDown", json!({})),
        What::NodeUp => ("NodeUp", json!({})),
        What::ReplicaSet { replicas, before } => {
            let mut values = json!({ "replicas": replicas });
            if let Some(before) = before {
                values["before"] = before.into();
            }
            ("ReplicaSet", json!({ "values": values }))
        }
        What::Created { priority, node } => {
            ("Created", json!({ "node": node, "values": { "priority": priority } }))
        }
        What::FailedScheduling { message } => ("FailedScheduling", json!({ "message": message })),
        What::Scheduled { node } => ("Scheduled", json!({ "node": node })),
        What::Nominated { node } => ("Nominated", json!({ "node": node })),
        What::NominationCleared { node } => ("NominationCleared", json!({ "node": node })),
        What::Phase { phase, node } => (phase.as_str(), json!({ "node": node })),
        What::Deleting { node, grace, reason } => {
            ("Deleting", json!({ "node": node, "message": reason, "values": { "grace": grace } }))
        }
        What::Preempted { node, by, message } => {
            ("Preempted", json!({ "node": node, "by": by.to_string(), "message": message }))
        }
        What::Deleted { node } => ("Deleted", json!({ "node": node })),
        What::Budget(status) => ("PDB", json!({ "values": budget(&status) })),
        What::Reported(report) => {
            let message = format!("{}: {}", report.reason, report.message);
            ("Event", json!({ "message": message }))
        }
    };
    let mut event = Map::new();
    event.insert("t".into(), seconds(at));
    event.insert("type".into(), word.into());
    event.insert("object".into(), object.into());
    for (key, value) in more.as_object().into_iter().flatten() {
        if value.as_str() != Some("") {
            event.insert(key.clone(), value.clone());
        }
    }
    event.into()
}

fn budget(status: &PodDisruptionBudgetStatus) -> Value {
    json!({
        "disruptionsAllowed": status.disruptions_allowed,
        "currentHealthy": status.current_healthy,
        "desiredHealthy": status.desired_healthy,
        "expectedPods": status.expected_pods,
        "disruptedPods": status.disrupted_pods.len(),
    })
}

/// The state at the end.
fn end(simulation: &Simulation) -> Value {
    let objects = simulation.objects();
    let pods = objects.pods().map(|pod| {
        let mut out = Map::new();
        let mut put = |key: &str, value: Value, shown: bool| {
            if shown {
                out.insert(key.to_owned(), value);
            }
        };
        let (spec, status) = (&pod.spec, &pod.status);
        put("name", pod.metadata.key().to_string().into(), true);
        put("node", spec.node_name.clone().into(), !spec.node_name.is_empty());
        put("phase", status.phase.as_str().into(), true);
        put("ready", true.into(), pod.is_ready());
        put("deleting", true.into(), pod.metadata.deletion_timestamp.is_some());
        put("priority", spec.priority.unwrap_or(0).into(), true);
        let nominated = &status.nominated_node_name;
        put("nominated", nominated.clone().into(), !nominated.is_empty());
        Value::Object(out)
    });
    let pods: Vec<Value> = pods.collect();
    let budgets: Map<String, Value> = objects
        .budgets()
        .map(|known| (known.metadata.key().to_string(), budget(&known.status)))
        .collect();
    json!({ "pods": pods, "pdbs": budgets, "replicaSets": replica_sets(simulation), "queue": queue(simulation) })
}

fn replica_sets(simulation: &Simulation) -> Map<String, Value> {
    let sets = simulation.objects().workloads(WorkloadKind::ReplicaSet);
    let numbers = |set: &Workload| {
        json!({
            "replicas": set.replicas.unwrap_or(1),
            "current": set.status.replicas,
            "ready": set.status.ready_replicas,
            "available": set.status.available_replicas,
        })
    };
    sets.map(|set| (set.metadata.key().to_string(), numbers(set))).collect()
}

fn queue(simulation: &Simulation) -> BTreeMap<&'static str, Vec<String>> {
    let mut queue: BTreeMap<_, Vec<String>> = BTreeMap::new();
    for (place, queued) in simulation.scheduler().queue() {
        let place = match place {
            Place::Active => "active",
            Place::Backoff | Place::ErrorBackoff => "backoff",
            Place::Unschedulable | Place::Gated => "unschedulable",
        };
        queue.entry(place).or_default().push(queued.pod.metadata.key().to_string());
    }
    for pods in queue.values_mut() {
        pods.sort_unstable();
    }
    queue
}
