//! The affinity terms of the pods on nodes: which term stands on which nodes, how often.
//!
//! kube-scheduler walks the pods with affinity on every node; here equal terms are kept once, so
//! that a cycle compares the incoming pod with each distinct term.

use crate::collections::Map;

use super::{AffinityTerm, NodeIdx, PodInfo};

/// What a term of an existing pod asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum TermRole {
    /// Required affinity.
    RequiredAffinity,
    /// Required anti-affinity.
    RequiredAntiAffinity,
    /// Preferred affinity with its weight.
    PreferredAffinity(i32),
    /// Preferred anti-affinity with its weight.
    PreferredAntiAffinity(i32),
}

/// Terms of existing pods, with the number of pods that have them by node.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TermIndex {
    terms: Map<(TermRole, AffinityTerm), Map<NodeIdx, u32>>,
}

impl TermIndex {
    /// Counts a pod that came to a node.
    pub fn add(&mut self, pod: &PodInfo, node: NodeIdx) {
        for (role, term) in terms_of(pod) {
            let nodes = match self.terms.get_mut(&(role, term.clone())) {
                Some(nodes) => nodes,
                None => self.terms.or_default((role, term.clone())),
            };
            *nodes.or_default(node) += 1;
        }
    }

    /// Forgets a pod that left a node.
    pub fn remove(&mut self, pod: &PodInfo, node: NodeIdx) {
        for (role, term) in terms_of(pod) {
            let key = (role, term.clone());
            let Some(nodes) = self.terms.get_mut(&key) else { continue };
            if let Some(count) = nodes.get_mut(&node) {
                *count = count.saturating_sub(1);
                if *count == 0 {
                    nodes.remove(&node);
                }
            }
            if nodes.is_empty() {
                self.terms.remove(&key);
            }
        }
    }

    /// Every term with its role and the nodes it stands on.
    pub fn iter(&self) -> impl Iterator<Item = (TermRole, &AffinityTerm, &Map<NodeIdx, u32>)> {
        self.terms.iter().map(|((role, term), nodes)| (*role, term, nodes))
    }
}

fn terms_of(pod: &PodInfo) -> impl Iterator<Item = (TermRole, &AffinityTerm)> {
    let terms = &pod.terms;
    let affinity = terms.required_affinity.iter().map(|t| (TermRole::RequiredAffinity, t));
    let anti = terms.required_anti_affinity.iter().map(|t| (TermRole::RequiredAntiAffinity, t));
    let liked =
        terms.preferred_affinity.iter().map(|t| (TermRole::PreferredAffinity(t.weight), &t.term));
    let disliked = terms
        .preferred_anti_affinity
        .iter()
        .map(|t| (TermRole::PreferredAntiAffinity(t.weight), &t.term));
    affinity.chain(anti).chain(liked).chain(disliked)
}
