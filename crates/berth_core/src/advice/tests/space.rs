//! Every edit that search is documented to know, taken from the objects alone, and what each comes to in a cluster
//! that is built anew.

use alloc::string::String;
use alloc::vec::Vec;

use super::cluster::{HOSTNAME, playground};
use crate::advice::{Edit, Level, commands};
use crate::api::{Kind, Node, NodeInclusionPolicy, Object, ObjectKey, Pod, TaintEffect};
use crate::collections::Set;
use crate::playground::Command;

/// All single edits. Amounts are tried in steps of 250m, `maxSkew` and `minDomains` and budgets up to 7.
pub(super) fn edits(objects: &[Object], key: &ObjectKey) -> Vec<Edit> {
    let mut edits = Set::new();
    let pods: Vec<&Pod> = objects.iter().filter_map(as_pod).collect();
    let nodes: Vec<&Node> = objects.iter().filter_map(as_node).collect();
    let pod = pods.iter().find(|pod| pod.metadata.key() == *key).unwrap();
    of_constraints(pod, &mut edits);
    of_pod(pod, &mut edits);
    of_others(objects, pod, &pods, &mut edits);
    for node in &nodes {
        of_node(node, &nodes, pod, &mut edits);
    }
    edits.into_iter().collect()
}

fn as_pod(object: &Object) -> Option<&Pod> {
    match object {
        Object::Pod(pod) => Some(pod),
        _ => None,
    }
}

fn as_node(object: &Object) -> Option<&Node> {
    match object {
        Object::Node(node) => Some(node),
        _ => None,
    }
}

fn of_constraints(pod: &Pod, edits: &mut Set<Edit>) {
    for constraint in 0..pod.spec.topology_spread_constraints.len() as u32 {
        edits.extend((1..8).map(|to| Edit::MaxSkew { constraint, to }));
        edits.extend((1..8).map(|to| Edit::MinDomains { constraint, to: Some(to) }));
        edits.insert(Edit::MinDomains { constraint, to: None });
        edits.insert(Edit::ScheduleAnyway { constraint });
        for to in [NodeInclusionPolicy::Honor, NodeInclusionPolicy::Ignore] {
            edits.insert(Edit::NodeAffinityPolicy { constraint, to });
            edits.insert(Edit::NodeTaintsPolicy { constraint, to });
        }
    }
}

fn of_pod(pod: &Pod, edits: &mut Set<Edit>) {
    edits.extend((1..12).map(|step| Edit::Request { resource: "cpu".into(), to: step * 250 }));
    for key in pod.spec.node_selector.keys() {
        edits.insert(Edit::DropNodeSelector { key: key.clone() });
    }
    for port in pod.spec.containers.iter().flat_map(|container| &container.ports) {
        edits.insert(Edit::DropHostPort { port: port.host_port, protocol: port.protocol });
    }
    if !pod.spec.scheduling_gates.is_empty() {
        edits.insert(Edit::OpenGates);
    }
    edits.insert(Edit::AllowPreemption);
    edits.insert(Edit::PreferNodeAffinity);
    for term in 0..2 {
        edits.insert(Edit::PreferPodAffinity { term });
        edits.insert(Edit::PreferPodAntiAffinity { term });
    }
}

fn of_others(objects: &[Object], pod: &Pod, pods: &[&Pod], edits: &mut Set<Edit>) {
    let own = pod.spec.priority.unwrap_or(0);
    for other in pods {
        if other.metadata.name == pod.metadata.name {
            continue;
        }
        edits.insert(Edit::Delete { pod: other.metadata.key() });
        let above = other.spec.priority.unwrap_or(0) + 1;
        edits.extend((above > own).then_some(Edit::Priority { to: above }));
    }
    for object in objects {
        match object {
            Object::PriorityClass(class) if class.value > own => {
                edits.insert(Edit::Priority { to: class.value });
            }
            Object::PodDisruptionBudget(budget) => edits.extend(
                (1..8)
                    .map(|disruptions| Edit::Allow { budget: budget.metadata.key(), disruptions }),
            ),
            _ => {}
        }
    }
}

