//! Why preemption helps, or does not.
//!
//! Mirrors `RunPostFilterPlugins` of `pkg/scheduler/framework/runtime/framework.go` and `Preempt` of
//! `pkg/scheduler/framework/preemption/preemption.go`.

use alloc::string::{String, ToString};
use alloc::sync::Arc;
use alloc::vec::Vec;

use super::message::Reasons;
use super::{Depth, Explanation};
use crate::api::{ObjectKey, Pod, PodDisruptionBudget};
use crate::cluster::{Cluster, NodeIdx, PodIdx, PodInfo};
use crate::framework::cycle::{PreFilterEnd, Verdict, pre_filter_end};
use crate::framework::fact::{Fact, Recorder};
use crate::framework::plugin::{ExtensionPoint, PluginId};
use crate::framework::state::{Context, FilterState};
use crate::framework::status::{Code, Status};
use crate::preemption::{
    Brief, Charge, Choice, DryRun, Effects, Ineligible, NO_VICTIMS, NOT_HELPFUL, NodeRun, Outcome,
    Step, Steps, claims_are_known, effects, is_reached, preempt,
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
    /// The lower pods by importance, with what they take from disruption budgets; none where the steps were not asked for.
    pub charges: Vec<PodCharges>,
    /// The lower pods in the order in which they were put back; none where the steps were not asked for.
    pub put_back: Vec<PutBack>,
    /// Those that have to go, the more important first.
    pub victims: Vec<u32>,
    /// How many victims break a budget.
    pub violations: i64,
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

    /// The victims that are deleted: not those that are being deleted already.
    pub fn deleted(&self) -> impl Iterator<Item = &Arc<Pod>> {
        self.victims().filter(|pod| pod.metadata.deletion_timestamp.is_none())
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
    /// What was compared if it may stay, nominated pods left out.
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
    depth: Depth,
) -> PostFilterExplanation {
    let rejecting = match pre_filter_end(&state, cx.profile) {
        PreFilterEnd::Rejected(plugin, _) => Some(plugin),
        _ => None,
    };
    let claims = claims_are_known(cx.profile, rejecting);
    let point = ExtensionPoint::PostFilter;
    let has = |point| cx.profile.runs(PluginId::DefaultPreemption, point);
    let preemption = (has(point) || has(ExtensionPoint::PreEnqueue))
        .then(|| explain_preemption(cx, state, explanation, depth))
        .map(|found| PreemptionExplanation { reached: is_reached(cx.profile, rejecting), ..found });
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
    depth: Depth,
) -> PreemptionExplanation {
    let mut rejected: Vec<(NodeIdx, Code)> = Vec::new();
    let nodes = explanation.nodes.iter().zip(cx.cluster.order());
    for (report, &idx) in nodes {
        rejected.extend(report.status.as_ref().map(|status| (idx, status.code)));
    }
    let mut run = DryRun::new(cx, state);
    let found = preempt::<Brief>(&mut run, &rejected);
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
    work_out(&mut run, &mut nodes, depth, &first(&found.candidates, &found.choice));
    PreemptionExplanation {
        reached: true,
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

/// For how many candidates the steps are worked out where those are asked for that are shown first.
const FIRST: usize = 40;

/// The first candidates by the order of the choice, as indices of dry runs.
fn first(candidates: &[u32], choice: &Choice) -> Vec<u32> {
    let mut first: Vec<u32> = Vec::with_capacity(FIRST);
    let all: Vec<u32> = (0..candidates.len() as u32).collect();
    let rounds = choice.rounds.iter().rev().map(|(_, left)| left.as_slice());
    for index in rounds.chain([all.as_slice()]).flatten() {
        if first.len() == FIRST {
            break;
        }
        if !first.contains(index) {
            first.push(*index);
        }
    }
    first.iter().filter_map(|index| candidates.get(*index as usize)).copied().collect()
}

/// Runs nodes that could be freed once more, keeping the steps: as many as `depth` asks for. Where a budget would be
/// broken, or no victim was found although the pod fits without them, they are always kept, unless only the message is
/// wanted.
fn work_out(run: &mut DryRun<'_>, nodes: &mut [PreemptionNode], depth: Depth, first: &[u32]) {
    if depth == Depth::Message {
        return;
    }
    for (index, node) in (0_u32..).zip(nodes) {
        let is_error = node.status.as_ref().is_some_and(|status| status.code == Code::Error);
        if node.status.is_some() && !is_error {
            continue;
        }
        if depth == Depth::Whole || is_error || node.violations > 0 || first.contains(&index) {
            let idx = run.context().cluster.order().get(node.node as usize).copied();
            if let Some(again) = idx.and_then(|idx| run.run::<Steps>(idx)) {
                take_steps(run.context(), node, again.trace);
            }
        }
    }
}

fn take_steps(cx: &Context<'_>, node: &mut PreemptionNode, steps: Steps) {
    let lower = &node.lower;
    let place = |pod: PodIdx| {
        let pod = cx.cluster.pod(pod);
        let same = |known: &Arc<Pod>| pod.is_some_and(|pod| Arc::ptr_eq(known, &pod.pod));
        lower.iter().position(same).unwrap_or_default() as u32
    };
    for step in steps.0 {
        match step {
            Step::Removed(_) | Step::Fits => {}
            Step::Charged { pod, charges, violates } => {
                node.charges.push(PodCharges { pod: place(pod), charges, violates });
            }
            Step::PutBack { pod, violates, refusal, kept } => {
                let (pod, refusal) = (place(pod), refusal.map(refused));
                node.put_back.push(PutBack { pod, violates, refusal, kept: kept.facts });
            }
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

/// A dry run in terms that outlive the cluster, without its steps.
fn owned(cx: &Context<'_>, node: u32, run: NodeRun<Brief>) -> PreemptionNode {
    let lower = run.trace.0;
    let name =
        cx.cluster.node(run.node).map_or_else(|| Arc::from(""), |node| Arc::clone(&node.name));
    let pod = |pod: &PodIdx| cx.cluster.pod(*pod).map(|pod| Arc::clone(&pod.pod));
    let mut out = PreemptionNode {
        node,
        name,
        lower: lower.iter().filter_map(pod).collect(),
        status: None,
        facts: Vec::new(),
        charges: Vec::new(),
        put_back: Vec::new(),
        victims: Vec::new(),
        violations: 0,
        cleared: Vec::new(),
    };
    let status = |code, reason| Status { plugin: None, code, reasons: alloc::vec![reason] };
    match run.outcome {
        Outcome::Candidate(victims) => {
            let pods: Vec<PodIdx> = victims.pods.iter().map(|victim| victim.pod).collect();
            let place = |pod: &PodIdx| lower.iter().position(|known| known == pod);
            out.victims = pods.iter().filter_map(place).map(|place| place as u32).collect();
            out.violations = victims.violations;
            let Effects { cleared, .. } = effects(cx, run.node, &pods);
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
