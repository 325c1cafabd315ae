//! What could make a pod schedulable that was not near, or not apart enough.
//!
//! Mirrors `isSchedulableAfterPodChange` and `isSchedulableAfterNodeChange` of `plugin.go`. Namespaces are not
//! resolved here, as they are for Filter: a namespace selector means the namespaces that it would mean if they had no
//! labels.

use crate::api::{Labels, Node};
use crate::cluster::affinity_term::TermError;
use crate::cluster::{AffinityTerm, Cluster, PodInfo};
use crate::framework::hint::HintContext;

/// A pod that stands on a node, or is nominated to one, came or changed so that the pod can be near it; or it went,
/// or changed, so that the two need not be apart. Or the pod itself has other labels.
pub fn pod(cx: &mut HintContext<'_>, old: Option<&PodInfo>, new: Option<&PodInfo>) -> bool {
    if let (Some(_), Some(new)) = (old, new)
        && new.uid == cx.pod.uid
    {
        return true;
    }
    if [old, new].into_iter().flatten().any(|pod| !pod.has_a_node()) {
        return false;
    }
    if cannot_be_used(cx.pod) {
        return true;
    }
    let near = &cx.pod.terms.required_affinity;
    let apart = &cx.pod.terms.required_anti_affinity;
    match (old, new) {
        (Some(old), Some(new)) => {
            !all_mean(near, old) && all_mean(near, new)
                || all_mean(apart, old) && !all_mean(apart, new)
        }
        (None, Some(new)) => all_mean(near, new),
        (Some(old), None) => {
            all_mean(apart, old)
                || cannot_be_used(old)
                || all_mean(&old.terms.required_anti_affinity, cx.pod)
        }
        (None, None) => false,
    }
}

/// A node came with a label whose value makes domains in which the pod wants to be, or any node for a pod that wants
/// to be apart from others; or such a label changed in a way that could help.
pub fn node(cx: &mut HintContext<'_>, old: Option<&Node>, new: Option<&Node>) -> bool {
    if cannot_be_used(cx.pod) {
        return true;
    }
    let label = |term: &AffinityTerm, node: Option<&Node>| {
        node?.metadata.labels.get(key(cx.cluster, term)).cloned()
    };
    let terms = &cx.pod.terms;
    for term in &terms.required_affinity {
        let is = label(term, new);
        if is.is_some() && is != label(term, old) {
            return true;
        }
    }
    for term in &terms.required_anti_affinity {
        let was = label(term, old);
        if old.is_none() || was.is_some() && was != label(term, new) {
            return true;
        }
    }
    false
}

fn key<'c>(cluster: &'c Cluster, term: &AffinityTerm) -> &'c str {
    cluster.strings().get(term.topology_key)
}

fn cannot_be_used(pod: &PodInfo) -> bool {
    pod.term_error.as_ref().is_some_and(TermError::concerns_required)
}

/// Whether there are terms, and all mean the pod (`podMatchesAllAffinityTerms`).
fn all_mean(terms: &[AffinityTerm], pod: &PodInfo) -> bool {
    let means =
        |term: &AffinityTerm| term.matches(pod.namespace, &Labels::new(), &pod.pod.metadata.labels);
    !terms.is_empty() && terms.iter().all(means)
}
