//! A simulation whose past can be gone back to, and changed.
//!
//! A [`Timeline`] runs a [`Simulation`] forward and keeps copies of it on the way, so that any moment can be reached from
//! the copy before it. What happened, what the scheduler attempted and what the user asked for is kept too. Who asks for
//! something in the past begins a branch: the branch that it leaves stays as it was. A copy shares with the next one
//! what did not change between them.

mod gauges;
mod spread;
mod steer;

use alloc::sync::Arc;
use alloc::vec::Vec;

use super::command::Command;
use super::{Attempt, Event, Simulation};
use crate::explain::Explanation;
use crate::queue::Instant;
use gauges::Gauges;
pub use gauges::{Gauge, Sample};
pub use spread::SpreadConstraint;

/// How many steps there are between two copies at first.
const FIRST_INTERVAL: u64 = 512;
/// How many more steps an attempt of the scheduler counts as, by the time that it takes.
const ATTEMPT: u64 = 8;
/// How many copies a branch keeps beside those after requests: when there are more, every second one goes.
const MOST_COPIES: usize = 128;

/// One course of events.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct BranchId(u32);

impl BranchId {
    /// The branch that a timeline begins with.
    pub const TRUNK: Self = Self(0);

    const fn at(self) -> usize {
        self.0 as usize
    }
}

/// Something with the number of the step in which it happened.
#[derive(Clone, Debug)]
struct Kept<T> {
    step: u64,
    item: T,
}

/// A request of the user.
#[derive(Clone, Debug)]
pub struct Acted {
    /// When.
    pub at: Instant,
    /// What.
    pub command: Command,
    /// The state before.
    before: Simulation,
}

#[derive(Clone, Debug)]
struct Branch {
    /// Where it came from, and after which step.
    parent: Option<(BranchId, u64)>,
    /// When it began.
    begin: Instant,
    /// The copies, the earliest first: the first is the beginning, and there is one right after each request.
    copies: Vec<Simulation>,
    interval: u64,
    /// How many steps have been made since the last copy, attempts counted for more.
    since_copy: u64,
    /// As far as it has come.
    frontier: Simulation,
    acted: Vec<Acted>,
    events: Vec<Kept<Event>>,
    attempts: Vec<Kept<Attempt>>,
    gauges: Gauges,
    samples: Vec<Kept<Sample>>,
}

impl Branch {
    /// A course that begins with a simulation as it is.
    fn trunk(begin: Simulation) -> Self {
        let mut new = Self::new(None, begin, Gauges::default());
        new.count();
        new
    }

    /// A course that comes from another, whose gauges go on.
    fn new(parent: Option<(BranchId, u64)>, begin: Simulation, mut gauges: Gauges) -> Self {
        if parent.is_some() {
            gauges.count(&begin, |_| ());
        }
        Self {
            gauges,
            samples: Vec::new(),
            parent,
            begin: begin.now(),
            copies: Vec::from([begin.clone()]),
            interval: FIRST_INTERVAL,
            since_copy: 0,
            frontier: begin,
            acted: Vec::new(),
            events: Vec::new(),
            attempts: Vec::new(),
        }
    }

    /// Goes on until an instant is over.
    fn advance(&mut self, end: Instant) {
        while self.frontier.next_at().is_some_and(|next| next <= end) {
            self.step();
        }
        self.frontier.run_until(end);
    }

    fn step(&mut self) {
        self.frontier.step();
        let attempts = self.attempts.len();
        self.collect();
        let attempts = self.attempts.len().saturating_sub(attempts) as u64;
        self.since_copy += 1 + attempts.saturating_mul(ATTEMPT);
        if self.since_copy >= self.interval {
            self.copy();
        }
    }

    fn collect(&mut self) {
        let step = self.frontier.steps();
        let events = self.frontier.take_events();
        let samples = &mut self.samples;
        self.gauges.follow(&self.frontier, &events, |item| samples.push(Kept { step, item }));
        let kept = |item| Kept { step, item };
        self.events.extend(events.into_iter().map(kept));
        let kept = |item| Kept { step, item };
        self.attempts.extend(self.frontier.take_attempts().into_iter().map(kept));
    }

    /// Reads all gauges anew.
    fn count(&mut self) {
        let Self { gauges, frontier, samples, .. } = self;
        let step = frontier.steps();
        gauges.count(frontier, |item| samples.push(Kept { step, item }));
    }

    fn copy(&mut self) {
        self.since_copy = 0;
        self.frontier.share();
        self.copies.push(self.frontier.clone());
        // There is one more for each request, and those stay.
        if self.copies.len().saturating_sub(self.acted.len()) > MOST_COPIES {
            self.interval = self.interval.saturating_mul(2);
            let acted: Vec<u64> = self.acted.iter().map(|acted| acted.before.steps() + 1).collect();
            let mut place = 0_usize;
            self.copies.retain(|copy| {
                place += 1;
                // The beginning and what follows a request cannot be reached from elsewhere.
                place % 2 == 1 || acted.contains(&copy.steps())
            });
        }
    }

