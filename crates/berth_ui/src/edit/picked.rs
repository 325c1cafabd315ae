//! What is selected for being acted on together, besides the pod that the inspector explains.

use super::things::{ON_BOARD, Sort, Thing, at, shown_by};
use super::{Edit, foot};
use crate::app::App;
use crate::cursor::{self, Cursor, Step};
use crate::state::Action;
use crate::view::ClusterView;
use web_sys::Element;

/// Adds a thing to the selection, or takes it out.
pub(super) fn toggle(edit: &Edit, app: &mut App, thing: Thing) {
    {
        let mut memory = edit.0.borrow_mut();
        memory.anchor = Some(thing.clone());
        match memory.picked.iter().position(|known| *known == thing) {
            Some(place) => drop(memory.picked.remove(place)),
            None => memory.picked.push(thing),
        }
    }
    changed(edit, app);
}

/// Selects everything from the thing that was selected last to this one, in the order of the page.
pub(super) fn extend(edit: &Edit, app: &mut App, thing: Thing) {
    let all = all(app.cluster(), thing.sort());
    {
        let mut memory = edit.0.borrow_mut();
        let place = |wanted: &Thing| all.iter().position(|thing| thing == wanted);
        let from = memory.anchor.as_ref().and_then(place);
        let Some(to) = place(&thing) else { return };
        let from = from.unwrap_or(to);
        for thing in all.get(from.min(to)..=from.max(to)).unwrap_or_default() {
            if !memory.picked.contains(thing) {
                memory.picked.push(thing.clone());
            }
        }
        memory.anchor.get_or_insert(thing);
    }
    changed(edit, app);
}

/// Selects these things and nothing else.
pub(super) fn only(edit: &Edit, app: &mut App, things: Vec<Thing>) {
    edit.0.borrow_mut().picked = things;
    changed(edit, app);
}

/// Selects these things; from now on a tap selects more.
pub(super) fn more(edit: &Edit, app: &mut App, things: &[Thing]) {
    {
        let mut memory = edit.0.borrow_mut();
        memory.picking = true;
        for thing in things {
            if !memory.picked.contains(thing) {
                memory.picked.push(thing.clone());
            }
        }
        memory.anchor = things.last().cloned();
    }
    changed(edit, app);
}

/// Selects nothing any more.
pub(super) fn clear(edit: &Edit, app: &mut App) {
    {
        let mut memory = edit.0.borrow_mut();
        memory.picked.clear();
        memory.anchor = None;
        memory.picking = false;
    }
    changed(edit, app);
}

/// Selects all that is like what has the focus: the nodes, the pods on the board, or those in the tray.
pub(super) fn everything(edit: &Edit, app: &mut App, place: &Element) {
    let in_tray = place.closest("[data-tray]").ok().flatten().is_some();
    let sort = shown_by(place).map_or(Sort::Pod, |thing| thing.sort());
    let cluster = app.cluster();
    let things = if in_tray {
        cluster.pending.iter().map(|pod| Thing::Pod(pod.key.clone())).collect()
    } else {
        let waits = |thing: &Thing| {
            cluster.pending.iter().any(|pod| matches!(thing, Thing::Pod(key) if *key == pod.key))
        };
        let wanted = if sort == Sort::Node { Sort::Node } else { Sort::Pod };
        all(cluster, wanted).into_iter().filter(|thing| !waits(thing)).collect()
    };
    only(edit, app, things);
}

/// Moves the keyboard's place on the board and selects what is passed.
pub(super) fn walk(edit: &Edit, app: &mut App, step: Step) {
    let Some(from) = cursor::resolve(app.cluster(), app.state().cursor.as_ref()) else { return };
    let to = cursor::walk(app.cluster(), &from, step);
    for place in [&from, &to] {
        let thing = match place {
            Cursor::Pod(key) => Thing::Pod(key.clone()),
            Cursor::Node(name) => Thing::Node(name.clone()),
            Cursor::Zone(_) => continue,
        };
        let mut memory = edit.0.borrow_mut();
        if !memory.picked.contains(&thing) {
            memory.picked.push(thing.clone());
        }
        memory.anchor = Some(thing);
    }
    app.act(Action::Cursor(to));
    app.focus(ON_BOARD);
    changed(edit, app);
}

/// What a command is done to that is asked for at an element, or from the palette: what is selected together, unless the
/// element shows something else.
pub(super) fn meant(edit: &Edit, app: &App, element: Option<&Element>) -> Vec<Thing> {
    let picked = &edit.0.borrow().picked;
    let there =
        element.and_then(shown_by).filter(|thing| matches!(thing.sort(), Sort::Pod | Sort::Node));
    let among = there.as_ref().is_none_or(|thing| picked.contains(thing));
    if !picked.is_empty() && among { picked.clone() } else { at(app, element) }
}

/// The selection is another: the bar says so.
pub(super) fn changed(edit: &Edit, app: &mut App) {
    foot::show(edit, app);
}

/// The nodes or the pods of the page, in its order.
fn all(cluster: &ClusterView, sort: Sort) -> Vec<Thing> {
    let nodes = cluster.domains.iter().flat_map(|domain| &domain.nodes);
    if sort == Sort::Node {
        return nodes.map(|node| Thing::Node(node.name.clone())).collect();
    }
    let placed = nodes.flat_map(|node| &node.pods);
    cluster.pending.iter().chain(placed).map(|pod| Thing::Pod(pod.key.clone())).collect()
}

/// Whether a thing is still there.
pub(super) fn is_there(cluster: &ClusterView, thing: &Thing) -> bool {
    match thing {
        Thing::Pod(key) => cluster.pod(key).is_some(),
        Thing::Node(name) => cluster.node(name).is_some(),
        Thing::Zone(id) => cluster.domains.iter().any(|domain| domain.id() == *id),
        Thing::Ground => true,
    }
}
