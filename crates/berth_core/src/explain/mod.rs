//! Why a pod goes where it goes: every verdict and every score with the numbers it came from.
//!
//! An explanation is the recording twin of `framework::cycle::decide`: the same plugin bodies run
//! with a sink that keeps what they compared. It owns everything it says.

use crate::collections::sort_by;
pub mod affinity;
mod message;
pub mod node_affinity;
pub mod outcome;
pub mod phrases;
pub mod post_filter;
pub mod spread;
pub mod tally;

use crate::collections::Set;
use alloc::string::{String, ToString};
use alloc::sync::Arc;
use alloc::vec::Vec;

pub use affinity::AffinityExplanation;
pub use node_affinity::NodeAffinityExplanation;
pub use post_filter::{PostFilterExplanation, PreemptionExplanation};
pub use spread::{DomainCount, LeftOutNode, LeftOutPod, PodRule, SpreadExplanation};

use crate::api::{Node, ObjectKey, Pod};
use crate::cluster::{Cluster, NodeIdx, NodeInfo, PodInfo};
use crate::framework::cycle::{
    self, PreFilterEnd, candidates, filter_node, filters, first_failure_with_nominated,
    nominated_node, yields_to,
};
use crate::framework::fact::{Fact, Recorder};
use crate::framework::plugin::{ExtensionPoint, PluginId};
use crate::framework::profile::Profile;
use crate::framework::state::{Context, FilterState, PreFilter, PreScore};
use crate::framework::status::{Code, Status};
use crate::plugins::node_resources::allocation::ScoredResources;
use crate::plugins::node_resources::balanced_allocation;
use crate::plugins::scheduling_gates;

/// What a scheduling cycle found, node by node and plugin by plugin.
#[derive(Clone, Debug, PartialEq)]
pub struct Explanation {
    /// The pod.
    pub pod: ObjectKey,
    /// The pod as it was asked about: facts point into its lists.
    pub object: Arc<Pod>,
    /// The profile.
    pub scheduler_name: String,
    /// The gate, if the pod does not enter the queue. Nothing below is filled then.
    pub pre_enqueue: Option<Status>,
    /// Go's text, if a plugin could not work.
    pub error: Option<String>,
    /// PreFilter plugins that did not simply succeed.
    pub pre_filter: Vec<Status>,
    /// The only nodes that PreFilter lets through, if it names any.
    pub node_names: Option<Vec<String>>,
    /// Filter plugins that had something to do, in order.
    pub filters: Vec<PluginId>,
    /// Nodes in the scheduler's order.
    pub nodes: Vec<NodeReport>,
    /// Indices of the feasible nodes in `nodes`.
    pub feasible: Vec<u32>,
    /// Score plugins with their weights, in order, also those that skipped.
    pub scorers: Vec<Scorer>,
    /// Indices of the nodes with the highest total: the scheduler picks any of them.
    pub best: Vec<u32>,
    /// What `kubectl describe pod` shows when no node fits.
    pub message: Option<String>,
    /// The same up to what PostFilter adds to it.
    pub filter_message: Option<String>,
    /// What PostFilter found, if no node fits.
    pub post_filter: Option<PostFilterExplanation>,
    /// The pod's hard spread constraints with all counts.
    pub spread_filter: Vec<SpreadExplanation>,
    /// The pod's soft spread constraints with all counts.
    pub spread_score: Vec<SpreadExplanation>,
    /// Pod affinity and anti-affinity, with the pods that matched.
    pub affinity: Vec<AffinityExplanation>,
    /// Node selector and node affinity, requirement by requirement.
    pub node_affinity: NodeAffinityExplanation,
    /// What the pod counts as where NodeResourcesFit scores, in the order of its arguments.
    pub fit_requests: Vec<ScoredRequest>,
    /// The same for NodeResourcesBalancedAllocation.
    pub balanced_requests: Vec<ScoredRequest>,
}

