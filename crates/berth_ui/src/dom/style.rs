//! Sizes that depend on data. They go through the CSS object model: a strict content security
//! policy drops `style` attributes.

use std::fmt::Write;
use wasm_bindgen::JsCast;
use web_sys::HtmlElement;
use yew::{NodeRef, hook, use_effect_with, use_node_ref};

/// Sets a property of an element's own style.
pub fn set_css(element: &HtmlElement, property: &str, value: &str) {
    // Only a property name that is no name fails.
    let _ = element.style().set_property(property, value);
}

/// A reference to an element whose custom property follows a number of thousandths, as a percentage.
#[hook]
pub fn use_css(property: &'static str, thousandths: u16) -> NodeRef {
    let node = use_node_ref();
    {
        let node = node.clone();
        use_effect_with((property, thousandths), move |(property, thousandths)| {
            if let Some(element) = node.get().and_then(|node| node.dyn_into::<HtmlElement>().ok()) {
                let mut value = String::new();
                let _ = write!(value, "{}.{}%", thousandths / 10, thousandths % 10);
                set_css(&element, property, &value);
            }
        });
    }
    node
}
