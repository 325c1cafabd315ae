//! Pod affinity with the pods behind each count.

use alloc::string::{String, ToString};
use alloc::sync::Arc;
use alloc::vec::Vec;

use crate::api::{ObjectKey, Selector};
use crate::cluster::{AffinityTerm, Cluster, CounterKey, NodeIdx, PodInfo, Scope, StrId, TermRole};
use crate::framework::state::{Context, FilterState, PreFilter};
use crate::plugins::inter_pod_affinity::incoming::{IncomingTerm, namespace_labels};
use crate::plugins::inter_pod_affinity::scoring::weight_of;

/// A term and the pods that it connects.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AffinityExplanation {
    /// Whose term, and what for.
    pub role: AffinityRole,
    /// Index among the incoming pod's terms of that role; none for a term of existing pods.
    pub term: Option<u32>,
    /// The selector, in Kubernetes' notation.
    pub selector: String,
    /// The selector's requirements.
    pub compiled: Selector,
    /// The namespaces that the term looks at; none means all.
    pub namespaces: Option<Vec<String>>,
    /// The label.
    pub topology_key: Arc<str>,
    /// What each pod adds to the score of its domain; 0 for requirements that do not score.
    pub weight: i64,
    /// The pods: those that the incoming pod's term means, or those whose term means it.
    pub pods: Vec<AffinityPod>,
}

/// A pod on a node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AffinityPod {
    /// The pod.
    pub pod: ObjectKey,
    /// Its node.
    pub node: Arc<str>,
    /// The node's domain, if it has the label.
    pub domain: Option<Arc<str>>,
}

/// Whose term, and what for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AffinityRole {
    /// The incoming pod requires to be near. All terms of this role mean the same pods together.
    RequiredAffinity,
    /// The incoming pod requires to be apart.
    RequiredAntiAffinity,
    /// The incoming pod prefers to be near.
    PreferredAffinity,
    /// The incoming pod prefers to be apart.
    PreferredAntiAffinity,
    /// Existing pods require to be apart from the incoming one.
    ExistingRequiredAntiAffinity,
    /// Existing pods require to be near; that counts for the score.
    ExistingRequiredAffinity,
    /// Existing pods prefer to be near.
    ExistingPreferredAffinity,
    /// Existing pods prefer to be apart.
    ExistingPreferredAntiAffinity,
}

/// Preferred terms need the domains of their labels, which the scheduler looks up only when it
/// scores; and all terms are quicker with the number of pods that their selectors select.
pub(super) fn prepare(cluster: &mut Cluster, pod: &PodInfo) {
    let terms = &pod.terms;
    for weighted in terms.preferred_affinity.iter().chain(&terms.preferred_anti_affinity) {
        cluster.topology_for(weighted.term.topology_key);
        cluster.counter_for(CounterKey::any(&weighted.term.selector));
    }
    for term in terms.required_affinity.iter().chain(&terms.required_anti_affinity) {
        cluster.counter_for(CounterKey::any(&term.selector));
    }
}

/// Every term that bears on the pod.
pub(super) fn explain(cx: &Context<'_>, state: &FilterState) -> Vec<AffinityExplanation> {
    let mut list = Vec::new();
    if let Some(PreFilter::Ready(affinity)) = &state.affinity {
        let together = |pod: &PodInfo| affinity.affinity.iter().all(|term| term.matches(pod));
        for (i, term) in affinity.affinity.iter().enumerate() {
            list.push(incoming(cx, AffinityRole::RequiredAffinity, i, term, 0, &together));
        }
        for (i, term) in affinity.anti_affinity.iter().enumerate() {
            let means = |pod: &PodInfo| term.matches(pod);
            list.push(incoming(cx, AffinityRole::RequiredAntiAffinity, i, term, 0, &means));
        }
    }
    preferred(cx, &mut list);
    existing(cx, &mut list);
    list
}

fn preferred(cx: &Context<'_>, list: &mut Vec<AffinityExplanation>) {
    let terms = &cx.pod.terms;
    let near = (AffinityRole::PreferredAffinity, &terms.preferred_affinity, 1);
    let apart = (AffinityRole::PreferredAntiAffinity, &terms.preferred_anti_affinity, -1);
    for (role, weighted, sign) in [near, apart] {
        for (i, weighted) in weighted.iter().enumerate() {
            let Some(term) = IncomingTerm::resolve(cx.cluster, &weighted.term) else { continue };
            let means = |pod: &PodInfo| term.matches(pod);
            list.push(incoming(cx, role, i, &term, sign * i64::from(weighted.weight), &means));
        }
    }
}

