//! Why preemption helps, or does not.
//!
//! Mirrors `RunPostFilterPlugins` of `pkg/scheduler/framework/runtime/framework.go` and `Preempt` of
//! `pkg/scheduler/framework/preemption/preemption.go`.

use alloc::string::{String, ToString};
use alloc::sync::Arc;
use alloc::vec::Vec;

use super::Explanation;
use super::message::Reasons;
use crate::api::{ObjectKey, Pod, PodDisruptionBudget};
use crate::cluster::{Cluster, NodeIdx, PodIdx, PodInfo};
use crate::framework::cycle::{PreFilterEnd, Verdict, pre_filter_end};
use crate::framework::fact::{Fact, Recorder};
use crate::framework::plugin::{ExtensionPoint, PluginId};
use crate::framework::state::{Context, FilterState};
use crate::framework::status::{Code, Status};
use crate::preemption::victims::{NodeRun, Outcome, Step, Steps, WholeSteps};
use crate::preemption::{
    Charge, Choice, DryRun, Effects, Ineligible, NO_VICTIMS, NOT_HELPFUL, claims_are_known,
    effects, is_reached, preempt,
};

/// What PostFilter found for a pod that fits nowhere.
#[derive(Clone, Debug, PartialEq)]
pub struct PostFilterExplanation {
    /// What the event message ends with; empty if preemption found a node.
    pub message: String,
    /// What DefaultPreemption finds, if the profile has that plugin.
    pub preemption: Option<PreemptionExplanation>,
}

/// What DefaultPreemption finds.
#[derive(Clone, Debug, PartialEq)]
pub struct PreemptionExplanation {
    /// Whether it gets its turn: not if it is switched off at PostFilter, or another plugin fails
    /// before it.
    pub reached: bool,
    /// Why the pod may not preempt, if so. Nothing below is filled then.
    pub ineligible: Option<Ineligible>,
    /// The pod that is still going, where that is the reason.
    pub terminating: Option<ObjectKey>,
    /// The nodes that were dry-run, in the scheduler's order: preemption is not helpful on others.
    pub nodes: Vec<PreemptionNode>,
    /// The disruption budgets: charges point into them.
    pub budgets: Vec<Arc<PodDisruptionBudget>>,
    /// After how many candidates kube-scheduler stops, where all are found here.
    pub candidates_to_find: i32,
    /// Indices of the candidates in `nodes`.
    pub candidates: Vec<u32>,
    /// The choice among `candidates`, which its indices mean.
    pub choice: Choice,
    /// Go's text, if a dry run ended in an error.
    pub error: Option<String>,
}

/// The dry run of a node.
#[derive(Clone, Debug, PartialEq)]
pub struct PreemptionNode {
    /// Index among the explanation's nodes.
    pub node: u32,
    /// Name.
    pub name: Arc<str>,
    /// The lower pods, in the order in which they were taken away: all indices of pods here point
    /// into this list.
    pub lower: Vec<Arc<Pod>>,
    /// Why the node is no candidate, if it is none.
    pub status: Option<Status>,
    /// What the refusal without any lower pod was found from.
    pub facts: Vec<Fact>,
    /// The lower pods by importance, with what they take from disruption budgets.
    pub charges: Vec<PodCharges>,
    /// The lower pods in the order in which they were put back.
    pub put_back: Vec<PutBack>,
    /// Those that have to go, the more important first.
    pub victims: Vec<u32>,
    /// How many victims break a budget.
    pub violations: i64,
    /// Victims that are deleted: not those that are being deleted already.
    pub deleted: Vec<ObjectKey>,
    /// Lower pods that lose their nomination to the node.
    pub cleared: Vec<ObjectKey>,
}

impl PreemptionNode {
    /// The lower pod that an index means.
    pub fn pod(&self, index: u32) -> Option<&Arc<Pod>> {
        self.lower.get(index as usize)
    }

    /// Those that have to go, the more important first.
    pub fn victims(&self) -> impl Iterator<Item = &Arc<Pod>> {
        self.victims.iter().filter_map(|index| self.pod(*index))
    }
}

/// What a pod takes from disruption budgets.
#[derive(Clone, Debug, PartialEq)]
pub struct PodCharges {
    /// Index of the pod.
    pub pod: u32,
    /// The budgets that select it.
    pub charges: Vec<Charge>,
    /// Whether it breaks one.
    pub violates: bool,
}

/// A pod that was put back.
#[derive(Clone, Debug, PartialEq)]
pub struct PutBack {
    /// Index of the pod.
    pub pod: u32,
    /// Whether it breaks a budget: such pods are put back first.
    pub violates: bool,
    /// What then refuses the pod in question, so that this one has to go.
    pub refusal: Option<(Status, Vec<Fact>)>,
    /// What was compared if it may stay, nominated pods left out: for the first candidates by the order of the choice.
    pub kept: Vec<Fact>,
}

