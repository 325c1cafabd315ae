//! What happened, in the words of `kubectl get events`.

use super::run::{Run, clock};
use super::{TimeMsg, TimeWords};
use berth_core::api::ObjectKey;
use berth_core::queue::Instant;
use berth_core::queue::time::SECOND;
use berth_core::simulation::{BranchId, Event, Timeline, What};
use berth_wire::simulate::{Line, lines};
use yew::{AttrValue, Html, classes, html};

/// So many lines are listed.
const MOST: usize = 100;

/// What a mark on the scrubber means.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Mark {
    /// A pod was bound.
    Scheduled,
    /// A pod found no node.
    Failed,
    /// A pod had to make room.
    Preempted,
    /// A pod is being deleted.
    Killing,
    /// A pod was evicted.
    Evicted,
    /// A node went down.
    Down,
}

impl Mark {
    pub(super) const ALL: [Self; 6] =
        [Self::Scheduled, Self::Failed, Self::Preempted, Self::Killing, Self::Evicted, Self::Down];

    /// The reason that it stands for.
    pub(super) const fn reason(self) -> &'static str {
        match self {
            Self::Scheduled => "Scheduled",
            Self::Failed => "FailedScheduling",
            Self::Preempted => "Preempted",
            Self::Killing => "Killing",
            Self::Evicted => "Evicted",
            Self::Down => "NodeDown",
        }
    }

    fn of(event: &Event) -> Option<Self> {
        Some(match &event.what {
            What::Scheduled { .. } => Self::Scheduled,
            What::FailedScheduling { .. } => Self::Failed,
            What::Preempted { .. } => Self::Preempted,
            What::Deleting { reason, .. } => match &**reason {
                "EvictionByEvictionAPI" | "DeletionByTaintManager" => Self::Evicted,
                _ => Self::Killing,
            },
            What::NodeDown => Self::Down,
            _ => return None,
        })
    }
}

/// An event, told.
pub(super) struct Entry {
    pub(super) line: Line,
    pub(super) key: ObjectKey,
    pub(super) what: What,
    pub(super) mark: Option<Mark>,
}

/// The events of a branch as far as it has come.
#[derive(Default)]
pub(super) struct Told {
    of: Option<BranchId>,
    pub(super) entries: Vec<Entry>,
}

impl Told {
    /// Takes in what has happened since it was last asked to.
    pub(super) fn follow(&mut self, timeline: &Timeline) {
        let branch = Some(timeline.current());
        if self.of != branch || timeline.events().count() < self.entries.len() {
            self.of = branch;
            self.entries.clear();
        }
        let new: Vec<Event> = timeline.events().skip(self.entries.len()).cloned().collect();
        for (line, event) in lines(&new).into_iter().zip(new) {
            let mark = Mark::of(&event);
            self.entries.push(Entry { line, key: event.key, what: event.what, mark });
        }
    }

    /// What happened at an instant, for the status line.
    pub(super) fn at(&self, at: Instant) -> AttrValue {
        let all = self.entries.iter().map(|entry| &entry.line).filter(|line| line.at == at);
        let told: Vec<String> = all
            .map(|Line { reason, object, message, .. }| format!("{reason} {object}: {message}"))
            .collect();
        format!("{}: {}", clock(at), told.join(" · ")).into()
    }
}

/// How long ago, as `kubectl` writes it.
fn age(now: Instant, at: Instant) -> String {
    let seconds = (now.0 - at.0) / SECOND;
    match seconds {
        ..120 => format!("{seconds}s"),
        120..600 => format!("{}m{}s", seconds / 60, seconds % 60),
        _ => format!("{}m", seconds / 60),
    }
}

/// The table of events up to the moment, the last first.
pub(super) fn table(run: &Run, words: &TimeWords) -> Html {
    let now = run.at;
    let past = run.told.entries.iter().rev().filter(|entry| entry.line.at <= now);
    let row = |entry: &Entry| {
        let Line { at, kind, reason, object, message } = &entry.line;
        let recent = at.window() == now.window();
        html! {
            <tr class={classes!(recent.then_some("recent"))}>
                <td class="num">{age(now, *at)}</td>
                <td class={classes!((*kind == "Warning").then_some("warning"))}>{*kind}</td>
                <td>{*reason}</td>
                <td>{object.clone()}</td>
                <td>{message.clone()}</td>
            </tr>
        }
    };
    html! {
        <table class="told">
            <thead><tr>
                {for [TimeMsg::LastSeen, TimeMsg::Type, TimeMsg::Reason, TimeMsg::Object, TimeMsg::Message].map(|msg| html! {
                    <th scope="col">{words.text(msg)}</th>
                })}
            </tr></thead>
            <tbody>{for past.take(MOST).map(row)}</tbody>
        </table>
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::time::run::clock;

    #[test]
    fn times_are_written_as_kubectl_and_clocks_do() {
        let at = |seconds: i64| Instant(seconds * SECOND);
        for (now, then, want) in
            [(20, 20, "0s"), (20, 1, "19s"), (119, 0, "119s"), (125, 0, "2m5s"), (660, 0, "11m")]
        {
            assert_eq!(age(at(now), at(then)), want);
        }
        for (nanos, want) in [
            (0, "0.000 s"),
            (20 * SECOND, "20.000 s"),
            (1_500_000_000, "1.500 s"),
            (30 * SECOND + 2_000, "30.000002 s"),
        ] {
            assert_eq!(clock(Instant(nanos)), want);
        }
    }
}
