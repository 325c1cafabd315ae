//! Explanations for programs and people.
//!
//! [`to_json`] writes an explanation as JSON that stands alone: every verdict and every score can
//! be worked out again from it without the engine and without the manifests. The document
//! `docs/explanations.md` describes it. [`text`] says the same sums for people.

mod affinity;
mod facts;
mod labels;
mod node;
mod node_affinity;
mod normalization;
mod post_filter;
mod profile;
pub mod prospect;
mod requests;
mod spread;
pub mod sums;
pub mod text;
mod unit;

use berth_core::collections::Set;

use berth_core::api::{Pod, RestartPolicy};
use berth_core::cluster::Cluster;
use berth_core::explain::{Explanation, ScoredRequest, Scorer};
use berth_core::framework::plugin::PluginId;
use berth_core::framework::profile::Profile;
use berth_core::framework::status::Status;
use serde_json::{Value, json};

pub use normalization::{Normalization, Rule};
pub use unit::Unit;

/// The version of the form, which changes when a key changes its meaning or goes.
pub const VERSION: u32 = 1;

/// An explanation as JSON. The cluster and the profile are those that it was made from: they give
/// the pods on each node, and the arguments of the plugins.
pub fn to_json(explanation: &Explanation, cluster: &Cluster, profile: &Profile) -> Value {
    let keys = keys(explanation, profile);
    let nodes = explanation.nodes.iter();
    let names = |list: &mut dyn Iterator<Item = &std::sync::Arc<str>>| -> Value {
        list.map(|name| Value::from(&**name)).collect()
    };
    json!({
        "version": VERSION,
        "pod": pod(&explanation.object),
        "profile": profile::profile(profile),
        "preEnqueue": explanation.pre_enqueue.as_ref().map(status),
        "error": explanation.error,
        "preFilter": explanation.pre_filter.iter().map(status).collect::<Vec<_>>(),
        "preFilterNodes": explanation.node_names,
        "filters": plugins(&explanation.filters),
        "nodeAffinity": node_affinity::node_affinity(&explanation.object, profile),
        "spreadFilter":
            explanation.spread_filter.iter().map(|s| spread::constraint(s, false)).collect::<Vec<_>>(),
        "spreadScore":
            explanation.spread_score.iter().map(|s| spread::constraint(s, true)).collect::<Vec<_>>(),
        "podAffinityProblem": affinity::problem(explanation, cluster),
        "podAffinity": explanation.affinity.iter().map(affinity::term).collect::<Vec<_>>(),
        "scoredRequests": {
            "NodeResourcesFit": scored_requests(&explanation.fit_requests),
            "NodeResourcesBalancedAllocation": scored_requests(&explanation.balanced_requests),
        },
        "nodes": nodes.map(|report| node::node(report, cluster, &keys)).collect::<Vec<_>>(),
        "scorers": explanation.scorers.iter().map(|s| scorer(explanation, *s)).collect::<Vec<_>>(),
        "feasible": names(&mut explanation.feasible_names()),
        "best": names(&mut explanation.best_names()),
        "message": explanation.message,
        "postFilter": explanation.post_filter.as_ref().map(post_filter::post_filter),
    })
}

/// The labels of nodes that any plugin looks at.
fn keys<'a>(explanation: &'a Explanation, profile: &'a Profile) -> Set<&'a str> {
    let spread = explanation.spread_filter.iter().chain(&explanation.spread_score);
    let affinity = explanation.affinity.iter();
    let mut keys: Set<&str> = spread
        .map(|spread| &*spread.topology_key)
        .chain(affinity.map(|term| &*term.topology_key))
        .collect();
    node_affinity::keys(&explanation.object, profile, &mut keys);
    keys
}

fn pod(pod: &Pod) -> Value {
    let spec = &pod.spec;
    json!({
        "namespace": pod.metadata.namespace,
        "name": pod.metadata.name,
        "labels": labels::labels(&pod.metadata.labels),
        "priority": pod.priority(),
        "nodeName": spec.node_name,
        "nominatedNodeName": pod.status.nominated_node_name,
        "schedulingGates": spec.scheduling_gates,
        "tolerations": spec.tolerations.iter().map(labels::toleration).collect::<Vec<_>>(),
        "hostPorts": host_ports(pod),
        "requests": requests::requests(pod),
    })
}

/// The host ports that the pod wants: those of sidecars and containers.
fn host_ports(pod: &Pod) -> Value {
    let sidecars = pod.spec.init_containers.iter();
    let sidecars = sidecars.filter(|c| c.restart_policy == Some(RestartPolicy::Always));
    let ports = sidecars.chain(&pod.spec.containers).flat_map(|container| &container.ports);
    ports
        .filter(|port| port.host_port > 0)
        .map(|port| {
            let ip = Some(port.host_ip.as_str()).filter(|ip| !matches!(*ip, "" | "0.0.0.0"));
            json!({ "ip": ip, "protocol": port.protocol.as_str(), "port": port.host_port })
        })
        .collect()
}

fn status(status: &Status) -> Value {
    json!({
        "plugin": status.plugin.map(PluginId::name),
        "code": status.code.as_str(),
        "reasons": status.reasons,
    })
}

fn plugins(plugins: &[PluginId]) -> Value {
    plugins.iter().map(|plugin| Value::from(plugin.name())).collect()
}

fn scored_requests(requests: &[ScoredRequest]) -> Value {
    requests.iter().map(|share| node::amount((&share.resource, share.request))).collect()
}

fn scorer(explanation: &Explanation, scorer: Scorer) -> Value {
    let Normalization { rule, lowest, highest } = Normalization::new(explanation, scorer.plugin);
    json!({
        "plugin": scorer.plugin.name(),
        "weight": scorer.weight,
        "skipped": scorer.skipped,
        "normalization": { "rule": rule.as_str(), "lowest": lowest, "highest": highest },
    })
}
