//! What becomes of a pod that is applied: who would have to go for it, or why nobody can help it.

use berth_core::api::{ObjectKey, Pod};
use berth_core::explain::post_filter::PreemptionNode;
use berth_core::explain::{Explanation, NodeReport, PreemptionExplanation};
use berth_core::framework::status::{Code, Status};
use berth_core::preemption::NOT_HELPFUL;
use serde_json::{Value, json};

use super::post_filter::{criteria, lower, word};
use super::{VERSION, status};

/// What becomes of a pod.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Prospect<'a> {
    /// It fits a node as things are.
    Fits,
    /// It would be nominated to this node, and pods would go from there.
    Preempts(&'a PreemptionExplanation, &'a PreemptionNode),
    /// It waits: no pod that goes would help, or it may not preempt.
    Waits,
}

/// A pod that would have to go.
#[derive(Clone, Debug, PartialEq)]
pub struct Victim<'a> {
    /// The pod.
    pub pod: &'a Pod,
    /// The disruption budgets that it breaks.
    pub broken: Vec<ObjectKey>,
}

impl<'a> Prospect<'a> {
    /// What becomes of the pod if, of the nodes that kube-scheduler may take, it takes `picked`.
    pub fn new(explanation: &'a Explanation, picked: Option<&'a PreemptionNode>) -> Self {
        if !explanation.feasible.is_empty() {
            return Self::Fits;
        }
        match (preemption(explanation), picked) {
            (Some(found), Some(node)) => Self::Preempts(found, node),
            _ => Self::Waits,
        }
    }

    const fn word(&self) -> &'static str {
        match self {
            Self::Fits => "fits",
            Self::Preempts(..) => "preempts",
            Self::Waits => "waits",
        }
    }
}

/// What DefaultPreemption found, if it was asked and let the pod preempt.
pub fn preemption(explanation: &Explanation) -> Option<&PreemptionExplanation> {
    let found = explanation.preemption()?;
    (found.reached && found.ineligible.is_none()).then_some(found)
}

/// Those that have to go from a node, the more important first.
pub fn victims<'a>(
    found: &'a PreemptionExplanation,
    node: &'a PreemptionNode,
) -> impl Iterator<Item = Victim<'a>> {
    node.victims.iter().filter_map(move |&index| {
        let pod = node.pod(index)?;
        let charges = node.charges.iter().filter(|of| of.pod == index);
        let violated = charges.flat_map(|of| &of.charges).filter(|charge| charge.violates());
        let budgets = violated.filter_map(|charge| found.budgets.get(charge.budget as usize));
        let broken = budgets.map(|budget| budget.metadata.key()).collect();
        Some(Victim { pod, broken })
    })
}

/// The dry run of the node at that place, or the status that it has without one.
pub fn dry_run(found: &PreemptionExplanation, place: u32) -> Result<&PreemptionNode, Status> {
    let run = found.nodes.binary_search_by_key(&place, |run| run.node);
    run.ok().and_then(|at| found.nodes.get(at)).ok_or_else(|| Status {
        plugin: None,
        code: Code::UnschedulableAndUnresolvable,
        reasons: vec![NOT_HELPFUL.to_owned()],
    })
}

/// What becomes of a pod, as JSON: `docs/explanations.md` describes the form.
pub fn prospect_to_json(explanation: &Explanation, prospect: &Prospect<'_>, seed: u64) -> Value {
    let names = |nodes: &mut dyn Iterator<Item = &PreemptionNode>| -> Vec<String> {
        nodes.map(|node| node.name.to_string()).collect()
    };
    let of = match prospect {
        Prospect::Preempts(found, node) => Some((*found, *node)),
        _ => None,
    };
    let candidates = of.map(|(found, _)| found.candidates().zip(&found.choice.criteria));
    let asked = preemption(explanation);
    let nodes = (0_u32..).zip(&explanation.nodes);
    let decided = of.and_then(|(found, _)| found.choice.decided());
    json!({
        "version": VERSION,
        "pod": explanation.pod.to_string(),
        "priority": explanation.object.priority(),
        "outcome": prospect.word(),
        "feasible": explanation.feasible_names().map(|name| &**name).collect::<Vec<_>>(),
        "preEnqueue": explanation.pre_enqueue.as_ref().map(status),
        "message": explanation.message,
        "node": of.map(|(_, node)| node.name.to_string()),
        "victims": of.map_or_else(Vec::new, |(found, node)| victims(found, node).map(|of| victim(&of)).collect()),
        "clearedNominations": of.map_or_else(Vec::new, |(_, node)| keys(&node.cleared)),
        "candidates": candidates
            .map_or_else(Vec::new, |rows| rows.map(|(node, row)| criteria(node, row)).collect()),
        "candidatesToFind": of.map(|(found, _)| found.candidates_to_find),
        "decidedBy": decided.map(word),
        "ties": of.map_or_else(Vec::new, |(found, _)| names(&mut found.picked())),
        "seed": seed,
        "nodes": nodes.map(|(place, node)| of_node(asked, place, node)).collect::<Vec<_>>(),
    })
}

fn victim(victim: &Victim<'_>) -> Value {
    let mut out = lower(victim.pod);
    out["brokenBudgets"] = keys(&victim.broken).into();
    out
}

fn keys(keys: &[ObjectKey]) -> Vec<String> {
    keys.iter().map(ObjectKey::to_string).collect()
}

/// What Filter says of a node, and preemption if it was asked.
fn of_node(asked: Option<&PreemptionExplanation>, place: u32, report: &NodeReport) -> Value {
    let preempted = asked.and_then(|found| match dry_run(found, place) {
        Ok(run) => run.status.clone(),
        Err(status) => Some(status),
    });
    json!({
        "name": &*report.name,
        "status": report.status.as_ref().map(status),
        "preemption": preempted.as_ref().map(status),
    })
}
