//! What is done on the board while time is shown, as requests at the moment: what controllers make of it they do themselves.

use super::run::Shared;
use super::{TimeMsg, moment, words};
use crate::app::App;
use berth_core::api::{Kind, Object, ObjectKey};
use berth_core::operations::outage::is_unreachable;
use berth_core::playground::{self, Playground};
use berth_core::simulation::{Command, Objects};
use std::sync::Arc;

/// Asks for what was done on the board, and shows what comes of it.
pub(super) fn absorb(run: &Shared, app: &mut App) {
    let done: Vec<playground::Command> = match app.engine().playground() {
        Some(playground) => Playground::log(playground).cloned().collect(),
        None => return,
    };
    let refused = {
        let mut run = run.borrow_mut();
        let mut refused = false;
        for command in &done {
            let step = of_step(run.timeline.state().objects(), command);
            refused |= step.is_none();
            for request in step.unwrap_or_default() {
                run.timeline.act(request);
            }
        }
        run.looked = None;
        refused
    };
    moment::show(run, app);
    if refused {
        let text = words(app).text(TimeMsg::NotInTime);
        app.tell(text);
    }
}

/// The requests that one step comes to; none if there is no such request.
fn of_step(objects: &Objects, command: &playground::Command) -> Option<Vec<Command>> {
    let parts = match command {
        playground::Command::Batch { commands, .. } => commands.as_slice(),
        one => std::slice::from_ref(one),
    };
    let step = Step::of(objects, parts);
    let mut requests = Vec::new();
    for part in parts {
        match part {
            playground::Command::Put(object) => requests.extend(step.put(object)),
            playground::Command::Drop(kind, key) => requests.extend(step.drop(*kind, key)),
            _ => return None,
        }
    }
    Some(requests)
}

/// A step as a whole: what a part of it means hangs on the others.
struct Step<'a> {
    objects: &'a Objects,
    /// Nodes that it drains.
    drained: Vec<&'a str>,
    /// Whether it changes a workload.
    has_workload: bool,
}

impl<'a> Step<'a> {
    fn of(objects: &'a Objects, parts: &'a [playground::Command]) -> Self {
        let dropped = |node: &str| {
            parts.iter().any(|part| match part {
                playground::Command::Drop(Kind::Pod, key) => {
                    objects.pod(key).is_some_and(|pod| pod.spec.node_name == node)
                }
                _ => false,
            })
        };
        let drained = parts.iter().filter_map(|part| match part {
            playground::Command::Put(Object::Node(node)) => {
                let name = &*node.metadata.name;
                (node.spec.unschedulable && dropped(name)).then_some(name)
            }
            _ => None,
        });
        let is_workload = |part: &playground::Command| {
            matches!(part, playground::Command::Put(Object::Workload(_)))
        };
        Self { objects, drained: drained.collect(), has_workload: parts.iter().any(is_workload) }
    }

    fn put(&self, object: &Object) -> Option<Command> {
        let (kind, key) = (object.kind(), object.key());
        let before = self.objects.get(kind, &key);
        match (object, before) {
            (Object::Node(node), _) if self.drained.contains(&&*node.metadata.name) => {
                Some(Command::Drain { node: key.name, grace_period_seconds: None })
            }
            (Object::Node(node), Some(Object::Node(before)))
                if is_unreachable(node) != is_unreachable(before) =>
            {
                let name = key.name;
                let down = is_unreachable(node);
                Some(if down { Command::NodeDown(name) } else { Command::NodeUp(name) })
            }
            // Its controller makes it.
            (Object::Pod(pod), None) if pod.metadata.controller().is_some() => None,
            (Object::Workload(set), None) if set.metadata.controller().is_some() => None,
            (object, None) => Some(Command::Create(object.clone())),
            (object, Some(_)) => Some(Command::Apply(any_version(object.clone()))),
        }
    }

    fn drop(&self, kind: Kind, key: &ObjectKey) -> Option<Command> {
        if kind == Kind::Pod {
            let pod = self.objects.pod(key)?;
            let drained = self.drained.contains(&&*pod.spec.node_name);
            // Its controller, or the drain, deletes it.
            if drained || self.has_workload && pod.metadata.controller().is_some() {
                return None;
            }
        }
        Some(Command::Delete { kind, key: key.clone(), grace_period_seconds: None })
    }
}

/// Whatever has happened to it since.
fn any_version(mut object: Object) -> Object {
    match &mut object {
        Object::Pod(pod) => Arc::make_mut(pod).metadata.resource_version.clear(),
        Object::Node(node) => Arc::make_mut(node).metadata.resource_version.clear(),
        Object::Workload(set) => Arc::make_mut(set).metadata.resource_version.clear(),
        Object::PodDisruptionBudget(budget) => {
            Arc::make_mut(budget).metadata.resource_version.clear();
        }
        _ => {}
    }
    object
}
