//! Every attempt of every pod, and one of them phase by phase.

use super::run::{HORIZON, Run, Shared, Tab, clock};
use super::{TimeMsg, TimeWords, against, moment, words};
use crate::app::App;
use crate::env::Env;
use crate::tool::task;
use berth_core::api::ObjectKey;
use berth_core::explain::Explanation;
use berth_core::queue::Instant;
use berth_core::simulation::{Attempt, AttemptResult, Timeline};
use std::collections::BTreeMap;
use std::rc::Rc;
use yew::{AttrValue, Html, html};

/// So many attempts are listed.
const MOST: usize = 100;

/// An attempt that is looked at.
pub(super) struct Looked {
    /// Its place among the branch's.
    pub(super) place: usize,
    attempt: Attempt,
    /// The lines of the phases that have been gone through, the last one now.
    lines: Vec<(&'static str, AttrValue)>,
    /// How many of them are shown.
    shown: usize,
}

impl Looked {
    fn new(timeline: &Timeline, place: usize, words: &TimeWords) -> Option<Self> {
        let attempt = timeline.attempts().nth(place)?.clone();
        let explanation = timeline.explain(place);
        let lines = phases(words, &attempt, explanation.as_ref());
        Some(Self { place, attempt, lines, shown: 1 })
    }
}

/// The phases of an attempt, each with what came of it.
fn phases(
    words: &TimeWords,
    attempt: &Attempt,
    explanation: Option<&Explanation>,
) -> Vec<(&'static str, AttrValue)> {
    let number = attempt.number.to_string();
    let pod = attempt.pod.to_string();
    let taken = words.fill(TimeMsg::PhaseQueue, &[("pod", &pod), ("n", &number)]);
    let mut lines = vec![("Queue", taken)];
    if let Some(found) = explanation {
        let refused: Vec<String> = found
            .pre_filter
            .iter()
            .map(|status| status.reasons.join(", "))
            .filter(|reasons| !reasons.is_empty())
            .collect();
        let said = match &found.node_names {
            _ if !refused.is_empty() => refused.join(" · ").into(),
            Some(names) => words.fill(TimeMsg::PhaseOnly, &[("nodes", &names.join(", "))]),
            None => words.text(TimeMsg::PhaseAll),
        };
        lines.push(("PreFilter", said));
        let (fits, all) = (found.feasible.len().to_string(), found.nodes.len().to_string());
        lines.push(("Filter", words.fill(TimeMsg::PhaseFilter, &[("n", &fits), ("all", &all)])));
        let name = |place: &u32| found.nodes.get(*place as usize).map(|node| node.name.to_string());
        if found.feasible.len() > 1 {
            let total = found
                .best
                .first()
                .and_then(|place| found.nodes.get(*place as usize)?.scores.as_ref())
                .map_or(0, |scores| scores.total);
            let best: Vec<String> = found.best.iter().filter_map(name).collect();
            let blanks = [("nodes", &*best.join(", ")), ("total", &*total.to_string())];
            lines.push(("Score", words.fill(TimeMsg::PhaseScore, &blanks)));
        }
    }
    match &attempt.result {
        AttemptResult::Bound { node, .. } => {
            lines.push(("Reserve", words.fill(TimeMsg::PhaseReserve, &[("node", node)])));
            lines.push(("Bind", words.fill(TimeMsg::PhaseBind, &[("node", node)])));
        }
        AttemptResult::NotBound { message, .. } => lines.push(("Bind", message.clone().into())),
        AttemptResult::Preempting { node, message, victims, .. } => {
            lines.push(("PostFilter", preempts(words, node, victims.iter())));
            lines.push(("FailedScheduling", message.clone().into()));
        }
        AttemptResult::Unschedulable { message } | AttemptResult::Skipped { message } => {
            lines.push(("FailedScheduling", message.clone().into()));
        }
    }
    lines
}

fn preempts<'a>(
    words: &TimeWords,
    node: &str,
    victims: impl Iterator<Item = &'a ObjectKey>,
) -> AttrValue {
    let victims: Vec<String> = victims.map(ToString::to_string).collect();
    words.fill(TimeMsg::Preempts, &[("node", node), ("victims", &victims.join(", "))])
}

/// What came of an attempt.
fn outcome(words: &TimeWords, result: &AttemptResult) -> AttrValue {
    match result {
        AttemptResult::Bound { node, .. } => words.fill(TimeMsg::PhaseBind, &[("node", node)]),
        AttemptResult::NotBound { message, .. }
        | AttemptResult::Unschedulable { message }
        | AttemptResult::Skipped { message } => message.clone().into(),
        AttemptResult::Preempting { node, victims, .. } => preempts(words, node, victims.iter()),
    }
}