/// What a pod counts as in a score.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScoredRequest {
    /// Name of the resource.
    pub resource: Arc<str>,
    /// Thousandths of a core, or units.
    pub request: i64,
}

/// A Score plugin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Scorer {
    /// The plugin.
    pub plugin: PluginId,
    /// Weight.
    pub weight: i64,
    /// Whether it had nothing to score for this pod.
    pub skipped: bool,
}

/// What was found for one node.
#[derive(Clone, Debug, PartialEq)]
pub struct NodeReport {
    /// Name.
    pub name: Arc<str>,
    /// The node as it was looked at: facts point into its lists.
    pub object: Option<Arc<Node>>,
    /// Every Filter plugin run on its own, nominated pods left out, so that no rejection hides
    /// another.
    pub verdicts: Vec<PluginVerdict>,
    /// The same with the nominated pods counted, if there are any: the scheduler looks at both.
    pub verdicts_with_nominated: Vec<PluginVerdict>,
    /// What the scheduler reports: the first failure, nominated pods counted. None if the node is
    /// feasible, or was not looked at because the nominated node is.
    pub status: Option<Status>,
    /// What the reported failure was found from, where nominated pods made it.
    pub status_facts: Vec<Fact>,
    /// Pods nominated to the node that the pod must yield to.
    pub nominated: Vec<ObjectKey>,
    /// Scores, if the node is feasible.
    pub scores: Option<NodeScores>,
}

/// What one Filter plugin says of a node.
#[derive(Clone, Debug, PartialEq)]
pub struct PluginVerdict {
    /// The plugin.
    pub plugin: PluginId,
    /// Its code.
    pub code: Code,
    /// Kubernetes' texts.
    pub reasons: Vec<String>,
    /// What it compared.
    pub facts: Vec<Fact>,
}

/// Scores of a node.
#[derive(Clone, Debug, PartialEq)]
pub struct NodeScores {
    /// By plugin, in order, without those that skipped.
    pub plugins: Vec<PluginScore>,
    /// Sum of the weighted scores.
    pub total: i64,
    /// 1 for the highest total; equal totals share a rank.
    pub rank: u32,
}

/// What one Score plugin gives a node.
#[derive(Clone, Debug, PartialEq)]
pub struct PluginScore {
    /// The plugin.
    pub plugin: PluginId,
    /// As the plugin gave it.
    pub raw: i64,
    /// Brought to 0–100 over the feasible nodes.
    pub normalized: i64,
    /// Times the weight.
    pub weighted: i64,
    /// What it was summed from.
    pub facts: Vec<Fact>,
}

impl Explanation {
    /// What DefaultPreemption finds, if PostFilter ran and the profile has that plugin.
    pub fn preemption(&self) -> Option<&PreemptionExplanation> {
        self.post_filter.as_ref()?.preemption.as_ref()
    }

    /// An explanation that says nothing yet.
    fn new(profile: &Profile, pod: &PodInfo) -> Self {
        Self {
            pod: pod.key(),
            object: Arc::clone(&pod.pod),
            scheduler_name: profile.scheduler_name.clone(),
            pre_enqueue: None,
            error: None,
            pre_filter: Vec::new(),
            node_names: None,
            filters: Vec::new(),
            nodes: Vec::new(),
            feasible: Vec::new(),
            scorers: Vec::new(),
            best: Vec::new(),
            message: None,
            filter_message: None,
            post_filter: None,
            spread_filter: Vec::new(),
            spread_score: Vec::new(),
            affinity: Vec::new(),
            node_affinity: NodeAffinityExplanation::default(),
            fit_requests: Vec::new(),
            balanced_requests: Vec::new(),
        }
    }

    /// A node's report by name.
    pub fn node(&self, name: &str) -> Option<&NodeReport> {
        self.nodes.iter().find(|node| *node.name == *name)
    }

