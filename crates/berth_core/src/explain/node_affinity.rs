//! Node selector and node affinity, as written and as each node meets them.

use alloc::string::{String, ToString};
use alloc::vec::Vec;

use crate::api::node_selector::{LazyNodeSelector, PreferredTerms, TermMatcher};
use crate::framework::state::Context;
use crate::plugins::node_affinity::required_node_affinity;

/// What the pod and the profile ask of node labels, in Kubernetes' notation.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NodeAffinityExplanation {
    /// `spec.nodeSelector`; empty if there is none.
    pub node_selector: String,
    /// The required terms with their index; one of them must hold. A term that cannot be used
    /// holds nowhere, and its text says why.
    pub required: Vec<String>,
    /// The pod's preferred terms with their weights.
    pub preferred: Vec<(i32, String)>,
    /// The profile's preferred terms with their weights.
    pub added_preferred: Vec<(i32, String)>,
}

pub(super) fn explain(cx: &Context<'_>) -> NodeAffinityExplanation {
    let required = required_node_affinity(&cx.pod.pod);
    let affinity = cx.pod.pod.spec.affinity.as_ref().and_then(|a| a.node_affinity.as_ref());
    let preferred = affinity.and_then(|a| PreferredTerms::new(&a.preferred).ok());
    NodeAffinityExplanation {
        node_selector: required.node_selector().to_string(),
        required: required
            .affinity()
            .map(LazyNodeSelector::terms)
            .unwrap_or_default()
            .iter()
            .map(|term| match term {
                Ok(term) => text(term),
                Err(errors) => errors.to_string(),
            })
            .collect(),
        preferred: weighted(preferred.as_ref()),
        added_preferred: weighted(cx.profile.added_preferred_terms.as_ref()),
    }
}

fn weighted(terms: Option<&PreferredTerms>) -> Vec<(i32, String)> {
    let terms = terms.map(PreferredTerms::terms).unwrap_or_default();
    terms.iter().map(|term| (term.weight, text(&term.term))).collect()
}

/// Labels in selector notation, then fields.
fn text(term: &TermMatcher) -> String {
    let mut text = term.labels().to_string();
    for field in term.fields() {
        if !text.is_empty() {
            text.push(',');
        }
        text.push_str(&field.key);
        text.push_str(if field.equals { "=" } else { "!=" });
        text.push_str(&field.value);
    }
    text
}
