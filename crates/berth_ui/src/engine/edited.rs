//! What was edited: the fields of a pod that are not as they were opened.

use super::selector_text;
use crate::app::PodEdit;
use crate::view::Edited;
use berth_core::api::{
    NodeInclusionPolicy, Pod, PreemptionPolicy, TopologySpreadConstraint,
    UnsatisfiableConstraintAction,
};
use std::rc::Rc;
use yew::AttrValue;

/// The fields that are not as they were, each with the way back.
pub(super) fn edited(before: &Pod, now: &Pod) -> Rc<[Edited]> {
    let (old, new) = (fields(before, now), fields(now, before));
    let mut list = Vec::new();
    for edit in &old {
        if new.contains(edit) {
            continue;
        }
        let back = match edit {
            PodEdit::PriorityClass(name) if name.is_empty() => {
                PodEdit::WithoutClass(Rc::new(priority(before)))
            }
            edit => edit.clone(),
        };
        list.push(change(edit, back));
    }
    for edit in &new {
        let back = match edit {
            PodEdit::Label(text) => {
                let key = text.split('=').next().unwrap_or_default();
                if before.metadata.labels.contains_key(key) {
                    continue;
                }
                PodEdit::Unlabel(key.to_owned().into())
            }
            PodEdit::Request(resource, _) => {
                if old.iter().any(|old| old.control() == edit.control()) {
                    continue;
                }
                PodEdit::Request(resource.clone(), AttrValue::default())
            }
            _ => continue,
        };
        list.push(change(&back.clone(), back));
    }
    list.into()
}

fn change(was: &PodEdit, back: PodEdit) -> Edited {
    Edited { control: was.control(), was: was.value(), back }
}

/// The edits that make each field what it is. What cannot be told apart from another pod's field is left out: the
/// constraints if their number differs, what follows from the class if that differs.
fn fields(pod: &Pod, other: &Pod) -> Vec<PodEdit> {
    let mut list = Vec::new();
    let spreads = &pod.spec.topology_spread_constraints;
    if spreads.len() == other.spec.topology_spread_constraints.len() {
        for (index, spread) in spreads.iter().enumerate() {
            constraint(&mut list, index, spread);
        }
    }
    let spec = &pod.spec;
    list.push(PodEdit::PriorityClass(spec.priority_class_name.clone().into()));
    if spec.priority_class_name == other.spec.priority_class_name {
        list.push(priority(pod));
        let never = spec.preemption_policy == Some(PreemptionPolicy::Never);
        list.push(PodEdit::NeverPreempts(never));
    }
    for (key, value) in &pod.metadata.labels {
        list.push(PodEdit::Label([key, "=", value].concat().into()));
    }
    if let Some(container) = spec.containers.first() {
        for (resource, quantity) in &container.resources.requests {
            let quantity = quantity.to_string().into();
            list.push(PodEdit::Request(resource.clone().into(), quantity));
        }
    }
    list
}

fn priority(pod: &Pod) -> PodEdit {
    PodEdit::Priority(pod.priority().to_string().into())
}

fn constraint(list: &mut Vec<PodEdit>, index: usize, spread: &TopologySpreadConstraint) {
    let hard = spread.when_unsatisfiable == UnsatisfiableConstraintAction::DoNotSchedule;
    let affinity = spread.node_affinity_policy != Some(NodeInclusionPolicy::Ignore);
    let taints = spread.node_taints_policy == Some(NodeInclusionPolicy::Honor);
    let selector = selector_text::write(spread.label_selector.as_ref());
    let domains = spread.min_domains.map(|domains| domains.to_string()).unwrap_or_default();
    list.extend([
        PodEdit::TopologyKey(index, spread.topology_key.clone().into()),
        PodEdit::MaxSkew(index, spread.max_skew.to_string().into()),
        // After what it may be set with.
        PodEdit::WhenUnsatisfiable(index, hard),
        PodEdit::MinDomains(index, domains.into()),
        PodEdit::Selector(index, selector.into()),
        PodEdit::MatchLabelKeys(index, spread.match_label_keys.join(",").into()),
        PodEdit::AffinityPolicy(index, affinity),
        PodEdit::TaintsPolicy(index, taints),
    ]);
}

#[cfg(test)]
mod tests {
    use super::super::edit::apply;
    use super::*;
    use berth_core::api::{ObjectMeta, PriorityClass};

