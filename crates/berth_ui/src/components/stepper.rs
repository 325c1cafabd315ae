//! A number with a button on either side.

use super::{Entry, Shape, entry, small_icon};
use crate::env::Env;
use crate::locale::Msg;
use crate::view::Mistake;
use yew::{AttrValue, Callback, Html, MouseEvent, html};

/// A number field: what it is called, what it holds, whether it may be unset, and who takes the new number.
pub struct Stepper {
    /// Its id in the document.
    pub control: AttrValue,
    /// The field's name.
    pub name: &'static str,
    /// The number; nothing when the field is not set.
    pub value: Option<i32>,
    /// The least number that a step leads to.
    pub least: i32,
    /// Whether stepping below that unsets the field.
    pub optional: bool,
    /// Takes the new number as it is typed, empty for none.
    pub change: Callback<AttrValue>,
}

/// A stepper.
pub fn stepper(env: &Env, mistakes: &[Mistake], props: Stepper) -> Html {
    let Stepper { control, name, value, least, optional, change } = props;
    let text = |value: i32| AttrValue::from(value.to_string());
    let fewer = match value {
        Some(value) if value > least => Some(text(value - 1)),
        Some(_) if optional => Some(AttrValue::default()),
        _ => None,
    };
    let more = Some(text(value.map_or(least, |value| value.saturating_add(1))));
    let button = |msg: Msg, shape: Shape, to: Option<AttrValue>| {
        let disabled = to.is_none().to_string();
        let change = change.clone();
        let onclick = Callback::from(move |_: MouseEvent| {
            if let Some(to) = &to {
                change.emit(to.clone());
            }
        });
        html! {
            <button type="button" aria-label={env.words.fill(msg, &[("field", name)])} aria-disabled={disabled} {onclick}>
                {small_icon(shape)}
            </button>
        }
    };
    html! {
        <span class={if value.is_none() { "step unset" } else { "step" }}>
            {button(Msg::Fewer, Shape::Minus, fewer)}
            {entry(mistakes, Entry {
                control,
                label: name.into(),
                value: Some(value.map(text).unwrap_or_default()),
                hint: "–",
                class: "digits",
                change: change.clone(),
            })}
            {button(Msg::More, Shape::Plus, more)}
        </span>
    }
}
