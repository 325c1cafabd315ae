//! Links are read as they were written, or refused.

mod random;
mod secrets;

use super::{LinkError, MOST_COMMANDS, State, envelope, outcome};
use crate::intake::{SEED, take_in};
use crate::manifest::{Source, read};
use crate::testing::Random;
use berth_core::api::{ObjectKey, PodDisruptionBudgetStatus, StatusSource};
use berth_core::framework::config::Configuration;
use berth_core::playground::{Command, Outcome, Playground};
use random::random_state;

#[test]
fn what_is_sealed_opens_as_what_it_was() {
    let mut random = Random::new(1);
    for round in 0..400 {
        let mut state = random_state(&mut random);
        state.strip();
        let link = state.seal().unwrap();
        let again = State::open(&link).unwrap();
        for (before, after) in state.objects.iter().zip(&again.objects) {
            assert_eq!(before, after, "round {round}");
        }
        assert_eq!(again, state, "round {round}");
        assert!(State::is_in(&link));
        let plain = |c: char| c.is_ascii_alphanumeric() || "=._-".contains(c);
        assert!(link.chars().all(plain), "{link}");
    }
}

#[test]
fn stripping_twice_is_stripping_once() {
    let mut random = Random::new(2);
    for _ in 0..100 {
        let mut state = random_state(&mut random);
        state.strip();
        let once = state.clone();
        state.strip();
        assert_eq!(state, once);
    }
}

/// A state small enough to try everything on.
fn small() -> State {
    let text = "apiVersion: v1\nkind: Node\nmetadata: {name: n1}\n---\n\
                apiVersion: v1\nkind: Pod\nmetadata: {name: p}\nspec: {containers: [{name: c}]}\n";
    let report = read(&[Source { name: "", text }]);
    assert!(report.problems.is_empty(), "{:?}", report.problems);
    let objects = take_in(&report, SEED).objects;
    State { objects, ..State::default() }
}

#[test]
fn every_cut_link_is_refused() {
    let link = small().seal().unwrap();
    for end in 0..link.len() {
        let error = State::open(&link[..end]).unwrap_err();
        let (head, payload) = link.rsplit_once('.').unwrap();
        if end > head.len() {
            let got = end - head.len() - 1;
            assert_eq!(error, LinkError::Cut { expected: payload.len(), got });
        }
    }
}

#[test]
fn every_changed_character_is_refused() {
    let state = small();
    let link = state.seal().unwrap();
    for at in 0..link.len() {
        for byte in (0x21..0x7F_u8).chain([0]) {
            let mut bytes = link.clone().into_bytes();
            if std::mem::replace(&mut bytes[at], byte) == byte {
                continue;
            }
            let changed = String::from_utf8(bytes).unwrap();
            assert!(State::open(&changed).is_err(), "{changed}");
        }
    }
}

#[test]
fn characters_too_many_are_refused() {
    let link = small().seal().unwrap();
    for tail in ["A", ".", ")", "&utm=1"] {
        assert_eq!(State::open(&format!("{link}{tail}")), Err(LinkError::Damaged));
    }
}

#[test]
fn another_version_is_said_to_be_one() {
    let link = small().seal().unwrap();
    let newer = link.replacen("s=1.", "s=2.", 1);
    assert_eq!(State::open(&newer), Err(LinkError::Version));
    assert_eq!(State::open("s="), Err(LinkError::Version));
}

#[test]
fn what_inflates_to_too_much_is_refused_before_it_is_read() {
    let zeros = vec![b'0'; 64 << 20];
    let deflated = miniz_oxide::deflate::compress_to_vec(&zeros, 9);
    let payload =
        base64::Engine::encode(&base64::engine::general_purpose::URL_SAFE_NO_PAD, &deflated);
    let link = format!("s=1.{}.{:08x}.{payload}", payload.len(), crc32fast::hash(&deflated));
    assert_eq!(State::open(&link), Err(LinkError::TooMuch { most: 4 << 20 }));
    let long = format!("s=1.{}", "9".repeat(512 << 10));
    assert!(matches!(State::open(&long), Err(LinkError::TooLong { .. })));
}

