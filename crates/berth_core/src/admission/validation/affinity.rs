//! Node affinity, pod affinity and anti-affinity.
//!
//! Mirrors `validateAffinity` and what it calls (`pkg/apis/core/validation/validation.go`), after `mutatePodAffinity`
//! (`pkg/registry/core/pod/strategy.go`).

use alloc::vec::Vec;

use super::spread::{label_keys, merged};
use super::{invalid, label_selector};
use crate::api::field_error::{child, index};
use crate::api::names::{
    dns_label_errors, dns_subdomain_errors, label_key_errors, label_value_errors,
};
use crate::api::{
    Affinity, BadValue, FieldError, Labels, NodeAffinity, NodeSelectorRequirement,
    NodeSelectorTerm, PodAffinity, PodAffinityTerm,
};

const REQUIRED: &str = "requiredDuringSchedulingIgnoredDuringExecution";
const PREFERRED: &str = "preferredDuringSchedulingIgnoredDuringExecution";

pub(super) fn affinity(
    errors: &mut Vec<FieldError>,
    field: &str,
    affinity: &Affinity,
    labels: &Labels,
) {
    if let Some(affinity) = &affinity.node_affinity {
        node_affinity(errors, &child(field, "nodeAffinity"), affinity);
    }
    if let Some(affinity) = &affinity.pod_affinity {
        pod_affinity(errors, &child(field, "podAffinity"), affinity, labels);
    }
    if let Some(affinity) = &affinity.pod_anti_affinity {
        pod_affinity(errors, &child(field, "podAntiAffinity"), affinity, labels);
    }
}

fn node_affinity(errors: &mut Vec<FieldError>, field: &str, affinity: &NodeAffinity) {
    if let Some(selector) = &affinity.required {
        let field = child(&child(field, REQUIRED), "nodeSelectorTerms");
        if selector.node_selector_terms.is_empty() {
            let detail = "must have at least one node selector term";
            errors.push(FieldError::required(field.clone(), detail));
        }
        for (i, term) in selector.node_selector_terms.iter().enumerate() {
            node_selector_term(errors, &index(&field, i), term, true);
        }
    }
    for (i, preferred) in affinity.preferred.iter().enumerate() {
        let field = index(&child(field, PREFERRED), i);
        weight(errors, &field, preferred.weight);
        // The values of a preferred term may be anything.
        let field = child(&field, "preference");
        node_selector_term(errors, &field, &preferred.preference, false);
    }
}

fn weight(errors: &mut Vec<FieldError>, field: &str, weight: i32) {
    if !(1..=100).contains(&weight) {
        let value = BadValue::Integer(weight.into());
        let field = child(field, "weight");
        errors.push(FieldError::invalid(field, value, "must be in the range 1-100"));
    }
}

fn node_selector_term(
    errors: &mut Vec<FieldError>,
    field: &str,
    term: &NodeSelectorTerm,
    checks_values: bool,
) {
    for (i, requirement) in term.match_expressions.iter().enumerate() {
        let field = index(&child(field, "matchExpressions"), i);
        label_requirement(errors, &field, requirement, checks_values);
    }
    for (i, requirement) in term.match_fields.iter().enumerate() {
        field_requirement(errors, &index(&child(field, "matchFields"), i), requirement);
    }
}

fn bad_operator(field: &str, operator: &str) -> FieldError {
    let field = child(field, "operator");
    FieldError::invalid(field, BadValue::word(operator), "not a valid selector operator")
}

/// `ValidateNodeSelectorRequirement`.
fn label_requirement(
    errors: &mut Vec<FieldError>,
    field: &str,
    requirement: &NodeSelectorRequirement,
    checks_values: bool,
) {
    let NodeSelectorRequirement { key, operator, values } = requirement;
    let at_values = child(field, "values");
    match (&**operator, values.len()) {
        ("In" | "NotIn", 0) => {
            let detail = "must be specified when `operator` is 'In' or 'NotIn'";
            errors.push(FieldError::required(at_values.clone(), detail));
        }
        ("Exists" | "DoesNotExist", 1..) => {
            let detail = "may not be specified when `operator` is 'Exists' or 'DoesNotExist'";
            errors.push(FieldError::forbidden(at_values.clone(), detail));
        }
        ("Gt" | "Lt", 0 | 2..) => {
            let detail = "must be specified single value when `operator` is 'Lt' or 'Gt'";
            errors.push(FieldError::required(at_values.clone(), detail));
        }
        ("In" | "NotIn" | "Exists" | "DoesNotExist" | "Gt" | "Lt", _) => {}
        _ => errors.push(bad_operator(field, operator)),
    }
    invalid(errors, &child(field, "key"), key, &label_key_errors(key));
    if checks_values {
        for (i, value) in values.iter().enumerate() {
            invalid(errors, &index(&at_values, i), value, &label_value_errors(value));
        }
    }
}

/// `ValidateNodeFieldSelectorRequirement`.
fn field_requirement(
    errors: &mut Vec<FieldError>,
    field: &str,
    requirement: &NodeSelectorRequirement,
) {
    let NodeSelectorRequirement { key, operator, values } = requirement;
    let at_values = child(field, "values");
    match (&**operator, values.len()) {
        ("In" | "NotIn", 1) => {}
        ("In" | "NotIn", _) => {
            let detail =
                "must be only one value when `operator` is 'In' or 'NotIn' for node field selector";
            errors.push(FieldError::required(at_values.clone(), detail));
        }
        _ => errors.push(bad_operator(field, operator)),
    }
    if key == "metadata.name" {
        for (i, value) in values.iter().enumerate() {
            invalid(errors, &index(&at_values, i), value, &dns_subdomain_errors(value));
        }
    } else {
        let value = BadValue::Text(key.clone());
        let detail = "not a valid field selector key";
        errors.push(FieldError::invalid(child(field, "key"), value, detail));
    }
}

fn pod_affinity(
    errors: &mut Vec<FieldError>,
    field: &str,
    affinity: &PodAffinity,
    labels: &Labels,
) {
    for (i, term) in affinity.required.iter().enumerate() {
        pod_affinity_term(errors, &index(&child(field, REQUIRED), i), term, labels);
    }
    for (i, preferred) in affinity.preferred.iter().enumerate() {
        let field = index(&child(field, PREFERRED), i);
        weight(errors, &field, preferred.weight);
        pod_affinity_term(errors, &child(&field, "podAffinityTerm"), &preferred.term, labels);
    }
}

fn pod_affinity_term(
    errors: &mut Vec<FieldError>,
    field: &str,
    term: &PodAffinityTerm,
    labels: &Labels,
) {
    let (keys, mismatched) = (&term.match_label_keys, &term.mismatch_label_keys);
    let selector = merged(term.label_selector.as_ref(), keys, mismatched, labels);
    if let Some(selector) = &selector {
        label_selector(errors, &child(field, "labelSelector"), selector);
    }
    if let Some(selector) = &term.namespace_selector {
        label_selector(errors, &child(field, "namespaceSelector"), selector);
    }
    for name in &term.namespaces {
        invalid(errors, &child(field, "namespace"), name, &dns_label_errors(name));
    }
    label_keys(errors, field, keys, mismatched, selector.as_deref());
    let (field, key) = (child(field, "topologyKey"), &term.topology_key);
    if key.is_empty() {
        errors.push(FieldError::required(field.clone(), "can not be empty"));
    }
    invalid(errors, &field, key, &label_key_errors(key));
}
