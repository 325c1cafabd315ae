//! The cluster that the page opens with: it fails for an instructive reason.
//!
//! The same cluster as `web/lessons/one-zone-full.yaml`, which a test compares; written out here so that the page
//! need not carry the reading of manifests to begin.

use berth_core::api::{
    Container, IntOrPercent, LabelSelector, Labels, Node, Object, ObjectMeta, Pod,
    PodDisruptionBudget, PreemptionPolicy, PriorityClass, Quantity, ResourceList, Taint,
    TaintEffect, Toleration, TolerationOperator, TopologySpreadConstraint,
    UnsatisfiableConstraintAction,
};
use std::sync::Arc;

const NAMESPACE: &str = "shop";
const ZONE: &str = "topology.kubernetes.io/zone";

/// Name, zone, memory.
const NODES: [[&str; 3]; 6] = [
    ["node-a1", "zone-a", "8Gi"],
    ["node-a2", "zone-a", "8Gi"],
    ["node-b1", "zone-b", "8Gi"],
    ["node-b2", "zone-b", "8Gi"],
    ["node-c1", "zone-c", "8Gi"],
    ["node-c2", "zone-c", "16Gi"],
];

/// Node, key, value, effect.
const TAINTS: [(&str, &str, &str, TaintEffect); 3] = [
    ("node-b2", "spot", "true", TaintEffect::PreferNoSchedule),
    (CORDONED, "node.kubernetes.io/unschedulable", "", TaintEffect::NoSchedule),
    (CORDONED, "dedicated", "gpu", TaintEffect::NoSchedule),
];
const CORDONED: &str = "node-c2";

const CLASSES: [(&str, i32); 3] = [("web-standard", 100), ("batch-low", 0), ("ledger-high", 1000)];

/// Name, app, node, priority class, cpu, memory.
const PODS: [[&str; 6]; 17] = [
    ["web-1", "web", "node-a1", "web-standard", "500m", "512Mi"],
    ["web-2", "web", "node-a2", "web-standard", "500m", "512Mi"],
    ["web-3", "web", "node-b1", "web-standard", "500m", "512Mi"],
    ["web-4", "web", "node-b2", "web-standard", "500m", "512Mi"],
    ["web-5", "web", "node-c1", "web-standard", "500m", "512Mi"],
    ["cache-1", "cache", "node-a1", "web-standard", "1", "2Gi"],
    ["cache-2", "cache", "node-b1", "web-standard", "1", "2Gi"],
    ["cache-3", "cache", "node-c1", "web-standard", "1", "2Gi"],
    ["ledger-1", "ledger", "node-a1", "ledger-high", "1500m", "2Gi"],
    ["ledger-2", "ledger", "node-c1", "ledger-high", "1500m", "2Gi"],
    ["batch-1", "batch", "node-a2", "batch-low", "750m", "1Gi"],
    ["batch-2", "batch", "node-a2", "batch-low", "750m", "1Gi"],
    ["batch-3", "batch", "node-b1", "batch-low", "750m", "1Gi"],
    ["batch-4", "batch", "node-b2", "batch-low", "750m", "1Gi"],
    ["batch-5", "batch", "node-c1", "batch-low", "750m", "1Gi"],
    ["train-1", "train", CORDONED, "ledger-high", "2", "8Gi"],
    ["web-6", "web", "", "web-standard", "500m", "512Mi"],
];

/// The objects, defaulted and admitted.
pub(super) fn objects() -> Vec<Object> {
    let mut objects = Vec::new();
    for line in &NODES {
        objects.push(Object::Node(Arc::new(node(line))));
    }
    for (name, value) in CLASSES {
        objects.push(Object::PriorityClass(Arc::new(PriorityClass {
            metadata: named(name, ""),
            value,
            preemption_policy: Some(PreemptionPolicy::PreemptLowerPriority),
            ..PriorityClass::default()
        })));
    }
    objects.push(Object::PodDisruptionBudget(Arc::new(PodDisruptionBudget {
        metadata: named("cache", NAMESPACE),
        selector: Some(app("cache")),
        min_available: Some(IntOrPercent::Int(2)),
        ..PodDisruptionBudget::default()
    })));
    for line in &PODS {
        objects.push(Object::Pod(Arc::new(pod(line))));
    }
    objects
}

