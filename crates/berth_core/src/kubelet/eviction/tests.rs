//! Rounds that follow each other, which the corpus has only two of.

use alloc::vec;
use alloc::vec::Vec;

use super::*;
use crate::api::{Container, Format, ResourceRequirements};
use crate::kubelet::termination::SECOND;

fn pod(name: &str) -> Pod {
    let mut pod = Pod::default();
    pod.metadata.name = name.into();
    pod.spec.containers.push(Container { name: "c".into(), ..Container::default() });
    pod
}

fn memory(available: i64) -> Vec<Observation> {
    let quantity = |value| Quantity::from_value(value, Format::BinarySI);
    let signal = Signal::MemoryAvailable;
    vec![Observation { signal, available: quantity(available), capacity: quantity(1000) }]
}

fn evicted(round: &Round<'_>) -> usize {
    round.evicted.len()
}

#[test]
fn a_soft_threshold_has_to_be_crossed_all_the_time() {
    let pod = pod("a");
    let pods = [Candidate { pod: &pod, stats: None, is_static: false }];
    let share = ThresholdValue::Share(0.5);
    let mut manager = Manager::new(vec![Threshold::soft(Signal::MemoryAvailable, share, 60)], 0);
    let mut round = |second: u64, available| {
        let round = manager.synchronize(second * SECOND, &memory(available), &pods);
        (evicted(&round), round.conditions.len())
    };
    assert_eq!(round(0, 499), (0, 1));
    assert_eq!(round(59, 500), (0, 1));
    assert_eq!(round(60, 499), (0, 1));
    assert_eq!(round(119, 499), (0, 1));
    assert_eq!(round(120, 499), (1, 1));
    // The condition outlives the pressure by five minutes.
    assert_eq!(round(419, 500), (0, 1));
    assert_eq!(round(420, 500), (0, 0));
}

#[test]
fn what_has_to_be_free_again_counts_once_pods_went() {
    let pod = pod("a");
    let pods = [Candidate { pod: &pod, stats: None, is_static: false }];
    let value = |value| ThresholdValue::Quantity(Quantity::from_value(value, Format::BinarySI));
    let mut threshold = Threshold::hard(Signal::MemoryAvailable, value(100));
    threshold.min_reclaim = Some(value(50));
    let mut manager = Manager::new(vec![threshold], 0);
    let counts: Vec<_> = [120, 99, 149, 150, 120]
        .map(|available| evicted(&manager.synchronize(0, &memory(available), &pods)))
        .into();
    assert_eq!(counts, [0, 1, 1, 0, 0]);
}

#[test]
fn pods_over_their_own_limit_go_first_and_all_at_once() {
    let limits = [("ephemeral-storage", "1k")];
    let limits = limits.map(|(name, text)| (name.into(), Quantity::parse(text).expect("a number")));
    let limited = |name| {
        let mut pod = pod(name);
        let limits = limits.clone().into_iter().collect();
        pod.spec.containers[0].resources = ResourceRequirements { limits, ..Default::default() };
        pod
    };
    let (a, b, c, other) = (limited("a"), limited("b"), limited("c"), pod("other"));
    let (much, little) = (
        PodStats { disk: Some(600), logs: Some(401), ..PodStats::default() },
        PodStats { disk: Some(600), logs: Some(400), ..PodStats::default() },
    );
    let candidate = |pod, stats, is_static| Candidate { pod, stats: Some(stats), is_static };
    let pods = [
        candidate(&a, &much, false),
        candidate(&b, &little, false),
        candidate(&c, &much, true),
        candidate(&other, &much, false),
    ];
    let round = Manager::new(Vec::new(), 0).synchronize(0, &[], &pods);
    let messages: Vec<_> = round.evicted.iter().map(|e| (&*e.pod.name, &*e.message)).collect();
    let words = "Container c exceeded its local ephemeral storage limit \"1k\". ";
    assert_eq!(messages, [("a", words)]);
    assert!(round.evicted.iter().all(|e| !e.is_target && e.grace_period_seconds == 1));
}

#[test]
fn memory_is_reclaimed_before_anything_else() {
    let pod = pod("a");
    let pods = [Candidate { pod: &pod, stats: None, is_static: false }];
    let value = || ThresholdValue::Quantity(Quantity::from_value(100, Format::BinarySI));
    let signals = [Signal::PidAvailable, Signal::MemoryAvailable];
    let mut observations = memory(10);
    observations.push(Observation { signal: Signal::PidAvailable, ..observations[0].clone() });
    let thresholds = signals.map(|signal| Threshold::hard(signal, value())).into();
    let round = Manager::new(thresholds, 0).synchronize(0, &observations, &pods);
    assert_eq!(
        round.evicted[0].message,
        "The node was low on resource: memory. Threshold quantity: 100, available: 10. "
    );
    assert_eq!(round.conditions, ["PIDPressure", "MemoryPressure"]);
}
