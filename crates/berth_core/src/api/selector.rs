//! Label selectors.
//!
//! Mirrors `labels/selector.go` and `LabelSelectorAsSelector` (`apis/meta/v1/helpers.go`) of apimachinery.

use crate::collections::sort_by;
mod requirement;
#[cfg(test)]
mod tests;

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use super::field_error::quote;
use super::{FieldErrors, Labels};
pub use requirement::{Operator, Requirement};

/// A label selector as it is written (`metav1.LabelSelector`): everything in it must hold.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LabelSelector {
    /// Labels that must be there with these values.
    pub match_labels: Labels,
    /// Further requirements.
    pub match_expressions: Vec<LabelSelectorRequirement>,
}

/// An entry of `matchExpressions`.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LabelSelectorRequirement {
    /// The label.
    pub key: String,
    /// `In`, `NotIn`, `Exists` or `DoesNotExist`; anything else is an error when the selector is compiled.
    pub operator: String,
    /// The values for `In` and `NotIn`.
    pub values: Vec<String>,
}

/// Why a label selector cannot be compiled. `Display` gives Kubernetes' words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SelectorError {
    /// The operator is not one of the four.
    Operator(String),
    /// A key or a value is not allowed.
    Fields(FieldErrors),
}

impl fmt::Display for SelectorError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Operator(operator) => {
                write!(f, "{} is not a valid label selector operator", quote(operator))
            }
            Self::Fields(errors) => errors.fmt(f),
        }
    }
}

impl core::error::Error for SelectorError {}

impl From<FieldErrors> for SelectorError {
    fn from(errors: FieldErrors) -> Self {
        Self::Fields(errors)
    }
}

/// A compiled selector. `Display` gives Kubernetes' text, like `app=web,tier in (a,b)`; the default selects everything.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Selector(Kind);

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Kind {
    Nothing,
    /// All must hold; sorted by key.
    All(Vec<Requirement>),
}

impl Selector {
    /// Compiles a label selector: none selects nothing, an empty one everything.
    ///
    /// Of several errors the first is reported, labels by key before expressions (Kubernetes takes the labels in any
    /// order).
    pub fn from_label_selector(selector: Option<&LabelSelector>) -> Result<Self, SelectorError> {
        let Some(selector) = selector else { return Ok(Self::nothing()) };
        let mut requirements =
            Vec::with_capacity(selector.match_labels.len() + selector.match_expressions.len());
        for (key, value) in &selector.match_labels {
            requirements.push(Requirement::new(
                key.clone(),
                Operator::Equals,
                alloc::vec![value.clone()],
            )?);
        }
        for expression in &selector.match_expressions {
            let operator = match expression.operator.as_str() {
                "In" => Operator::In,
                "NotIn" => Operator::NotIn,
                "Exists" => Operator::Exists,
                "DoesNotExist" => Operator::DoesNotExist,
                other => return Err(SelectorError::Operator(other.into())),
            };
            requirements.push(Requirement::new(
                expression.key.clone(),
                operator,
                expression.values.clone(),
            )?);
        }
        Ok(Self::all(requirements))
    }

    /// Selects what carries all these labels, which are not validated (`SelectorFromSet`).
    #[must_use]
    pub fn from_set(labels: &Labels) -> Self {
        Self::all(
            labels
                .iter()
                .map(|(key, value)| Requirement::equals(key.clone(), value.clone()))
                .collect(),
        )
    }

    /// Selects what meets all these requirements.
    #[must_use]
    pub fn all(mut requirements: Vec<Requirement>) -> Self {
        sort_by(&mut requirements, |a, b| a.key().cmp(b.key()));
        Self(Kind::All(requirements))
    }

    /// Selects everything.
    #[must_use]
    pub const fn everything() -> Self {
        Self(Kind::All(Vec::new()))
    }

    /// Selects nothing.
    #[must_use]
    pub const fn nothing() -> Self {
        Self(Kind::Nothing)
    }

    /// Adds a requirement; one that selects nothing stays so.
    pub fn add(&mut self, requirement: Requirement) {
        if let Kind::All(requirements) = &mut self.0 {
            let at = requirements.partition_point(|r| r.key() <= requirement.key());
            requirements.insert(at, requirement);
        }
    }

    /// Whether the labels are selected.
    #[must_use]
    pub fn matches(&self, labels: &Labels) -> bool {
        match &self.0 {
            Kind::Nothing => false,
            Kind::All(requirements) => requirements.iter().all(|r| r.matches(labels)),
        }
    }

    /// Whether everything is selected.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        matches!(&self.0, Kind::All(requirements) if requirements.is_empty())
    }

    /// Whether nothing can be selected.
    #[must_use]
    pub fn is_nothing(&self) -> bool {
        self.0 == Kind::Nothing
    }

    /// What must hold, sorted by key; empty also for the selector of nothing.
    #[must_use]
    pub fn requirements(&self) -> &[Requirement] {
        match &self.0 {
            Kind::Nothing => &[],
            Kind::All(requirements) => requirements,
        }
    }
}

impl Default for Selector {
    fn default() -> Self {
        Self::everything()
    }
}

impl fmt::Display for Selector {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, requirement) in self.requirements().iter().enumerate() {
            if i > 0 {
                f.write_str(",")?;
            }
            requirement.fmt(f)?;
        }
        Ok(())
    }
}
