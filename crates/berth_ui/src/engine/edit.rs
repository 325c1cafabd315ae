//! Edits of the inspector, made on a pod.

use super::number::integer;
use super::selector_text;
use crate::app::PodEdit;
use berth_core::admission::{forbidden, priority};
use berth_core::api::{
    NodeInclusionPolicy, Pod, PreemptionPolicy, PriorityClass, Quantity, TopologySpreadConstraint,
    UnsatisfiableConstraintAction,
};

/// The pod with an edit made; the error says why the new value cannot be read or is not admitted: validation comes
/// after. `classes` are the cluster's, `keys` the topology keys that a new constraint can have, the best first.
pub(super) fn apply(
    pod: &Pod,
    edit: &PodEdit,
    classes: &[&PriorityClass],
    keys: &[&str],
) -> Result<Pod, String> {
    let mut pod = pod.clone();
    match edit {
        PodEdit::AddConstraint => {
            let selector = pod.metadata.labels.iter().next();
            let text = selector.map(|(key, value)| [key, "=", value].concat()).unwrap_or_default();
            let list = &mut pod.spec.topology_spread_constraints;
            let (key, when_unsatisfiable) = free(list, keys);
            list.push(TopologySpreadConstraint {
                max_skew: 1,
                topology_key: key.to_owned(),
                when_unsatisfiable,
                label_selector: selector_text::parse(&text),
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
        PodEdit::Label(text) => label(&mut pod, text),
        PodEdit::Unlabel(key) => {
            pod.metadata.labels.remove(key.as_str());
        }
        PodEdit::Request(resource, quantity) => request(&mut pod, resource, quantity)?,
    }
    Ok(pod)
}

/// The first key and action that no constraint has: the API server refuses two of one key and action. If all are taken,
/// it says so of the first.
fn free<'k>(
    list: &[TopologySpreadConstraint],
    keys: &[&'k str],
) -> (&'k str, UnsatisfiableConstraintAction) {
    let is_taken = |key: &str, action: UnsatisfiableConstraintAction| {
        list.iter().any(|own| own.topology_key == key && own.when_unsatisfiable == action)
    };
    for key in keys {
        for action in UnsatisfiableConstraintAction::ALL {
            if !is_taken(key, *action) {
                return (key, *action);
            }
        }
    }
    let first = keys.first().copied().unwrap_or_default();
    (first, UnsatisfiableConstraintAction::DoNotSchedule)
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
        PodEdit::MaxSkew(_, skew) => found.max_skew = integer(skew)?,
        PodEdit::MinDomains(_, text) if text.trim().is_empty() => found.min_domains = None,
        PodEdit::MinDomains(_, domains) => found.min_domains = Some(integer(domains)?),
        PodEdit::WhenUnsatisfiable(_, true) => {
            found.when_unsatisfiable = UnsatisfiableConstraintAction::DoNotSchedule;
        }
        PodEdit::WhenUnsatisfiable(_, false) => {
            // The API server refuses minDomains with ScheduleAnyway.
            found.min_domains = None;
            found.when_unsatisfiable = UnsatisfiableConstraintAction::ScheduleAnyway;
        }
        PodEdit::Selector(_, text) => found.label_selector = selector_text::parse(text),
        PodEdit::MatchLabelKeys(_, text) => {
            let keys = text.split(',').map(str::trim).filter(|key| !key.is_empty());
            found.match_label_keys = keys.map(ToOwned::to_owned).collect();
        }
        PodEdit::AffinityPolicy(_, honor) => found.node_affinity_policy = policy(*honor),
        PodEdit::TaintsPolicy(_, honor) => found.node_taints_policy = policy(*honor),
        _ => {}
    }
    Ok(())
}

/// Without `=`, a label with an empty value.
fn label(pod: &mut Pod, text: &str) {
    let (key, value) = text.split_once('=').unwrap_or((text, ""));
    pod.metadata.labels.insert(key.trim().to_owned(), value.trim().to_owned());
}

fn request(pod: &mut Pod, resource: &str, quantity: &str) -> Result<(), String> {
    let Some(container) = pod.spec.containers.first_mut() else { return Ok(()) };
    let requests = &mut container.resources.requests;
    if quantity.trim().is_empty() {
        requests.remove(resource);
        return Ok(());
    }
    let quantity = Quantity::parse(quantity.trim()).map_err(|error| error.to_string())?;
    requests.insert(resource.to_owned(), quantity);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::apply;
    use crate::app::PodEdit;
    use berth_core::api::{Pod, UnsatisfiableConstraintAction};

    #[test]
    fn a_second_constraint_of_a_key_is_one_that_the_api_server_takes() {
        let add = |pod: &Pod| apply(pod, &PodEdit::AddConstraint, &[], &["zone"]).unwrap();
        let both = add(&add(&Pod::default()));
        let list = both.spec.topology_spread_constraints.iter();
        assert_eq!(
            list.map(|constraint| constraint.when_unsatisfiable).collect::<Vec<_>>(),
            [
                UnsatisfiableConstraintAction::DoNotSchedule,
                UnsatisfiableConstraintAction::ScheduleAnyway
            ]
        );
    }

    #[test]
    fn a_key_that_has_both_actions_gives_way_to_the_next() {
        let keys = ["zone", "disk"];
        let add = |pod: &Pod| apply(pod, &PodEdit::AddConstraint, &[], &keys).unwrap();
        let mut pod = Pod::default();
        for _ in 0..4 {
            pod = add(&pod);
        }
        let list = pod.spec.topology_spread_constraints.iter();
        assert_eq!(
            list.map(|each| (&*each.topology_key, each.when_unsatisfiable)).collect::<Vec<_>>(),
            [
                ("zone", UnsatisfiableConstraintAction::DoNotSchedule),
                ("zone", UnsatisfiableConstraintAction::ScheduleAnyway),
                ("disk", UnsatisfiableConstraintAction::DoNotSchedule),
                ("disk", UnsatisfiableConstraintAction::ScheduleAnyway),
            ]
        );
    }
}
