//! The numbers of charts as tables: what they were from when on, the last first.

use super::{Limit, Section};
use crate::time::run::{Run, clock};
use crate::time::{TimeMsg, TimeWords};
use berth_core::queue::Instant;
use std::collections::BTreeSet;
use yew::{AttrValue, Html, html};

/// So many moments are listed.
const MOST: usize = 60;
const MILLISECOND: i64 = 1_000_000;

/// A section up to the moment: what changed within a millisecond is one line.
pub(super) fn view(words: &TimeWords, run: &Run, section: &Section<'_>) -> Html {
    let lines = &section.lines;
    let own = |at: usize| lines.get(at).map(|line| (line.name.clone(), line.series));
    let mut columns: Vec<_> = (0..lines.len()).filter_map(own).collect();
    columns.extend(lines.iter().filter_map(|line| match line.limit {
        Limit::Least(name, series) => Some((AttrValue::from(name), series)),
        _ => None,
    }));
    let moments: BTreeSet<i64> = columns
        .iter()
        .flat_map(|(_, series)| &series.steps)
        .filter(|(at, _)| *at <= run.at)
        .map(|(at, _)| at.0.div_euclid(MILLISECOND))
        .collect();
    let last = |moment: i64| Instant((moment + 1) * MILLISECOND - 1).min(run.at);
    let row = |moment: &i64| {
        html! {
            <tr key={*moment}>
                <th scope="row" class="num">{clock(Instant(moment * MILLISECOND))}</th>
                {for columns.iter().map(|(_, series)| html! {
                    <td class="num">{series.at(last(*moment)).map_or_else(|| "–".to_owned(), |value| value.to_string())}</td>
                })}
            </tr>
        }
    };
    html! {
        <table class="compared gauges" key={[&*section.title, &section.more].concat()}>
            <caption>{section.title.clone()}{" "}<span class="dim">{section.more.clone()}</span></caption>
            <thead><tr>
                <th scope="col">{words.text(TimeMsg::Moment)}</th>
                {for columns.iter().map(|(name, _)| html! { <th scope="col">{name.clone()}</th> })}
            </tr></thead>
            <tbody>{for moments.iter().rev().take(MOST).map(row)}</tbody>
        </table>
    }
}
