//! Which candidate is taken.
//!
//! Mirrors `pickOneNodeForPreemption` of `preemption.go` and `GetEarliestPodStartTime` of
//! `pkg/scheduler/util/utils.go`.

use alloc::vec::Vec;

use super::victims::Victims;

/// What candidates are compared by, in this order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Criterion {
    /// Fewest broken budgets.
    PdbViolations,
    /// Lowest priority of the most important victim.
    HighestPriority,
    /// Lowest sum of priorities, each raised so that none is below zero.
    PrioritySum,
    /// Fewest victims.
    VictimCount,
    /// Latest start of the earliest among the victims of the highest priority.
    StartTime,
}

impl Criterion {
    /// All, in order.
    pub const ALL: [Self; 5] = [
        Self::PdbViolations,
        Self::HighestPriority,
        Self::PrioritySum,
        Self::VictimCount,
        Self::StartTime,
    ];
}

/// A candidate's row in the table of criteria.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Criteria {
    /// Victims that break a budget.
    pub violations: i64,
    /// Priority of the most important victim.
    pub highest_priority: i32,
    /// Sum of the priorities, 2³¹ added to each.
    pub priority_sum: i64,
    /// Victims.
    pub count: i64,
    /// Earliest start among the victims of the highest priority, in seconds; none if all of them
    /// have none, which is later than any other.
    pub start: Option<i64>,
}

impl Criteria {
    /// What the victims of a node come to.
    pub fn new(victims: &Victims) -> Self {
        let pods = &victims.pods;
        let mut highest = i32::MIN;
        let mut sum = 0_i64;
        for pod in pods {
            highest = highest.max(pod.priority);
            sum = sum.wrapping_add(i64::from(pod.priority) + (1 << 31));
        }
        let mut start = None;
        for pod in pods {
            if pod.priority == highest
                && let Some(known) = pod.start
            {
                start = Some(start.map_or(known, |earliest: i64| earliest.min(known)));
            }
        }
        Self {
            violations: victims.violations,
            highest_priority: pods.first().map_or(0, |first| first.priority),
            priority_sum: sum,
            count: pods.len() as i64,
            start,
        }
    }

    /// The higher the better. A start time is compared in nanoseconds, which overflow as in Go; a
    /// missing one goes before all.
    fn score(&self, criterion: Criterion) -> (bool, i64) {
        let score = match criterion {
            Criterion::PdbViolations => -self.violations,
            Criterion::HighestPriority => -i64::from(self.highest_priority),
            Criterion::PrioritySum => self.priority_sum.wrapping_neg(),
            Criterion::VictimCount => -self.count,
            Criterion::StartTime => match self.start {
                Some(start) => start.wrapping_mul(1_000_000_000),
                None => return (true, 0),
            },
        };
        (false, score)
    }
}

/// How the choice among candidates went.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Choice {
    /// A row for each candidate.
    pub criteria: Vec<Criteria>,
    /// The criteria that were looked at, each with the candidates that it left. A single candidate
    /// is taken without a look.
    pub rounds: Vec<(Criterion, Vec<u32>)>,
    /// The candidates left in the end: kube-scheduler takes any of them.
    pub ties: Vec<u32>,
}

impl Choice {
    /// Compares candidates until one is left.
    pub fn new(criteria: Vec<Criteria>) -> Self {
        let mut ties: Vec<u32> = (0..criteria.len() as u32).collect();
        let mut rounds = Vec::new();
        for criterion in Criterion::ALL {
            if ties.len() < 2 {
                break;
            }
            let mut best = None;
            let mut left = Vec::new();
            for &i in &ties {
                let Some(row) = criteria.get(i as usize) else { continue };
                let score = Some(row.score(criterion));
                if score > best {
                    best = score;
                    left.clear();
                }
                if score == best {
                    left.push(i);
                }
            }
            ties.clone_from(&left);
            rounds.push((criterion, left));
        }
        Self { criteria, rounds, ties }
    }

    /// The criterion that left a single candidate, if one did.
    pub fn decided(&self) -> Option<Criterion> {
        let (criterion, left) = self.rounds.last()?;
        (left.len() == 1).then_some(*criterion)
    }
}

#[cfg(test)]
mod tests;
