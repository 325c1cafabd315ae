//! The smallest edits that change an outcome.
//!
//! Search goes by size: every single edit, then every pair, then every three, and stops after the first size at which
//! the pod fits. Each set is carried out on a copy of the cluster as one batch of commands, the engine is asked, and
//! the batch is undone. What to try comes from the explanation of the cluster as it is after the smaller set
//! (`candidates`), so that an edit which helps only together with another is found as well.
//!
//! Of edits that differ in one value only (`maxSkew` 3 or 4) the milder is kept, unless the other comes to more. A
//! set of which a part comes to as much is left out.

use alloc::collections::BTreeSet;
use alloc::string::String;
use alloc::vec::Vec;

use super::apply::commands;
use super::candidates::{Edits, Source, candidates, soft};
use super::edit::{COST_OF_VICTIM, COST_OF_VIOLATION, Edit};
use super::verdict::{Level, Verdict, verdict};
use crate::api::ObjectKey;
use crate::collections::{Set, sort_by};
use crate::explain::NodeReport;
use crate::playground::{Command, CommandError, Playground};

/// How far search goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The most edits together.
    pub size: u32,
    /// The most sets that are tried.
    pub tries: u32,
    /// Three edits are tried together only if no more pairs than this have to be built on.
    pub pairs_for_three: u32,
}

impl Default for Limits {
    fn default() -> Self {
        Self { size: 3, tries: 20_000, pairs_for_three: 300 }
    }
}

/// What is looked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Goal {
    /// A better verdict than now.
    Better,
    /// The scheduler would no longer take this node.
    Leave(String),
}

/// Edits with what they come to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proposal {
    /// The edits.
    pub edits: Vec<Edit>,
    /// What becomes of the pod then.
    pub verdict: Verdict,
    /// What ranks it among those with as many edits.
    pub cost: u32,
}

/// Why search ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// Everything of the size at which the pod first fits was tried, or of the largest size.
    Complete,
    /// There is nothing to look for: the pod fits, or would leave the node anyway.
    NotNeeded,
    /// As much was tried as the limits allow; a smaller or cheaper set than those found is only ruled out below the
    /// size at hand.
    Limit,
}

/// How far search is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// How many edits together are tried now.
    pub size: u32,
    /// Sets tried.
    pub tried: u32,
    /// Smaller sets of this size that were built on, of all.
    pub built_on: (u32, u32),
    /// How it ended, if it did.
    pub ending: Option<Ending>,
}

/// A search under way.
#[derive(Clone, Debug)]
pub struct Search {
    scratch: Playground,
    pod: ObjectKey,
    goal: Goal,
    limits: Limits,
    base: Verdict,
    /// Sets without success, to be built on, and which is next.
    bases: Vec<Vec<Edit>>,
    at: usize,
    /// Sets to be tried that are built on the same.
    untried: Vec<Vec<Edit>>,
    /// Sets tried at this size, and those of them to be built on.
    seen: BTreeSet<Vec<Edit>>,
    next: Vec<Vec<Edit>>,
    found: Vec<Proposal>,
    progress: Progress,
}

impl Search {
    /// Begins to search for a pod that waits.
    pub fn new(
        playground: &Playground,
        pod: &ObjectKey,
        limits: Limits,
    ) -> Result<Self, CommandError> {
        Self::with_goal(playground, pod, Goal::Better, limits)
    }

    /// Begins to search for what would make the scheduler take another node.
    pub fn with_goal(
        playground: &Playground,
        pod: &ObjectKey,
        goal: Goal,
        limits: Limits,
    ) -> Result<Self, CommandError> {
        let mut scratch = playground.scratch();
        let base = verdict(&mut scratch, pod)?;
        let mut search = Self {
            scratch,
            pod: pod.clone(),
            goal,
            limits,
            base,
            bases: alloc::vec![Vec::new()],
            at: 0,
            untried: Vec::new(),
            seen: BTreeSet::new(),
            next: Vec::new(),
            found: Vec::new(),
            progress: Progress { size: 1, tried: 0, built_on: (0, 1), ending: None },
        };
        if search.reached(&search.base) {
            search.progress.ending = Some(Ending::NotNeeded);
        }
        Ok(search)
    }