    fn act(&mut self, command: Command) {
        let before = self.frontier.clone();
        let at = before.now();
        self.frontier.act(&command);
        self.collect();
        self.count();
        self.acted.push(Acted { at, command, before });
        self.copy();
    }

    /// The last copy of which something holds that holds of the first.
    fn last_copy(&self, holds: impl Fn(&Simulation) -> bool) -> Simulation {
        let found = self.copies.iter().rev().find(|copy| holds(copy));
        found.or_else(|| self.copies.first()).unwrap_or(&self.frontier).clone()
    }

    /// The state at an instant that it has come to.
    fn at(&self, at: Instant) -> Simulation {
        if at >= self.frontier.now() {
            return self.frontier.clone();
        }
        let mut state = self.last_copy(|copy| copy.now() <= at);
        state.run_until(at);
        state.forget_news();
        state
    }

    /// The state before a step.
    fn before(&self, step: u64) -> Simulation {
        let mut state = self.last_copy(|copy| copy.steps() < step);
        while state.steps() + 1 < step && state.step() {}
        state.forget_news();
        state
    }

    /// The state before so many of the last requests.
    fn before_last(&self, requests: usize) -> Option<&Simulation> {
        let first = self.acted.len().checked_sub(requests)?;
        self.acted.get(first).map(|acted| &acted.before)
    }

    /// Takes so many of the last requests back, with everything after them.
    fn undo(&mut self, requests: usize) -> bool {
        let Some(before) = self.before_last(requests).cloned() else { return false };
        self.acted.truncate(self.acted.len().saturating_sub(requests));
        let step = before.steps();
        self.events.retain(|kept| kept.step <= step);
        self.attempts.retain(|kept| kept.step <= step);
        self.samples.retain(|kept| kept.step <= step);
        self.copies.retain(|copy| copy.steps() <= step);
        self.gauges.count(&before, |_| ());
        self.frontier = before;
        self.since_copy = 0;
        true
    }
}

/// A simulation whose past can be gone back to, and changed.
#[derive(Clone, Debug)]
pub struct Timeline {
    branches: Vec<Branch>,
    current: BranchId,
    state: Simulation,
}

impl Timeline {
    /// A timeline that begins with a simulation as it is.
    pub fn new(begin: Simulation) -> Self {
        let state = begin.clone();
        Self { branches: Vec::from([Branch::trunk(begin)]), current: BranchId::TRUNK, state }
    }

    /// The cluster at the moment that is looked at.
    pub const fn state(&self) -> &Simulation {
        &self.state
    }

    /// The moment that is looked at.
    pub const fn now(&self) -> Instant {
        self.state.now()
    }

    /// The branch that is looked at.
    pub const fn current(&self) -> BranchId {
        self.current
    }

    /// All branches.
    pub fn branches(&self) -> impl Iterator<Item = BranchId> {
        (0..self.branches.len() as u32).map(BranchId)
    }

    /// Where a branch comes from, and when it began.
    pub fn parent(&self, branch: BranchId) -> Option<(BranchId, Instant)> {
        let found = self.branches.get(branch.at())?;
        found.parent.map(|(parent, _)| (parent, found.begin))
    }

    /// How far a branch has come.
    pub fn reached(&self, branch: BranchId) -> Instant {
        self.branches.get(branch.at()).map_or(Instant::default(), |branch| branch.frontier.now())
    }

    /// Goes to a moment of this branch, past or future.
    pub fn seek(&mut self, at: Instant) {
        let id = self.branch_at(at);
        if let Some(branch) = self.branches.get_mut(id.at()) {
            branch.advance(at);
            self.state = branch.at(at.max(branch.begin));
        }
    }

    /// Looks at another branch, at the same moment. False if there is no such branch.
    pub fn switch(&mut self, branch: BranchId) -> bool {
        let is_there = branch.at() < self.branches.len();
        if is_there {
            self.current = branch;
            self.seek(self.state.now());
        }
        is_there
    }

    /// Asks the API server for something, at the moment that is looked at. If this branch has come further already, a
    /// new one begins. Gives the branch.
    pub fn act(&mut self, command: Command) -> BranchId {
        let id = self.branch_at(self.state.now());
        let is_last = id == self.current
            && self.branches.get(id.at()).is_some_and(|branch| {
                branch.frontier.now() == self.state.now()
                    && branch.frontier.steps() == self.state.steps()
            });
        if !is_last {
            self.branch(id, self.state.clone());
        }
        if let Some(branch) = self.branches.get_mut(self.current.at()) {
            branch.act(command);
            self.state = branch.frontier.clone();
        }
        self.current
    }

    /// Takes so many of the last requests of this branch back, with everything that came of them; of a branch that has no
    /// others goes back to where it began. False if there is nothing to take back.
    pub fn undo(&mut self, requests: usize) -> bool {
        let Some(branch) = self.branches.get_mut(self.current.at()) else { return false };
        let asked = branch.acted.len();
        if asked > requests || (branch.parent.is_none() && asked == requests && asked > 0) {
            let Some(before) = branch.before_last(requests).cloned() else { return false };
            // Branches that began later than this hang on what is taken back.
            if self.has_branches_after(before.steps()) {
                self.branch(self.current, before.clone());
                self.state = before;
                return true;
            }
            let Some(branch) = self.branches.get_mut(self.current.at()) else { return false };
            branch.undo(requests);
            self.state = branch.frontier.clone();
            return true;
        }
        let Some((parent, begin)) = self.parent(self.current) else { return false };
        self.current = parent;
        self.seek(begin);
        true
    }

