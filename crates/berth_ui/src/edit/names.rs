//! What commands are called, for undo and the history.

use super::{EditMsg, EditWords};
use berth_core::api::Object;
use berth_core::playground::Command;
use yew::AttrValue;

/// What a command is called: what the user called it, else what it does.
pub(super) fn name(words: &EditWords, command: &Command) -> AttrValue {
    let fill =
        |msg: EditMsg, what: &str, node: &str| words.fill(msg, &[("what", what), ("node", node)]);
    match command {
        Command::Put(object) => fill(EditMsg::DidEdit, &called(object), ""),
        Command::Drop(kind, key) => {
            fill(EditMsg::DidDelete, &[kind.as_str(), " ", &key.name].concat(), "")
        }
        Command::Configure(_) => words.text(EditMsg::DidConfigure),
        Command::Reseed(_) => words.text(EditMsg::DidReseed),
        Command::Place { pod, node } => fill(EditMsg::DidMove, &pod.name, node),
        Command::Return { pod } => fill(EditMsg::DidReturn, &pod.name, ""),
        Command::Schedule { pod } => fill(EditMsg::DidSchedule, &pod.name, ""),
        Command::Preempt { pod } => fill(EditMsg::DidPreempt, &pod.name, ""),
        Command::ScheduleNext => words.text(EditMsg::ScheduleNext),
        Command::ScheduleAll => words.text(EditMsg::ScheduleAll),
        Command::Batch { name, .. } => name.clone().into(),
    }
}

fn called(object: &Object) -> String {
    [object.kind().as_str(), " ", &object.key().name].concat()
}
