//! Node selector and node affinity, as written and as each node meets them.

use alloc::string::{String, ToString};
use alloc::vec::Vec;

use crate::api::node_selector::{FieldRequirement, LazyNodeSelector, PreferredTerms, TermMatcher};
use crate::api::{FieldErrors, Node, Pod, Selector};
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

/// What a pod asks of node labels, as one node meets it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NodeAffinityOnNode {
    /// `spec.nodeSelector`: all must hold.
    pub node_selector: Vec<RequirementOnNode>,
    /// The required terms: one of them must hold. None if the pod has no required affinity.
    pub terms: Option<Vec<TermOnNode>>,
}

/// A required term.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TermOnNode {
    /// Index in `nodeSelectorTerms`; none for one that cannot be used.
    pub index: Option<u32>,
    /// Its requirements: all must hold.
    pub requirements: Vec<RequirementOnNode>,
}

impl TermOnNode {
    /// Whether the node meets the term.
    pub fn holds(&self) -> bool {
        self.index.is_some() && self.requirements.iter().all(|requirement| requirement.holds)
    }
}

/// A requirement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RequirementOnNode {
    /// In Kubernetes' notation; for a term that cannot be used, why.
    pub text: String,
    /// The node's own value, if it has the label.
    pub own: Option<String>,
    /// Whether it holds.
    pub holds: bool,
}

/// What a pod requires of node labels, requirement by requirement.
pub fn on_node(pod: &Pod, node: &Node) -> NodeAffinityOnNode {
    let required = required_node_affinity(pod);
    let terms = required.affinity().map(|affinity| {
        let term = |term: &Result<TermMatcher, FieldErrors>| match term {
            Ok(term) => TermOnNode {
                index: Some(term.index()),
                requirements: requirements(term.labels(), term.fields(), node),
            },
            Err(errors) => TermOnNode {
                index: None,
                requirements: alloc::vec![RequirementOnNode {
                    text: errors.to_string(),
                    own: None,
                    holds: false,
                }],
            },
        };
        affinity.terms().iter().map(term).collect()
    });
    NodeAffinityOnNode { node_selector: requirements(required.node_selector(), &[], node), terms }
}

fn requirements(
    labels: &Selector,
    fields: &[FieldRequirement],
    node: &Node,
) -> Vec<RequirementOnNode> {
    let own = &node.metadata.labels;
    let mut list: Vec<RequirementOnNode> = Vec::new();
    for requirement in labels.requirements() {
        list.push(RequirementOnNode {
            text: requirement.to_string(),
            own: own.get(requirement.key()).cloned(),
            holds: requirement.matches(own),
        });
    }
    for field in fields {
        list.push(RequirementOnNode {
            text: field_text(field),
            own: Some(node.metadata.name.clone()),
            holds: field.matches(&node.metadata.name),
        });
    }
    list
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
        text.push_str(&field_text(field));
    }
    text
}

fn field_text(field: &FieldRequirement) -> String {
    [&*field.key, if field.equals { "=" } else { "!=" }, &*field.value].concat()
}
