//! Score: domains with fewer matching pods are better.
//!
//! Mirrors `scoring.go`.

use alloc::sync::Arc;
use alloc::vec::Vec;

use super::constraint::{Constraint, Inclusion, constraints};
use crate::api::UnsatisfiableConstraintAction;
use crate::cluster::topology::NO_DOMAIN;
use crate::cluster::{Cluster, NodeIdx, PodInfo};
use crate::framework::config::{PodTopologySpreadArgs, PodTopologySpreadDefaulting};
use crate::framework::fact::{Fact, Sink};
use crate::framework::normalize::to_integer;
use crate::framework::profile::MAX_NODE_SCORE;
use crate::framework::state::PreScore;

/// A constraint with its counts and weight.
#[derive(Clone, Debug)]
pub struct ConstraintState {
    /// The constraint.
    pub constraint: Constraint,
    /// Matching pods by domain; none for domains without a feasible node. Not used for the
    /// hostname, whose counts are taken from each node.
    pub by_domain: Vec<Option<i64>>,
    /// Number of domains that feasible nodes are in, or of feasible nodes for the hostname.
    pub size: i64,
    /// `ln(size + 2)`.
    pub weight: f64,
}

/// The pod's soft constraints.
#[derive(Clone, Debug)]
pub struct PreScoreState {
    /// The constraints.
    pub constraints: Vec<ConstraintState>,
    /// Which nodes they look at.
    pub inclusion: Inclusion,
    /// Whether nodes must have the labels of all constraints.
    pub require_all: bool,
}

impl PreScoreState {
    /// Whether a node is left out of the score because it lacks a label.
    pub fn ignores(&self, cluster: &Cluster, node: NodeIdx) -> bool {
        self.require_all && !has_all(cluster, &self.constraints, node)
    }
}

fn has_all(cluster: &Cluster, constraints: &[ConstraintState], node: NodeIdx) -> bool {
    constraints.iter().all(|state| {
        cluster
            .topology()
            .get(state.constraint.topology)
            .is_some_and(|topology| topology.domain(node).is_some())
    })
}

/// Counts matching pods in the domains of the feasible nodes.
pub fn pre_score(
    cluster: &mut Cluster,
    args: &PodTopologySpreadArgs,
    pod: &PodInfo,
    feasible: &[NodeIdx],
) -> PreScore<PreScoreState> {
    let action = UnsatisfiableConstraintAction::ScheduleAnyway;
    let constraints = match constraints(cluster, args, pod, action) {
        Ok(constraints) if constraints.is_empty() => return PreScore::Skip,
        Ok(constraints) => constraints,
        Err(error) => {
            return PreScore::Error(alloc::format!("calculating preScoreState: {error}"));
        }
    };
    // The built-in defaults also serve nodes without a zone.
    let require_all = !pod.pod.spec.topology_spread_constraints.is_empty()
        || args.defaulting != PodTopologySpreadDefaulting::System;
    let mut states: Vec<ConstraintState> = constraints
        .into_iter()
        .map(|constraint| {
            let domains = cluster.topology().get(constraint.topology).map_or(0, |c| c.values.len());
            ConstraintState {
                by_domain: alloc::vec![None; domains],
                size: 0,
                weight: 0.0,
                constraint,
            }
        })
        .collect();
    let cluster: &Cluster = cluster;
    let mut scored = 0;
    for &idx in feasible {
        if require_all && !has_all(cluster, &states, idx) {
            continue;
        }
        scored += 1;
        for state in states.iter_mut().filter(|state| !state.constraint.is_hostname()) {
            let domain = domain_or_empty(cluster, &state.constraint, idx);
            if let Some(slot @ None) = state.by_domain.get_mut(domain as usize) {
                *slot = Some(0);
                state.size += 1;
            }
        }
    }
    for state in &mut states {
        if state.constraint.is_hostname() {
            state.size = scored;
        }
        state.weight = libm::log((state.size + 2) as f64);
    }
    let inclusion = Inclusion::new(pod);
    if states.iter().any(|state| !state.constraint.is_hostname()) {
        count(cluster, pod, &inclusion, require_all, &mut states);
    }
    PreScore::Ready(PreScoreState { constraints: states, inclusion, require_all })
}

