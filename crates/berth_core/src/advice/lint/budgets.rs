//! Disruption budgets.

use alloc::string::ToString;
use alloc::sync::Arc;
use alloc::vec::Vec;

use super::counts::number;
use super::{Desk, Finding, Problem};
use crate::api::{IntOrPercent, Kind, Labels, Object, PodDisruptionBudget, Selector};
use crate::cluster::PodInfo;

pub(super) fn lint(desk: &mut Desk<'_>) {
    let own: Vec<(Arc<PodDisruptionBudget>, Selector)> = budgets(desk)
        .filter(|(_, selector)| selector.matches(&desk.pod.metadata.labels))
        .map(|(budget, selector)| (Arc::clone(budget), selector))
        .collect();
    if own.len() > 1 {
        let twice = |labels: &Labels| own.iter().filter(|(_, of)| of.matches(labels)).count() > 1;
        let pods = number(pods(desk).filter(|pod| twice(&pod.pod.metadata.labels)).count());
        let budgets = number(own.len());
        let problem = Problem::OverlappingBudgets { budgets, pods };
        desk.note("metadata.labels".to_string(), problem, None);
    }
    for (budget, selector) in &own {
        let selected = pods(desk).filter(|pod| selector.matches(&pod.pod.metadata.labels));
        let pods = number(selected.count());
        let Some(path) = never(budget, pods) else { continue };
        let mut fixed = (**budget).clone();
        fixed.min_available = None;
        fixed.max_unavailable = Some(IntOrPercent::Int(1));
        desk.findings.push(Finding {
            problem: Problem::BudgetNever { pods },
            kind: Kind::PodDisruptionBudget,
            object: budget.metadata.key(),
            path: path.to_string(),
            fix: Some(Object::PodDisruptionBudget(Arc::new(fixed))),
        });
    }
}

/// The budgets of the pod's namespace, with what they select.
fn budgets<'a>(desk: &Desk<'a>) -> impl Iterator<Item = (&'a Arc<PodDisruptionBudget>, Selector)> {
    let namespace = desk.pod.metadata.namespace.clone();
    let all = desk.cluster.budgets().values();
    all.filter(move |budget| budget.metadata.namespace == namespace).filter_map(|budget| {
        Some((budget, Selector::from_label_selector(budget.selector.as_ref()).ok()?))
    })
}

/// The pods of the namespace that are not over.
fn pods<'a>(desk: &Desk<'a>) -> impl Iterator<Item = &'a PodInfo> {
    let namespace = desk.info.namespace;
    let all = desk.cluster.pods().map(|(_, pod)| pod);
    all.filter(move |pod| pod.namespace == namespace && !pod.pod.status.phase.is_terminal())
}

/// The field by which a budget of so many pods allows nothing even when all of them are healthy.
fn never(budget: &PodDisruptionBudget, pods: u32) -> Option<&'static str> {
    let pods = i64::from(pods);
    match (&budget.min_available, &budget.max_unavailable) {
        (Some(IntOrPercent::Int(least)), _) => {
            (i64::from(*least) >= pods).then_some("spec.minAvailable")
        }
        (Some(IntOrPercent::Percent(least)), _) => {
            // A share is rounded up.
            let share = percent(least)?;
            ((share * pods + 99) / 100 >= pods).then_some("spec.minAvailable")
        }
        (None, Some(IntOrPercent::Int(most))) => (*most == 0).then_some("spec.maxUnavailable"),
        (None, Some(IntOrPercent::Percent(most))) => {
            (percent(most)? == 0).then_some("spec.maxUnavailable")
        }
        (None, None) => None,
    }
}

fn percent(text: &str) -> Option<i64> {
    text.strip_suffix('%')?.parse::<i32>().ok().map(i64::from)
}
