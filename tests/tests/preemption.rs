//! Preemption worked out again: budgets, victims and the choice from an explanation's JSON alone, compared with what the
//! real scheduler answered; and whether the corpus shows each way in which the choice can go often enough.
#![cfg(not(target_arch = "wasm32"))]

use std::cmp::Reverse;
use std::collections::BTreeMap;

use berth_tests::golden::{self, FILES};
use berth_wire::answer::scenario::explain_scenario;
use serde_json::{Value, json};

/// The files made to show preemption, of which there is to be enough of everything.
const MADE_FOR_IT: [&str; 2] = ["schedule-crowd", "schedule-victims"];
/// Other files with much of it.
const OTHERS: [&str; 3] = ["schedule-nominated", "schedule-preempt", "schedule-preempt-choice"];

fn list<'a>(value: &'a Value, key: &str) -> &'a [Value] {
    value[key].as_array().map(Vec::as_slice).unwrap_or_default()
}

fn text<'a>(value: &'a Value, key: &str) -> &'a str {
    value[key].as_str().unwrap_or_else(|| panic!("{key} is a text in {value}"))
}

fn number(value: &Value, key: &str) -> i64 {
    value[key].as_i64().unwrap_or_else(|| panic!("{key} is a number in {value}"))
}

/// What the steps of a node's dry run come to: the victims in the order in which they were found, and how many break a
/// budget.
fn victims(found: &Value, node: &Value) -> (Vec<String>, i64) {
    let mut left: Vec<i64> =
        list(found, "budgets").iter().map(|budget| number(budget, "disruptionsAllowed")).collect();
    let mut breaks = BTreeMap::new();
    for pod in list(node, "byImportance") {
        let mut broken = false;
        for charge in list(pod, "charges") {
            let left = &mut left[number(charge, "budget") as usize];
            assert_eq!(*left, number(charge, "before"));
            if charge["alreadyDisrupted"] == false {
                *left -= 1;
                broken |= *left < 0;
            }
        }
        breaks.insert(text(pod, "pod"), broken);
    }
    // Those that break a budget go first, else in the order of importance.
    let mut order: Vec<&str> =
        list(node, "byImportance").iter().map(|pod| text(pod, "pod")).collect();
    order.sort_by_key(|pod| Reverse(breaks[pod]));
    let put_back = list(node, "putBack");
    assert_eq!(order, put_back.iter().map(|pod| text(pod, "pod")).collect::<Vec<_>>());
    let gone = put_back.iter().filter(|pod| !pod["refusal"].is_null());
    let gone: Vec<&str> = gone.map(|pod| text(pod, "pod")).collect();
    let violations = gone.iter().filter(|pod| breaks[*pod]).count();
    (gone.into_iter().map(str::to_owned).collect(), violations as i64)
}

/// The row of a candidate: the higher the better, criterion by criterion.
type Row = [(bool, String, i64); 5];

fn row(node: &Value, violations: i64) -> Row {
    let victims = list(node, "victims");
    let pods: Vec<&Value> =
        list(node, "removed").iter().filter(|pod| victims.contains(&pod["pod"])).collect();
    let priorities = || pods.iter().map(|pod| number(pod, "priority"));
    let highest = priorities().max().unwrap_or_default();
    let sum: i64 = priorities().map(|priority| priority + (1 << 31)).sum();
    let first = pods.iter().filter(|pod| number(pod, "priority") == highest);
    // Times of one form compare as texts; the latest is best, and none later than any.
    let start = first.filter_map(|pod| pod["startTime"].as_str()).min();
    let plain = |score| (false, String::new(), score);
    [
        plain(-violations),
        plain(-highest),
        plain(-sum),
        plain(-(pods.len() as i64)),
        (start.is_none(), start.unwrap_or_default().to_owned(), 0),
    ]
}

const CRITERIA: [&str; 5] =
    ["pdbViolations", "highestPriority", "prioritySum", "victims", "startTime"];

/// The nodes that may be picked, and what decided among them.
fn choose(mut rows: Vec<(&str, Row)>) -> (Vec<&str>, &'static str) {
    if rows.len() < 2 {
        return (rows.into_iter().map(|(node, _)| node).collect(), "no other candidate");
    }
    for (i, criterion) in CRITERIA.into_iter().enumerate() {
        let best = rows.iter().map(|(_, row)| row[i].clone()).max();
        rows.retain(|(_, row)| Some(&row[i]) == best.as_ref());
        if let [(node, _)] = rows.as_slice() {
            return (vec![node], criterion);
        }
    }
    (rows.into_iter().map(|(node, _)| node).collect(), "nothing: a tie")
}

