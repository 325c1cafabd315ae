//! What is done to pods.

use super::Scene;
use super::acts::{make, pods, title};
use crate::edit::EditMsg;
use berth_core::playground::Command;

/// Takes pods off their nodes, so that they wait again.
pub(super) fn release(scene: &mut Scene<'_>) {
    let mut commands = Vec::new();
    for pod in pods(scene.app, scene.things) {
        if !pod.spec.node_name.is_empty() {
            commands.push(Command::Return { pod: pod.metadata.key() });
        }
    }
    let name = title(scene.app, EditMsg::DidReturn, scene.things);
    make(scene.app, &name, commands);
}

/// Lets the scheduler place pods, one after the other.
pub(super) fn schedule(scene: &mut Scene<'_>) {
    let mut commands = Vec::new();
    for pod in pods(scene.app, scene.things) {
        if pod.spec.node_name.is_empty() {
            commands.push(Command::Schedule { pod: pod.metadata.key() });
        }
    }
    let name = title(scene.app, EditMsg::DidSchedule, scene.things);
    make(scene.app, &name, commands);
}
