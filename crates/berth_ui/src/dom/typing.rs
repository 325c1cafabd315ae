//! Text areas, seen from the text: the browser counts UTF-16 units, the rest of the program bytes.

use super::{focus_at, select_range};
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{Element, HtmlDocument, HtmlTextAreaElement};

/// The byte offset of a number of UTF-16 units.
pub fn byte_offset(text: &str, units: u32) -> usize {
    let mut left = units as usize;
    for (offset, char) in text.char_indices() {
        if left == 0 {
            return offset;
        }
        left = left.saturating_sub(char.len_utf16());
    }
    text.len()
}

/// Writes a text in the place of what stands between a byte offset and the caret, or of what is selected, as if it had been
/// typed: the browser can take it back.
pub fn type_in(area: &HtmlTextAreaElement, from: Option<usize>, text: &str) {
    focus_at(area);
    if let Some(from) = from {
        let value = area.value();
        let units = value.get(..from).unwrap_or_default().encode_utf16().count() as u32;
        let end = area.selection_end().ok().flatten().unwrap_or(units);
        // Out of range is clamped by the browser.
        let _ = area.set_selection_range(units, end);
    }
    let document = area.owner_document().and_then(|own| own.dyn_into::<HtmlDocument>().ok());
    let typed = document.is_some_and(|document| {
        document.exec_command_with_show_ui_and_value("insertText", false, text).unwrap_or(false)
    });
    if !typed {
        // A browser without that command cannot take it back, but has it.
        let _ = area.set_range_text(text);
        if let Ok(event) = web_sys::Event::new_with_event_init_dict("input", &bubbling()) {
            let _ = area.dispatch_event(&event);
        }
    }
}

fn bubbling() -> web_sys::EventInit {
    let init = js_sys::Object::new();
    // A plain object takes any property.
    let _ = js_sys::Reflect::set(&init, &"bubbles".into(), &JsValue::TRUE);
    init.unchecked_into()
}

/// Puts the caret of the text area below `from` that matches before a character, and scrolls the box around it, whose lines
/// are `height` CSS pixels high, to that line.
pub fn to_line(from: &Element, area: &str, (line, column): (u32, u32), height: i32) {
    let Ok(Some(area)) = from.query_selector(area) else { return };
    let Ok(area) = area.dyn_into::<HtmlTextAreaElement>() else { return };
    select_range(&area, line, column);
    let around = area.parent_element().and_then(|parent| parent.parent_element());
    if let Some(around) = around {
        around.set_scroll_top((line as i32 - 3).max(0) * height);
    }
}

/// Puts the caret of the text area below `from` that matches where `before` ends, with which its text begins.
pub fn to_end_of(from: &Element, area: &str, before: &str) {
    let Ok(Some(area)) = from.query_selector(area) else { return };
    if let Ok(area) = area.dyn_into::<HtmlTextAreaElement>() {
        let units = before.encode_utf16().count() as u32;
        // Out of range is clamped by the browser.
        let _ = area.set_selection_range(units, units);
    }
}

/// Scrolls so that the first element below `from` that matches begins where its box does.
pub fn to_top(from: &Element, selector: &str) {
    if let Ok(Some(found)) = from.query_selector(selector) {
        found.scroll_into_view();
    }
}

#[cfg(test)]
mod tests {
    use super::byte_offset;

    #[test]
    fn units_become_bytes() {
        let text = "aß😀b";
        for (units, bytes) in [(0, 0), (1, 1), (2, 3), (4, 7), (5, 8), (9, 8)] {
            assert_eq!(byte_offset(text, units), bytes, "{units}");
        }
    }
}
