//! One resource of a node: a bar and the numbers.

use super::Bar;
use crate::view::CapacityView;
use yew::{Html, html};

/// A resource bar.
pub fn capacity(view: &CapacityView) -> Html {
    html! {
        <div class="cap" key={view.resource.as_str()}>
            <span class="res">{view.resource.clone()}</span>
            <span class="track" aria-hidden="true">
                <Bar class="used" width={view.used} />
                if view.adds > 0 { <Bar class="plus" width={view.adds} /> }
                if view.over > 0 { <Bar class="over" width={view.over} /> }
            </span>
            <span class="v"><b>{view.requested.clone()}</b>{" / "}{view.allocatable.clone()}</span>
        </div>
    }
}
