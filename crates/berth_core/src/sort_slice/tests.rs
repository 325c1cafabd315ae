//! Orders that Go's sort gave.

use alloc::vec::Vec;

use crate::cluster::PodIdx;
use crate::preemption::importance::{Ranked, sort};

/// What Go's `sort.Slice` made of lists of pods, some of which contradict themselves.
const ORDERS: &str = include_str!("orders.txt");

fn pods(text: &str) -> Vec<Ranked> {
    let pod = |(index, item): (u32, &str)| {
        let (priority, start) = item.split_once(':').unwrap_or(("0", item));
        let start = (start != "-").then(|| start.parse().expect("a start is a number"));
        let priority = priority.parse().expect("a priority is a number");
        Ranked { pod: PodIdx(index), priority, start }
    };
    (0..).zip(text.split_whitespace()).map(pod).collect()
}

#[test]
fn as_go_sorts() {
    let mut lists = 0;
    for line in ORDERS.lines().filter(|line| !line.starts_with('#')) {
        let mut parts = line.split('|');
        let mut part = || parts.next().expect("a line has three parts");
        let (name, mut list, order) = (part(), pods(part()), part());
        let want: Vec<u32> =
            order.split_whitespace().map(|i| i.parse().expect("an index is a number")).collect();
        sort(&mut list);
        let got: Vec<u32> = list.iter().map(|pod| pod.pod.0).collect();
        assert_eq!(got, want, "{name}, {} pods", want.len());
        lists += 1;
    }
    assert!(lists > 100);
}
