//! The board's view of small and of large clusters.

use super::super::{Ask, Engine, MOST_CARDS};
use crate::locale::Locale;
use crate::view::Verdict;
use berth_wire::intake::{SEED, take_in};
use berth_wire::manifest::{Report, Source, read};

/// So many nodes of one core, the last of them with none, a pod on the first, and one that waits.
fn opened(nodes: u32) -> Engine {
    let mut text = String::new();
    for index in 0..nodes {
        let cpu = u32::from(index + 1 < nodes);
        let node = format!(
            "apiVersion: v1\nkind: Node\nmetadata: {{name: node-{index:03}, labels: {{zone: z{}}}}}\n\
             status: {{allocatable: {{cpu: '{cpu}', memory: 1Gi, pods: '9'}}}}\n---\n",
            index % 2
        );
        text.push_str(&node);
    }
    for (name, node) in [("runs", "\n  nodeName: node-000"), ("waits", "")] {
        let pod = format!(
            "apiVersion: v1\nkind: Pod\nmetadata: {{name: {name}}}\nspec:{node}\n  \
             containers: [{{name: c, image: i, resources: {{requests: {{cpu: 100m}}}}}}]\n---\n"
        );
        text.push_str(&pod);
    }
    let report = read(&[Source { name: "", text: &text }]);
    assert!(!report.has_errors(), "{:?}", report.problems);
    let objects = take_in(&report, SEED).objects;
    let mut engine = Engine::default();
    engine.open("".into(), Report::default(), objects).expect("it can be opened");
    engine
}

#[test]
fn a_large_cluster_has_verdicts_but_no_cards_until_one_is_opened() {
    let words = Locale::english();
    let ask = Ask { selected: Some("default/waits".into()), columns: None };
    for (nodes, whole) in [(MOST_CARDS, true), (MOST_CARDS + 1, false)] {
        let mut engine = opened(nodes);
        let (cluster, _) = engine.views(&ask, &words);
        assert_eq!(cluster.nodes, nodes);
        let first = cluster.node("node-000").expect("it is there");
        let last = cluster.node(&format!("node-{:03}", nodes - 1)).expect("it is there");
        assert_eq!(first.pods.len(), usize::from(whole));
        assert_eq!(first.capacity.is_empty(), !whole);
        // What it comes to is the same, large or small.
        assert!(first.verdict.as_ref().is_some_and(Verdict::fits));
        let Some(Verdict::Rejected(rejected)) = &last.verdict else { panic!("{last:?}") };
        assert_eq!(rejected.plugin, "NodeResourcesFit");
        assert_eq!(rejected.reason.is_empty(), !whole);
        let card = engine.card(&first.name, &cluster.key, &words).expect("a card can be made");
        assert_eq!(card.pods.len(), 1);
        assert_eq!(card.verdict, engine.verdict(&first.name, &words));
        let Some(Verdict::Rejected(said)) = engine.verdict(&last.name, &words) else { panic!() };
        assert_eq!(said.reason, "Insufficient cpu");
        // The best node of a column is known without its cards.
        let best: Vec<bool> = cluster.domains.iter().map(|domain| domain.best.is_some()).collect();
        assert_eq!(best, [true, true]);
    }
}