    fn has_branches_after(&self, step: u64) -> bool {
        self.branches.iter().any(|other| {
            other.parent.is_some_and(|(parent, at)| parent == self.current && at > step)
        })
    }

    /// Begins a branch of another with a state of it, and looks at it.
    fn branch(&mut self, parent: BranchId, begin: Simulation) {
        let gauges = self.branches.get(parent.at()).map(|branch| branch.gauges.clone());
        let from = Some((parent, begin.steps()));
        let new = Branch::new(from, begin, gauges.unwrap_or_default());
        self.current = BranchId(self.branches.len() as u32);
        self.branches.push(new);
    }

    /// What gauges came to show on this branch as far as it has come, in order.
    pub fn samples(&self) -> impl Iterator<Item = &Sample> {
        self.lineage().into_iter().flat_map(|(branch, end)| {
            branch.samples.iter().take_while(move |kept| kept.step <= end).map(|kept| &kept.item)
        })
    }

    /// The constraint that a gauge of this branch is about, by its number.
    pub fn constraint(&self, number: u32) -> Option<&Arc<SpreadConstraint>> {
        self.branches.get(self.current.at())?.gauges.constraint(number)
    }

    /// Begins another course of events that has nothing in common with this one, and looks at its beginning. Gives its
    /// branch, which has no parent.
    pub fn begin_another(&mut self, begin: Simulation) -> BranchId {
        self.state = begin.clone();
        self.current = BranchId(self.branches.len() as u32);
        self.branches.push(Branch::trunk(begin));
        self.current
    }

    /// What happened on this branch as far as it has come, in order; its parents' part included.
    pub fn events(&self) -> impl Iterator<Item = &Event> {
        self.lineage().into_iter().flat_map(|(branch, end)| {
            branch.events.iter().take_while(move |kept| kept.step <= end).map(|kept| &kept.item)
        })
    }

    /// The scheduler's attempts on this branch as far as it has come, in order.
    pub fn attempts(&self) -> impl Iterator<Item = &Attempt> {
        self.lineage().into_iter().flat_map(|(branch, end)| {
            branch.attempts.iter().take_while(move |kept| kept.step <= end).map(|kept| &kept.item)
        })
    }

    /// What the user asked for on this branch, in order.
    pub fn acted(&self) -> impl Iterator<Item = &Acted> {
        self.lineage().into_iter().flat_map(|(branch, end)| {
            branch.acted.iter().take_while(move |acted| acted.before.steps() < end)
        })
    }

    /// Why an attempt came out as it did, by its number among [`Timeline::attempts`]: the cluster as the scheduler knew
    /// it then is made anew. None if there is no such attempt.
    pub fn explain(&self, attempt: usize) -> Option<Explanation> {
        let mut rest = attempt;
        for (branch, end) in self.lineage() {
            let count = branch.attempts.iter().take_while(|kept| kept.step <= end).count();
            if let Some(kept) = branch.attempts.get(rest).filter(|_| rest < count) {
                return branch.before(kept.step).scheduler().explain_next();
            }
            rest -= count;
        }
        None
    }

    /// The next event after this moment, if there is one before `end`: goes there.
    pub fn next_event(&mut self, end: Instant) -> Option<Instant> {
        let now = self.now();
        let id = self.branch_at(end);
        if let Some(branch) = self.branches.get_mut(id.at()) {
            while branch.frontier.next_at().is_some_and(|next| next <= end)
                && branch.events.last().is_none_or(|kept| kept.item.at <= now)
            {
                branch.step();
            }
        }
        let next = self.events().map(|event| event.at).find(|at| *at > now && *at <= end)?;
        self.seek(next);
        Some(next)
    }

    /// The event before this moment: goes there.
    pub fn previous_event(&mut self) -> Option<Instant> {
        let now = self.now();
        let before = self.events().map(|event| event.at).take_while(|at| *at < now).last()?;
        self.seek(before);
        Some(before)
    }

    /// This branch and its parents, the oldest first, each with its last step that counts.
    fn lineage(&self) -> Vec<(&Branch, u64)> {
        let mut out = Vec::new();
        let (mut next, mut end) = (Some(self.current), u64::MAX);
        while let Some(branch) = next.and_then(|id| self.branches.get(id.at())) {
            out.push((branch, end));
            next = branch.parent.map(|(parent, _)| parent);
            end = branch.parent.map_or(0, |(_, step)| step);
        }
        out.reverse();
        out
    }

    /// The branch of this lineage that a moment is on: what was before a branch is its parent's.
    fn branch_at(&self, at: Instant) -> BranchId {
        let mut id = self.current;
        while let Some((parent, begin)) = self.parent(id) {
            if at >= begin {
                break;
            }
            id = parent;
        }
        id
    }
}
