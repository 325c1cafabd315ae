//! The Score tab: one stacked bar per node, and the selected node's scores worked out.

use crate::app::Intent;
use crate::components::{Bar, column_sum};
use crate::env::Env;
use crate::locale::Msg;
use crate::state::Action;
use crate::view::{ScoreBar, ScoreRow, ScoreTable, Segment};
use yew::{AttrValue, Html, classes, html};

const HUES: [&str; 6] = ["k-0", "k-1", "k-2", "k-3", "k-4", "k-5"];

fn hue(style: u8) -> &'static str {
    HUES.get(usize::from(style % 6)).copied().unwrap_or("k-0")
}

/// The Score tab. `scored` is the node that is worked out, the best one unless chosen; `term` the
/// opened row.
pub fn score_panel(
    env: &Env,
    table: &ScoreTable,
    scored: Option<&AttrValue>,
    term: Option<&AttrValue>,
) -> Html {
    let words = &env.words;
    let bars = &table.bars;
    let open = bars.iter().find(|bar| scored == Some(&bar.node)).or_else(|| bars.first());
    html! {
        <div class="panel" role="tabpanel" id="tab-panel" aria-labelledby="tab-score">
            <p class="cap-line"><span>{words.text(Msg::WeightedTotal)}</span>
                <span>{words.count(Msg::PassedFilter, bars.len() as u32 + table.hidden)}</span></p>
            <ol class="bars">
                {for bars.iter().map(|bar| {
                    let on = open.is_some_and(|open| open.node == bar.node);
                    html! { <li key={bar.node.as_str()}>{bar_line(env, bar, on)}</li> }
                })}
            </ol>
            if table.hidden > 0 { <p class="foot dimmer">{words.count(Msg::HiddenNodes, table.hidden)}</p> }
            if let Some(bar) = open { {worked_out(env, bar, term)} }
            if !table.skipped.is_empty() {
                <p class="foot dimmer">{words.fill(Msg::SkippedScore, &[("plugins", &table.skipped.join(", "))])}</p>
            }
        </div>
    }
}

fn bar_line(env: &Env, bar: &ScoreBar, on: bool) -> Html {
    let onclick = env.on(Intent::Do(Action::Scored(bar.node.clone())));
    let first = (bar.rank == 1).then_some("first");
    html! {
        <button type="button" class={classes!("bar", on.then_some("on"))} aria-pressed={on.to_string()} {onclick}>
            <span class={classes!("num", first)}>{"#"}{bar.rank}</span>
            <span class="mono clip">{bar.node.clone()}</span>
            <span class="stack" aria-hidden="true">
                {for bar.segments.iter().map(part)}
            </span>
            <span class={classes!("tot", first)}>{bar.total}</span>
        </button>
    }
}

/// One plugin's part of a bar.
fn part(segment: &Segment) -> Html {
    let mut text = segment.letter.to_string();
    if segment.width > 140 {
        text.push(' ');
        text.push_str(&segment.weighted.to_string());
    }
    html! { <Bar class={hue(segment.style)} width={segment.width} {text} key={segment.letter.as_str()} /> }
}

fn worked_out(env: &Env, bar: &ScoreBar, term: Option<&AttrValue>) -> Html {
    let words = &env.words;
    html! {
        <>
            <p class="cap-line"><span><strong class="mono">{bar.node.clone()}</strong>{" "}{words.text(Msg::WorkedOut)}</span></p>
            <table class="tbl">
                <thead><tr>
                    <th scope="col">{words.text(Msg::Plugin)}</th>
                    <th scope="col">{words.text(Msg::Raw)}</th>
                    <th scope="col">{words.text(Msg::Normalized)}</th>
                    <th scope="col">{words.text(Msg::Weight)}</th>
                    <th scope="col">{words.text(Msg::Weighted)}</th>
                </tr></thead>
                <tbody>
                    {for bar.rows.iter().map(|row| score_row(env, row, term == Some(&row.plugin)))}
                    <tr class="sum-row"><th scope="row"><span class="key"></span>{words.text(Msg::Total)}</th>
                        <td></td><td></td><td></td><td>{bar.total}</td></tr>
                </tbody>
            </table>
        </>
    }
}

fn score_row(env: &Env, row: &ScoreRow, open: bool) -> Html {
    let onclick = env.on(Intent::Do(Action::Term(row.plugin.clone())));
    let open = open && !row.sum.is_empty();
    html! {
        <>
            <tr class={classes!((row.weighted == 0).then_some("zero"))} key={row.plugin.as_str()}>
                <th scope="row"><span class={classes!("key", hue(row.style))} aria-hidden="true">{row.letter.clone()}</span>
                    if row.sum.is_empty() {
                        {row.plugin.clone()}
                    } else {
                        <button type="button" class="link" aria-expanded={open.to_string()} {onclick}>{by_words(&row.plugin)}</button>
                    }
                </th>
                <td>{row.raw}</td><td>{row.normalized}</td><td>{"× "}{row.weight}</td><td>{row.weighted}</td>
            </tr>
            if open {
                <tr class="open"><td colspan="5"><p class="dim">{row.rule.clone()}</p>{column_sum(&row.sum)}</td></tr>
            }
        </>
    }
}

/// A plugin's name that may be broken between its words.
fn by_words(name: &str) -> Html {
    let mut words: Vec<Html> = Vec::new();
    let mut from = 0;
    for (at, char) in name.char_indices() {
        if char.is_ascii_uppercase() && at > from {
            words.push(html! { <>{name.get(from..at).unwrap_or_default().to_owned()}<wbr /></> });
            from = at;
        }
    }
    words.push(html! { {name.get(from..).unwrap_or_default().to_owned()} });
    html! { <>{for words}</> }
}
