//! Node selectors, compiled.

use alloc::string::String;
use alloc::vec::Vec;

use super::{NodeSelector, NodeSelectorRequirement, NodeSelectorTerm, PreferredSchedulingTerm};
use crate::api::field_error::{BadValue, FieldError, child, index};
use crate::api::selector::{Operator, Requirement};
use crate::api::{FieldErrors, Labels, Selector};

/// The one field of a node that can be selected by.
const NAME_FIELD: &str = "metadata.name";
const OPERATORS: [&str; 6] = ["In", "NotIn", "Exists", "DoesNotExist", "Gt", "Lt"];
const FIELD_OPERATORS: [&str; 2] = ["In", "NotIn"];

/// One compiled term.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TermMatcher {
    index: u32,
    labels: Selector,
    fields: Vec<FieldRequirement>,
}

/// A compiled requirement on a field of the node.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FieldRequirement {
    /// The field. Any but `metadata.name` is empty on every node.
    pub key: String,
    /// Whether the field must have the value, or must not have it.
    pub equals: bool,
    /// The value.
    pub value: String,
}

impl FieldRequirement {
    /// Whether a node of this name meets the requirement. One without a name meets every requirement.
    #[must_use]
    pub fn matches(&self, node_name: &str) -> bool {
        let field = if self.key == NAME_FIELD { node_name } else { "" };
        node_name.is_empty() || (field == self.value) == self.equals
    }
}

impl TermMatcher {
    fn new(term: &NodeSelectorTerm, index: usize, path: &str) -> Result<Self, FieldErrors> {
        let mut errors = Vec::new();
        let labels = label_requirements(
            &term.match_expressions,
            &child(path, "matchExpressions"),
            &mut errors,
        );
        let fields =
            field_requirements(&term.match_fields, &child(path, "matchFields"), &mut errors);
        FieldErrors::check(errors)?;
        Ok(Self { index: index as u32, labels: Selector::all(labels), fields })
    }

    /// The term's place in the list that it was written in.
    #[must_use]
    pub fn index(&self) -> u32 {
        self.index
    }

    /// What the node's labels must meet.
    #[must_use]
    pub fn labels(&self) -> &Selector {
        &self.labels
    }

    /// What the node's fields must meet.
    #[must_use]
    pub fn fields(&self) -> &[FieldRequirement] {
        &self.fields
    }

    /// Whether a node with these labels and this name matches.
    #[must_use]
    pub fn matches(&self, labels: &Labels, node_name: &str) -> bool {
        self.labels.matches(labels) && self.fields.iter().all(|f| f.matches(node_name))
    }
}

fn label_requirements(
    requirements: &[NodeSelectorRequirement],
    path: &str,
    errors: &mut Vec<FieldError>,
) -> Vec<Requirement> {
    let mut compiled = Vec::with_capacity(requirements.len());
    for (i, requirement) in requirements.iter().enumerate() {
        let path = index(path, i);
        let operator = match requirement.operator.as_str() {
            "In" => Operator::In,
            "NotIn" => Operator::NotIn,
            "Exists" => Operator::Exists,
            "DoesNotExist" => Operator::DoesNotExist,
            "Gt" => Operator::GreaterThan,
            "Lt" => Operator::LessThan,
            other => {
                errors.push(FieldError::not_supported(child(&path, "operator"), other, &OPERATORS));
                continue;
            }
        };
        let (key, values) = (requirement.key.clone(), requirement.values.clone());
        match Requirement::at(key, operator, values, &path, BadValue::list(&[])) {
            Ok(requirement) => compiled.push(requirement),
            Err(more) => errors.extend(more.into_vec()),
        }
    }
    compiled
}

fn field_requirements(
    requirements: &[NodeSelectorRequirement],
    path: &str,
    errors: &mut Vec<FieldError>,
) -> Vec<FieldRequirement> {
    let mut compiled = Vec::with_capacity(requirements.len());
    for (i, requirement) in requirements.iter().enumerate() {
        let path = index(path, i);
        let equals = match requirement.operator.as_str() {
            "In" => true,
            "NotIn" => false,
            other => {
                errors.push(FieldError::not_supported(
                    child(&path, "operator"),
                    other,
                    &FIELD_OPERATORS,
                ));
                continue;
            }
        };
        if let [value] = requirement.values.as_slice() {
            compiled.push(FieldRequirement {
                key: requirement.key.clone(),
                equals,
                value: value.clone(),
            });
        } else {
            let values = BadValue::list(&requirement.values);
            errors.push(FieldError::invalid(
                child(&path, "values"),
                values,
                "must have one element",
            ));
        }
    }
    compiled
}

/// A node selector whose errors are all reported when it is compiled (`NewNodeSelector`).
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RequiredNodeSelector {
    terms: Vec<TermMatcher>,
}

