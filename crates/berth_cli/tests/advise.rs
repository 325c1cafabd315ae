//! `berth advise`: a whole report, the exit codes, and the form for programs.

mod berth;

use std::process::Output;

use serde_json::{Value, json};

fn traps(args: &[&str]) -> Output {
    berth::run("tests/advise", "advise", &[&["traps.yaml", "--pod", "web-2"], args].concat())
}

fn example(pod: &str, args: &[&str]) -> Output {
    let all = [&["L32.yaml", "--pod", pod], args].concat();
    berth::run("../../web/lessons", "advise", &all)
}

#[test]
fn edits_values_copies_and_findings() {
    berth::check(&traps(&[]), 1, include_str!("advise/traps.txt"));
}

#[test]
fn a_pod_on_a_node_is_moved() {
    let output = example("report", &[]);
    let report = String::from_utf8_lossy(&output.stdout);
    let moves = "\nWHAT WOULD MOVE IT\n1. cordon node node3, and delete pod default/ledger: fits 1 node, best node1\n";
    assert!(report.contains(moves), "{report}");
    assert_eq!(output.status.code(), Some(0));
}

#[test]
fn programs_read_the_same() {
    let output = traps(&["--json"]);
    let form: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(form["version"], 1);
    assert_eq!(form["verdict"], json!({ "outcome": "waits" }));
    assert_eq!(form["search"], json!({ "tried": 10, "size": 1, "ending": "complete" }));
    assert_eq!(
        form["proposals"][1],
        json!({
            "edits": ["set maxSkew of topologySpreadConstraints[0] to 2"],
            "verdict": { "outcome": "fits", "feasible": 1, "best": ["n1"] },
            "cost": 12,
        })
    );
    assert_eq!(form["strips"][0]["field"], "spec.topologySpreadConstraints[0].maxSkew");
    assert_eq!(form["strips"][0]["cells"][0]["current"], true);
    assert_eq!(form["more"]["count"], 0);
    assert_eq!(form["more"]["atLeast"], false);
    let codes: Vec<&Value> =
        form["findings"].as_array().expect("a list").iter().map(|f| &f["code"]).collect();
    assert_eq!(codes, ["spreadKeyMissing", "spreadUnusableDomains", "budgetNever"]);
}

#[test]
fn bad_input_is_named() {
    berth::refused(&example("nobody", &[]), "there is no pod default/nobody; waiting are ");
    berth::refused(
        &berth::run("tests/advise", "advise", &["traps.yaml"]),
        "which pod?\n\nusage:\n  berth advise",
    );
}
