//! Arithmetic: on one line and as a column.

use crate::view::{Equation, SumRow};
use yew::{Html, html};

/// `2 + 1 − 1 = 2 > maxSkew 1`.
pub fn equation_chip(view: &Equation) -> Html {
    html! {
        <span class={if view.holds { "eq ok" } else { "eq" }}>
            if !view.terms.is_empty() { {view.terms.clone()}{" = "} }
            <em>{view.outcome.clone()}</em>
        </span>
    }
}

/// A column sum.
pub fn column_sum(rows: &[SumRow]) -> Html {
    html! {
        <dl class="sum">
            {for rows.iter().map(|row| html! {
                <div class={if row.total { "tot" } else { "" }}>
                    <dt>{row.label.clone()}</dt>
                    <dd class="num">{row.value.clone()}</dd>
                </div>
            })}
        </dl>
    }
}
