//! The parts of a pod's spec that scheduling does not read, and words that are none.
//!
//! Mirrors `ValidatePodSpec` (`pkg/apis/core/validation/validation.go`).

use berth_core::api::{BadValue, FieldError};

use super::container;
use super::port::{Network, ports};
use crate::manifest::{Cx, Path};
use crate::tree::Node;

/// A place, and the value there if it is neither missing nor `null`.
pub(super) fn given<'n, 'a>(node: &'n Node<'a>, key: &str) -> Option<&'n Node<'a>> {
    node.get(key).filter(|value| !value.is_null())
}

pub(super) fn invalid(at: &Path<'_>, value: i64, why: &str) -> FieldError {
    FieldError::invalid(at.to_string(), BadValue::Integer(value), why)
}

/// What there is to say against a word that is not given (empty) or none of those known.
pub(super) fn word(
    cx: &mut Cx,
    at: &Path<'_>,
    node: &Node<'_>,
    known: &[&str],
) -> Option<FieldError> {
    let text = cx.string(at, node);
    cx.wants_word(&text, known);
    if text.is_empty() {
        return Some(FieldError::required(at.to_string(), ""));
    }
    (!known.contains(&&*text)).then(|| FieldError::not_supported(at.to_string(), &text, known))
}

/// What there is to say against a word that has a default.
pub(super) fn defaulted_word(
    cx: &mut Cx,
    at: &Path<'_>,
    node: &Node<'_>,
    known: &[&str],
) -> Option<FieldError> {
    if node.as_str() == Some("") { None } else { word(cx, at, node, known) }
}

const TYPE: &str = "v1.PodSpec";

/// The spec; `grace` is its grace period, in seconds.
pub(super) fn spec(cx: &mut Cx, errors: &mut Vec<FieldError>, pod: &Node<'_>, grace: i64) {
    let Some(spec) = given(pod, "spec") else { return };
    let at = &Path::Root.field("v1.Pod", "spec");
    if let Some(seconds) = given(spec, "activeDeadlineSeconds") {
        let at = &at.field(TYPE, "activeDeadlineSeconds");
        if let Some(seconds) = cx.int64(at, seconds)
            && !(1..=i64::from(i32::MAX)).contains(&seconds)
        {
            let why = format!("must be between 1 and {}, inclusive", i32::MAX);
            errors.push(invalid(at, seconds, &why));
        }
    }
    for (key, known) in [
        ("restartPolicy", &["Always", "OnFailure", "Never"][..]),
        ("dnsPolicy", &["ClusterFirstWithHostNet", "ClusterFirst", "Default", "None"]),
    ] {
        if let Some(text) = given(spec, key) {
            errors.extend(defaulted_word(cx, &at.field(TYPE, key), text, known));
        }
    }
    if let Some(text) = given(spec, "preemptionPolicy") {
        let at = &at.field(TYPE, "preemptionPolicy");
        errors.extend(word(cx, at, text, &["PreemptLowerPriority", "Never"]));
    }
    containers(cx, errors, at, spec, grace);
}

fn containers(
    cx: &mut Cx,
    errors: &mut Vec<FieldError>,
    at: &Path<'_>,
    spec: &Node<'_>,
    grace: i64,
) {
    let is_host = spec.get("hostNetwork").and_then(Node::as_bool) == Some(true);
    let items = |key| given(spec, key).map(Node::items).unwrap_or_default();
    let at_all = &at.field(TYPE, "containers");
    let mut taken = Vec::new();
    for (i, node) in items("containers").iter().enumerate() {
        let at = &at_all.index(i);
        container::container(cx, errors, at, node, grace, true);
        let at = &at.field(container::TYPE, "ports");
        let network = Network { is_host, is_checked: true };
        ports(cx, errors, (at, at), node, network, &mut taken);
    }
    let at_all = &at.field(TYPE, "initContainers");
    for (i, node) in items("initContainers").iter().enumerate() {
        let at = &at_all.index(i);
        let is_sidecar = node.get("restartPolicy").and_then(Node::as_str) == Some("Always");
        container::container(cx, errors, at, node, grace, is_sidecar);
        let at = &at.field(container::TYPE, "ports");
        // Each runs alone, and a conflict is always said to be in the first.
        let first = &at_all.index(0);
        let first = &first.field(container::TYPE, "ports");
        let network = Network { is_host, is_checked: false };
        ports(cx, errors, (at, first), node, network, &mut Vec::new());
    }
}
