//! A pod in plain text, laid out as `kubectl describe pod` does it.
//!
//! Of what `kubectl` prints that is left out which the scheduler does not read. The events are those of the scheduler,
//! without an age.

use std::fmt::Write;

use berth_core::api::{
    Container, ObjectKey, Pod, Selector, Toleration, TolerationOperator, TopologySpreadConstraint,
    UnsatisfiableConstraintAction,
};
use berth_core::playground::Playground;

/// Where the values of the outer fields begin.
const COLUMN: usize = 30;

/// A pod, and what the scheduler says of it now; none if it is not there.
pub fn pod(playground: &mut Playground, key: &ObjectKey) -> Option<String> {
    let cluster = playground.cluster();
    let pod = std::sync::Arc::clone(&cluster.pod(cluster.pod_named(key)?)?.pod);
    let mut out = String::new();
    head(&mut out, &pod);
    containers(&mut out, "Init Containers", &pod.spec.init_containers);
    containers(&mut out, "Containers", &pod.spec.containers);
    tail(&mut out, &pod);
    events(&mut out, playground, key, &pod);
    Some(out)
}

fn field(out: &mut String, name: &str, value: &str) {
    let value = if value.is_empty() { "<none>" } else { value };
    let _ = writeln!(out, "{:COLUMN$}{value}", [name, ":"].concat());
}

/// A field of several lines.
fn lines(out: &mut String, name: &str, lines: &[String]) {
    field(out, name, lines.first().map_or("", String::as_str));
    for line in lines.iter().skip(1) {
        let _ = writeln!(out, "{:COLUMN$}{line}", "");
    }
}

fn head(out: &mut String, pod: &Pod) {
    field(out, "Name", &pod.metadata.name);
    field(out, "Namespace", &pod.metadata.namespace);
    field(out, "Priority", &pod.priority().to_string());
    if !pod.spec.priority_class_name.is_empty() {
        field(out, "Priority Class Name", &pod.spec.priority_class_name);
    }
    field(out, "Node", &pod.spec.node_name);
    let labels: Vec<String> =
        pod.metadata.labels.iter().map(|(key, value)| format!("{key}={value}")).collect();
    lines(out, "Labels", &labels);
    let deleted = pod.metadata.deletion_timestamp.is_some();
    field(out, "Status", if deleted { "Terminating" } else { pod.status.phase.as_str() });
    if !pod.status.nominated_node_name.is_empty() {
        field(out, "NominatedNodeName", &pod.status.nominated_node_name);
    }
}

fn containers(out: &mut String, title: &str, containers: &[Container]) {
    if containers.is_empty() {
        return;
    }
    let _ = writeln!(out, "{title}:");
    for container in containers {
        let _ = writeln!(out, "  {}:", container.name);
        let _ = writeln!(out, "    {:<12}{}", "Image:", container.image);
        let ports: Vec<String> = container
            .ports
            .iter()
            .filter(|port| port.host_port != 0)
            .map(|port| format!("{}/{}", port.host_port, port.protocol))
            .collect();
        if !ports.is_empty() {
            let _ = writeln!(out, "    {:<12}{}", "Host Ports:", ports.join(", "));
        }
        for (title, list) in
            [("Limits", &container.resources.limits), ("Requests", &container.resources.requests)]
        {
            if !list.is_empty() {
                let _ = writeln!(out, "    {title}:");
            }
            for (name, quantity) in list {
                let _ = writeln!(out, "      {:<10} {quantity}", [name, ":"].concat());
            }
        }
    }
}

fn tail(out: &mut String, pod: &Pod) {
    let spec = &pod.spec;
    let selectors: Vec<String> =
        spec.node_selector.iter().map(|(key, value)| format!("{key}={value}")).collect();
    lines(out, "Node-Selectors", &selectors);
    let tolerations: Vec<String> = spec.tolerations.iter().map(toleration).collect();
    lines(out, "Tolerations", &tolerations);
    if !spec.topology_spread_constraints.is_empty() {
        let constraints: Vec<String> =
            spec.topology_spread_constraints.iter().map(constraint).collect();
        lines(out, "Topology Spread Constraints", &constraints);
    }
    if !spec.scheduling_gates.is_empty() {
        lines(out, "Scheduling Gates", &spec.scheduling_gates);
    }
}

fn toleration(toleration: &Toleration) -> String {
    let mut text = toleration.key.clone();
    if !toleration.value.is_empty() {
        text = format!("{text}={}", toleration.value);
    }
    if let Some(effect) = toleration.effect {
        text = format!("{text}:{effect}");
    }
    if toleration.operator == TolerationOperator::Exists && toleration.value.is_empty() {
        text += if text.is_empty() { "op=Exists" } else { " op=Exists" };
    }
    if let Some(seconds) = toleration.toleration_seconds {
        let _ = write!(text, " for {seconds}s");
    }
    text
}

