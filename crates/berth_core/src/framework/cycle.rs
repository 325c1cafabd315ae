//! One scheduling cycle: PreFilter, Filter with nominated pods, PreScore, Score.
//!
//! Mirrors `schedulePod` of `pkg/scheduler/schedule_one.go` and `RunPreFilterPlugins`,
//! `RunFilterPluginsWithNominatedPods`, `RunScorePlugins` of
//! `pkg/scheduler/framework/runtime/framework.go`. Every node is filtered and every feasible node
//! scored: there is no sampling, and a tie is reported as a set.

use alloc::string::String;
use alloc::vec::Vec;

use super::fact::{Fact, Silent, Sink};
use super::memo::{Columns, LOCAL_FILTERS, Memo};
use super::normalize::default_normalize;
use super::plugin::{ExtensionPoint, PluginId};
use super::profile::{MAX_NODE_SCORE, Profile};
use super::state::{Context, FilterState, PreFilter, PreScore};
use super::status::Code;
use crate::cluster::{Cluster, NodeIdx, NodeInfo, PodInfo, StrId};
use crate::plugins::{
    image_locality, inter_pod_affinity, node_affinity, node_name, node_ports, node_resources,
    node_unschedulable, pod_topology_spread, scheduling_gates, taint_toleration,
};

/// A verdict on a node: the first plugin that refused it, and how.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// The code; never `Success`.
    pub code: Code,
    /// The plugin.
    pub plugin: PluginId,
}

/// How PreFilter as a whole ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PreFilterEnd {
    /// Nodes can be filtered.
    Filter,
    /// No node can do: every node gets this plugin's verdict.
    Rejected(PluginId, String),
    /// A plugin could not work.
    Error(PluginId, String),
}

/// Whether PreFilter of a plugin that runs there says Skip.
///
/// Plugins about volumes, claims and declared features always do.
pub fn skips(state: &FilterState, plugin: PluginId) -> bool {
    fn skip<T>(state: Option<&PreFilter<T>>) -> bool {
        matches!(state, Some(PreFilter::Skip))
    }
    match plugin {
        PluginId::NodeAffinity => skip(state.node_affinity.as_ref()),
        PluginId::NodePorts => skip(state.node_ports.as_ref()),
        PluginId::PodTopologySpread => skip(state.spread.as_ref()),
        PluginId::InterPodAffinity => skip(state.affinity.as_ref()),
        _ => plugin.implements(ExtensionPoint::PreFilter) && plugin != PluginId::NodeResourcesFit,
    }
}

/// Runs PreFilter of every plugin that has it in the profile.
pub fn pre_filter(cluster: &mut Cluster, profile: &Profile, pod: &PodInfo) -> FilterState {
    cluster.begin_cycle();
    prepare_nominated(cluster);
    let mut state = FilterState::default();
    for plugin in profile.plugins(ExtensionPoint::PreFilter) {
        match plugin {
            PluginId::NodeAffinity => {
                state.node_affinity = Some(node_affinity::pre_filter(profile, &pod.pod));
            }
            PluginId::NodePorts => state.node_ports = Some(node_ports::pre_filter(pod)),
            PluginId::NodeResourcesFit => {
                let args = &profile.args.node_resources_fit;
                let fit = node_resources::fit::pre_filter(cluster, Some(args), pod);
                state.fit = Some(PreFilter::Ready(fit));
            }
            PluginId::PodTopologySpread => {
                let args = &profile.args.pod_topology_spread;
                let spread = pod_topology_spread::filtering::pre_filter(cluster, args, pod);
                state.spread = Some(spread);
            }
            PluginId::InterPodAffinity => {
                state.affinity = Some(inter_pod_affinity::filtering::pre_filter(cluster, pod));
            }
            _ => {}
        }
    }
    state
}

/// The label keys that nominated pods shun others by must be known before they are added.
fn prepare_nominated(cluster: &mut Cluster) {
    let keys: Vec<StrId> = cluster
        .nominated()
        .flat_map(|(_, pod)| &pod.terms.required_anti_affinity)
        .map(|term| term.topology_key)
        .collect();
    for key in keys {
        cluster.topology_for(key);
    }
}

