//! Small random clusters, and single objects.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::sync::Arc;
use alloc::vec;
use alloc::vec::Vec;

use crate::api::{
    Affinity, Container, ContainerPort, IntOrPercent, LabelSelector, Labels, Node, NodeAffinity,
    NodeInclusionPolicy, NodeSelector, NodeSelectorRequirement, NodeSelectorTerm, Object, Pod,
    PodAffinity, PodAffinityTerm, PodDisruptionBudget, PreemptionPolicy, PriorityClass, Protocol,
    Quantity, ResourceList, Taint, TaintEffect, TopologySpreadConstraint,
    UnsatisfiableConstraintAction,
};
use crate::framework::config::Configuration;
use crate::playground::Playground;

pub(super) const HOSTNAME: &str = "kubernetes.io/hostname";
pub(super) const ZONE: &str = "topology.kubernetes.io/zone";

/// A linear congruential generator: the same numbers for the same start.
pub(super) struct Random(pub(super) u64);

impl Random {
    pub(super) fn below(&mut self, n: u64) -> u64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % n
    }

    pub(super) fn chance(&mut self, percent: u64) -> bool {
        self.below(100) < percent
    }
}

pub(super) fn labels(pairs: &[(&str, &str)]) -> Labels {
    pairs.iter().map(|(key, value)| ((*key).to_string(), (*value).to_string())).collect()
}

pub(super) fn amounts(pairs: &[(&str, &str)]) -> ResourceList {
    pairs.iter().map(|(key, value)| ((*key).into(), Quantity::parse(value).unwrap())).collect()
}

pub(super) fn select(pairs: &[(&str, &str)]) -> LabelSelector {
    LabelSelector { match_labels: labels(pairs), match_expressions: Vec::new() }
}

pub(super) fn node(name: &str, zone: Option<&str>, cpu: &str) -> Node {
    let mut node = Node::default();
    node.metadata.name = name.into();
    node.metadata.labels = labels(&[(HOSTNAME, name)]);
    if let Some(zone) = zone {
        node.metadata.labels.insert(ZONE.into(), zone.into());
    }
    node.status.allocatable = amounts(&[("cpu", cpu), ("memory", "8Gi"), ("pods", "10")]);
    node
}

pub(super) fn pod(name: &str, app: &str, cpu: &str, node: &str) -> Pod {
    let mut pod = Pod::default();
    pod.metadata.name = name.into();
    pod.metadata.namespace = "default".into();
    pod.metadata.labels = labels(&[("app", app)]);
    let mut container = Container { name: "c".into(), ..Container::default() };
    container.resources.requests = amounts(&[("cpu", cpu)]);
    pod.spec.containers.push(container);
    pod.spec.scheduler_name = "default-scheduler".into();
    pod.spec.priority = Some(0);
    pod.spec.node_name = node.into();
    pod
}

pub(super) fn constraint(key: &str, max_skew: i32, app: &str) -> TopologySpreadConstraint {
    TopologySpreadConstraint {
        max_skew,
        topology_key: key.into(),
        when_unsatisfiable: UnsatisfiableConstraintAction::DoNotSchedule,
        label_selector: Some(select(&[("app", app)])),
        min_domains: None,
        node_affinity_policy: None,
        node_taints_policy: None,
        match_label_keys: Vec::new(),
    }
}

pub(super) fn near(app: &str, key: &str) -> PodAffinity {
    let term = PodAffinityTerm {
        label_selector: Some(select(&[("app", app)])),
        topology_key: key.into(),
        ..PodAffinityTerm::default()
    };
    PodAffinity { required: vec![term], preferred: Vec::new() }
}

pub(super) fn budget(name: &str, app: &str) -> PodDisruptionBudget {
    let mut budget = PodDisruptionBudget::default();
    budget.metadata.name = name.into();
    budget.metadata.namespace = "default".into();
    budget.selector = Some(select(&[("app", app)]));
    budget.max_unavailable = Some(IntOrPercent::Int(0));
    budget
}

pub(super) fn class(name: &str, value: i32) -> PriorityClass {
    let mut class = PriorityClass { value, ..PriorityClass::default() };
    class.metadata.name = name.into();
    class
}

pub(super) fn playground(objects: Vec<Object>) -> Playground {
    Playground::new(objects, Configuration::default()).unwrap()
}

pub(super) fn objects(
    nodes: impl IntoIterator<Item = Node>,
    pods: impl IntoIterator<Item = Pod>,
) -> Vec<Object> {
    let nodes = nodes.into_iter().map(|node| Object::Node(Arc::new(node)));
    nodes.chain(pods.into_iter().map(|pod| Object::Pod(Arc::new(pod)))).collect()
}

