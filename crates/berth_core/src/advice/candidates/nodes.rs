//! What a node alone refuses: taints, cordons, labels, ports, room.

use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::{Edits, Source, pods_on};
use crate::advice::edit::Edit;
use crate::api::{NodeSelectorRequirement, ObjectKey};
use crate::cluster::{Cluster, Resources};
use crate::collections::Set;
use crate::explain::NodeReport;
use crate::framework::fact::Fact;

/// Of so many lower pods of a node every choice is taken into account.
const SUMMED: usize = 4;

pub(super) fn refused(source: &Source<'_>, report: &NodeReport, fact: &Fact, edits: &mut Edits) {
    let node = || report.name.to_string();
    match fact {
        Fact::Cordoned { .. } => {
            edits.insert(Edit::Uncordon { node: node() });
        }
        Fact::Taint { index, .. } => untolerated(report, *index, edits),
        Fact::NodeAffinity { .. } => unlike(source, report, edits),
        Fact::HostPort { protocol, port, in_use, .. } => {
            edits.insert(Edit::DropHostPort { port: *port, protocol: *protocol });
            for held in in_use.iter().filter(|held| held.protocol == *protocol) {
                edits.extend(held.pods.iter().map(delete));
            }
        }
        Fact::Pods { .. } => edits.extend(pods_on(source, report).iter().map(delete)),
        Fact::Resource { resource, used, capacity, .. } => {
            let free = capacity.saturating_sub(*used);
            for more in lower(source, report, resource) {
                let to = free.saturating_add(more);
                if to > 0 {
                    edits.insert(Edit::Request { resource: (**resource).into(), to });
                }
            }
            edits.extend(pods_on(source, report).iter().map(delete));
        }
        _ => {}
    }
}

/// How much of a resource becomes free if none, or some, or all of the pods of a node go that the pod in question may
/// preempt. Which of them go matters only where there are budgets.
fn lower(source: &Source<'_>, report: &NodeReport, resource: &str) -> Set<i64> {
    let own = source.explanation.object.spec.priority.unwrap_or(0);
    let cluster = source.cluster;
    let node = cluster.node_named(&report.name).and_then(|idx| cluster.node(idx));
    let pods = node.map(|node| node.pods.as_slice()).unwrap_or_default();
    let lower = pods.iter().filter_map(|idx| cluster.pod(*idx)).filter(|pod| pod.priority() < own);
    let lower: Vec<i64> = lower.map(|pod| amount(cluster, &pod.requests, resource)).collect();
    let mut sums = Set::from([0_i64]);
    if !cluster.budgets().is_empty() {
        for of in lower.iter().take(SUMMED) {
            let more: Vec<i64> = sums.iter().map(|sum| sum.saturating_add(*of)).collect();
            sums.extend(more);
        }
    }
    sums.insert(lower.iter().fold(0_i64, |sum, of| sum.saturating_add(*of)));
    sums
}

fn amount(cluster: &Cluster, requests: &Resources, resource: &str) -> i64 {
    match resource {
        "cpu" => requests.milli_cpu,
        "memory" => requests.memory,
        "ephemeral-storage" => requests.ephemeral_storage,
        _ => cluster.strings().find(resource).and_then(|id| requests.scalar(id)).unwrap_or(0),
    }
}

fn delete(pod: &ObjectKey) -> Edit {
    Edit::Delete { pod: pod.clone() }
}

pub(super) fn untolerated(report: &NodeReport, index: u32, edits: &mut Edits) {
    let taints = report.object.as_ref().map(|node| &node.spec.taints);
    let Some(taint) = taints.and_then(|taints| taints.get(index as usize)) else { return };
    edits.insert(Edit::tolerate(taint));
    let (node, key) = (report.name.to_string(), taint.key.clone());
    // What cordoning adds goes with uncordoning.
    let cordon = key == "node.kubernetes.io/unschedulable";
    edits.insert(if cordon {
        Edit::Uncordon { node }
    } else {
        Edit::DropTaint { node, key, effect: taint.effect }
    });
}

/// The node is not one that the pod's selector or required affinity means.
pub(super) fn unlike(source: &Source<'_>, report: &NodeReport, edits: &mut Edits) {
    let spec = &source.explanation.object.spec;
    let Some(object) = &report.object else { return };
    let labels = &object.metadata.labels;
    let mut label = |key: &String, value: &String| {
        // Labels that say where a node is, or what it runs, are not a person's to change; missing ones are.
        if labels.get(key) != Some(value) && (!labels.contains_key(key) || !is_well_known(key)) {
            let (node, key, value) = (report.name.to_string(), key.clone(), value.clone());
            edits.insert(Edit::Label { node, key, value });
        }
    };
    let required =
        spec.affinity.as_ref().and_then(|all| all.node_affinity.as_ref()?.required.as_ref());
    for (key, value) in &spec.node_selector {
        label(key, value);
    }
    for term in required.map(|required| required.node_selector_terms.as_slice()).unwrap_or_default()
    {
        for NodeSelectorRequirement { key, operator, values } in &term.match_expressions {
            match operator.as_str() {
                "In" => values.iter().for_each(|value| label(key, value)),
                "Exists" if !labels.contains_key(key) => label(key, &String::from("true")),
                _ => {}
            }
        }
    }
    for (key, value) in &spec.node_selector {
        if labels.get(key) != Some(value) {
            edits.insert(Edit::DropNodeSelector { key: key.clone() });
        }
    }
    if required.is_some() {
        edits.insert(Edit::PreferNodeAffinity);
    }
}

/// Whether Kubernetes itself or a provider sets the label.
pub(in crate::advice) fn is_well_known(key: &str) -> bool {
    let prefix = key.split_once('/').map_or("", |(prefix, _)| prefix);
    ["kubernetes.io", "k8s.io"].iter().any(|own| {
        prefix.strip_suffix(own).is_some_and(|rest| rest.is_empty() || rest.ends_with('.'))
    })
}
