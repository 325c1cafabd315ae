//! Topology spread constraints with their counts.

use berth_core::explain::{DomainCount, LeftOutNode, LeftOutPod, PodRule, SpreadExplanation};
use berth_core::plugins::pod_topology_spread::constraint::LeftOut;
use serde_json::{Value, json};

use super::labels;

/// A constraint. `soft` ones have a weight, hard ones a minimum.
pub(super) fn constraint(spread: &SpreadExplanation, soft: bool) -> Value {
    let mut value = json!({
        "index": spread.index,
        "specIndex": spread.source,
        "topologyKey": &*spread.topology_key,
        "selector": labels::selector(&spread.compiled),
        "maxSkew": spread.max_skew,
        "nodeAffinityPolicy": spread.node_affinity_policy.as_str(),
        "nodeTaintsPolicy": spread.node_taints_policy.as_str(),
        "requireAllKeys": spread.require_all,
        "selfMatch": spread.self_match,
        "domains": spread.domains.iter().map(domain).collect::<Vec<_>>(),
        "leftOutNodes": spread.left_out_nodes.iter().map(left_out_node).collect::<Vec<_>>(),
        "leftOutPods": spread.left_out_pods.iter().map(left_out_pod).collect::<Vec<_>>(),
    });
    let numbers = if soft {
        vec![("size", json!(spread.size)), ("weight", json!(spread.weight))]
    } else {
        vec![
            ("minDomains", json!(spread.min_domains)),
            ("minimum", json!(spread.minimum)),
            ("minimumIsZeroByMinDomains", json!(spread.too_few_domains)),
        ]
    };
    if let Value::Object(fields) = &mut value {
        fields.extend(numbers.into_iter().map(|(key, number)| (key.to_owned(), number)));
    }
    value
}

fn domain(domain: &DomainCount) -> Value {
    json!({
        "value": &*domain.value,
        "matching": domain.matching,
        "nodes": domain.nodes.iter().map(|node| &**node).collect::<Vec<_>>(),
        "pods": domain.pods.iter().map(ToString::to_string).collect::<Vec<_>>(),
    })
}

fn left_out_node(left_out: &LeftOutNode) -> Value {
    json!({ "node": &*left_out.node, "rule": node_rule(left_out.rule) })
}

fn left_out_pod(left_out: &LeftOutPod) -> Value {
    let rule = match left_out.rule {
        PodRule::Namespace => "namespace",
        PodRule::Terminating => "terminating",
        PodRule::EmptySelector => "emptySelector",
        PodRule::Node(rule) => node_rule(rule),
    };
    json!({ "pod": left_out.pod.to_string(), "rule": rule })
}

/// The rule by which a node is left out.
pub(super) const fn node_rule(rule: LeftOut) -> &'static str {
    match rule {
        LeftOut::MissingKey => "missingKey",
        LeftOut::NodeAffinity => "nodeAffinityPolicy",
        LeftOut::Taint => "nodeTaintsPolicy",
    }
}
