//! Priorities and their classes.

use alloc::string::ToString;
use alloc::sync::Arc;

use super::counts::number;
use super::{Desk, Finding, Problem};
use crate::admission::priority::{PriorityError, admit};
use crate::api::{Kind, Object, PreemptionPolicy, PriorityClass};
use crate::cluster::PodInfo;

pub(super) fn lint(desk: &mut Desk<'_>) {
    lint_admission(desk);
    lint_policy(desk);
    lint_default(desk);
    lint_classes(desk);
}

/// Whether admission would take the pod as it is.
fn lint_admission(desk: &mut Desk<'_>) {
    let classes = desk.cluster.known_priority_classes();
    let mut spec = desk.pod.spec.clone();
    match admit(&mut spec, classes.iter().map(|class| &**class)) {
        Err(PriorityError::NoClass(class)) => {
            let path = "spec.priorityClassName".to_string();
            desk.note(path, Problem::ClassMissing { class }, None);
        }
        Err(PriorityError::Priority { given, computed }) => {
            // An older pod without a class keeps the priority that it got.
            let has_class = !desk.pod.spec.priority_class_name.is_empty();
            if has_class || desk.pod.spec.node_name.is_empty() {
                let fix = desk.fixed(|pod| pod.spec.priority = Some(computed));
                let problem = Problem::PriorityDiffers { given, computed };
                desk.note("spec.priority".to_string(), problem, Some(fix));
            }
        }
        Ok(()) | Err(PriorityError::PreemptionPolicy { .. }) => {}
    }
}

fn lint_policy(desk: &mut Desk<'_>) {
    if desk.pod.spec.preemption_policy != Some(PreemptionPolicy::Never) {
        return;
    }
    let own = desk.info.priority();
    let pods = desk.cluster.pods().map(|(_, pod)| pod).filter(|pod| pod.node.is_some());
    let pods = number(pods.filter(|pod| pod.priority() < own).count());
    if pods > 0 {
        let path = "spec.preemptionPolicy".to_string();
        desk.note(path, Problem::NeverPreempts { pods }, None);
    }
}

/// The class that pods without one get (`getDefaultPriorityClass`: the lowest value).
fn default<'a>(desk: &Desk<'a>) -> Option<&'a Arc<PriorityClass>> {
    let classes = desk.cluster.priority_classes().values();
    classes.filter(|class| class.global_default).min_by_key(|class| class.value)
}

fn lint_default(desk: &mut Desk<'_>) {
    let default = default(desk).map_or(0, |class| class.value);
    let priority = desk.info.priority();
    if priority >= default {
        return;
    }
    let higher = |pod: &PodInfo| pod.priority() > priority;
    let pods = number(desk.cluster.pods().filter(|(_, pod)| higher(pod)).count());
    let problem = Problem::BelowDefault { priority, default, pods };
    desk.note("spec.priority".to_string(), problem, None);
}

fn lint_classes(desk: &mut Desk<'_>) {
    let Some(taken) = default(desk) else { return };
    let others = desk.cluster.priority_classes().values();
    for class in others.filter(|class| class.global_default) {
        if class.metadata.name == taken.metadata.name {
            continue;
        }
        let mut fixed = (**class).clone();
        fixed.global_default = false;
        desk.findings.push(Finding {
            problem: Problem::SecondDefault {
                value: class.value,
                taken: taken.metadata.name.clone(),
                taken_value: taken.value,
            },
            kind: Kind::PriorityClass,
            object: class.metadata.key(),
            path: "globalDefault".to_string(),
            fix: Some(Object::PriorityClass(Arc::new(fixed))),
        });
    }
    let keeps = |pod: &PodInfo| {
        pod.pod.spec.priority_class_name.is_empty() && pod.priority() != taken.value
    };
    let pods = number(desk.cluster.pods().filter(|(_, pod)| keeps(pod)).count());
    if pods > 0 {
        desk.findings.push(Finding {
            problem: Problem::DefaultNotTaken { value: taken.value, pods },
            kind: Kind::PriorityClass,
            object: taken.metadata.key(),
            path: "globalDefault".to_string(),
            fix: None,
        });
    }
}
