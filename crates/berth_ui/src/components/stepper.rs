//! A number with a button on either side.

use super::{Shape, small_icon};
use crate::env::Env;
use crate::locale::Msg;
use web_sys::HtmlInputElement;
use yew::{AttrValue, Callback, Event, Html, MouseEvent, TargetCast, html};

/// A number field: what it is called, what it holds, what is the least, whether it may be unset,
/// and who takes the new number.
pub struct Stepper {
    /// The field's name.
    pub name: &'static str,
    /// The number; nothing when the field is not set.
    pub value: Option<i32>,
    /// Whether stepping below 1 unsets the field.
    pub optional: bool,
    /// Takes the new number.
    pub change: Callback<Option<i32>>,
}

/// The least number a step leads to.
const LEAST: i32 = 1;

/// Where a button leads.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Step {
    /// It has nothing to do.
    Nowhere,
    /// To this value.
    To(Option<i32>),
}

/// A stepper.
pub fn stepper(env: &Env, props: &Stepper) -> Html {
    let fewer = match props.value {
        Some(value) if value > LEAST => Step::To(Some(value - 1)),
        Some(_) if props.optional => Step::To(None),
        _ => Step::Nowhere,
    };
    let more = Step::To(Some(props.value.map_or(LEAST, |value| value.saturating_add(1))));
    let (change, optional) = (props.change.clone(), props.optional);
    let typed = Callback::from(move |event: Event| {
        let Some(input) = event.target_dyn_into::<HtmlInputElement>() else { return };
        match input.value().trim().parse::<i32>() {
            Ok(value) => change.emit(Some(value)),
            Err(_) if optional => change.emit(None),
            Err(_) => {}
        }
    });
    let value = props.value.map_or_else(String::new, |value| value.to_string());
    html! {
        <span class={if props.value.is_none() { "step unset" } else { "step" }}>
            {button(props, &env.words.fill(Msg::Fewer, &[("field", props.name)]), Shape::Minus, fewer)}
            <input type="text" inputmode="numeric" size="4" aria-label={props.name} {value} placeholder="–"
                autocomplete="off" onchange={typed} />
            {button(props, &env.words.fill(Msg::More, &[("field", props.name)]), Shape::Plus, more)}
        </span>
    }
}

fn button(props: &Stepper, label: &AttrValue, shape: Shape, to: Step) -> Html {
    let change = props.change.clone();
    let onclick = Callback::from(move |_: MouseEvent| {
        if let Step::To(to) = to {
            change.emit(to);
        }
    });
    html! {
        <button type="button" aria-label={label.clone()} aria-disabled={(to == Step::Nowhere).to_string()} {onclick}>
            {small_icon(shape)}
        </button>
    }
}
