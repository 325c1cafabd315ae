//! The chart of a spread constraint: a row for each domain, with the minimum and the limit across all.

use super::Pen;
use crate::components::{app_class, equation_chip};
use crate::why::view::{DomainView, Named, SpreadView};
use crate::why::words::WhyMsg;
use yew::{Html, classes, html};

/// The most squares of a row; with more, a bar stands for them.
const SQUARES: i64 = 12;
/// The fewest that a chart has room for, so that the squares of short rows are not far apart from their numbers.
const ROOM: i64 = 8;
/// The width of a square with the space that follows it.
const STEP: i64 = 15;
/// The width of a chart of bars.
const BARS: i64 = ROOM * STEP;

/// A constraint.
pub(super) fn spread(pen: &Pen<'_>, view: &SpreadView) -> Html {
    let words = pen.words;
    let scale = Scale::of(view);
    html! {
        <div class="why-part" key={view.fields.as_str()}>
            <h4>{view.name.clone()}</h4>
            <p class="mono fields">{view.fields.clone()}</p>
            <p>{view.rule.clone()}</p>
            <ul class={classes!("chart", app_class(pen.app))} aria-label={words.fill(WhyMsg::Domains, &[("key", &view.fields)])}>
                {for view.domains.iter().map(|domain| html! {
                    <li key={domain.value.as_str()}>{pen.term(
                        if domain.here { "here" } else { "" },
                        Some(domain.light),
                        row(pen, view, domain, &scale),
                    )}</li>
                })}
            </ul>
            if view.hidden > 0 { <p class="dimmer">{words.count(WhyMsg::HiddenDomains, view.hidden)}</p> }
            if let Some(lines) = &view.lines {
                <p class="legend">
                    <span><i class="min"></i>{lines.minimum_text.clone()}</span>
                    <span><i class="max"></i>{lines.limit_text.clone()}</span>
                </p>
            }
            <p>{view.note.clone()}{" "}{view.own.clone()}</p>
            {pen.named(&view.counted)}
            {group(pen, &view.left_out_pods_title, &view.left_out_pods)}
            {group(pen, &view.left_out_nodes_title, &view.left_out_nodes)}
        </div>
    }
}

/// Lists by rule, in one that can be opened.
fn group(pen: &Pen<'_>, title: &str, lists: &[Named]) -> Html {
    if lists.is_empty() {
        return Html::default();
    }
    html! {
        <details class="named">
            <summary>{title.to_owned()}</summary>
            {for lists.iter().map(|named| pen.named(named))}
        </details>
    }
}

/// How many units of the chart a pod takes.
struct Scale {
    squares: bool,
    most: i64,
}

impl Scale {
    fn of(view: &SpreadView) -> Self {
        let most = view.most.max(1);
        Self { squares: most <= SQUARES, most }
    }

    /// Where so many pods end.
    fn at(&self, pods: i64) -> i64 {
        let pods = pods.clamp(0, self.most);
        if self.squares { pods * STEP } else { pods.saturating_mul(BARS - STEP) / self.most }
    }

    fn width(&self) -> i64 {
        if self.squares { self.most.max(ROOM) * STEP } else { BARS }
    }
}

fn row(pen: &Pen<'_>, view: &SpreadView, domain: &DomainView, scale: &Scale) -> Html {
    let holds = domain.sum.holds;
    let own = domain.incoming > 0;
    html! {
        <>
            <span class="clip">{domain.value.clone()}
                if domain.here { <span class="vh">{", "}{pen.words.text(WhyMsg::OnThisNode)}</span> }
            </span>
            <svg viewBox={["0 0 ", &(scale.width() + 2).to_string(), " 18"].concat()}
                preserveAspectRatio="xMinYMid meet" aria-hidden="true">
                {for squares(domain.matching, scale)}
                if own {
                    <rect class={if holds { "add" } else { "bad" }} x={(scale.at(domain.matching) + 1).to_string()}
                        y="3.5" width="11" height="11" rx="2" />
                }
                {for view.lines.iter().map(|lines| html! {
                    <>{line("min", scale.at(lines.minimum))}{line("max", scale.at(lines.limit))}</>
                })}
            </svg>
            <span class={classes!("num", (!holds).then_some("c-reject"))}>{equation_chip(&domain.sum)}</span>
        </>
    }
}

/// A square for each pod, or a bar with their number.
fn squares(matching: i64, scale: &Scale) -> Vec<Html> {
    if scale.squares {
        let square = |place: i64| {
            let x = (scale.at(place) + 1).to_string();
            html! { <rect class="sq" {x} y="3" width="12" height="12" rx="2" /> }
        };
        return (0..matching).map(square).collect();
    }
    let width = scale.at(matching).max(1).to_string();
    vec![html! { <rect class="sq" x="1" y="3" {width} height="12" rx="2" /> }]
}

fn line(class: &'static str, at: i64) -> Html {
    let x = at.max(1).to_string();
    html! { <line {class} x1={x.clone()} x2={x} y1="0" y2="18" /> }
}
