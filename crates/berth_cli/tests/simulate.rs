//! `berth simulate`: the events, the exit codes, the steps, and the form for programs.

mod berth;

use std::process::Output;

use serde_json::{Value, json};

fn simulate(args: &[&str]) -> Output {
    berth::run("tests/simulate", "simulate", args)
}

#[test]
fn a_node_comes_while_a_victim_ends() {
    let output = simulate(&["cluster.yaml", "--steps", "steps.yaml", "--until", "3m"]);
    berth::check(&output, 0, include_str!("simulate/events.txt"));
}

#[test]
fn the_form_for_programs() {
    let args = ["cluster.yaml", "--steps", "steps.yaml", "--until", "10s", "--json"];
    let output = simulate(&args);
    // The pod still waits for its victim.
    assert_eq!(output.status.code(), Some(1));
    let form: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!((&form["version"], &form["until"]), (&json!(1), &json!(10)));
    let deleting = form["events"].as_array().unwrap().iter().find(|e| e["type"] == "Deleting");
    let wanted = json!({
        "t": 1, "type": "Deleting", "object": "default/low", "node": "n1",
        "message": "PreemptionByScheduler", "values": { "grace": 30 },
    });
    assert_eq!(deleting, Some(&wanted));
    assert_eq!(form["final"]["queue"], json!({ "unschedulable": ["default/high"] }));
    assert_eq!(simulate(&args).stdout, output.stdout);
}

#[test]
fn what_is_expected_decides_the_exit_code() {
    let args = ["cluster.yaml", "--steps", "expect.yaml"];
    let output = simulate(&args);
    let text = String::from_utf8_lossy(&output.stdout);
    let (_, end) = text.split_once("\n\n").expect("a part of its own");
    let want = "\
Not as expected at 40.000s: job/import: it has no condition Complete
Not as expected at 70.000s: pod/low: phase is \"Running\", not \"Failed\"
6 of 8 expectations met
";
    assert_eq!(end, want);
    assert_eq!(output.status.code(), Some(1));
    let json = simulate(&[&args[..], &["--json"]].concat());
    let form: Value = serde_json::from_slice(&json.stdout).expect("JSON");
    let failed = json!({
        "t": 70.0, "expect": "pod/low", "met": false,
        "message": "phase is \"Running\", not \"Failed\"",
    });
    assert_eq!(form["expectations"][6], failed);
    // A pod waits, but that is expected.
    let output = simulate(&["cluster.yaml", "--steps", "waiting.yaml", "--until", "10s"]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let early = simulate(&["cluster.yaml", "--steps", "expect.yaml", "--until", "30s"]);
    berth::refused(&early, "job/import is expected of a time after --until");
}

#[test]
fn what_is_not_good_is_said() {
    for (args, words) in [
        (&["cluster.yaml", "--until", "2d"][..], "time: unknown unit"),
        (&["cluster.yaml", "--until", "0"], "--until needs a time"),
        (&["cluster.yaml", "--steps", "none.yaml"], "none.yaml: "),
        (&["cluster.yaml", "--steps", "cluster.yaml"], "cluster.yaml: "),
        (&["--steps", "steps.yaml"], "no file is given"),
    ] {
        berth::refused(&simulate(args), words);
    }
}