/// How PreFilter as a whole ended: plugins in order, until one refuses the pod for good.
pub fn pre_filter_end(state: &FilterState, profile: &Profile) -> PreFilterEnd {
    for &plugin in profile.plugins(ExtensionPoint::PreFilter) {
        let (rejected, error) = pre_filter_failure(state, plugin);
        if let Some(text) = rejected {
            return PreFilterEnd::Rejected(plugin, text.into());
        }
        if let Some(error) = error {
            return PreFilterEnd::Error(plugin, error.into());
        }
    }
    PreFilterEnd::Filter
}

/// Kubernetes' text if PreFilter of a plugin refused the pod, and Go's if it could not work.
pub fn pre_filter_failure(state: &FilterState, plugin: PluginId) -> (Option<&str>, Option<&str>) {
    fn failure<T>(state: Option<&PreFilter<T>>) -> (Option<&str>, Option<&str>) {
        match state {
            Some(PreFilter::Rejected(text)) => (Some(text), None),
            Some(PreFilter::Error(text)) => (None, Some(text)),
            _ => (None, None),
        }
    }
    match plugin {
        PluginId::NodeAffinity => failure(state.node_affinity.as_ref()),
        PluginId::PodTopologySpread => failure(state.spread.as_ref()),
        PluginId::InterPodAffinity => failure(state.affinity.as_ref()),
        _ => (None, None),
    }
}

/// Runs Filter of one plugin on one node.
pub fn filter_node<S: Sink>(
    plugin: PluginId,
    cx: &Context<'_>,
    state: &FilterState,
    idx: NodeIdx,
    node: &NodeInfo,
    sink: &mut S,
) -> Code {
    match plugin {
        PluginId::NodeUnschedulable => node_unschedulable::filter(cx, node, sink),
        PluginId::NodeName => node_name::filter(cx, node, sink),
        PluginId::TaintToleration => taint_toleration::filter(cx, node, sink),
        PluginId::NodeAffinity => match &state.node_affinity {
            Some(PreFilter::Ready(state)) => node_affinity::filter(state, cx, node, sink),
            // Without PreFilter the plugin compiles the requirements itself.
            None => {
                let required = node_affinity::required_node_affinity(&cx.pod.pod);
                let state = node_affinity::PreFilterState { required, node_names: None };
                node_affinity::filter(&state, cx, node, sink)
            }
            Some(_) => Code::Success,
        },
        PluginId::NodePorts => {
            let error = "reading \"PreFilterNodePorts\" from cycleState: not found";
            with_state(state.node_ports.as_ref(), error, sink, |s, k| {
                node_ports::filter(s, cx, node, k)
            })
        }
        PluginId::NodeResourcesFit => {
            let error = "error reading \"PreFilterNodeResourcesFit\" from cycleState: not found";
            with_state(state.fit.as_ref(), error, sink, |s, k| {
                node_resources::fit::filter(s, node, k)
            })
        }
        PluginId::PodTopologySpread => {
            let error = "reading \"PreFilterPodTopologySpread\" from cycleState: not found";
            with_state(state.spread.as_ref(), error, sink, |s, k| {
                pod_topology_spread::filtering::filter(s, cx, idx, k)
            })
        }
        PluginId::InterPodAffinity => {
            let error = "error reading \"PreFilterInterPodAffinity\" from cycleState: not found";
            with_state(state.affinity.as_ref(), error, sink, |s, k| {
                inter_pod_affinity::filtering::filter(s, cx, idx, k)
            })
        }
        // The others skip, unless the profile does not let them.
        PluginId::VolumeRestrictions => {
            no_state("cannot read \"PreFilterVolumeRestrictions\" from cycleState", sink)
        }
        PluginId::VolumeBinding | PluginId::DynamicResources => no_state("not found", sink),
        PluginId::NodeDeclaredFeatures => no_state(
            "error reading \"PreFilterNodeDeclaredFeatures\" from cycle-state: not found",
            sink,
        ),
        _ => Code::Success,
    }
}

