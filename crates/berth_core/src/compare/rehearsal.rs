//! Every pod that waits, scheduled on a copy, attempt by attempt; and what comes out differently on another copy.

use alloc::string::String;
use alloc::vec::Vec;

use crate::api::ObjectKey;
use crate::collections::Map;
use crate::playground::{AttemptResult, CommandError, Playground};

/// What became of a pod.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fate {
    /// It is on a node.
    Lands {
        /// The node.
        node: String,
        /// How many nodes were equally good.
        ties: u32,
    },
    /// It waits: what the scheduler said of it last; nothing if it was never attempted.
    Waits {
        /// Kubernetes' text.
        message: String,
    },
    /// It went for another.
    Goes {
        /// The pod that needed the room.
        preemptor: ObjectKey,
    },
}

impl Fate {
    /// Whether it comes to the same: the same node, or waiting, or gone.
    pub fn is_like(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Lands { node, .. }, Self::Lands { node: other, .. }) => node == other,
            (Self::Waits { .. }, Self::Waits { .. }) | (Self::Goes { .. }, Self::Goes { .. }) => {
                true
            }
            _ => false,
        }
    }
}

/// How many pods came to what.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sums {
    /// On a node.
    pub land: u32,
    /// Waiting.
    pub wait: u32,
    /// Gone.
    pub go: u32,
}

/// A copy on which the scheduler is let run.
#[derive(Clone, Debug)]
pub struct Rehearsal {
    playground: Playground,
    fates: Map<ObjectKey, Fate>,
    attempts: u64,
    most: u64,
}

impl Rehearsal {
    /// Begins with the cluster as it stands.
    pub fn new(playground: &Playground) -> Self {
        let waits = |message: String| Fate::Waits { message };
        let waiting = playground
            .cluster()
            .pods()
            .filter(|(_, info)| info.pod.spec.node_name.is_empty())
            .map(|(_, info)| (info.key(), waits(String::new())));
        Self {
            fates: waiting.collect(),
            attempts: 0,
            most: playground.most_attempts(),
            playground: playground.rehearsal(),
        }
    }

    /// Attempts so many pods more. False once nothing is left that could be scheduled now.
    pub fn step(&mut self, attempts: u32) -> Result<bool, CommandError> {
        for _ in 0..attempts {
            if self.attempts >= self.most {
                return Ok(false);
            }
            let Some(attempt) = self.playground.rehearse()? else { return Ok(false) };
            self.attempts += 1;
            let fate = match attempt.result {
                AttemptResult::Bound { node, ties } => Fate::Lands { node, ties },
                AttemptResult::Unschedulable { message, .. }
                | AttemptResult::Skipped { message } => Fate::Waits { message },
                AttemptResult::Preempting { message, victims, .. } => {
                    for victim in victims.into_iter().filter(|victim| victim.deleted) {
                        let preemptor = attempt.pod.clone();
                        self.fates.insert(victim.pod, Fate::Goes { preemptor });
                    }
                    Fate::Waits { message }
                }
            };
            self.fates.insert(attempt.pod, fate);
        }
        Ok(self.playground.has_next())
    }

    /// How many attempts there were.
    pub fn attempts(&self) -> u64 {
        self.attempts
    }

    /// Every pod that waited or went, with what became of it.
    pub fn fates(&self) -> &Map<ObjectKey, Fate> {
        &self.fates
    }

    /// How many pods came to what.
    pub fn sums(&self) -> Sums {
        let mut sums = Sums::default();
        for fate in self.fates.values() {
            match fate {
                Fate::Lands { .. } => sums.land += 1,
                Fate::Waits { .. } => sums.wait += 1,
                Fate::Goes { .. } => sums.go += 1,
            }
        }
        sums
    }
}

/// A pod that comes to something else; of the fates the first playground's comes first. A pod without a fate was neither
/// waiting nor sent away there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FateDifference {
    /// The pod.
    pub pod: ObjectKey,
    /// What became of it.
    pub fates: [Option<Fate>; 2],
}

/// The pods that come to something else, by name.
pub fn fate_differences(
    first: &Map<ObjectKey, Fate>,
    second: &Map<ObjectKey, Fate>,
) -> Vec<FateDifference> {
    let mut out = Vec::new();
    for (pod, fate) in first {
        let other = second.get(pod);
        if other.is_none_or(|other| !fate.is_like(other)) {
            out.push(FateDifference {
                pod: pod.clone(),
                fates: [Some(fate.clone()), other.cloned()],
            });
        }
    }
    for (pod, fate) in second {
        if !first.contains_key(pod) {
            out.push(FateDifference { pod: pod.clone(), fates: [None, Some(fate.clone())] });
        }
    }
    crate::collections::sort_by_key(&mut out, |difference| difference.pod.clone());
    out
}