fn incoming(
    cx: &Context<'_>,
    role: AffinityRole,
    index: usize,
    term: &IncomingTerm,
    weight: i64,
    means: &dyn Fn(&PodInfo) -> bool,
) -> AffinityExplanation {
    let strings = cx.cluster.strings();
    AffinityExplanation {
        role,
        term: Some(index as u32),
        selector: term.selector.to_string(),
        compiled: term.selector.clone(),
        namespaces: match &term.scope {
            Scope::All => None,
            Scope::Namespaces(names) => {
                Some(names.iter().map(|name| strings.get(*name).to_string()).collect())
            }
        },
        topology_key: strings.shared(term.key),
        weight,
        pods: pods(cx, term.key, means, &nodes_with(cx, &term.selector)),
    }
}

fn existing(cx: &Context<'_>, list: &mut Vec<AffinityExplanation>) {
    let labels = namespace_labels(cx.cluster, cx.pod);
    let own = &cx.pod.pod.metadata.labels;
    for (role, term, nodes) in cx.cluster.terms().iter() {
        if !term.matches(cx.pod.namespace, &labels, own) {
            continue;
        }
        let weight = weight_of(role, &cx.profile.args.inter_pod_affinity);
        let shown = match role {
            TermRole::RequiredAntiAffinity => AffinityRole::ExistingRequiredAntiAffinity,
            TermRole::RequiredAffinity => AffinityRole::ExistingRequiredAffinity,
            TermRole::PreferredAffinity(_) => AffinityRole::ExistingPreferredAffinity,
            TermRole::PreferredAntiAffinity(_) => AffinityRole::ExistingPreferredAntiAffinity,
        };
        let strings = cx.cluster.strings();
        list.push(AffinityExplanation {
            role: shown,
            term: None,
            selector: term.selector.to_string(),
            compiled: term.selector.clone(),
            namespaces: (!term.namespace_selector.is_empty()).then(|| {
                term.namespaces.iter().map(|name| strings.get(*name).to_string()).collect()
            }),
            topology_key: strings.shared(term.topology_key),
            weight: weight.unwrap_or(0),
            pods: pods(cx, term.topology_key, &|pod| has_term(pod, role, term), &|idx| {
                nodes.contains_key(&idx)
            }),
        });
    }
}

fn has_term(pod: &PodInfo, role: TermRole, term: &AffinityTerm) -> bool {
    let terms = &pod.terms;
    match role {
        TermRole::RequiredAffinity => terms.required_affinity.contains(term),
        TermRole::RequiredAntiAffinity => terms.required_anti_affinity.contains(term),
        TermRole::PreferredAffinity(weight) => {
            terms.preferred_affinity.iter().any(|t| t.weight == weight && t.term == *term)
        }
        TermRole::PreferredAntiAffinity(weight) => {
            terms.preferred_anti_affinity.iter().any(|t| t.weight == weight && t.term == *term)
        }
    }
}

/// Tells nodes with pods that a selector selects from the others.
fn nodes_with<'a>(cx: &Context<'a>, selector: &Selector) -> impl Fn(NodeIdx) -> bool + 'a {
    let counters = cx.cluster.counters();
    let counts = counters.find(&CounterKey::any(selector)).map(|idx| counters.by_node(idx));
    move |idx| counts.is_none_or(|counts| counts.get(idx.at()).is_some_and(|count| *count > 0))
}

fn pods(
    cx: &Context<'_>,
    key: StrId,
    means: &dyn Fn(&PodInfo) -> bool,
    on: &dyn Fn(NodeIdx) -> bool,
) -> Vec<AffinityPod> {
    let mut found = Vec::new();
    for &idx in cx.cluster.order() {
        if !on(idx) {
            continue;
        }
        let Some(node) = cx.cluster.node(idx) else { continue };
        let domain = node.label(key).map(|value| cx.cluster.strings().shared(value));
        for pod in node.pods.iter().filter_map(|idx| cx.cluster.pod(*idx)) {
            if means(pod) {
                found.push(AffinityPod {
                    pod: pod.key(),
                    node: Arc::clone(&node.name),
                    domain: domain.clone(),
                });
            }
        }
    }
    found
}
