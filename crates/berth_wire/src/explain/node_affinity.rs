//! Node selector and node affinity as they are written, with what is wrong with a term.

use berth_core::collections::Set;

use berth_core::api::{
    LazyNodeSelector, NodeAffinity, NodeSelector, NodeSelectorTerm, Pod, PreferredSchedulingTerm,
};
use berth_core::framework::profile::Profile;
use serde_json::{Value, json};

use super::labels;

/// What the pod and the profile ask of nodes.
pub(super) fn node_affinity(pod: &Pod, profile: &Profile) -> Value {
    let (own, added) = sources(pod, profile);
    let required = |affinity: Option<&NodeAffinity>| -> Value {
        let selector = affinity.and_then(|affinity| affinity.required.as_ref());
        selector.map_or(Value::Null, required_terms)
    };
    let preferred = |affinity: Option<&NodeAffinity>| -> Value {
        let terms = affinity.map(|affinity| affinity.preferred.as_slice()).unwrap_or_default();
        terms.iter().map(preferred_term).collect()
    };
    json!({
        "nodeSelector": labels::labels(&pod.spec.node_selector),
        "required": required(own),
        "addedRequired": required(added),
        "preferred": preferred(own),
        "addedPreferred": preferred(added),
    })
}

/// The label keys that any of it looks at.
pub(super) fn keys<'a>(pod: &'a Pod, profile: &'a Profile, keys: &mut Set<&'a str>) {
    keys.extend(pod.spec.node_selector.keys().map(String::as_str));
    let (own, added) = sources(pod, profile);
    for affinity in [own, added].into_iter().flatten() {
        let required = affinity.required.iter().flat_map(|selector| &selector.node_selector_terms);
        let preferred = affinity.preferred.iter().map(|term| &term.preference);
        keys.extend(required.chain(preferred).flat_map(labels::term_keys));
    }
}

fn sources<'a>(
    pod: &'a Pod,
    profile: &'a Profile,
) -> (Option<&'a NodeAffinity>, Option<&'a NodeAffinity>) {
    let own = pod.spec.affinity.as_ref().and_then(|affinity| affinity.node_affinity.as_ref());
    (own, profile.args.node_affinity.added_affinity.as_ref())
}

fn required_terms(selector: &NodeSelector) -> Value {
    let terms = selector.node_selector_terms.iter().enumerate();
    terms
        .map(|(i, term)| {
            let mut written = labels::term(term);
            written.insert("problem".to_owned(), problem(selector, i).into());
            Value::Object(written)
        })
        .collect()
}

/// Why a term matches nothing, if it cannot.
fn problem(selector: &NodeSelector, at: usize) -> Option<String> {
    // The other terms are emptied, not removed: the text names the place of this one.
    let keep = |(i, term): (usize, &NodeSelectorTerm)| {
        if i == at { term.clone() } else { NodeSelectorTerm::default() }
    };
    let terms = selector.node_selector_terms.iter().enumerate().map(keep).collect();
    let alone = LazyNodeSelector::new(&NodeSelector { node_selector_terms: terms });
    match alone.terms().first() {
        None => Some("a term without requirements matches no node".to_owned()),
        Some(Err(errors)) => Some(errors.to_string()),
        Some(Ok(_)) => None,
    }
}

fn preferred_term(term: &PreferredSchedulingTerm) -> Value {
    let empty =
        term.preference.match_expressions.is_empty() && term.preference.match_fields.is_empty();
    let mut written = labels::term(&term.preference);
    written.insert("weight".to_owned(), term.weight.into());
    let problem = if empty {
        Some("a term without requirements matches no node")
    } else if term.weight == 0 {
        Some("a term of weight 0 is not looked at")
    } else {
        None
    };
    written.insert("problem".to_owned(), problem.into());
    Value::Object(written)
}
