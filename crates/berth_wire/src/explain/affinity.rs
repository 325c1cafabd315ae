//! Pod affinity and anti-affinity with the pods behind them.

use berth_core::cluster::Cluster;
use berth_core::explain::affinity::{AffinityPod, AffinityRole};
use berth_core::explain::{AffinityExplanation, Explanation};
use serde_json::{Value, json};

use super::labels;

/// Why the pod's own terms cannot be used, if one of them cannot: then none is.
pub(super) fn problem(explanation: &Explanation, cluster: &Cluster) -> Option<String> {
    let pod = cluster.pod_named(&explanation.pod).and_then(|idx| cluster.pod(idx))?;
    pod.term_error.as_ref().map(ToString::to_string)
}

/// A term.
pub(super) fn term(term: &AffinityExplanation) -> Value {
    json!({
        "role": role(term.role),
        "index": term.term,
        "selector": labels::selector(&term.compiled),
        "namespaces": term.namespaces,
        "topologyKey": &*term.topology_key,
        "weight": term.weight,
        "pods": term.pods.iter().map(pod).collect::<Vec<_>>(),
    })
}

/// The name of a role.
pub(super) const fn role(role: AffinityRole) -> &'static str {
    match role {
        AffinityRole::RequiredAffinity => "requiredAffinity",
        AffinityRole::RequiredAntiAffinity => "requiredAntiAffinity",
        AffinityRole::PreferredAffinity => "preferredAffinity",
        AffinityRole::PreferredAntiAffinity => "preferredAntiAffinity",
        AffinityRole::ExistingRequiredAntiAffinity => "existingRequiredAntiAffinity",
        AffinityRole::ExistingRequiredAffinity => "existingRequiredAffinity",
        AffinityRole::ExistingPreferredAffinity => "existingPreferredAffinity",
        AffinityRole::ExistingPreferredAntiAffinity => "existingPreferredAntiAffinity",
    }
}

fn pod(pod: &AffinityPod) -> Value {
    json!({ "pod": pod.pod.to_string(), "node": &*pod.node, "domain": pod.domain.as_deref() })
}
