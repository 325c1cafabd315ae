//! A bar whose width follows a number.

use crate::dom::use_css;
use yew::{AttrValue, Classes, Html, Properties, component, html};

/// Properties of [`Bar`].
#[derive(PartialEq, Properties)]
pub struct BarProps {
    /// Its look.
    pub class: Classes,
    /// Thousandths of what it is a part of.
    pub width: u16,
    /// What is written on it.
    #[prop_or_default]
    pub text: AttrValue,
}

/// A bar. Its width goes through the CSS object model: a strict policy drops `style` attributes.
#[component]
pub fn Bar(props: &BarProps) -> Html {
    let node = use_css("width", props.width);
    html! { <i class={props.class.clone()} ref={node}>{props.text.clone()}</i> }
}
