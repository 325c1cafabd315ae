//! Tests of the module above.

use alloc::borrow::ToOwned;
use alloc::string::ToString;
use alloc::vec;

use super::*;
use crate::api::Labels;

fn requirement(key: &str, operator: &str, values: &[&str]) -> NodeSelectorRequirement {
    NodeSelectorRequirement {
        key: key.to_owned(),
        operator: operator.to_owned(),
        values: values.iter().map(|v| (*v).to_owned()).collect(),
    }
}

fn on_labels(key: &str, operator: &str, values: &[&str]) -> NodeSelectorTerm {
    NodeSelectorTerm {
        match_expressions: vec![requirement(key, operator, values)],
        match_fields: vec![],
    }
}

fn on_fields(key: &str, operator: &str, values: &[&str]) -> NodeSelectorTerm {
    NodeSelectorTerm {
        match_expressions: vec![],
        match_fields: vec![requirement(key, operator, values)],
    }
}

fn selector(terms: Vec<NodeSelectorTerm>) -> NodeSelector {
    NodeSelector { node_selector_terms: terms }
}

/// The node `n1` with the labels `cores=8` and `zone=a`.
fn node() -> Labels {
    [("cores", "8"), ("zone", "a")].into_iter().map(|(k, v)| (k.to_owned(), v.to_owned())).collect()
}

#[test]
fn terms() {
    for (term, want) in [
        (on_labels("zone", "In", &["a", "b"]), true),
        (on_labels("zone", "NotIn", &["a", "b"]), false),
        (on_labels("disk", "NotIn", &["ssd"]), true),
        (on_labels("disk", "Exists", &[]), false),
        (on_labels("disk", "DoesNotExist", &[]), true),
        (on_labels("cores", "Gt", &["7"]), true),
        (on_labels("cores", "Gt", &["8"]), false),
        (on_labels("cores", "Lt", &["007"]), false),
        (on_labels("cores", "Lt", &["9"]), true),
        (on_labels("zone", "Gt", &["7"]), false),
        (on_labels("disk", "Lt", &["7"]), false),
        (on_fields("metadata.name", "In", &["n1"]), true),
        (on_fields("metadata.name", "NotIn", &["n1"]), false),
        (on_fields("metadata.uid", "In", &[""]), true),
        (NodeSelectorTerm::default(), false),
    ] {
        let required =
            RequiredNodeSelector::new(&selector(vec![term.clone()])).expect("a good selector");
        assert_eq!(required.matches(&node(), "n1"), want, "{term:?}");
    }
}

#[test]
fn a_node_without_a_name_meets_every_requirement_on_fields() {
    let required =
        RequiredNodeSelector::new(&selector(vec![on_fields("metadata.name", "In", &["n1"])]));
    assert_eq!(required.map(|r| r.matches(&node(), "")), Ok(true));
}

#[test]
fn one_term_must_match_with_all_its_requirements() {
    let both = NodeSelectorTerm {
        match_expressions: vec![requirement("zone", "In", &["a"])],
        match_fields: vec![requirement("metadata.name", "In", &["n2"])],
    };
    let lazy = LazyNodeSelector::new(&selector(vec![both.clone()]));
    assert_eq!(lazy.matches(&node(), "n1"), Ok(false));
    let lazy = LazyNodeSelector::new(&selector(vec![both, on_labels("cores", "Exists", &[])]));
    assert_eq!(lazy.matches(&node(), "n1"), Ok(true));
}

/// The texts are Kubernetes'.
#[test]
fn errors_come_up_when_no_term_matches() {
    let bad = vec![on_labels("zone", "Near", &[]), on_fields("metadata.name", "In", &[])];
    let want = "[nodeSelectorTerms[0].matchExpressions[0].operator: Unsupported value: \"Near\": supported values: \
                \"In\", \"NotIn\", \"Exists\", \"DoesNotExist\", \"Gt\", \"Lt\", \
                nodeSelectorTerms[1].matchFields[0].values: Invalid value: []: must have one element]";
    let lazy = LazyNodeSelector::new(&selector(bad.clone()));
    assert_eq!(lazy.matches(&node(), "n1").map_err(|e| e.to_string()), Err(want.to_owned()));
    let good = selector([bad, vec![on_labels("zone", "Exists", &[])]].concat());
    assert_eq!(LazyNodeSelector::new(&good).matches(&node(), "n1"), Ok(true));
    assert_eq!(RequiredNodeSelector::new(&good).map_err(|e| e.to_string()), Err(want.to_owned()));
}

#[test]
fn gt_needs_one_whole_number() {
    let lazy = LazyNodeSelector::new(&selector(vec![on_labels("cores", "Gt", &["x"])]));
    assert_eq!(
        lazy.matches(&node(), "n1").map_err(|e| e.to_string()),
        Err("nodeSelectorTerms[0].matchExpressions[0].values[0]: Invalid value: \"x\": for 'Gt', 'Lt' operators, the \
             value must be an integer"
            .to_owned())
    );
}

/// 5 for the zone and 50 for the name; the term of weight 0 is not even read, the empty one matches nothing.
#[test]
fn preferred_terms_add_up() {
    let preferred = |weight, preference| PreferredSchedulingTerm { weight, preference };
    let terms = [
        preferred(5, on_labels("zone", "In", &["a"])),
        preferred(20, on_labels("zone", "In", &["b"])),
        preferred(0, on_labels("zone", "Near", &[])),
        preferred(7, NodeSelectorTerm::default()),
        preferred(50, on_fields("metadata.name", "In", &["n1"])),
    ];
    let compiled = PreferredTerms::new(&terms).expect("good terms");
    assert_eq!(compiled.score(&node(), "n1"), 55);
    let matched: Vec<(u32, bool)> =
        compiled.terms().iter().map(|t| (t.term.index(), t.term.matches(&node(), "n1"))).collect();
    assert_eq!(matched, [(0, true), (1, false), (4, true)]);
    let bad = PreferredTerms::new(&[preferred(1, on_labels("zone", "Near", &[]))])
        .expect_err("a bad term");
    assert!(
        bad.to_string().starts_with("[0].matchExpressions[0].operator: Unsupported value"),
        "{bad}"
    );
}

#[test]
fn required_affinity_is_both() {
    let wanted =
        |zone: &str| [("zone".to_owned(), zone.to_owned())].into_iter().collect::<Labels>();
    let affinity = selector(vec![on_labels("cores", "Gt", &["4"])]);
    for (node_selector, affinity, want) in [
        (Labels::new(), None, true),
        (wanted("a"), None, true),
        (wanted("b"), None, false),
        (wanted("a"), Some(&affinity), true),
        (wanted("b"), Some(&affinity), false),
        (Labels::new(), Some(&selector(vec![])), false),
    ] {
        let required = RequiredNodeAffinity::new(&node_selector, affinity);
        assert_eq!(required.matches(&node(), "n1"), Ok(want), "{required:?}");
    }
}
