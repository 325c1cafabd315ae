//! Topology spread constraints.
//!
//! Mirrors `validateTopologySpreadConstraints` and `ValidateMatchLabelKeysAndMismatchLabelKeys`
//! (`pkg/apis/core/validation/validation.go`), after `mutateTopologySpreadConstraints`
//! (`pkg/registry/core/pod/strategy.go`).

use alloc::borrow::{Cow, ToOwned};
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use super::{invalid, label_selector, positive};
use crate::api::field_error::{child, index};
use crate::api::names::label_key_errors;
use crate::api::{
    BadValue, FieldError, LabelSelector, LabelSelectorRequirement, Labels, TopologySpreadConstraint,
};

/// A constraint as it is written, its words perhaps not of the API.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WrittenConstraint {
    /// All that is no such word.
    pub constraint: TopologySpreadConstraint,
    /// What to do with pods that do not fit; empty if it is not given.
    pub when_unsatisfiable: String,
    /// How node affinity is treated.
    pub node_affinity_policy: Option<String>,
    /// How taints are treated.
    pub node_taints_policy: Option<String>,
}

pub(super) fn constraints(
    errors: &mut Vec<FieldError>,
    field: &str,
    all: &[WrittenConstraint],
    labels: &Labels,
) {
    for (i, written) in all.iter().enumerate() {
        let field = index(field, i);
        let at = |name: &str| child(&field, name);
        let WrittenConstraint { constraint, when_unsatisfiable: action, .. } = written;
        positive(errors, &at("maxSkew"), constraint.max_skew.into());
        if constraint.topology_key.is_empty() {
            errors.push(FieldError::required(at("topologyKey"), "can not be empty"));
        }
        if !matches!(&**action, "DoNotSchedule" | "ScheduleAnyway") {
            let words = ["DoNotSchedule", "ScheduleAnyway"];
            errors.push(FieldError::not_supported(at("whenUnsatisfiable"), action, &words));
        }
        let is_same = |other: &WrittenConstraint| {
            other.constraint.topology_key == constraint.topology_key
                && other.when_unsatisfiable == *action
        };
        if all.iter().skip(i + 1).any(is_same) {
            let value = BadValue::Text(format!("{{{}, {action}}}", constraint.topology_key));
            errors.push(FieldError::duplicate(at("{topologyKey, whenUnsatisfiable}"), value));
        }
        if let Some(least) = constraint.min_domains {
            positive(errors, &at("minDomains"), least.into());
            if action != "DoNotSchedule" {
                let detail = format!(
                    "can only use minDomains if whenUnsatisfiable=DoNotSchedule, not {action}"
                );
                let value = BadValue::Integer(least.into());
                errors.push(FieldError::invalid(at("minDomains"), value, &detail));
            }
        }
        inclusion_policy(errors, at("nodeAffinityPolicy"), written.node_affinity_policy.as_ref());
        inclusion_policy(errors, at("nodeTaintsPolicy"), written.node_taints_policy.as_ref());
        let keys = &constraint.match_label_keys;
        let selector = merged(constraint.label_selector.as_ref(), keys, &[], labels);
        label_keys(errors, &field, keys, &[], selector.as_deref());
        if let Some(selector) = &selector {
            label_selector(errors, &at("labelSelector"), selector);
        }
    }
}

fn inclusion_policy(errors: &mut Vec<FieldError>, field: String, policy: Option<&String>) {
    if let Some(policy) = policy
        && !matches!(&**policy, "Honor" | "Ignore")
    {
        errors.push(FieldError::not_supported(field, policy, &["Honor", "Ignore"]));
    }
}

/// The selector that is validated: the API server first adds what the pod's own labels say for each of the keys
/// (`applyLabelKeysToLabelSelector`).
pub(super) fn merged<'s>(
    selector: Option<&'s LabelSelector>,
    match_keys: &[String],
    mismatch_keys: &[String],
    labels: &Labels,
) -> Option<Cow<'s, LabelSelector>> {
    let mut selector = Cow::Borrowed(selector?);
    for (keys, operator) in [(match_keys, "In"), (mismatch_keys, "NotIn")] {
        for key in keys {
            if let Some(value) = labels.get(key) {
                selector.to_mut().match_expressions.push(LabelSelectorRequirement {
                    key: key.clone(),
                    operator: operator.to_owned(),
                    values: alloc::vec![value.clone()],
                });
            }
        }
    }
    Some(selector)
}

/// `ValidateMatchLabelKeysAndMismatchLabelKeys`. The selector has the keys' own requirements already.
pub(super) fn label_keys(
    errors: &mut Vec<FieldError>,
    field: &str,
    match_keys: &[String],
    mismatch_keys: &[String],
    selector: Option<&LabelSelector>,
) {
    for (name, keys) in [("matchLabelKeys", match_keys), ("mismatchLabelKeys", mismatch_keys)] {
        let field = child(field, name);
        if !keys.is_empty() && selector.is_none() {
            let detail = "must not be specified when labelSelector is not set";
            errors.push(FieldError::forbidden(field, detail));
            continue;
        }
        for (i, key) in keys.iter().enumerate() {
            invalid(errors, &index(&field, i), key, &label_key_errors(key));
        }
    }
    if let Some(selector) = selector {
        let mut before: Vec<&String> = selector.match_labels.keys().collect();
        for requirement in &selector.match_expressions {
            let key = &requirement.key;
            // A key that is there before is there twice, so that it was not only added for the pod's label.
            if let Some(i) = match_keys.iter().rposition(|own| own == key)
                && before.contains(&key)
            {
                let detail = "exists in both matchLabelKeys and labelSelector";
                let value = BadValue::Text(key.clone());
                errors.push(FieldError::invalid(index(field, i), value, detail));
            }
            before.push(key);
        }
    }
    for (i, key) in match_keys.iter().enumerate() {
        if mismatch_keys.contains(key) {
            let field = index(&child(field, "matchLabelKeys"), i);
            let detail = "exists in both matchLabelKeys and mismatchLabelKeys";
            errors.push(FieldError::invalid(field, BadValue::Text(key.clone()), detail));
        }
    }
}
