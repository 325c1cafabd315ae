//! What is under a point.

use crate::drag::{Subject, Target};
use wasm_bindgen::JsCast;
use web_sys::{Document, Element, Node, ShadowRoot};

/// The element under a point of the viewport, looked up in the root that `from` lives in: a
/// document cannot see into a shadow root.
fn under(from: &Node, x: i32, y: i32) -> Option<Element> {
    let root = from.get_root_node();
    if let Some(shadow) = root.dyn_ref::<ShadowRoot>() {
        return shadow.element_from_point(x as f32, y as f32);
    }
    root.dyn_ref::<Document>()?.element_from_point(x as f32, y as f32)
}

/// The drop target under a point.
pub fn hit(from: &Node, x: i32, y: i32) -> Option<Target> {
    let element = under(from, x, y)?.closest("[data-drop]").ok().flatten()?;
    let name = element.get_attribute("data-name")?.into();
    match element.get_attribute("data-drop")?.as_str() {
        "node" => Some(Target::Node(name)),
        _ => Some(Target::Zone(name)),
    }
}

/// The nearest thing that can be picked up, and its element.
pub fn closest(element: &Element) -> Option<(Subject, Element)> {
    let found = element.closest("[data-lift]").ok().flatten()?;
    let name = found.get_attribute("data-name")?.into();
    let subject = match found.get_attribute("data-lift")?.as_str() {
        "pod" => Subject::Pod(name),
        _ => Subject::Node(name),
    };
    Some((subject, found))
}

/// Scrolls the board when a held thing comes near its edge.
pub fn scroll_at_edge(from: &Element, x: i32, y: i32) {
    const EDGE: f64 = 36.0;
    const STEP: f64 = 14.0;
    let push = |at: f64, low: f64, high: f64| {
        if at < low + EDGE {
            -STEP
        } else if at > high - EDGE {
            STEP
        } else {
            0.0
        }
    };
    // A tall column scrolls by itself before the whole board does.
    let scrollers = ["[data-scroll=\"zone\"]", "[data-scroll=\"board\"]"];
    let Some(inside) = under(from, x, y) else { return };
    for selector in scrollers {
        let Ok(Some(scroller)) = inside.closest(selector) else { continue };
        let area = scroller.get_bounding_client_rect();
        let across = push(f64::from(x), area.left(), area.right());
        let down = push(f64::from(y), area.top(), area.bottom());
        let before = (scroller.scroll_left(), scroller.scroll_top());
        scroller.set_scroll_left(before.0 + across as i32);
        scroller.set_scroll_top(before.1 + down as i32);
        if before != (scroller.scroll_left(), scroller.scroll_top()) {
            return;
        }
    }
}
