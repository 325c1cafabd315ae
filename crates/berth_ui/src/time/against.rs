//! Two attempts held against each other: the nodes of which their verdicts or scores differ, and nothing else.

use super::run::{Shared, clock};
use super::{TimeMsg, TimeWords};
use crate::env::Env;
use crate::tool::task;
use berth_core::explain::{Explanation, NodeReport};
use berth_core::simulation::{BranchId, Timeline};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use yew::{AttrValue, Html, MouseEvent, html};

/// What is said of a node: its verdict, and its scores by plugin, the total last.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Said {
    verdict: Option<AttrValue>,
    scores: BTreeMap<AttrValue, i64>,
}

/// The attempts that were picked, and what differs between two.
#[derive(Default)]
pub(super) struct Against {
    of: Option<BranchId>,
    /// Their places among the branch's attempts, the one picked first first.
    picked: Vec<usize>,
    titles: Vec<AttrValue>,
    rows: Vec<(AttrValue, [Said; 2])>,
}

impl Against {
    /// Whether an attempt of the branch that is looked at is picked.
    pub(super) fn has(&self, timeline: &Timeline, place: usize) -> bool {
        self.of == Some(timeline.current()) && self.picked.contains(&place)
    }

    /// Picks an attempt, or no more; of three the first goes.
    fn toggle(&mut self, timeline: &Timeline, words: &TimeWords, place: usize) {
        if self.of != Some(timeline.current()) {
            *self = Self { of: Some(timeline.current()), ..Self::default() };
        }
        if self.has(timeline, place) {
            self.picked.retain(|known| *known != place);
        } else {
            self.picked.push(place);
        }
        if self.picked.len() > 2 {
            self.picked.remove(0);
        }
        let [a, b] = *self.picked else { return };
        let title = |place: usize| {
            let attempt = timeline.attempts().nth(place)?;
            let n = attempt.number.to_string();
            let pod = attempt.pod.to_string();
            let blanks = [("pod", &*pod), ("n", &*n), ("time", &*clock(attempt.at))];
            Some(words.fill(TimeMsg::AttemptTitle, &blanks))
        };
        self.titles = [a, b].into_iter().filter_map(title).collect();
        let found = [a, b].map(|place| timeline.explain(place));
        self.rows = differences(words, found.each_ref().map(Option::as_ref));
    }
}

fn said(words: &TimeWords, node: &NodeReport) -> Said {
    let verdict = match &node.status {
        Some(status) => status.reasons.join(", ").into(),
        None => words.text(TimeMsg::Passes),
    };
    let mut scores = BTreeMap::new();
    if let Some(known) = &node.scores {
        for score in &known.plugins {
            scores.insert(AttrValue::from(score.plugin.name()), score.weighted);
        }
        scores.insert(words.text(TimeMsg::Total), known.total);
    }
    Said { verdict: Some(verdict), scores }
}

/// The nodes that differ, each with what does.
fn differences(words: &TimeWords, found: [Option<&Explanation>; 2]) -> Vec<(AttrValue, [Said; 2])> {
    let by_name = found.map(|found| -> BTreeMap<&str, Said> {
        let nodes = found.map(|found| found.nodes.iter()).into_iter().flatten();
        nodes.map(|node| (&*node.name, said(words, node))).collect()
    });
    let names: BTreeSet<&str> = by_name.iter().flat_map(BTreeMap::keys).copied().collect();
    let row = |name: &str| {
        let both = by_name.each_ref().map(|known| known.get(name).cloned().unwrap_or_default());
        let [mut a, mut b] = both;
        if a.verdict == b.verdict {
            (a.verdict, b.verdict) = (None, None);
        }
        let (of_a, of_b) = (a.scores.clone(), b.scores.clone());
        a.scores.retain(|plugin, score| of_b.get(plugin) != Some(score));
        b.scores.retain(|plugin, score| of_a.get(plugin) != Some(score));
        let differs = a != Said::default() || b != Said::default();
        differs.then(|| (AttrValue::from(name.to_owned()), [a, b]))
    };
    names.into_iter().filter_map(row).collect()
}

/// The control that picks an attempt.
pub(super) fn pick(
    env: &Env,
    words: &TimeWords,
    shared: &Shared,
    place: usize,
    is_picked: bool,
    title: &str,
) -> Html {
    let (shared, words_of) = (Rc::clone(shared), words.clone());
    let onclick = env.on::<MouseEvent>(task(move |_| {
        let mut run = shared.borrow_mut();
        let mut against = std::mem::take(&mut run.against);
        against.toggle(&run.timeline, &words_of, place);
        run.against = against;
    }));
    let label = [&*words.text(TimeMsg::Compare), ": ", title].concat();
    html! {
        <button type="button" class="btn small line" aria-label={label} aria-pressed={is_picked.to_string()} {onclick}>
            {words.text(TimeMsg::Compare)}
        </button>
    }
}

/// What differs between the two.
pub(super) fn view(words: &TimeWords, timeline: &Timeline, against: &Against) -> Html {
    if against.of != Some(timeline.current()) || against.picked.len() < 2 {
        return Html::default();
    }
    let cell = |said: &Said| {
        html! {
            <td>
                if let Some(verdict) = &said.verdict { <p>{verdict.clone()}</p> }
                {for said.scores.iter().map(|(plugin, score)| html! {
                    <p class="num">{plugin.clone()}{" "}<b>{*score}</b></p>
                })}
            </td>
        }
    };
    html! {
        <table class="compared against">
            <caption>{words.text(TimeMsg::AttemptsDiffer)}</caption>
            <thead><tr>
                <th scope="col">{words.text(TimeMsg::Node)}</th>
                {for against.titles.iter().map(|title| html! { <th scope="col">{title.clone()}</th> })}
            </tr></thead>
            <tbody>
                {for against.rows.iter().map(|(node, both)| html! {
                    <tr key={&**node}><th scope="row">{node.clone()}</th>{for both.iter().map(cell)}</tr>
                })}
                if against.rows.is_empty() {
                    <tr><td colspan="3">{words.text(TimeMsg::NoDifference)}</td></tr>
                }
            </tbody>
        </table>
    }
}
