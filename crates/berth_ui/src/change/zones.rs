//! A whole column of the board goes, and comes back.

use super::Scene;
use super::acts::{apply, node_names, title};
use crate::edit::EditMsg;
use berth_core::operations::outage::{lose as lose_nodes, reach};
use berth_core::playground::Command;

/// The nodes of a column are not reachable any more, or are again.
pub(super) fn outage(scene: &mut Scene<'_>, reachable: bool) {
    let msg = if reachable { EditMsg::DidRecover } else { EditMsg::DidOutage };
    change(scene, msg, |playground, names, name| reach(playground, names, reachable, name));
}

/// The nodes of a column are deleted, with their pods.
pub(super) fn lose(scene: &mut Scene<'_>) {
    change(scene, EditMsg::DidLose, lose_nodes);
}

fn change(
    scene: &mut Scene<'_>,
    msg: EditMsg,
    change: impl Fn(&berth_core::playground::Playground, &[&str], &str) -> Command,
) {
    let name = title(scene.app, msg, scene.things);
    let names = node_names(scene.app, scene.things);
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let Some(playground) = scene.app.engine().playground() else { return };
    let command = change(playground, &names, &name);
    apply(scene.app, command, name);
}
