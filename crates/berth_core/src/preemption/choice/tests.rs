//! The choice, criterion by criterion.

use alloc::vec;
use alloc::vec::Vec;

use super::*;
use crate::cluster::PodIdx;
use crate::preemption::importance::Ranked;

fn victims(violations: i64, pods: &[(i32, Option<i64>)]) -> Victims {
    let pod = |(i, &(priority, start))| Ranked { pod: PodIdx(i), priority, start };
    Victims { violations, pods: (0..).zip(pods).map(pod).collect() }
}

fn choose(candidates: &[Victims]) -> (Option<Criterion>, Vec<u32>) {
    let choice = Choice::new(candidates.iter().map(Criteria::new).collect());
    (choice.decided(), choice.ties)
}

#[test]
fn criteria_are_looked_at_in_order() {
    let old = Some(1);
    let new = Some(2);
    for (name, candidates, decided, ties) in [
        ("none", vec![], None, vec![]),
        ("one needs no look", vec![victims(9, &[(0, old)])], None, vec![0]),
        (
            "violations go before everything else",
            vec![victims(1, &[(0, old)]), victims(0, &[(900, old), (900, old)])],
            Some(Criterion::PdbViolations),
            vec![1],
        ),
        (
            "then the highest priority",
            vec![victims(0, &[(5, old)]), victims(0, &[(4, old), (4, old), (4, old)])],
            Some(Criterion::HighestPriority),
            vec![1],
        ),
        (
            // 5 + 2³¹ twice is more than once, though −3 lowers the plain sum.
            "every victim adds to the sum, one below zero too",
            vec![victims(0, &[(5, old), (-3, old)]), victims(0, &[(5, old)])],
            Some(Criterion::PrioritySum),
            vec![1],
        ),
        (
            // i32::MIN + 2³¹ is 0.
            "the lowest priority adds nothing, so the count decides",
            vec![victims(0, &[(5, old), (i32::MIN, old)]), victims(0, &[(5, old)])],
            Some(Criterion::VictimCount),
            vec![1],
        ),
        (
            // The earliest of the top priority is 1 on the first node, 2 on the second.
            "then the latest start, lower pods aside",
            vec![
                victims(0, &[(5, new), (5, old), (1, new)]),
                victims(0, &[(5, new), (5, new), (1, old)]),
            ],
            Some(Criterion::StartTime),
            vec![1],
        ),
        (
            "no start at all is later than any",
            vec![victims(0, &[(5, new)]), victims(0, &[(5, None)])],
            Some(Criterion::StartTime),
            vec![1],
        ),
        (
            "but one that has a start speaks for the others",
            vec![victims(0, &[(5, None), (5, old)]), victims(0, &[(5, new), (5, new)])],
            Some(Criterion::StartTime),
            vec![1],
        ),
        (
            "equal to the end",
            vec![victims(0, &[(5, new)]), victims(1, &[(5, new)]), victims(0, &[(5, new)])],
            None,
            vec![0, 2],
        ),
        (
            "without starts, any",
            vec![victims(0, &[(5, None)]), victims(0, &[(5, None)])],
            None,
            vec![0, 1],
        ),
    ] {
        assert_eq!(choose(&candidates), (decided, ties), "{name}");
    }
}

#[test]
fn rounds_say_who_is_left() {
    let candidates = [
        victims(0, &[(5, Some(1))]),
        victims(1, &[(0, Some(1))]),
        victims(0, &[(5, Some(1)), (0, Some(1))]),
    ];
    let choice = Choice::new(candidates.iter().map(Criteria::new).collect());
    let rounds = [
        (Criterion::PdbViolations, vec![0, 2]),
        (Criterion::HighestPriority, vec![0, 2]),
        (Criterion::PrioritySum, vec![0]),
    ];
    assert_eq!(choice.rounds, rounds);
}

#[test]
fn sums_do_not_stop_at_32_bits() {
    let many = vec![(i32::MAX, Some(1)); 1000];
    // 1000 × (2³¹ − 1 + 2³¹)
    assert_eq!(Criteria::new(&victims(0, &many)).priority_sum, 1000 * ((1_i64 << 32) - 1));
}