    /// What becomes of the pod without any edit.
    pub fn base(&self) -> &Verdict {
        &self.base
    }

    /// How far it is.
    pub fn progress(&self) -> Progress {
        self.progress
    }

    /// What was found so far, the best first. Until search ends a milder value may still replace one.
    pub fn found(&self) -> &[Proposal] {
        &self.found
    }

    /// Goes on: asks the engine about so many sets at most. False once it has ended.
    pub fn step(&mut self, questions: u32) -> bool {
        for _ in 0..questions {
            if self.progress.ending.is_some() {
                return false;
            }
            if let Some(set) = self.untried.pop() {
                self.try_set(set);
            } else if let Some(base) = self.bases.get(self.at).cloned() {
                self.at += 1;
                self.progress.built_on.0 += 1;
                self.build_on(&base);
            } else {
                self.finish_size();
            }
        }
        self.progress.ending.is_none()
    }

    /// Goes on to the end.
    #[must_use]
    pub fn run(mut self) -> Self {
        while self.step(u32::MAX) {}
        self
    }

    /// The command that carries a proposal out.
    pub fn command(&self, proposal: &Proposal, name: String) -> Option<Command> {
        let commands = commands(&proposal.edits, self.scratch.cluster(), &self.pod)?;
        Some(Command::Batch { name, commands })
    }

    fn reached(&self, verdict: &Verdict) -> bool {
        match &self.goal {
            Goal::Better => verdict.level() == Level::Fits,
            Goal::Leave(node) => match verdict {
                Verdict::Fits { best, .. } => !best.iter().any(|name| **name == **node),
                _ => false,
            },
        }
    }

    /// Whether a verdict is worth a proposal, although more may be wanted.
    fn improves(&self, verdict: &Verdict) -> bool {
        self.reached(verdict) || (self.goal == Goal::Better && verdict.level() > self.base.level())
    }

    /// Carries a set out, asks, and takes it back.
    fn with<T>(&mut self, set: &[Edit], ask: impl FnOnce(&mut Playground) -> T) -> Option<T> {
        if set.is_empty() {
            return Some(ask(&mut self.scratch));
        }
        let commands = commands(set, self.scratch.cluster(), &self.pod)?;
        let batch = Command::Batch { name: String::new(), commands };
        self.scratch.apply(batch).ok()?;
        let answer = ask(&mut self.scratch);
        self.scratch.undo();
        Some(answer)
    }

    fn build_on(&mut self, base: &[Edit]) {
        let pod = self.pod.clone();
        let leave = match &self.goal {
            Goal::Better => None,
            Goal::Leave(node) => Some(node.clone()),
        };
        let edits = self.with(base, |playground| {
            let explanation = playground.explain_briefly(&pod).ok()?;
            let source = Source { explanation: &explanation, cluster: playground.cluster() };
            let mut edits = candidates(&source, &|report: &NodeReport| !report.is_feasible());
            if let Some(node) = leave {
                also_to_leave(&source, node, &mut edits);
            }
            Some(edits.finish())
        });
        for edit in edits.flatten().into_iter().flatten() {
            let mut set = base.to_vec();
            set.push(renumbered(base, edit));
            crate::collections::sort(&mut set);
            let distinct =
                set.windows(2).all(|two| matches!(two, [a, b] if a.family() != b.family()));
            if distinct && self.seen.insert(set.clone()) {
                self.untried.push(set);
            }
        }
        // The cheapest is taken first, from the end.
        sort_by(&mut self.untried, |a, b| (cost(b), b).cmp(&(cost(a), a)));
    }

    fn try_set(&mut self, set: Vec<Edit>) {
        if self.progress.tried >= self.limits.tries {
            self.end(Ending::Limit);
            return;
        }
        self.progress.tried += 1;
        let pod = self.pod.clone();
        let answer = self.with(&set, |playground| verdict(playground, &pod));
        let Some(Ok(verdict)) = answer else { return };
        if self.improves(&verdict) && !self.is_pointless(&set, &verdict) {
            let violations = match &verdict {
                Verdict::Preempts { violations, .. } => *violations as u32,
                _ => 0,
            };
            let cost = cost(&set)
                .saturating_add(verdict.victims().saturating_mul(COST_OF_VICTIM))
                .saturating_add(violations.saturating_mul(COST_OF_VIOLATION));
            self.keep(Proposal { edits: set.clone(), verdict: verdict.clone(), cost });
        }
        if !self.reached(&verdict) {
            self.next.push(set);
        }
    }