    /// Names of the nodes with the highest total.
    pub fn best_names(&self) -> impl Iterator<Item = &Arc<str>> {
        self.best.iter().filter_map(|i| self.nodes.get(*i as usize)).map(|node| &node.name)
    }

    /// Names of the feasible nodes.
    pub fn feasible_names(&self) -> impl Iterator<Item = &Arc<str>> {
        self.feasible.iter().filter_map(|i| self.nodes.get(*i as usize)).map(|node| &node.name)
    }
}

impl NodeReport {
    /// Whether the node can take the pod.
    pub fn is_feasible(&self) -> bool {
        self.scores.is_some()
    }
}

/// How much of a cycle is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Depth {
    /// Everything.
    Whole,
    /// Everything but the steps of dry runs, of which those are kept that are looked at first.
    Brief,
    /// What the scheduler reports.
    Message,
}

/// Runs a scheduling cycle and keeps everything. The pod may be in the cluster or not; if it
/// stands on a node, it is counted there.
pub fn explain(cluster: &mut Cluster, profile: &Profile, pod: &PodInfo) -> Explanation {
    run(cluster, profile, pod, Depth::Whole)
}

/// As `explain`, but keeps the steps of dry runs only for the first candidates for preemption, by the order of the
/// choice, and where a budget would be broken: there may be thousands.
pub fn explain_briefly(cluster: &mut Cluster, profile: &Profile, pod: &PodInfo) -> Explanation {
    run(cluster, profile, pod, Depth::Brief)
}

/// As `explain`, but of the nodes keeps only what the scheduler reports: for a pod that no node can take.
pub fn refusal(cluster: &mut Cluster, profile: &Profile, pod: &PodInfo) -> Explanation {
    run(cluster, profile, pod, Depth::Message)
}

fn run(cluster: &mut Cluster, profile: &Profile, pod: &PodInfo, depth: Depth) -> Explanation {
    let whole = depth != Depth::Message;
    let mut explanation = Explanation::new(profile, pod);
    if profile.runs(PluginId::SchedulingGates, ExtensionPoint::PreEnqueue)
        && let Some(text) = scheduling_gates::pre_enqueue(&pod.pod)
    {
        explanation.pre_enqueue = Some(Status {
            plugin: Some(PluginId::SchedulingGates),
            code: Code::UnschedulableAndUnresolvable,
            reasons: alloc::vec![text],
        });
        return explanation;
    }
    if cluster.order().is_empty() {
        explanation.message = Some("no nodes available to schedule pods".into());
        return explanation;
    }
    let state = cycle::pre_filter(cluster, profile, pod);
    if whole {
        affinity::prepare(cluster, pod);
    }
    if whole && let Some(PreFilter::Ready(spread)) = &state.spread {
        spread::prepare(cluster, spread.constraints.iter().map(|state| &state.constraint));
    }
    explain_pre_filter(&state, profile, &mut explanation);
    if whole {
        explanation.filters = filters(&state, profile);
        explanation.filters.retain(|plugin| cycle::pre_filter_failure(&state, *plugin).0.is_none());
    }
    let cx = Context { cluster, profile, pod };
    explain_matrix(&cx, &state, &mut explanation);
    if whole {
        explanation.spread_filter = spread::filter(&cx, &state);
        explanation.affinity = affinity::explain(&cx, &state);
        explanation.node_affinity = node_affinity::explain(&cx);
    }
    let feasible = explain_filter(&cx, &state, &mut explanation);
    if explanation.error.is_some() {
        return explanation;
    }
    if feasible.is_empty() {
        let mut text = message::message(&explanation);
        explanation.filter_message = Some(text.clone());
        let post_filter = post_filter::explain(cx, state, &explanation, depth);
        if !post_filter.message.is_empty() {
            text.push(' ');
            text.push_str(&post_filter.message);
        }
        explanation.message = Some(text);
        explanation.post_filter = Some(post_filter);
        return explanation;
    }
    explain_scores(cluster, profile, pod, &feasible, &mut explanation);
    explanation
}

