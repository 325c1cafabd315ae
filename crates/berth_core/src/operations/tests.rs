//! Drains, outages and scaling, each as one command on a small cluster.

use super::drain::{Stay, drain};
use super::outage::{is_unreachable, lose, reach};
use super::scale::{create, remove, scale};
use crate::api::{
    IntOrPercent, LabelSelector, Labels, Node, Object, ObjectKey, ObjectMeta, OwnerReference, Pod,
    PodDisruptionBudget, PodTemplate, Workload, WorkloadKind,
};
use crate::framework::config::Configuration;
use crate::playground::{Command, Playground};
use alloc::string::{String, ToString};
use alloc::sync::Arc;
use alloc::vec::Vec;
use alloc::{format, vec};

fn meta(name: &str, app: &str) -> ObjectMeta {
    let labels =
        if app.is_empty() { Labels::new() } else { Labels::from([("app".into(), app.into())]) };
    ObjectMeta { name: name.into(), namespace: "default".into(), labels, ..ObjectMeta::default() }
}

fn node(name: &str) -> Object {
    let metadata = ObjectMeta { name: name.into(), ..ObjectMeta::default() };
    Object::Node(Arc::new(Node { metadata, ..Node::default() }))
}

fn pod(name: &str, node: &str, owner: Option<(&str, &str)>) -> Object {
    let mut pod = Pod { metadata: meta(name, "web"), ..Pod::default() };
    pod.spec.node_name = node.into();
    if let Some((kind, name)) = owner {
        pod.metadata.owner_references.push(OwnerReference {
            kind: kind.into(),
            name: name.into(),
            controller: true,
            ..OwnerReference::default()
        });
    }
    Object::Pod(Arc::new(pod))
}

fn selector() -> LabelSelector {
    let match_labels = Labels::from([("app".into(), "web".into())]);
    LabelSelector { match_labels, ..LabelSelector::default() }
}

fn workload(kind: WorkloadKind, name: &str, replicas: i32) -> Workload {
    Workload {
        kind,
        metadata: meta(name, "web"),
        replicas: Some(replicas),
        completions: None,
        indexed: false,
        suspended: false,
        first_ordinal: 0,
        selector: Some(selector()),
        template: PodTemplate { labels: meta("", "web").labels, ..PodTemplate::default() },
        update_strategy: None,
        control: Arc::default(),
        status: Arc::default(),
    }
}

fn open(objects: Vec<Object>) -> Playground {
    Playground::new(objects, Configuration::default()).expect("the default configuration runs")
}

/// Every pod as `name on node`, by name; a generated end is `*`.
fn pods(playground: &Playground) -> Vec<String> {
    let known = ["web-1", "web-2", "web-3", "agent-1", "alone", "db-0", "db-1", "db-2"];
    let mut all: Vec<String> = Vec::new();
    for (_, info) in playground.cluster().pods() {
        let name = info.pod.metadata.name.as_str();
        let stem = name.rsplit_once('-').map_or(name, |(stem, _)| stem);
        let name = if known.contains(&name) { name.to_string() } else { format!("{stem}-*") };
        all.push(format!("{name} on {}", info.pod.spec.node_name));
    }
    all.sort();
    all
}

/// Carries out a command, and checks that taking it back leads back.
fn apply(playground: &mut Playground, command: &Command) -> Vec<String> {
    let before = pods(playground);
    playground.apply(command.clone()).expect("it can be done");
    let after = pods(playground);
    playground.undo();
    assert_eq!(pods(playground), before);
    playground.redo();
    assert_eq!(pods(playground), after);
    after
}

#[test]
fn a_drain_goes_as_far_as_the_budget_allows() {
    let budget = PodDisruptionBudget {
        metadata: meta("web", ""),
        selector: Some(selector()),
        min_available: Some(IntOrPercent::Int(2)),
        ..PodDisruptionBudget::default()
    };
    let set = Some(("ReplicaSet", "web"));
    let mut playground = open(vec![
        node("a"),
        node("b"),
        Object::Workload(Arc::new(workload(WorkloadKind::ReplicaSet, "web", 2))),
        Object::PodDisruptionBudget(Arc::new(budget)),
        pod("web-1", "a", set),
        pod("web-2", "a", set),
        pod("agent-1", "a", Some(("DaemonSet", "agent"))),
    ]);
    let drained = drain(&playground, &["a"], "Drain a");
    // The second is not evicted: what came for the first is not ready. The agent is selected by the budget as well.
    let names = |keys: &[ObjectKey]| keys.iter().map(|key| key.name.clone()).collect::<Vec<_>>();
    assert_eq!(names(&drained.evicted), ["web-1"]);
    assert_eq!(drained.replaced.len(), 1);
    assert_eq!(drained.stay.first().map(|(_, stay)| stay.clone()), Some(Stay::DaemonSet));
    let refused: Vec<String> = drained.stay.iter().filter_map(|(_, stay)| stay.refusal()).collect();
    assert_eq!(refused.len(), 1, "{drained:?}");
    assert!(refused[0].starts_with("The disruption budget web"), "{refused:?}");
    assert_eq!(
        apply(&mut playground, &drained.command),
        ["agent-1 on a", "web-* on ", "web-2 on a"]
    );
    assert_eq!(drain(&playground, &["a"], "").evicted, []);
}

