//! The parts of a pod's spec that scheduling does not read, and words that are none.
//!
//! Mirrors `ValidatePodSpec` (`pkg/apis/core/validation/validation.go`).

use berth_core::api::{BadValue, FieldError};

use super::container;
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

/// The spec; `grace` is its grace period, in seconds.
pub(super) fn spec(cx: &mut Cx, errors: &mut Vec<FieldError>, pod: &Node<'_>, grace: i64) {
    const TYPE: &str = "v1.PodSpec";
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
    let at = &at.field(TYPE, "containers");
    let containers = given(spec, "containers").map(Node::items).unwrap_or_default();
    for (i, node) in containers.iter().enumerate() {
        container::container(cx, errors, &at.index(i), node, grace);
    }
}
