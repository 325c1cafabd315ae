//! What the API server validates before it keeps an object, in its words.
//!
//! Of `metadata` only what Berth keeps is looked at: annotations, finalizers and owners are not.

mod affinity;
mod budget;
mod node;
mod pod;
mod priority_class;
mod resources;
mod spread;
mod taints;

use alloc::borrow::ToOwned;
use alloc::string::String;
use alloc::vec::Vec;

pub use budget::pod_disruption_budget;
pub use node::{WrittenNode, node};
pub use pod::{WrittenPod, pod};
pub use priority_class::{priority_class, priority_class_update};
pub use spread::WrittenConstraint;
pub use taints::{WrittenTaint, WrittenToleration};

use crate::api::field_error::{child, index};
use crate::api::names::{dns_label_errors, label_key_errors, label_value_errors};
use crate::api::{
    BadValue, FieldError, LabelSelector, LabelSelectorRequirement, Labels, ObjectMeta,
};

/// `ValidateObjectMeta`. `name_errors` says what is wrong with a name that is not empty.
fn object_meta(
    errors: &mut Vec<FieldError>,
    metadata: &ObjectMeta,
    is_namespaced: bool,
    name_errors: fn(&str) -> Vec<String>,
) {
    let ObjectMeta { name, namespace, generation, .. } = metadata;
    if name.is_empty() {
        errors.push(FieldError::required(
            "metadata.name".to_owned(),
            "name or generateName is required",
        ));
    } else {
        invalid(errors, "metadata.name", name, &name_errors(name));
    }
    let field = "metadata.namespace";
    match (is_namespaced, namespace.is_empty()) {
        (true, true) => errors.push(FieldError::required(field.to_owned(), "")),
        (true, false) => invalid(errors, field, namespace, &dns_label_errors(namespace)),
        (false, true) => {}
        (false, false) => {
            errors.push(FieldError::forbidden(field.to_owned(), "not allowed on this type"));
        }
    }
    not_negative(errors, "metadata.generation", *generation);
    labels(errors, "metadata.labels", &metadata.labels);
}

/// `ValidateObjectMetaUpdate`, as far as a stored object can differ: what the API server fills in from the object that
/// is replaced (`rest.BeforeUpdate`) is compared only if it was given.
fn object_meta_update(errors: &mut Vec<FieldError>, new: &ObjectMeta, old: &ObjectMeta) {
    let mut compare = |field: &str, new: &String, old: &String| {
        if new != old {
            errors.push(immutable(field, BadValue::Text(new.clone())));
        }
    };
    compare("metadata.name", &new.name, &old.name);
    compare("metadata.namespace", &new.namespace, &old.namespace);
    if !new.uid.is_empty() {
        compare("metadata.uid", &new.uid, &old.uid);
    }
    labels(errors, "metadata.labels", &new.labels);
}

/// A field that may not change (`ValidateImmutableField`).
fn immutable(field: &str, new: BadValue) -> FieldError {
    FieldError::invalid(field.to_owned(), new, "field is immutable")
}

/// `ValidateNonnegativeField`.
fn not_negative(errors: &mut Vec<FieldError>, field: &str, number: i64) {
    if number < 0 {
        let detail = "must be greater than or equal to 0";
        errors.push(FieldError::invalid(field.to_owned(), BadValue::Integer(number), detail));
    }
}

/// `ValidatePositiveField`.
fn positive(errors: &mut Vec<FieldError>, field: &str, number: i64) {
    if number <= 0 {
        let value = BadValue::Integer(number);
        errors.push(FieldError::invalid(field.to_owned(), value, "must be greater than zero"));
    }
}

/// An error for each complaint about a text.
fn invalid(errors: &mut Vec<FieldError>, field: &str, text: &str, complaints: &[String]) {
    for complaint in complaints {
        let value = BadValue::Text(text.to_owned());
        errors.push(FieldError::invalid(field.to_owned(), value, complaint));
    }
}

/// `ValidateLabels`, in order of key (the API server takes the labels in any order).
fn labels(errors: &mut Vec<FieldError>, field: &str, labels: &Labels) {
    for (key, value) in labels {
        invalid(errors, field, key, &label_key_errors(key));
        invalid(errors, field, value, &label_value_errors(value));
    }
}

/// `ValidateLabelSelector`.
fn label_selector(errors: &mut Vec<FieldError>, field: &str, selector: &LabelSelector) {
    labels(errors, &child(field, "matchLabels"), &selector.match_labels);
    let field = child(field, "matchExpressions");
    for (i, requirement) in selector.match_expressions.iter().enumerate() {
        label_requirement(errors, &index(&field, i), requirement);
    }
}

/// `ValidateLabelSelectorRequirement`.
fn label_requirement(
    errors: &mut Vec<FieldError>,
    field: &str,
    requirement: &LabelSelectorRequirement,
) {
    let LabelSelectorRequirement { key, operator, values } = requirement;
    let field_of_values = child(field, "values");
    match &**operator {
        "In" | "NotIn" => {
            if values.is_empty() {
                let detail = "must be specified when `operator` is 'In' or 'NotIn'";
                errors.push(FieldError::required(field_of_values.clone(), detail));
            }
        }
        "Exists" | "DoesNotExist" => {
            if !values.is_empty() {
                let detail = "may not be specified when `operator` is 'Exists' or 'DoesNotExist'";
                errors.push(FieldError::forbidden(field_of_values.clone(), detail));
            }
        }
        _ => errors.push(FieldError::invalid(
            child(field, "operator"),
            BadValue::word(operator),
            "not a valid selector operator",
        )),
    }
    invalid(errors, &child(field, "key"), key, &label_key_errors(key));
    for (i, value) in values.iter().enumerate() {
        invalid(errors, &index(&field_of_values, i), value, &label_value_errors(value));
    }
}
