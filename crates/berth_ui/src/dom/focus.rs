//! Where the keyboard is.

use wasm_bindgen::JsCast;
use web_sys::{Element, Event, HtmlElement, HtmlTextAreaElement};

/// Focuses the first element below `from` that matches.
pub fn focus(from: &Element, selector: &str) {
    if let Ok(Some(found)) = from.query_selector(selector) {
        focus_at(&found);
    }
}

/// Focuses an element.
pub fn focus_at(element: &Element) {
    if let Some(element) = element.dyn_ref::<HtmlElement>() {
        // An element that cannot take focus is left alone.
        let _ = element.focus();
    }
}

/// Whether a key event comes from a field where letters are text.
pub fn is_typing(event: &Event) -> bool {
    let target = event.composed_path().get(0);
    target.dyn_ref::<Element>().is_some_and(|element| {
        matches!(element.tag_name().as_str(), "INPUT" | "TEXTAREA" | "SELECT")
    })
}

/// Puts the caret of a text area before a character, counted in lines and characters from 1.
pub fn select_range(area: &HtmlTextAreaElement, line: u32, column: u32) {
    let text = area.value();
    let mut offset = 0;
    for (number, content) in (1..).zip(text.split('\n')) {
        if number == line {
            // The browser counts UTF-16 units, the reader counts characters.
            let before = content.chars().take(column.saturating_sub(1) as usize);
            let start = offset + before.map(char::len_utf16).sum::<usize>();
            let word = content.chars().skip(column.saturating_sub(1) as usize);
            let length: usize = word
                .take_while(|char| !char.is_whitespace() && *char != ':')
                .map(char::len_utf16)
                .sum();
            focus_at(area);
            // Out of range is clamped by the browser.
            let _ = area.set_selection_range(start as u32, (start + length) as u32);
            // Textareas do not scroll to a selection made by a program.
            let total = text.split('\n').count().max(1) as i32;
            area.set_scroll_top((area.scroll_height() / total) * (number as i32 - 3).max(0));
            return;
        }
        offset += content.encode_utf16().count() + 1;
    }
}

/// Selects all of a text area and copies it, where the browser lets the page do that.
pub fn copy(area: &HtmlTextAreaElement) {
    area.select();
    if let Some(window) = web_sys::window() {
        // Refused in a frame without permission: the text stays selected for the keyboard.
        let _ = window.navigator().clipboard().write_text(&area.value());
    }
}

/// Scrolls to the element below `from` that matches and has this `data-name`.
pub fn show(from: &Element, selector: &str, name: &str) {
    let Ok(found) = from.query_selector_all(selector) else { return };
    let elements =
        (0..found.length()).filter_map(|index| found.item(index)?.dyn_into::<Element>().ok());
    let named = |element: &Element| element.get_attribute("data-name").as_deref() == Some(name);
    if let Some(element) = elements.into_iter().find(named) {
        element.scroll_into_view();
    }
}

/// Scrolls a list below `from` so that the first element that matches is in sight.
pub fn into_sight(from: &Element, selector: &str) {
    let Ok(Some(found)) = from.query_selector(selector) else { return };
    let Some(list) = found.parent_element() else { return };
    let (found_at, list_at) = (found.get_bounding_client_rect(), list.get_bounding_client_rect());
    if found_at.bottom() > list_at.bottom() {
        found.scroll_into_view_with_bool(false);
    } else if found_at.top() < list_at.top() {
        found.scroll_into_view();
    }
}

/// Scrolls the first element below `from` that matches into sight, if its end is out of it.
pub fn reveal(from: &Element, selector: &str) {
    let Ok(Some(found)) = from.query_selector(selector) else { return };
    let bottom = from.get_bounding_client_rect().bottom();
    if found.get_bounding_client_rect().bottom() > bottom {
        found.scroll_into_view_with_bool(false);
    }
}
