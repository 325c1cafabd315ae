//! Filter: a domain may not get too far ahead of the emptiest one.
//!
//! Mirrors `filtering.go`.

use alloc::sync::Arc;
use alloc::vec::Vec;

use super::constraint::{Constraint, Inclusion, constraints};
use crate::api::UnsatisfiableConstraintAction;
use crate::cluster::{Cluster, NodeIdx, NodeInfo, PodInfo};
use crate::framework::config::PodTopologySpreadArgs;
use crate::framework::fact::{Fact, Sink};
use crate::framework::state::{Context, PreFilter};
use crate::framework::status::Code;

/// No node of a domain is looked at, so the domain does not exist for the constraint.
const ABSENT: i64 = i64::MIN;

/// The two domains with the fewest matching pods, as kube-scheduler follows them: after changes
/// the second need not be the second fewest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CriticalPaths([(u32, i64); 2]);

impl CriticalPaths {
    /// Both places start as the empty value with a count that nothing reaches; domain 0 is the
    /// empty value.
    const EMPTY: Self = Self([(0, i32::MAX as i64), (0, i32::MAX as i64)]);

    fn update(&mut self, domain: u32, count: i64) {
        let [first, second] = &mut self.0;
        if domain == first.0 {
            first.1 = count;
        } else if domain == second.0 {
            second.1 = count;
        } else {
            if count < first.1 {
                *second = *first;
                *first = (domain, count);
            } else if count < second.1 {
                *second = (domain, count);
            }
            return;
        }
        if first.1 > second.1 {
            core::mem::swap(first, second);
        }
    }
}

/// A constraint with its counts.
#[derive(Clone, Debug)]
pub struct ConstraintState {
    /// The constraint.
    pub constraint: Constraint,
    /// Whether the pod itself matches.
    pub self_match: bool,
    by_domain: Vec<i64>,
    domains: i64,
    critical: CriticalPaths,
}

impl ConstraintState {
    /// Matching pods of a domain; none if the domain does not count.
    pub fn count(&self, domain: u32) -> Option<i64> {
        self.by_domain.get(domain as usize).copied().filter(|count| *count != ABSENT)
    }

    /// How many domains count.
    pub fn domains(&self) -> i64 {
        self.domains
    }

    /// Whether `minDomains` makes the minimum 0.
    pub fn too_few_domains(&self) -> bool {
        self.domains < self.constraint.min_domains
    }

    /// The fewest matching pods in a domain, or 0 by `minDomains` (`minMatchNum`).
    pub fn minimum(&self) -> i64 {
        if self.too_few_domains() { 0 } else { self.critical.0[0].1 }
    }

    fn add(&mut self, domain: u32, by: i64) {
        if let Some(count) = self.by_domain.get_mut(domain as usize) {
            if *count == ABSENT {
                *count = 0;
                self.domains += 1;
            }
            *count += by;
        }
    }
}

/// The pod's hard constraints with their counts.
#[derive(Clone, Debug)]
pub struct PreFilterState {
    /// The constraints.
    pub constraints: Vec<ConstraintState>,
    /// Which nodes they look at.
    pub inclusion: Inclusion,
}

/// Counts matching pods by domain.
pub fn pre_filter(
    cluster: &mut Cluster,
    args: &PodTopologySpreadArgs,
    pod: &PodInfo,
) -> PreFilter<PreFilterState> {
    let action = UnsatisfiableConstraintAction::DoNotSchedule;
    let constraints = match constraints(cluster, args, pod, action) {
        Ok(constraints) if constraints.is_empty() => return PreFilter::Skip,
        Ok(constraints) => constraints,
        Err(error) => return PreFilter::Error(alloc::format!("get constraints from pod: {error}")),
    };
    let inclusion = Inclusion::new(pod);
    let mut states: Vec<ConstraintState> = constraints
        .into_iter()
        .map(|constraint| {
            let domains = cluster.topology().get(constraint.topology).map_or(0, |c| c.values.len());
            ConstraintState {
                self_match: constraint.selector.matches(&pod.pod.metadata.labels),
                by_domain: alloc::vec![ABSENT; domains],
                domains: 0,
                critical: CriticalPaths::EMPTY,
                constraint,
            }
        })
        .collect();
    count(cluster, pod, &inclusion, &mut states);
    for state in &mut states {
        for (domain, count) in state.by_domain.iter().enumerate() {
            if *count != ABSENT {
                state.critical.update(domain as u32, *count);
            }
        }
    }
    PreFilter::Ready(PreFilterState { constraints: states, inclusion })
}

