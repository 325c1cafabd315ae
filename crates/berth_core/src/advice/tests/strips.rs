//! Strips and copies.

use alloc::string::ToString;
use alloc::vec;
use alloc::vec::Vec;

use super::cluster::{ZONE, constraint, node, objects, playground, pod};
use crate::advice::{Field, Level, More, Stop, Strip};
use crate::api::{Object, ObjectKey};

fn new() -> ObjectKey {
    ObjectKey::new("default", "new")
}

fn strip(objects: &[Object], field: Field) -> Vec<(Option<i32>, Option<i32>, bool, Level)> {
    let strip = Strip::new(&playground(objects.to_vec()), &new(), field).unwrap().run();
    strip.cells().iter().map(|c| (c.from, c.to, c.is_current, c.verdict.level())).collect()
}

/// Zone a has two web pods and all the room, zone b has none.
fn skewed() -> Vec<Object> {
    let mut waits = pod("new", "web", "2", "");
    waits.spec.topology_spread_constraints.push(constraint(ZONE, 1, "web"));
    waits.spec.priority = Some(5);
    let running = [pod("p1", "web", "500m", "n1"), pod("p2", "web", "500m", "n1")];
    let nodes = [node("n1", Some("a"), "4"), node("n2", Some("b"), "1")];
    objects(nodes, running.into_iter().chain([waits]))
}

#[test]
fn every_skew_has_its_verdict() {
    let one = |value: i32, is_current, level| (Some(value), Some(value), is_current, level);
    // 2 + 1 − 0 = 3; while that is too much, one or both of the pods would have to go.
    assert_eq!(
        strip(&skewed(), Field::MaxSkew(0)),
        [
            one(1, true, Level::Preempts),
            one(2, false, Level::Preempts),
            one(3, false, Level::Fits),
            one(4, false, Level::Fits),
            one(5, false, Level::Fits),
        ]
    );
    assert_eq!(strip(&skewed(), Field::MaxSkew(1)), []);
}

#[test]
fn min_domains_go_to_one_more_than_there_are() {
    let mut waits = pod("new", "web", "1", "");
    waits.spec.topology_spread_constraints.push(constraint(ZONE, 1, "web"));
    let running = ["n1", "n2"].map(|node| pod(&["on-", node].concat(), "web", "1", node));
    let nodes = [node("n1", Some("a"), "4"), node("n2", Some("b"), "4")];
    let all = objects(nodes, running.into_iter().chain([waits]));
    let fits = [None, Some(1), Some(2)].map(|v| (v, v, v.is_none(), Level::Fits));
    let expected: Vec<_> =
        fits.into_iter().chain([(Some(3), Some(3), false, Level::Refused)]).collect();
    assert_eq!(strip(&all, Field::MinDomains(0)), expected);
}

#[test]
fn priorities_are_told_by_where_the_victims_change() {
    let mut low = pod("low", "db", "2", "n1");
    low.spec.priority = Some(10);
    let mut high = pod("high", "db", "2", "n1");
    high.spec.priority = Some(20);
    let all = objects([node("n1", None, "4")], [low, high, pod("new", "web", "2", "")]);
    let level = |from, to, is_current, level| (Some(from), Some(to), is_current, level);
    assert_eq!(
        strip(&all, Field::Priority),
        [
            level(0, 10, true, Level::Refused),
            // Above 20 both are lower, but the more important one still stays.
            level(11, 21, false, Level::Preempts),
        ]
    );
}

#[test]
fn a_strip_sets_a_value_by_one_command() {
    let mut after = playground(skewed());
    let strip = Strip::new(&after, &new(), Field::MaxSkew(0)).unwrap().run();
    assert_eq!(strip.command(Some(1), "same".to_string()), None);
    after.apply(strip.command(Some(3), "maxSkew 3".to_string()).unwrap()).unwrap();
    let pod = after.cluster().pod(after.cluster().pod_named(&new()).unwrap()).unwrap();
    assert_eq!(pod.pod.spec.topology_spread_constraints[0].max_skew, 3);
}

#[test]
fn copies_are_placed_until_none_fits() {
    // 4 nodes of 2 cores and 4 GB, pods of 150m and 100Mi: 52 fit, 13 on each.
    let nodes = ["n1", "n2", "n3", "n4"].map(|name| {
        let mut node = node(name, Some("a"), "2");
        node.status.allocatable =
            super::cluster::amounts(&[("cpu", "2"), ("memory", "4G"), ("pods", "110")]);
        node
    });
    let mut waits = pod("new", "web", "150m", "");
    waits.spec.containers[0].resources.requests.insert("memory".into(), "100Mi".parse().unwrap());
    let playground = playground(objects(nodes, [waits]));
    let more = More::new(&playground, &new(), 1000).unwrap().run();
    assert_eq!(more.count(), 52);
    assert_eq!(more.by_node().values().copied().collect::<Vec<_>>(), vec![13; 4]);
    assert_eq!(more.by_domain(ZONE).get("a"), Some(&52));
    let Some(Stop::Refused(why)) = more.stop() else { panic!("{:?}", more.stop()) };
    let message = why.filter_message.as_deref();
    assert_eq!(message, Some("0/4 nodes are available: 4 Insufficient cpu."));
    let least = More::new(&playground, &new(), 10).unwrap().run();
    assert_eq!((least.count(), least.stop()), (10, Some(&Stop::Limit)));
}

#[test]
fn a_pod_without_room_has_no_copy() {
    let playground = playground(objects([node("n1", None, "1")], [pod("new", "web", "2", "")]));
    let mut more = More::new(&playground, &new(), 5).unwrap();
    assert!(!more.step(1));
    assert_eq!(more.count(), 0);
    assert!(matches!(more.stop(), Some(Stop::Refused(_))));
}
