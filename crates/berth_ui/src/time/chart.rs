//! How many pods wait, are on a node and end, over time.

use super::lanes::{Lane, Phase};
use super::run::Run;
use super::scrubber::percent;
use super::{TimeMsg, TimeWords};
use berth_core::queue::Instant;
use std::collections::BTreeMap;
use yew::{AttrValue, Html, html};

/// How high a chart is, and how much of that lines take.
const HEIGHT: i64 = 24;
const INNER: i64 = 20;

/// What is counted.
const COUNTED: [(&[Phase], TimeMsg, &str); 3] = [
    (&[Phase::Waits], TimeMsg::Waiting, "waits"),
    (&[Phase::Starts, Phase::Runs], TimeMsg::OnNodes, "runs"),
    (&[Phase::Ends], TimeMsg::Ending, "ends"),
];

/// By how many the number of pods in some phases changes, and when.
fn changes(lanes: &[&Lane], counted: &[Phase]) -> BTreeMap<Instant, i64> {
    let mut changes: BTreeMap<Instant, i64> = BTreeMap::new();
    for lane in lanes {
        let mut was = false;
        for (at, phase) in &lane.phases {
            let is = counted.contains(phase);
            if is != was {
                *changes.entry(*at).or_default() += if is { 1 } else { -1 };
                was = is;
            }
        }
    }
    changes
}

/// The charts.
pub(super) fn view(run: &Run, words: &TimeWords, lanes: &[&Lane]) -> Html {
    html! {
        <ul class="charts">{for COUNTED.iter().map(|(phases, msg, class)| {
            chart(run, &words.text(*msg), &changes(lanes, phases), class)
        })}</ul>
    }
}

fn chart(
    run: &Run,
    name: &AttrValue,
    changes: &BTreeMap<Instant, i64>,
    class: &'static str,
) -> Html {
    let span = run.span();
    let mut count = 0;
    let mut steps: Vec<(Instant, i64)> = Vec::new();
    for (at, change) in changes {
        count += change;
        steps.push((*at, count));
    }
    let most = steps.iter().map(|(_, count)| *count).max().unwrap_or(0);
    let now = steps.iter().take_while(|(at, _)| *at <= run.at).last().map_or(0, |(_, now)| *now);
    let reached = run.reached();
    let ends = steps.iter().skip(1).map(|(at, _)| *at).chain([reached]);
    let bars = steps.iter().zip(ends).filter(|((_, count), _)| *count > 0).map(|((from, count), to)| {
        let height = (count * INNER / most.max(1)).max(1);
        html! {
            <rect {class} x={percent(from.0, span)} y={(HEIGHT - height).to_string()} height={height.to_string()}
                width={percent(to.0 - from.0, span)} />
        }
    });
    html! {
        <li key={class}>
            <span class="name">{name.clone()}</span>
            <svg class="chart-of" aria-hidden="true" width="100%" height={HEIGHT.to_string()}>
                {for bars}
                <svg x={percent(run.at.0, span)} width="1" height={HEIGHT.to_string()} class="playhead"><path d="M0 0V24" /></svg>
            </svg>
            <span class="now num">{format!("{now} / {most}")}</span>
        </li>
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pods_are_counted_from_phase_to_phase() {
        let lane = |phases: &[(i64, Phase)]| {
            let mut lane = Lane::default();
            lane.phases.extend(phases.iter().map(|(at, phase)| (Instant(*at), *phase)));
            lane
        };
        let one =
            lane(&[(0, Phase::Waits), (5, Phase::Starts), (6, Phase::Runs), (9, Phase::Ends)]);
        let two = lane(&[(0, Phase::Waits), (9, Phase::Starts), (12, Phase::Gone)]);
        let counted = |phases: &[Phase]| -> Vec<(i64, i64)> {
            changes(&[&one, &two], phases).into_iter().map(|(at, by)| (at.0, by)).collect()
        };
        assert_eq!(counted(&[Phase::Waits]), [(0, 2), (5, -1), (9, -1)]);
        assert_eq!(counted(&[Phase::Starts, Phase::Runs]), [(5, 1), (9, 0), (12, -1)]);
        assert_eq!(counted(&[Phase::Ends]), [(9, 1)]);
    }
}
