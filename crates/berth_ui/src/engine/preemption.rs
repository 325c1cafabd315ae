//! The Preemption tab's view.

use super::apps::Apps;
use super::facts::{Subject, few};
use super::number::{decimal, signed};
use super::order::sorted;
use super::score;
use crate::locale::{Locale, RoomMsg, RoomWords, ScoreWords};
use crate::view::{
    Candidate, CriterionCell, Equation, LedgerRow, OtherNode, PodMark, PreemptionView, PutBackRow,
    Refusal, ScoreTable, Standing,
};
use berth_core::api::{ObjectKey, Pod, Time};
use berth_core::cluster::Cluster;
use berth_core::explain::post_filter::{PreemptionNode, PutBack};
use berth_core::explain::{Explanation, NodeReport, PreemptionExplanation};
use berth_core::framework::fact::Fact;
use berth_core::framework::profile::Profile;
use berth_core::framework::status::Status;
use berth_core::preemption::{Choice, Criteria, Criterion, NO_VICTIMS, NOT_HELPFUL};
use berth_wire::manifest::print_time;
use std::rc::Rc;
use yew::AttrValue;

/// The most candidates, and the most other nodes.
const MOST: usize = 40;
/// How many others a sentence names.
const NAMED: usize = 3;
/// 2³¹, which is added to each priority.
const RAISED: i64 = 1 << 31;

/// What the last views were made from.
pub struct Explained<'a> {
    /// The explanation.
    pub(crate) explanation: &'a Explanation,
    /// The cluster.
    pub(crate) cluster: &'a Cluster,
    /// The candidate that the seed picks.
    pub(crate) picked: Option<&'a PreemptionNode>,
    /// The profile.
    pub(super) profile: Option<&'a Profile>,
    /// The seed.
    pub(crate) seed: u64,
    /// The apps' tiles.
    pub(super) apps: &'a Apps,
    /// The words.
    pub(crate) words: &'a Locale,
}

impl Explained<'_> {
    /// The pod, `namespace/name`.
    pub fn pod(&self) -> String {
        self.explanation.pod.to_string()
    }

    /// The Score tab's view in that tab's words.
    pub fn score(&self, score_words: &ScoreWords) -> ScoreTable {
        let (explanation, words) = (self.explanation, self.words);
        let subject = Subject { explanation, pod: &explanation.object, node: None, words };
        score::table(&subject, self.profile, score_words, |name| {
            self.cluster.node(self.cluster.node_named(name)?)?.node.as_deref()
        })
    }

    /// The Preemption tab's view in that tab's words, if preemption was tried.
    pub fn preemption(&self, words: &RoomWords) -> Option<PreemptionView> {
        Some(Tab { of: self, found: self.explanation.preemption()?, words }.view())
    }
}

/// What the view is made from.
struct Tab<'a> {
    of: &'a Explained<'a>,
    found: &'a PreemptionExplanation,
    words: &'a RoomWords,
}

