//! What the panel shows of the cluster that the page opens with, and of one with all that plugins look at.

use super::view;
use crate::engine::{Ask, Engine};
use crate::locale::Locale;
use crate::why::view::{Block, NodeWhy, RowView, WhyView};
use crate::why::words::WhyWords;
use berth_wire::intake::{SEED, take_in};
use berth_wire::manifest::{Source, read};

fn opened(text: &str) -> Engine {
    let mut engine = Engine::default();
    let report = read(&[Source { name: "", text }]);
    assert!(!report.has_errors(), "{:?}", report.problems);
    let objects = take_in(&report, SEED).objects;
    engine.open("".into(), report, objects).expect("it can be opened");
    engine
}

fn why(engine: &mut Engine, pod: &str, node: Option<&str>) -> WhyView {
    let words = Locale::english();
    engine.views(&Ask { selected: Some(pod.to_owned().into()), columns: None }, &words);
    let explained = engine.explained(&words).expect("a pod is selected");
    let node = node.map(|name| name.to_owned().into());
    view(&explained, &WhyWords::read_english(), node.as_ref())
}

fn blocks<'a>(node: &'a NodeWhy, plugin: &str) -> &'a [Block] {
    &node.plugins.iter().find(|why| why.plugin == plugin).expect("it ran").blocks
}

/// The rows of the tables among blocks: name, cells, and a mark where they speak for or against the node.
fn rows(blocks: &[Block]) -> Vec<String> {
    let row = |row: &RowView| {
        let mark = row.holds.map_or("", |holds| if holds { " +" } else { " -" });
        [&row.name, ": ", &row.cells.join(" | "), mark].concat()
    };
    let tables = blocks.iter().filter_map(|block| match block {
        Block::Table(table) => Some(&table.rows),
        _ => None,
    });
    tables.flat_map(|rows| rows.iter().map(row)).collect()
}

#[test]
fn the_opening_cluster_is_told_in_full() {
    let mut engine = Engine::default();
    engine.open_example(&Locale::english()).expect("it can be opened");
    let view = why(&mut engine, "shop/web-6", None);
    let parts: Vec<(&str, usize)> = view
        .phrases
        .iter()
        .filter_map(|phrase| {
            let light = view.lights.get(phrase.about.as_ref()?.light)?;
            Some((phrase.text.as_str(), light.nodes.len()))
        })
        .collect();
    assert_eq!(
        parts,
        [
            ("1 Insufficient cpu, ", 1),
            ("1 node(s) were unschedulable, ", 1),
            ("4 node(s) didn't match pod topology spread constraints.", 4),
        ]
    );
    let [spread] = &*view.spreads else { panic!("one constraint") };
    let sums: Vec<String> = spread
        .domains
        .iter()
        .map(|domain| format!("{} {} = {}", domain.value, domain.sum.terms, domain.sum.outcome))
        .collect();
    assert_eq!(
        sums,
        ["zone-a 2 + 1 − 1 = 2 > 1", "zone-b 2 + 1 − 1 = 2 > 1", "zone-c 1 + 1 − 1 = 1 ≤ 1"]
    );
    let titles: Vec<&str> = spread.left_out_pods.iter().map(|list| list.title.as_str()).collect();
    assert_eq!(titles, ["labelSelector does not match: 11"]);
    assert_eq!(spread.counted.items.len(), 5);
    // Preemption would make room there.
    let node = view.node.expect("a node is looked at");
    assert_eq!(node.name, "node-c1");
    let fit = blocks(&node, "NodeResourcesFit");
    assert!(rows(fit).contains(&"cpu: 4 | 3.75 | 0.5 | −0.25 -".to_owned()), "{:?}", rows(fit));
    let Some(Block::List(users)) = fit.iter().find(|block| matches!(block, Block::List(_))) else {
        panic!("who uses cpu is listed")
    };
    assert_eq!(users.items.first().map(|item| item.text.as_str()), Some("shop/ledger-2 1.5"));
}

const EVERYTHING: &str = include_str!("everything.yaml");

#[test]
fn every_plugin_shows_what_it_compared() {
    let mut engine = opened(EVERYTHING);
    let view = why(&mut engine, "default/asks", Some("n1"));
    let node = view.node.expect("a node is looked at");
    assert_eq!(node.verdict, "n1 is refused by TaintToleration.");
    assert_eq!(
        rows(blocks(&node, "TaintToleration")),
        [
            "gpu=yes:NoSchedule: not tolerated | gpu=no:NoSchedule (other value) -",
            "spot:PreferNoSchedule: PreferNoSchedule only costs points | gpu=no:NoSchedule (other effect)",
        ]
    );
    assert_eq!(rows(blocks(&node, "NodeAffinity")), ["zone=a: a +", "disk in (ssd): hdd -"]);
    assert_eq!(rows(blocks(&node, "NodePorts")), ["8080/TCP: taken | default/holder (*/TCP) -"]);
    assert_eq!(
        rows(blocks(&node, "InterPodAffinity")),
        ["a, where the node is: 1 | default/holder -"]
    );
    let reached: Vec<bool> = node.plugins.iter().map(|why| why.reached).collect();
    assert!(reached.iter().any(|reached| *reached) && reached.iter().any(|reached| !*reached));
}
