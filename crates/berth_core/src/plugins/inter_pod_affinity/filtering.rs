//! Filter: required affinity and anti-affinity, of the pod and of those already there.
//!
//! Mirrors `filtering.go`.

use alloc::sync::Arc;
use alloc::vec::Vec;

use super::incoming::{IncomingTerm, counter, namespace_labels};
use super::pairs::Pairs;
use crate::api::Labels;
use crate::cluster::{Cluster, NodeIdx, PodInfo, StrId, TermRole, TopologyIdx};
use crate::framework::fact::{Fact, Sink};
use crate::framework::state::{Context, PreFilter};
use crate::framework::status::Code;

/// What stands for and against each domain.
#[derive(Clone, Debug)]
pub struct PreFilterState {
    /// Required affinity terms of the pod.
    pub affinity: Vec<IncomingTerm>,
    /// Required anti-affinity terms of the pod.
    pub anti_affinity: Vec<IncomingTerm>,
    namespace_labels: Labels,
    existing: Pairs,
    affinity_counts: Pairs,
    anti_affinity_counts: Pairs,
}

/// Counts, for each domain, the pods that the pod's terms mean and the terms that mean the pod.
pub fn pre_filter(cluster: &mut Cluster, pod: &PodInfo) -> PreFilter<PreFilterState> {
    if let Some(error) = &pod.term_error {
        return PreFilter::Rejected(alloc::format!("parsing pod: {error}").into());
    }
    let terms = &pod.terms;
    let resolve = |cluster: &mut Cluster, terms: &[_]| -> Vec<IncomingTerm> {
        terms.iter().map(|term| IncomingTerm::new(cluster, term)).collect()
    };
    let affinity = resolve(cluster, &terms.required_affinity);
    let anti_affinity = resolve(cluster, &terms.required_anti_affinity);
    let namespace_labels = namespace_labels(cluster, pod);
    let existing = existing_anti_affinity(cluster, pod, &namespace_labels);
    if existing.is_empty() && affinity.is_empty() && anti_affinity.is_empty() {
        return PreFilter::Skip;
    }
    let mut affinity_counts = Pairs::default();
    if !affinity.is_empty() {
        // A pod counts only if every term means it.
        let idx = counter(cluster, &affinity);
        for term in &affinity {
            let counts = cluster.counters().by_node(idx);
            affinity_counts.add_counts(cluster, term.topology, counts, 1);
        }
    }
    let mut anti_affinity_counts = Pairs::default();
    for term in &anti_affinity {
        let idx = term.counter(cluster);
        let counts = cluster.counters().by_node(idx);
        anti_affinity_counts.add_counts(cluster, term.topology, counts, 1);
    }
    PreFilter::Ready(PreFilterState {
        affinity,
        anti_affinity,
        namespace_labels,
        existing,
        affinity_counts,
        anti_affinity_counts,
    })
}

fn existing_anti_affinity(cluster: &mut Cluster, pod: &PodInfo, labels: &Labels) -> Pairs {
    let keys: Vec<StrId> = cluster
        .terms()
        .iter()
        .filter(|(role, term, _)| {
            *role == TermRole::RequiredAntiAffinity
                && term.matches(pod.namespace, labels, &pod.pod.metadata.labels)
        })
        .map(|(_, term, _)| term.topology_key)
        .collect();
    if keys.is_empty() {
        return Pairs::default();
    }
    let columns: Vec<(StrId, TopologyIdx)> =
        keys.iter().map(|key| (*key, cluster.topology_for(*key))).collect();
    let mut pairs = Pairs::default();
    for (role, term, nodes) in cluster.terms().iter() {
        if role != TermRole::RequiredAntiAffinity
            || !term.matches(pod.namespace, labels, &pod.pod.metadata.labels)
        {
            continue;
        }
        let column = columns.iter().find(|(key, _)| *key == term.topology_key);
        let Some((_, topology)) = column else { continue };
        for (node, count) in nodes {
            pairs.add(cluster, *topology, *node, i64::from(*count));
        }
    }
    pairs
}

/// Whether every term means a pod; no term means none.
pub fn matches_all(terms: &[IncomingTerm], pod: &PodInfo) -> bool {
    !terms.is_empty() && terms.iter().all(|term| term.matches(pod))
}

