//! A cluster under other names has the same verdicts.

use super::redact;
use crate::export;
use crate::intake::{SEED, take_in};
use crate::link::{State, present};
use crate::manifest::{Report, Source, read};
use berth_core::api::ObjectKey;
use berth_core::framework::config::Configuration;
use berth_core::playground::{Outcome, Playground};
use std::fmt::Write;

/// A cluster in which everything that names can do is done with the names.
const CLUSTER: &str = include_str!("tests/cluster.yaml");

fn playground(objects: Vec<berth_core::api::Object>, with: Configuration) -> Playground {
    Playground::new(objects, with).unwrap()
}

fn read_in(text: &str) -> (Playground, Configuration) {
    let report = read(&[Source { name: "", text }]);
    assert!(!report.has_errors(), "{:?}", report.problems);
    let configuration = report.configuration.clone().unwrap_or_default();
    (playground(take_in(&report, SEED).objects, configuration.clone()), configuration)
}

/// What the scheduler says of every pod, without a name: node by node, in order.
fn verdicts(playground: &mut Playground) -> Vec<String> {
    let mut keys: Vec<ObjectKey> = Vec::new();
    for object in present(playground.cluster()) {
        if object.kind() == berth_core::api::Kind::Pod {
            keys.push(object.key());
        }
    }
    keys.iter().map(|key| verdict(playground, key)).collect()
}

fn verdict(playground: &mut Playground, key: &ObjectKey) -> String {
    let Ok(explanation) = playground.explain(key) else { return "no profile".to_owned() };
    let mut text = format!("gated {} ", explanation.pre_enqueue.is_some());
    for node in &explanation.nodes {
        let plugins: Vec<_> = node.verdicts.iter().map(|v| (v.plugin, v.code)).collect();
        let scores = node.scores.as_ref().map(|scores| {
            let plugins: Vec<_> = scores
                .plugins
                .iter()
                .map(|p| (p.plugin, p.raw, p.normalized, p.weighted))
                .collect();
            (plugins, scores.total, scores.rank)
        });
        let _ = writeln!(text, "{plugins:?} {scores:?}");
    }
    if let Some(found) =
        explanation.post_filter.as_ref().and_then(|found| found.preemption.as_ref())
    {
        for node in &found.nodes {
            let _ = writeln!(text, "victims {:?}", node.victims);
        }
        let _ = writeln!(text, "ties {}", found.choice.ties.len());
    }
    text
}

#[test]
fn verdicts_scores_and_victims_stay() {
    let examples: [&str; 5] = [
        CLUSTER,
        include_str!("../../../../web/lessons/one-zone-full.yaml"),
        include_str!("../../../../web/lessons/L30.yaml"),
        include_str!("../../../../web/lessons/S14-spread.yaml"),
        include_str!("../../../../web/lessons/S10.yaml"),
    ];
    for text in examples {
        let (mut before, configuration) = read_in(text);
        let objects = present(before.cluster());
        let state = redact(&objects, &configuration, &State::default());
        // As a stranger has it.
        let state = State::open(&state.seal().unwrap()).unwrap();
        let mut after = playground(state.objects, state.configuration);
        assert_eq!(
            verdicts(&mut before),
            verdicts(&mut after),
            "{}",
            text.lines().next().unwrap_or_default()
        );
    }
}

#[test]
fn the_scheduler_places_as_many() {
    let (mut before, configuration) = read_in(CLUSTER);
    let state = redact(&present(before.cluster()), &configuration, &State::default());
    let mut after = playground(state.objects, state.configuration);
    let run = |playground: &mut Playground| match playground
        .apply(berth_core::playground::Command::ScheduleAll)
        .map(|applied| applied.outcome)
    {
        Ok(Outcome::Ran(run)) => run.attempts.len(),
        other => panic!("{other:?}"),
    };
    assert_eq!(run(&mut before), run(&mut after));
}

#[test]
fn no_name_is_left() {
    let (before, configuration) = read_in(CLUSTER);
    let settings = State {
        name: "acme".to_owned(),
        story: "acme".to_owned(),
        selected: Some(ObjectKey::new("acme-shop", "acme-web-1")),
        columns: Some("acme.io/rack".to_owned()),
        ..State::default()
    };
    let state = redact(&present(before.cluster()), &configuration, &settings);
    let text = state.text();
    assert_eq!(text.find("acme").map(|at| &text[at.saturating_sub(40)..at + 20]), None);
    // What is Kubernetes' own is left.
    for word in [
        "topology.kubernetes.io/zone",
        "kube-system",
        "nvidia.com/gpu",
        "system-node-critical",
        "amd64",
        "NodeResourcesFit",
    ] {
        assert!(text.contains(word), "{word} is gone");
    }
    assert_eq!(state.columns.as_deref(), Some("key-4"));
    // Files are made of it as well.
    let yaml = export::yaml(&Report::default(), &state.objects);
    assert!(!yaml.contains("acme"));
}

#[test]
fn the_same_name_is_the_same_pseudonym() {
    let (before, configuration) = read_in(CLUSTER);
    let state = redact(&present(before.cluster()), &configuration, &State::default());
    let mut nodes = 0;
    for object in &state.objects {
        if let berth_core::api::Object::Node(node) = object {
            assert_eq!(
                node.metadata.labels.get("kubernetes.io/hostname"),
                Some(&node.metadata.name)
            );
            nodes += 1;
        }
    }
    assert_eq!(nodes, 4);
}
