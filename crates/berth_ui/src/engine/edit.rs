//! Edits of the inspector, made on a pod.

use super::selector_text;
use crate::app::PodEdit;
use berth_core::api::{
    NodeInclusionPolicy, Pod, PreemptionPolicy, PriorityClass, Quantity, TopologySpreadConstraint,
    UnsatisfiableConstraintAction,
};

/// The pod with an edit made; the error says what is wrong with the new value. `class` finds a
/// PriorityClass, `key` is the topology key that a new constraint gets.
pub(super) fn apply<'c>(
    pod: &Pod,
    edit: &PodEdit,
    class: impl Fn(&str) -> Option<&'c PriorityClass>,
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
        PodEdit::TopologyKey(..)
        | PodEdit::MaxSkew(..)
        | PodEdit::MinDomains(..)
        | PodEdit::WhenUnsatisfiable(..)
        | PodEdit::Selector(..)
        | PodEdit::MatchLabelKeys(..)
        | PodEdit::AffinityPolicy(..)
        | PodEdit::TaintsPolicy(..) => constraint(&mut pod, edit)?,
        PodEdit::Priority(priority) => {
            pod.spec.priority = Some(*priority);
            // Admission would refuse a number that is not the class's.
            pod.spec.priority_class_name.clear();
        }
        PodEdit::PriorityClass(name) => {
            if let Some(class) = class(name) {
                pod.spec.priority = Some(class.value);
                pod.spec.preemption_policy = class.preemption_policy;
            }
            pod.spec.priority_class_name = name.to_string();
        }
        PodEdit::NeverPreempts(never) => {
            let policy = if *never {
                PreemptionPolicy::Never
            } else {
                PreemptionPolicy::PreemptLowerPriority
            };
            pod.spec.preemption_policy = Some(policy);
        }
        PodEdit::Label(key, Some(value)) => {
            selector_text::read(&[key.as_str(), "=", value].concat())?;
            pod.metadata.labels.insert(key.to_string(), value.to_string());
        }
        PodEdit::Label(key, None) => {
            pod.metadata.labels.remove(key.as_str());
        }
        PodEdit::Request(resource, quantity) => request(&mut pod, resource, quantity)?,
    }
    Ok(pod)
}

fn constraint(pod: &mut Pod, edit: &PodEdit) -> Result<(), String> {
    let list = &mut pod.spec.topology_spread_constraints;
    let policy = |honor: bool| {
        Some(if honor { NodeInclusionPolicy::Honor } else { NodeInclusionPolicy::Ignore })
    };
    match edit {
        PodEdit::TopologyKey(index, key) => {
            if let Some(constraint) = list.get_mut(*index) {
                constraint.topology_key = key.to_string();
            }
        }
        PodEdit::MaxSkew(index, skew) => {
            if let Some(constraint) = list.get_mut(*index) {
                constraint.max_skew = positive(*skew)?;
            }
        }
        PodEdit::MinDomains(index, domains) => {
            if let Some(constraint) = list.get_mut(*index) {
                constraint.min_domains = domains.map(positive).transpose()?;
            }
        }
        PodEdit::WhenUnsatisfiable(index, hard) => {
            if let Some(constraint) = list.get_mut(*index) {
                constraint.when_unsatisfiable = if *hard {
                    UnsatisfiableConstraintAction::DoNotSchedule
                } else {
                    // The API server refuses minDomains with ScheduleAnyway.
                    constraint.min_domains = None;
                    UnsatisfiableConstraintAction::ScheduleAnyway
                };
            }
        }
        PodEdit::Selector(index, text) => {
            if let Some(constraint) = list.get_mut(*index) {
                constraint.label_selector = selector_text::read(text)?;
            }
        }
        PodEdit::MatchLabelKeys(index, text) => {
            if let Some(constraint) = list.get_mut(*index) {
                let keys = text.split(',').map(|key| key.trim().to_owned());
                constraint.match_label_keys = keys.filter(|key| !key.is_empty()).collect();
            }
        }
        PodEdit::AffinityPolicy(index, honor) => {
            if let Some(constraint) = list.get_mut(*index) {
                constraint.node_affinity_policy = policy(*honor);
            }
        }
        PodEdit::TaintsPolicy(index, honor) => {
            if let Some(constraint) = list.get_mut(*index) {
                constraint.node_taints_policy = policy(*honor);
            }
        }
        _ => {}
    }
    Ok(())
}

/// What the API server says of a number below one.
fn positive(value: i32) -> Result<i32, String> {
    if value > 0 { Ok(value) } else { Err("must be greater than zero".to_owned()) }
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
