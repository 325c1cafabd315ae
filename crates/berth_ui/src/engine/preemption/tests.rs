//! The view of the examples about preemption.

use super::super::{Ask, Engine, Outcome};
use crate::locale::{Locale, RoomWords};
use crate::view::{Candidate, ClusterView, Fate, InspectorView, PreemptionView, Standing};
use berth_wire::intake::{SEED, take_in};
use berth_wire::manifest::{Source, read};

/// The engine with an example opened, changed as wanted.
fn opened(text: &str, change: impl Fn(&str) -> String) -> Engine {
    let mut engine = Engine::default();
    open(&mut engine, &change(text));
    engine
}

fn open(engine: &mut Engine, text: &str) {
    let report = read(&[Source { name: "", text }]);
    assert!(!report.has_errors(), "{:?}", report.problems);
    let objects = take_in(&report, SEED).objects;
    engine.open("".into(), report, objects).expect("it can be opened");
}

fn views(engine: &mut Engine) -> (ClusterView, InspectorView) {
    let ask = Ask { selected: Some("default/urgent".into()), columns: None };
    let (cluster, inspector) = engine.views(&ask, &Locale::english());
    (cluster, inspector.expect("the pod is there"))
}

fn tab(engine: &mut Engine) -> PreemptionView {
    views(engine);
    let words = Locale::english();
    let explained = engine.explained(&words).expect("a pod is selected");
    explained.preemption(&RoomWords::read_english()).expect("preemption was tried")
}

const L32: &str = include_str!("../../../../../web/lessons/L32.yaml");
const L33: &str = include_str!("../../../../../web/lessons/L33.yaml");
const L35: &str = include_str!("../../../../../web/lessons/L35.yaml");

fn unchanged(text: &str) -> String {
    text.to_owned()
}

fn row(candidate: &Candidate) -> String {
    let cells = candidate.criteria.iter().map(|cell| match cell.standing {
        Standing::Left => cell.text.to_string(),
        Standing::Out => format!("-{}-", cell.text),
        Standing::Silent => format!("({})", cell.text),
    });
    format!("{}: {}", candidate.node, cells.collect::<Vec<_>>().join(" | "))
}

#[test]
fn candidates_stand_in_the_order_in_which_they_were_out() {
    let view = tab(&mut opened(L32, unchanged));
    let rows: Vec<String> = view.candidates.iter().map(row).collect();
    assert_eq!(
        rows,
        [
            "node3: 0 | 1 | (1 S + 1) | (1) | (10:00:00)",
            "node2: 0 | -100- | (1 S + 100) | (1) | (10:00:00)",
            "node4: 0 | -100- | (2 S + 100) | (2) | (10:00:00)",
            "node1: -1- | (0) | (1 S) | (1) | (10:00:00)",
        ]
    );
    assert_eq!(view.decided, Some(1));
    assert_eq!(
        view.outcome[0],
        "node3: its highest victim has priority 1 (node2: 100, node4: 100)."
    );
    assert_eq!(view.outcome[1], "Candidates after which kube-scheduler stops: 4.");
    let chosen: Vec<bool> = view.candidates.iter().map(|candidate| candidate.chosen).collect();
    assert_eq!(chosen, [true, false, false, false]);
    assert!(view.others.is_empty());
}

#[test]
fn with_one_priority_raised_another_criterion_decides() {
    // Now the highest victims of node2, node3 and node4 are equal: 1 × 2³¹ + 100 twice, and 2 × 2³¹ + 100.
    let view = tab(&mut opened(L32, |text| {
        text.replace("priorityClassName: low\n", "priorityClassName: mid\n")
    }));
    let rows: Vec<String> = view.candidates.iter().map(row).collect();
    assert!(rows[2].starts_with("node4: 0 | 100 | -2 S + 100- |"), "{rows:?}");
    assert_eq!(view.decided, None, "node2 and node3 are equal in everything");
    let tie =
        "node2, node3 are equal in everything. kube-scheduler takes any of them; seed 0 picks ";
    assert!(view.outcome[0].starts_with(tie), "{}", view.outcome[0]);
    assert_eq!(view.candidates.iter().filter(|candidate| candidate.tied).count(), 2);
    assert_eq!(view.candidates.iter().filter(|candidate| candidate.chosen).count(), 1);
}

#[test]
fn each_pod_that_is_put_back_has_its_verdict() {
    let view = tab(&mut opened(L33, unchanged));
    let candidate = &view.candidates[0];
    assert_eq!(view.outcome[0], "node1 is the only candidate.");
    let names = |pods: &[crate::view::PodMark]| {
        pods.iter().map(|pod| pod.name.to_string()).collect::<Vec<_>>().join(" ")
    };
    assert_eq!(names(&candidate.lower), "guarded first second tail");
    assert_eq!(names(&candidate.victims), "tail");
    let put_back: Vec<(&str, bool, bool)> = candidate
        .put_back
        .iter()
        .map(|row| (row.pod.name.as_str(), row.violates, row.refusal.is_some()))
        .collect();
    assert_eq!(
        put_back,
        [
            ("guarded", true, false),
            ("first", false, false),
            ("second", false, false),
            ("tail", false, true)
        ]
    );
    let refusal = candidate.put_back[3].refusal.as_ref().expect("tail must go");
    assert_eq!(refusal.reason, "Insufficient cpu");
    assert_eq!(refusal.equations[0].terms, "cpu 8 + 2");
    assert_eq!(refusal.equations[0].outcome, "10 > 8");
    let [budget] = &*candidate.ledger else { panic!("one budget: {:?}", candidate.ledger) };
    assert_eq!((budget.allowed, &*budget.charged, &*budget.violated), (0, "guarded", "guarded"));
}

