//! Explanations hold everything: the whole corpus worked out again from their JSON alone, and
//! compared with what the real scheduler answered.
#![cfg(not(target_arch = "wasm32"))]

use berth_tests::golden::{self, FILES, File};
use berth_tests::redo;
use berth_wire::answer::scenario::explain_scenario;
use serde_json::Value;

/// How many differing vectors of a file are shown.
const SHOWN: usize = 5;

/// The explanation of a vector's scenario, through text as a program would get it.
fn explained(vector: &Value) -> Value {
    let scenario = vector.get("scenario").expect("a vector has a scenario").to_string();
    let explanation =
        explain_scenario(&scenario).unwrap_or_else(|error| serde_json::json!({ "error": error }));
    serde_json::from_str(&explanation.to_string()).expect("an explanation is JSON")
}

/// Whether the scheduler could not work at all: there is no verdict to work out, only its error.
fn same_error(vector: &Value, explanation: &Value) -> bool {
    let error = vector.get("answer").and_then(|answer| answer.get("error"));
    error.is_some() && error == explanation.get("error")
}

/// The scheduler's answer. What preemption adds to the event goes: `preemption.rs` is about that.
fn wanted(vector: &Value, got: &Value) -> Value {
    let mut want = vector.get("answer").expect("a vector has an answer").clone();
    if let (Some(Value::String(whole)), Some(Value::String(head))) =
        (want.get_mut("message"), got.get("message"))
        && whole.strip_prefix(head.as_str()).is_some_and(|rest| rest.starts_with(' '))
    {
        whole.truncate(head.len());
    }
    want
}

/// How many vectors there are, and what differs.
fn redo_file(file: File) -> (usize, Vec<String>) {
    let mut wrong = Vec::new();
    let vectors = golden::vectors(file);
    for vector in &vectors {
        let scenario = vector.get("scenario").and_then(|scenario| scenario.get("name"));
        let name = scenario.and_then(Value::as_str).unwrap_or_default();
        let explanation = explained(vector);
        if same_error(vector, &explanation) {
            continue;
        }
        // An explanation that lacks something is a difference too, and the others go on.
        let Ok(got) = std::panic::catch_unwind(|| redo::answer(&explanation)) else {
            wrong.push(format!("{name}: could not be worked out"));
            continue;
        };
        let want = wanted(vector, &got);
        let differences = golden::differences(&want, &got, &["name", "preemption"]);
        if !differences.is_empty() {
            wrong.push(format!("{name}: {differences:#?}"));
        }
    }
    (vectors.len(), wrong)
}

#[test]
fn corpus() {
    let run = |odd: usize| {
        let files = FILES.iter().filter(|file| file.name.contains("schedule")).enumerate();
        files
            .filter(|(i, _)| i % 2 == odd)
            .map(|(_, file)| (file.name, redo_file(*file)))
            .collect::<Vec<_>>()
    };
    let mut all = std::thread::scope(|scope| {
        let other = scope.spawn(|| run(1));
        let mut all = run(0);
        all.extend(other.join().expect("a vector file can be worked out"));
        all
    });
    assert!(all.iter().map(|(_, (vectors, _))| vectors).sum::<usize>() > 3500);
    all.retain(|(_, (_, wrong))| !wrong.is_empty());
    for (name, (vectors, wrong)) in &all {
        println!("{name}: {} of {vectors} differ", wrong.len());
        wrong.iter().take(SHOWN).for_each(|one| println!("{one}"));
    }
    assert!(all.is_empty());
}

/// Replaces every value of a key.
fn replace(value: &mut Value, key: &str, with: &Value) {
    match value {
        Value::Object(fields) => {
            for (name, value) in fields {
                if name == key {
                    *value = with.clone();
                } else {
                    replace(value, key, with);
                }
            }
        }
        Value::Array(items) => items.iter_mut().for_each(|item| replace(item, key, with)),
        _ => {}
    }
}

#[test]
fn only_inputs_are_read() {
    let file = FILES.iter().find(|file| file.name == "schedule-spread").expect("a vector file");
    let explanations: Vec<Value> = golden::vectors(*file).iter().take(20).map(explained).collect();
    let changed = |key: &str, with: Value| {
        let differs = |explanation: &Value| {
            let mut tampered = explanation.clone();
            replace(&mut tampered, key, &with);
            redo::answer(&tampered) != redo::answer(explanation)
        };
        explanations.iter().any(differs)
    };
    for result in ["code", "raw", "normalized", "weighted", "total", "best", "feasible", "status"] {
        assert!(!changed(result, Value::Null), "{result} is read");
    }
    assert!(!changed("minimum", 7.into()) && !changed("matching", 7.into()));
    assert!(changed("maxSkew", 100.into()));
    assert!(changed("minDomains", 100.into()));
    assert!(changed("unschedulable", true.into()));
}
