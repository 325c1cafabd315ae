//! What happened to a simulated cluster: for programs, and as `kubectl get events` would show it.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use berth_core::admission::defaults;
use berth_core::api::{
    Kind, Namespace, Object, ObjectMeta, PodDisruptionBudgetStatus, Time, Workload, WorkloadKind,
};
use berth_core::queue::{Instant, Place};
use berth_core::simulation::server::is_namespaced;
use berth_core::simulation::{Command, Event, Signal, Simulation, What};
use serde_json::{Map, Value, json};

use crate::manifest::{Item, Report, note_template};
use crate::tree;

/// The version of the form for programs.
pub const VERSION: u32 = 1;

const MILLISECOND: i64 = 1_000_000;

/// Events that say once more what an event about a pod says.
const QUIET: [&str; 2] = ["SuccessfulCreate", "SuccessfulDelete"];

/// Second 0 of what is held against the reference: its clock begins ten seconds earlier, with the year 2000.
pub const EPOCH: Time = Time(946_684_810);

/// The objects of an input as they were given: no workload has made its pods yet.
pub fn objects(report: &Report) -> Vec<Object> {
    let noted = |item: &Item| {
        let mut object = item.object.clone();
        if let Ok(tree) = tree::json::parse(&item.text) {
            note_template(&mut object, &tree);
        }
        object
    };
    report.items.iter().map(noted).collect()
}

/// Adds the namespaces of objects that are created later: they are there from the start.
pub(crate) fn with_namespaces<'c>(
    objects: &mut Vec<Object>,
    commands: impl Iterator<Item = &'c Command>,
) {
    let mut known: BTreeSet<String> = BTreeSet::new();
    for object in &*objects {
        let metadata = object.metadata();
        let name =
            if object.kind() == Kind::Namespace { &metadata.name } else { &metadata.namespace };
        known.insert(name.clone());
    }
    for command in commands {
        let (Command::Create(object) | Command::Apply(object)) = command else { continue };
        let name = &object.metadata().namespace;
        if is_namespaced(object.kind())
            && !["", "default", "kube-system"].contains(&&**name)
            && known.insert(name.clone())
        {
            let metadata = ObjectMeta { name: name.clone(), ..ObjectMeta::default() };
            let mut namespace = Namespace { metadata };
            defaults::namespace(&mut namespace);
            objects.push(Object::Namespace(Arc::new(namespace)));
        }
    }
}

