//! Labels, selectors and node selector terms.

use berth_core::api::selector::{Operator, Requirement};
use berth_core::api::{
    Labels, NodeSelectorRequirement, NodeSelectorTerm, Selector, Taint, TaintEffect, Toleration,
};
use serde_json::{Map, Value, json};

/// A map of labels.
pub(super) fn labels(labels: &Labels) -> Value {
    labels
        .iter()
        .map(|(key, value)| (key.clone(), Value::from(value.as_str())))
        .collect::<Map<_, _>>()
        .into()
}

/// A selector: what it matches by itself, its requirements, and its text.
pub(super) fn selector(selector: &Selector) -> Value {
    let matches = if selector.is_nothing() {
        "nothing"
    } else if selector.is_empty() {
        "everything"
    } else {
        "requirements"
    };
    json!({
        "matches": matches,
        "requirements": selector.requirements().iter().map(requirement).collect::<Vec<_>>(),
        "text": selector.to_string(),
    })
}

/// A compiled requirement.
fn requirement(requirement: &Requirement) -> Value {
    let operator = match requirement.operator() {
        Operator::In | Operator::Equals => "In",
        Operator::NotIn => "NotIn",
        Operator::Exists => "Exists",
        Operator::DoesNotExist => "DoesNotExist",
        Operator::GreaterThan => "Gt",
        Operator::LessThan => "Lt",
    };
    json!({ "key": requirement.key(), "operator": operator, "values": requirement.values() })
}

/// A node selector term as it is written.
pub(super) fn term(term: &NodeSelectorTerm) -> Map<String, Value> {
    let list = |list: &[NodeSelectorRequirement]| -> Value {
        let one = |r: &NodeSelectorRequirement| json!({ "key": r.key, "operator": r.operator, "values": r.values });
        list.iter().map(one).collect()
    };
    Map::from_iter([
        ("matchExpressions".to_owned(), list(&term.match_expressions)),
        ("matchFields".to_owned(), list(&term.match_fields)),
    ])
}

/// The label keys of a node selector term.
pub(super) fn term_keys(term: &NodeSelectorTerm) -> impl Iterator<Item = &str> {
    term.match_expressions.iter().map(|requirement| requirement.key.as_str())
}

/// A taint.
pub(super) fn taint(taint: &Taint) -> Value {
    json!({ "key": taint.key, "value": taint.value, "effect": taint.effect.as_str() })
}

/// A toleration; without an effect it tolerates every effect.
pub(super) fn toleration(toleration: &Toleration) -> Value {
    json!({
        "key": toleration.key,
        "operator": toleration.operator.as_str(),
        "value": toleration.value,
        "effect": toleration.effect.map(TaintEffect::as_str),
    })
}
