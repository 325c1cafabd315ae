//! How preemption went: in a sentence, and step by step.

use berth_core::api::{Pod, Time};
use berth_core::explain::PreemptionExplanation;
use berth_core::explain::post_filter::{PreemptionNode, PutBack};
use berth_core::framework::fact::Fact;
use berth_core::framework::status::Status;
use berth_core::preemption::{Charge, Criteria, Criterion};

use super::{Line, equation};
use crate::explain::normalization::signed;
use crate::manifest::print_time;

/// What is said where preemption gets no turn.
pub const NO_PREEMPTION: &str = "The profile does not preempt.";

/// What came out of it.
pub fn preemption(found: &PreemptionExplanation) -> String {
    if let Some(ineligible) = found.ineligible {
        let pod = found.terminating.as_ref().map(|pod| format!(" It is {pod}."));
        return format!("{}{}", ineligible.message(), pod.unwrap_or_default());
    }
    if !found.reached {
        return NO_PREEMPTION.to_owned();
    }
    let picked: Vec<&str> = found.picked().map(|node| &*node.name).collect();
    let why = match found.choice.decided().map(name) {
        Some(criterion) => format!(", decided by {criterion}"),
        None => String::new(),
    };
    match picked.as_slice() {
        [] => "No node can be freed.".to_owned(),
        [node] => format!("{node} would be freed{why}."),
        [nodes @ .., last] => format!("{} or {last} would be freed: a tie.", nodes.join(", ")),
    }
}

/// A criterion's name.
pub const fn name(criterion: Criterion) -> &'static str {
    match criterion {
        Criterion::PdbViolations => "broken budgets",
        Criterion::HighestPriority => "highest priority",
        Criterion::PrioritySum => "priority sum",
        Criterion::VictimCount => "victims",
        Criterion::StartTime => "start",
    }
}

/// A candidate's row in the table, in the order of the criteria.
pub fn criteria(criteria: &Criteria) -> [String; 5] {
    let start = criteria.start.map(|start| print_time(Time(start)));
    [
        signed(criteria.violations),
        signed(criteria.highest_priority.into()),
        signed(criteria.priority_sum),
        signed(criteria.count),
        start.unwrap_or_else(|| "none".to_owned()),
    ]
}

/// The dry run of a node, step by step.
pub fn dry_run(found: &PreemptionExplanation, node: &PreemptionNode) -> Vec<Line> {
    let mut lines = Vec::new();
    if !node.lower.is_empty() {
        let lower = node
            .lower
            .iter()
            .map(|pod| format!("{} ({})", pod.metadata.key(), signed(pod.priority().into())));
        lines.push(Line::added(
            "lower pods, with their priorities",
            lower.collect::<Vec<_>>().join(", "),
        ));
    }
    if let Some(status) = &node.status {
        let about = if node.lower.is_empty() { "lower pods" } else { "without them" };
        lines.push(Line::compared(about, refusal(status, &node.facts), false));
        return lines;
    }
    lines.push(Line::compared("without them", "fits", true));
    for of in &node.charges {
        for charge in &of.charges {
            lines.extend(node.pod(of.pod).map(|pod| charged(found, pod, *charge)));
        }
    }
    for back in &node.put_back {
        lines.extend(node.pod(back.pod).map(|pod| put_back(pod, back)));
    }
    lines
}

fn charged(found: &PreemptionExplanation, pod: &Pod, charge: Charge) -> Line {
    let budget = found.budgets.get(charge.budget as usize).map(|budget| budget.metadata.key());
    let about = format!("{}, budget {}", pod.metadata.key(), budget.unwrap_or_default());
    if charge.disrupted {
        return Line::compared(about, "its eviction was granted before", true);
    }
    let (before, after) = (signed(charge.before.into()), signed(charge.after.into()));
    let sign = if charge.violates() { '<' } else { '≥' };
    Line::compared(about, format!("{before} − 1 = {after} {sign} 0"), !charge.violates())
}

fn put_back(pod: &Pod, back: &PutBack) -> Line {
    let about = format!("{} put back", pod.metadata.key());
    match &back.refusal {
        None => Line::compared(about, "fits, so it stays", true),
        Some((status, facts)) => {
            Line::compared(about, format!("{}, so it goes", refusal(status, facts)), false)
        }
    }
}

/// What refuses, with the sum where it has one.
fn refusal(status: &Status, facts: &[Fact]) -> String {
    let mut parts = Vec::new();
    for fact in facts {
        let Some(reason) = fact.reason() else { continue };
        parts.push(match equation(fact) {
            Some(sum) => format!("{reason}, {sum}"),
            None => reason,
        });
    }
    if parts.is_empty() { status.reasons.join(", ") } else { parts.join("; ") }
}