impl PreFilterState {
    /// A pod comes to (`by` 1) or leaves (`by` −1) a node (`updateWithPod`).
    pub fn update_with_pod(&mut self, cx: &Context<'_>, other: &PodInfo, idx: NodeIdx, by: i64) {
        for term in &other.terms.required_anti_affinity {
            let labels = &cx.pod.pod.metadata.labels;
            if term.matches(cx.pod.namespace, &self.namespace_labels, labels)
                && let Some(topology) = cx.cluster.topology().find(term.topology_key)
            {
                self.existing.add(cx.cluster, topology, idx, by);
            }
        }
        if matches_all(&self.affinity, other) {
            for term in &self.affinity {
                self.affinity_counts.add(cx.cluster, term.topology, idx, by);
            }
        }
        for term in self.anti_affinity.iter().filter(|term| term.matches(other)) {
            self.anti_affinity_counts.add(cx.cluster, term.topology, idx, by);
        }
    }
}

/// Refuses a node that is not near what the pod wants, is near what it shuns, or where others shun it.
pub fn filter<S: Sink>(
    state: &PreFilterState,
    cx: &Context<'_>,
    idx: NodeIdx,
    sink: &mut S,
) -> Code {
    if !satisfies_affinity(state, cx, idx, sink) {
        return Code::UnschedulableAndUnresolvable;
    }
    for (i, term) in state.anti_affinity.iter().enumerate() {
        let domain = domain(cx.cluster, term.topology, idx);
        let matching =
            domain.map_or(0, |domain| state.anti_affinity_counts.get(term.topology, domain));
        sink.fact(|| Fact::AntiAffinity {
            term: i as u32,
            domain: domain.map(|domain| domain_name(cx.cluster, term.topology, domain)),
            matching,
        });
        if matching > 0 {
            return Code::Unschedulable;
        }
    }
    for (topology, sums) in state.existing.columns() {
        let Some(domain) = domain(cx.cluster, topology, idx) else { continue };
        let matching = sums.get(domain as usize).copied().unwrap_or(0);
        sink.fact(|| Fact::ExistingAntiAffinity {
            key: key_name(cx.cluster, topology),
            domain: domain_name(cx.cluster, topology, domain),
            matching,
        });
        if matching > 0 {
            return Code::Unschedulable;
        }
    }
    Code::Success
}

fn satisfies_affinity<S: Sink>(
    state: &PreFilterState,
    cx: &Context<'_>,
    idx: NodeIdx,
    sink: &mut S,
) -> bool {
    let mut found = true;
    for (i, term) in state.affinity.iter().enumerate() {
        let domain = domain(cx.cluster, term.topology, idx);
        let matching = domain.map_or(0, |domain| state.affinity_counts.get(term.topology, domain));
        sink.fact(|| Fact::Affinity {
            term: i as u32,
            domain: domain.map(|domain| domain_name(cx.cluster, term.topology, domain)),
            matching,
        });
        if domain.is_none() {
            return false;
        }
        found &= matching > 0;
    }
    if found {
        return true;
    }
    // The first of a series of pods that want to be near each other has nobody to be near.
    let allowed = state.affinity_counts.is_empty() && matches_all(&state.affinity, cx.pod);
    sink.fact(|| Fact::AffinityFirst { allowed });
    allowed
}

fn domain(cluster: &Cluster, topology: TopologyIdx, node: NodeIdx) -> Option<u32> {
    cluster.topology().get(topology)?.domain(node)
}

/// The value of a domain, for people.
pub fn domain_name(cluster: &Cluster, topology: TopologyIdx, domain: u32) -> Arc<str> {
    let value = cluster.topology().get(topology).and_then(|c| c.values.get(domain as usize));
    value.map_or_else(|| Arc::from(""), |value| cluster.strings().shared(*value))
}

/// The label key of a column, for people.
pub fn key_name(cluster: &Cluster, topology: TopologyIdx) -> Arc<str> {
    let column = cluster.topology().get(topology);
    column.map_or_else(|| Arc::from(""), |column| cluster.strings().shared(column.key))
}
