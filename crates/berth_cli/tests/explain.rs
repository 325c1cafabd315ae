//! `berth explain` on small clusters: whole reports, exit codes, and what it says of bad input.

mod berth;

use std::path::Path;
use std::process::Output;

use serde_json::Value;

fn explain(args: &[&str]) -> Output {
    berth::run("tests/explain", "explain", args)
}

#[track_caller]
fn check(args: &[&str], code: i32, report: &str) {
    berth::check(&explain(args), code, report);
}

#[track_caller]
fn refused(args: &[&str], beginning: &str) {
    berth::refused(&explain(args), beginning);
}

#[test]
fn the_documents_cluster() {
    // zoneA: 2 + 1 − 1 = 2 > 1; zoneB: 1 + 1 − 1 = 1 ≤ 1.
    check(&["spread.yaml", "--pod", "default/mypod"], 0, include_str!("explain/spread.txt"));
}

#[test]
fn every_node_refuses_for_another_reason() {
    check(&["refusals.yaml", "--pod=web"], 1, include_str!("explain/refusals.txt"));
}

#[test]
fn a_pod_that_may_stay_breaks_no_budget() {
    check(&["budgets.yaml", "--pod=preemptor"], 1, include_str!("explain/budgets.txt"));
}

#[test]
fn points_of_every_kind() {
    check(&["soft.yaml", "--pod", "two"], 0, include_str!("explain/soft.txt"));
}

#[test]
fn a_gated_pod_fits_nowhere() {
    let report =
        "default/gated does not enter the queue: waiting for scheduling gates: [wait-for-me].\n";
    check(&["gated.yaml", "--pod", "gated"], 1, report);
}

#[test]
fn control_characters_do_not_reach_the_terminal() {
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join("control.json");
    let text = r#"{"apiVersion":"v1","kind":"Node","metadata":{"name":"a"},"spec":{"taints":[{"key":"\u001b[2J","effect":"NoSchedule"}]}}
{"apiVersion":"v1","kind":"Pod","metadata":{"name":"p"},"spec":{"containers":[{"name":"c","image":"c"}]}}"#;
    std::fs::write(&file, text).expect("a file can be written");
    let output = explain(&[file.to_str().expect("a path in UTF-8"), "--pod", "p"]);
    let report = String::from_utf8_lossy(&output.stdout);
    assert!(!output.stdout.contains(&0x1b), "{report:?}");
    assert_eq!(output.status.code(), Some(1), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(report.contains("taint \u{fffd}[2J:NoSchedule: not tolerated"), "{report}");
}

#[test]
fn a_configuration_changes_the_points() {
    let output = explain(&["soft.yaml", "--pod", "two", "--config", "most.yaml"]);
    let report = String::from_utf8_lossy(&output.stdout);
    // Only NodeResourcesFit scores: a is (2/4 + 2/8) / 2 used, and full is good.
    let sums = "a: total 37, rank 1\n  NodeResourcesFit\n    cpu: 2 × 100 ÷ 4 = 50, weight 1\n    \
                memory: 2Gi × 100 ÷ 8Gi = 25, weight 1\n    raw: (50 × 1 + 25 × 1) ÷ (1 + 1) = 37\n";
    assert!(report.contains(sums), "{report}");
    assert_eq!(output.status.code(), Some(0));
}

#[test]
fn a_pod_on_a_node_is_taken_off_first() {
    let output = explain(&["spread.yaml", "--pod", "p1"]);
    let report = String::from_utf8_lossy(&output.stdout);
    assert!(
        report.contains("Note: it stands on node1; this is where it could go now\n"),
        "{report}"
    );
    assert!(report.contains("node1\n  ✓ NodeResourcesFit  pods: 0 + 1 = 1 ≤ 110\n"), "{report}");
}

#[test]
fn large_clusters_are_sampled_by_the_real_scheduler() {
    let node = |i: usize| {
        format!(
            "{{\"apiVersion\":\"v1\",\"kind\":\"Node\",\"metadata\":{{\"name\":\"n{i}\"}},\
             \"status\":{{\"allocatable\":{{\"cpu\":\"1\",\"memory\":\"1Gi\",\"pods\":\"10\"}}}}}}\n"
        )
    };
    let pod = "{\"apiVersion\":\"v1\",\"kind\":\"Pod\",\"metadata\":{\"name\":\"p\"},\
               \"spec\":{\"containers\":[{\"name\":\"c\",\"image\":\"c\"}]}}\n";
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join("large.jsonl");
    let text: String = (0..250).map(node).chain([pod.to_owned()]).collect();
    std::fs::write(&file, text).expect("a file can be written");
    let output = explain(&[file.to_str().expect("a path in UTF-8"), "--pod", "p"]);
    let report = String::from_utf8_lossy(&output.stdout);
    let words: Vec<&str> = report.split_whitespace().take(60).collect();
    let beginning = words.join(" ");
    assert!(beginning.contains("n0, n1, n2, n3 and 246 more are equally good"), "{beginning}");
    // 250 × (50 − 250 / 125) % = 120.
    let note = "the real scheduler samples: it stops once 120 feasible nodes are found";
    assert!(beginning.contains(note), "{beginning}");
    assert!(report.contains("\n… and 150 more nodes: --json has all\n"), "{report}");
}

#[test]
fn json_is_for_programs() {
    let output = explain(&["spread.yaml", "--pod", "mypod", "--json"]);
    let json: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let zone_a = &json["nodes"][0]["verdicts"];
    let spread = zone_a.as_array().and_then(|verdicts| verdicts.last()).expect("a verdict");
    assert_eq!(spread["facts"][0]["equation"], "2 + 1 − 1 = 2 > maxSkew 1");
    assert_eq!(json["spreadFilter"][0]["domains"][0]["pods"][1], "default/p2");
    assert_eq!(json["best"], serde_json::json!(["node4"]));
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(explain(&["refusals.yaml", "--pod", "web", "--json"]).status.code(), Some(1));
}

#[test]
fn bad_input_is_named_with_its_place() {
    refused(
        &["broken.yaml", "--pod", "web"],
        "broken.yaml:6:52: error: Pod web: spec.tolerations[0].effect: Unsupported value",
    );
    refused(&["missing.yaml", "--pod", "web"], "missing.yaml: ");
    refused(
        &["spread.yaml", "--pod", "other"],
        "there is no pod default/other; waiting are default/mypod\n",
    );
    refused(&["spread.yaml"], "which pod?\n\nusage:\n  berth explain FILE...");
    refused(&["--pod", "web"], "no file is given\n");
    refused(&["spread.yaml", "--pod"], "--pod needs a value\n");
    refused(&["spread.yaml", "--pod", "web", "--seed", "1"], "unknown option \"--seed\"\n");
    refused(&["spread.yaml", "--pods", "web"], "unknown option \"--pods\"\n");
    refused(
        &["spread.yaml", "--pod", "mypod", "--config", "other-profile.yaml"],
        "profile not found for scheduler name \"default-scheduler\"\n",
    );
}
