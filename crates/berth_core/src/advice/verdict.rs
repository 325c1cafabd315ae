//! What becomes of a pod, in one word and its numbers.

use alloc::sync::Arc;
use alloc::vec::Vec;

use crate::api::ObjectKey;
use crate::cluster::{Cluster, NodeIdx};
use crate::framework::cycle::{Decision, decide};
use crate::playground::{CommandError, Playground};
use crate::preemption::{self, Outcome};

/// What becomes of a pod as the cluster stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Filter lets nodes through.
    Fits {
        /// How many.
        nodes: u32,
        /// Those with the highest total: the scheduler takes any of them.
        best: Vec<Arc<str>>,
    },
    /// No node can take it, but one can once others are gone.
    Preempts {
        /// The node that the seed picks among those that kube-scheduler may take.
        node: Arc<str>,
        /// The pods that go from it, the more important first.
        victims: Vec<ObjectKey>,
        /// How many of them break a disruption budget.
        violations: i64,
    },
    /// It waits.
    Refused,
}

/// Verdicts from worst to best.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// It waits.
    Refused,
    /// Others go, and a disruption budget is broken.
    Breaks,
    /// Others go.
    Preempts,
    /// It fits.
    Fits,
}

impl Verdict {
    /// How good it is.
    pub fn level(&self) -> Level {
        match self {
            Self::Refused => Level::Refused,
            Self::Preempts { violations: 1.., .. } => Level::Breaks,
            Self::Preempts { .. } => Level::Preempts,
            Self::Fits { .. } => Level::Fits,
        }
    }

    /// How many pods would go.
    pub fn victims(&self) -> u32 {
        match self {
            Self::Preempts { victims, .. } => victims.len() as u32,
            _ => 0,
        }
    }
}

/// What becomes of a pod. One that stands on a node is asked about as if it waited.
pub fn verdict(playground: &mut Playground, pod: &ObjectKey) -> Result<Verdict, CommandError> {
    let found = playground.with_waiting(pod, |cluster, profile, info| {
        let Decision::Filtered(placement) = decide(cluster, profile, info) else {
            return Found::Refused;
        };
        if !placement.feasible.is_empty() {
            let best = placement.best.iter().map(|idx| name(cluster, *idx)).collect();
            return Found::Fits { nodes: placement.feasible.len() as u32, best };
        }
        let Some(found) = preemption::decide(cluster, profile, info, &placement.rejected) else {
            return Found::Refused;
        };
        let candidates = found.choice.ties.iter().filter_map(|tie| {
            let run = found.runs.get(*found.candidates.get(*tie as usize)? as usize)?;
            let Outcome::Candidate(victims) = &run.outcome else { return None };
            let pods = victims.pods.iter().filter_map(|of| Some(cluster.pod(of.pod)?.key()));
            Some((name(cluster, run.node), pods.collect(), victims.violations))
        });
        Found::Candidates(candidates.collect())
    })?;
    Ok(match found {
        Found::Refused => Verdict::Refused,
        Found::Fits { nodes, best } => Verdict::Fits { nodes, best },
        Found::Candidates(mut candidates) => {
            let pick = playground.pick(pod, candidates.len() as u32) as usize;
            if pick < candidates.len() {
                let (node, victims, violations) = candidates.swap_remove(pick);
                Verdict::Preempts { node, victims, violations }
            } else {
                Verdict::Refused
            }
        }
    })
}

enum Found {
    Refused,
    Fits { nodes: u32, best: Vec<Arc<str>> },
    Candidates(Vec<(Arc<str>, Vec<ObjectKey>, i64)>),
}

fn name(cluster: &Cluster, idx: NodeIdx) -> Arc<str> {
    cluster.node(idx).map_or_else(|| Arc::from(""), |node| Arc::clone(&node.name))
}
