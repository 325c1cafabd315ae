//! One resource of a node: a bar and the numbers.

use crate::dom::use_css;
use crate::view::CapacityView;
use yew::{Html, Properties, component, html};

/// Properties of [`Capacity`].
#[derive(PartialEq, Properties)]
pub struct CapacityProps {
    /// The resource.
    pub view: CapacityView,
}

/// A resource bar.
#[component]
pub fn Capacity(props: &CapacityProps) -> Html {
    let view = &props.view;
    let used = use_css("width", view.used);
    let adds = use_css("width", view.adds);
    let over = use_css("width", view.over);
    html! {
        <div class="cap">
            <span class="res">{view.resource.clone()}</span>
            <span class="track" aria-hidden="true">
                <i class="used" ref={used}></i>
                <i class="plus" ref={adds}></i>
                <i class="over" ref={over}></i>
            </span>
            <span class="v"><b>{view.requested.clone()}</b>{" / "}{view.allocatable.clone()}</span>
        </div>
    }
}
