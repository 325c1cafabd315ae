//! What one plugin says about the chosen node.

use super::Pen;
use crate::components::{Shape, equation_chip, icon};
use crate::why::view::{Block, PluginWhy, RowView, TableView};
use crate::why::words::WhyMsg;
use yew::{Html, classes, html};

/// A plugin; what refuses first is open.
pub(super) fn plugin(pen: &Pen<'_>, node: &str, why: &PluginWhy) -> Html {
    let words = pen.words;
    let word = match (why.reached, why.passes) {
        (false, _) => WhyMsg::NotRun,
        (true, true) => WhyMsg::Passes,
        (true, false) => WhyMsg::Refused,
    };
    let class = match (why.reached, why.passes) {
        (false, _) => "dimmer",
        (true, true) => "c-fit",
        (true, false) => "c-reject",
    };
    html! {
        <details class="plugin" open={why.reached && !why.passes} key={[node, "/", &why.plugin].concat()}>
            <summary>
                <strong class="clip">{why.plugin.clone()}</strong>
                <span class={classes!("row", class)}>
                    if why.reached { {icon(if why.passes { Shape::Check } else { Shape::Cross })} }
                    {words.text(word)}
                </span>
            </summary>
            <p class="dim">{why.rule.clone()}</p>
            if !why.reached { <p class="dimmer">{words.text(WhyMsg::NotRunBut)}</p> }
            {for why.blocks.iter().map(|one| block(pen, &why.plugin, one))}
            if !why.reason.is_empty() { <p class="c-reject mono">{why.reason.clone()}</p> }
        </details>
    }
}

fn block(pen: &Pen<'_>, plugin: &str, block: &Block) -> Html {
    match block {
        Block::Line(text) => html! { <p>{text.clone()}</p> },
        Block::Sum { equation, light } => pen.term("sum-of", *light, equation_chip(equation)),
        Block::Table(view) => table(pen, view, view.caption == *plugin),
        Block::List(named) => pen.named(named),
    }
}

/// A table; what it is about need not be said twice.
fn table(pen: &Pen<'_>, view: &TableView, said: bool) -> Html {
    html! {
        <div class="why-table" tabindex="0" role="region" aria-label={view.caption.clone()}>
            <table>
                <caption class={said.then_some("vh")}>{view.caption.clone()}</caption>
                <thead><tr>{for view.head.iter().map(|name| html! { <th scope="col">{name.clone()}</th> })}</tr></thead>
                <tbody>{for view.rows.iter().map(|row| line(pen, row))}</tbody>
            </table>
        </div>
    }
}

fn line(pen: &Pen<'_>, row: &RowView) -> Html {
    let class = row.holds.map(|holds| if holds { "ok" } else { "no" });
    let mark = row.holds.map(|holds| {
        let (shape, word) =
            if holds { (Shape::Check, WhyMsg::Passes) } else { (Shape::Cross, WhyMsg::Refused) };
        html! { <>{icon(shape)}<span class="vh">{", "}{pen.words.text(word)}</span></> }
    });
    let name = html! { <>{row.name.clone()}{mark}</> };
    html! {
        <tr {class}>
            <th scope="row">{pen.term("", row.light, name)}</th>
            {for row.cells.iter().map(|cell| html! { <td>{cell.clone()}</td> })}
        </tr>
    }
}
