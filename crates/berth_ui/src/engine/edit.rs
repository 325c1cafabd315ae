//! Edits of the inspector, made on a pod.

use super::number::integer;
use super::selector_text;
use crate::app::PodEdit;
use berth_core::admission::{forbidden, priority};
use berth_core::api::names::{label_key_errors, label_value_errors};
use berth_core::api::{
    BadValue, FieldError, NodeInclusionPolicy, Pod, PreemptionPolicy, PriorityClass, Quantity,
    TopologySpreadConstraint, UnsatisfiableConstraintAction,
};

/// The pod with an edit made; the error says what is wrong with the new value. `classes` are the
/// cluster's, `key` is the topology key that a new constraint gets.
pub(super) fn apply(
    pod: &Pod,
    edit: &PodEdit,
    classes: &[&PriorityClass],
    key: &str,
) -> Result<Pod, String> {
    let mut pod = pod.clone();
    match edit {
        PodEdit::AddConstraint => {
            let selector = pod.metadata.labels.iter().next();
            let text = selector.map(|(key, value)| [key, "=", value].concat()).unwrap_or_default();
            pod.spec.topology_spread_constraints.push(TopologySpreadConstraint {
                max_skew: 1,
                topology_key: key.to_owned(),
                when_unsatisfiable: UnsatisfiableConstraintAction::DoNotSchedule,
                label_selector: selector_text::read(&text)?,
                min_domains: None,
                node_affinity_policy: None,
                node_taints_policy: None,
                match_label_keys: Vec::new(),
            });
        }
        PodEdit::RemoveConstraint(index) => {
            let list = &mut pod.spec.topology_spread_constraints;
            if *index < list.len() {
                list.remove(*index);
            }
        }
        PodEdit::TopologyKey(index, _)
        | PodEdit::MaxSkew(index, _)
        | PodEdit::MinDomains(index, _)
        | PodEdit::WhenUnsatisfiable(index, _)
        | PodEdit::Selector(index, _)
        | PodEdit::MatchLabelKeys(index, _)
        | PodEdit::AffinityPolicy(index, _)
        | PodEdit::TaintsPolicy(index, _) => {
            if let Some(found) = pod.spec.topology_spread_constraints.get_mut(*index) {
                constraint(found, edit)?;
            }
        }
        PodEdit::Priority(_) | PodEdit::PriorityClass(_) | PodEdit::NeverPreempts(_) => {
            priority(&mut pod, edit)?;
            // What was admitted before keeps a number without a class; there it can be any.
            if !pod.spec.priority_class_name.is_empty() || matches!(edit, PodEdit::PriorityClass(_))
            {
                admit(&mut pod, classes)?;
            }
        }
        PodEdit::WithoutClass(edit) => {
            pod.spec.priority_class_name.clear();
            priority(&mut pod, edit)?;
        }
        PodEdit::Label(text) => label(&mut pod, text)?,
        PodEdit::Unlabel(key) => {
            pod.metadata.labels.remove(key.as_str());
        }
        PodEdit::Request(resource, quantity) => request(&mut pod, resource, quantity)?,
    }
    Ok(pod)
}

fn priority(pod: &mut Pod, edit: &PodEdit) -> Result<(), String> {
    let spec = &mut pod.spec;
    match edit {
        PodEdit::Priority(text) => spec.priority = Some(integer(text)?),
        PodEdit::PriorityClass(name) => {
            spec.priority_class_name = name.to_string();
            spec.priority = None;
            spec.preemption_policy = None;
        }
        PodEdit::NeverPreempts(true) => spec.preemption_policy = Some(PreemptionPolicy::Never),
        PodEdit::NeverPreempts(false) => {
            spec.preemption_policy = Some(PreemptionPolicy::PreemptLowerPriority);
        }
        _ => {}
    }
    Ok(())
}

/// What the Priority plugin makes of the class.
fn admit(pod: &mut Pod, classes: &[&PriorityClass]) -> Result<(), String> {
    priority::admit(&mut pod.spec, classes.iter().copied())
        .map_err(|error| forbidden("pods", &pod.metadata.name, &error))
}

