//! Lessons in time: read with every mistake at its place, begun, and gone through.

use berth_core::queue::Instant;
use serde_json::json;

use super::end_of;
use crate::lesson::goal::{Found, State};
use crate::lesson::{Opened, read};

const HEAD: &str = "\
apiVersion: berth/v1
kind: Lesson
id: grace
title: A grace period
pod: high
time:
  until: 1m
  seed: 3
  kubelet: {rules: [{label: exit=slow, exitSeconds: 100}]}
  steps:
  - at: 10s
    create:
      apiVersion: v1
      kind: Pod
      metadata: {name: high}
      spec: {priority: 9, containers: [{name: c, image: i, resources: {requests: {cpu: 1}}}]}
text: [Look.]
goal:
- at 20s pod high scheduled on node n1
solution:
- edit pod low terminationGracePeriodSeconds 5
- {at: 50s, delete: pod/high, gracePeriodSeconds: 0}
- {at: 40, cordon: n1}
---
apiVersion: v1
kind: Node
metadata: {name: n1}
status: {allocatable: {cpu: 1, memory: 4Gi, pods: 10}}
---
apiVersion: v1
kind: Pod
metadata: {name: low, labels: {exit: slow}}
spec: {nodeName: n1, priority: 1, containers: [{name: c, image: i, resources: {requests: {cpu: 1}}}]}
";

fn text() -> String {
    HEAD.replace("edit pod low t", "edit pod low spec.t")
}

fn opened(text: &str) -> Opened {
    read(text).unwrap_or_else(|mistakes| panic!("{mistakes:#?}"))
}

/// What is said of a text: each mistake as `line:column: message`.
fn mistakes(text: &str) -> Vec<String> {
    read(text).unwrap_err().iter().map(ToString::to_string).collect()
}

/// How a goal stands at its moment, without and with the solution.
fn stands(line: &str) -> [State; 2] {
    let Opened { lesson, report } =
        opened(&text().replace("at 20s pod high scheduled on node n1", line));
    let state = |solved| lesson.play(&report, solved).unwrap().unwrap().remove(0);
    [state(false), state(true)]
}

