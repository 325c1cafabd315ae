//! Numbers over time: the queue's lengths, what budgets allow, and how uneven constraints are, as step charts under the
//! scrubber, with a cursor at the moment; or the same numbers as tables.

mod series;
mod table;

pub(super) use series::Charts;

use super::run::{Run, Shared};
use super::scrubber::percent;
use super::{TimeMsg, TimeWords};
use crate::env::Env;
use crate::locale::Msg;
use crate::tool::task;
use berth_core::api::ObjectKey;
use berth_core::simulation::{Gauge, SpreadConstraint};
use series::{HEIGHT, Scale, Series, WIDTH};
use std::rc::Rc;
use yew::{AttrValue, Html, classes, html};

/// So many domains of a constraint have a chart each.
const MOST_DOMAINS: usize = 8;

/// What belongs together.
struct Section<'a> {
    title: AttrValue,
    /// What the title leaves out.
    more: AttrValue,
    lines: Vec<Line<'a>>,
}

/// A gauge, drawn.
struct Line<'a> {
    name: AttrValue,
    series: &'a Series,
    limit: Limit<'a>,
    /// Whether all lines of this section have one scale.
    shared: bool,
}

/// What a line is held against.
#[derive(Clone, Copy)]
enum Limit<'a> {
    None,
    /// It may not be more.
    Most(&'static str, i64),
    /// It is to be as much.
    Least(&'static str, &'a Series),
}

/// The queue, the budgets and the constraints.
fn sections<'a>(env: &Env, words: &TimeWords, run: &'a Run) -> Vec<Section<'a>> {
    let all = &run.charts.series;
    let plain = |name: AttrValue, gauge: &Gauge| {
        let series = all.get(gauge)?;
        Some(Line { name, series, limit: Limit::None, shared: true })
    };
    let queue = [
        (Msg::Active, Gauge::Active),
        (Msg::Backoff, Gauge::Backoff),
        (Msg::Unschedulable, Gauge::Unschedulable),
    ];
    let lines = queue.iter().filter_map(|(msg, gauge)| plain(env.words.text(*msg), gauge));
    let queue = Section {
        title: words.text(TimeMsg::Queue),
        more: AttrValue::default(),
        lines: lines.collect(),
    };
    let mut sections = vec![queue];
    sections.extend(all.keys().filter_map(|gauge| match gauge {
        Gauge::DisruptionsAllowed(key) => Some(budget(run, key)),
        _ => None,
    }));
    sections.extend(all.keys().filter_map(|gauge| match gauge {
        Gauge::Skew(number) => {
            let about = run.timeline.constraint(*number)?;
            Some(constraint(words, run, *number, about))
        }
        _ => None,
    }));
    sections
}

fn budget<'a>(run: &'a Run, key: &ObjectKey) -> Section<'a> {
    let all = &run.charts.series;
    let desired = all.get(&Gauge::DesiredHealthy(key.clone()));
    let least = desired.map_or(Limit::None, |series| Limit::Least("desiredHealthy", series));
    let lines = [
        ("disruptionsAllowed", Gauge::DisruptionsAllowed(key.clone()), Limit::None),
        ("currentHealthy", Gauge::CurrentHealthy(key.clone()), least),
    ];
    let line = |(name, gauge, limit): (&'static str, Gauge, Limit<'a>)| {
        Some(Line { name: name.into(), series: all.get(&gauge)?, limit, shared: false })
    };
    Section {
        title: ["PodDisruptionBudget/", &*key.name].concat().into(),
        more: key.namespace.clone().into(),
        lines: lines.into_iter().filter_map(line).collect(),
    }
}

fn constraint<'a>(
    words: &TimeWords,
    run: &'a Run,
    number: u32,
    about: &SpreadConstraint,
) -> Section<'a> {
    let all = &run.charts.series;
    let limit = Limit::Most("maxSkew", i64::from(about.max_skew));
    let skew = all.get(&Gauge::Skew(number)).map(|series| Line {
        name: words.text(TimeMsg::Skew),
        series,
        limit,
        shared: false,
    });
    let domains = all.iter().filter_map(|(gauge, series)| match gauge {
        Gauge::Domain(of, value) if *of == number => {
            let name = AttrValue::from(value.to_string());
            Some(Line { name, series, limit: Limit::None, shared: true })
        }
        _ => None,
    });
    let domains: Vec<Line<'a>> = domains.collect();
    let shown = if domains.len() > MOST_DOMAINS { Vec::new() } else { domains };
    let whose = if about.workload.is_empty() { &about.namespace } else { &about.workload };
    Section {
        title: [whose, " · ", &about.topology_key].concat().into(),
        more: about.selector.clone().into(),
        lines: skew.into_iter().chain(shown).collect(),
    }
}

