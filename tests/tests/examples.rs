//! The examples that the page opens: each shows what its text says because the real scheduler, or the real admission,
//! says so of the same objects.
#![cfg(not(target_arch = "wasm32"))]

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use berth_core::api::{Object, Pod, PreemptionPolicy};
use berth_tests::golden::{self, FILES};
use berth_wire::answer::answer_line;
use berth_wire::export;
use berth_wire::intake::{Intake, SEED, take_in};
use berth_wire::manifest::{Report, Source, read};
use serde_json::{Value, json};

/// Every example about preemption and priority: its name and its text.
fn examples() -> BTreeMap<String, String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../web/examples/preemption");
    let files = fs::read_dir(&folder).expect("the examples are there");
    let paths = files.map(|file| file.expect("a file can be looked at").path());
    let read = |path: std::path::PathBuf| {
        let id = path.file_stem().expect("a file has a name").to_string_lossy().into_owned();
        (id, fs::read_to_string(&path).expect("an example is text"))
    };
    paths.map(read).collect()
}

fn taken_in(id: &str, text: &str) -> (Report, Intake) {
    let report = read(&[Source { name: id, text }]);
    assert!(report.problems.is_empty(), "{id}: {:?}", report.problems);
    let intake = take_in(&report, SEED);
    (report, intake)
}

/// What was answered to each scenario, by its name, and to each pod that was to be admitted, by the pod's.
fn answers() -> BTreeMap<String, Value> {
    let file = FILES.iter().find(|file| file.name == "examples").expect("they are in the corpus");
    let name = |vector: &Value| {
        let scenario = &vector["scenario"]["name"];
        let name =
            if scenario.is_null() { &vector["input"]["pod"]["metadata"]["name"] } else { scenario };
        name.as_str().expect("a vector has a name").to_owned()
    };
    golden::vectors(*file)
        .into_iter()
        .map(|vector| (name(&vector), vector["answer"].clone()))
        .collect()
}

fn line<'t>(text: &'t str, key: &str) -> Option<&'t str> {
    text.lines().find_map(|line| line.strip_prefix("# ")?.strip_prefix(key)?.strip_prefix(": "))
}

#[test]
fn each_scenario_comes_out_as_the_scheduler_answered() {
    let (answers, mut compared) = (answers(), 0);
    for (id, text) in examples() {
        let Some(pod) = line(&text, "pod") else { continue };
        let (report, intake) = taken_in(&id, &text);
        assert_eq!(intake.refused, [], "{id}");
        let json = |text: &str| -> Value { serde_json::from_str(text).expect("it is JSON") };
        // Written out whole, with the priority that admission gave.
        let objects: Vec<Value> =
            intake.objects.iter().map(|object| json(&export::object(None, object))).collect();
        let mut scenario = json!({ "name": id, "objects": objects, "pod": pod });
        if let Some(configuration) = &report.configuration_text {
            scenario["config"] = json(configuration);
        }
        let got = answer_line(&json!({ "scenario": scenario }).to_string());
        let got = serde_json::from_str(&got).expect("an answer is JSON");
        let differences = golden::differences(&answers[&id], &got, &[]);
        assert!(differences.is_empty(), "{id}: {differences:#?}");
        compared += 1;
    }
    assert_eq!(compared, 12);
}

#[test]
fn each_pod_is_admitted_as_the_api_server_answered() {
    let (answers, mut compared) = (answers(), 0);
    for (id, text) in examples() {
        if line(&text, "pod").is_some() {
            continue;
        }
        let (_, intake) = taken_in(&id, &text);
        let pods = intake.objects.iter().filter_map(|object| match object {
            Object::Pod(pod) => Some(&**pod),
            _ => None,
        });
        for pod in pods {
            let answer = &answers[&pod.metadata.name];
            match answer.get("error") {
                Some(error) => {
                    let error = error.as_str().expect("an error is a text");
                    assert!(
                        intake.refused.iter().any(|refused| refused.words == *error),
                        "{id}: {error}"
                    );
                }
                None => assert_eq!(&admitted(pod), answer, "{id}"),
            }
            compared += 1;
        }
    }
    assert_eq!(compared, 6);
}

fn admitted(pod: &Pod) -> Value {
    json!({
        "priority": pod.spec.priority,
        "preemptionPolicy": pod.spec.preemption_policy.map(PreemptionPolicy::as_str),
        "priorityClassName": pod.spec.priority_class_name,
    })
}

#[test]
fn each_says_what_it_shows() {
    for (id, text) in examples() {
        let name = line(&text, "name").unwrap_or_else(|| panic!("{id} has a name"));
        let lesson = id.split('-').next().unwrap_or_default();
        assert!(name.starts_with(lesson), "{id}: {name}");
        let told = text
            .lines()
            .skip(1)
            .filter(|line| line.starts_with("# ") && !line.starts_with("# pod: "));
        assert!(told.count() >= 1, "{id} explains itself");
    }
}