#[test]
fn a_lesson_in_time_is_read() {
    let Opened { lesson, report } = opened(&text());
    let time = lesson.time.unwrap();
    assert_eq!((time.until, time.seed), (Instant(60_000_000_000), 3));
    assert_eq!((time.kubelet.rules.len(), time.given.len()), (1, 1));
    assert_eq!((lesson.solution.len(), time.solution.len()), (1, 2));
    // In the order of time.
    assert_eq!(time.solution[0].text, r#"{"at":40,"cordon":"n1"}"#);
    assert_eq!(lesson.goal[0].at, Some(Instant(20_000_000_000)));
    assert_eq!(report.items.len(), 2);
}

#[test]
fn every_mistake_is_said_at_its_place() {
    let wrong = text()
        .replace("until: 1m", "until: 2h\n  speed: 3")
        .replace("seed: 3", "seed: -1")
        .replace("exitSeconds", "exitSecond")
        .replace("cpu: 1}}}]}\ntext", "cpu: one}}}]}\n  - {scale: deploy/web}\ntext")
        .replace("at 20s pod high scheduled", "at soon pod high scheduled")
        .replace("at: 50s, delete: pod/high", "at: 50s, remove: pod/high")
        .replace("{at: 40, cordon: n1}", "{at: 40, cordon: n1, drain: n1}");
    let found = mistakes(&wrong);
    let start = |place: usize, text: &str| {
        assert!(found[place].starts_with(text), "{place}: {}", found[place]);
    };
    assert_eq!(found[0], "7:10: a lesson lasts an hour at most, not 2h");
    assert_eq!(found[1], "8:3: unknown field \"speed\"");
    assert_eq!(found[2], "9:9: the seed is a whole number");
    assert_eq!(found[3], "10:40: unknown field \"exitSecond\"");
    start(4, "17:88: spec.containers[0].resources.requests[cpu]: ");
    assert_eq!(found[5], "18:5: at is missing");
    start(6, "21:6: ");
    start(7, "24:13: unknown field `remove`");
    start(8, "25:3: both cordon and drain");
    assert_eq!(found.len(), 9, "{found:#?}");
}

#[test]
fn what_comes_after_the_end_is_a_mistake() {
    let wrong = text()
        .replace("until: 1m", "until: 15s")
        .replace("  - at: 10s", "  - at: 16s")
        .replace("  seed: 3\n", "");
    assert_eq!(
        mistakes(&wrong),
        [
            "10:9: the lesson has ended then",
            "18:3: the lesson has ended then",
            "21:8: the lesson has ended then",
            "22:8: the lesson has ended then",
        ]
    );
    assert_eq!(mistakes(&text().replace("  until: 1m\n", ""))[0], "7:3: until is missing");
    assert_eq!(
        mistakes(&text().replace("until: 1m", "until: 0"))[0],
        "7:10: a lesson takes some time"
    );
}

#[test]
fn only_lessons_in_time_say_when() {
    let time = HEAD.find("time:").unwrap()..HEAD.find("text:").unwrap();
    let mut wrong = text();
    wrong.replace_range(time, "");
    let found = mistakes(&wrong);
    assert_eq!(found[0], "8:3: only lessons with a time have this");
    assert_eq!(found[1], "11:3: only lessons with a time have this");
    let wrong = wrong.replace("at 20s pod high scheduled on node n1", "event Created of high");
    assert_eq!(mistakes(&wrong)[0], "8:3: only lessons with a time have this");
}

#[test]
fn goals_are_looked_at_in_their_moment() {
    for (line, before, after) in [
        ("at 20s pod high scheduled on node n1", false, true),
        ("at 9s pod high gone", true, true),
        ("at 12s pod high nominated on node n1", true, true),
        ("at 12s pod high nominated on node n2", false, false),
        ("at 9s pod high nominated", false, false),
        ("at 12s pod low terminating", true, true),
        ("at 9s not pod low terminating", true, true),
        ("pod low gone", true, true),
        ("pod high gone", false, true),
        ("at 20s pod high phase = Running", false, true),
        ("at 20s pod low phase = Running", true, false),
        ("event Preempted of low by 10s", true, true),
        ("event Preempted of low by 9999ms", false, false),
        ("event Scheduled of default/high by 20s", false, true),
        ("event Scheduled of high after 20s", true, false),
        ("event FailedScheduling of high contains \"Insufficient cpu\"", true, true),
        ("event FailedScheduling of high contains \"memory\"", false, false),
        ("event FailedScheduling of high count = 1", true, true),
        ("event NodeUpdated of n1 count = 0", true, false),
        ("at 30s event NodeUpdated of n1", false, false),
        ("event Preempted of other/low", false, false),
    ] {
        let [start, solved] = stands(line);
        assert_eq!((start.met, solved.met), (before, after), "{line}: {start:?}, {solved:?}");
    }
}

#[test]
fn it_is_said_what_was_found() {
    let found = |line: &str| stands(line).map(|state| state.found);
    let [start, solved] = found("event Scheduled of high");
    let (Found::At(late), Found::At(early)) = (start, solved) else { panic!("it came about") };
    assert!(late > Instant(40_000_000_000) && early < end_of(Instant(15_000_000_000)));
    assert_eq!(found("event Created of high count > 1"), [Found::Number(1), Found::Number(1)]);
    assert_eq!(found("event Failed of high"), [Found::Gone, Found::Gone]);
}

#[test]
fn the_reference_is_asked_in_its_own_words() {
    let Opened { lesson, report } = opened(&text());
    let asked = |solved| lesson.question(&report, solved).unwrap().unwrap();
    let (start, solved) = (asked(false), asked(true));
    assert_eq!(
        (&start["name"], &solved["name"]),
        (&json!("grace start"), &json!("grace solution"))
    );
    assert_eq!((&start["until"], start["actions"].as_array().unwrap().len()), (&json!(60), 1));
    let wanted = json!([
        { "at": 40, "patch": "Node/n1", "with": { "spec": { "unschedulable": true } } },
        { "at": 50, "delete": "Pod/default/high", "gracePeriodSeconds": 0 },
    ]);
    assert_eq!(solved["actions"].as_array().unwrap()[1..], wanted.as_array().unwrap()[..]);
    assert_eq!(
        start["kubelet"],
        json!({ "rules": [{ "label": "exit=slow", "exitSeconds": 100 }] })
    );
    assert_eq!(solved["objects"][1]["spec"]["terminationGracePeriodSeconds"], 5);
    assert_eq!(start["objects"][1]["spec"].get("terminationGracePeriodSeconds"), None);
    let Opened { lesson, report } = opened(&text().replace("cordon: n1", "drain: n1"));
    assert_eq!(
        lesson.question(&report, true).unwrap(),
        Err("the reference knows no drain".to_owned())
    );
    assert!(lesson.question(&report, false).unwrap().is_ok());
}

#[test]
fn no_part_of_a_text_makes_it_panic() {
    let text = text();
    for end in 0..HEAD.len() {
        if let Some(part) = text.get(..end) {
            let _ = read(part);
        }
    }
}
