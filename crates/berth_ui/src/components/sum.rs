//! Arithmetic: on one line and as a column.

use crate::view::{Equation, SumRow};
use std::rc::Rc;
use yew::{Html, Properties, component, html};

/// Properties of [`EquationChip`].
#[derive(PartialEq, Properties)]
pub struct EquationProps {
    /// The line.
    pub view: Equation,
}

/// `2 + 1 − 1 = 2 > maxSkew 1`.
#[component]
pub fn EquationChip(props: &EquationProps) -> Html {
    let view = &props.view;
    html! {
        <span class={if view.holds { "eq ok" } else { "eq" }}>
            if !view.terms.is_empty() { {view.terms.clone()}{" = "} }
            <em>{view.outcome.clone()}</em>
        </span>
    }
}

/// Properties of [`Sum`].
#[derive(PartialEq, Properties)]
pub struct SumProps {
    /// The rows.
    pub rows: Rc<[SumRow]>,
}

/// A column sum.
#[component]
pub fn Sum(props: &SumProps) -> Html {
    html! {
        <dl class="sum">
            {for props.rows.iter().map(|row| html! {
                <div class={if row.total { "tot" } else { "" }}>
                    <dt>{row.label.clone()}</dt>
                    <dd class="num">{row.value.clone()}</dd>
                </div>
            })}
        </dl>
    }
}
