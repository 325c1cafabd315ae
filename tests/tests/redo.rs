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
    let explanation = explain_scenario(&scenario).expect("a scenario can be explained");
    serde_json::from_str(&explanation.to_string()).expect("an explanation is JSON")
}

/// How many vectors there are, and what differs.
fn redo_file(file: File) -> (usize, Vec<String>) {
    let mut wrong = Vec::new();
    let vectors = golden::vectors(file);
    for vector in &vectors {
        let want = vector.get("answer").expect("a vector has an answer");
        let got = redo::answer(&explained(vector));
        let differences = golden::differences(want, &got, &["name", "message", "preemption"]);
        if !differences.is_empty() {
            let name = want.get("name").and_then(Value::as_str).unwrap_or_default();
            wrong.push(format!("{name}: {differences:#?}"));
        }
    }
    (vectors.len(), wrong)
}

#[test]
fn corpus() {
    let run = |odd: usize| {
        let files = FILES.iter().filter(|file| file.name.starts_with("schedule-")).enumerate();
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
    assert!(all.iter().map(|(_, (vectors, _))| vectors).sum::<usize>() >= 3000);
    all.retain(|(_, (_, wrong))| !wrong.is_empty());
    for (name, (vectors, wrong)) in &all {
        println!("{name}: {} of {vectors} differ", wrong.len());
        wrong.iter().take(SHOWN).for_each(|one| println!("{one}"));
    }
    assert!(all.is_empty());
}