fn constraint(constraint: &TopologySpreadConstraint) -> String {
    let selector = Selector::from_label_selector(constraint.label_selector.as_ref());
    let selector = selector.map_or_else(|error| error.to_string(), |found| found.to_string());
    let exceeded = match constraint.when_unsatisfiable {
        UnsatisfiableConstraintAction::DoNotSchedule => "DoNotSchedule",
        UnsatisfiableConstraintAction::ScheduleAnyway => "ScheduleAnyway",
    };
    format!(
        "{}:{exceeded} when max skew {} is exceeded for selector {selector}",
        constraint.topology_key, constraint.max_skew
    )
}

fn events(out: &mut String, playground: &mut Playground, key: &ObjectKey, pod: &Pod) {
    let from = &pod.spec.scheduler_name;
    let event = if pod.spec.node_name.is_empty() {
        let explanation = playground.explain(key).ok();
        let message = explanation.and_then(|found| found.error.or(found.message));
        message.map(|message| ("Warning", "FailedScheduling", message))
    } else {
        let message = format!("Successfully assigned {key} to {}", pod.spec.node_name);
        Some(("Normal", "Scheduled", message))
    };
    let Some((kind, reason, message)) = event else {
        return field(out, "Events", "");
    };
    let (reasons, froms) = (reason.len().max(6), from.len().max(4));
    let _ = writeln!(out, "Events:");
    let mut row = |cells: [&str; 4]| {
        let [kind, reason, from, message] = cells;
        let _ = writeln!(out, "  {kind:<7}  {reason:<reasons$}  {from:<froms$}  {message}");
    };
    row(["Type", "Reason", "From", "Message"]);
    row(["----", "------", "----", "-------"]);
    row([kind, reason, from, &message]);
}

#[cfg(test)]
mod tests {
    use super::pod;
    use crate::intake::{SEED, take_in};
    use crate::manifest::{Source, read};
    use berth_core::api::ObjectKey;
    use berth_core::framework::config::Configuration;
    use berth_core::playground::{Command, Playground};

    const CLUSTER: &str = "
apiVersion: v1
kind: Node
metadata: {name: node1, labels: {zone: a}}
status: {allocatable: {cpu: '1', pods: '9'}}
---
apiVersion: v1
kind: Pod
metadata: {name: web, labels: {app: web, tier: front}}
spec:
  tolerations: [{key: gpu, operator: Exists}, {key: team, value: x, effect: NoExecute, tolerationSeconds: 30}]
  topologySpreadConstraints: [{maxSkew: 1, topologyKey: zone, whenUnsatisfiable: DoNotSchedule, labelSelector: {matchLabels: {app: web}}}]
  containers: [{name: main, image: 'nginx:1', resources: {requests: {cpu: '2'}}}]
";

    #[test]
    fn it_looks_as_kubectl_prints_it() {
        let report = read(&[Source { name: "", text: CLUSTER }]);
        let objects = take_in(&report, SEED).objects;
        let mut playground = Playground::new(objects, Configuration::default()).unwrap();
        let key = ObjectKey::new("default", "web");
        assert_eq!(
            pod(&mut playground, &key).unwrap(),
            "\
Name:                         web
Namespace:                    default
Priority:                     0
Node:                         <none>
Labels:                       app=web
                              tier=front
Status:                       Pending
Containers:
  main:
    Image:      nginx:1
    Requests:
      cpu:       2
Node-Selectors:               <none>
Tolerations:                  gpu op=Exists
                              team=x:NoExecute for 30s
Topology Spread Constraints:  zone:DoNotSchedule when max skew 1 is exceeded for selector app=web
Events:
  Type     Reason            From               Message
  ----     ------            ----               -------
  Warning  FailedScheduling  default-scheduler  0/1 nodes are available: 1 Insufficient cpu. no new claims to \
deallocate, preemption: 0/1 nodes are available: 1 Preemption is not helpful for scheduling.
"
        );
        let node = "node1".to_owned();
        playground.apply(Command::Place { pod: key.clone(), node }).unwrap();
        let placed = pod(&mut playground, &key).unwrap();
        assert!(placed.contains("Node:                         node1\n"));
        assert!(placed.ends_with(
            "Normal   Scheduled  default-scheduler  Successfully assigned default/web to node1\n"
        ));
        assert_eq!(pod(&mut playground, &ObjectKey::new("default", "gone")), None);
    }
}
