//! One node: what it is, who is on it, what each plugin says, and its scores.

use berth_core::collections::Set;

use berth_core::cluster::{Cluster, PodInfo};
use berth_core::explain::{NodeReport, NodeScores, PluginScore, PluginVerdict};
use serde_json::{Map, Value, json};

use super::unit::Unit;
use super::{facts, labels, status};

/// Everything about a node. `keys` are the labels that any plugin looks at.
pub(super) fn node(report: &NodeReport, cluster: &Cluster, keys: &Set<&str>) -> Value {
    let object = report.object.as_deref();
    let value_of = |key: &str| object.and_then(|node| node.metadata.labels.get(key)).cloned();
    let labels: Map<String, Value> =
        keys.iter().map(|key| ((*key).to_owned(), value_of(key).into())).collect();
    let taints = object.map(|node| node.spec.taints.as_slice()).unwrap_or_default();
    let on_node = cluster.node_named(&report.name).and_then(|idx| cluster.node(idx));
    let pods = on_node.map(|node| node.pods.as_slice()).unwrap_or_default();
    let pods = pods.iter().filter_map(|idx| cluster.pod(*idx));
    let nominated = report.nominated.iter().filter_map(|key| cluster.pod(cluster.pod_named(key)?));
    json!({
        "name": &*report.name,
        "unschedulable": object.is_some_and(|node| node.spec.unschedulable),
        "taints": taints.iter().map(labels::taint).collect::<Vec<_>>(),
        "labels": labels,
        "pods": pods.map(|other| pod(other, cluster)).collect::<Vec<_>>(),
        "nominatedPods": nominated.map(|other| pod(other, cluster)).collect::<Vec<_>>(),
        "verdicts": report.verdicts.iter().map(verdict).collect::<Vec<_>>(),
        "verdictsWithNominatedPods":
            report.verdicts_with_nominated.iter().map(verdict).collect::<Vec<_>>(),
        "status": report.status.as_ref().map(status),
        "feasible": report.is_feasible(),
        "scores": report.scores.as_ref().map(scores),
    })
}

/// A pod with what it takes, and what it counts as where NodeResourcesFit scores.
fn pod(pod: &PodInfo, cluster: &Cluster) -> Value {
    let requests = &pod.requests;
    let fixed = [
        ("cpu", requests.milli_cpu),
        ("memory", requests.memory),
        ("ephemeral-storage", requests.ephemeral_storage),
    ];
    let scalars = requests.scalars.iter().map(|(id, amount)| (cluster.strings().get(*id), *amount));
    let scored = [("cpu", pod.non_zero_milli_cpu), ("memory", pod.non_zero_memory)];
    json!({
        "pod": pod.key().to_string(),
        "priority": pod.priority(),
        "terminating": pod.is_terminating(),
        "requests": fixed.into_iter().chain(scalars).map(amount).collect::<Vec<_>>(),
        "scoredRequests": scored.into_iter().map(amount).collect::<Vec<_>>(),
    })
}

/// An amount of a resource.
pub(super) fn amount((resource, amount): (&str, i64)) -> Value {
    json!({ "resource": resource, "unit": Unit::of(resource).as_str(), "amount": amount })
}

fn verdict(verdict: &PluginVerdict) -> Value {
    json!({
        "plugin": verdict.plugin.name(),
        "code": verdict.code.as_str(),
        "reasons": verdict.reasons,
        "facts": verdict.facts.iter().map(facts::fact).collect::<Vec<_>>(),
    })
}

fn scores(scores: &NodeScores) -> Value {
    let plugin = |score: &PluginScore| {
        json!({
            "plugin": score.plugin.name(),
            "raw": score.raw,
            "normalized": score.normalized,
            "weighted": score.weighted,
            "facts": score.facts.iter().map(facts::fact).collect::<Vec<_>>(),
        })
    };
    json!({
        "plugins": scores.plugins.iter().map(plugin).collect::<Vec<_>>(),
        "total": scores.total,
        "rank": scores.rank,
    })
}
