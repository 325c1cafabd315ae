//! The lessons: each can be solved as it says and is not solved before, each prediction is what the engine says, and
//! each question comes out as the real scheduler, or the real admission, answered.
#![cfg(not(target_arch = "wasm32"))]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::Read;
use std::path::Path;

use berth_core::api::{Object, Pod, PreemptionPolicy};
use berth_core::playground::Playground;
use berth_tests::golden::{self, FILES};
use berth_wire::answer::answer_line;
use berth_wire::export;
use berth_wire::intake::{Intake, SEED, take_in};
use berth_wire::lesson::{self, Lesson};
use berth_wire::manifest::Report;
use flate2::read::GzDecoder;
use serde_json::{Value, json};

/// The lessons whose pods admission refuses, or gives a priority: the oracle was asked about admission.
const ADMISSION: [&str; 2] = ["L21", "S16"];

/// Every lesson: its file's name and its text.
fn texts() -> BTreeMap<String, String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../web/lessons");
    let files = fs::read_dir(&folder).expect("the lessons are there");
    let paths = files.map(|file| file.expect("a file can be looked at").path());
    let read = |path: std::path::PathBuf| {
        let id = path.file_stem().expect("a file has a name").to_string_lossy().into_owned();
        (id, fs::read_to_string(&path).expect("a lesson is text"))
    };
    // The folders have what lessons say in other languages.
    paths.filter(|path| path.is_file()).map(read).collect()
}

struct Opened {
    lesson: Lesson,
    report: Report,
    intake: Intake,
}

impl Opened {
    fn playground(&self) -> Playground {
        let configuration = self.report.configuration.clone().unwrap_or_default();
        Playground::new(self.intake.objects.clone(), configuration).expect("it can run")
    }
}

fn opened() -> Vec<Opened> {
    let open = |(id, text): (String, String)| {
        let read = lesson::read(&text);
        let lesson::Opened { lesson, report } =
            read.unwrap_or_else(|mistakes| panic!("{id}: {mistakes:#?}"));
        assert_eq!(lesson.id, id);
        assert!(report.problems.is_empty(), "{id}: {:?}", report.problems);
        let intake = take_in(&report, SEED);
        Opened { lesson, report, intake }
    };
    texts().into_iter().map(open).collect()
}

fn unmet(lesson: &Lesson, playground: &mut Playground) -> Vec<String> {
    let states = lesson.goal.iter().map(|goal| (goal, goal.evaluate(playground)));
    let unmet = states.filter(|(_, state)| !state.met);
    unmet.map(|(goal, state)| format!("{}: {:?}", goal.text, state.found)).collect()
}

#[test]
fn each_solution_reaches_the_goal_and_the_start_does_not() {
    for opened in opened().into_iter().filter(|opened| opened.lesson.time.is_none()) {
        let (lesson, mut playground) = (&opened.lesson, opened.playground());
        assert_ne!(unmet(lesson, &mut playground), [""; 0], "{} is solved at once", lesson.id);
        let objects =
            |playground: &Playground| export::objects(&opened.report, playground.cluster());
        let before = objects(&playground);
        for step in &lesson.solution {
            if let Err(failure) = step.carry_out(&mut playground) {
                panic!("{}: {}: {failure}", lesson.id, step.text);
            }
        }
        assert_eq!(unmet(lesson, &mut playground), [""; 0], "{}", lesson.id);
        while playground.undo() {}
        assert_eq!(objects(&playground), before, "{} can be undone", lesson.id);
    }
}

#[test]
fn each_solution_in_time_reaches_the_goal_and_the_start_does_not() {
    for Opened { lesson, report, .. } in opened() {
        let id = &lesson.id;
        let play = |solved| {
            let states = lesson.play(&report, solved)?;
            Some(states.unwrap_or_else(|error| panic!("{id}: {error}")))
        };
        let (Some(start), Some(solved)) = (play(false), play(true)) else { continue };
        assert!(start.iter().any(|state| !state.met), "{id} is solved at once");
        for (goal, state) in lesson.goal.iter().zip(&solved) {
            assert!(state.met, "{id}: {}: {:?}", goal.text, state.found);
        }
        assert_eq!((play(false), play(true)), (Some(start), Some(solved)), "{id}");
    }
}

#[test]
fn each_prediction_is_what_the_engine_says() {
    let mut compared = 0;
    for opened in opened() {
        let lesson = &opened.lesson;
        let (Some(predict), Some(pod)) = (&lesson.predict, &lesson.pod) else { continue };
        assert_eq!(&predict.asked(&mut opened.playground(), pod), predict, "{}", lesson.id);
        compared += 1;
    }
    assert!(compared > 30, "{compared}");
}

#[test]
fn each_is_found_in_the_gallery_and_says_what_it_shows() {
    let mut titles = BTreeSet::new();
    for Opened { lesson, intake, .. } in opened() {
        let id = &lesson.id;
        assert!(titles.insert(lesson.title.clone()), "{id}: the title is another lesson's");
        let found =
            !lesson.questions.is_empty() || lesson.document.is_some() || lesson.thread.is_some();
        assert!(found, "{id} is in no group");
        assert!(!lesson.hints.is_empty() && !lesson.explanation.is_empty(), "{id}");
        // In time it may still have to come.
        if lesson.time.is_some() {
            continue;
        }
        let pod = lesson.pod.as_ref().expect("a lesson is about a pod");
        let there = intake
            .objects
            .iter()
            .any(|object| matches!(object, Object::Pod(_)) && object.key() == *pod);
        assert!(there, "{id}: {pod} is not there");
    }
}