impl PreemptionExplanation {
    /// The candidates.
    pub fn candidates(&self) -> impl Iterator<Item = &PreemptionNode> {
        self.candidates.iter().filter_map(|i| self.nodes.get(*i as usize))
    }

    /// The candidates that kube-scheduler may take.
    pub fn picked(&self) -> impl Iterator<Item = &PreemptionNode> {
        let ties = self.choice.ties.iter();
        ties.filter_map(|i| self.nodes.get(*self.candidates.get(*i as usize)? as usize))
    }

    /// Kubernetes' text, if no node was found.
    fn message(&self, all: usize) -> String {
        if let Some(ineligible) = self.ineligible {
            return ineligible.message().into();
        }
        if let Some(error) = &self.error {
            return error.clone();
        }
        let mut reasons = Reasons::of(self.nodes.iter().filter_map(|node| node.status.as_ref()));
        let others = all - self.nodes.len();
        if others > 0 {
            reasons.add(NOT_HELPFUL, others);
        }
        reasons.message(all)
    }
}

/// Runs PostFilter.
pub(super) fn explain(
    cx: Context<'_>,
    state: FilterState,
    explanation: &Explanation,
) -> PostFilterExplanation {
    let rejecting = match pre_filter_end(&state, cx.profile) {
        PreFilterEnd::Rejected(plugin, _) => Some(plugin),
        _ => None,
    };
    let claims = claims_are_known(cx.profile, rejecting);
    let point = ExtensionPoint::PostFilter;
    let has = |point| cx.profile.runs(PluginId::DefaultPreemption, point);
    let preemption = (has(point) || has(ExtensionPoint::PreEnqueue))
        .then(|| explain_preemption(cx, state, explanation, is_reached(cx.profile, rejecting)));
    let mut messages: Vec<String> = Vec::new();
    for &plugin in cx.profile.plugins(point) {
        match (plugin, &preemption) {
            (PluginId::DynamicResources, _) if claims => {
                messages.push("no new claims to deallocate".into());
            }
            (PluginId::DynamicResources, _) => {
                return PostFilterExplanation { message: "not found".into(), preemption };
            }
            (PluginId::DefaultPreemption, Some(preemption)) => {
                if !preemption.candidates.is_empty() {
                    messages.clear();
                    break;
                }
                let text = preemption.message(explanation.nodes.len());
                if preemption.error.is_some() {
                    messages.clear();
                }
                messages.push(alloc::format!("preemption: {text}"));
                if preemption.error.is_some() {
                    break;
                }
            }
            _ => {}
        }
    }
    PostFilterExplanation { message: messages.join(", "), preemption }
}

fn explain_preemption(
    cx: Context<'_>,
    state: FilterState,
    explanation: &Explanation,
    reached: bool,
) -> PreemptionExplanation {
    let mut rejected: Vec<(NodeIdx, Code)> = Vec::new();
    let nodes = explanation.nodes.iter().zip(cx.cluster.order());
    for (report, &idx) in nodes {
        rejected.extend(report.status.as_ref().map(|status| (idx, status.code)));
    }
    let mut run = DryRun::new(cx, state);
    let found = preempt::<Steps>(&mut run, &rejected);
    let terminating = match found.ineligible {
        Some(Ineligible::TerminatingVictim(pod)) => cx.cluster.pod(pod).map(PodInfo::key),
        _ => None,
    };
    let mut nodes = Vec::with_capacity(found.runs.len());
    let mut places = (0_u32..).zip(cx.cluster.order());
    for run in found.runs {
        if let Some((place, _)) = places.find(|(_, idx)| **idx == run.node) {
            nodes.push(owned(&cx, place, run));
        }
    }
    work_out_kept(&mut run, &mut nodes, &found.candidates, &found.choice);
    PreemptionExplanation {
        reached,
        ineligible: found.ineligible,
        terminating,
        error: error(&nodes),
        nodes,
        budgets: run.ledger().budgets().cloned().collect(),
        candidates_to_find: found.candidates_to_find,
        candidates: found.candidates,
        choice: found.choice,
    }
}

/// For how many candidates it is worked out why pods may stay.
const WORKED_OUT: usize = 40;

