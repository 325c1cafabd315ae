//! `node-selector`: whether a node selector matches a node, and what preferred terms are worth there.

use berth_core::api::{self, Labels, LazyNodeSelector, PreferredTerms, RequiredNodeSelector};
use serde::Deserialize;
use serde_json::{Value, json};

use super::selector::Requirement;

/// The input.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Input {
    #[serde(default, deserialize_with = "super::null_is_default")]
    node_selector: NodeSelector,
    #[serde(default)]
    preferred: Option<Vec<Preferred>>,
    #[serde(default, deserialize_with = "super::null_is_default")]
    node: Node,
}

#[derive(Deserialize, Default)]
#[serde(rename_all = "camelCase")]
struct NodeSelector {
    #[serde(default, deserialize_with = "super::null_is_default")]
    node_selector_terms: Vec<Term>,
}

#[derive(Deserialize, Default)]
#[serde(rename_all = "camelCase")]
struct Term {
    #[serde(default, deserialize_with = "super::null_is_default")]
    match_expressions: Vec<Requirement>,
    #[serde(default, deserialize_with = "super::null_is_default")]
    match_fields: Vec<Requirement>,
}

#[derive(Deserialize)]
struct Preferred {
    #[serde(default, deserialize_with = "super::null_is_default")]
    weight: i32,
    #[serde(default, deserialize_with = "super::null_is_default")]
    preference: Term,
}

#[derive(Deserialize, Default)]
struct Node {
    #[serde(default, deserialize_with = "super::null_is_default")]
    metadata: Metadata,
}

#[derive(Deserialize, Default)]
struct Metadata {
    #[serde(default, deserialize_with = "super::null_is_default")]
    name: String,
    #[serde(default, deserialize_with = "super::labels")]
    labels: Labels,
}

impl From<Term> for api::NodeSelectorTerm {
    fn from(Term { match_expressions, match_fields }: Term) -> Self {
        let requirements = |list: Vec<Requirement>| {
            let requirement = |Requirement { key, operator, values }| {
                api::NodeSelectorRequirement { key, operator, values }
            };
            list.into_iter().map(requirement).collect()
        };
        Self {
            match_expressions: requirements(match_expressions),
            match_fields: requirements(match_fields),
        }
    }
}

pub(super) fn answer(input: Input) -> Value {
    let Metadata { name, labels } = input.node.metadata;
    let terms = input.node_selector.node_selector_terms.into_iter().map(Into::into).collect();
    let selector = api::NodeSelector { node_selector_terms: terms };
    let mut out = json!({});
    match RequiredNodeSelector::new(&selector) {
        Ok(required) => out["matches"] = required.matches(&labels, &name).into(),
        Err(error) => out["error"] = error.to_string().into(),
    }
    let lazy = LazyNodeSelector::new(&selector).matches(&labels, &name);
    out["lazyMatches"] = (lazy == Ok(true)).into();
    if let Err(error) = lazy {
        out["lazyError"] = error.to_string().into();
    }
    if let Some(preferred) = input.preferred {
        let term = |Preferred { weight, preference }| api::PreferredSchedulingTerm {
            weight,
            preference: preference.into(),
        };
        let terms: Vec<_> = preferred.into_iter().map(term).collect();
        match PreferredTerms::new(&terms) {
            Ok(terms) => out["score"] = terms.score(&labels, &name).into(),
            Err(error) => out["preferredError"] = error.to_string().into(),
        }
    }
    out
}
