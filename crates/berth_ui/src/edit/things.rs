//! What a command is done to.

use crate::app::App;
use web_sys::Element;
use yew::AttrValue;

/// The Tab stop of the board.
pub const ON_BOARD: &str = "[role=\"grid\"] [tabindex=\"0\"]";

/// Something on the board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Thing {
    /// A pod, `namespace/name`.
    Pod(AttrValue),
    /// A node, by name.
    Node(AttrValue),
    /// A column of the board, by its label's value; empty for the nodes without the label.
    Zone(AttrValue),
    /// The board or the queue as such.
    Ground,
}

/// What kind of thing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sort {
    /// Nothing on the board in particular.
    Whole,
    /// A pod.
    Pod,
    /// A node.
    Node,
    /// A column.
    Zone,
    /// The board or the queue as such.
    Ground,
}

impl Thing {
    /// What kind it is.
    pub(super) fn sort(&self) -> Sort {
        match self {
            Self::Pod(_) => Sort::Pod,
            Self::Node(_) => Sort::Node,
            Self::Zone(_) => Sort::Zone,
            Self::Ground => Sort::Ground,
        }
    }

    /// What it is called.
    pub(crate) fn name(&self) -> &str {
        match self {
            Self::Pod(key) => key.split_once('/').map_or(key.as_str(), |(_, name)| name),
            Self::Node(name) | Self::Zone(name) => name,
            Self::Ground => "",
        }
    }
}

/// The thing that an element of the page shows, or is in.
pub(super) fn shown_by(element: &Element) -> Option<Thing> {
    let up = |selector: &str| element.closest(selector).ok().flatten();
    let name = |element: &Element| element.get_attribute("data-name").map(AttrValue::from);
    if let Some(found) = up("[data-lift]") {
        let pod = found.get_attribute("data-lift").as_deref() == Some("pod");
        return name(&found).map(if pod { Thing::Pod } else { Thing::Node });
    }
    if let Some(found) = up("[data-drop]") {
        return match found.get_attribute("data-drop").as_deref() {
            Some("node") => name(&found).map(Thing::Node),
            Some("zone") => name(&found).map(Thing::Zone),
            _ => Some(Thing::Ground),
        };
    }
    up("[role=\"grid\"]").map(|_| Thing::Ground)
}

/// What a command is about that is asked for at an element: the thing there, else what is selected.
pub(super) fn at(app: &App, element: Option<&Element>) -> Vec<Thing> {
    let there = element.and_then(shown_by).filter(|thing| *thing != Thing::Ground);
    let state = app.state();
    let node = || state.node.clone().map(Thing::Node);
    let pod = || state.selected.clone().map(Thing::Pod);
    there.or_else(node).or_else(pod).into_iter().collect()
}
