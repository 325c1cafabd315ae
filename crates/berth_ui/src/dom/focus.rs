//! Where the keyboard is.

use wasm_bindgen::JsCast;
use web_sys::{
    ClipboardEvent, Element, Event, HtmlElement, HtmlInputElement, HtmlTextAreaElement,
    KeyboardEvent,
};

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

/// What the field of this id holds while it has the focus, if that is not what it was drawn with (`data-was`).
pub fn typed_into(id: &str) -> Option<String> {
    let mut at = web_sys::window()?.document()?.active_element()?;
    while let Some(inner) = at.shadow_root().and_then(|root| root.active_element()) {
        at = inner;
    }
    let field = at.dyn_ref::<HtmlInputElement>().filter(|field| field.id() == id)?;
    Some(field.value()).filter(|typed| field.get_attribute("data-was").as_ref() != Some(typed))
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
    // Refused in a frame without permission: the text stays selected for the keyboard.
    copy_text(&area.value());
}

/// The text that is pasted.
pub fn pasted(event: &Event) -> Option<String> {
    let data = event.dyn_ref::<ClipboardEvent>()?.clipboard_data()?;
    data.get_data("text").ok().filter(|text| !text.trim().is_empty())
}

/// Prints the page.
pub fn print() {
    if let Some(window) = web_sys::window() {
        // Not everywhere can a page be printed.
        let _ = window.print();
    }
}

/// Whether some text of the page is selected.
pub fn has_selection() -> bool {
    let selection = web_sys::window().and_then(|window| window.get_selection().ok().flatten());
    selection.is_some_and(|selection| !selection.is_collapsed())
}

/// Copies a text, where the browser lets the page do that.
pub fn copy_text(text: &str) {
    if let Some(window) = web_sys::window() {
        let _ = window.navigator().clipboard().write_text(text);
    }
}

/// Moves the focus in the Filter matrix, if it is there and an arrow key is pressed.
pub fn walk_table(event: &KeyboardEvent) -> bool {
    let step = match event.key().as_str() {
        "ArrowLeft" => -1,
        "ArrowRight" => 1,
        "ArrowUp" => i32::MIN,
        "ArrowDown" => i32::MAX,
        _ => return false,
    };
    let Some(cell) = event.composed_path().get(0).dyn_into::<Element>().ok() else { return false };
    let Some(row) = cell.closest(".mx tr").ok().flatten() else { return false };
    let mut width = 0;
    each(&row, "button", |_| width += 1);
    match step {
        i32::MIN => focus_beside(&cell, ".mx", "button", -width),
        i32::MAX => focus_beside(&cell, ".mx", "button", width),
        step => focus_beside(&cell, "tr", "button", step),
    }
    true
}

/// Does something with every element below `from` that matches.
pub fn each(from: &Element, selector: &str, mut act: impl FnMut(&Element)) {
    let Ok(found) = from.query_selector_all(selector) else { return };
    for index in 0..found.length() {
        if let Some(element) = found.item(index).and_then(|node| node.dyn_into::<Element>().ok()) {
            act(&element);
        }
    }
}

/// Scrolls to the element below `from` that matches and has this `data-name`.
pub fn show(from: &Element, selector: &str, name: &str) {
    let mut wanted = None;
    each(from, selector, |element| {
        if wanted.is_none() && element.get_attribute("data-name").as_deref() == Some(name) {
            wanted = Some(element.clone());
        }
    });
    if let Some(element) = wanted {
        element.scroll_into_view();
    }
}

/// Gives an element an attribute without a value, or takes it away.
pub fn mark(element: &Element, name: &str, marked: bool) {
    if element.has_attribute(name) != marked {
        // Neither fails: the name is a valid attribute name.
        let _ =
            if marked { element.set_attribute(name, "") } else { element.remove_attribute(name) };
    }
}

/// The lower left corner of an element, in CSS pixels of the viewport.
pub fn corner(element: &Element) -> (i32, i32) {
    let area = element.get_bounding_client_rect();
    (area.left() as i32, area.bottom() as i32)
}

/// Moves the focus by so many elements among those of a list that match, round and round; by more than there are, to the
/// first or the last.
pub fn focus_beside(at: &Element, list: &str, selector: &str, step: i32) {
    let Some(list) = at.closest(list).ok().flatten() else { return };
    let mut all: Vec<Element> = Vec::new();
    each(&list, selector, |element| all.push(element.clone()));
    let (count, here) = (all.len() as i32, all.iter().position(|element| element == at));
    let to = match (step, here) {
        (i32::MIN, _) | (_, None) => 0,
        (i32::MAX, _) => count - 1,
        (step, Some(here)) => (here as i32 + step).rem_euclid(count),
    };
    if let Some(element) = all.get(to as usize) {
        focus_at(element);
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
