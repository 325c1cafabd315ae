//! Schedules clusters to rest after every change, and compares each attempt with what the real control plane did.
//!
//! `golden/history/rest.jsonl.gz` has a history a line: objects, actions at instants 15 seconds apart, and what the
//! scheduler did at each, as `oracle history` tells it. No backoff lasts so long, no pod waits for five minutes, and no
//! pod has a grace period: what the playground leaves out of time decides nothing there.
#![cfg(not(target_arch = "wasm32"))]

use std::collections::BTreeMap;
use std::io::Read;
use std::sync::Arc;

use berth_core::api::{Kind, Object, ObjectKey, PriorityClass, Time};
use berth_core::framework::config::Configuration;
use berth_core::playground::{AttemptResult, Command, Outcome, Playground};
use berth_tests::object;
use berth_wire::intake::admit_pod;
use berth_wire::{config, tree};
use flate2::read::GzDecoder;
use serde_json::{Value, json};

/// Second 0 of a history.
const BEGIN: i64 = 946_684_800;

/// A cluster as its objects were sent to the API server.
struct Replay {
    playground: Playground,
    /// By name as actions have it.
    sent: BTreeMap<String, Value>,
    classes: Vec<Arc<PriorityClass>>,
}

fn name_of(object: &Value) -> String {
    let meta = &object["metadata"];
    let name = meta["name"].as_str().unwrap_or_default();
    match object["kind"].as_str().unwrap_or_default() {
        kind @ ("Node" | "PriorityClass") => format!("{kind}/{name}"),
        kind => format!("{kind}/{}/{name}", meta["namespace"].as_str().unwrap_or("default")),
    }
}

fn key_of(name: &str) -> (Kind, ObjectKey) {
    match name.split('/').collect::<Vec<_>>()[..] {
        ["Node", name] => (Kind::Node, ObjectKey::new("", name)),
        ["Pod", namespace, name] => (Kind::Pod, ObjectKey::new(namespace, name)),
        _ => panic!("an action on {name}"),
    }
}

/// An object as the API server stores it.
fn stored(value: &Value, classes: &[Arc<PriorityClass>]) -> Object {
    let mut object = object(value);
    if let Object::Pod(pod) = &mut object {
        admit_pod(Arc::make_mut(pod), classes).expect("the class is there");
    }
    object
}

/// RFC 7386.
fn merge(into: &mut Value, patch: &Value) {
    let Some(patch) = patch.as_object() else {
        *into = patch.clone();
        return;
    };
    if !into.is_object() {
        *into = json!({});
    }
    for (key, value) in patch {
        if value.is_null() {
            into.as_object_mut().expect("it is one now").remove(key);
        } else {
            merge(&mut into[key], value);
        }
    }
}

impl Replay {
    fn new(input: &Value) -> Self {
        let mut objects = input["objects"].as_array().expect("objects").clone();
        let class = |value: &Value| match stored(value, &[]) {
            Object::PriorityClass(class) => class,
            _ => panic!("no class"),
        };
        let of_classes = objects.iter().filter(|object| object["kind"] == "PriorityClass");
        let classes: Vec<_> = of_classes.map(class).collect();
        for object in &mut objects {
            if object["kind"] == "Pod" && !object["spec"]["nodeName"].is_null() {
                let given = object["metadata"]["creationTimestamp"].clone();
                object["status"]["phase"] = json!("Running");
                object["status"]["startTime"] =
                    if given.is_null() { json!("1999-12-31T23:59:50Z") } else { given };
            }
        }
        let configuration = match input.get("config") {
            None => Configuration::default(),
            Some(value) => {
                let text = value.to_string();
                let tree = tree::json::parse(&text).expect("it was JSON");
                config::decode(&tree).expect("it is a configuration")
            }
        };
        let playground =
            Playground::new(objects.iter().map(|object| stored(object, &classes)), configuration);
        Self {
            playground: playground.expect("profiles can run"),
            sent: objects.iter().map(|object| (name_of(object), object.clone())).collect(),
            classes,
        }
    }

    fn is_there(&self, name: &str) -> bool {
        let (kind, key) = key_of(name);
        self.playground.cluster().get(kind, &key).is_some()
    }

    /// What a request comes to; nothing if the API server refuses it.
    fn command(&mut self, action: &Value) -> Option<Command> {
        if let Some(name) = action["delete"].as_str() {
            let (kind, key) = key_of(name);
            return self.is_there(name).then_some(Command::Drop(kind, key));
        }
        let (name, value) = match action["patch"].as_str() {
            Some(name) => {
                let value = self.sent.get_mut(name).filter(|_| action["with"].is_object())?;
                merge(value, &action["with"]);
                (name.to_owned(), value.clone())
            }
            None => (name_of(&action["create"]), action["create"].clone()),
        };
        if action["patch"].is_string() != self.is_there(&name) {
            return None;
        }
        self.sent.insert(name.clone(), value.clone());
        let mut object = stored(&value, &self.classes);
        let (kind, key) = key_of(&name);
        if let (Object::Pod(new), Some(Object::Pod(old))) =
            (&mut object, self.playground.cluster().get(kind, &key))
        {
            let new = Arc::make_mut(new);
            new.spec.node_name.clone_from(&old.spec.node_name);
            new.status.clone_from(&old.status);
        }
        Some(Command::Put(object))
    }

