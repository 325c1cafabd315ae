//! Topology spread constraints with everything that was counted and left out.

use crate::collections::Set;
use crate::collections::sort_by;
use alloc::string::{String, ToString};
use alloc::sync::Arc;
use alloc::vec::Vec;

use crate::api::{NodeInclusionPolicy, ObjectKey, Selector};
use crate::cluster::{Cluster, CounterKey, NodeIdx, NodeInfo, PodInfo};
use crate::framework::cycle::ScoreState;
use crate::framework::state::{Context, FilterState, PreFilter, PreScore};
use crate::plugins::pod_topology_spread::constraint::{Constraint, Inclusion, LeftOut};

/// A constraint with its counts.
#[derive(Clone, Debug, PartialEq)]
pub struct SpreadExplanation {
    /// Index among the constraints of its kind, as in the facts.
    pub index: u32,
    /// Index in `spec.topologySpreadConstraints`; none for one that the profile adds.
    pub source: Option<u32>,
    /// The label.
    pub topology_key: Arc<str>,
    /// The selector, in Kubernetes' notation; `matchLabelKeys` merged in.
    pub selector: String,
    /// The selector's requirements.
    pub compiled: Selector,
    /// Whether nodes must have the labels of all constraints of this kind: Kubernetes' built-in
    /// defaults do not ask that.
    pub require_all: bool,
    /// How far a domain may be ahead.
    pub max_skew: i64,
    /// With fewer domains than this the minimum is 0 (hard constraints only).
    pub min_domains: i64,
    /// Policy on nodes that the pod's affinity excludes.
    pub node_affinity_policy: NodeInclusionPolicy,
    /// Policy on nodes with untolerated taints.
    pub node_taints_policy: NodeInclusionPolicy,
    /// Whether the pod itself matches the selector.
    pub self_match: bool,
    /// The fewest matching pods in a domain, or 0 by `minDomains` (hard constraints only).
    pub minimum: i64,
    /// Whether `minDomains` made the minimum 0.
    pub too_few_domains: bool,
    /// `ln(size + 2)` (soft constraints only).
    pub weight: f64,
    /// What the weight's size is (soft constraints only).
    pub size: i64,
    /// Domains that count, by value. A soft constraint has those of the feasible nodes; for the
    /// hostname each of these nodes is one of its own, whatever its label says.
    pub domains: Vec<DomainCount>,
    /// Nodes that the constraint does not look at.
    pub left_out_nodes: Vec<LeftOutNode>,
    /// Pods that match the selector and are not counted.
    pub left_out_pods: Vec<LeftOutPod>,
}

/// A domain.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DomainCount {
    /// Value of the label.
    pub value: Arc<str>,
    /// Matching pods.
    pub matching: i64,
    /// Nodes of the domain that count.
    pub nodes: Vec<Arc<str>>,
    /// The matching pods.
    pub pods: Vec<ObjectKey>,
}

/// A node that is not looked at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeftOutNode {
    /// The node.
    pub node: Arc<str>,
    /// The rule.
    pub rule: LeftOut,
}

/// A pod that is not counted although it matches the selector.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeftOutPod {
    /// The pod.
    pub pod: ObjectKey,
    /// The rule.
    pub rule: PodRule,
}

/// Why a matching pod is not counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PodRule {
    /// It is in another namespace.
    Namespace,
    /// It is being deleted.
    Terminating,
    /// Its node is left out.
    Node(LeftOut),
    /// The selector is empty, and an empty selector counts nobody.
    EmptySelector,
}

/// Counts where the selected pods are: nodes without any need not be walked.
pub(super) fn prepare<'a>(
    cluster: &mut Cluster,
    constraints: impl Iterator<Item = &'a Constraint>,
) {
    for constraint in constraints {
        cluster.counter_for(CounterKey::any(&constraint.selector));
    }
}

/// The hard constraints.
pub(super) fn filter(cx: &Context<'_>, state: &FilterState) -> Vec<SpreadExplanation> {
    let Some(PreFilter::Ready(spread)) = &state.spread else { return Vec::new() };
    let all: Vec<&Constraint> = spread.constraints.iter().map(|state| &state.constraint).collect();
    let require_all = |node| has_all(cx.cluster, &all, node);
    spread
        .constraints
        .iter()
        .map(|state| {
            let mut explanation =
                counts(cx, &state.constraint, &spread.inclusion, &require_all, None);
            explanation.self_match = state.self_match;
            explanation.minimum = state.minimum();
            explanation.too_few_domains = state.too_few_domains();
            explanation
        })
        .collect()
}

/// The soft constraints. Only domains of feasible nodes count.
pub(super) fn score(
    cx: &Context<'_>,
    state: &ScoreState,
    feasible: &[NodeIdx],
) -> Vec<SpreadExplanation> {
    let PreScore::Ready(spread) = &state.spread else { return Vec::new() };
    let require_all = |node| !spread.ignores(cx.cluster, node);
    spread
        .constraints
        .iter()
        .map(|state| {
            let constraint = &state.constraint;
            let mut explanation =
                counts(cx, constraint, &spread.inclusion, &require_all, Some(feasible));
            explanation.self_match = constraint.selector.matches(&cx.pod.pod.metadata.labels);
            explanation.require_all = spread.require_all;
            explanation.weight = state.weight;
            explanation.size = state.size;
            explanation
        })
        .collect()
}

