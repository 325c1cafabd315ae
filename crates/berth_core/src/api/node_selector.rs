//! Node selectors.
use alloc::{string::String, vec::Vec};
/// A node selector: one of the terms must match.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NodeSelector {
    /// Terms.
    pub node_selector_terms: Vec<NodeSelectorTerm>,
}
/// A term: every requirement must match.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NodeSelectorTerm {
    /// On labels.
    pub match_expressions: Vec<NodeSelectorRequirement>,
    /// On fields.
    pub match_fields: Vec<NodeSelectorRequirement>,
}
/// A requirement.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NodeSelectorRequirement {
    /// Key.
    pub key: String,
    /// Operator.
    pub operator: String,
    /// Values.
    pub values: Vec<String>,
}
/// A preferred term.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PreferredSchedulingTerm {
    /// 1 to 100.
    pub weight: i32,
    /// The term.
    pub preference: NodeSelectorTerm,
}
