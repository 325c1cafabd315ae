//! Label selectors.
use super::Labels;
use alloc::{string::String, vec::Vec};
/// A label selector.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LabelSelector {
    /// Labels that must be equal.
    pub match_labels: Labels,
    /// Requirements.
    pub match_expressions: Vec<LabelSelectorRequirement>,
}
/// A requirement.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LabelSelectorRequirement {
    /// Key.
    pub key: String,
    /// Operator.
    pub operator: String,
    /// Values.
    pub values: Vec<String>,
}
/// A compiled selector.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Selector;