/// To the next phase of the attempt that is looked at, or to the next attempt, and says it.
pub(super) fn phase(run: &Shared, app: &mut App) {
    let words = words(app);
    {
        let mut run = run.borrow_mut();
        run.playing = false;
        let shown = run.looked.as_mut().filter(|looked| looked.shown < looked.lines.len());
        match shown {
            Some(looked) => looked.shown += 1,
            None => next(&mut run, &words),
        }
        run.tab = Tab::Attempts;
    }
    moment::show(run, app);
    let said = {
        let run = run.borrow();
        let line = run.looked.as_ref().and_then(|looked| looked.lines.get(looked.shown - 1));
        line.map(|(phase, said)| AttrValue::from([phase, ": ", &**said].concat()))
    };
    app.tell(said.unwrap_or_else(|| words.text(TimeMsg::NothingComes)));
}

/// Looks at the next attempt.
fn next(run: &mut Run, words: &TimeWords) {
    let now = run.timeline.now();
    let end = now.after(HORIZON);
    let after = run.looked.take().map(|looked| looked.place);
    let find = |timeline: &Timeline| match after {
        Some(place) => Some(place + 1).filter(|place| *place < timeline.attempts().count()),
        None => timeline.attempts().position(|attempt| attempt.at > now),
    };
    let mut found = find(&run.timeline);
    while found.is_none() && run.timeline.next_event(end).is_some() {
        found = find(&run.timeline);
    }
    let at = found.and_then(|place| run.timeline.attempts().nth(place)).map(|found| found.at);
    run.timeline.seek(at.unwrap_or(now));
    run.looked = found.and_then(|place| Looked::new(&run.timeline, place, words));
}

/// The attempts up to the moment, the last first, by pod in turn; and the one that is looked at.
pub(super) fn view(env: &Env, words: &TimeWords, run: &Run, shared: &Shared) -> Html {
    let mut pods: BTreeMap<String, Vec<(usize, &Attempt)>> = BTreeMap::new();
    let past = |attempt: &&Attempt| attempt.at <= run.at;
    for (place, attempt) in run.timeline.attempts().take_while(past).enumerate().take(MOST * 10) {
        pods.entry(attempt.pod.to_string()).or_default().push((place, attempt));
    }
    let line = |(place, attempt): &(usize, &Attempt)| {
        let place = *place;
        let shared_of = Rc::clone(shared);
        let title = format!("{}, {}", attempt.pod, clock(attempt.at));
        let (shared, words_of) = (Rc::clone(shared), words.clone());
        let look = env.on(task(move |_| {
            let mut run = shared.borrow_mut();
            let mut looked = Looked::new(&run.timeline, place, &words_of);
            if let Some(looked) = &mut looked {
                looked.shown = looked.lines.len();
            }
            run.looked = looked;
        }));
        let open = run.looked.as_ref().is_some_and(|looked| looked.place == place);
        html! {
            <li key={place}>
                <button type="button" class="link" aria-expanded={open.to_string()} onclick={look}>{clock(attempt.at)}</button>
                <span class="num">{attempt.number}</span>
                <span>{outcome(words, &attempt.result)}</span>
                {against::pick(env, words, &shared_of, place, run.against.has(&run.timeline, place), &title)}
            </li>
        }
    };
    html! {
        <>
            {run.looked.as_ref().map_or_else(Html::default, |looked| phases_of(words, looked))}
            {against::view(words, &run.timeline, &run.against)}
            if pods.is_empty() { <p class="dim">{words.text(TimeMsg::NoAttempts)}</p> }
            {for pods.iter().take(MOST).map(|(pod, attempts)| html! {
                <section key={pod.clone()}>
                    <h4>{pod.clone()}</h4>
                    <ol class="attempts-of">{for attempts.iter().map(line)}</ol>
                </section>
            })}
        </>
    }
}

fn phases_of(words: &TimeWords, looked: &Looked) -> Html {
    let Looked { attempt, lines, shown, .. } = looked;
    let blanks = [
        ("pod", &*attempt.pod.to_string()),
        ("n", &*attempt.number.to_string()),
        ("time", &*clock(attempt.at)),
    ];
    html! {
        <section class="phases" aria-label={words.fill(TimeMsg::AttemptTitle, &blanks)}>
            <h4>{words.fill(TimeMsg::AttemptTitle, &blanks)}</h4>
            <ol>
                {for lines.iter().enumerate().map(|(place, (phase, said))| html! {
                    <li key={*phase} aria-current={(place + 1 == *shown).then_some("step")}>
                        <b>{*phase}</b>{" "}<span>{if place < *shown { said.clone() } else { "…".into() }}</span>
                    </li>
                })}
            </ol>
        </section>
    }
}

/// When each pod was bound last, up to a moment.
pub(super) fn bindings(timeline: &Timeline) -> BTreeMap<&ObjectKey, Instant> {
    let is_bound = |attempt: &&Attempt| matches!(attempt.result, AttemptResult::Bound { .. });
    timeline.attempts().filter(is_bound).map(|attempt| (&attempt.pod, attempt.at)).collect()
}
