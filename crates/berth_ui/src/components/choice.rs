//! A drop-down list.

use wasm_bindgen::JsValue;
use yew::{AttrValue, Callback, Event, Html, html};

/// A list of values with their texts. What is selected is said twice: by an attribute for the first
/// time, and by a property for later, since the browser no longer looks at the attribute once
/// somebody has used the list, and undo would not show.
pub fn choice(
    label: Option<AttrValue>,
    options: &[(AttrValue, AttrValue)],
    selected: &AttrValue,
    onchange: Callback<Event>,
) -> Html {
    let index = options.iter().position(|(value, _)| value == selected);
    let index = JsValue::from(index.map_or(-1, |index| index as i32));
    // Other options are another list: the browser would move the selection about as they come and go.
    let of: String = options.iter().flat_map(|(value, _)| [value.as_str(), "\n"]).collect();
    html! {
        <select key={of} class="pick" name={label.clone()} aria-label={label} ~selectedIndex={index} {onchange}>
            {for options.iter().map(|(value, text)| html! {
                <option value={value.clone()} selected={value == selected}>{text.clone()}</option>
            })}
        </select>
    }
}

/// Texts that are their own values.
pub(super) fn plain(texts: &[AttrValue]) -> Vec<(AttrValue, AttrValue)> {
    texts.iter().map(|text| (text.clone(), text.clone())).collect()
}
