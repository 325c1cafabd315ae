//! One requirement on labels: `labels.Requirement`.

use crate::collections::sort;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use crate::api::field_error::{BadValue, FieldError, child, index};
use crate::api::names::{label_key_errors, label_value_errors};
use crate::api::{FieldErrors, Labels};

/// How a label is compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Operator {
    /// The label has one of the values.
    In,
    /// The label is missing or has none of the values.
    NotIn,
    /// The label has the one value.
    Equals,
    /// The label is there.
    Exists,
    /// The label is missing.
    DoesNotExist,
    /// The label is a whole number greater than the one value.
    GreaterThan,
    /// The label is a whole number less than the one value.
    LessThan,
}

/// One requirement on labels. `Display` gives Kubernetes' text, like `tier notin (a,b)`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Requirement {
    key: String,
    operator: Operator,
    values: Vec<String>,
}

impl Requirement {
    /// A validated requirement (`labels.NewRequirement`).
    pub fn new(key: String, operator: Operator, values: Vec<String>) -> Result<Self, FieldErrors> {
        // Kubernetes copies the list on this way, which turns an empty one into none.
        Self::at(key, operator, values, "", BadValue::Json("null".into()))
    }

    /// As [`Requirement::new`], for a requirement that stands at `path`. `no_values` shows an empty list of values.
    pub(in crate::api) fn at(
        key: String,
        operator: Operator,
        values: Vec<String>,
        path: &str,
        no_values: BadValue,
    ) -> Result<Self, FieldErrors> {
        let mut errors = Vec::new();
        let complaints = label_key_errors(&key);
        if !complaints.is_empty() {
            let key = BadValue::Text(key.clone());
            errors.push(FieldError::invalid(child(path, "key"), key, &complaints.join("; ")));
        }
        let path = child(path, "values");
        if let Some(complaint) = count_error(operator, values.len()) {
            let shown = if values.is_empty() { no_values } else { BadValue::list(&values) };
            errors.push(FieldError::invalid(path.clone(), shown, complaint));
        }
        if matches!(operator, Operator::GreaterThan | Operator::LessThan) {
            for (i, value) in values.iter().enumerate().filter(|(_, v)| v.parse::<i64>().is_err()) {
                errors.push(FieldError::invalid(
                    index(&path, i),
                    BadValue::Text(value.clone()),
                    "for 'Gt', 'Lt' operators, the value must be an integer",
                ));
            }
        }
        for (i, value) in values.iter().enumerate() {
            let complaints = label_value_errors(value);
            if !complaints.is_empty() {
                let field = alloc::format!("{}[{key}]", index(&path, i));
                errors.push(FieldError::invalid(
                    field,
                    BadValue::Text(value.clone()),
                    &complaints.join("; "),
                ));
            }
        }
        FieldErrors::check(errors)?;
        Ok(Self { key, operator, values })
    }

    /// That the label has exactly this value. Neither is validated.
    #[must_use]
    pub fn equals(key: String, value: String) -> Self {
        Self { key, operator: Operator::Equals, values: alloc::vec![value] }
    }

    /// The label.
    #[must_use]
    pub fn key(&self) -> &str {
        &self.key
    }

    /// How it is compared.
    #[must_use]
    pub fn operator(&self) -> Operator {
        self.operator
    }

    /// What it is compared with, in the order in which it was written.
    #[must_use]
    pub fn values(&self) -> &[String] {
        &self.values
    }

    /// Whether the labels meet the requirement.
    #[must_use]
    pub fn matches(&self, labels: &Labels) -> bool {
        let label = labels.get(&self.key);
        match self.operator {
            Operator::In | Operator::Equals => label.is_some_and(|l| self.values.contains(l)),
            Operator::NotIn => label.is_none_or(|l| !self.values.contains(l)),
            Operator::Exists => label.is_some(),
            Operator::DoesNotExist => label.is_none(),
            Operator::GreaterThan => {
                self.numbers(label).is_some_and(|(label, value)| label > value)
            }
            Operator::LessThan => self.numbers(label).is_some_and(|(label, value)| label < value),
        }
    }

    /// The label and the one value as numbers.
    fn numbers(&self, label: Option<&String>) -> Option<(i64, i64)> {
        Some((label?.parse().ok()?, self.values.first()?.parse().ok()?))
    }
}

/// What is wrong with the number of values.
fn count_error(operator: Operator, count: usize) -> Option<&'static str> {
    match operator {
        Operator::In | Operator::NotIn if count == 0 => {
            Some("for 'in', 'notin' operators, values set can't be empty")
        }
        Operator::Equals if count != 1 => {
            Some("exact-match compatibility requires one single value")
        }
        Operator::Exists | Operator::DoesNotExist if count != 0 => {
            Some("values set must be empty for exists and does not exist")
        }
        Operator::GreaterThan | Operator::LessThan if count != 1 => {
            Some("for 'Gt', 'Lt' operators, exactly one value is required")
        }
        _ => None,
    }
}

impl fmt::Display for Requirement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let key = &self.key;
        let mut values: Vec<&str> = self.values.iter().map(String::as_str).collect();
        sort(&mut values);
        let values = values.join(",");
        match self.operator {
            Operator::In => write!(f, "{key} in ({values})"),
            Operator::NotIn => write!(f, "{key} notin ({values})"),
            Operator::Equals => write!(f, "{key}={values}"),
            Operator::Exists => write!(f, "{key}"),
            Operator::DoesNotExist => write!(f, "!{key}"),
            Operator::GreaterThan => write!(f, "{key}>{values}"),
            Operator::LessThan => write!(f, "{key}<{values}"),
        }
    }
}
