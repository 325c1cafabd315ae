//! What lets a pod take the room of others, with fewer budgets broken.

use super::{Edits, Source, of_fact};
use crate::advice::apply::HIGHEST_PRIORITY;
use crate::advice::edit::Edit;
use crate::api::PreemptionPolicy;
use crate::cluster::PodInfo;
use crate::collections::{Map, Set};
use crate::explain::PreemptionExplanation;
use crate::explain::post_filter::PreemptionNode;
use crate::preemption::Ineligible;

pub(super) fn candidates(source: &Source<'_>, edits: &mut Edits) {
    let post_filter = source.explanation.post_filter.as_ref();
    let Some(found) = post_filter.and_then(|found| found.preemption.as_ref()) else { return };
    if !found.reached {
        return;
    }
    match found.ineligible {
        Some(Ineligible::PolicyNever) => {
            edits.insert(Edit::AllowPreemption);
        }
        Some(Ineligible::TerminatingVictim(_)) => {
            edits.extend(found.terminating.iter().map(|pod| Edit::Delete { pod: pod.clone() }));
        }
        None => {}
    }
    priorities(source, edits);
    for node in &found.nodes {
        remaining(source, node, edits);
        if node.violations > 0 {
            budgets(found, node, edits);
        }
    }
}

/// What refuses the pod although all lower pods are gone, or once one is back that breaks a budget by going.
fn remaining(source: &Source<'_>, node: &PreemptionNode, edits: &mut Edits) {
    let Some(report) = source.explanation.nodes.get(node.node as usize) else { return };
    let back = node.put_back.iter().filter(|of| of.violates);
    let back = back.filter_map(|of| Some(&of.refusal.as_ref()?.1)).flatten();
    for fact in node.facts.iter().chain(back).filter(|fact| fact.reason().is_some()) {
        of_fact(source, report, fact, edits);
    }
}

/// A priority just above one that some pod has: at each of them the pod may take more pods' room, or need not yield
/// to one that is nominated.
fn priorities(source: &Source<'_>, edits: &mut Edits) {
    let own = source.explanation.object.spec.priority.unwrap_or(0);
    let policy = source.explanation.object.spec.preemption_policy;
    let others = source.cluster.pods().map(|(_, pod)| pod);
    let others = others.filter(|pod| pod.node.is_some() || is_nominated(pod));
    let higher: Set<i32> = others.map(PodInfo::priority).filter(|value| *value >= own).collect();
    let fits = |class: &crate::api::PriorityClass| {
        class.preemption_policy.unwrap_or(PreemptionPolicy::PreemptLowerPriority)
            == policy.unwrap_or(PreemptionPolicy::PreemptLowerPriority)
            && class.value <= HIGHEST_PRIORITY
    };
    for &value in higher.iter().filter(|value| **value < HIGHEST_PRIORITY) {
        // Up to the next pod's priority any class will do.
        let next = higher.iter().copied().find(|other| *other > value);
        let classes = source.cluster.priority_classes().values();
        let class = classes
            .filter(|class| fits(class) && class.value > value)
            .map(|class| class.value)
            .filter(|class| next.is_none_or(|next| *class <= next))
            .min();
        edits.insert(Edit::Priority { to: class.unwrap_or(value + 1) });
    }
}

fn is_nominated(pod: &PodInfo) -> bool {
    !pod.pod.status.nominated_node_name.is_empty()
}

/// Enough for every pod of the node that a broken budget is charged for.
fn budgets(found: &PreemptionExplanation, node: &PreemptionNode, edits: &mut Edits) {
    let mut charged: Map<u32, (i32, i32, bool)> = Map::new();
    for charge in node.charges.iter().flat_map(|of| &of.charges) {
        let (count, first, broken) =
            charged.get_or_insert_with(charge.budget, || (0, charge.before, false));
        *count += i32::from(!charge.disrupted);
        *first = (*first).max(charge.before);
        *broken |= charge.violates();
    }
    for (budget, (count, allowed, broken)) in charged {
        let Some(budget) = found.budgets.get(budget as usize).filter(|_| broken) else { continue };
        for disruptions in allowed.max(0).saturating_add(1)..=count {
            edits.insert(Edit::Allow { budget: budget.metadata.key(), disruptions });
        }
    }
}