impl Tab<'_> {
    fn view(&self) -> PreemptionView {
        let order = order(&self.found.choice, self.found.candidates.len());
        let clock = Clock::of(&self.found.choice.criteria);
        let mut candidates = Vec::new();
        for &index in order.iter().take(MOST) {
            candidates.extend(self.candidate(index, clock));
        }
        let mut others: Vec<OtherNode> = Vec::new();
        let mut others_hidden = 0;
        if self.found.ineligible.is_none() {
            let mut runs = self.found.nodes.iter().peekable();
            for (index, report) in (0..).zip(&self.of.explanation.nodes) {
                let run = runs.next_if(|run| run.node == index);
                if others.len() < MOST {
                    others.extend(self.other(run, report));
                } else if run.is_none_or(|run| run.status.is_some()) {
                    others_hidden += 1;
                }
            }
        }
        PreemptionView {
            outcome: self.outcome(clock).into(),
            candidates: candidates.into(),
            hidden: order.len().saturating_sub(MOST) as u32,
            decided: self.found.choice.decided().map(place),
            others: others.into(),
            others_hidden,
        }
    }

    /// A candidate by its index among the candidates.
    fn at(&self, index: u32) -> Option<&PreemptionNode> {
        self.found.nodes.get(*self.found.candidates.get(index as usize)? as usize)
    }

    fn outcome(&self, clock: Clock) -> Vec<AttrValue> {
        let (found, words) = (self.found, self.words);
        let text = |text: &str| AttrValue::from(text.to_owned());
        if let Some(ineligible) = found.ineligible {
            let mut lines = vec![text(ineligible.message())];
            if let Some(pod) = &found.terminating {
                lines.push(words.fill(RoomMsg::RoomStopping, &[("pod", &pod.to_string())]));
            }
            return lines;
        }
        let mut lines = Vec::new();
        if !found.reached {
            lines.push(words.text(RoomMsg::RoomNotReached));
        }
        if let Some(error) = &found.error {
            lines.push(text(error));
        }
        let Some(picked) = self.of.picked.or_else(|| found.picked().next()) else {
            lines.push(words.text(RoomMsg::RoomNone));
            return lines;
        };
        match found.choice.ties.as_slice() {
            [_] => lines.push(self.why(picked, clock)),
            ties => {
                let names = few(ties.iter().filter_map(|i| Some(self.at(*i)?.name.to_string())));
                let seed = self.of.seed.to_string();
                let blanks = [("nodes", names.as_str()), ("seed", &seed), ("node", &picked.name)];
                lines.push(words.fill(RoomMsg::RoomTie, &blanks));
            }
        }
        let (stop, of) = (found.candidates_to_find.to_string(), found.candidates.len().to_string());
        let stops = found.candidates.len() > found.candidates_to_find.max(0) as usize;
        let msg = if stops { RoomMsg::RoomStops } else { RoomMsg::RoomStopsNot };
        lines.push(words.fill(msg, &[("n", &stop), ("of", &of)]));
        lines
    }

    /// What decided, with the values of those who lost by it.
    fn why(&self, picked: &PreemptionNode, clock: Clock) -> AttrValue {
        let (choice, words) = (&self.found.choice, self.words);
        let (Some(criterion), Some((_, left))) = (choice.decided(), choice.rounds.last()) else {
            return words.fill(RoomMsg::RoomOnly, &[("node", &picked.name)]);
        };
        let before = choice.rounds.len().checked_sub(2).and_then(|at| choice.rounds.get(at));
        let all: Vec<u32> = (0..choice.criteria.len() as u32).collect();
        let before = before.map_or(&all, |(_, left)| left);
        let value =
            |index: u32| choice.criteria.get(index as usize).map(|row| clock.value(row, criterion));
        let mut others = String::new();
        let lost = before.iter().filter(|index| !left.contains(index));
        for (count, index) in lost.enumerate() {
            if count == NAMED {
                others.push('…');
                break;
            }
            if let (Some(node), Some(value)) = (self.at(*index), value(*index)) {
                let text = [if count > 0 { ", " } else { "" }, &node.name, ": ", &value].concat();
                others.push_str(&text);
            }
        }
        let own = left.first().and_then(|index| value(*index)).unwrap_or_default();
        let msg = match criterion {
            Criterion::PdbViolations => RoomMsg::DecidedViolations,
            Criterion::HighestPriority => RoomMsg::DecidedHighest,
            Criterion::PrioritySum => RoomMsg::DecidedSum,
            Criterion::VictimCount => RoomMsg::DecidedCount,
            Criterion::StartTime => RoomMsg::DecidedStart,
        };
        words.fill(msg, &[("node", &picked.name), ("value", &own), ("others", &others)])
    }

    fn candidate(&self, index: u32, clock: Clock) -> Option<Candidate> {
        let (node, choice) = (self.at(index)?, &self.found.choice);
        let row = choice.criteria.get(index as usize)?;
        let subject = self.subject(node);
        let mark = |index: u32| Some(self.mark(node.pod(index)?));
        let mut put_back = Vec::new();
        for back in &node.put_back {
            put_back.extend(mark(back.pod).map(|pod| put_back_row(&subject, pod, back)));
        }
        Some(Candidate {
            node: node.name.to_string().into(),
            chosen: self.of.picked.is_some_and(|picked| picked.node == node.node),
            tied: choice.ties.len() > 1 && choice.ties.contains(&index),
            victims: node.victims.iter().filter_map(|victim| mark(*victim)).collect(),
            violations: u32::try_from(node.violations).unwrap_or_default(),
            criteria: Criterion::ALL.map(|criterion| CriterionCell {
                text: clock.value(row, criterion).into(),
                standing: standing(choice, criterion, index),
            }),
            lower: node.lower.iter().map(|pod| self.mark(pod)).collect(),
            below: self.of.explanation.object.priority(),
            ledger: self.ledger(node),
            put_back: put_back.into(),
            cleared: few(node.cleared.iter().map(ObjectKey::to_string)).into(),
        })
    }

    /// The budgets that select a lower pod of the node.
    fn ledger(&self, node: &PreemptionNode) -> Rc<[LedgerRow]> {
        let mut rows = Vec::new();
        for (index, budget) in (0..).zip(&self.found.budgets) {
            let (mut charged, mut violated, mut granted) = (Vec::new(), Vec::new(), Vec::new());
            for of in &node.charges {
                let Some(pod) = node.pod(of.pod) else { continue };
                let Some(charge) = of.charges.iter().find(|charge| charge.budget == index) else {
                    continue;
                };
                let name = pod.metadata.name.clone();
                if charge.disrupted {
                    granted.push(name);
                    continue;
                }
                if charge.violates() {
                    violated.push(name.clone());
                }
                charged.push(name);
            }
            if !charged.is_empty() || !granted.is_empty() {
                rows.push(LedgerRow {
                    budget: budget.metadata.name.clone().into(),
                    allowed: budget.status.disruptions_allowed,
                    charged: few(charged.into_iter()).into(),
                    violated: few(violated.into_iter()).into(),
                    granted: few(granted.into_iter()).into(),
                });
            }
        }
        rows.into()
    }

    /// Why preemption does not help on a node, with its dry run if it had one; none if it is a candidate.
    fn other(&self, run: Option<&PreemptionNode>, report: &NodeReport) -> Option<OtherNode> {
        let words = self.words;
        let text = |text: &str| AttrValue::from(text.to_owned());
        let (reason, why, refusal) = match run {
            None => {
                let refusal = Refusal {
                    reason: report.status.as_ref().map(reasons).unwrap_or_default(),
                    ..Refusal::default()
                };
                (text(NOT_HELPFUL), words.text(RoomMsg::RoomUnresolvable), refusal)
            }
            Some(run) => {
                let status = run.status.as_ref()?;
                if run.lower.is_empty() {
                    (text(NO_VICTIMS), words.text(RoomMsg::RoomNoLower), Refusal::default())
                } else {
                    let refusal = refusal_of(&self.subject(run), status, &run.facts);
                    let why = words.count(RoomMsg::RoomWithout, run.lower.len() as u32);
                    (refusal.reason.clone(), why, refusal)
                }
            }
        };
        Some(OtherNode { node: report.name.to_string().into(), reason, why, refusal })
    }

    fn subject(&self, node: &PreemptionNode) -> Subject<'_> {
        let report = self.of.explanation.nodes.get(node.node as usize);
        Subject {
            explanation: self.of.explanation,
            pod: &self.of.explanation.object,
            node: report.and_then(|report| report.object.as_deref()),
            words: self.of.words,
        }
    }

    fn mark(&self, pod: &Pod) -> PodMark {
        PodMark {
            app: self.of.apps.tile(pod),
            name: pod.metadata.name.clone().into(),
            priority: pod.priority(),
        }
    }
}