/// Runs the first candidates once more, keeping what was compared for pods that may stay.
fn work_out_kept(
    run: &mut DryRun<'_>,
    nodes: &mut [PreemptionNode],
    candidates: &[u32],
    choice: &Choice,
) {
    let mut first: Vec<u32> = Vec::new();
    for left in choice.rounds.iter().rev().map(|(_, left)| left.as_slice()) {
        first.extend(left.iter().filter(|index| !first.contains(index)).collect::<Vec<_>>());
    }
    first.extend(
        (0..candidates.len() as u32).filter(|index| !first.contains(index)).collect::<Vec<_>>(),
    );
    for index in first.into_iter().take(WORKED_OUT) {
        let at = candidates.get(index as usize).and_then(|at| nodes.get_mut(*at as usize));
        let Some(node) = at else { continue };
        let order = run.context().cluster.order();
        let Some(again) = order.get(node.node as usize).and_then(|idx| run.run::<WholeSteps>(*idx))
        else {
            continue;
        };
        let kept = again.trace.0.into_iter().filter_map(|step| match step {
            Step::PutBack { kept, .. } => Some(kept.facts),
            _ => None,
        });
        for (back, kept) in node.put_back.iter_mut().zip(kept) {
            back.kept = kept;
        }
    }
}

/// The errors of dry runs as one (`utilerrors.NewAggregate`).
fn error(nodes: &[PreemptionNode]) -> Option<String> {
    let mut errors: Vec<&str> = Vec::new();
    for status in nodes.iter().filter_map(|node| node.status.as_ref()) {
        if status.code == Code::Error {
            errors.extend(status.reasons.iter().map(String::as_str));
        }
    }
    match errors.as_slice() {
        [] => None,
        [error] => Some((*error).to_string()),
        _ => Some(alloc::format!("[{}]", errors.join(", "))),
    }
}

/// A dry run in terms that outlive the cluster.
fn owned(cx: &Context<'_>, node: u32, run: NodeRun<Steps>) -> PreemptionNode {
    let name =
        cx.cluster.node(run.node).map_or_else(|| Arc::from(""), |node| Arc::clone(&node.name));
    let mut out = PreemptionNode {
        node,
        name,
        lower: Vec::new(),
        status: None,
        facts: Vec::new(),
        charges: Vec::new(),
        put_back: Vec::new(),
        victims: Vec::new(),
        violations: 0,
        deleted: Vec::new(),
        cleared: Vec::new(),
    };
    let mut lower: Vec<PodIdx> = Vec::new();
    let place = |lower: &[PodIdx], pod: PodIdx| {
        lower.iter().position(|known| *known == pod).unwrap_or_default() as u32
    };
    for step in run.trace.0 {
        match step {
            Step::Removed(pod) => {
                lower.push(pod);
                out.lower.extend(cx.cluster.pod(pod).map(|pod| Arc::clone(&pod.pod)));
            }
            Step::Fits => {}
            Step::Charged { pod, charges, violates } => {
                out.charges.push(PodCharges { pod: place(&lower, pod), charges, violates });
            }
            Step::PutBack { pod, violates, refusal, kept } => {
                let (pod, refusal) = (place(&lower, pod), refusal.map(refused));
                out.put_back.push(PutBack { pod, violates, refusal, kept: kept.facts });
            }
        }
    }
    let status = |code, reason| Status { plugin: None, code, reasons: alloc::vec![reason] };
    match run.outcome {
        Outcome::Candidate(victims) => {
            let pods: Vec<PodIdx> = victims.pods.iter().map(|victim| victim.pod).collect();
            for &pod in &pods {
                out.victims.push(place(&lower, pod));
            }
            out.violations = victims.violations;
            let Effects { deleted, cleared } = effects(cx, run.node, &pods);
            out.deleted = keys(cx.cluster, &deleted);
            out.cleared = keys(cx.cluster, &cleared);
        }
        Outcome::NoVictims => {
            out.status = Some(status(Code::UnschedulableAndUnresolvable, NO_VICTIMS.into()));
        }
        Outcome::Refused(verdict, facts) => {
            let (status, facts) = refused((verdict, facts));
            out.status = Some(status);
            out.facts = facts;
        }
        Outcome::NoneNeeded => {
            let text = alloc::format!("expected at least one victim pod on node \"{}\"", out.name);
            out.status = Some(status(Code::Error, text));
        }
    }
    out
}

fn refused((verdict, found): (Verdict, Recorder)) -> (Status, Vec<Fact>) {
    let reasons = found.reasons(verdict.code);
    (Status { plugin: Some(verdict.plugin), code: verdict.code, reasons }, found.facts)
}

fn keys(cluster: &Cluster, pods: &[PodIdx]) -> Vec<ObjectKey> {
    pods.iter().filter_map(|idx| Some(cluster.pod(*idx)?.key())).collect()
}
