//! Shades, order and columns.

use super::data::{Data, NodeRow, Outcome};
use super::heat::{Metric, SHADES, shade};
use super::tables::columns;

fn node(name: &str, cpu: (i64, i64), outcome: Outcome, skew: Option<(i64, i64)>) -> NodeRow {
    let name = name.to_owned().into();
    NodeRow { name, zone: 0, group: None, cpu, memory: (0, 1), pods: 0, outcome, skew }
}

fn data() -> Data {
    let nodes = vec![
        node("a", (0, 8), Outcome::Fits(1, 300), Some((1, 2))),
        node("b", (4, 8), Outcome::Fits(2, 200), Some((2, 2))),
        node("c", (8, 8), Outcome::Refused("NodeResourcesFit".into()), Some((5, 2))),
    ];
    Data { nodes, fits: Some(2), totals: Some((300, 200)), ..Data::default() }
}

fn shades(data: &Data, metric: Metric) -> Vec<(usize, bool)> {
    data.nodes.iter().map(|node| shade(data, node, metric)).collect()
}

#[test]
fn darker_is_more_and_a_cross_is_a_refusal() {
    let data = data();
    assert_eq!(shades(&data, Metric::Verdict), [(SHADES, false), (SHADES, false), (0, true)]);
    assert_eq!(shades(&data, Metric::Score), [(SHADES, false), (1, false), (0, true)]);
    // Half of all shades at the limit; above it a cross.
    assert_eq!(shades(&data, Metric::Skew), [(2, false), (4, false), (SHADES, true)]);
    assert_eq!(shades(&data, Metric::FreeCpu), [(SHADES, false), (4, false), (1, false)]);
}

#[test]
fn equal_scores_are_all_the_highest() {
    let mut data = data();
    data.nodes.truncate(1);
    data.totals = Some((300, 300));
    assert_eq!(shades(&data, Metric::Score), [(SHADES, false)]);
}

#[test]
fn a_node_without_cpu_has_none_free() {
    assert_eq!(node("a", (0, 0), Outcome::NotAsked, None).free_cpu(), 0);
    assert_eq!(node("a", (9, 8), Outcome::NotAsked, None).free_cpu(), 0);
    assert_eq!(node("a", (-1, i64::MAX), Outcome::NotAsked, None).free_cpu(), 1000);
}

#[test]
fn a_table_has_the_columns_that_say_something() {
    let mut data = data();
    assert_eq!(columns(&data, "zone", true).len(), 9);
    assert_eq!(columns(&data, "zone", false).len(), 8);
    data.fits = None;
    for node in &mut data.nodes {
        node.skew = None;
    }
    assert_eq!(columns(&data, "", false).len(), 4);
}