fn constraint(found: &mut TopologySpreadConstraint, edit: &PodEdit) -> Result<(), String> {
    let policy = |honor: bool| {
        Some(if honor { NodeInclusionPolicy::Honor } else { NodeInclusionPolicy::Ignore })
    };
    match edit {
        PodEdit::TopologyKey(_, key) => found.topology_key = key.to_string(),
        PodEdit::MaxSkew(_, skew) => found.max_skew = positive(skew)?,
        PodEdit::MinDomains(_, text) if text.trim().is_empty() => found.min_domains = None,
        PodEdit::MinDomains(_, domains) => found.min_domains = Some(positive(domains)?),
        PodEdit::WhenUnsatisfiable(_, true) => {
            found.when_unsatisfiable = UnsatisfiableConstraintAction::DoNotSchedule;
        }
        PodEdit::WhenUnsatisfiable(_, false) => {
            // The API server refuses minDomains with ScheduleAnyway.
            found.min_domains = None;
            found.when_unsatisfiable = UnsatisfiableConstraintAction::ScheduleAnyway;
        }
        PodEdit::Selector(_, text) => found.label_selector = selector_text::read(text)?,
        PodEdit::MatchLabelKeys(_, text) => match_label_keys(found, text)?,
        PodEdit::AffinityPolicy(_, honor) => found.node_affinity_policy = policy(*honor),
        PodEdit::TaintsPolicy(_, honor) => found.node_taints_policy = policy(*honor),
        _ => {}
    }
    Ok(())
}

/// What the API server says of a number below one.
fn positive(text: &str) -> Result<i32, String> {
    let value = integer(text)?;
    if value > 0 { Ok(value) } else { Err("must be greater than zero".to_owned()) }
}

/// Mirrors `validateMatchLabelKeysInTopologySpread`.
fn match_label_keys(found: &mut TopologySpreadConstraint, text: &str) -> Result<(), String> {
    let mut keys: Vec<String> = Vec::new();
    for key in text.split(',').map(str::trim).filter(|key| !key.is_empty()) {
        complain("matchLabelKeys", key, &label_key_errors(key))?;
        let selector = found.label_selector.as_ref();
        let Some(selector) = selector else {
            return Err("must not be specified when labelSelector is not set".to_owned());
        };
        if selector.match_labels.contains_key(key)
            || selector.match_expressions.iter().any(|requirement| requirement.key == key)
        {
            return Err("exists in both matchLabelKeys and labelSelector".to_owned());
        }
        keys.push(key.to_owned());
    }
    found.match_label_keys = keys;
    Ok(())
}

/// The first complaint about a text, as the API server prints it.
fn complain(field: &str, text: &str, complaints: &[String]) -> Result<(), String> {
    let Some(complaint) = complaints.first() else { return Ok(()) };
    let value = BadValue::Text(text.to_owned());
    Err(FieldError::invalid(field.to_owned(), value, complaint).to_string())
}

/// Without `=`, a label with an empty value.
fn label(pod: &mut Pod, text: &str) -> Result<(), String> {
    let (key, value) = text.split_once('=').unwrap_or((text, ""));
    let (key, value) = (key.trim(), value.trim());
    complain("metadata.labels", key, &label_key_errors(key))?;
    complain("metadata.labels", value, &label_value_errors(value))?;
    pod.metadata.labels.insert(key.to_owned(), value.to_owned());
    Ok(())
}

fn request(pod: &mut Pod, resource: &str, quantity: &str) -> Result<(), String> {
    let Some(container) = pod.spec.containers.first_mut() else { return Ok(()) };
    let requests = &mut container.resources.requests;
    if quantity.trim().is_empty() {
        requests.remove(resource);
        return Ok(());
    }
    let quantity = Quantity::parse(quantity.trim()).map_err(|error| error.to_string())?;
    if quantity.sign() < 0 {
        return Err("must be greater than or equal to 0".to_owned());
    }
    requests.insert(resource.to_owned(), quantity);
    Ok(())
}
