//! `berth schedule`: the report, the exit codes, the seed, and the form for programs.

mod berth;

use std::process::Output;

use serde_json::{Value, json};

fn schedule(args: &[&str]) -> Output {
    berth::run("tests/schedule", "schedule", args)
}

fn form(output: &Output) -> Value {
    serde_json::from_slice(&output.stdout).expect("JSON")
}

#[test]
fn the_urgent_pod_goes_first_and_another_for_it() {
    berth::check(&schedule(&["queue.yaml"]), 1, include_str!("schedule/queue.txt"));
}

#[test]
fn the_form_for_programs() {
    let output = schedule(&["queue.yaml", "--json"]);
    assert_eq!(output.status.code(), Some(1));
    let form = form(&output);
    let attempts: Vec<_> =
        form["attempts"].as_array().unwrap().iter().map(|a| (&a["pod"], &a["result"])).collect();
    let expected = [
        (&json!("default/urgent"), &json!("preempting")),
        (&json!("default/first"), &json!("unschedulable")),
        (&json!("default/urgent"), &json!("bound")),
    ];
    assert_eq!(attempts, expected);
    assert_eq!(form["attempts"][0]["victims"], json!([{ "pod": "default/low", "deleted": true }]));
    assert_eq!(form["attempts"][2]["attempt"], 2);
    assert_eq!(form["atRest"], true);
    assert_eq!(form["nodes"][0], json!({ "node": "n1", "pods": ["default/urgent"] }));
    let gated = json!({
        "pod": "default/gated", "place": "gated", "attempts": 0, "plugins": ["SchedulingGates"],
        "nominatedNode": null,
    });
    assert_eq!(form["queue"][1], gated);
}

#[test]
fn the_seed_picks_among_nodes_that_tie() {
    let node = |seed: &str| {
        let form = form(&schedule(&["tie.yaml", "--json", "--seed", seed]));
        assert_eq!(
            (&form["attempts"][0]["ties"], form["attempts"].as_array().unwrap().len()),
            (&json!(2), 1)
        );
        form["attempts"][0]["node"].as_str().unwrap().to_owned()
    };
    let picked: std::collections::BTreeSet<String> =
        ["0", "1", "2", "3"].into_iter().map(node).collect();
    assert_eq!(picked.len(), 2, "{picked:?}");
    assert_eq!(schedule(&["tie.yaml"]).status.code(), Some(0));
}

#[test]
fn what_it_does_not_take() {
    berth::refused(&schedule(&["queue.yaml", "--pod", "first"]), "unknown option \"--pod\"");
    berth::refused(&schedule(&[]), "no file is given");
    berth::refused(&schedule(&["queue.yaml", "--seed", "x"]), "--seed needs a whole number");
    berth::refused(&schedule(&["nothing.yaml"]), "nothing.yaml: ");
}