fn with_state<T, S: Sink>(
    state: Option<&PreFilter<T>>,
    error: &'static str,
    sink: &mut S,
    filter: impl FnOnce(&T, &mut S) -> Code,
) -> Code {
    match state {
        Some(PreFilter::Ready(state)) => filter(state, sink),
        Some(PreFilter::Skip | PreFilter::Rejected(_)) => Code::Success,
        Some(PreFilter::Error(_)) | None => no_state(error, sink),
    }
}

/// A plugin runs without what its PreFilter prepares.
fn no_state<S: Sink>(error: &'static str, sink: &mut S) -> Code {
    sink.fact(|| Fact::NoState { error });
    Code::Error
}

/// The Filter plugins that have something to do, in order.
pub fn filters(state: &FilterState, profile: &Profile) -> Vec<PluginId> {
    let runs_pre_filter = |plugin| profile.runs(plugin, ExtensionPoint::PreFilter);
    profile
        .plugins(ExtensionPoint::Filter)
        .iter()
        .copied()
        .filter(|plugin| !(skips(state, *plugin) && runs_pre_filter(*plugin)))
        .collect()
}

/// The first plugin that refuses a node.
pub fn first_failure<S: Sink + Default>(
    plugins: &[PluginId],
    cx: &Context<'_>,
    state: &FilterState,
    idx: NodeIdx,
    node: &NodeInfo,
) -> Option<(Verdict, S)> {
    plugins.iter().find_map(|&plugin| {
        let mut sink = S::default();
        let code = filter_node(plugin, cx, state, idx, node, &mut sink);
        (!code.is_success()).then_some((Verdict { code, plugin }, sink))
    })
}

/// Pods nominated to a node that the pod must yield to: other pods of at least its priority.
pub fn yields_to<'a>(
    cx: &'a Context<'_>,
    node: &'a NodeInfo,
) -> impl Iterator<Item = (crate::cluster::PodIdx, &'a PodInfo)> {
    cx.cluster.nominated_to(&node.name).filter(|(_, nominated)| {
        nominated.priority() >= cx.pod.priority() && nominated.uid != cx.pod.uid
    })
}

/// The first plugin that refuses a node, with the nominated pods there or without them.
pub fn first_failure_with_nominated<S: Sink + Default>(
    plugins: &[PluginId],
    cx: &Context<'_>,
    state: &FilterState,
    idx: NodeIdx,
    node: &NodeInfo,
) -> Option<(Verdict, S)> {
    if let Some((node, state)) = with_nominated(cx, state, idx, node) {
        let failure = first_failure(plugins, cx, &state, idx, &node);
        if failure.is_some() {
            return failure;
        }
    }
    first_failure(plugins, cx, state, idx, node)
}

/// A node and the state as if the nominated pods stood there, if there are any
/// (`addGENominatedPods`).
pub fn with_nominated(
    cx: &Context<'_>,
    state: &FilterState,
    idx: NodeIdx,
    node: &NodeInfo,
) -> Option<(NodeInfo, FilterState)> {
    let mut added = yields_to(cx, node).peekable();
    added.peek()?;
    let mut node = node.clone();
    let mut state = state.clone();
    for (nominated_idx, nominated) in added {
        node.add_pod(nominated_idx, nominated);
        add_pod(&mut state, cx, nominated, idx, &node);
    }
    Some((node, state))
}

/// Counts a pod as if it stood on a node (`RunPreFilterExtensionAddPod`).
pub fn add_pod(
    state: &mut FilterState,
    cx: &Context<'_>,
    other: &PodInfo,
    idx: NodeIdx,
    node: &NodeInfo,
) {
    update_with_pod(state, cx, other, idx, node, 1);
}

/// Counts a pod no longer (`RunPreFilterExtensionRemovePod`).
pub fn remove_pod(
    state: &mut FilterState,
    cx: &Context<'_>,
    other: &PodInfo,
    idx: NodeIdx,
    node: &NodeInfo,
) {
    update_with_pod(state, cx, other, idx, node, -1);
}

fn update_with_pod(
    state: &mut FilterState,
    cx: &Context<'_>,
    other: &PodInfo,
    idx: NodeIdx,
    node: &NodeInfo,
    by: i64,
) {
    if let Some(spread) = state.spread.as_mut().and_then(PreFilter::ready_mut) {
        spread.update_with_pod(cx, other, idx, node, by);
    }
    if let Some(affinity) = state.affinity.as_mut().and_then(PreFilter::ready_mut) {
        affinity.update_with_pod(cx, other, idx, by);
    }
}