/// A node without the label counts as one with the empty value.
fn domain_or_empty(cluster: &Cluster, constraint: &Constraint, idx: NodeIdx) -> u32 {
    cluster.topology().get(constraint.topology).and_then(|column| column.domain(idx)).unwrap_or(0)
}

fn count(
    cluster: &Cluster,
    pod: &PodInfo,
    inclusion: &Inclusion,
    require_all: bool,
    states: &mut [ConstraintState],
) {
    let columns: Vec<_> = states
        .iter()
        .filter_map(|state| {
            let topology = cluster.topology().get(state.constraint.topology)?;
            Some((&*topology.domain_of, cluster.counters().by_node(state.constraint.counter)))
        })
        .collect();
    for &idx in cluster.order() {
        let Some(node) = cluster.node(idx) else { continue };
        let domain = |column: &[u32]| column.get(idx.at()).copied().unwrap_or(NO_DOMAIN);
        if require_all && columns.iter().any(|(domains, _)| domain(domains) == NO_DOMAIN) {
            continue;
        }
        for (state, (domains, counts)) in states.iter_mut().zip(&columns) {
            if state.constraint.is_hostname() {
                continue;
            }
            let found = domain(domains);
            let found = if found == NO_DOMAIN { 0 } else { found };
            let Some(Some(sum)) = state.by_domain.get_mut(found as usize) else { continue };
            if inclusion.left_out(&state.constraint, pod, node).is_none() {
                *sum += i64::from(counts.get(idx.at()).copied().unwrap_or(0));
            }
        }
    }
}

/// Sums `matching × weight + (max_skew − 1)` over the constraints, rounded.
pub fn score<S: Sink>(state: &PreScoreState, cluster: &Cluster, idx: NodeIdx, sink: &mut S) -> i64 {
    if state.ignores(cluster, idx) {
        sink.fact(|| Fact::SpreadIgnored);
        return 0;
    }
    let mut sum = 0.0_f64;
    for constraint in &state.constraints {
        let Some(topology) = cluster.topology().get(constraint.constraint.topology) else {
            continue;
        };
        let Some(domain) = topology.domain(idx) else { continue };
        let matching = if constraint.constraint.is_hostname() {
            let counts = cluster.counters().by_node(constraint.constraint.counter);
            i64::from(counts.get(idx.at()).copied().unwrap_or(0))
        } else {
            constraint.by_domain.get(domain as usize).copied().flatten().unwrap_or(0)
        };
        let max_skew = constraint.constraint.max_skew;
        sink.fact(|| Fact::SpreadScore {
            constraint: constraint.constraint.index,
            domain: topology
                .values
                .get(domain as usize)
                .map_or_else(|| Arc::from(""), |value| cluster.strings().shared(*value)),
            matching,
            weight: constraint.weight,
            size: constraint.size,
            max_skew,
        });
        sum += matching as f64 * constraint.weight + (max_skew - 1) as f64;
    }
    to_integer(libm::round(sum))
}

/// What kube-scheduler marks nodes with that are left out. A `maxSkew` of 0, which the API server
/// would refuse, can give it to others too.
const INVALID_SCORE: i64 = -1;

/// The fewer the better: `100 × (highest + lowest − score) ÷ highest`. Nodes left out get 0.
pub fn normalize(state: &PreScoreState, cluster: &Cluster, nodes: &[NodeIdx], scores: &mut [i64]) {
    let ignored: Vec<bool> = if state.require_all {
        nodes.iter().map(|node| state.ignores(cluster, *node)).collect()
    } else {
        alloc::vec![false; nodes.len()]
    };
    let counted = || scores.iter().zip(&ignored).filter(|(_, ignored)| !**ignored);
    let lowest = counted().map(|(score, _)| *score).min().unwrap_or(i64::MAX);
    let highest = counted().map(|(score, _)| *score).max().unwrap_or(0).max(0);
    for (score, ignored) in scores.iter_mut().zip(&ignored) {
        *score = if *ignored || *score == INVALID_SCORE {
            0
        } else if highest == 0 {
            MAX_NODE_SCORE
        } else {
            let above = highest.wrapping_add(lowest).wrapping_sub(*score);
            MAX_NODE_SCORE.wrapping_mul(above).wrapping_div(highest)
        };
    }
}
