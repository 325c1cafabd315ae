//! Each pod's course: waiting, on its node, running, being deleted with what it gets to end.

use super::chart;
use super::countdown::endings;
use super::run::{Run, clock};
use super::scrubber::percent;
use super::told::Entry;
use super::{TimeMsg, TimeWords};
use berth_core::api::ObjectKey;
use berth_core::queue::Instant;
use berth_core::queue::time::SECOND;
use berth_core::simulation::What;
use std::collections::BTreeMap;
use yew::{AttrValue, Html, html};

/// So many pods are listed: those that something happened to first.
const MOST: usize = 60;

/// What a pod did from an instant on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Phase {
    Waits,
    Starts,
    Runs,
    Ends,
    Gone,
}

impl Phase {
    const fn class(self) -> &'static str {
        match self {
            Self::Waits => "waits",
            Self::Starts => "starts",
            Self::Runs => "runs",
            Self::Ends => "ends",
            Self::Gone => "gone",
        }
    }
}

/// A pod's course.
#[derive(Clone, Debug, Default)]
pub(super) struct Lane {
    pub(super) phases: Vec<(Instant, Phase)>,
    /// From when to when it may take to end.
    grace: Option<(Instant, Instant)>,
    node: String,
    changed: bool,
}

impl Lane {
    /// It was there at the beginning, which is no event.
    fn begin(&mut self, node: &str) {
        let begun = if node.is_empty() { Phase::Waits } else { Phase::Runs };
        self.phases.push((Instant::default(), begun));
    }

    fn take(&mut self, entry: &Entry) {
        let at = entry.line.at;
        if self.phases.is_empty() {
            match &entry.what {
                What::Scheduled { .. } => self.begin(""),
                What::Phase { node, .. } | What::Deleting { node, .. } | What::Deleted { node } => {
                    self.begin(node);
                }
                _ => {}
            }
        }
        let mut to = |phase| self.phases.push((at, phase));
        match &entry.what {
            What::Created { node, .. } => {
                to(if node.is_empty() { Phase::Waits } else { Phase::Starts });
                self.node.clone_from(node);
            }
            What::Scheduled { node } => {
                to(Phase::Starts);
                self.node.clone_from(node);
            }
            What::Phase { phase, .. } if phase.is_terminal() => to(Phase::Gone),
            What::Phase { .. } => to(Phase::Runs),
            What::Deleting { grace, node, .. } => {
                to(Phase::Ends);
                self.node.clone_from(node);
                self.grace = Some((at, at.after(grace.saturating_mul(SECOND))));
            }
            What::Deleted { .. } => to(Phase::Gone),
            _ => return,
        }
        self.changed = true;
    }
}

/// The course of every pod that there was, by name; those that nothing happened to come last.
fn lanes(run: &Run) -> Vec<(ObjectKey, Lane)> {
    let mut lanes: BTreeMap<ObjectKey, Lane> = BTreeMap::new();
    for entry in &run.told.entries {
        if matches!(
            entry.what,
            What::Created { .. }
                | What::Scheduled { .. }
                | What::Phase { .. }
                | What::Deleting { .. }
                | What::Deleted { .. }
        ) {
            lanes.entry(entry.key.clone()).or_default().take(entry);
        }
    }
    for pod in run.timeline.state().objects().pods() {
        let lane = lanes.entry(pod.metadata.key()).or_default();
        if lane.node.is_empty() {
            lane.node.clone_from(&pod.spec.node_name);
        }
        if lane.phases.is_empty() {
            lane.begin(&pod.spec.node_name);
        }
    }
    let (mut changed, rest): (Vec<_>, Vec<_>) =
        lanes.into_iter().partition(|(_, lane)| lane.changed);
    changed.extend(rest);
    changed
}