impl RequiredNodeSelector {
    /// Compiles a node selector.
    pub fn new(selector: &NodeSelector) -> Result<Self, FieldErrors> {
        let mut errors = Vec::new();
        let mut terms = Vec::new();
        for term in LazyNodeSelector::new(selector).terms {
            match term {
                Ok(term) => terms.push(term),
                Err(more) => errors.extend(more.into_vec()),
            }
        }
        FieldErrors::check(errors)?;
        Ok(Self { terms })
    }

    /// Whether a node with these labels and this name matches one of the terms.
    #[must_use]
    pub fn matches(&self, labels: &Labels, node_name: &str) -> bool {
        self.terms.iter().any(|term| term.matches(labels, node_name))
    }
}

/// A node selector whose errors are reported only if no term matches (`NewLazyErrorNodeSelector`): what the scheduler
/// uses.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LazyNodeSelector {
    terms: Vec<Result<TermMatcher, FieldErrors>>,
}

impl LazyNodeSelector {
    /// Compiles a node selector. Terms without any requirement match nothing and are dropped.
    #[must_use]
    pub fn new(selector: &NodeSelector) -> Self {
        let terms =
            selector.node_selector_terms.iter().enumerate().filter(|(_, term)| !term.is_empty());
        let compile = |(i, term)| TermMatcher::new(term, i, &index("nodeSelectorTerms", i));
        Self { terms: terms.map(compile).collect() }
    }

    /// Whether a node with these labels and this name matches one of the terms.
    pub fn matches(&self, labels: &Labels, node_name: &str) -> Result<bool, FieldErrors> {
        let mut errors = Vec::new();
        for term in &self.terms {
            match term {
                Ok(term) if term.matches(labels, node_name) => return Ok(true),
                Ok(_) => {}
                Err(more) => errors.extend(more.as_slice().iter().cloned()),
            }
        }
        FieldErrors::check(errors).map(|()| false)
    }

    /// The terms, each compiled or with its errors.
    pub fn terms(&self) -> &[Result<TermMatcher, FieldErrors>] {
        &self.terms
    }
}

/// Preferred terms, compiled (`NewPreferredSchedulingTerms`).
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PreferredTerms {
    terms: Vec<PreferredTerm>,
}

/// One preferred term, compiled.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PreferredTerm {
    /// What a match is worth.
    pub weight: i32,
    /// The term.
    pub term: TermMatcher,
}

impl PreferredTerms {
    /// Compiles preferred terms. Those without any requirement, and those of weight 0, are dropped unread.
    pub fn new(terms: &[PreferredSchedulingTerm]) -> Result<Self, FieldErrors> {
        let mut errors = Vec::new();
        let mut compiled = Vec::new();
        for (i, PreferredSchedulingTerm { weight, preference }) in terms.iter().enumerate() {
            if *weight == 0 || preference.is_empty() {
                continue;
            }
            match TermMatcher::new(preference, i, &index("", i)) {
                Ok(term) => compiled.push(PreferredTerm { weight: *weight, term }),
                Err(more) => errors.extend(more.into_vec()),
            }
        }
        FieldErrors::check(errors)?;
        Ok(Self { terms: compiled })
    }

    /// The sum of the weights of the terms that a node with these labels and this name matches.
    #[must_use]
    pub fn score(&self, labels: &Labels, node_name: &str) -> i64 {
        let matching = self.terms.iter().filter(|t| t.term.matches(labels, node_name));
        matching.map(|t| i64::from(t.weight)).sum()
    }

    /// The terms.
    #[must_use]
    pub fn terms(&self) -> &[PreferredTerm] {
        &self.terms
    }

    /// Whether no term is left.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.terms.is_empty()
    }
}

/// What a pod requires of its node: `nodeSelector` and the required node affinity (`GetRequiredNodeAffinity`).
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RequiredNodeAffinity {
    node_selector: Selector,
    affinity: Option<LazyNodeSelector>,
}

impl RequiredNodeAffinity {
    /// Compiles both. Errors come up when they are matched.
    #[must_use]
    pub fn new(node_selector: &Labels, affinity: Option<&NodeSelector>) -> Self {
        Self {
            node_selector: Selector::from_set(node_selector),
            affinity: affinity.map(LazyNodeSelector::new),
        }
    }

    /// Whether a node with these labels and this name meets both.
    pub fn matches(&self, labels: &Labels, node_name: &str) -> Result<bool, FieldErrors> {
        if !self.node_selector.matches(labels) {
            return Ok(false);
        }
        self.affinity.as_ref().map_or(Ok(true), |affinity| affinity.matches(labels, node_name))
    }

    /// The pod's `nodeSelector`.
    #[must_use]
    pub fn node_selector(&self) -> &Selector {
        &self.node_selector
    }

    /// The pod's required node affinity.
    #[must_use]
    pub fn affinity(&self) -> Option<&LazyNodeSelector> {
        self.affinity.as_ref()
    }
}
