//! Labels, selectors, tolerations.

use serde_json::Value;

use super::{field, flag, list, strings, text};

/// Value of a label; none if it is not there.
pub(super) fn label<'a>(labels: &'a Value, key: &str) -> Option<&'a str> {
    labels.get(key).and_then(Value::as_str)
}

/// The node's value of a topology key.
pub(super) fn domain<'a>(node: &'a Value, key: &str) -> Option<&'a str> {
    let labels = field(node, "labels");
    assert!(labels.get(key).is_some(), "the node does not say whether it has {key:?}");
    label(labels, key)
}

/// Whether a selector matches labels.
pub(super) fn selects(selector: &Value, labels: &Value) -> bool {
    match text(selector, "matches") {
        "nothing" => false,
        "everything" => true,
        _ => list(selector, "requirements").iter().all(|r| holds(r, label(labels, text(r, "key")))),
    }
}

/// Whether a requirement holds for a value.
fn holds(requirement: &Value, value: Option<&str>) -> bool {
    let values = strings(requirement, "values");
    let compare = |holds: fn(&i64, &i64) -> bool| {
        let value: Option<i64> = value.and_then(|value| value.parse().ok());
        let limit: Option<i64> = values.first().and_then(|limit| limit.parse().ok());
        value.zip(limit).is_some_and(|(value, limit)| holds(&value, &limit))
    };
    match text(requirement, "operator") {
        "In" => value.is_some_and(|value| values.contains(&value)),
        "NotIn" => value.is_none_or(|value| !values.contains(&value)),
        "Exists" => value.is_some(),
        "DoesNotExist" => value.is_none(),
        "Gt" => compare(i64::gt),
        "Lt" => compare(i64::lt),
        other => panic!("no operator {other:?}"),
    }
}

/// Whether a node matches a node selector term.
pub(super) fn term_matches(term: &Value, node: &Value) -> bool {
    let name = text(node, "name");
    let field_of = |key: &str| if key == "metadata.name" { name } else { "" };
    field(term, "problem").is_null()
        && list(term, "matchExpressions").iter().all(|r| holds(r, domain(node, text(r, "key"))))
        && list(term, "matchFields").iter().all(|r| holds(r, Some(field_of(text(r, "key")))))
}

/// Whether one of the pod's tolerations tolerates a taint.
pub(super) fn tolerated<'a>(
    mut tolerations: impl Iterator<Item = &'a Value>,
    (key, value, effect): (&str, &str, &str),
) -> bool {
    tolerations.any(|toleration| {
        let same_effect =
            field(toleration, "effect").as_str().is_none_or(|wanted| wanted == effect);
        let wanted = text(toleration, "key");
        let same_value = match text(toleration, "operator") {
            "Equal" => text(toleration, "value") == value,
            operator => operator == "Exists",
        };
        same_effect && (wanted.is_empty() || wanted == key) && same_value
    })
}

/// The parts of a taint.
pub(super) fn taint(taint: &Value) -> (&str, &str, &str) {
    (text(taint, "key"), text(taint, "value"), text(taint, "effect"))
}

/// Whether a node has the labels of all constraints of one kind, where that is asked.
pub(super) fn has_all_keys(constraints: &[Value], node: &Value) -> bool {
    constraints.iter().all(|constraint| {
        !flag(constraint, "requireAllKeys")
            || domain(node, text(constraint, "topologyKey")).is_some()
    })
}