/// The events as they are told: cut to milliseconds, and of a budget's statuses in one millisecond the last, if it is
/// news.
pub fn events(events: &[Event]) -> Vec<Value> {
    let mut last = BTreeMap::new();
    for (place, event) in events.iter().enumerate() {
        if let What::Budget(_) = event.what {
            last.insert((event.key.clone(), millis(event.at)), place);
        }
    }
    let mut told: BTreeMap<_, PodDisruptionBudgetStatus> = BTreeMap::new();
    let mut out = Vec::new();
    for (place, event) in events.iter().enumerate() {
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

/// What events can be, as they are told.
pub const TYPES: [&str; 23] = [
    "ActionFailed",
    "NodeAdded",
    "NodeUpdated",
    "NodeDeleted",
    "NodeDown",
    "NodeUp",
    "ReplicaSet",
    "Created",
    "FailedScheduling",
    "Scheduled",
    "Nominated",
    "NominationCleared",
    "Running",
    "Succeeded",
    "Failed",
    "Deleting",
    "Preempted",
    "SIGTERM",
    "SIGKILL",
    "Deleted",
    "PDB",
    "Event",
    "Pending",
];

/// What an event is: one of [`TYPES`], or another phase.
pub(crate) fn type_of(what: &What) -> &'static str {
    match what {
        What::ActionFailed { .. } => "ActionFailed",
        What::NodeAdded => "NodeAdded",
        What::NodeUpdated => "NodeUpdated",
        What::NodeDeleted => "NodeDeleted",
        What::NodeDown => "NodeDown",
        What::NodeUp => "NodeUp",
        What::ReplicaSet { .. } => "ReplicaSet",
        What::Created { .. } => "Created",
        What::FailedScheduling { .. } => "FailedScheduling",
        What::Scheduled { .. } => "Scheduled",
        What::Nominated { .. } => "Nominated",
        What::NominationCleared { .. } => "NominationCleared",
        What::Phase { phase, .. } => phase.as_str(),
        What::Deleting { .. } => "Deleting",
        What::Preempted { .. } => "Preempted",
        What::Signal { signal, .. } => signal.as_str(),
        What::Deleted { .. } => "Deleted",
        What::Budget(_) => "PDB",
        What::Reported(_) => "Event",
    }
}

/// What an event says in words; empty if it has none.
pub(crate) fn message_of(what: &What) -> String {
    match what {
        What::ActionFailed { message, .. }
        | What::FailedScheduling { message }
        | What::Preempted { message, .. }
        | What::Deleting { reason: message, .. }
        | What::Signal { container: message, .. } => message.clone(),
        What::Reported(report) => format!("{}: {}", report.reason, report.message),
        _ => String::new(),
    }
}

fn tell(Event { at, key, what }: &Event) -> Value {
    let mut object = key.to_string();
    let more = match what {
        What::ActionFailed { kind, .. } => {
            object = format!("{}/{key}", kind.as_str());
            json!({})
        }
        What::ReplicaSet { replicas, before: Some(before) } => {
            json!({ "values": { "replicas": replicas, "before": before } })
        }
        What::ReplicaSet { replicas, before: None } => {
            json!({ "values": { "replicas": replicas } })
        }
        What::Created { priority, node } => {
            json!({ "node": node, "values": { "priority": priority } })
        }
        What::Scheduled { node }
        | What::Nominated { node }
        | What::NominationCleared { node }
        | What::Phase { node, .. }
        | What::Deleted { node } => json!({ "node": node }),
        What::Deleting { node, grace, .. } => json!({ "node": node, "values": { "grace": grace } }),
        What::Signal { grace, .. } => json!({ "values": { "grace": grace } }),
        What::Preempted { node, by, .. } => json!({ "node": node, "by": by.to_string() }),
        What::Budget(status) => json!({ "values": budget(status) }),
        _ => json!({}),
    };
    let message = message_of(what);
    let mut event = Map::new();
    event.insert("t".into(), seconds(*at));
    event.insert("type".into(), type_of(what).into());
    event.insert("object".into(), object.into());
    for (key, value) in more.as_object().into_iter().flatten() {
        if value.as_str() != Some("") {
            event.insert(key.clone(), value.clone());
        }
    }
    if !message.is_empty() {
        event.insert("message".into(), message.into());
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
pub fn end(simulation: &Simulation) -> Value {
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
        let restarts: i32 = status.container_statuses.iter().map(|c| c.restart_count).sum();
        put("restarts", restarts.into(), restarts > 0);
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

/// An event in a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// When.
    pub at: Instant,
    /// `Normal` or `Warning`.
    pub kind: &'static str,
    /// Why, in one word.
    pub reason: &'static str,
    /// The object, as `kubectl` names it.
    pub object: String,
    /// What happened.
    pub message: String,
}

/// The events in lines. What Kubernetes has no event for has words of Berth's.
pub fn lines(events: &[Event]) -> Vec<Line> {
    events.iter().map(line).collect()
}

fn line(event: &Event) -> Line {
    let on = |node: &String| {
        if node.is_empty() { String::new() } else { format!(" on node {node}") }
    };
    let mut subject = Kind::Pod;
    let mut kind = "Normal";
    let (reason, message) = match &event.what {
        What::ActionFailed { kind: of, message } => {
            (subject, kind) = (*of, "Warning");
            ("ActionFailed", message.clone())
        }
        What::NodeAdded | What::NodeUpdated | What::NodeDeleted | What::NodeDown | What::NodeUp => {
            subject = Kind::Node;
            match &event.what {
                What::NodeAdded => ("NodeAdded", "Created node".to_owned()),
                What::NodeUpdated => ("NodeUpdated", "Changed node".to_owned()),
                What::NodeDeleted => ("NodeDeleted", "Deleted node".to_owned()),
                What::NodeDown => {
                    kind = "Warning";
                    ("NodeDown", "Kubelet stopped posting node status.".to_owned())
                }
                _ => ("NodeUp", "Kubelet is posting node status again.".to_owned()),
            }
        }
        What::ReplicaSet { replicas, before } => {
            subject = Kind::Workload(WorkloadKind::ReplicaSet);
            let from = before.map(|before| format!(" from {before}")).unwrap_or_default();
            ("ReplicaSet", format!("Scaled{from} to {replicas}"))
        }
        What::Created { priority, node } => {
            ("Created", format!("Created pod with priority {priority}{}", on(node)))
        }
        What::FailedScheduling { message } => {
            kind = "Warning";
            ("FailedScheduling", message.clone())
        }
        What::Scheduled { node } => {
            ("Scheduled", format!("Successfully assigned {} to {node}", event.key))
        }
        What::Nominated { node } => ("Nominated", format!("Nominated to node {node}")),
        What::NominationCleared { node } => {
            ("NominationCleared", format!("Not nominated to node {node} any more"))
        }
        What::Phase { phase, node } => {
            if phase.as_str() == "Failed" {
                kind = "Warning";
            }
            (phase.as_str(), format!("The pod is {}{}", phase.as_str(), on(node)))
        }
        What::Deleting { node, grace, reason } => {
            let why = if reason.is_empty() { String::new() } else { format!(": {reason}") };
            ("Deleting", format!("The pod is to end{} within {grace} s{why}", on(node)))
        }
        What::Signal { container, signal: Signal::Term, grace } => {
            ("SIGTERM", format!("Container {container} is told to end within {grace} s"))
        }
        What::Signal { container, signal: Signal::Kill, .. } => {
            ("SIGKILL", format!("Container {container} is killed: its time is over"))
        }
        What::Preempted { message, .. } => ("Preempted", message.clone()),
        What::Deleted { node } => ("Deleted", format!("The pod is gone{}", on(node))),
        What::Budget(status) => {
            subject = Kind::PodDisruptionBudget;
            let PodDisruptionBudgetStatus { disruptions_allowed, current_healthy, .. } = status;
            let desired = status.desired_healthy;
            let numbers = format!(
                "Allows {disruptions_allowed} disruptions, {current_healthy} healthy, {desired} desired"
            );
            ("Budget", numbers)
        }
        What::Reported(report) => {
            subject = report.kind;
            kind = if report.warning { "Warning" } else { "Normal" };
            (report.reason, report.message.clone())
        }
    };
    let object = format!("{}/{}", subject.as_str().to_lowercase(), event.key);
    Line { at: event.at, kind, reason, object, message }
}

/// Everything that happened, and the state at the end.
pub fn to_json(simulation: &Simulation, happened: &[Event]) -> Value {
    json!({
        "version": VERSION,
        "seed": simulation.scheduler().seed(),
        "until": seconds(simulation.now()),
        "events": events(happened),
        "final": end(simulation),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::intake::{SEED, take_in};
    use crate::manifest::{Source, read};
    use berth_core::framework::config::Configuration;
    use berth_core::simulation::Parameters;

    #[test]
    fn what_workloads_have_made_already_is_not_made_again() {
        for kind in ["Deployment", "ReplicaSet", "StatefulSet"] {
            let text = format!(
                "apiVersion: v1\nkind: Node\nmetadata: {{name: n}}\n\
                 status: {{allocatable: {{cpu: '4', memory: 8Gi, pods: '9'}}}}\n---\n\
                 apiVersion: apps/v1\nkind: {kind}\nmetadata: {{name: web}}\n\
                 spec:\n  replicas: 3\n  selector: {{matchLabels: {{app: web}}}}\n  template:\n    \
                 metadata: {{labels: {{app: web}}}}\n    spec: {{containers: [{{name: c, image: i}}]}}\n"
            );
            let objects = take_in(&read(&[Source { name: "", text: &text }]), SEED).objects;
            let begun = Simulation::new(objects, &Configuration::default(), Parameters::default());
            let mut simulation = begun.expect("it can be run");
            simulation.run_until(Instant(30_000_000_000));
            let pods: Vec<_> = simulation.objects().pods().map(|pod| pod.metadata.key()).collect();
            assert_eq!(pods.len(), 3, "{kind}: {pods:?}");
            let sets = simulation.objects().workloads(WorkloadKind::ReplicaSet).count();
            assert_eq!(sets, usize::from(kind != "StatefulSet"), "{kind}");
        }
    }
}
