//! The rounds in which a kubelet looks at its signals and evicts at most one pod.
//!
//! Mirrors `managerImpl.synchronize` and `evictPod` of `eviction_manager.go`. A Go map decides the order of several
//! thresholds that are ripe at once, but for memory, which is first; here they stand as they were configured.

use alloc::string::String;
use alloc::vec::Vec;

use super::limits::over_limit;
use super::message::message;
use super::{Candidate, Observation, Signal, Threshold, rank};
use crate::api::ObjectKey;
use crate::kubelet::termination::SECOND;

/// How long a pod gets that goes for a hard threshold (`immediateEvictionGracePeriodSeconds`).
const AT_ONCE_SECONDS: i64 = 1;

/// How long a node keeps a condition by default (`evictionPressureTransitionPeriod`).
const TRANSITION: u64 = 5 * 60 * SECOND;

/// A kubelet's eviction manager.
#[derive(Clone, Debug, PartialEq)]
pub struct Manager {
    /// What it watches over.
    pub thresholds: Vec<Threshold>,
    /// The most seconds that a pod gets for a soft threshold (`evictionMaxPodGracePeriod`).
    pub max_pod_grace_period_seconds: i64,
    /// For how many nanoseconds a node keeps a condition that was not observed again.
    pub pressure_transition_period: u64,
    /// Since when each threshold, by number, is crossed.
    crossed: Vec<(usize, u64)>,
    /// The thresholds, by number, that were ripe in the last round.
    ripe: Vec<usize>,
    /// When each condition was last observed.
    conditions: Vec<(&'static str, u64)>,
}

/// What came of a round.
#[derive(Clone, Debug)]
pub struct Round<'a> {
    /// The pods that go: one for a threshold, or all that are over their own limits.
    pub evicted: Vec<Evicted>,
    /// The pods in the order in which they would go, if a threshold is ripe; else as they were given.
    pub order: Vec<Candidate<'a>>,
    /// The conditions that the node has from now on.
    pub conditions: Vec<&'static str>,
}

/// A pod that is evicted: it fails for the reason `Evicted`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Evicted {
    /// The pod.
    pub pod: ObjectKey,
    /// Seconds that it gets, if it had more.
    pub grace_period_seconds: i64,
    /// The message of its status.
    pub message: String,
    /// Whether it gets the condition `DisruptionTarget` for the reason `TerminationByKubelet`.
    pub is_target: bool,
}

impl Evicted {
    /// The reason of its status.
    pub const REASON: &'static str = "Evicted";
    /// The reason of its condition `DisruptionTarget`.
    pub const TARGET_REASON: &'static str = "TerminationByKubelet";
}

impl Manager {
    /// A manager that has seen nothing yet.
    pub const fn new(thresholds: Vec<Threshold>, max_pod_grace_period_seconds: i64) -> Self {
        Self {
            thresholds,
            max_pod_grace_period_seconds,
            pressure_transition_period: TRANSITION,
            crossed: Vec::new(),
            ripe: Vec::new(),
            conditions: Vec::new(),
        }
    }

    /// A round at a time in nanoseconds.
    pub fn synchronize<'a>(
        &mut self,
        now: u64,
        observations: &[Observation],
        pods: &[Candidate<'a>],
    ) -> Round<'a> {
        let ripe = self.observe(now, observations);
        let conditions = self.conditions.iter().map(|(condition, _)| *condition).collect();
        let mut round = Round { evicted: over_limits(pods), order: pods.to_vec(), conditions };
        if !round.evicted.is_empty() {
            return round;
        }
        let thresholds: Vec<&Threshold> =
            ripe.iter().filter_map(|number| self.thresholds.get(*number)).collect();
        if let Some(first) = thresholds.first() {
            round.order = rank(pods, first.signal);
            let evicted = round.order.iter().find(|candidate| !candidate.is_critical());
            round.evicted.extend(evicted.map(|candidate| Evicted {
                pod: candidate.pod.metadata.key(),
                grace_period_seconds: self.grace_period(candidate, first),
                message: message(candidate, first.signal, &thresholds, observations),
                is_target: true,
            }));
        }
        round
    }

    /// Takes note of what is crossed, and says which thresholds, by number, are so for long enough: memory first.
    fn observe(&mut self, now: u64, observations: &[Observation]) -> Vec<usize> {
        let met = |(number, threshold): &(usize, &Threshold)| {
            threshold.is_met(observations, self.ripe.contains(number))
                || threshold.is_met(observations, false)
        };
        let crossed: Vec<(usize, &Threshold)> =
            self.thresholds.iter().enumerate().filter(met).collect();
        for (_, threshold) in &crossed {
            let condition = threshold.signal.node_condition();
            self.conditions.retain(|(known, _)| *known != condition);
            self.conditions.push((condition, now));
        }
        let period = self.pressure_transition_period;
        self.conditions.retain(|(_, at)| now.saturating_sub(*at) < period);
        let since = |number: usize| {
            let known = self.crossed.iter().find(|(other, _)| *other == number);
            (number, known.map_or(now, |(_, at)| *at))
        };
        let since: Vec<(usize, u64)> = crossed.iter().map(|(number, _)| since(*number)).collect();
        let is_ripe = |(number, at): &&(usize, u64)| {
            let threshold = self.thresholds.get(*number);
            threshold.is_some_and(|threshold| now.saturating_sub(*at) >= threshold.grace)
        };
        let mut ripe: Vec<usize> =
            since.iter().filter(is_ripe).map(|(number, _)| *number).collect();
        self.crossed = since;
        self.ripe.clone_from(&ripe);
        let signal = |number: &usize| self.thresholds.get(*number).map(|t| t.signal);
        ripe.sort_by_key(|number| signal(number) != Some(Signal::MemoryAvailable));
        ripe
    }

    fn grace_period(&self, candidate: &Candidate<'_>, threshold: &Threshold) -> i64 {
        if threshold.is_hard() {
            return AT_ONCE_SECONDS;
        }
        let most = self.max_pod_grace_period_seconds;
        candidate.pod.spec.termination_grace_period_seconds.map_or(most, |own| own.min(most))
    }
}

/// Pods that are over their own limits (`localStorageEviction`).
fn over_limits(pods: &[Candidate<'_>]) -> Vec<Evicted> {
    let evictable = pods.iter().filter(|candidate| !candidate.is_critical());
    let over = evictable.filter_map(|candidate| {
        Some(Evicted {
            pod: candidate.pod.metadata.key(),
            grace_period_seconds: AT_ONCE_SECONDS,
            message: over_limit(candidate)?,
            is_target: false,
        })
    });
    over.collect()
}