    /// Does what is asked for at one instant, schedules, and says what the scheduler did, line by line.
    fn instant(&mut self, at: f64, actions: &[&Value]) -> Vec<String> {
        for action in actions {
            if let Some(command) = self.command(action) {
                self.playground.apply(command).expect("the object is there");
            }
        }
        let outcome = self.playground.apply(Command::ScheduleAll).expect("it can run").outcome;
        let Outcome::Ran(run) = outcome else { panic!("{outcome:?}") };
        assert!(run.at_rest);
        let mut lines = Vec::new();
        for attempt in run.attempts {
            let pod = attempt.pod;
            match attempt.result {
                AttemptResult::Bound { node, .. } => {
                    lines.push(format!("{pod} Scheduled {node}"));
                    self.start(&pod, at);
                }
                AttemptResult::Preempting { node, message, victims, cleared, .. } => {
                    lines.push(format!("{pod} FailedScheduling {message}"));
                    lines.push(format!("{pod} Nominated {node}"));
                    lines.extend(cleared.iter().map(|pod| format!("{pod} NominationCleared")));
                    let deleted = victims.iter().filter(|victim| victim.deleted);
                    lines.extend(deleted.map(|victim| format!("{} Preempted {pod}", victim.pod)));
                }
                AttemptResult::Unschedulable { message, lost_nomination, .. } => {
                    lines.push(format!("{pod} FailedScheduling {message}"));
                    lines.extend(lost_nomination.map(|_| format!("{pod} NominationCleared")));
                }
                AttemptResult::Skipped { message } => {
                    lines.push(format!("{pod} FailedScheduling {message}"));
                }
            }
        }
        sort_victims(&mut lines);
        lines
    }

    /// The kubelet takes a pod.
    fn start(&mut self, key: &ObjectKey, at: f64) {
        if let Some(Object::Pod(mut pod)) = self.playground.cluster().get(Kind::Pod, key) {
            Arc::make_mut(&mut pod).status.start_time = Some(Time(BEGIN + at as i64));
            self.playground.apply(Command::Put(Object::Pod(pod))).expect("the pod is there");
        }
    }
}

/// Victims of one pod are deleted side by side: no order of theirs means anything.
fn sort_victims(lines: &mut [String]) {
    for side_by_side in
        lines.chunk_by_mut(|a, b| [a, b].iter().all(|line| line.contains(" Preempted ")))
    {
        side_by_side.sort();
    }
}

/// What the real scheduler did, line by line, by instant.
fn expected(vector: &Value) -> BTreeMap<u64, Vec<String>> {
    let mut lines: BTreeMap<u64, Vec<String>> = BTreeMap::new();
    for event in vector["events"].as_array().expect("events") {
        let text = |field: &str| event[field].as_str().unwrap_or_default().to_owned();
        let rest = match &*text("type") {
            "FailedScheduling" => text("message"),
            "Preempted" => text("by"),
            _ => text("node"),
        };
        let line = format!("{} {} {rest}", text("object"), text("type"));
        lines.entry(millis(&event["t"])).or_default().push(line.trim_end().to_owned());
    }
    for lines in lines.values_mut() {
        sort_victims(lines);
    }
    lines
}

fn millis(seconds: &Value) -> u64 {
    (seconds.as_f64().expect("a number") * 1000.0).round() as u64
}

#[test]
fn at_rest_everything_is_as_in_the_real_scheduler() {
    let mut text = String::new();
    let gz = include_bytes!("../golden/history/rest.jsonl.gz");
    GzDecoder::new(&gz[..]).read_to_string(&mut text).expect("compressed UTF-8");
    let (mut compared, mut wrong) = (0, Vec::new());
    for line in text.lines() {
        let vector: Value = serde_json::from_str(line).expect("a history is JSON");
        let input = &vector["input"];
        let mut replay = Replay::new(input);
        let mut instants: BTreeMap<u64, Vec<&Value>> = BTreeMap::from([(0, Vec::new())]);
        for action in input["actions"].as_array().into_iter().flatten() {
            instants.entry(millis(&action["at"])).or_default().push(action);
        }
        let mut expected = expected(&vector);
        for (at, actions) in instants {
            let got = replay.instant(at as f64 / 1000.0, &actions);
            let want = expected.remove(&at).unwrap_or_default();
            compared += want.len();
            if got != want {
                wrong.push(format!(
                    "{} at {at}: {actions:?}\n got {got:#?}\n want {want:#?}",
                    input["name"]
                ));
                break;
            }
        }
    }
    assert!(
        wrong.is_empty(),
        "{} of {}\n{}",
        wrong.len(),
        text.lines().count(),
        wrong[..wrong.len().min(6)].join("\n")
    );
    assert!(compared > 4_000, "{compared}");
}