fn count(cluster: &Cluster, pod: &PodInfo, inclusion: &Inclusion, states: &mut [ConstraintState]) {
    let columns: Vec<_> = states
        .iter()
        .filter_map(|state| {
            let topology = cluster.topology().get(state.constraint.topology)?;
            Some((&*topology.domain_of, cluster.counters().by_node(state.constraint.counter)))
        })
        .collect();
    for &idx in cluster.order() {
        let Some(node) = cluster.node(idx) else { continue };
        let domain = |column: &[u32]| column.get(idx.at()).copied();
        let has_all = columns.iter().all(|(domains, _)| {
            domain(domains).is_some_and(|domain| domain != crate::cluster::topology::NO_DOMAIN)
        });
        if !has_all {
            continue;
        }
        for (state, (domains, counts)) in states.iter_mut().zip(&columns) {
            if inclusion.left_out(&state.constraint, pod, node).is_some() {
                continue;
            }
            if let Some(domain) = domain(domains) {
                state.add(domain, i64::from(counts.get(idx.at()).copied().unwrap_or(0)));
            }
        }
    }
}

impl PreFilterState {
    /// A pod comes to (`by` 1) or leaves (`by` −1) a node (`updateWithPod`).
    pub fn update_with_pod(
        &mut self,
        cx: &Context<'_>,
        other: &PodInfo,
        idx: NodeIdx,
        node: &NodeInfo,
        by: i64,
    ) {
        if other.namespace != cx.pod.namespace || node.node.is_none() {
            return;
        }
        let domain = |state: &ConstraintState| {
            cx.cluster.topology().get(state.constraint.topology)?.domain(idx)
        };
        if !self.constraints.iter().all(|state| domain(state).is_some()) {
            return;
        }
        for state in &mut self.constraints {
            if !state.constraint.selector.matches(&other.pod.metadata.labels)
                || self.inclusion.left_out(&state.constraint, cx.pod, node).is_some()
            {
                continue;
            }
            if let Some(domain) = domain(state) {
                state.add(domain, by);
                if let Some(count) = state.count(domain) {
                    state.critical.update(domain, count);
                }
            }
        }
    }
}

/// Refuses a node whose domain would be too far ahead.
pub fn filter<S: Sink>(
    state: &PreFilterState,
    cx: &Context<'_>,
    idx: NodeIdx,
    sink: &mut S,
) -> Code {
    for constraint in &state.constraints {
        let topology = cx.cluster.topology().get(constraint.constraint.topology);
        let domain = topology.and_then(|topology| topology.domain(idx));
        let index = constraint.constraint.index;
        let Some(domain) = domain else {
            sink.fact(|| Fact::SpreadKeyMissing { constraint: index });
            return Code::UnschedulableAndUnresolvable;
        };
        let matching = constraint.count(domain).unwrap_or(0);
        let self_match = i64::from(constraint.self_match);
        let minimum = constraint.minimum();
        let max_skew = constraint.constraint.max_skew;
        sink.fact(|| Fact::Spread {
            constraint: index,
            domain: topology
                .and_then(|topology| topology.values.get(domain as usize))
                .map_or_else(|| Arc::from(""), |value| cx.cluster.strings().shared(*value)),
            matching,
            self_match,
            minimum,
            max_skew,
        });
        if matching + self_match - minimum > max_skew {
            return Code::Unschedulable;
        }
    }
    Code::Success
}