/// Scores of one plugin for the feasible nodes, in their order.
#[derive(Clone, Debug)]
pub struct PluginScores<S> {
    /// The plugin.
    pub plugin: PluginId,
    /// Its weight.
    pub weight: i64,
    /// As the plugin gave them.
    pub raw: Vec<i64>,
    /// Brought to 0–100.
    pub normalized: Vec<i64>,
    /// What was recorded for each node.
    pub sinks: Vec<S>,
}

/// What the Score plugins prepared.
#[derive(Clone, Debug)]
pub struct ScoreState {
    taints: taint_toleration::PreScoreState,
    node_affinity: PreScore<node_affinity::PreScoreState>,
    /// NodeResourcesFit.
    pub fit: node_resources::fit::PreScoreState,
    balanced: PreScore<node_resources::balanced_allocation::PreScoreState>,
    images: image_locality::State,
    /// PodTopologySpread.
    pub spread: PreScore<pod_topology_spread::scoring::PreScoreState>,
    affinity: PreScore<inter_pod_affinity::scoring::PreScoreState>,
}

/// Runs PreScore of the node-local plugins, which do not look at the feasible nodes.
fn pre_score_local(cluster: &mut Cluster, profile: &Profile, pod: &PodInfo) -> ScoreState {
    let args = &profile.args;
    let fit_resources = &args.node_resources_fit.scoring_strategy.resources;
    let fit = node_resources::fit::pre_score(cluster, fit_resources, pod);
    let balanced_resources = &args.node_resources_balanced_allocation.resources;
    let balanced = node_resources::balanced_allocation::pre_score(cluster, balanced_resources, pod);
    let cx = Context { cluster, profile, pod };
    ScoreState {
        taints: taint_toleration::pre_score(&cx),
        node_affinity: node_affinity::pre_score(&cx),
        images: image_locality::prepare(cluster, &pod.pod),
        fit,
        balanced,
        spread: PreScore::Skip,
        affinity: PreScore::Skip,
    }
}

/// Runs PreScore of the plugins that look at other nodes.
fn pre_score_global(
    state: &mut ScoreState,
    cluster: &mut Cluster,
    profile: &Profile,
    pod: &PodInfo,
    feasible: &[NodeIdx],
) {
    if profile.runs(PluginId::PodTopologySpread, ExtensionPoint::PreScore) {
        let args = &profile.args.pod_topology_spread;
        state.spread = pod_topology_spread::scoring::pre_score(cluster, args, pod, feasible);
    }
    if profile.runs(PluginId::InterPodAffinity, ExtensionPoint::PreScore) {
        let args = &profile.args.inter_pod_affinity;
        state.affinity = inter_pod_affinity::scoring::pre_score(cluster, args, pod);
    }
}

/// Runs PreScore.
pub fn pre_score(
    cluster: &mut Cluster,
    profile: &Profile,
    pod: &PodInfo,
    feasible: &[NodeIdx],
) -> ScoreState {
    let mut state = pre_score_local(cluster, profile, pod);
    pre_score_global(&mut state, cluster, profile, pod, feasible);
    state
}

/// Whether a plugin has nothing to score for this pod, or could not prepare.
fn pre_score_end(state: &ScoreState, plugin: PluginId) -> Result<bool, &str> {
    fn end<T>(state: &PreScore<T>) -> Result<bool, &str> {
        match state {
            PreScore::Skip => Ok(true),
            PreScore::Ready(_) => Ok(false),
            PreScore::Error(error) => Err(error),
        }
    }
    match plugin {
        PluginId::NodeAffinity => end(&state.node_affinity),
        PluginId::NodeResourcesBalancedAllocation => end(&state.balanced),
        PluginId::PodTopologySpread => end(&state.spread),
        PluginId::InterPodAffinity => end(&state.affinity),
        PluginId::VolumeBinding => Ok(true),
        _ => Ok(false),
    }
}

