//! Lights between the panel and the board: what a term came from, and which terms came from a pod or a node.
//!
//! They are an attribute, `data-lit`, that only this file sets and the page does not know: so nothing is drawn anew while
//! the pointer moves. Terms of the panel carry `data-light`, the place of what they light, or the name of a single pod
//! (`data-pod`) or node (`data-node`).

use super::view::Light;
use crate::dom::{self, Listener};
use crate::drag::Subject;
use std::cell::RefCell;
use std::rc::Rc;
use wasm_bindgen::JsCast;
use web_sys::Element;
use yew::AttrValue;

const LIT: &str = "data-lit";
/// What lights up on the board.
const ON_BOARD: &str = "[data-lift=\"pod\"], [data-drop=\"node\"]";
/// What lights up in the panel.
const TERMS: &str = "[data-light], [data-pod], [data-node]";

/// What is pointed at.
#[derive(Clone, Debug, PartialEq)]
enum Pointed {
    /// A term of the panel, by its place.
    Term(usize),
    /// A pod.
    Pod(AttrValue),
    /// A node.
    Node(AttrValue),
    /// Nothing: what was pressed stays lit.
    Nothing,
}

/// The lights of a panel, as long as this is kept.
pub(super) struct Watch {
    app: Element,
    _listeners: [Listener; 2],
}

impl Watch {
    /// Follows the pointer and the focus. `pinned` is the term that was pressed.
    pub(super) fn new(panel: &Element, lights: Rc<[Light]>, pinned: Option<usize>) -> Option<Self> {
        let app = panel.closest(".app").ok().flatten()?;
        let follow = {
            let (app, panel) = (app.clone(), panel.clone());
            let last = RefCell::new(None);
            Rc::new(move |target: Option<Element>| {
                let pointed = target.map_or(Pointed::Nothing, |target| pointed(&panel, &target));
                if last.borrow().as_ref() != Some(&pointed) {
                    show(&app, &panel, &lights, &pointed, pinned);
                    *last.borrow_mut() = Some(pointed);
                }
            })
        };
        follow(None);
        let listener = |kind| {
            let follow = Rc::clone(&follow);
            Listener::new(&app, kind, move |event| {
                follow(event.target().and_then(|target| target.dyn_into().ok()));
            })
        };
        Some(Self { _listeners: [listener("mouseover"), listener("focusin")], app })
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        each(&self.app, "[data-lit]", |element| light(element, false));
    }
}

/// What an element is or belongs to.
fn pointed(panel: &Element, target: &Element) -> Pointed {
    if panel.contains(Some(target)) {
        let Some(term) = target.closest(TERMS).ok().flatten() else { return Pointed::Nothing };
        if let Some(pod) = term.get_attribute("data-pod") {
            return Pointed::Pod(pod.into());
        }
        if let Some(node) = term.get_attribute("data-node") {
            return Pointed::Node(node.into());
        }
        return place(&term).map_or(Pointed::Nothing, Pointed::Term);
    }
    match dom::closest(target) {
        Some((Subject::Pod(pod), _)) => Pointed::Pod(pod),
        Some((Subject::Node(node), _)) => Pointed::Node(node),
        None => Pointed::Nothing,
    }
}

fn place(term: &Element) -> Option<usize> {
    term.get_attribute("data-light")?.parse().ok()
}

/// Lights everything that has to do with what is pointed at.
fn show(
    app: &Element,
    panel: &Element,
    lights: &[Light],
    pointed: &Pointed,
    pinned: Option<usize>,
) {
    let term = match pointed {
        Pointed::Term(place) => Some(*place),
        Pointed::Nothing => pinned,
        Pointed::Pod(_) | Pointed::Node(_) => None,
    };
    let from = term.and_then(|place| lights.get(place));
    each(app, ON_BOARD, |element| {
        let name = element.get_attribute("data-name").unwrap_or_default();
        let is_pod = element.get_attribute("data-lift").as_deref() == Some("pod");
        let on = match pointed {
            Pointed::Pod(pod) => is_pod && *pod == *name,
            Pointed::Node(node) => !is_pod && *node == *name,
            _ => from
                .is_some_and(|light| has(if is_pod { &light.pods } else { &light.nodes }, &name)),
        };
        light(element, on);
    });
    each(panel, TERMS, |element| {
        let on = match pointed {
            Pointed::Pod(pod) => comes_from(element, lights, pod, true),
            Pointed::Node(node) => comes_from(element, lights, node, false),
            _ => false,
        };
        light(element, on);
    });
}

/// Whether a term came from a pod or a node.
fn comes_from(term: &Element, lights: &[Light], name: &str, is_pod: bool) -> bool {
    let own = term.get_attribute(if is_pod { "data-pod" } else { "data-node" });
    let from = place(term).and_then(|place| lights.get(place));
    own.as_deref() == Some(name)
        || from.is_some_and(|light| has(if is_pod { &light.pods } else { &light.nodes }, name))
}

fn has(names: &[AttrValue], name: &str) -> bool {
    names.iter().any(|known| **known == *name)
}

/// Does something with every element below that matches.
fn each(from: &Element, selector: &str, mut act: impl FnMut(&Element)) {
    let Ok(found) = from.query_selector_all(selector) else { return };
    for index in 0..found.length() {
        if let Some(element) = found.item(index).and_then(|node| node.dyn_into::<Element>().ok()) {
            act(&element);
        }
    }
}

fn light(element: &Element, on: bool) {
    // Neither fails: the name is a valid attribute name.
    let _ = if on { element.set_attribute(LIT, "") } else { element.remove_attribute(LIT) };
}