fn put_back_row(subject: &Subject<'_>, pod: PodMark, back: &PutBack) -> PutBackRow {
    let refusal = back.refusal.as_ref();
    PutBackRow {
        pod,
        violates: back.violates,
        refusal: refusal.map(|(status, facts)| refusal_of(subject, status, facts)),
        kept: kept(subject, &back.kept),
    }
}

/// What refuses, with the numbers.
fn refusal_of(subject: &Subject<'_>, status: &Status, facts: &[Fact]) -> Refusal {
    let (mut equations, mut said): (Vec<Equation>, Vec<AttrValue>) = (Vec::new(), Vec::new());
    for fact in facts.iter().filter(|fact| fact.reason().is_some()) {
        match subject.worked(fact, true) {
            Some(worked) => equations.push(worked.equation),
            None => said.extend(subject.words(fact)),
        }
    }
    Refusal { reason: reasons(status), equations: equations.into(), facts: said.into() }
}

/// Why a pod may stay: what was compared once it was back.
fn kept(subject: &Subject<'_>, facts: &[Fact]) -> Rc<[Equation]> {
    // That no pod too many stands there goes without saying, until it does not.
    let says = |fact: &&Fact| !matches!(fact, Fact::Pods { .. });
    let worked = facts.iter().filter(says).filter_map(|fact| subject.worked(fact, true));
    worked.map(|worked| worked.equation).collect()
}

