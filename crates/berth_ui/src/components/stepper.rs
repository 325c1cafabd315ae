//! A number with a button on either side.

use super::{Icon, Shape};
use crate::env::use_env;
use crate::locale::Msg;
use web_sys::HtmlInputElement;
use yew::{AttrValue, Callback, Event, Html, MouseEvent, Properties, TargetCast, component, html};

/// Properties of [`Stepper`].
#[derive(PartialEq, Properties)]
pub struct StepperProps {
    /// The field's name.
    pub name: AttrValue,
    /// The number; nothing when the field is not set.
    pub value: Option<i32>,
    /// The least number that makes sense.
    #[prop_or(1)]
    pub least: i32,
    /// Whether stepping below the least unsets the field.
    #[prop_or_default]
    pub optional: bool,
    /// Takes the new number.
    pub change: Callback<Option<i32>>,
}

/// A stepper.
#[component]
pub fn Stepper(props: &StepperProps) -> Html {
    let env = use_env();
    let fewer = match props.value {
        Some(value) if value > props.least => Some(Some(value - 1)),
        Some(_) if props.optional => Some(None),
        _ => None,
    };
    let more = Some(props.value.map_or(props.least, |value| value.saturating_add(1)));
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
            {button(props, &env.words.fill(Msg::Fewer, &[("field", &props.name)]), Shape::Minus, fewer)}
            <input type="text" inputmode="numeric" size="4" aria-label={props.name.clone()} {value} placeholder="–"
                autocomplete="off" onchange={typed} />
            {button(props, &env.words.fill(Msg::More, &[("field", &props.name)]), Shape::Plus, more.map(Some))}
        </span>
    }
}

fn button(props: &StepperProps, label: &AttrValue, shape: Shape, to: Option<Option<i32>>) -> Html {
    let change = props.change.clone();
    let onclick = Callback::from(move |_: MouseEvent| {
        if let Some(to) = to {
            change.emit(to);
        }
    });
    html! {
        <button type="button" aria-label={label.clone()} aria-disabled={to.is_none().to_string()} {onclick}>
            <Icon {shape} small=true />
        </button>
    }
}
