//! What PostFilter found: each dry run of preemption step by step, and the choice.

use berth_core::api::{ObjectKey, Pod, PodDisruptionBudget, Time};
use berth_core::explain::PreemptionExplanation;
use berth_core::explain::post_filter::{
    PodCharges, PostFilterExplanation, PreemptionNode, PutBack,
};
use berth_core::preemption::{Charge, Criteria, Criterion};
use serde_json::{Value, json};

use super::{facts, status};
use crate::manifest::print_time;

pub(super) fn post_filter(found: &PostFilterExplanation) -> Value {
    json!({
        "message": found.message,
        "preemption": found.preemption.as_ref().map(preemption),
    })
}

fn preemption(found: &PreemptionExplanation) -> Value {
    let candidates = found.candidates().zip(&found.choice.criteria);
    let names = |places: &[u32]| -> Value {
        let nodes = places.iter().filter_map(|i| found.candidates().nth(*i as usize));
        nodes.map(|node| Value::from(&*node.name)).collect()
    };
    let rounds = found.choice.rounds.iter();
    let rounds = rounds
        .map(|(criterion, left)| json!({ "criterion": word(*criterion), "left": names(left) }));
    json!({
        "reached": found.reached,
        "ineligible": found.ineligible.map(|ineligible| json!({
            "message": ineligible.message(),
            "terminatingPod": found.terminating.as_ref().map(ObjectKey::to_string),
        })),
        "budgets": found.budgets.iter().map(|budget| self::budget(budget)).collect::<Vec<_>>(),
        "nodes": found.nodes.iter().map(node).collect::<Vec<_>>(),
        "candidatesToFind": found.candidates_to_find,
        "candidates":
            candidates.map(|(node, criteria)| self::criteria(node, criteria)).collect::<Vec<_>>(),
        "rounds": rounds.collect::<Vec<_>>(),
        "decidedBy": found.choice.decided().map(word),
        "picked": names(&found.choice.ties),
        "error": found.error,
    })
}

fn budget(budget: &PodDisruptionBudget) -> Value {
    json!({
        "budget": budget.metadata.key().to_string(),
        "disruptionsAllowed": budget.status.disruptions_allowed,
    })
}

fn node(node: &PreemptionNode) -> Value {
    let name = |i: &u32| node.pod(*i).map(|pod| pod.metadata.key().to_string());
    let charges = |of: &PodCharges| {
        json!({
            "pod": name(&of.pod),
            "charges": of.charges.iter().map(charge).collect::<Vec<_>>(),
            "violates": of.violates,
        })
    };
    let put_back = |of: &PutBack| {
        let refusal = of.refusal.as_ref().map(|(refused, found)| {
            json!({
                "status": status(refused),
                "facts": found.iter().map(facts::fact).collect::<Vec<_>>(),
            })
        });
        json!({ "pod": name(&of.pod), "violates": of.violates, "refusal": refusal })
    };
    json!({
        "name": &*node.name,
        "removed": node.lower.iter().map(|pod| lower(pod)).collect::<Vec<_>>(),
        "status": node.status.as_ref().map(status),
        "facts": node.facts.iter().map(facts::fact).collect::<Vec<_>>(),
        "byImportance": node.charges.iter().map(charges).collect::<Vec<_>>(),
        "putBack": node.put_back.iter().map(put_back).collect::<Vec<_>>(),
        "victims": node.victims.iter().map(name).collect::<Vec<_>>(),
        "deleted": node.deleted().map(|pod| pod.metadata.key().to_string()).collect::<Vec<_>>(),
        "clearedNominations": node.cleared.iter().map(ObjectKey::to_string).collect::<Vec<_>>(),
    })
}

pub(super) fn lower(pod: &Pod) -> Value {
    json!({
        "pod": pod.metadata.key().to_string(),
        "priority": pod.priority(),
        "startTime": pod.status.start_time.map(print_time),
        "terminating": pod.metadata.deletion_timestamp.is_some(),
    })
}

fn charge(charge: &Charge) -> Value {
    json!({
        "budget": charge.budget,
        "before": charge.before,
        "after": charge.after,
        "alreadyDisrupted": charge.disrupted,
        "violates": charge.violates(),
    })
}

/// A candidate with its row in the table of criteria.
pub(super) fn criteria(node: &PreemptionNode, row: &Criteria) -> Value {
    json!({
        "node": &*node.name,
        word(Criterion::PdbViolations): row.violations,
        word(Criterion::HighestPriority): row.highest_priority,
        word(Criterion::PrioritySum): row.priority_sum,
        word(Criterion::VictimCount): row.count,
        word(Criterion::StartTime):
            row.start.map(|start| print_time(Time(start))),
    })
}

pub(super) const fn word(criterion: Criterion) -> &'static str {
    match criterion {
        Criterion::PdbViolations => "pdbViolations",
        Criterion::HighestPriority => "highestPriority",
        Criterion::PrioritySum => "prioritySum",
        Criterion::VictimCount => "victims",
        Criterion::StartTime => "startTime",
    }
}