impl Line<'_> {
    /// What it is held against at the moment, and whether that is broken.
    fn limit_at(&self, run: &Run) -> (Option<AttrValue>, bool) {
        let now = self.series.at(run.at);
        let (name, limit, broken) = match self.limit {
            Limit::None => return (None, false),
            Limit::Most(name, most) => (name, Some(most), now.is_some_and(|now| now > most)),
            Limit::Least(name, series) => {
                let least = series.at(run.at);
                (name, least, now.zip(least).is_some_and(|(now, least)| now < least))
            }
        };
        (limit.map(|limit| [name, " ", &limit.to_string()].concat().into()), broken)
    }

    /// What the height of its chart stands for.
    fn most(&self) -> i64 {
        self.series.most().max(match self.limit {
            Limit::None => 0,
            Limit::Most(_, most) => most,
            Limit::Least(_, series) => series.most(),
        })
    }
}

/// The charts, or their numbers.
pub(super) fn view(env: &Env, words: &TimeWords, run: &Run, shared: &Shared) -> Html {
    let shared = Rc::clone(shared);
    let toggle = env.on(task(move |_| {
        let mut run = shared.borrow_mut();
        run.as_tables = !run.as_tables;
    }));
    let sections = sections(env, words, run);
    html! {
        <>
            <button type="button" class="btn small line toggle" aria-pressed={run.as_tables.to_string()} onclick={toggle}>
                {words.text(TimeMsg::AsTables)}
            </button>
            {for sections.iter().map(|section| if run.as_tables {
                table::view(words, run, section)
            } else {
                drawn(words, run, section)
            })}
        </>
    }
}

fn drawn(words: &TimeWords, run: &Run, section: &Section<'_>) -> Html {
    let shared = section.lines.iter().filter(|line| line.shared).map(Line::most).max();
    let line = |line: &Line<'_>| {
        let most = if line.shared { shared.unwrap_or(0) } else { line.most() };
        let (limit, broken) = line.limit_at(run);
        let now = line.series.at(run.at);
        let now = now.map_or_else(|| AttrValue::from("–"), |now| now.to_string().into());
        let beside = limit.unwrap_or_else(|| {
            words.fill(TimeMsg::Most, &[("n", &line.series.most().to_string())])
        });
        html! {
            <li key={&*line.name}>
                <span class="name">{line.name.clone()}</span>
                {chart(run, line, most)}
                <span class="now num"><b class={classes!(broken.then_some("warning"))}>{now}</b>{" · "}{beside}</span>
            </li>
        }
    };
    html! {
        <section class="gauges" key={[&*section.title, &section.more].concat()} aria-label={[&*section.title, " ", &section.more].concat()}>
            <h4>{section.title.clone()}{" "}<span class="dim">{section.more.clone()}</span></h4>
            <ul class="lanes-of">{for section.lines.iter().map(line)}</ul>
        </section>
    }
}

fn chart(run: &Run, line: &Line<'_>, most: i64) -> Html {
    let span = run.span();
    let scale = Scale { span, most, filled: true };
    let view_box = format!("0 0 {WIDTH} {HEIGHT}");
    let limit = match line.limit {
        Limit::None => None,
        Limit::Most(_, limit) => {
            let fixed = Series::fixed(limit);
            Some(fixed.path(Scale { filled: false, ..scale }))
        }
        Limit::Least(_, series) => Some(series.path(Scale { filled: false, ..scale })),
    };
    let reached = run.reached().0;
    html! {
        <svg class="gauge-of" aria-hidden="true" width="100%" height={HEIGHT.to_string()}>
            <svg viewBox={view_box} preserveAspectRatio="none" width="100%" height={HEIGHT.to_string()}>
                <path class="area" d={line.series.path(scale)} />
                if let Some(limit) = limit { <path class="limit" d={limit} /> }
            </svg>
            <rect class="not-yet" x={percent(reached, span)} width={percent(span - reached, span)} height={HEIGHT.to_string()} />
            <svg x={percent(run.at.0, span)} width="1" height={HEIGHT.to_string()} class="playhead"><path d="M0 0V24" /></svg>
        </svg>
    }
}
