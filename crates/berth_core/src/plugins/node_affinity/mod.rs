//! NodeAffinity: node selector, required and preferred node affinity.
//!
//! Mirrors `pkg/scheduler/framework/plugins/nodeaffinity/node_affinity.go`.

pub mod hint;

use crate::collections::Set;
use alloc::string::String;

use crate::api::node_selector::{
    LazyNodeSelector, PreferredTerms, RequiredNodeAffinity, TermMatcher,
};
use crate::api::{Labels, NodeSelector, Pod};
use crate::cluster::NodeInfo;
use crate::framework::fact::{Fact, Sink};
use crate::framework::profile::Profile;
use crate::framework::state::{Context, PreFilter, PreScore};
use crate::framework::status::Code;

/// The pod's requirements, compiled.
#[derive(Clone, Debug)]
pub struct PreFilterState {
    /// Selector and required terms.
    pub required: RequiredNodeAffinity,
    /// Names of the only nodes that can match, if every term asks for nodes by name.
    pub node_names: Option<Set<String>>,
}

fn required_terms(pod: &Pod) -> Option<&NodeSelector> {
    pod.spec.affinity.as_ref()?.node_affinity.as_ref()?.required.as_ref()
}

/// The pod's required node affinity (`GetRequiredNodeAffinity`).
pub fn required_node_affinity(pod: &Pod) -> RequiredNodeAffinity {
    RequiredNodeAffinity::new(&pod.spec.node_selector, required_terms(pod))
}

/// Whether the pod cares for node labels at all.
pub fn has_required(pod: &Pod) -> bool {
    !pod.spec.node_selector.is_empty() || required_terms(pod).is_some()
}

/// Compiles the requirements; finds the nodes when all terms ask for nodes by name.
pub fn pre_filter(profile: &Profile, pod: &Pod) -> PreFilter<PreFilterState> {
    if !has_required(pod) && profile.added_node_selector.is_none() {
        return PreFilter::Skip;
    }
    let node_names = required_terms(pod).and_then(named_nodes);
    if node_names.as_ref().is_some_and(Set::is_empty) {
        return PreFilter::Rejected("pod affinity terms conflict".into());
    }
    PreFilter::Ready(PreFilterState { required: required_node_affinity(pod), node_names })
}

/// The union over the terms of the names that each term allows; none if a term allows any.
fn named_nodes(selector: &NodeSelector) -> Option<Set<String>> {
    if selector.node_selector_terms.is_empty() {
        return None;
    }
    let mut union = Set::new();
    for term in &selector.node_selector_terms {
        let mut names: Option<Set<String>> = None;
        for field in &term.match_fields {
            if field.key == "metadata.name" && field.operator == "In" {
                let listed: Set<String> = field.values.iter().cloned().collect();
                names = Some(match names {
                    None => listed,
                    Some(known) => known.into_iter().filter(|name| listed.contains(name)).collect(),
                });
            }
        }
        union.extend(names?);
    }
    Some(union)
}

/// Refuses a node that the profile or the pod does not want.
pub fn filter<S: Sink>(
    state: &PreFilterState,
    cx: &Context<'_>,
    node: &NodeInfo,
    sink: &mut S,
) -> Code {
    let empty = Labels::new();
    let labels = node.api_labels().unwrap_or(&empty);
    if let Some(added) = &cx.profile.added_node_selector {
        let matches = added.matches(labels, &node.name);
        sink.fact(|| Fact::AddedNodeAffinity { matches });
        if !matches {
            return Code::UnschedulableAndUnresolvable;
        }
    }
    // Errors count as no match, as they do in kube-scheduler.
    let matches = state.required.matches(labels, &node.name).unwrap_or(false);
    sink.fact(|| {
        let terms = state.required.affinity().map(LazyNodeSelector::terms);
        let hit = terms.and_then(|terms| {
            terms
                .iter()
                .position(|term| term.as_ref().is_ok_and(|term| term.matches(labels, &node.name)))
        });
        Fact::NodeAffinity {
            selector: state.required.node_selector().matches(labels),
            term: hit.and_then(|i| terms?.get(i)?.as_ref().ok()).map(TermMatcher::index),
            has_terms: terms.is_some(),
        }
    });
    if matches { Code::Success } else { Code::UnschedulableAndUnresolvable }
}

/// The pod's preferences, compiled.
#[derive(Clone, Debug)]
pub struct PreScoreState {
    preferred: Option<PreferredTerms>,
}

/// Skips when neither pod nor profile prefers anything.
pub fn pre_score(cx: &Context<'_>) -> PreScore<PreScoreState> {
    let affinity = cx.pod.pod.spec.affinity.as_ref();
    let terms = affinity
        .and_then(|affinity| affinity.node_affinity.as_ref())
        .map(|affinity| affinity.preferred.as_slice())
        .filter(|terms| !terms.is_empty());
    let preferred = match terms.map(PreferredTerms::new).transpose() {
        Ok(preferred) => preferred,
        Err(error) => return PreScore::Error(alloc::format!("{error}")),
    };
    if preferred.is_none() && cx.profile.added_preferred_terms.is_none() {
        return PreScore::Skip;
    }
    PreScore::Ready(PreScoreState { preferred })
}

/// Sums the weights of the preferred terms that match.
pub fn score<S: Sink>(
    state: &PreScoreState,
    cx: &Context<'_>,
    node: &NodeInfo,
    sink: &mut S,
) -> i64 {
    let empty = Labels::new();
    let labels = node.api_labels().unwrap_or(&empty);
    let lists =
        [(true, cx.profile.added_preferred_terms.as_ref()), (false, state.preferred.as_ref())];
    let mut sum = 0_i64;
    for (added, terms) in lists {
        let Some(terms) = terms else { continue };
        sum = sum.wrapping_add(terms.score(labels, &node.name));
        if S::RECORDS {
            for term in terms.terms() {
                sink.fact(|| Fact::PreferredTerm {
                    added,
                    term: term.term.index(),
                    weight: i64::from(term.weight),
                    matches: term.term.matches(labels, &node.name),
                });
            }
        }
    }
    sum
}
