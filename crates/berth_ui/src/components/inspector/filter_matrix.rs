//! The Filter matrix: plugins down in the order they run, nodes across.

use crate::app::Intent;
use crate::components::{column_sum, equation_chip};
use crate::env::{Env, use_env};
use crate::locale::Msg;
use crate::state::Action;
use crate::view::{Column, FilterCell, FilterDetail, FilterTable};
use std::rc::Rc;
use yew::{AttrValue, Html, Properties, classes, component, html};

/// The Filter tab. `open` is the opened cell: plugin and node; `detail` is that cell, worked out.
pub(super) fn panel(
    env: &Env,
    table: &FilterTable,
    open: Option<&(AttrValue, AttrValue)>,
    detail: Option<&FilterDetail>,
    skipped: bool,
) -> Html {
    let words = &env.words;
    // The Tab key stops at the opened cell, or at the first.
    let is_shown = |(plugin, node): &&(AttrValue, AttrValue)| {
        table.rows.iter().any(|row| row.plugin == *plugin)
            && table.columns.iter().any(|column| column.node == *node)
    };
    let first = table.rows.first().zip(table.columns.first());
    let first = first.map(|(row, column)| (row.plugin.clone(), column.node.clone()));
    let at = open.filter(is_shown).or(first.as_ref());
    let rows = table.rows.iter().map(|row| {
        let stop = at.filter(|(plugin, _)| *plugin == row.plugin).map(|(_, node)| node.clone());
        let open = open.filter(|(plugin, _)| *plugin == row.plugin).map(|(_, node)| node.clone());
        html! {
            <Line key={row.plugin.as_str()} plugin={row.plugin.clone()} cells={Rc::clone(&row.cells)}
                columns={Rc::clone(&table.columns)} {open} {stop} />
        }
    });
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
                        {for rows}
                        <tr class="res">
                            <th scope="row">{words.text(Msg::Result)}</th>
                            {for table.columns.iter().zip(&*table.ranks).map(|(column, rank)| result(env, column, *rank))}
                        </tr>
                    </tbody>
                </table>
            </div>
            if table.hidden > 0 { <p class="foot dimmer">{words.count(Msg::HiddenNodes, table.hidden)}</p> }
            <div aria-live="polite">{detail.map(|detail| worked_out(env, detail))}</div>
            {skips(env, table, skipped)}
        </div>
    }
}

fn gap(column: &Column) -> Option<&'static str> {
    column.gap.then_some("gap")
}

/// Properties of [`Line`].
#[derive(PartialEq, Properties)]
struct LineProps {
    plugin: AttrValue,
    cells: Rc<[FilterCell]>,
    columns: Rc<[Column]>,
    /// The node whose cell is open.
    open: Option<AttrValue>,
    /// The node at whose cell the Tab key stops.
    stop: Option<AttrValue>,
}

/// A plugin's row: a component, because few rows change with an edit.
#[component]
fn Line(props: &LineProps) -> Html {
    let env = use_env();
    let cells = props.columns.iter().zip(&*props.cells).map(|(column, cell)| {
        let current = props.open.as_ref() == Some(&column.node);
        let tabindex = if props.stop.as_ref() == Some(&column.node) { "0" } else { "-1" };
        // Text, not icons: each drawing costs every frame.
        let (state, mark, msg) = match (cell.reached, cell.passes) {
            (false, _) => ("off", "·", Msg::NotReached),
            (true, true) => ("ok", "✓", Msg::Passes),
            (true, false) => ("no", "✕", Msg::Refuses),
        };
        let label = [&*props.plugin, ", ", &*column.node, ", ", &*env.words.text(msg)].concat();
        let this = (props.plugin.clone(), column.node.clone());
        let onclick = env.on(Intent::Do(Action::Cell(Some(this))));
        html! {
            <td class={classes!(state, gap(column), current.then_some("cur"))} key={column.node.as_str()}>
                <button type="button" aria-label={label} aria-expanded={if current { "true" } else { "false" }} {tabindex} {onclick}>{mark}</button>
            </td>
        }
    });
    html! { <tr><th scope="row">{props.plugin.clone()}</th>{for cells}</tr> }
}

fn result(env: &Env, column: &Column, rank: Option<u32>) -> Html {
    let text = match rank {
        Some(rank) => ["#", &rank.to_string()].concat().into(),
        None => env.words.text(Msg::Out),
    };
    html! { <td class={gap(column)} key={column.node.as_str()}><i>{text}</i></td> }
}

/// The opened cell, worked out.
fn worked_out(env: &Env, detail: &FilterDetail) -> Html {
    let words = &env.words;
    let FilterCell { passes, reached } = detail.cell;
    let bare = detail.sums.is_empty() && detail.equations.is_empty() && detail.facts.is_empty();
    html! {
        <div class={if passes { "detail ok" } else { "detail" }}>
            <strong>{detail.node.clone()}{" · "}{detail.plugin.clone()}</strong>
            if !detail.reason.is_empty() { <span class="c-reject">{detail.reason.clone()}</span> }
            if !reached { <span class="dim">{words.text(Msg::NotReachedBut)}</span> }
            {for detail.equations.iter().map(|view| html! { <span>{equation_chip(view)}</span> })}
            {for detail.sums.iter().map(|rows| column_sum(rows))}
            {for detail.facts.iter().map(|fact| html! { <span class="fact">{fact.clone()}</span> })}
            if passes && bare { <span class="dim">{words.text(Msg::NothingAgainst)}</span> }
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
