//! Taints and tolerations.
//!
//! Mirrors `validateNodeTaints`, `validateTaintEffect` and `ValidateTolerations`
//! (`pkg/apis/core/validation/validation.go`). Operators that compare numbers are behind a gate that is off.

use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use super::invalid;
use crate::api::field_error::{child, index, json_string};
use crate::api::names::{label_key_errors, label_value_errors};
use crate::api::{BadValue, FieldError};

/// A taint as it is written, its effect perhaps not of the API.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WrittenTaint {
    /// The key.
    pub key: String,
    /// The value; may be empty.
    pub value: String,
    /// The effect; empty if it is not given.
    pub effect: String,
    /// When it was added, as the API server writes it.
    pub time_added: Option<String>,
}

/// A toleration as it is written, its words perhaps not of the API.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WrittenToleration {
    /// The key; empty for every key.
    pub key: String,
    /// The operator; empty for `Equal`.
    pub operator: String,
    /// The value.
    pub value: String,
    /// The effect; empty for every effect.
    pub effect: String,
    /// For how long, in seconds.
    pub toleration_seconds: Option<i64>,
}

pub(super) fn taints(errors: &mut Vec<FieldError>, field: &str, taints: &[WrittenTaint]) {
    for (i, taint) in taints.iter().enumerate() {
        let field = index(field, i);
        let WrittenTaint { key, value, effect, time_added } = taint;
        invalid(errors, &child(&field, "key"), key, &label_key_errors(key));
        label_value(errors, child(&field, "value"), value);
        if effect.is_empty() {
            errors.push(FieldError::required(child(&field, "effect"), ""));
        } else {
            known_effect(errors, &field, effect);
        }
        let same = |other: &WrittenTaint| other.key == *key && other.effect == *effect;
        if taints.iter().take(i).any(same) {
            let shown = format!(
                r#"{{"Key":{},"Value":{},"Effect":{},"TimeAdded":{}}}"#,
                json_string(key),
                json_string(value),
                json_string(effect),
                time_added.as_deref().map_or_else(|| "null".to_owned(), json_string),
            );
            let mut error = FieldError::duplicate(field, BadValue::Json(shown));
            "taints must be unique by key and effect pair".clone_into(&mut error.detail);
            errors.push(error);
        }
    }
}

/// A label's value, with all complaints in one error.
fn label_value(errors: &mut Vec<FieldError>, field: String, value: &str) {
    let complaints = label_value_errors(value);
    if !complaints.is_empty() {
        let value = BadValue::Text(value.to_owned());
        errors.push(FieldError::invalid(field, value, &complaints.join(";")));
    }
}

fn known_effect(errors: &mut Vec<FieldError>, field: &str, effect: &str) {
    let words = ["NoSchedule", "PreferNoSchedule", "NoExecute"];
    if !words.contains(&effect) {
        errors.push(FieldError::not_supported(child(field, "effect"), effect, &words));
    }
}

pub(super) fn tolerations(errors: &mut Vec<FieldError>, field: &str, all: &[WrittenToleration]) {
    for (i, toleration) in all.iter().enumerate() {
        let field = index(field, i);
        let WrittenToleration { key, operator, value, effect, toleration_seconds } = toleration;
        let at_operator = child(&field, "operator");
        if !key.is_empty() {
            invalid(errors, &child(&field, "key"), key, &label_key_errors(key));
        } else if operator != "Exists" {
            let detail = "operator must be Exists when `key` is empty, which means \"match all values and all keys\"";
            let error = FieldError::invalid(at_operator.clone(), BadValue::word(operator), detail);
            errors.push(error);
        }
        if toleration_seconds.is_some() && effect != "NoExecute" {
            let detail = "effect must be 'NoExecute' when `tolerationSeconds` is set";
            let field = child(&field, "effect");
            errors.push(FieldError::invalid(field, BadValue::word(effect), detail));
        }
        match &**operator {
            "" | "Equal" => label_value(errors, at_operator, value),
            "Exists" if value.is_empty() => {}
            "Exists" => {
                let detail = "value must be empty when `operator` is 'Exists'";
                let value = BadValue::Text(value.clone());
                errors.push(FieldError::invalid(at_operator, value, detail));
            }
            "Lt" | "Gt" => {
                let words = ["Equal", "Exists", "Lt", "Gt"];
                errors.push(FieldError::not_supported(at_operator, operator, &words));
            }
            _ => {
                let words = ["Equal", "Exists"];
                errors.push(FieldError::not_supported(at_operator, operator, &words));
            }
        }
        if !effect.is_empty() {
            known_effect(errors, &field, effect);
        }
    }
}