fn node([name, zone, memory]: &[&str; 3]) -> Node {
    let mut node = Node { metadata: named(name, ""), ..Node::default() };
    node.metadata.labels = labels(&[("kubernetes.io/hostname", name), (ZONE, zone)]);
    node.spec.unschedulable = *name == CORDONED;
    for (on, key, value, effect) in TAINTS {
        if on == *name {
            let (key, value) = (key.to_owned(), value.to_owned());
            node.spec.taints.push(Taint { key, value, effect });
        }
    }
    node.status.allocatable = resources(&[("cpu", "4"), ("memory", memory), ("pods", "110")]);
    node
}

fn pod([name, of, on, class, cpu, memory]: &[&str; 6]) -> Pod {
    let mut pod = Pod { metadata: named(name, NAMESPACE), ..Pod::default() };
    pod.metadata.labels = labels(&[("app", of)]);
    let spec = &mut pod.spec;
    // What the API server fills in.
    spec.termination_grace_period_seconds = Some(30);
    "default-scheduler".clone_into(&mut spec.scheduler_name);
    (*on).clone_into(&mut spec.node_name);
    (*class).clone_into(&mut spec.priority_class_name);
    spec.priority = CLASSES.iter().find(|(name, _)| name == class).map(|(_, value)| *value);
    spec.preemption_policy = Some(PreemptionPolicy::PreemptLowerPriority);
    let mut container = Container {
        name: "main".to_owned(),
        image: ["registry.example/", of, ":1"].concat(),
        ..Container::default()
    };
    container.resources.requests = resources(&[("cpu", cpu), ("memory", memory)]);
    spec.containers.push(container);
    match *of {
        "web" => spec.topology_spread_constraints.push(TopologySpreadConstraint {
            max_skew: 1,
            topology_key: ZONE.to_owned(),
            when_unsatisfiable: UnsatisfiableConstraintAction::DoNotSchedule,
            label_selector: Some(app("web")),
            min_domains: None,
            node_affinity_policy: None,
            node_taints_policy: None,
            match_label_keys: Vec::new(),
        }),
        "train" => spec.tolerations.push(Toleration {
            key: "dedicated".to_owned(),
            operator: TolerationOperator::Exists,
            value: String::new(),
            effect: None,
            toleration_seconds: None,
        }),
        _ => {}
    }
    pod
}

fn named(name: &str, namespace: &str) -> ObjectMeta {
    let (name, namespace) = (name.to_owned(), namespace.to_owned());
    ObjectMeta { name, namespace, ..ObjectMeta::default() }
}

fn labels(pairs: &[(&str, &str)]) -> Labels {
    let mut labels = Labels::new();
    for (key, value) in pairs {
        labels.insert((*key).to_owned(), (*value).to_owned());
    }
    labels
}

fn app(name: &str) -> LabelSelector {
    LabelSelector { match_labels: labels(&[("app", name)]), ..LabelSelector::default() }
}

fn resources(pairs: &[(&str, &str)]) -> ResourceList {
    let mut list = ResourceList::default();
    for (name, quantity) in pairs {
        if let Ok(quantity) = Quantity::parse(quantity) {
            list.insert((*name).to_owned(), quantity);
        }
    }
    list
}

#[cfg(test)]
mod tests {
    use super::objects;
    use crate::locale::{Locale, Msg};
    use berth_wire::intake::{SEED, take_in};
    use berth_wire::manifest::{Source, read};

    #[test]
    fn it_is_the_cluster_of_the_file() {
        let text = include_str!("../../../../web/lessons/one-zone-full.yaml");
        let report = read(&[Source { name: "", text }]);
        assert!(report.problems.is_empty(), "{:?}", report.problems);
        assert_eq!(objects(), take_in(&report, SEED).objects);
        assert!(
            text.contains(&["\ntitle: ", &*Locale::english().text(Msg::Example), "\n"].concat())
        );
    }
}