fn has_all(cluster: &Cluster, constraints: &[&Constraint], node: NodeIdx) -> bool {
    constraints.iter().all(|constraint| {
        cluster.topology().get(constraint.topology).is_some_and(|c| c.domain(node).is_some())
    })
}

/// Counts one constraint again, pod by pod, keeping names. A hostname constraint that scores
/// counts each node whatever the policies say; a scoring one only in domains of feasible nodes.
fn counts(
    cx: &Context<'_>,
    constraint: &Constraint,
    inclusion: &Inclusion,
    has_keys: &dyn Fn(NodeIdx) -> bool,
    feasible: Option<&[NodeIdx]>,
) -> SpreadExplanation {
    let cluster = cx.cluster;
    let mut explanation = SpreadExplanation {
        index: constraint.index,
        source: constraint.source,
        topology_key: Arc::clone(&constraint.topology_key),
        selector: constraint.selector.to_string(),
        compiled: constraint.selector.clone(),
        require_all: true,
        max_skew: constraint.max_skew,
        min_domains: constraint.min_domains,
        node_affinity_policy: constraint.node_affinity_policy,
        node_taints_policy: constraint.node_taints_policy,
        self_match: false,
        minimum: 0,
        too_few_domains: false,
        weight: 0.0,
        size: 0,
        domains: Vec::new(),
        left_out_nodes: Vec::new(),
        left_out_pods: Vec::new(),
    };
    let Some(column) = cluster.topology().get(constraint.topology) else { return explanation };
    let per_node = feasible.is_some() && constraint.is_hostname();
    // A node without the label is in the domain of the empty value when labels are not required.
    let domain_of = |idx: NodeIdx| column.domain(idx).unwrap_or(0) as usize;
    let empty = |domain: usize| DomainCount {
        value: column
            .values
            .get(domain)
            .map_or_else(|| Arc::from(""), |value| cluster.strings().shared(*value)),
        matching: 0,
        nodes: Vec::new(),
        pods: Vec::new(),
    };
    let counters = cluster.counters();
    let any = counters.find(&CounterKey::any(&constraint.selector));
    let any = any.map(|idx| counters.by_node(idx));
    let mut by_domain: Vec<Option<DomainCount>> = alloc::vec![None; column.values.len()];
    let scored: Option<Set<NodeIdx>> =
        feasible.map(|nodes| nodes.iter().copied().filter(|idx| has_keys(*idx)).collect());
    if !per_node {
        for idx in scored.iter().flatten() {
            if let Some(slot @ None) = by_domain.get_mut(domain_of(*idx)) {
                *slot = Some(empty(domain_of(*idx)));
            }
        }
    }
    for &idx in cluster.order() {
        let Some(node) = cluster.node(idx) else { continue };
        let rule = if !has_keys(idx) {
            Some(LeftOut::MissingKey)
        } else if per_node {
            None
        } else {
            inclusion.left_out(constraint, cx.pod, node)
        };
        if let Some(rule) = rule {
            explanation.left_out_nodes.push(LeftOutNode { node: Arc::clone(&node.name), rule });
        }
        let domain = domain_of(idx);
        let mut single = None;
        let slot = match &scored {
            Some(nodes) if per_node => nodes.contains(&idx).then_some(&mut single),
            Some(_) => by_domain.get_mut(domain).filter(|slot| slot.is_some()),
            None => by_domain.get_mut(domain),
        };
        let Some(slot) = slot else { continue };
        let mut count = rule.is_none().then(|| slot.get_or_insert_with(|| empty(domain)));
        if let Some(count) = &mut count {
            count.nodes.push(Arc::clone(&node.name));
        }
        if any.is_none_or(|any| any.get(idx.at()).is_some_and(|count| *count > 0)) {
            count_node(cx, constraint, node, rule, count, &mut explanation.left_out_pods);
        }
        explanation.domains.extend(single);
    }
    explanation.domains.extend(by_domain.into_iter().flatten());
    sort_by(&mut explanation.domains, |a, b| a.value.cmp(&b.value));
    explanation
}

fn count_node(
    cx: &Context<'_>,
    constraint: &Constraint,
    node: &NodeInfo,
    left_out: Option<LeftOut>,
    mut count: Option<&mut DomainCount>,
    left_out_pods: &mut Vec<LeftOutPod>,
) {
    for pod in node.pods.iter().filter_map(|idx| cx.cluster.pod(*idx)) {
        if !constraint.selector.matches(&pod.pod.metadata.labels) {
            continue;
        }
        match (pod_rule(cx.pod, constraint, pod, left_out), &mut count) {
            (Some(rule), _) => left_out_pods.push(LeftOutPod { pod: pod.key(), rule }),
            (None, Some(count)) => {
                count.matching += 1;
                count.pods.push(pod.key());
            }
            (None, None) => {}
        }
    }
}

fn pod_rule(
    incoming: &PodInfo,
    constraint: &Constraint,
    pod: &PodInfo,
    node: Option<LeftOut>,
) -> Option<PodRule> {
    if pod.namespace != incoming.namespace {
        Some(PodRule::Namespace)
    } else if constraint.selector.is_empty() {
        Some(PodRule::EmptySelector)
    } else if pod.is_terminating() {
        Some(PodRule::Terminating)
    } else {
        node.map(PodRule::Node)
    }
}
