//! The scrubber: a range with the marks of what happened above it and seconds below.

use super::TimeWords;
use super::run::{Run, Shared, clock, seek};
use super::told::Mark;
use super::words::TimeMsg;
use crate::env::Env;
use crate::tool::task;
use berth_core::queue::Instant;
use berth_core::queue::time::SECOND;
use std::collections::BTreeMap;
use std::rc::Rc;
use web_sys::HtmlInputElement;
use yew::{Callback, Html, InputEvent, TargetCast, classes, html};

const MILLISECOND: i64 = 1_000_000;
/// Marks of one kind that are nearer to each other than this many thousandths are one.
const NEAR: i64 = 12;
/// How far apart two marks of one moment are.
const BESIDE: usize = 10;
/// How many seconds may stand below the scrubber.
const TICKS: i64 = 10;

/// How far along something is, as SVG takes it.
pub(super) fn percent(at: i64, span: i64) -> String {
    let thousandths = (at.clamp(0, span) as f64 / span.max(1) as f64 * 100_000.0).round() / 1000.0;
    format!("{thousandths}%")
}

/// A mark's outline, around its middle.
pub(super) const fn shape(mark: Mark) -> &'static str {
    match mark {
        Mark::Scheduled => "M-4 0a4 4 0 1 0 8 0a4 4 0 1 0 -8 0z",
        Mark::Failed => "M-3.5 -3.5L3.5 3.5M3.5 -3.5L-3.5 3.5",
        Mark::Preempted => "M0 -4.5L4.5 0L0 4.5L-4.5 0z",
        Mark::Killing => "M-3.5 -3.5H3.5V3.5H-3.5z",
        Mark::Evicted => "M0 -4.5L4.5 3.5H-4.5z",
        Mark::Down => "M0 4.5L4.5 -3.5H-4.5z",
    }
}

const fn class(mark: Mark) -> &'static str {
    match mark {
        Mark::Scheduled => "scheduled",
        Mark::Failed => "failed",
        Mark::Preempted => "preempted",
        Mark::Killing => "killing",
        Mark::Evicted => "evicted",
        Mark::Down => "down",
    }
}

/// The scrubber.
pub(super) fn scrubber(env: &Env, words: &TimeWords, run: &Run, shared: &Shared) -> Html {
    let span = run.span();
    let oninput = {
        let (shared, send) = (Rc::clone(shared), env.send.clone());
        Callback::from(move |event: InputEvent| {
            let Some(input) = event.target_dyn_into::<HtmlInputElement>() else { return };
            let at = Instant((input.value_as_number() as i64).saturating_mul(MILLISECOND));
            let shared = Rc::clone(&shared);
            send.emit(task(move |app| seek(&shared, app, at)));
        })
    };
    html! {
        <div class="scrub">
            <svg class="marks" aria-hidden="true" width="100%" height="14">
                {for marks(run, span)}
                {for run.given().map(|at| html! {
                    <svg x={percent(at.0, span)} y="7" width="1" height="1" class="mark request given"><path d="M0 -7V7" /></svg>
                })}
                {for run.timeline.acted().map(|acted| html! {
                    <svg x={percent(acted.at.0, span)} y="7" width="1" height="1" class="mark request">
                        <path d="M0 -7V7" />
                    </svg>
                })}
            </svg>
            <input type="range" min="0" max={(span / MILLISECOND).to_string()} step="1" aria-label={words.text(TimeMsg::Moment)}
                aria-valuetext={clock(run.at)} value={(run.at.0 / MILLISECOND).to_string()} {oninput} />
            <svg class="ticks" aria-hidden="true" width="100%" height="14">{for ticks(span)}</svg>
        </div>
    }
}

fn marks(run: &Run, span: i64) -> Vec<Html> {
    let mut seen: BTreeMap<i64, Vec<Mark>> = BTreeMap::new();
    let mut drawn = Vec::new();
    for entry in &run.told.entries {
        let Some(mark) = entry.mark else { continue };
        let at = entry.line.at;
        let here = seen.entry(at.0 / (span / 1000 * NEAR).max(1)).or_default();
        if here.contains(&mark) {
            continue;
        }
        // Those of one moment stand side by side.
        let beside = format!("translate({} 0)", here.len() * BESIDE);
        here.push(mark);
        let later = (at > run.at).then_some("later");
        drawn.push(html! {
            <svg x={percent(at.0, span)} y="7" width="1" height="1" class={classes!("mark", class(mark), later)}>
                <path d={shape(mark)} transform={beside} />
            </svg>
        });
    }
    drawn
}

fn ticks(span: i64) -> Vec<Html> {
    let seconds = span / SECOND;
    let steps = [10, 30, 60, 300, 600, 1800, 3600, 7200, 14_400];
    let step = steps.into_iter().find(|step| seconds / step <= TICKS).unwrap_or(14_400);
    (0..=seconds / step)
        .map(|number| {
            let at = number * step;
            let anchor = match at {
                0 => "start",
                at if at == seconds => "end",
                _ => "middle",
            };
            html! { <text x={percent(at * SECOND, span)} y="11" text-anchor={anchor}>{at}</text> }
        })
        .collect()
}

/// What the marks mean.
pub(super) fn legend() -> Html {
    html! {
        <ul class="legend row" aria-hidden="true">
            {for Mark::ALL.map(|mark| html! {
                <li>
                    <svg viewBox="-7 -7 14 14" class={classes!("mark", class(mark))}><path d={shape(mark)} /></svg>
                    {mark.reason()}
                </li>
            })}
        </ul>
    }
}