#[test]
fn pods_without_a_controller_do_not_come_back() {
    let mut playground = open(vec![
        node("a"),
        pod("alone", "a", None),
        pod("web-1", "a", Some(("ReplicaSet", "web"))),
        pod("db-0", "a", Some(("StatefulSet", "db"))),
    ]);
    let command = lose(&playground, &["a"], "Lose a");
    assert_eq!(apply(&mut playground, &command), ["db-0 on ", "web-* on "]);
    assert_eq!(playground.cluster().node_count(), 0);
}

#[test]
fn an_outage_taints_and_its_end_leaves_other_taints() {
    let mut playground = open(vec![node("a"), node("b"), pod("alone", "a", None)]);
    let down = reach(&playground, &["a", "b"], false, "");
    assert_eq!(apply(&mut playground, &down), ["alone on a"]);
    let tainted = |playground: &Playground| {
        let cluster = playground.cluster();
        cluster
            .node_slots()
            .iter()
            .filter_map(|slot| slot.node.as_ref())
            .filter(|n| is_unreachable(n))
            .count()
    };
    assert_eq!(tainted(&playground), 2);
    let up = reach(&playground, &["a", "b"], true, "");
    apply(&mut playground, &up);
    assert_eq!(tainted(&playground), 0);
}

#[test]
fn scaling_makes_what_is_missing_and_deletes_what_waits_first() {
    let set = Some(("ReplicaSet", "web"));
    let mut playground = open(vec![
        node("a"),
        node("b"),
        Object::Workload(Arc::new(workload(WorkloadKind::ReplicaSet, "web", 3))),
        pod("web-1", "a", set),
        pod("web-2", "b", set),
        pod("web-3", "b", set),
    ]);
    let key = ObjectKey::new("default", "web");
    let to = |playground: &Playground, replicas| {
        scale(playground, WorkloadKind::ReplicaSet, &key, replicas, "Scale")
    };
    let up = to(&playground, 4).expect("it can be scaled");
    assert_eq!(
        apply(&mut playground, &up),
        ["web-* on ", "web-1 on a", "web-2 on b", "web-3 on b"]
    );
    // The one that waits, then one of the two that share a node.
    let down = to(&playground, 2).expect("it can be scaled");
    assert_eq!(apply(&mut playground, &down), ["web-1 on a", "web-3 on b"]);
    let none = to(&playground, 0).expect("it can be scaled");
    assert!(apply(&mut playground, &none).is_empty());
    let error = to(&playground, -1).expect_err("a negative number");
    assert_eq!(
        error.to_string(),
        "ReplicaSet.apps \"web\" is invalid: spec.replicas: Invalid value: -1: must be greater than or equal to 0"
    );
}

#[test]
fn a_deployment_scales_its_replica_set_and_goes_with_it() {
    let mut playground = open(vec![node("a")]);
    let made = create(&playground, workload(WorkloadKind::Deployment, "web", 2), "Add")
        .expect("it can be made");
    assert_eq!(apply(&mut playground, &made).len(), 2);
    let key = ObjectKey::new("default", "web");
    for replicas in [5, 1, 3] {
        let command = scale(&playground, WorkloadKind::Deployment, &key, replicas, "Scale")
            .expect("it can be scaled");
        assert_eq!(apply(&mut playground, &command).len() as i32, replicas);
    }
    let command = remove(&playground, WorkloadKind::Deployment, &key, "Delete");
    assert!(apply(&mut playground, &command).is_empty());
    assert!(playground.cluster().workloads().is_empty());
}

#[test]
fn a_stateful_set_loses_its_last_pods() {
    let mut playground = open(vec![node("a")]);
    let made = create(&playground, workload(WorkloadKind::StatefulSet, "db", 3), "Add")
        .expect("it can be made");
    assert_eq!(apply(&mut playground, &made), ["db-0 on ", "db-1 on ", "db-2 on "]);
    let key = ObjectKey::new("default", "db");
    let command =
        scale(&playground, WorkloadKind::StatefulSet, &key, 1, "Scale").expect("it can be scaled");
    assert_eq!(apply(&mut playground, &command), ["db-0 on "]);
}
