//! Score: preferences of the pod and of those already there.
//!
//! Mirrors `scoring.go`.

use alloc::vec::Vec;

use super::filtering::{domain_name, key_name};
use super::incoming::{IncomingTerm, namespace_labels};
use super::pairs::Pairs;
use crate::api::Pod;
use crate::cluster::{Cluster, NodeIdx, PodInfo, StrId, TermRole, TopologyIdx};
use crate::framework::config::InterPodAffinityArgs;
use crate::framework::fact::{Fact, Sink};
use crate::framework::normalize::to_integer;
use crate::framework::profile::MAX_NODE_SCORE;
use crate::framework::state::PreScore;

/// Sums of weights by label key and domain.
#[derive(Clone, Debug)]
pub struct PreScoreState {
    sums: Pairs,
}

/// Sums the weights of all preferences that bear on the pod.
pub fn pre_score(
    cluster: &mut Cluster,
    args: &InterPodAffinityArgs,
    pod: &PodInfo,
) -> PreScore<PreScoreState> {
    if args.ignore_preferred_terms_of_existing_pods && !has_preferences(&pod.pod) {
        return PreScore::Skip;
    }
    if let Some(error) = &pod.term_error {
        return PreScore::Error(alloc::format!("failed to parse pod: {error}"));
    }
    let terms = &pod.terms;
    let mut sums = Pairs::default();
    let own = terms.preferred_affinity.iter().map(|term| (term, term.weight));
    let apart = terms.preferred_anti_affinity.iter().map(|term| (term, term.weight.wrapping_neg()));
    for (weighted, weight) in own.chain(apart) {
        let term = IncomingTerm::new(cluster, &weighted.term);
        let idx = term.counter(cluster);
        let counts = cluster.counters().by_node(idx);
        sums.add_counts(cluster, term.topology, counts, i64::from(weight));
    }
    add_existing(cluster, args, pod, &mut sums);
    if !sums.is_touched() {
        return PreScore::Skip;
    }
    PreScore::Ready(PreScoreState { sums })
}

fn has_preferences(pod: &Pod) -> bool {
    let Some(affinity) = &pod.spec.affinity else { return false };
    affinity.pod_affinity.as_ref().is_some_and(|near| !near.preferred.is_empty())
        || affinity.pod_anti_affinity.as_ref().is_some_and(|apart| !apart.preferred.is_empty())
}

/// What a term of an existing pod weighs, if it counts for scores.
pub fn weight_of(role: TermRole, args: &InterPodAffinityArgs) -> Option<i64> {
    match role {
        TermRole::RequiredAffinity => {
            Some(i64::from(args.hard_pod_affinity_weight)).filter(|weight| *weight > 0)
        }
        TermRole::RequiredAntiAffinity => None,
        TermRole::PreferredAffinity(weight) => Some(i64::from(weight)),
        TermRole::PreferredAntiAffinity(weight) => Some(i64::from(weight.wrapping_neg())),
    }
}

fn add_existing(
    cluster: &mut Cluster,
    args: &InterPodAffinityArgs,
    pod: &PodInfo,
    sums: &mut Pairs,
) {
    let labels = namespace_labels(cluster, pod);
    let own = &pod.pod.metadata.labels;
    let keys: Vec<StrId> = cluster
        .terms()
        .iter()
        .filter(|(role, term, _)| {
            weight_of(*role, args).is_some() && term.matches(pod.namespace, &labels, own)
        })
        .map(|(_, term, _)| term.topology_key)
        .collect();
    if keys.is_empty() {
        return;
    }
    let columns: Vec<(StrId, TopologyIdx)> =
        keys.iter().map(|key| (*key, cluster.topology_for(*key))).collect();
    for (role, term, nodes) in cluster.terms().iter() {
        let Some(weight) = weight_of(role, args) else { continue };
        if !term.matches(pod.namespace, &labels, own) {
            continue;
        }
        let column = columns.iter().find(|(key, _)| *key == term.topology_key);
        let Some((_, topology)) = column else { continue };
        for (node, count) in nodes {
            sums.add(cluster, *topology, *node, weight.wrapping_mul(i64::from(*count)));
        }
    }
}

/// Sums over the label keys what the node's domains have.
pub fn score<S: Sink>(state: &PreScoreState, cluster: &Cluster, idx: NodeIdx, sink: &mut S) -> i64 {
    let mut total = 0_i64;
    for (topology, sums) in state.sums.columns() {
        let Some(column) = cluster.topology().get(topology) else { continue };
        let Some(domain) = column.domain(idx) else { continue };
        let sum = sums.get(domain as usize).copied().unwrap_or(0);
        sink.fact(|| Fact::AffinityScore {
            key: key_name(cluster, topology),
            domain: domain_name(cluster, topology, domain),
            sum,
        });
        total = total.wrapping_add(sum);
    }
    total
}

/// Stretches the scores from the lowest to the highest over 0–100.
pub fn normalize(scores: &mut [i64]) {
    let lowest = scores.iter().copied().min().unwrap_or(0);
    let highest = scores.iter().copied().max().unwrap_or(0);
    let range = highest.wrapping_sub(lowest);
    for score in scores {
        *score = if range > 0 {
            let share = score.wrapping_sub(lowest) as f64 / range as f64;
            to_integer(MAX_NODE_SCORE as f64 * share)
        } else {
            0
        };
    }
}