fn explain_pre_filter(state: &FilterState, profile: &Profile, explanation: &mut Explanation) {
    for &plugin in profile.plugins(ExtensionPoint::PreFilter) {
        let status = |code, reasons| Status { plugin: Some(plugin), code, reasons };
        let found = match cycle::pre_filter_failure(state, plugin) {
            (Some(text), _) => {
                status(Code::UnschedulableAndUnresolvable, alloc::vec![text.to_string()])
            }
            (_, Some(error)) => status(Code::Error, alloc::vec![error.to_string()]),
            _ if cycle::skips(state, plugin) => status(Code::Skip, Vec::new()),
            _ => continue,
        };
        explanation.pre_filter.push(found);
    }
}

/// Every filter on every node on its own.
fn explain_matrix(cx: &Context<'_>, state: &FilterState, explanation: &mut Explanation) {
    for &idx in cx.cluster.order() {
        let Some(node) = cx.cluster.node(idx) else { continue };
        let verdicts = |state: &FilterState, node: &NodeInfo| {
            let one = |&plugin: &PluginId| {
                let mut sink = Recorder::default();
                let code = filter_node(plugin, cx, state, idx, node, &mut sink);
                let reasons = sink.reasons(code);
                PluginVerdict { plugin, code, reasons, facts: sink.facts }
            };
            explanation.filters.iter().map(one).collect::<Vec<_>>()
        };
        let nominated = cycle::with_nominated(cx, state, idx, node);
        let report = NodeReport {
            name: Arc::clone(&node.name),
            object: node.node.clone(),
            verdicts: verdicts(state, node),
            verdicts_with_nominated: nominated
                .map(|(node, state)| verdicts(&state, &node))
                .unwrap_or_default(),
            status: None,
            status_facts: Vec::new(),
            nominated: yields_to(cx, node).map(|(_, pod)| pod.key()).collect(),
            scores: None,
        };
        explanation.nodes.push(report);
    }
}

/// What the scheduler reports for each node, and which nodes are feasible.
fn explain_filter(
    cx: &Context<'_>,
    state: &FilterState,
    explanation: &mut Explanation,
) -> Vec<NodeIdx> {
    match cycle::pre_filter_end(state, cx.profile) {
        PreFilterEnd::Filter => {}
        PreFilterEnd::Rejected(plugin, text) => {
            for node in &mut explanation.nodes {
                node.status = Some(Status {
                    plugin: Some(plugin),
                    code: Code::UnschedulableAndUnresolvable,
                    reasons: alloc::vec![text.clone()],
                });
            }
            return Vec::new();
        }
        PreFilterEnd::Error(plugin, error) => {
            explanation.error =
                Some(alloc::format!("running PreFilter plugin \"{plugin}\": {error}"));
            return Vec::new();
        }
    }
    if let Some(names) = state.node_names() {
        explanation.node_names = Some(names.iter().cloned().collect());
        for node in &mut explanation.nodes {
            if !names.contains(&*node.name) {
                node.status = Some(Status {
                    plugin: None,
                    code: Code::UnschedulableAndUnresolvable,
                    reasons: alloc::vec![alloc::format!(
                        "node(s) didn't satisfy plugin(s) [{}]",
                        PluginId::NodeAffinity
                    )],
                });
            }
        }
    }
    let plugins = filters(state, cx.profile);
    if let Some(idx) = nominated_node(cx)
        && let Some(node) = cx.cluster.node(idx)
        && first_failure_with_nominated::<Recorder>(&plugins, cx, state, idx, node).is_none()
    {
        return alloc::vec![idx];
    }
    let mut feasible = Vec::new();
    let looked_at: Set<NodeIdx> = candidates(cx.cluster, state).into_iter().collect();
    for (&idx, report) in cx.cluster.order().iter().zip(&mut explanation.nodes) {
        let Some(node) = cx.cluster.node(idx) else { continue };
        if !looked_at.contains(&idx) {
            continue;
        }
        match first_failure_with_nominated::<Recorder>(&plugins, cx, state, idx, node) {
            None => feasible.push(idx),
            Some((verdict, sink)) => {
                if verdict.code == Code::Error {
                    explanation.error = Some(alloc::format!(
                        "running \"{}\" filter plugin: {}",
                        verdict.plugin,
                        sink.reasons(Code::Error).join(", ")
                    ));
                    return Vec::new();
                }
                report.status = Some(Status {
                    plugin: Some(verdict.plugin),
                    code: verdict.code,
                    reasons: sink.reasons(verdict.code),
                });
                if !report.nominated.is_empty() {
                    report.status_facts = sink.facts;
                }
            }
        }
    }
    feasible
}