#[test]
fn nodes_that_cannot_be_helped_say_why() {
    let view = tab(&mut opened(L35, unchanged));
    let others: Vec<String> = view
        .others
        .iter()
        .map(|other| {
            format!("{}: {}. {} {}", other.node, other.reason, other.why, other.refusal.reason)
        })
        .collect();
    assert_eq!(
        others,
        [
            "node1: Preemption is not helpful for scheduling. No pod that goes changes this: node(s) had untolerated taint(s)",
            "node2: Preemption is not helpful for scheduling. No pod that goes changes this: node(s) didn't match Pod's node affinity/selector",
            "node3: Preemption is not helpful for scheduling. No pod that goes changes this: node(s) were unschedulable",
            "node4: No preemption victims found for incoming pod. No pod there has a lower priority. ",
        ]
    );
}

#[test]
fn a_pod_that_never_preempts_is_told_so() {
    let mut engine = opened(L32, |text| {
        text.replace(
            "  name: high\nvalue: 1000\n",
            "  name: high\nvalue: 1000\npreemptionPolicy: Never\n",
        )
    });
    let view = tab(&mut engine);
    assert_eq!(&*view.outcome, ["not eligible due to preemptionPolicy=Never."]);
    assert!(view.candidates.is_empty() && view.others.is_empty());
    let (_, inspector) = views(&mut engine);
    assert_eq!(inspector.preemption.expect("it was tried").node, None);
    assert!(matches!(engine.preempt("default/urgent"), Outcome::Unplaced(_)));
}

#[test]
fn the_board_marks_who_goes_and_keeps_their_place_until_something_else_happens() {
    let mut engine = opened(L32, unchanged);
    let fate = |cluster: &ClusterView, pod: &str| cluster.pod(pod).map(|chip| chip.fate);
    let (cluster, inspector) = views(&mut engine);
    assert_eq!(fate(&cluster, "default/report"), Some(Fate::Goes));
    assert_eq!(fate(&cluster, "default/web"), Some(Fate::MayGo));
    assert!(cluster.node("node3").expect("it is there").makes_room);
    assert_eq!(inspector.preemption.expect("it was tried").candidates, 4);

    let Outcome::Preempted { node, victims, event } = engine.preempt("default/urgent") else {
        panic!("room can be made");
    };
    assert_eq!((&*node, &*victims), ("node3", "report"));
    assert_eq!(event, "Successfully assigned default/urgent to node3");
    let (cluster, inspector) = views(&mut engine);
    assert_eq!(fate(&cluster, "default/report"), None);
    assert_eq!(fate(&cluster, "default/urgent"), Some(Fate::Came));
    let shadows = &cluster.node("node3").expect("it is there").shadows;
    assert_eq!(
        shadows.iter().map(|shadow| (&*shadow.pod.name, shadow.gone)).collect::<Vec<_>>(),
        [("report", true)]
    );
    assert_eq!(inspector.preemption, None, "it fits where it is");

    assert!(engine.undo());
    let (cluster, _) = views(&mut engine);
    assert_eq!(fate(&cluster, "default/report"), Some(Fate::Goes));
    assert!(cluster.node("node3").expect("it is there").shadows.is_empty());
}

#[test]
fn another_cluster_after_as_many_changes_shows_nobody_who_went() {
    let mut engine = opened(L32, unchanged);
    views(&mut engine);
    assert!(matches!(engine.preempt("default/urgent"), Outcome::Preempted { .. }));
    open(&mut engine, L32);
    assert!(engine.label_node("node3", "disk", "ssd"));
    let (cluster, _) = views(&mut engine);
    assert!(cluster.node("node3").expect("it is there").shadows.is_empty());
}

#[test]
fn a_nominated_pod_is_seen_where_it_will_go() {
    let mut engine = opened(L32, |text| {
        text.to_owned()
            + "---\napiVersion: v1\nkind: Pod\nmetadata: {name: next, namespace: default}\nspec: {priority: 5000, containers: [{name: main, image: i}]}\nstatus: {nominatedNodeName: node2}\n"
    });
    let (cluster, _) = views(&mut engine);
    let shadows = &cluster.node("node2").expect("it is there").shadows;
    assert_eq!(
        shadows.iter().map(|shadow| (&*shadow.pod.name, shadow.gone)).collect::<Vec<_>>(),
        [("next", false)]
    );
}