#[test]
fn texts_that_are_no_state_say_why() {
    let deep = "[".repeat(100_000);
    let many = format!(
        r#"{{"log":[{}{{"scheduleNext":true}}]}}"#,
        r#"{"scheduleNext":true},"#.repeat(MOST_COMMANDS)
    );
    let node =
        |i: u32| format!(r#"{{"apiVersion":"v1","kind":"Node","metadata":{{"name":"n{i}"}}}}"#);
    let nodes: Vec<String> = (0..5_001).map(node).collect();
    let crowd = format!(r#"{{"objects":[{}]}}"#, nodes.join(","));
    let pod = r#"{"apiVersion":"v1","kind":"Pod","metadata":{"name":"p"}}"#;
    let twice = format!(r#"{{"objects":[{pod},{pod}]}}"#);
    for (text, why) in [
        ("[]", "it is no mapping"),
        ("", "unexpected end of JSON input"),
        (deep.as_str(), "exceeded max depth"),
        (many.as_str(), "more than 10000 commands"),
        (crowd.as_str(), "more than 5000 nodes"),
        (twice.as_str(), "Pod p comes twice"),
        (r#"{"objects":[{"apiVersion":"v1","kind":"Secret"}]}"#, "no object of kind \"Secret\""),
        (r#"{"objects":[{"apiVersion":"v1","kind":"Pod"}]}"#, "a Pod has no name"),
        (
            r#"{"objects":[{"apiVersion":"v1","kind":"Pod","metadata":{"name":"p"},"spec":{"priority":"x"}}]}"#,
            "spec.priority",
        ),
        (r#"{"log":[{"explode":1}]}"#, "unknown command \"explode\""),
        (r#"{"log":["x"]}"#, "a command is not a mapping"),
        (r#"{"log":[{"place":["a"]}]}"#, "place: two texts are expected"),
        (r#"{"log":[{"scheduleAll":true}],"cursor":2}"#, "behind the last command"),
        (r#"{"log":[{"scheduleAll":true}],"cursor":-1}"#, "behind the last command"),
        (
            r#"{"configuration":{"apiVersion":"kubescheduler.config.k8s.io/v1","kind":"KubeSchedulerConfiguration","percentageOfNodesToScore":900}}"#,
            "not in valid range [0-100]",
        ),
    ] {
        let link = envelope::seal(text).unwrap();
        match State::open(&link) {
            Err(LinkError::Content(found)) => {
                assert!(found.contains(why), "{found} does not say {why}");
            }
            other => panic!("{other:?} instead of {why}"),
        }
    }
}

#[test]
fn random_texts_are_refused_or_read() {
    let mut random = Random::new(3);
    let text = random_state(&mut random).text();
    let pieces: Vec<&str> = text.split_inclusive(['{', '[', ',', ':']).collect();
    for _ in 0..2_000 {
        let length = random.below(40);
        let text: String = (0..length).map(|_| *random.one_of(&pieces)).collect();
        // Nothing to say of the answer but that there is one.
        let _ = State::read(&text);
        let _ = State::open(&text);
    }
}

#[test]
fn replaying_comes_to_the_same_cluster() {
    let text = include_str!("../../../../../web/lessons/one-zone-full.yaml");
    let objects = take_in(&read(&[Source { name: "", text }]), SEED).objects;
    let mut first = Playground::new(objects.clone(), Configuration::default()).unwrap();
    let running: Vec<ObjectKey> = first
        .cluster()
        .pods()
        .filter(|(_, info)| !info.pod.spec.node_name.is_empty())
        .map(|(_, info)| info.key())
        .collect();
    first.apply(Command::Reseed(7)).unwrap();
    for pod in running {
        first.apply(Command::Return { pod: pod.clone() }).unwrap();
        first.apply(Command::Schedule { pod }).unwrap();
    }
    first.apply(Command::ScheduleAll).unwrap();
    first.undo();
    let mut state =
        State { objects, log: first.whole_log().cloned().collect(), ..State::default() };
    state.cursor = first.log().count() as u32;
    state.outcome = Some(outcome(first.cluster()));
    let again = State::open(&state.seal().unwrap()).unwrap();
    let mut second = Playground::new(again.objects.clone(), again.configuration.clone()).unwrap();
    let mut placed = 0;
    again
        .replay(&mut second, |_, outcome| {
            placed += u32::from(matches!(outcome, Outcome::Placed { .. }));
        })
        .unwrap();
    assert!(placed > 0);
    assert_eq!(outcome(second.cluster()), outcome(first.cluster()));
    assert_eq!(second.seed(), 7);
    assert_eq!(second.log().count(), first.log().count());
    assert_eq!(second.next_redo(), first.next_redo());
}

#[test]
fn a_step_that_cannot_be_done_is_named() {
    let mut state = small();
    state.log = vec![
        Command::Reseed(1),
        Command::Place { pod: ObjectKey::new("default", "gone"), node: "n1".to_owned() },
    ];
    state.cursor = 2;
    let mut playground = Playground::new(state.objects.clone(), Configuration::default()).unwrap();
    let error = state.replay(&mut playground, |_, _| {}).unwrap_err();
    let LinkError::Replay { number: 2, why } = error else { panic!("{error:?}") };
    assert_eq!(why, "Pod \"default/gone\" not found");
}

#[test]
fn work_grows_with_what_the_scheduler_is_asked() {
    let mut state = small();
    assert_eq!(state.work(), 0);
    state.log = vec![Command::ScheduleAll, Command::ScheduleNext];
    // One node and one pod.
    assert_eq!(state.work(), 2);
    state.log = vec![Command::Batch { name: String::new(), commands: state.log.clone() }];
    assert_eq!(state.work(), 2);
}

#[test]
fn a_pinned_status_of_zeros_stays_pinned() {
    let mut random = Random::new(5);
    let mut state = small();
    state.objects.push(random::budget(&mut random, "b"));
    if let Some(berth_core::api::Object::PodDisruptionBudget(budget)) = state.objects.last_mut() {
        let budget = std::sync::Arc::make_mut(budget);
        budget.status = PodDisruptionBudgetStatus::default();
        budget.status_source = StatusSource::Pinned;
    }
    state.strip();
    let again = State::open(&state.seal().unwrap()).unwrap();
    assert_eq!(again.objects.last(), state.objects.last());
}