/// What is kept of the reference's answers about a lesson in time: a line for the start and one for the solution, or one
/// that says why it could not be asked.
fn histories(id: &str) -> Vec<Value> {
    let path = format!("{}/golden/lessons/{id}.jsonl.gz", env!("CARGO_MANIFEST_DIR"));
    let file = fs::File::open(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
    let mut text = String::new();
    GzDecoder::new(file).read_to_string(&mut text).expect("it is compressed UTF-8");
    text.lines().map(|line| serde_json::from_str(line).expect("a line is JSON")).collect()
}

/// Whether it is the same data, however numbers are written.
fn same(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Number(a), Value::Number(b)) => a.as_f64() == b.as_f64(),
        (Value::Array(a), Value::Array(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a, b))
        }
        (Value::Object(a), Value::Object(b)) => {
            let all = |(key, a)| b.get(key).is_some_and(|b| same(a, b));
            a.len() == b.len() && a.iter().all(all)
        }
        (a, b) => a == b,
    }
}

#[test]
fn each_lesson_in_time_goes_as_the_control_plane_did() {
    for Opened { lesson, report, .. } in opened() {
        let id = &lesson.id;
        if lesson.time.is_none() {
            continue;
        }
        let known = histories(id);
        if let [only] = &known[..] {
            let reason = only["left_out"].as_str().unwrap_or_default();
            assert!(!reason.is_empty(), "{id}: a start and a solution, or why there is none");
            continue;
        }
        assert_eq!(known.len(), 2, "{id}: a start and a solution");
        for (vector, solved) in known.iter().zip([false, true]) {
            let asked = lesson.question(&report, solved).expect("it is in time");
            let asked = asked.unwrap_or_else(|error| panic!("{id}: {error}"));
            assert!(
                same(&vector["input"], &asked),
                "{id} has changed since the reference was asked"
            );
            let want = &vector["history"];
            let chance = [&want["ties"], &want["unstable"]];
            assert_eq!(chance, [&Value::Null; 2], "{id}: chance decides");
            let got = answer_line(&json!({ "input": asked }).to_string());
            let got = serde_json::from_str(&got).expect("an answer is JSON");
            let differences = golden::differences(want, &got, &[]);
            assert!(differences.is_empty(), "{}: {differences:#?}", want["name"]);
        }
    }
}

/// What was answered to each scenario, by its name, and to each pod that was to be admitted, by the pod's.
fn answers() -> BTreeMap<String, Value> {
    let file = FILES.iter().find(|file| file.name == "lessons").expect("they are in the corpus");
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

/// The question of a lesson, as the oracle takes it: objects written out whole, with the priority that admission gave.
fn scenario(opened: &Opened) -> Value {
    let json = |text: &str| -> Value { serde_json::from_str(text).expect("it is JSON") };
    let objects: Vec<Value> =
        opened.intake.objects.iter().map(|object| json(&export::object(None, object))).collect();
    let pod = opened.lesson.pod.as_ref().expect("a lesson is about a pod").to_string();
    let mut scenario = json!({ "name": opened.lesson.id, "objects": objects, "pod": pod });
    if let Some(configuration) = &opened.report.configuration_text {
        scenario["config"] = json(configuration);
    }
    json!({ "scenario": scenario })
}

#[test]
fn each_scenario_comes_out_as_the_scheduler_answered() {
    let answers = answers();
    for opened in opened() {
        let id = opened.lesson.id.as_str();
        if ADMISSION.contains(&id) || opened.lesson.time.is_some() {
            continue;
        }
        assert_eq!(opened.intake.refused, [], "{id}");
        let got = answer_line(&scenario(&opened).to_string());
        let got = serde_json::from_str(&got).expect("an answer is JSON");
        let want = answers.get(id).unwrap_or_else(|| panic!("{id} is not in the corpus"));
        let differences = golden::differences(want, &got, &[]);
        assert!(differences.is_empty(), "{id}: {differences:#?}");
    }
}

#[test]
fn each_pod_is_admitted_as_the_api_server_answered() {
    let (answers, mut compared) = (answers(), 0);
    for Opened { lesson, intake, .. } in opened() {
        if !ADMISSION.contains(&lesson.id.as_str()) {
            continue;
        }
        let pods = intake.objects.iter().filter_map(|object| match object {
            Object::Pod(pod) => Some(&**pod),
            _ => None,
        });
        for pod in pods {
            let answer = &answers[&pod.metadata.name];
            match answer.get("error") {
                Some(error) => {
                    let error = error.as_str().expect("an error is a text");
                    let words = |refused: &berth_wire::intake::RefusedPod| refused.words == *error;
                    assert!(intake.refused.iter().any(words), "{}: {error}", lesson.id);
                }
                None => assert_eq!(&admitted(pod), answer, "{}", lesson.id),
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
