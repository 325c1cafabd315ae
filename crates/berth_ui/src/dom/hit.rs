//! What is under a point.

use crate::drag::{Subject, Target};
use std::cell::RefCell;
use std::rc::Rc;
use wasm_bindgen::JsCast;
use web_sys::{Document, Element, Node, ShadowRoot};
use yew::AttrValue;

/// The element under a point of the viewport, looked up in the root that `from` lives in: a
/// document cannot see into a shadow root.
fn under(from: &Node, x: i32, y: i32) -> Option<Element> {
    let root = from.get_root_node();
    if let Some(shadow) = root.dyn_ref::<ShadowRoot>() {
        return shadow.element_from_point(x as f32, y as f32);
    }
    root.dyn_ref::<Document>()?.element_from_point(x as f32, y as f32)
}

/// Which node of a drawing is at a point of the viewport.
type Look = Rc<dyn Fn(i32, i32) -> Option<AttrValue>>;

thread_local!(static DRAWN: RefCell<Vec<(Element, Look)>> = RefCell::default());

/// A drawing with many drop targets, as long as it lives; its element has `data-drop="cells"`.
pub struct Cells(Element);

impl Cells {
    /// `look` finds the node.
    pub fn new(element: &Element, look: impl Fn(i32, i32) -> Option<AttrValue> + 'static) -> Self {
        DRAWN.with_borrow_mut(|drawn| drawn.push((element.clone(), Rc::new(look))));
        Self(element.clone())
    }
}

impl Drop for Cells {
    fn drop(&mut self) {
        DRAWN.with_borrow_mut(|drawn| {
            if let Some(at) = drawn.iter().position(|(element, _)| *element == self.0) {
                drawn.remove(at);
            }
        });
    }
}

/// The node of a drawing under a point.
fn cell(element: &Element, x: i32, y: i32) -> Option<Target> {
    let look = DRAWN.with_borrow(|drawn| {
        let found = drawn.iter().find(|(drawing, _)| drawing == element);
        found.map(|(_, look)| Rc::clone(look))
    });
    look?(x, y).map(Target::Node)
}

/// The drop target under a point.
pub fn hit(from: &Node, x: i32, y: i32) -> Option<Target> {
    let element = under(from, x, y)?.closest("[data-drop]").ok().flatten()?;
    let kind = element.get_attribute("data-drop")?;
    let name = || element.get_attribute("data-name").map(AttrValue::from);
    match kind.as_str() {
        "cells" => cell(&element, x, y),
        "node" => name().map(Target::Node),
        "zone" => name().map(Target::Zone),
        _ => Some(Target::Queue),
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
