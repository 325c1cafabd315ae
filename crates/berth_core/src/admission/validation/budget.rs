//! Disruption budgets.
//!
//! Mirrors `ValidatePodDisruptionBudgetSpec` (`pkg/apis/policy/validation/validation.go`); the metadata is validated
//! elsewhere, for every kind alike.

use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::{label_selector, not_negative};
use crate::api::field_error::{json_list, json_string};
use crate::api::names::percent_errors;
use crate::api::{
    BadValue, FieldError, IntOrPercent, LabelSelector, PodDisruptionBudget,
    UnhealthyPodEvictionPolicy,
};

/// What is wrong with a budget. `policy` is its `unhealthyPodEvictionPolicy` as it was written.
pub fn pod_disruption_budget(
    budget: &PodDisruptionBudget,
    policy: Option<&str>,
) -> Vec<FieldError> {
    let mut errors = Vec::new();
    if budget.min_available.is_some() && budget.max_unavailable.is_some() {
        errors.push(FieldError::invalid(
            "spec".to_owned(),
            BadValue::Json(spec(budget, policy)),
            "minAvailable and maxUnavailable cannot be both set",
        ));
    }
    share(&mut errors, "spec.minAvailable", budget.min_available.as_ref());
    share(&mut errors, "spec.maxUnavailable", budget.max_unavailable.as_ref());
    if let Some(selector) = &budget.selector {
        label_selector(&mut errors, "spec.selector", selector);
    }
    if let Some(policy) = policy
        && !UnhealthyPodEvictionPolicy::ALL.iter().any(|word| word.as_str() == policy)
    {
        // In the order of the alphabet.
        let words = [
            UnhealthyPodEvictionPolicy::AlwaysAllow.as_str(),
            UnhealthyPodEvictionPolicy::IfHealthyBudget.as_str(),
        ];
        let field = "spec.unhealthyPodEvictionPolicy".to_owned();
        errors.push(FieldError::not_supported(field, policy, &words));
    }
    errors
}

/// `ValidatePositiveIntOrPercent` and `IsNotMoreThan100Percent`.
fn share(errors: &mut Vec<FieldError>, field: &str, value: Option<&IntOrPercent>) {
    let text = match value {
        None => return,
        Some(IntOrPercent::Int(number)) => return not_negative(errors, field, (*number).into()),
        Some(IntOrPercent::Percent(text)) => text,
    };
    let mut invalid = |complaint: &str| {
        errors.push(FieldError::invalid(field.to_owned(), BadValue::word(text), complaint));
    };
    let complaints = percent_errors(text);
    for complaint in &complaints {
        invalid(complaint);
    }
    // A number that cannot be read is larger than any.
    let percent = text.trim_end_matches('%').parse::<i64>();
    if complaints.is_empty() && percent.map_or(true, |percent| percent > 100) {
        invalid("must not be greater than 100%");
    }
}

/// The spec as the API server shows it: as JSON, with the names of its own type.
fn spec(budget: &PodDisruptionBudget, policy: Option<&str>) -> String {
    let number = |value: Option<&IntOrPercent>| match value {
        None => "null".to_owned(),
        Some(IntOrPercent::Int(number)) => number.to_string(),
        Some(IntOrPercent::Percent(text)) => json_string(text),
    };
    format!(
        r#"{{"MinAvailable":{},"Selector":{},"MaxUnavailable":{},"UnhealthyPodEvictionPolicy":{}}}"#,
        number(budget.min_available.as_ref()),
        budget.selector.as_ref().map_or_else(|| "null".to_owned(), selector),
        number(budget.max_unavailable.as_ref()),
        policy.map_or_else(|| "null".to_owned(), json_string),
    )
}

fn selector(selector: &LabelSelector) -> String {
    let mut parts = Vec::new();
    if !selector.match_labels.is_empty() {
        let labels = selector.match_labels.iter();
        let pairs =
            labels.map(|(key, value)| format!("{}:{}", json_string(key), json_string(value)));
        parts.push(format!(r#""matchLabels":{{{}}}"#, pairs.collect::<Vec<_>>().join(",")));
    }
    if !selector.match_expressions.is_empty() {
        let requirements = selector.match_expressions.iter().map(|requirement| {
            let key = json_string(&requirement.key);
            let operator = json_string(&requirement.operator);
            if requirement.values.is_empty() {
                return format!(r#"{{"key":{key},"operator":{operator}}}"#);
            }
            let values = json_list(&requirement.values);
            format!(r#"{{"key":{key},"operator":{operator},"values":{values}}}"#)
        });
        let requirements: Vec<String> = requirements.collect();
        parts.push(format!(r#""matchExpressions":[{}]"#, requirements.join(",")));
    }
    format!("{{{}}}", parts.join(","))
}
