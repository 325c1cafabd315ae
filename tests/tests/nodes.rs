//! Nodes that go down, come back, and are drained: what happens to their pods, and when.
#![cfg(not(target_arch = "wasm32"))]

use berth_core::api::ObjectKey;
use berth_core::framework::config::Configuration;
use berth_core::queue::Instant;
use berth_core::queue::time::SECOND;
use berth_core::simulation::{Event, Parameters, Simulation, What};
use berth_tests::object;
use berth_wire::steps::Steps;
use serde_json::{Value, json};

fn node(name: &str) -> Value {
    json!({
        "apiVersion": "v1", "kind": "Node", "metadata": { "name": name },
        "status": { "capacity": { "cpu": "4", "memory": "8Gi", "pods": "20" } },
    })
}

fn pod(name: &str, node: &str, seconds: Option<i64>) -> Value {
    let tolerations = seconds.map(|seconds| {
        json!([{
            "key": "node.kubernetes.io/unreachable", "operator": "Exists", "effect": "NoExecute",
            "tolerationSeconds": seconds,
        }])
    });
    json!({
        "apiVersion": "v1", "kind": "Pod", "metadata": { "name": name, "labels": { "app": "web" } },
        "spec": {
            "nodeName": node, "tolerations": tolerations, "terminationGracePeriodSeconds": 5,
            "containers": [{ "name": "c", "image": "i" }],
        },
    })
}

/// A cluster with what is done to it.
fn begin(objects: &[Value], steps: &str) -> Simulation {
    let steps = Steps::parse("steps", steps).expect("steps");
    let parameters = Parameters { kubelet: steps.kubelet, ..Parameters::default() };
    let objects = objects.iter().map(object);
    let simulation = Simulation::new(objects, &Configuration::default(), parameters);
    let mut simulation = simulation.expect("profiles can run");
    for (at, command) in steps.commands {
        simulation.plan(at, command);
    }
    simulation
}

/// The whole seconds at which something happened to an object.
fn seconds(events: &[Event], name: &str, is_meant: impl Fn(&What) -> bool) -> Vec<i64> {
    let of_it = events.iter().filter(|event| event.key.name == name && is_meant(&event.what));
    of_it.map(|event| event.at.0 / SECOND).collect()
}

#[test]
fn a_node_that_goes_down_loses_its_pods_when_it_is_found_out() {
    let pods =
        [pod("patient", "n1", None), pod("hasty", "n1", Some(10)), pod("elsewhere", "n2", Some(0))];
    let objects: Vec<Value> = [node("n1"), node("n2")].into_iter().chain(pods).collect();
    let mut simulation = begin(&objects, "steps: [{at: 12, down: n1}, {at: 500, up: n1}]");
    let taints = |simulation: &Simulation| -> Vec<String> {
        let node = simulation.objects().node("n1").expect("it is there");
        node.spec.taints.iter().map(|taint| taint.effect.to_string()).collect()
    };
    // Its last lease is of second 10; the look after fifty seconds more finds it out.
    simulation.run_until(Instant(64 * SECOND));
    assert!(taints(&simulation).is_empty());
    simulation.run_until(Instant(65 * SECOND));
    assert_eq!(taints(&simulation), ["NoSchedule", "NoExecute"]);
    let is_ready = |simulation: &Simulation, name: &str| {
        let pod = simulation.objects().pod(&ObjectKey::new("default", name));
        pod.map(|pod| pod.is_ready())
    };
    assert_eq!(is_ready(&simulation, "hasty"), Some(false));
    // What is deleted stays, since nobody on the node ends it.
    simulation.run_until(Instant(499 * SECOND));
    assert_eq!(is_ready(&simulation, "hasty"), Some(false));
    simulation.run_until(Instant(520 * SECOND));
    assert!(taints(&simulation).is_empty());
    let events = simulation.take_events();
    let deleting = |what: &What| matches!(what, What::Deleting { .. });
    let gone = |what: &What| matches!(what, What::Deleted { .. });
    assert_eq!(seconds(&events, "hasty", deleting), [75]);
    assert_eq!(seconds(&events, "patient", deleting), [365]);
    assert_eq!(seconds(&events, "hasty", gone), [500]);
    assert_eq!(seconds(&events, "patient", gone), [500]);
    assert_eq!(is_ready(&simulation, "elsewhere"), Some(true));
}

#[test]
fn a_drain_waits_for_budgets() {
    let template = json!({
        "metadata": { "labels": { "app": "web" } },
        "spec": { "terminationGracePeriodSeconds": 5, "containers": [{ "name": "c", "image": "i" }] },
    });
    let set = json!({
        "apiVersion": "apps/v1", "kind": "ReplicaSet", "metadata": { "name": "web" },
        "spec": { "replicas": 3, "selector": { "matchLabels": { "app": "web" } }, "template": template },
    });
    let budget = json!({
        "apiVersion": "policy/v1", "kind": "PodDisruptionBudget", "metadata": { "name": "web" },
        "spec": { "maxUnavailable": 1, "selector": { "matchLabels": { "app": "web" } } },
    });
    let steps = "\
kubelet: {startSeconds: 3}
steps:
- {at: 10, create: {apiVersion: v1, kind: Node, metadata: {name: n2}, status: {capacity: {cpu: 4, memory: 8Gi, pods: 20}}}}
- {at: 20, drain: n1}
";
    let mut simulation = begin(&[node("n1"), set, budget], steps);
    let mut lowest = 3;
    for second in 10..90 {
        simulation.run_until(Instant(second * SECOND));
        let ready = simulation.objects().pods().filter(|pod| pod.is_ready()).count();
        lowest = lowest.min(ready);
    }
    assert_eq!(lowest, 2, "the budget allows one to be missing");
    let nodes: Vec<&str> = simulation.objects().pods().map(|pod| &*pod.spec.node_name).collect();
    assert_eq!(nodes, ["n2"; 3]);
    let events = simulation.take_events();
    let evicted = events.iter().filter(
        |event| matches!(&event.what, What::Deleting { reason, .. } if reason == "EvictionByEvictionAPI"),
    );
    // One by one: every five seconds it is asked again.
    let at: Vec<i64> = evicted.map(|event| event.at.0 / SECOND).collect();
    assert_eq!(at, [20, 25, 30]);
}
