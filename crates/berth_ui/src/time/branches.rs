//! The branches of the timeline, and what differs between two of them in the end.

use super::asked::fork as fork_named;
use super::attempts::bindings;
use super::run::{Run, Shared, clock};
use super::{TimeMsg, TimeWords, moment, words};
use crate::app::App;
use crate::env::Env;
use crate::tool::task;
use berth_core::queue::Instant;
use berth_core::simulation::{BranchId, Timeline};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use yew::{AttrValue, Html, MouseEvent, html};

/// What a pod has come to.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Fate {
    /// Its node; empty while it waits.
    node: String,
    /// Since when.
    since: Option<Instant>,
    /// Whether it is being deleted.
    ends: bool,
}

/// Two branches, held against each other at one moment.
pub(super) struct Comparison {
    branches: [BranchId; 2],
    /// As far as the longer of them has come.
    at: Instant,
    /// The pods that differ.
    rows: Vec<(String, [Option<Fate>; 2])>,
}

fn fates(timeline: &Timeline) -> BTreeMap<String, Fate> {
    let bindings = bindings(timeline);
    let fate = |pod: &berth_core::api::Pod| {
        let key = pod.metadata.key();
        let since = bindings.get(&key).copied();
        let ends = pod.metadata.deletion_timestamp.is_some();
        (key.to_string(), Fate { node: pod.spec.node_name.clone(), since, ends })
    };
    timeline.state().objects().pods().map(|pod| fate(pod)).collect()
}

impl Comparison {
    /// Holds another branch against the one that is looked at.
    fn new(timeline: &mut Timeline, other: BranchId) -> Self {
        let (own, now) = (timeline.current(), timeline.now());
        let at = timeline.reached(own).max(timeline.reached(other));
        let mut seen = |branch| {
            timeline.switch(branch);
            timeline.seek(at);
            fates(timeline)
        };
        let found = [seen(own), seen(other)];
        timeline.switch(own);
        timeline.seek(now);
        let names: BTreeSet<&String> = found.iter().flat_map(BTreeMap::keys).collect();
        let row =
            |name: &String| (name.clone(), found.each_ref().map(|fates| fates.get(name).cloned()));
        let rows = names.into_iter().map(row).filter(|(_, [a, b])| a != b).collect();
        Self { branches: [own, other], at, rows }
    }
}

/// The how manieth branch it is, from 1.
fn number(timeline: &Timeline, branch: BranchId) -> usize {
    timeline.branches().position(|known| known == branch).map_or(0, |place| place + 1)
}

fn title(words: &TimeWords, timeline: &Timeline, branch: BranchId) -> AttrValue {
    let n = number(timeline, branch).to_string();
    match timeline.parent(branch) {
        None => words.fill(TimeMsg::Branch, &[("n", &n)]),
        Some((parent, begin)) => {
            let of = number(timeline, parent).to_string();
            words.fill(TimeMsg::BranchFrom, &[("n", &n), ("of", &of), ("time", &clock(begin))])
        }
    }
}

/// Begins a branch at the moment.
pub(super) fn fork(run: &Shared, app: &mut App) {
    let words = words(app);
    let said = {
        let mut run = run.borrow_mut();
        fork_named(&mut run, words.text(TimeMsg::Fork));
        let n = number(&run.timeline, run.timeline.current()).to_string();
        words.fill(TimeMsg::SayBranched, &[("n", &n), ("time", &clock(run.timeline.now()))])
    };
    moment::show(run, app);
    app.tell(said);
}

/// The list of branches.
pub(super) fn view(env: &Env, words: &TimeWords, run: &Run, shared: &Shared) -> Html {
    let timeline = &run.timeline;
    let line = |branch: BranchId| {
        let is_own = branch == timeline.current();
        let n = number(timeline, branch).to_string();
        let goes = {
            let shared = Rc::clone(shared);
            env.on::<MouseEvent>(task(move |app| go(&shared, app, branch)))
        };
        let compares = {
            let shared = Rc::clone(shared);
            env.on::<MouseEvent>(task(move |_| {
                let mut run = shared.borrow_mut();
                let new = Comparison::new(&mut run.timeline, branch);
                run.comparison = Some(new);
            }))
        };
        html! {
            <li class="row" key={n.clone()} aria-current={is_own.then_some("true")}>
                <b>{title(words, timeline, branch)}</b>
                <span class="dim">{words.fill(TimeMsg::ReachedTo, &[("time", &clock(timeline.reached(branch)))])}</span>
                if is_own {
                    <span class="tag">{words.text(TimeMsg::Shown)}</span>
                } else {
                    <button type="button" class="btn small line" aria-label={words.fill(TimeMsg::GoTo, &[("n", &n)])}
                        onclick={goes}>{words.text(TimeMsg::Show)}</button>
                    <button type="button" class="btn small line" aria-label={words.fill(TimeMsg::CompareWith, &[("n", &n)])}
                        onclick={compares}>{words.text(TimeMsg::Compare)}</button>
                }
            </li>
        }
    };
    html! {
        <>
            if let Some(stage) = &run.stage && !stage.time.given.is_empty() {
                <p class="dim">{words.text(TimeMsg::Given)}</p>
                <ul class="lines">{for stage.time.given.iter().map(|request| html! { <li><code>{request.line()}</code></li> })}</ul>
            }
            <ol class="branches-of">{for timeline.branches().map(line)}</ol>
            {run.comparison.as_ref().map_or_else(Html::default, |found| compared(words, timeline, found))}
        </>
    }
}

fn go(run: &Shared, app: &mut App, branch: BranchId) {
    let words = words(app);
    let said = {
        let mut run = run.borrow_mut();
        run.timeline.switch(branch);
        run.looked = None;
        title(&words, &run.timeline, branch)
    };
    moment::show(run, app);
    app.tell(said);
}

fn compared(words: &TimeWords, timeline: &Timeline, found: &Comparison) -> Html {
    let cell = |fate: &Option<Fate>| match fate {
        None => words.text(TimeMsg::Gone),
        Some(Fate { node, .. }) if node.is_empty() => words.text(TimeMsg::Waits),
        Some(Fate { node, since: Some(at), .. }) => {
            words.fill(TimeMsg::OnSince, &[("node", node), ("time", &clock(*at))])
        }
        Some(Fate { node, .. }) => node.clone().into(),
    };
    let caption = words.fill(TimeMsg::ComparedAt, &[("time", &clock(found.at))]);
    if found.rows.is_empty() {
        return html! { <p role="status">{caption}{" "}{words.text(TimeMsg::NoDifference)}</p> };
    }
    html! {
        <table class="compared">
            <caption>{caption}</caption>
            <thead><tr>
                <th scope="col">{words.text(TimeMsg::Pod)}</th>
                {for found.branches.iter().map(|branch| html! { <th scope="col">{title(words, timeline, *branch)}</th> })}
            </tr></thead>
            <tbody>{for found.rows.iter().map(|(pod, fates)| html! {
                <tr key={pod.clone()}><th scope="row">{pod.clone()}</th>{for fates.iter().map(|fate| html! { <td>{cell(fate)}</td> })}</tr>
            })}</tbody>
        </table>
    }
}
