//! Node selectors and node affinity.
//!
//! Mirrors `scheduling/corev1/nodeaffinity` of component-helpers. One deviation: in an error text a list of values that
//! was left out is shown as `[]`, as an empty one is; Kubernetes shows it as `null`.

mod matcher;
#[cfg(test)]
mod tests;

use alloc::string::String;
use alloc::vec::Vec;

pub use matcher::{
    FieldRequirement, LazyNodeSelector, PreferredTerm, PreferredTerms, RequiredNodeAffinity,
    RequiredNodeSelector, TermMatcher,
};

/// A node selector as it is written (`v1.NodeSelector`): one of the terms must match.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeSelector {
    /// The terms; none matches no node.
    pub node_selector_terms: Vec<NodeSelectorTerm>,
}

/// A term: every requirement must hold. A term without any matches no node.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeSelectorTerm {
    /// Requirements on the node's labels.
    pub match_expressions: Vec<NodeSelectorRequirement>,
    /// Requirements on the node's fields, of which `metadata.name` is the only one.
    pub match_fields: Vec<NodeSelectorRequirement>,
}

impl NodeSelectorTerm {
    fn is_empty(&self) -> bool {
        self.match_expressions.is_empty() && self.match_fields.is_empty()
    }
}

/// An entry of `matchExpressions` or `matchFields`.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeSelectorRequirement {
    /// The label or the field.
    pub key: String,
    /// `In`, `NotIn`, `Exists`, `DoesNotExist`, `Gt` or `Lt`; anything else is an error when the term is compiled.
    pub operator: String,
    /// What it is compared with.
    pub values: Vec<String>,
}

/// A term that a node is better for matching (`v1.PreferredSchedulingTerm`).
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PreferredSchedulingTerm {
    /// What a match is worth, 1 to 100.
    pub weight: i32,
    /// The term.
    pub preference: NodeSelectorTerm,
}
