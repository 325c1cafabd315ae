//! `berth preempt` on the page's lessons: whole reports, the four exit codes, and the form for programs.

mod berth;

use std::process::Output;

use serde_json::{Value, json};

fn preempt(args: &[&str]) -> Output {
    berth::run("../../web/lessons", "preempt", args)
}

fn tie(args: &[&str]) -> Output {
    berth::run("tests/preempt", "preempt", &[&["tie.yaml", "--pod", "whole"], args].concat())
}

#[track_caller]
fn check(args: &[&str], code: i32, report: &str) {
    berth::check(&preempt(args), code, report);
}

fn form(output: &Output) -> Value {
    serde_json::from_slice(&output.stdout).expect("JSON")
}

#[test]
fn nobody_has_to_go_for_a_pod_that_fits() {
    let report = "default/report fits 1 of 4 nodes; node3 is best, with 399 points. Nobody has to go.\n\
                  Note: it stands on node3; this is where it could go now\n";
    check(&["L32.yaml", "--pod", "report"], 0, report);
}

#[test]
fn the_node_whose_highest_victim_is_lowest() {
    check(&["L32.yaml", "--pod", "urgent"], 1, include_str!("preempt/L32.txt"));
}

#[test]
fn a_tie_broken_budgets_and_nominations() {
    berth::check(&tie(&[]), 1, include_str!("preempt/tie.txt"));
    let other = String::from_utf8_lossy(&tie(&["--seed=1"]).stdout).into_owned();
    assert!(other.contains("\nVICTIMS ON n1\n"), "{other}");
    assert!(other.contains("seed 1 takes n1.\n"), "{other}");
}

#[test]
fn the_real_scheduler_stops_early() {
    let report = String::from_utf8_lossy(&tie(&["--config", "few.yaml"]).stdout).into_owned();
    let note = "All 2 candidates are compared; the real scheduler stops once it has 1 (";
    assert!(report.contains(note), "{report}");
}

#[test]
fn a_pod_that_may_not_preempt_waits() {
    check(&["L25.yaml", "--pod", "patient"], 3, include_str!("preempt/L25.txt"));
    check(&["L36.yaml", "--pod", "urgent"], 3, include_str!("preempt/L36.txt"));
}

#[test]
fn a_pod_that_nobody_can_help_waits() {
    check(&["L30.yaml", "--pod", "urgent"], 3, include_str!("preempt/L30.txt"));
    let gated = berth::run("tests/explain", "preempt", &["gated.yaml", "--pod", "gated"]);
    let report = "default/gated does not enter the queue: waiting for scheduling gates: [wait-for-me]. It waits:\n  \
                  nobody would be deleted for it.\n";
    berth::check(&gated, 3, report);
}

#[test]
fn bad_input_is_named() {
    let refused = |args: &[&str], beginning: &str| berth::refused(&preempt(args), beginning);
    refused(&["L99.yaml", "--pod", "urgent"], "L99.yaml: ");
    refused(&["L32.yaml"], "which pod?\n\nusage:\n  berth preempt FILE...");
    refused(&["L32.yaml", "--pod", "nobody"], "there is no pod default/nobody; waiting are ");
    // It cannot be applied at all.
    refused(
        &["L21.yaml", "--pod", "unknown"],
        "the API server says: pods \"unknown\" is forbidden: no PriorityClass with name gold was found\n",
    );
    refused(
        &["L32.yaml", "--pod", "urgent", "--seed", "many"],
        "--seed needs a whole number, not \"many\"\n",
    );
}

#[test]
fn json_is_for_programs() {
    let output = tie(&["--json"]);
    let said = form(&output);
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(said["outcome"], "preempts");
    assert_eq!(said["node"], "n2");
    assert_eq!(said["ties"], json!(["n1", "n2"]));
    assert_eq!(said["decidedBy"], Value::Null);
    let kept = json!({
        "pod": "default/kept2", "priority": 5, "startTime": "2026-01-01T00:00:00Z",
        "terminating": false, "brokenBudgets": ["default/keep"],
    });
    let going = json!({
        "pod": "default/going2", "priority": 1, "startTime": null,
        "terminating": true, "brokenBudgets": [],
    });
    assert_eq!(said["victims"], json!([kept, going]));
    assert_eq!(said["clearedNominations"], json!(["default/next2"]));
    assert_eq!(form(&tie(&["--json", "--seed", "1"]))["node"], "n1");

    let decided = form(&preempt(&["L32.yaml", "--pod", "urgent", "--json"]));
    assert_eq!(
        (&decided["node"], &decided["decidedBy"]),
        (&"node3".into(), &"highestPriority".into())
    );

    let fits = form(&preempt(&["L32.yaml", "--pod", "report", "--json"]));
    assert_eq!((&fits["outcome"], &fits["feasible"]), (&"fits".into(), &json!(["node3"])));

    let output = preempt(&["L30.yaml", "--pod", "urgent", "--json"]);
    let waits = form(&output);
    assert_eq!(output.status.code(), Some(3));
    assert_eq!(waits["outcome"], "waits");
    assert_eq!(waits["nodes"][0]["preemption"]["plugin"], "InterPodAffinity");
    assert_eq!(
        waits["nodes"][1]["preemption"]["reasons"],
        json!(["Preemption is not helpful for scheduling"])
    );
    // Who may not preempt is not told of nodes that might be freed.
    let never = form(&preempt(&["L25.yaml", "--pod", "patient", "--json"]));
    assert_eq!(
        (&never["outcome"], &never["nodes"][0]["preemption"]),
        (&"waits".into(), &Value::Null)
    );
}
