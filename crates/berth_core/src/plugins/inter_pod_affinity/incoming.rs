//! The incoming pod's terms, ready to count existing pods.

use crate::collections::sort;
use alloc::vec::Vec;

use crate::api::{Labels, Selector};
use crate::cluster::{
    AffinityTerm, Cluster, CounterIdx, CounterKey, PodInfo, Scope, StrId, TopologyIdx,
};

/// A term of the incoming pod, its namespaces resolved.
#[derive(Clone, Debug)]
pub struct IncomingTerm {
    /// The namespaces: those named, and those that the namespace selector matches now.
    pub scope: Scope,
    /// Pods by label.
    pub selector: Selector,
    /// The label key.
    pub key: StrId,
    /// Its domains.
    pub topology: TopologyIdx,
}

impl IncomingTerm {
    /// Resolves a term (`mergeAffinityTermNamespacesIfNotEmpty`).
    pub fn new(cluster: &mut Cluster, term: &AffinityTerm) -> Self {
        Self {
            scope: scope(cluster, term),
            selector: term.selector.clone(),
            key: term.topology_key,
            topology: cluster.topology_for(term.topology_key),
        }
    }

    /// Resolves a term whose label key is in use already.
    pub fn resolve(cluster: &Cluster, term: &AffinityTerm) -> Option<Self> {
        Some(Self {
            scope: scope(cluster, term),
            selector: term.selector.clone(),
            key: term.topology_key,
            topology: cluster.topology().find(term.topology_key)?,
        })
    }

    /// Whether a pod is meant.
    pub fn matches(&self, pod: &PodInfo) -> bool {
        self.scope.contains(pod.namespace) && self.selector.matches(&pod.pod.metadata.labels)
    }

    /// The counter of the pods that are meant.
    pub fn counter(&self, cluster: &mut Cluster) -> CounterIdx {
        counter(cluster, core::slice::from_ref(self))
    }
}

/// A namespace without pods has no number, and needs none.
///
/// kube-scheduler lists the namespaces that the selector matches, but then goes on to try the
/// selector on no labels at all, so one that can be met by absence (`NotIn`, `DoesNotExist`) means
/// every namespace (`mergeAffinityTermNamespacesIfNotEmpty` clears it in a copy only).
fn scope(cluster: &Cluster, term: &AffinityTerm) -> Scope {
    if term.namespace_selector.matches(&Labels::new()) {
        return Scope::All;
    }
    let selected = cluster
        .namespaces()
        .values()
        .filter(|namespace| term.namespace_selector.matches(&namespace.metadata.labels))
        .filter_map(|namespace| cluster.strings().find(&namespace.metadata.name));
    let mut names: Vec<StrId> = term.namespaces.iter().copied().chain(selected).collect();
    sort(&mut names);
    names.dedup();
    Scope::Namespaces(names)
}

/// The counter of pods that all terms mean at once.
pub fn counter(cluster: &mut Cluster, terms: &[IncomingTerm]) -> CounterIdx {
    let parts = terms.iter().map(|term| (term.scope.clone(), term.selector.clone())).collect();
    cluster.counter_for(CounterKey { parts, terminating: true })
}

/// Labels of a pod's namespace; none known means none (`GetNamespaceLabelsSnapshot`).
pub fn namespace_labels(cluster: &Cluster, pod: &PodInfo) -> Labels {
    cluster.namespace_labels(&pod.pod.metadata.namespace).cloned().unwrap_or_default()
}