/// Scores of all plugins, and those that had nothing to score.
#[derive(Clone, Debug)]
pub struct Scores<S> {
    /// Plugins that scored, in order.
    pub plugins: Vec<PluginScores<S>>,
    /// Plugins that skipped, in order.
    pub skipped: Vec<PluginId>,
}

/// Runs Score and NormalizeScore of every plugin on the feasible nodes; `columns`, where given,
/// already have the raw scores of node-local plugins.
pub fn score<S: Sink + Default>(
    cx: &Context<'_>,
    state: &ScoreState,
    feasible: &[NodeIdx],
    columns: Option<&Columns>,
) -> Result<Scores<S>, String> {
    let mut scores = Scores { plugins: Vec::new(), skipped: Vec::new() };
    for &plugin in cx.profile.plugins(ExtensionPoint::PreScore) {
        if let Err(error) = pre_score_end(state, plugin) {
            return Err(alloc::format!("PreScore: running PreScore plugin \"{plugin}\": {error}"));
        }
    }
    for &plugin in cx.profile.plugins(ExtensionPoint::Score) {
        let skips = if cx.profile.runs(plugin, ExtensionPoint::PreScore) {
            pre_score_end(state, plugin) == Ok(true)
        } else if let Some(error) = without_state(cx.profile, state, plugin) {
            return Err(alloc::format!(
                "Score: running Score plugins: plugin \"{plugin}\" failed with: {error}"
            ));
        } else {
            false
        };
        if skips {
            scores.skipped.push(plugin);
        } else {
            scores.plugins.push(score_plugin(plugin, cx, state, feasible, columns));
        }
    }
    match out_of_range(&scores) {
        None => Ok(scores),
        Some((plugin, score)) => Err(alloc::format!(
            "Score: applying score defaultWeights on Score plugins: plugin \"{plugin}\" returns an \
             invalid score {score}, it should in the range of [0, {MAX_NODE_SCORE}] after normalizing"
        )),
    }
}

/// Go's text for a plugin that cannot score because what prepares its state does not run. The
/// others prepare while they score.
fn without_state<'a>(
    profile: &Profile,
    state: &'a ScoreState,
    plugin: PluginId,
) -> Option<&'a str> {
    match plugin {
        PluginId::DynamicResources => {
            (!profile.runs(plugin, ExtensionPoint::PreFilter)).then_some("not found")
        }
        PluginId::TaintToleration => {
            Some("failed to read \"PreScoreTaintToleration\" from cycleState: not found")
        }
        PluginId::PodTopologySpread => {
            Some("error reading \"PreScorePodTopologySpread\" from cycleState: not found")
        }
        PluginId::InterPodAffinity => {
            Some("failed to read \"PreScoreInterPodAffinity\" from cycleState: not found")
        }
        _ => pre_score_end(state, plugin).err(),
    }
}

/// The first score that is not in 0–100, node by node: weird capacities overflow.
fn out_of_range<S>(scores: &Scores<S>) -> Option<(PluginId, i64)> {
    let first = |column: &PluginScores<S>| {
        let at = column.normalized.iter().position(|s| !(0..=MAX_NODE_SCORE).contains(s))?;
        Some((at, column.plugin, *column.normalized.get(at)?))
    };
    let found = scores.plugins.iter().filter_map(first).min_by_key(|(at, ..)| *at)?;
    Some((found.1, found.2))
}

/// Runs Score of one plugin on one node.
pub fn score_node<S: Sink>(
    plugin: PluginId,
    cx: &Context<'_>,
    state: &ScoreState,
    idx: NodeIdx,
    node: &NodeInfo,
    sink: &mut S,
) -> i64 {
    match plugin {
        PluginId::TaintToleration => taint_toleration::score(&state.taints, node, sink),
        PluginId::NodeAffinity => match &state.node_affinity {
            PreScore::Ready(state) => node_affinity::score(state, cx, node, sink),
            _ => 0,
        },
        PluginId::NodeResourcesFit => {
            let strategy = &cx.profile.args.node_resources_fit.scoring_strategy.kind;
            node_resources::fit::score(&state.fit, strategy, node, sink)
        }
        PluginId::NodeResourcesBalancedAllocation => match &state.balanced {
            PreScore::Ready(state) => node_resources::balanced_allocation::score(state, node, sink),
            _ => 0,
        },
        PluginId::ImageLocality => image_locality::score(&state.images, cx.cluster, node, sink),
        PluginId::PodTopologySpread => match &state.spread {
            PreScore::Ready(state) => {
                pod_topology_spread::scoring::score(state, cx.cluster, idx, sink)
            }
            _ => 0,
        },
        PluginId::InterPodAffinity => match &state.affinity {
            PreScore::Ready(state) => {
                inter_pod_affinity::scoring::score(state, cx.cluster, idx, sink)
            }
            _ => 0,
        },
        _ => 0,
    }
}