    /// What is said about an edit of a pod of the class `high`, with the labels `a=1` and `b=2`, one constraint, and
    /// one container that requests cpu 1.
    fn after(edits: &[PodEdit]) -> Result<(Pod, Pod), String> {
        let class = |name: &str, value, policy| PriorityClass {
            metadata: ObjectMeta { name: name.to_owned(), ..ObjectMeta::default() },
            value,
            preemption_policy: Some(policy),
            ..PriorityClass::default()
        };
        let high = class("high", 100, PreemptionPolicy::PreemptLowerPriority);
        let polite = class("polite", 7, PreemptionPolicy::Never);
        let classes = [&high, &polite];
        let mut pod = Pod::default();
        "web".clone_into(&mut pod.metadata.name);
        pod.spec.containers.push(berth_core::api::Container::default());
        for edit in [
            PodEdit::Label("a=1".into()),
            PodEdit::Label("b=2".into()),
            PodEdit::PriorityClass("high".into()),
            PodEdit::AddConstraint,
            PodEdit::Request("cpu".into(), "1".into()),
        ] {
            pod = apply(&pod, &edit, &classes, &["zone"])?;
        }
        let before = pod.clone();
        for edit in edits {
            pod = apply(&pod, edit, &classes, &["zone"])?;
        }
        // Every way back leads back.
        let mut back = pod.clone();
        for edited in &*edited(&before, &pod) {
            back = apply(&back, &edited.back, &classes, &["zone"])?;
        }
        // A default may be written out by then.
        assert!(edited(&before, &back).is_empty(), "{edits:?}");
        Ok((before, pod))
    }

    fn remarks(edits: &[PodEdit]) -> String {
        match after(edits) {
            Err(message) => message,
            Ok((before, now)) => {
                let list = edited(&before, &now);
                let remark = |edited: &Edited| format!("{}: {}", edited.control, edited.was);
                list.iter().map(remark).collect::<Vec<_>>().join("; ")
            }
        }
    }

    #[test]
    fn every_edit_is_remarked_at_its_field_and_can_be_taken_back() {
        let text = |text: &'static str| AttrValue::from(text);
        for (edits, want) in [
            (vec![], ""),
            (vec![PodEdit::MaxSkew(0, text("3"))], "maxSkew-0: 1"),
            (vec![PodEdit::MinDomains(0, text("3"))], "minDomains-0: "),
            (vec![PodEdit::WhenUnsatisfiable(0, false)], "whenUnsatisfiable-0: DoNotSchedule"),
            (vec![PodEdit::Selector(0, text("x"))], "labelSelector-0: a=1"),
            (vec![PodEdit::MatchLabelKeys(0, text("b"))], "matchLabelKeys-0: "),
            (vec![PodEdit::AffinityPolicy(0, false)], "nodeAffinityPolicy-0: Honor"),
            (vec![PodEdit::TopologyKey(0, text("host"))], "topologyKey-0: zone"),
            // What follows from the class is not remarked besides.
            (vec![PodEdit::PriorityClass(text("polite"))], "priorityClassName: high"),
            (
                vec![PodEdit::WithoutClass(Rc::new(PodEdit::Priority(text("5"))))],
                "priorityClassName: high",
            ),
            (vec![PodEdit::Label(text("a=2"))], "labels: a=1"),
            (vec![PodEdit::Label(text("c=3"))], "labels: !c"),
            (vec![PodEdit::Unlabel(text("b"))], "labels: b=2"),
            (vec![PodEdit::Request(text("cpu"), text("2"))], "request-cpu: 1"),
            (vec![PodEdit::Request(text("memory"), text("1Gi"))], "request-memory: "),
        ] {
            assert_eq!(remarks(&edits), want, "{edits:?}");
        }
        // Another constraint: their numbers do not belong together any more.
        let (before, now) = (Pod::default(), after(&[]).map(|(pod, _)| pod));
        assert!(
            now.is_ok_and(|now| !edited(&before, &now).iter().any(|e| e.control == "maxSkew-0"))
        );
    }

    #[test]
    fn what_is_refused_is_refused_in_kubernetes_words() {
        let text = |text: &'static str| AttrValue::from(text);
        let computed = "must not be provided in pod spec; priority admission controller computed";
        let end = "from the given PriorityClass name";
        for (edit, want) in [
            (
                PodEdit::MaxSkew(0, text("few")),
                "json: cannot unmarshal string into Go value of type int32".to_owned(),
            ),
            (
                PodEdit::MinDomains(0, text("2147483648")),
                "json: cannot unmarshal number 2147483648 into Go value of type int32".to_owned(),
            ),
            (
                PodEdit::Priority(text("7")),
                format!(
                    "pods \"web\" is forbidden: the integer value of priority (7) {computed} 100 {end}"
                ),
            ),
            (
                PodEdit::NeverPreempts(true),
                format!(
                    "pods \"web\" is forbidden: the string value of PreemptionPolicy (Never) {computed} \
                     PreemptLowerPriority {end}"
                ),
            ),
            (
                PodEdit::PriorityClass(text("none")),
                "pods \"web\" is forbidden: no PriorityClass with name none was found".to_owned(),
            ),
        ] {
            assert_eq!(remarks(std::slice::from_ref(&edit)), want, "{edit:?}");
        }
    }
}