/// The swim lanes.
pub(super) fn view(run: &Run, words: &TimeWords) -> Html {
    let span = run.span();
    let endings = endings(run.timeline.state(), run.at);
    let all = lanes(run);
    let line = |(key, lane): &(ObjectKey, Lane)| {
        let name = key.to_string();
        let ending = endings.iter().find(|ending| ending.pod == name);
        let now = lane.phases.iter().rev().find(|(at, _)| *at <= run.at).map(|(_, phase)| *phase);
        let said = match (now, ending) {
            (_, Some(ending)) => words.fill(TimeMsg::EndsIn, &[("n", &ending.seconds.to_string())]),
            (Some(Phase::Waits), _) => words.text(TimeMsg::Waits),
            (Some(Phase::Starts), _) => words.fill(TimeMsg::Starts, &[("node", &lane.node)]),
            (Some(Phase::Runs), _) => words.fill(TimeMsg::Runs, &[("node", &lane.node)]),
            (Some(Phase::Ends | Phase::Gone), None) => words.text(TimeMsg::Gone),
            (None, None) => words.text(TimeMsg::NotYet),
        };
        html! {
            <li key={name.clone()}>
                <span class="name">{key.name.clone()}</span>
                {course(run, lane, span)}
                <span class="now">{said}</span>
            </li>
        }
    };
    html! {
        <>
            {endings_line(&endings, words)}
            {chart::view(run, words, &all.iter().map(|(_, lane)| lane).collect::<Vec<_>>())}
            <ol class="lanes-of">{for all.iter().take(MOST).map(line)}</ol>
            if all.len() > MOST { <p class="dim">{words.count(TimeMsg::MorePods, (all.len() - MOST) as u32)}</p> }
        </>
    }
}

fn endings_line(endings: &[super::countdown::Ending], words: &TimeWords) -> Html {
    let each: Vec<AttrValue> = endings
        .iter()
        .map(|ending| {
            let n = ending.seconds.to_string();
            words
                .fill(TimeMsg::EndingOn, &[("pod", &ending.pod), ("node", &ending.node), ("n", &n)])
        })
        .collect();
    if each.is_empty() {
        Html::default()
    } else {
        html! { <p class="ending">{each.join(" · ")}</p> }
    }
}

fn course(run: &Run, lane: &Lane, span: i64) -> Html {
    let ends = lane.phases.iter().skip(1).map(|(at, _)| *at);
    let reached = run.reached();
    let bars = lane.phases.iter().zip(ends.chain([reached]));
    html! {
        <svg class="course" aria-hidden="true" width="100%" height="12">
            {for bars.map(|((from, phase), to)| {
                let width = percent(to.0 - from.0, span);
                html! { <rect class={phase.class()} x={percent(from.0, span)} y="2" height="8" {width} /> }
            })}
            if let Some((from, to)) = lane.grace {
                <rect class="grace" x={percent(from.0, span)} y="1.5" height="9" width={percent(to.0 - from.0, span)}>
                    <title>{clock(to)}</title>
                </rect>
            }
            <svg x={percent(run.at.0, span)} width="1" height="12" class="playhead"><path d="M0 0V12" /></svg>
        </svg>
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use berth_core::simulation::Event;
    use berth_wire::simulate::lines;

    /// The phases that some events come to, each with its second.
    fn phases(events: &[(i64, What)]) -> Vec<(i64, Phase)> {
        let mut lane = Lane::default();
        for (seconds, what) in events {
            let at = Instant(seconds * SECOND);
            let event = Event { at, key: ObjectKey::new("default", "p"), what: what.clone() };
            for line in lines(std::slice::from_ref(&event)) {
                let Event { key, what, .. } = event.clone();
                lane.take(&Entry { line, key, what, mark: None });
            }
        }
        lane.phases.iter().map(|(at, phase)| (at.0 / SECOND, *phase)).collect()
    }

    #[test]
    fn what_was_there_at_the_beginning_waited_or_ran_until_something_happened() {
        use Phase::{Ends, Gone, Runs, Starts, Waits};
        let node = || "n".to_owned();
        let scheduled = What::Scheduled { node: node() };
        let deleting = What::Deleting { node: node(), grace: 30, reason: String::new() };
        let deleted = What::Deleted { node: node() };
        let created = What::Created { priority: 0, node: String::new() };
        assert_eq!(phases(&[(3, scheduled.clone())]), [(0, Waits), (3, Starts)]);
        let gone = [(5, deleting), (6, deleted)];
        assert_eq!(phases(&gone), [(0, Runs), (5, Ends), (6, Gone)]);
        assert_eq!(phases(&[(2, created.clone()), (3, scheduled)]), [(2, Waits), (3, Starts)]);
        // One of the same name comes after it.
        let [ends, goes] = gone;
        assert_eq!(
            phases(&[ends, goes, (7, created)]),
            [(0, Runs), (5, Ends), (6, Gone), (7, Waits)]
        );
    }
}
