//! What plugins compared, one object a fact; `kind` says which.

use berth_core::framework::fact::{Fact, PortInUse};
use serde_json::{Map, Value, json};

use super::text;
use super::unit::Unit;

/// A fact, with its sum as text where it has one.
pub(super) fn fact(fact: &Fact) -> Value {
    let (kind, mut fields) = match numbers(fact) {
        (kind, Value::Object(fields)) => (kind, fields),
        (kind, _) => (kind, Map::new()),
    };
    if let Some(equation) = text::equation(fact) {
        fields.insert("equation".to_owned(), equation.into());
    }
    let mut whole = Map::from_iter([("kind".to_owned(), Value::from(kind))]);
    whole.extend(fields);
    Value::Object(whole)
}

/// The kind, and every number.
fn numbers(fact: &Fact) -> (&'static str, Value) {
    match fact {
        Fact::Cordoned { tolerated } => ("cordoned", json!({ "tolerated": tolerated })),
        Fact::NodeName { matches } => ("nodeName", json!({ "matches": matches })),
        Fact::Taint { index, toleration } => {
            ("taint", json!({ "taint": index, "toleration": toleration }))
        }
        Fact::AddedNodeAffinity { matches } => ("addedNodeAffinity", json!({ "matches": matches })),
        Fact::NodeAffinity { selector, term, has_terms } => (
            "nodeAffinity",
            json!({ "selectorMatches": selector, "matchingTerm": term, "hasTerms": has_terms }),
        ),
        Fact::HostPort { index, ip, protocol, port, free, in_use } => (
            "hostPort",
            json!({
                "index": index, "ip": ip.as_deref(), "protocol": protocol.as_str(), "port": port,
                "free": free, "inUse": in_use.iter().map(port_in_use).collect::<Vec<_>>(),
            }),
        ),
        Fact::Pods { used, capacity } => {
            ("pods", json!({ "unit": "pods", "requested": 1, "used": used, "capacity": capacity }))
        }
        Fact::Resource { resource, requested, used, capacity } => (
            "resource",
            json!({
                "resource": &**resource, "unit": Unit::of(resource).as_str(),
                "requested": requested, "used": used, "capacity": capacity,
            }),
        ),
        Fact::NoState { error } => ("noState", json!({ "error": error })),
        Fact::SpreadKeyMissing { constraint } => {
            ("spreadKeyMissing", json!({ "constraint": constraint }))
        }
        Fact::Spread { constraint, domain, matching, self_match, minimum, max_skew } => (
            "spread",
            json!({
                "constraint": constraint, "domain": &**domain, "matching": matching,
                "selfMatch": self_match, "minimum": minimum,
                "skew": matching.wrapping_add(*self_match).wrapping_sub(*minimum),
                "maxSkew": max_skew,
            }),
        ),
        Fact::SpreadIgnored => ("spreadIgnored", json!({})),
        Fact::SpreadScore { constraint, domain, matching, weight, size, max_skew } => (
            "spreadScore",
            json!({
                "constraint": constraint, "domain": &**domain, "matching": matching,
                "weight": weight, "size": size, "maxSkew": max_skew,
            }),
        ),
        Fact::Affinity { term, domain, matching } => {
            ("affinity", json!({ "term": term, "domain": domain.as_deref(), "matching": matching }))
        }
        Fact::AffinityFirst { allowed } => ("affinityFirst", json!({ "allowed": allowed })),
        Fact::AntiAffinity { term, domain, matching } => (
            "antiAffinity",
            json!({ "term": term, "domain": domain.as_deref(), "matching": matching }),
        ),
        Fact::ExistingAntiAffinity { key, domain, matching } => (
            "existingAntiAffinity",
            json!({ "topologyKey": &**key, "domain": &**domain, "matching": matching }),
        ),
        Fact::AffinityScore { key, domain, sum } => {
            ("affinityScore", json!({ "topologyKey": &**key, "domain": &**domain, "sum": sum }))
        }
        Fact::PreferNoScheduleTaint { index, tolerated } => {
            ("preferNoScheduleTaint", json!({ "taint": index, "tolerated": tolerated }))
        }
        Fact::PreferredTerm { added, term, weight, matches } => (
            "preferredTerm",
            json!({ "added": added, "term": term, "weight": weight, "matches": matches }),
        ),
        Fact::ResourceScore { resource, requested, capacity, score, weight } => (
            "resourceScore",
            json!({
                "resource": &**resource, "unit": Unit::of(resource).as_str(),
                "requested": requested, "capacity": capacity, "score": score, "weight": weight,
            }),
        ),
        Fact::BalancedShare { resource, requested, allocated, capacity } => (
            "balancedShare",
            json!({
                "resource": &**resource, "unit": Unit::of(resource).as_str(),
                "requested": requested, "allocated": allocated, "capacity": capacity,
            }),
        ),
        Fact::Image { name, size, nodes, of, scaled } => (
            "image",
            json!({
                "name": &**name, "unit": "bytes", "size": size, "nodes": nodes, "allNodes": of,
                "scaled": scaled,
            }),
        ),
        Fact::ImageContainers { containers } => {
            ("imageContainers", json!({ "containers": containers }))
        }
    }
}

fn port_in_use(port: &PortInUse) -> Value {
    json!({
        "ip": port.ip.as_deref(), "protocol": port.protocol.as_str(),
        "pods": port.pods.iter().map(ToString::to_string).collect::<Vec<_>>(),
    })
}