/// Works a vector out again. What decided, if any node is a candidate.
fn redo(vector: &Value) -> Option<(usize, &'static str)> {
    let scenario = vector["scenario"].to_string();
    let explanation = explain_scenario(&scenario).expect("a scenario can be explained");
    let found = &explanation["postFilter"]["preemption"];
    let want = &vector["answer"]["preemption"];
    let mut rows = Vec::new();
    let mut candidates = Vec::new();
    for node in list(found, "nodes").iter().filter(|node| node["status"].is_null()) {
        let (mut gone, violations) = victims(found, node);
        let mut told: Vec<&str> = list(node, "victims").iter().filter_map(Value::as_str).collect();
        candidates.push(json!({
            "node": text(node, "name"), "victims": &told, "pdbViolations": violations,
        }));
        gone.sort();
        told.sort_unstable();
        assert_eq!(told, gone);
        rows.push((text(node, "name"), row(node, violations)));
    }
    let (picked, decided) = choose(rows);
    let got = json!({ "candidates": candidates, "picked": picked });
    let want = json!({ "candidates": list(want, "candidates"), "picked": list(want, "picked") });
    let name = text(&vector["scenario"], "name");
    assert_eq!(golden::differences(&want, &got, &[]), [""; 0], "{name}");
    let told = found["decidedBy"].as_str();
    assert_eq!(told, CRITERIA.contains(&decided).then_some(decided), "{name}");
    (!candidates.is_empty()).then_some((candidates.len(), decided))
}

/// How many candidates each vector has, and what decided.
fn redo_all(files: &[&str]) -> Vec<(usize, &'static str)> {
    let files = FILES.iter().filter(|file| files.contains(&file.name));
    files.flat_map(|file| golden::vectors(*file)).filter_map(|vector| redo(&vector)).collect()
}

#[test]
fn the_choice_goes_every_way() {
    let found = redo_all(&MADE_FOR_IT);
    let several = found.iter().filter(|(candidates, _)| *candidates >= 3).count();
    let mut decided: BTreeMap<&str, u32> = BTreeMap::new();
    for (_, by) in found {
        *decided.entry(by).or_default() += 1;
    }
    println!("three candidates or more: {several}");
    for (by, count) in &decided {
        println!("decided by {by}: {count}");
    }
    assert!(several >= 100);
    for criterion in CRITERIA {
        let least = if criterion == "victims" { 20 } else { 100 };
        let count = decided.get(criterion).copied().unwrap_or_default();
        assert!(count >= least, "{criterion} decides only {count}");
    }
    assert!(decided["nothing: a tie"] >= 100);
}

#[test]
fn other_files() {
    assert!(redo_all(&OTHERS).len() > 900);
}

/// Pods that go from `n` for `high`, and pods that wait for it.
fn touched(going: [bool; 2]) -> Value {
    let pod = |name: &str, priority: i32, cpu: &str, more: Value| {
        let mut pod = json!({
            "apiVersion": "v1", "kind": "Pod", "metadata": { "name": name, "namespace": "default" },
            "spec": {
                "priority": priority,
                "containers": [{ "name": "c", "image": "i", "resources": { "requests": { "cpu": cpu } } }],
            },
        });
        for (key, fields) in more.as_object().expect("sections of an object") {
            for (field, value) in fields.as_object().expect("fields of a section") {
                pod[key][field] = value.clone();
            }
        }
        pod
    };
    let on_n = |going: bool| {
        let gone = going.then_some("2026-01-01T00:00:00Z");
        json!({ "spec": { "nodeName": "n" }, "metadata": { "deletionTimestamp": gone } })
    };
    let waits = |node| json!({ "status": { "nominatedNodeName": node } });
    let node = |name: &str| {
        json!({
            "apiVersion": "v1", "kind": "Node", "metadata": { "name": name },
            "status": { "allocatable": { "cpu": "2", "pods": "9" } },
        })
    };
    let scenario = json!({
        "pod": "default/high",
        "objects": [
            node("n"),
            pod("first", 2, "1", on_n(going[0])),
            pod("second", 1, "1", on_n(going[1])),
            pod("lower", 9, "1m", waits("n")),
            pod("equal", 10, "1m", waits("n")),
            pod("elsewhere", 9, "1m", waits("m")),
            pod("high", 10, "1500m", json!({})),
        ],
    });
    let explanation = explain_scenario(&scenario.to_string()).expect("it can be explained");
    let node = &explanation["postFilter"]["preemption"]["nodes"][0];
    json!([node["victims"], node["deleted"], node["clearedNominations"]])
}

#[test]
fn who_is_touched() {
    let (first, second, lower) = ("default/first", "default/second", "default/lower");
    assert_eq!(touched([false, false]), json!([[first, second], [first, second], [lower]]));
    assert_eq!(touched([true, false]), json!([[first, second], [second], [lower]]));
    // Nobody is left to delete, so nothing happens at all.
    assert_eq!(touched([true, true]), json!([[first, second], [], []]));
}