fn score_plugin<S: Sink + Default>(
    plugin: PluginId,
    cx: &Context<'_>,
    state: &ScoreState,
    feasible: &[NodeIdx],
    columns: Option<&Columns>,
) -> PluginScores<S> {
    let mut raw = Vec::with_capacity(feasible.len());
    let mut sinks = Vec::with_capacity(feasible.len());
    let column = columns.and_then(|columns| columns.raw(plugin));
    for &idx in feasible {
        let mut sink = S::default();
        let known = column.and_then(|column| column.get(idx.at()).copied());
        raw.push(known.unwrap_or_else(|| {
            let node = cx.cluster.node(idx);
            node.map_or(0, |node| score_node(plugin, cx, state, idx, node, &mut sink))
        }));
        sinks.push(sink);
    }
    let mut normalized = raw.clone();
    match plugin {
        PluginId::TaintToleration => default_normalize(&mut normalized, true),
        PluginId::NodeAffinity => default_normalize(&mut normalized, false),
        PluginId::PodTopologySpread => {
            if let PreScore::Ready(state) = &state.spread {
                let scores = &mut normalized;
                pod_topology_spread::scoring::normalize(state, cx.cluster, feasible, scores);
            }
        }
        PluginId::InterPodAffinity => inter_pod_affinity::scoring::normalize(&mut normalized),
        _ => {}
    }
    PluginScores { plugin, weight: cx.profile.weight(plugin), raw, normalized, sinks }
}

/// Totals of the feasible nodes, in their order.
pub fn totals<S>(scores: &Scores<S>, feasible: &[NodeIdx]) -> Vec<i64> {
    let mut totals = alloc::vec![0_i64; feasible.len()];
    for plugin in &scores.plugins {
        for (total, score) in totals.iter_mut().zip(&plugin.normalized) {
            *total = total.wrapping_add(score.wrapping_mul(plugin.weight));
        }
    }
    totals
}

/// The nodes with the highest total.
pub fn best(totals: &[i64], feasible: &[NodeIdx]) -> Vec<NodeIdx> {
    let highest = totals.iter().copied().max();
    let wins = |(total, idx): (&i64, &NodeIdx)| (Some(*total) == highest).then_some(*idx);
    totals.iter().zip(feasible).filter_map(wins).collect()
}

/// What a cycle decided, without the reasons.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Decision {
    /// The pod does not enter the queue; Kubernetes' text.
    Gated(String),
    /// PreFilter refused the pod, or a plugin could not work.
    NotFiltered(PreFilterEnd),
    /// Nodes were filtered, and the feasible ones scored.
    Filtered(Placement),
    /// A Score plugin could not work; Go's text.
    NotScored(String),
}

/// Nodes that can and cannot take a pod.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Placement {
    /// Nodes that can, in order.
    pub feasible: Vec<NodeIdx>,
    /// Their totals.
    pub totals: Vec<i64>,
    /// Those with the highest total.
    pub best: Vec<NodeIdx>,
    /// Nodes that cannot. Nodes that PreFilter ruled out, or that were not looked at because the
    /// nominated node can, are in neither list.
    pub rejected: Vec<(NodeIdx, Verdict)>,
}

