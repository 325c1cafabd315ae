//! Arrow keys on a small board.

use super::{Cursor, Step, next_fitting, resolve, start, walk};
use crate::drag::Target;
use crate::view::{
    AppTile, ClusterView, DomainView, Fits, NodeCardView, PodChipView, Rejected, Verdict,
};
use std::rc::Rc;
use yew::AttrValue;

fn pod(name: &str) -> Rc<PodChipView> {
    Rc::new(PodChipView {
        key: format!("default/{name}").into(),
        name: AttrValue::from(name.to_owned()),
        app: AppTile { style: 0, letters: "P".into() },
        priority: 0,
        protected: false,
        terminating: false,
        marked: false,
        gates: 0,
        fate: crate::view::Fate::Stays,
    })
}

fn node(name: &'static str, pods: &[&str], fits: bool) -> Rc<NodeCardView> {
    let verdict = if fits {
        Verdict::Fits(Fits { rank: 1, of: 1, total: 100, tied: 1 })
    } else {
        let plugin = "NodeName".into();
        Verdict::Rejected(Rejected {
            plugin,
            reason: "no".into(),
            equation: None,
            sum: Rc::new([]),
        })
    };
    Rc::new(NodeCardView {
        name: name.into(),
        cordoned: false,
        taints: vec![],
        capacity: vec![],
        pods: pods.iter().map(|name| pod(name)).collect(),
        shadows: Vec::new(),
        makes_room: false,
        gauges: vec![],
        verdict: Some(verdict),
    })
}

/// zone-a: a1 [p1 p2], a2; zone-b: b1 [p3] (the only one that fits).
fn board() -> ClusterView {
    let domain = |value: &'static str, nodes| {
        Rc::new(DomainView {
            value: Some(value.into()),
            title: value.into(),
            gauges: vec![],
            nodes,
            best: None,
        })
    };
    ClusterView {
        domains: vec![
            domain("zone-a", vec![node("a1", &["p1", "p2"], false), node("a2", &[], false)]),
            domain("zone-b", vec![node("b1", &["p3"], true)]),
        ],
        ..ClusterView::default()
    }
}

fn at(name: &'static str) -> Cursor {
    match name.as_bytes().first() {
        Some(b'z') => Cursor::Zone(name.into()),
        Some(b'd') => Cursor::Pod(name.into()),
        _ => Cursor::Node(name.into()),
    }
}

#[test]
fn keys_lead_where_they_point() {
    let board = board();
    let cases = [
        ("a1", Step::Right, "default/p1"),
        ("default/p1", Step::Right, "default/p2"),
        // Past the last pod lies the next column, in the same row.
        ("default/p2", Step::Right, "b1"),
        ("default/p1", Step::Left, "a1"),
        ("b1", Step::Left, "a1"),
        ("a1", Step::Left, "a1"),
        ("a1", Step::Up, "zone-a"),
        ("zone-a", Step::Up, "zone-a"),
        ("default/p2", Step::Down, "a2"),
        ("a2", Step::Down, "a2"),
        // zone-b has no third row: its last one is taken.
        ("a2", Step::ZoneRight, "b1"),
        ("default/p1", Step::ZoneRight, "b1"),
        ("zone-b", Step::ZoneLeft, "zone-a"),
        ("default/p2", Step::Home, "a1"),
        ("a1", Step::End, "default/p2"),
        ("zone-a", Step::End, "zone-a"),
    ];
    for (from, step, to) in cases {
        assert_eq!(walk(&board, &at(from), step), at(to), "{from} {step:?}");
    }
}

#[test]
fn a_place_that_is_gone_becomes_the_first_node() {
    let board = board();
    assert_eq!(start(&board), Some(at("a1")));
    assert_eq!(resolve(&board, Some(&at("gone"))), Some(at("a1")));
    assert_eq!(resolve(&board, Some(&at("b1"))), Some(at("b1")));
    assert_eq!(resolve(&ClusterView::default(), None), None);
}

#[test]
fn shift_skips_to_what_fits() {
    let board = board();
    assert_eq!(next_fitting(&board, &at("a1"), true), at("b1"));
    assert_eq!(next_fitting(&board, &at("zone-a"), false), at("b1"));
    // Nothing else fits: it stays.
    assert_eq!(next_fitting(&board, &at("b1"), true), at("b1"));
    assert_eq!(next_fitting(&ClusterView::default(), &at("b1"), true), at("b1"));
}

#[test]
fn a_pod_stands_for_its_node() {
    let board = board();
    assert_eq!(at("default/p3").target(&board), Some(Target::Node("b1".into())));
    assert_eq!(at("zone-b").target(&board), Some(Target::Zone("zone-b".into())));
}