fn reasons(status: &Status) -> AttrValue {
    status.reasons.join(", ").into()
}

/// A criterion's place among the five.
fn place(criterion: Criterion) -> usize {
    Criterion::ALL.iter().position(|other| *other == criterion).unwrap_or_default()
}

/// The candidates, those that were out late before those that were out early.
fn order(choice: &Choice, candidates: usize) -> Vec<u32> {
    let mut survived: Vec<(u32, usize)> = (0..candidates as u32).map(|index| (index, 0)).collect();
    for index in choice.rounds.iter().flat_map(|(_, left)| left) {
        if let Some((_, rounds)) = survived.get_mut(*index as usize) {
            *rounds += 1;
        }
    }
    sorted(&survived, |a, b| b.1.cmp(&a.1)).into_iter().map(|(index, _)| index).collect()
}

fn standing(choice: &Choice, criterion: Criterion, index: u32) -> Standing {
    let mut in_it = true;
    for (round, left) in &choice.rounds {
        let stays = left.contains(&index);
        if *round == criterion {
            return match (in_it, stays) {
                (true, true) => Standing::Left,
                (true, false) => Standing::Out,
                (false, _) => Standing::Silent,
            };
        }
        in_it = stays;
    }
    Standing::Silent
}

/// How start times are shown: without the day if it is the same everywhere.
#[derive(Clone, Copy)]
struct Clock {
    same_day: bool,
}

/// Seconds of a day.
const DAY: i64 = 86_400;

impl Clock {
    fn of(rows: &[Criteria]) -> Self {
        let mut days = rows.iter().filter_map(|row| row.start).map(|start| start.div_euclid(DAY));
        let first = days.next();
        Self { same_day: days.all(|day| Some(day) == first) }
    }

    /// A candidate's value of a criterion.
    fn value(self, row: &Criteria, criterion: Criterion) -> String {
        match criterion {
            Criterion::PdbViolations => signed(row.violations),
            Criterion::HighestPriority => signed(row.highest_priority.into()),
            Criterion::PrioritySum => sum(row),
            Criterion::VictimCount => signed(row.count),
            Criterion::StartTime => self.time(row.start),
        }
    }

    fn time(self, start: Option<i64>) -> String {
        let Some(start) = start else { return "–".to_owned() };
        let text = print_time(Time(start));
        let clock = text.split_once('T').map(|(_, clock)| clock.trim_end_matches('Z'));
        clock.filter(|_| self.same_day).map(str::to_owned).unwrap_or(text)
    }
}

/// `2 S + 100`, where S is 2³¹.
fn sum(row: &Criteria) -> String {
    let raised = RAISED.wrapping_mul(row.count);
    let own = row.priority_sum.wrapping_sub(raised);
    let head = [&signed(row.count), " S"].concat();
    match own {
        0 => head,
        _ if own < 0 => [&head, " − ", &decimal(-i128::from(own), 1)].concat(),
        _ => [&head, " + ", &signed(own)].concat(),
    }
}

#[cfg(test)]
mod tests;
