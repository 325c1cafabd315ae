//! The Filter matrix: plugins down in the order they run, nodes across.

use crate::app::Intent;
use crate::components::{Shape, column_sum, equation_chip, icon};
use crate::env::Env;
use crate::locale::Msg;
use crate::state::Action;
use crate::view::{Column, FilterCell, FilterRow, FilterTable};
use yew::{AttrValue, Html, classes, html};

/// The Filter tab. `open` is the opened cell: plugin and node.
pub(super) fn panel(
    env: &Env,
    table: &FilterTable,
    open: Option<&(AttrValue, AttrValue)>,
    skipped: bool,
) -> Html {
    let words = &env.words;
    html! {
        <div class="panel" role="tabpanel" id="tab-panel" aria-labelledby="tab-filter" data-scroll="matrix">
            <div class="mx-scroll" tabindex="0" role="region" aria-label={words.text(Msg::FilterTable)}>
                <table class={classes!("mx", (table.columns.len() > 8).then_some("wide"))}>
                    <thead><tr>
                        <th scope="col">{words.text(Msg::PluginsInOrder)}</th>
                        {for table.columns.iter().map(|column| html! {
                            <th scope="col" class={gap(column)} key={column.node.as_str()}>
                                <abbr title={column.node.clone()}>{column.short.clone()}</abbr>
                            </th>
                        })}
                    </tr></thead>
                    <tbody>
                        {for table.rows.iter().map(|row| line(env, table, row, open))}
                        <tr class="res">
                            <th scope="row">{words.text(Msg::Result)}</th>
                            {for table.columns.iter().map(|column| result(env, column))}
                        </tr>
                    </tbody>
                </table>
            </div>
            if table.hidden > 0 { <p class="foot dimmer">{words.count(Msg::HiddenNodes, table.hidden)}</p> }
            {detail(env, table, open)}
            {skips(env, table, skipped)}
        </div>
    }
}

fn gap(column: &Column) -> Option<&'static str> {
    column.gap.then_some("gap")
}

fn line(
    env: &Env,
    table: &FilterTable,
    row: &FilterRow,
    open: Option<&(AttrValue, AttrValue)>,
) -> Html {
    let cells = table.columns.iter().zip(&row.cells).map(|(column, cell)| {
        let this = (row.plugin.clone(), column.node.clone());
        let current = open == Some(&this);
        let state = match (cell.reached, cell.passes) {
            (false, _) => "off",
            (true, true) => "ok",
            (true, false) => "no",
        };
        let word = env.words.text(match (cell.reached, cell.passes) {
            (false, _) => Msg::NotReached,
            (true, true) => Msg::Passes,
            (true, false) => Msg::Refuses,
        });
        let label = [&*row.plugin, ", ", &*column.node, ", ", &*word].concat();
        let onclick = env.on(Intent::Do(Action::Cell(Some(this))));
        html! {
            <td class={classes!(state, gap(column), current.then_some("cur"))} key={column.node.as_str()}>
                <button type="button" aria-label={label} aria-expanded={current.to_string()} {onclick}>
                    if !cell.reached { {"·"} } else if cell.passes { {icon(Shape::Check)} } else { {icon(Shape::Cross)} }
                </button>
            </td>
        }
    });
    html! { <tr key={row.plugin.as_str()}><th scope="row">{row.plugin.clone()}</th>{for cells}</tr> }
}

fn result(env: &Env, column: &Column) -> Html {
    let text = match column.rank {
        Some(rank) => ["#", &rank.to_string()].concat().into(),
        None => env.words.text(Msg::Out),
    };
    html! { <td class={gap(column)} key={column.node.as_str()}><i>{text}</i></td> }
}

/// The opened cell, worked out.
fn detail(env: &Env, table: &FilterTable, open: Option<&(AttrValue, AttrValue)>) -> Html {
    let found = open.and_then(|(plugin, node)| {
        let row = table.rows.iter().find(|row| row.plugin == *plugin)?;
        let column = table.columns.iter().position(|column| column.node == *node)?;
        Some((plugin, node, row.cells.get(column)?))
    });
    let content = found
        .map_or_else(Html::default, |(plugin, node, cell)| worked_out(env, plugin, node, cell));
    html! { <div aria-live="polite">{content}</div> }
}

fn worked_out(env: &Env, plugin: &AttrValue, node: &AttrValue, cell: &FilterCell) -> Html {
    let words = &env.words;
    let bare = cell.sums.is_empty() && cell.equations.is_empty() && cell.facts.is_empty();
    html! {
        <div class={if cell.passes { "detail ok" } else { "detail" }}>
            <strong>{node.clone()}{" · "}{plugin.clone()}</strong>
            if !cell.reason.is_empty() { <span class="c-reject">{cell.reason.clone()}</span> }
            if !cell.reached { <span class="dim">{words.text(Msg::NotReachedBut)}</span> }
            {for cell.equations.iter().map(|view| html! { <span>{equation_chip(view)}</span> })}
            {for cell.sums.iter().map(|rows| column_sum(rows))}
            {for cell.facts.iter().map(|fact| html! { <span class="fact">{fact.clone()}</span> })}
            if cell.passes && bare { <span class="dim">{words.text(Msg::NothingAgainst)}</span> }
        </div>
    }
}

fn skips(env: &Env, table: &FilterTable, open: bool) -> Html {
    let words = &env.words;
    let toggle = env.on(Intent::Do(Action::Skipped));
    html! {
        <p class="foot dimmer">
            {words.text(Msg::DotMeans)}{" "}
            if !table.skipped.is_empty() {
                {words.count(Msg::Skipped, table.skipped.len() as u32)}{" "}
                <button type="button" class="link" aria-expanded={open.to_string()} onclick={toggle}>
                    {words.text(if open { Msg::HideThem } else { Msg::ShowThem })}
                </button>
                if open { <span class="skip-list">{table.skipped.join(", ")}</span> }
            }
        </p>
    }
}