fn explain_scores(
    cluster: &mut Cluster,
    profile: &Profile,
    pod: &PodInfo,
    feasible: &[NodeIdx],
    explanation: &mut Explanation,
) {
    // Both lists are in the scheduler's order (a nominated node alone is trivially so).
    let mut rest = feasible.iter().peekable();
    let places = cluster.order().iter().zip(0_u32..);
    explanation.feasible = places
        .filter_map(|(idx, place)| rest.next_if(|next| *next == idx).map(|_| place))
        .collect();
    let balanced = &profile.args.node_resources_balanced_allocation.resources;
    explanation.balanced_requests =
        scored_requests(&balanced_allocation::resources(cluster, balanced, pod));
    let state = cycle::pre_score(cluster, profile, pod, feasible);
    if let PreScore::Ready(spread) = &state.spread {
        spread::prepare(cluster, spread.constraints.iter().map(|state| &state.constraint));
    }
    let cx = Context { cluster, profile, pod };
    let mut scores = match cycle::score::<Recorder>(&cx, &state, feasible, None) {
        Ok(scores) => scores,
        Err(error) => {
            explanation.error = Some(error);
            return;
        }
    };
    explanation.spread_score = spread::score(&cx, &state, feasible);
    explanation.fit_requests = scored_requests(&state.fit.resources);
    explanation.scorers = profile
        .plugins(ExtensionPoint::Score)
        .iter()
        .map(|&plugin| Scorer {
            plugin,
            weight: profile.weight(plugin),
            skipped: scores.skipped.contains(&plugin),
        })
        .collect();
    let totals = cycle::totals(&scores, feasible);
    let best = cycle::best(&totals, feasible);
    let mut sorted = totals.clone();
    sort_by(&mut sorted, |a, b| b.cmp(a));
    let mut next = 0;
    for (i, idx) in cx.cluster.order().iter().enumerate() {
        if feasible.get(next) != Some(idx) {
            continue;
        }
        let total = totals.get(next).copied().unwrap_or(0);
        let plugins = scores
            .plugins
            .iter_mut()
            .map(|column| {
                let at = |list: &[i64]| list.get(next).copied().unwrap_or(0);
                let normalized = at(&column.normalized);
                PluginScore {
                    plugin: column.plugin,
                    raw: at(&column.raw),
                    normalized,
                    weighted: normalized.wrapping_mul(column.weight),
                    facts: column
                        .sinks
                        .get_mut(next)
                        .map(|sink| core::mem::take(&mut sink.facts))
                        .unwrap_or_default(),
                }
            })
            .collect();
        let rank = sorted.partition_point(|other| *other > total) as u32 + 1;
        if let Some(report) = explanation.nodes.get_mut(i) {
            report.scores = Some(NodeScores { plugins, total, rank });
        }
        if best.contains(idx) {
            explanation.best.push(i as u32);
        }
        next += 1;
    }
}

fn scored_requests(resources: &ScoredResources) -> Vec<ScoredRequest> {
    let requests = resources.as_slice().iter();
    requests
        .map(|resource| ScoredRequest {
            resource: Arc::clone(&resource.name),
            request: resource.request,
        })
        .collect()
}