    /// Whether a part of the set comes to as much.
    fn is_pointless(&self, set: &[Edit], verdict: &Verdict) -> bool {
        let is_part = |of: &Proposal| {
            of.edits.len() < set.len()
                && of.edits.iter().all(|edit| {
                    set.iter().any(|own| {
                        own.family() == edit.family() && own.strength() >= edit.strength()
                    })
                })
        };
        self.found.iter().any(|of| is_part(of) && of.verdict.level() >= verdict.level())
    }

    /// Keeps a proposal unless a milder one is known, and drops those that it makes pointless.
    fn keep(&mut self, new: Proposal) {
        if new.edits.iter().any(Edit::has_value) {
            if self.found.iter().any(|known| is_milder(known, &new)) {
                return;
            }
            self.found.retain(|known| !is_milder(&new, known));
        }
        let rank = |of: &Proposal| (of.edits.len(), of.cost);
        let place = self
            .found
            .partition_point(|known| (rank(known), &known.edits) < (rank(&new), &new.edits));
        self.found.insert(place, new);
    }

    fn finish_size(&mut self) {
        let done = self.found.iter().any(|proposal| self.reached(&proposal.verdict));
        let size = self.progress.size + 1;
        if done || size > self.limits.size || self.next.is_empty() {
            self.end(Ending::Complete);
        } else if size > 2 && self.next.len() > self.limits.pairs_for_three as usize {
            self.end(Ending::Limit);
        } else {
            self.bases = core::mem::take(&mut self.next);
            sort_by(&mut self.bases, |a, b| (cost(a), a).cmp(&(cost(b), b)));
            self.at = 0;
            self.seen = BTreeSet::new();
            self.progress.size = size;
            self.progress.built_on = (0, self.bases.len() as u32);
        }
    }

    fn end(&mut self, ending: Ending) {
        self.progress.ending = Some(ending);
        self.untried = Vec::new();
        self.bases = Vec::new();
        self.next = Vec::new();
        self.seen = BTreeSet::new();
    }
}

/// Whether `a` has the same edits as `b`, none of them going further, and comes to as much.
fn is_milder(a: &Proposal, b: &Proposal) -> bool {
    a.edits.len() == b.edits.len()
        && a.verdict.level() >= b.verdict.level()
        && a.verdict.victims() <= b.verdict.victims()
        && a.edits
            .iter()
            .zip(&b.edits)
            .all(|(a, b)| a.family() == b.family() && a.strength() <= b.strength())
}

fn cost(set: &[Edit]) -> u32 {
    set.iter().map(Edit::cost).sum()
}

/// What else may make the scheduler leave a node on which the pod fits.
fn also_to_leave(source: &Source<'_>, node: String, edits: &mut Edits) {
    edits.insert(Edit::Cordon { node });
    soft(source, edits);
}

/// Terms are numbered as in the pod as it is; after `base` those that it made preferred are gone.
fn renumbered(base: &[Edit], edit: Edit) -> Edit {
    let number = |term: u32, gone: &dyn Fn(&Edit) -> Option<u32>| {
        let gone: Set<u32> = base.iter().filter_map(gone).collect();
        gone.iter().fold(term, |term, gone| term + u32::from(*gone <= term))
    };
    match edit {
        Edit::PreferPodAffinity { term } => Edit::PreferPodAffinity {
            term: number(term, &|edit| match edit {
                Edit::PreferPodAffinity { term } => Some(*term),
                _ => None,
            }),
        },
        Edit::PreferPodAntiAffinity { term } => Edit::PreferPodAntiAffinity {
            term: number(term, &|edit| match edit {
                Edit::PreferPodAntiAffinity { term } => Some(*term),
                _ => None,
            }),
        },
        other => other,
    }
}
