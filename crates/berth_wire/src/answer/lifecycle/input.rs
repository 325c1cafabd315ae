//! Parts of inputs that several kinds share: objects as they are written, in a list or alone.

use berth_core::api::Time;
use serde_json::{Value, json};

use crate::manifest::{Finding, Severity, parse_time};
use crate::tree::{self, Node};

/// Reads an input.
pub(super) fn parse(input: &str) -> Result<Node<'_>, String> {
    tree::json::parse(input).map_err(|error| bad(&error.message))
}

/// Why an input cannot be answered.
pub(super) fn bad(why: &str) -> String {
    format!("bad input: {why}")
}

/// A field that has to be there.
pub(super) fn required<'n, 'a>(input: &'n Node<'a>, key: &str) -> Result<&'n Node<'a>, String> {
    input.get(key).ok_or_else(|| bad(&format!("no {key}")))
}

/// Every item of a list, decoded; none if there is no list.
pub(super) fn list<T>(
    input: &Node<'_>,
    key: &str,
    decode: impl Fn(&Node<'_>) -> Result<T, Vec<Finding>>,
) -> Result<Vec<T>, String> {
    let items = input.get(key).map(Node::items).unwrap_or_default();
    items.iter().map(|item| decode(item).map_err(|findings| bad(&first(&findings)))).collect()
}

/// What the API server says of an object that it cannot decode.
pub(super) fn decode_error(findings: &[Finding]) -> Value {
    json!({ "decodeError": first(findings) })
}

/// The words of the error with which Go's decoder stops, or else of the first.
fn first(findings: &[Finding]) -> String {
    let first = || findings.iter().find(|finding| finding.severity == Severity::Error);
    let error = Finding::fault(findings.iter()).or_else(first);
    error.map(|finding| finding.message.clone()).unwrap_or_default()
}

/// A point in time; none if it is not there.
pub(super) fn time(input: &Node<'_>, key: &str) -> Result<Option<Time>, String> {
    let text = input.get(key).and_then(Node::as_str);
    text.map(|text| parse_time(text).map_err(|error| bad(&error))).transpose()
}

/// A whole number; none if it is not there.
pub(super) fn number(input: &Node<'_>, key: &str) -> Result<Option<i64>, String> {
    match input.get(key).map(|node| &node.value) {
        None | Some(tree::Value::Null) => Ok(None),
        Some(tree::Value::Number(text)) => {
            text.parse().map(Some).map_err(|_| bad(&format!("{key} is {text}")))
        }
        Some(_) => Err(bad(&format!("{key} is not a number"))),
    }
}

/// The namespace that the API server takes from the URL.
pub(super) fn default_namespace(namespace: &mut String) {
    if namespace.is_empty() {
        "default".clone_into(namespace);
    }
}