/// A cluster with a pod `default/new` that waits.
pub(super) fn random(random: &mut Random) -> Vec<Object> {
    let count = 2 + random.below(3);
    let nodes: Vec<Node> = (0..count).map(|number| random_node(random, number)).collect();
    let running = random.below(6);
    let mut pods: Vec<Pod> = (0..running)
        .map(|number| {
            let app = ["web", "db"][random.below(2) as usize];
            let cpu = ["500m", "1", "1500m"][random.below(3) as usize];
            let on =
                if random.chance(95) { format!("n{}", random.below(count)) } else { String::new() };
            let mut pod = pod(&format!("p{number}"), app, cpu, &on);
            pod.spec.priority = Some(random.below(3) as i32 * 10);
            if on.is_empty() {
                pod.status.nominated_node_name = format!("n{}", random.below(count));
            }
            if random.chance(15) {
                let section = Some(near(["web", "db"][random.below(2) as usize], ZONE));
                pod.spec.affinity =
                    Some(Affinity { pod_anti_affinity: section, ..Affinity::default() });
            }
            pod
        })
        .collect();
    pods.push(incoming(random));
    let mut all = objects(nodes, pods);
    if random.chance(40) {
        let app = ["web", "db"][random.below(2) as usize];
        all.push(Object::PodDisruptionBudget(Arc::new(budget("b", app))));
    }
    if random.chance(30) {
        all.push(Object::PriorityClass(Arc::new(class("high", 15))));
    }
    all
}

fn random_node(random: &mut Random, number: u64) -> Node {
    let zones = ["a", "b"];
    let zone = random.chance(85).then(|| zones[random.below(2) as usize]);
    let cpu = ["1", "2", "3"][random.below(3) as usize];
    let mut node = node(&format!("n{number}"), zone, cpu);
    if random.chance(30) {
        node.metadata.labels.insert("disk".into(), "ssd".into());
    }
    if random.chance(10) {
        node.spec.unschedulable = true;
    }
    if random.chance(25) {
        let effect = [TaintEffect::NoSchedule, TaintEffect::NoExecute][random.below(2) as usize];
        let value = ["", "gpu"][random.below(2) as usize].into();
        node.spec.taints.push(Taint { key: "dedicated".into(), value, effect });
    }
    node
}

fn incoming(random: &mut Random) -> Pod {
    let cpu = ["500m", "1", "2", "2500m"][random.below(4) as usize];
    let mut pod = pod("new", "web", cpu, "");
    pod.spec.priority = Some([0, 5, 15][random.below(3) as usize]);
    if random.chance(15) {
        pod.spec.preemption_policy = Some(PreemptionPolicy::Never);
    }
    if random.chance(5) {
        pod.spec.scheduling_gates.push("wait".into());
    }
    if random.chance(60) {
        pod.spec.topology_spread_constraints.push(random_constraint(random, ZONE));
    }
    if random.chance(25) {
        pod.spec.topology_spread_constraints.push(random_constraint(random, HOSTNAME));
    }
    if random.chance(20) {
        pod.spec.node_selector = labels(&[("disk", "ssd")]);
    }
    if random.chance(15) {
        pod.spec.containers[0].ports.push(ContainerPort {
            container_port: 80,
            host_port: 8080,
            host_ip: String::new(),
            protocol: Protocol::Tcp,
        });
    }
    let mut affinity = Affinity::default();
    if random.chance(15) {
        let values = vec![["a", "b"][random.below(2) as usize].to_string()];
        let requirement =
            NodeSelectorRequirement { key: ZONE.into(), operator: "In".into(), values };
        let term = NodeSelectorTerm {
            match_expressions: vec![requirement],
            ..NodeSelectorTerm::default()
        };
        let required = Some(NodeSelector { node_selector_terms: vec![term] });
        affinity.node_affinity = Some(NodeAffinity { required, preferred: Vec::new() });
    }
    if random.chance(15) {
        affinity.pod_affinity = Some(near(["web", "db"][random.below(2) as usize], ZONE));
    }
    if random.chance(20) {
        let key = [ZONE, HOSTNAME][random.below(2) as usize];
        affinity.pod_anti_affinity = Some(near(["web", "db"][random.below(2) as usize], key));
    }
    pod.spec.affinity = Some(affinity);
    pod
}

fn random_constraint(random: &mut Random, key: &str) -> TopologySpreadConstraint {
    let mut new = constraint(key, 1 + random.below(2) as i32, "web");
    if random.chance(20) {
        new.min_domains = Some(1 + random.below(3) as i32);
    }
    if random.chance(20) {
        new.node_taints_policy = Some(NodeInclusionPolicy::Honor);
    }
    if random.chance(20) {
        new.node_affinity_policy = Some(NodeInclusionPolicy::Ignore);
    }
    new
}
