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
