//! One entry of a drop-down list.

use yew::{AttrValue, Html, html};

/// An entry. Both are set as properties: once somebody has used a list, the browser no longer looks
/// at the attributes, and undo would not show.
pub fn choice(value: &AttrValue, text: impl Into<AttrValue>, selected: bool) -> Html {
    let text: AttrValue = text.into();
    html! { <option ~value={value.to_string()} ~selected={selected}>{text}</option> }
}
