//! `selector`: whether a label selector selects some labels.

use berth_core::api::{self, Labels, Selector};
use serde::Deserialize;
use serde_json::{Value, json};

/// The input.
#[derive(Deserialize)]
pub(super) struct Input {
    #[serde(default)]
    selector: Option<LabelSelector>,
    #[serde(default, deserialize_with = "super::labels")]
    labels: Labels,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct LabelSelector {
    #[serde(default, deserialize_with = "super::labels")]
    match_labels: Labels,
    #[serde(default, deserialize_with = "super::null_is_default")]
    match_expressions: Vec<Requirement>,
}

/// An entry of `matchExpressions` or `matchFields`, of a label selector or a node selector.
#[derive(Deserialize)]
pub(super) struct Requirement {
    #[serde(default, deserialize_with = "super::null_is_default")]
    pub(super) key: String,
    #[serde(default, deserialize_with = "super::null_is_default")]
    pub(super) operator: String,
    #[serde(default, deserialize_with = "super::null_is_default")]
    pub(super) values: Vec<String>,
}

impl From<LabelSelector> for api::LabelSelector {
    fn from(LabelSelector { match_labels, match_expressions }: LabelSelector) -> Self {
        let requirement = |Requirement { key, operator, values }| api::LabelSelectorRequirement {
            key,
            operator,
            values,
        };
        Self {
            match_labels,
            match_expressions: match_expressions.into_iter().map(requirement).collect(),
        }
    }
}

pub(super) fn answer(input: Input) -> Value {
    let selector = input.selector.map(api::LabelSelector::from);
    match Selector::from_label_selector(selector.as_ref()) {
        Ok(selector) => json!({
            "matches": selector.matches(&input.labels),
            "empty": selector.is_empty(),
            "string": selector.to_string(),
        }),
        Err(error) => json!({ "error": error.to_string() }),
    }
}