fn of_node(node: &Node, nodes: &[&Node], pod: &Pod, edits: &mut Set<Edit>) {
    let name = || node.metadata.name.clone();
    if node.spec.unschedulable {
        edits.insert(Edit::Uncordon { node: name() });
    }
    for taint in &node.spec.taints {
        if taint.effect != TaintEffect::PreferNoSchedule {
            edits.insert(Edit::tolerate(taint));
            let (key, effect) = (taint.key.clone(), taint.effect);
            edits.insert(Edit::DropTaint { node: name(), key, effect });
        }
    }
    let has = |key: &String| node.metadata.labels.contains_key(key);
    let label = |key: &String, value: &String| Edit::Label {
        node: name(),
        key: key.clone(),
        value: value.clone(),
    };
    let spec = &pod.spec;
    // What is asked for may be set where it is missing, or where the label is a person's own.
    let mut asked: Vec<(String, String)> =
        spec.node_selector.iter().map(|(key, value)| (key.clone(), value.clone())).collect();
    let affinity = spec.affinity.as_ref().unwrap();
    let required = affinity.node_affinity.as_ref().and_then(|of| of.required.as_ref());
    for term in required.iter().flat_map(|required| &required.node_selector_terms) {
        for requirement in &term.match_expressions {
            asked.extend(requirement.values.iter().map(|v| (requirement.key.clone(), v.clone())));
        }
    }
    for (key, value) in &asked {
        if !has(key) || !key.contains("kubernetes.io") {
            edits.insert(label(key, value));
        }
    }
    // Domains may be given where they are missing.
    let sections = [&affinity.pod_affinity, &affinity.pod_anti_affinity];
    let terms = sections.into_iter().flatten().flat_map(|section| &section.required);
    let keys = spec.topology_spread_constraints.iter().map(|of| &of.topology_key);
    for key in keys.chain(terms.map(|term| &term.topology_key)).filter(|key| !has(key)) {
        for other in nodes {
            if let Some(value) = other.metadata.labels.get(key) {
                edits.insert(label(key, value));
            }
        }
        if key == HOSTNAME {
            edits.insert(label(key, &name()));
        }
    }
}

/// What a set of edits comes to in a cluster that is built anew from objects, told by the explanation. None if the
/// edits are not possible.
pub(super) fn rebuilt(objects: &[Object], key: &ObjectKey, set: &[Edit]) -> Option<(Level, u32)> {
    let before = playground(objects.to_vec());
    let commands = commands(set, before.cluster(), key)?;
    // The objects as the playground has them, status included.
    let mut after: Vec<Object> =
        objects.iter().map(|o| before.cluster().get(o.kind(), &o.key()).unwrap()).collect();
    for command in commands {
        match command {
            Command::Put(object) => {
                let place =
                    after.iter_mut().find(|known| same(known, object.kind(), &object.key()));
                match place {
                    Some(known) => *known = object,
                    None => after.push(object),
                }
            }
            Command::Drop(kind, key) => after.retain(|known| !same(known, kind, &key)),
            other => panic!("{other:?}"),
        }
    }
    let mut playground = playground(after);
    let explanation = playground.explain(key).unwrap();
    if !explanation.feasible.is_empty() {
        return Some((Level::Fits, 0));
    }
    Some(match playground.pick_candidate(&explanation) {
        None => (Level::Refused, 0),
        Some(node) if node.violations > 0 => (Level::Breaks, node.victims.len() as u32),
        Some(node) => (Level::Preempts, node.victims.len() as u32),
    })
}

fn same(object: &Object, kind: Kind, key: &ObjectKey) -> bool {
    object.kind() == kind && object.key() == *key
}
