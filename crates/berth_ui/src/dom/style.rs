//! Sizes that depend on data. They go through the CSS object model: a strict content security
//! policy drops `style` attributes.

use js_sys::{Array, Reflect};
use std::fmt::Write;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{CssStyleSheet, Element, HtmlElement};
use yew::{NodeRef, hook, use_effect_with, use_node_ref};

/// Sets a property of an element's own style.
pub fn set_css(element: &HtmlElement, property: &str, value: &str) {
    // Only a property name that is no name fails.
    let _ = element.style().set_property(property, value);
}

/// Adds a style sheet to the document or shadow root of an element.
pub fn adopt(from: &Element, css: &str) -> Option<()> {
    let sheet = CssStyleSheet::new().ok()?;
    sheet.replace_sync(css).ok()?;
    let (root, key) = (from.get_root_node(), JsValue::from_str("adoptedStyleSheets"));
    let sheets = Array::from(&Reflect::get(&root, &key).ok()?);
    sheets.push(&sheet);
    Reflect::set(&root, &key, &sheets).ok().map(drop)
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