/// Decides where a pod can go, silently: one pass over a shrinking list of nodes for each plugin.
pub fn decide(cluster: &mut Cluster, profile: &Profile, pod: &PodInfo) -> Decision {
    if profile.runs(PluginId::SchedulingGates, ExtensionPoint::PreEnqueue)
        && let Some(text) = scheduling_gates::pre_enqueue(&pod.pod)
    {
        return Decision::Gated(text);
    }
    let state = pre_filter(cluster, profile, pod);
    let end = pre_filter_end(&state, profile);
    if end != PreFilterEnd::Filter {
        return Decision::NotFiltered(end);
    }
    // The memo stands beside the cluster while both are in use.
    let mut memo = cluster.take_memo();
    let decision = decide_on_nodes(cluster, &mut memo, profile, pod, &state);
    cluster.put_memo(memo);
    decision
}

fn decide_on_nodes(
    cluster: &mut Cluster,
    memo: &mut Memo,
    profile: &Profile,
    pod: &PodInfo,
    state: &FilterState,
) -> Decision {
    let mut scoring = pre_score_local(cluster, profile, pod);
    let plugins = filters(state, profile);
    let cx = Context { cluster, profile, pod };
    let columns = memo.columns(&cx, &plugins, state, &scoring);
    let (feasible, rejected) = filter_nodes(&cx, &plugins, state, columns);
    if feasible.is_empty() {
        return Decision::Filtered(Placement { rejected, ..Placement::default() });
    }
    pre_score_global(&mut scoring, cluster, profile, pod, &feasible);
    let cx = Context { cluster, profile, pod };
    match score::<Silent>(&cx, &scoring, &feasible, columns) {
        Ok(scores) => {
            let totals = totals(&scores, &feasible);
            let best = best(&totals, &feasible);
            Decision::Filtered(Placement { feasible, totals, best, rejected })
        }
        Err(error) => Decision::NotScored(error),
    }
}

/// The nodes that are filtered: all, or those that PreFilter named.
pub fn candidates(cluster: &Cluster, state: &FilterState) -> Vec<NodeIdx> {
    match state.node_names() {
        None => cluster.order().to_vec(),
        Some(names) => cluster
            .order()
            .iter()
            .copied()
            .filter(|idx| cluster.node(*idx).is_some_and(|node| names.contains(&*node.name)))
            .collect(),
    }
}

/// The pod's nominated node, if it is there.
pub fn nominated_node(cx: &Context<'_>) -> Option<NodeIdx> {
    let name = &cx.pod.pod.status.nominated_node_name;
    let idx = cx.cluster.node_named(name)?;
    cx.cluster.node(idx)?.node.is_some().then_some(idx)
}

fn filter_nodes(
    cx: &Context<'_>,
    plugins: &[PluginId],
    state: &FilterState,
    columns: Option<&Columns>,
) -> (Vec<NodeIdx>, Vec<(NodeIdx, Verdict)>) {
    if let Some(idx) = nominated_node(cx)
        && let Some(node) = cx.cluster.node(idx)
        && first_failure_with_nominated::<Silent>(plugins, cx, state, idx, node).is_none()
    {
        return (alloc::vec![idx], Vec::new());
    }
    let global: Vec<PluginId> =
        plugins.iter().copied().filter(|plugin| !LOCAL_FILTERS.contains(plugin)).collect();
    let mut rejected = Vec::new();
    let mut feasible = candidates(cx.cluster, state);
    feasible.retain(|&idx| {
        let Some(node) = cx.cluster.node(idx) else { return false };
        let failure = if cx.cluster.has_nominated() && yields_to(cx, node).next().is_some() {
            first_failure_with_nominated::<Silent>(plugins, cx, state, idx, node)
                .map(|(verdict, _)| verdict)
        } else if columns.is_some_and(|columns| columns.passes(idx)) {
            first_failure::<Silent>(&global, cx, state, idx, node).map(|(verdict, _)| verdict)
        } else {
            plugins.iter().find_map(|&plugin| {
                let known = columns.and_then(|columns| columns.verdict(plugin, idx));
                let code =
                    known.unwrap_or_else(|| filter_node(plugin, cx, state, idx, node, &mut Silent));
                (!code.is_success()).then_some(Verdict { code, plugin })
            })
        };
        rejected.extend(failure.map(|verdict| (idx, verdict)));
        failure.is_none()
    });
    (feasible, rejected)
}
