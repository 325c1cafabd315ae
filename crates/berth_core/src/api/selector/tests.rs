//! Tests of the module above.

use alloc::borrow::ToOwned;
use alloc::string::ToString;
use alloc::vec;

use super::*;

fn labels(pairs: &[(&str, &str)]) -> Labels {
    pairs.iter().map(|(k, v)| ((*k).to_owned(), (*v).to_owned())).collect()
}

fn expression(key: &str, operator: &str, values: &[&str]) -> LabelSelectorRequirement {
    LabelSelectorRequirement {
        key: key.to_owned(),
        operator: operator.to_owned(),
        values: values.iter().map(|v| (*v).to_owned()).collect(),
    }
}

fn compile(
    match_labels: &[(&str, &str)],
    match_expressions: Vec<LabelSelectorRequirement>,
) -> Result<Selector, SelectorError> {
    let selector = LabelSelector { match_labels: labels(match_labels), match_expressions };
    Selector::from_label_selector(Some(&selector))
}

#[test]
fn none_selects_nothing_and_empty_everything() {
    let nothing = Selector::from_label_selector(None).expect("no selector is a selector");
    assert!(nothing.is_nothing() && !nothing.is_empty() && !nothing.matches(&Labels::new()));
    let everything = compile(&[], vec![]).expect("an empty selector is a selector");
    assert!(
        !everything.is_nothing() && everything.is_empty() && everything.matches(&Labels::new())
    );
    assert_eq!(everything, Selector::from_set(&Labels::new()));
}

/// Expression, labels, whether they match, the selector's text.
#[test]
fn operators() {
    for (operator, values, label, want, text) in [
        ("In", &["b", "a"][..], Some("a"), true, "k in (a,b)"),
        ("In", &["a"], Some("c"), false, "k in (a)"),
        ("In", &["a"], None, false, "k in (a)"),
        ("NotIn", &["a"], Some("a"), false, "k notin (a)"),
        ("NotIn", &["a"], Some(""), true, "k notin (a)"),
        ("NotIn", &["a"], None, true, "k notin (a)"),
        ("Exists", &[], Some(""), true, "k"),
        ("Exists", &[], None, false, "k"),
        ("DoesNotExist", &[], Some(""), false, "!k"),
        ("DoesNotExist", &[], None, true, "!k"),
    ] {
        let selector =
            compile(&[], vec![expression("k", operator, values)]).expect("a good selector");
        let labels = label.map_or_else(Labels::new, |value| labels(&[("k", value)]));
        assert_eq!(
            (selector.matches(&labels), selector.to_string().as_str()),
            (want, text),
            "{labels:?}"
        );
    }
}

#[test]
fn all_must_hold_and_are_sorted_by_key() {
    let selector = compile(&[("b", "1"), ("c", "2")], vec![expression("a", "Exists", &[])])
        .expect("a good selector");
    assert_eq!(selector.to_string(), "a,b=1,c=2");
    assert!(selector.matches(&labels(&[("a", ""), ("b", "1"), ("c", "2")])));
    assert!(!selector.matches(&labels(&[("a", ""), ("b", "1")])));
}

#[test]
fn added_requirements_keep_the_order() {
    let mut selector = Selector::from_set(&labels(&[("b", "1")]));
    for (key, value) in [("c", "2"), ("a", "3"), ("b", "4")] {
        selector.add(Requirement::equals(key.to_owned(), value.to_owned()));
    }
    assert_eq!(selector.to_string(), "a=3,b=1,b=4,c=2");
    let mut nothing = Selector::nothing();
    nothing.add(Requirement::equals("a".to_owned(), "1".to_owned()));
    assert!(nothing.is_nothing());
}

/// The texts are Kubernetes'.
#[test]
fn errors() {
    for (expression, want) in [
        (expression("k", "in", &["a"]), r#""in" is not a valid label selector operator"#),
        (expression("k", "Gt", &["1"]), r#""Gt" is not a valid label selector operator"#),
        (
            expression("k", "In", &[]),
            "values: Invalid value: null: for 'in', 'notin' operators, values set can't be empty",
        ),
        (
            expression("k", "Exists", &["a", "b"]),
            r#"values: Invalid value: ["a","b"]: values set must be empty for exists and does not exist"#,
        ),
    ] {
        let error = compile(&[], vec![expression]).expect_err("a bad selector");
        assert_eq!(error.to_string(), want);
    }
    let error = compile(&[("/x", "a b")], vec![]).expect_err("a bad selector").to_string();
    assert!(
        error.starts_with(r#"[key: Invalid value: "/x": prefix part must be non-empty, "#),
        "{error}"
    );
    assert!(error.contains(r#", values[0][/x]: Invalid value: "a b": a valid label"#), "{error}");
}

#[test]
fn a_set_is_not_validated() {
    assert!(Selector::from_set(&labels(&[("a b", "-")])).matches(&labels(&[("a b", "-")])));
}
