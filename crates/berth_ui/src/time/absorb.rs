//! What is done on the board while time is shown, as requests at the moment: what controllers make of it they do themselves.

use super::asked::ask;
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
    let words = words(app);
    let refused = {
        let mut run = run.borrow_mut();
        let mut refused = false;
        for command in &done {
            let step = of_step(run.timeline.state().objects(), command);
            refused |= step.is_none();
            let requests = step.unwrap_or_default();
            if !requests.is_empty() {
                let name = match command {
                    playground::Command::Batch { name, .. } if !name.is_empty() => {
                        name.clone().into()
                    }
                    _ => words.text(TimeMsg::OnBoard),
                };
                ask(&mut run, name, requests);
            }
        }
        run.looked = None;
        refused
    };
    moment::show(run, app);
    if refused {
        let text = words.text(TimeMsg::NotInTime);
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
    /// Whether it changes a workload that nobody controls.
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
        let is_workload = |part: &playground::Command| match part {
            playground::Command::Put(Object::Workload(set)) => set.metadata.controller().is_none(),
            _ => false,
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
            (Object::Workload(set), before)
                if set.metadata.controller().is_some()
                    && (before.is_none() || self.has_workload) =>
            {
                None
            }
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

#[cfg(test)]
mod tests {
    use super::*;
    use berth_core::framework::config::Configuration;
    use berth_core::operations::{drain, outage, scale};
    use berth_core::queue::Instant;
    use berth_core::simulation::{Parameters, Simulation};
    use berth_wire::intake::{SEED, take_in};
    use berth_wire::manifest::{Source, read};

    const CLUSTER: &str = "
apiVersion: v1
kind: Node
metadata: {name: n1}
status: {allocatable: {cpu: '4', memory: 8Gi, pods: '9'}}
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  replicas: 2
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec: {containers: [{name: c, image: i}]}
---
apiVersion: v1
kind: Pod
metadata: {name: alone}
spec: {nodeName: n1, containers: [{name: c, image: i}]}
";

    /// The cluster after some seconds, and the board then.
    fn moment() -> (Simulation, Playground) {
        let objects = take_in(&read(&[Source { name: "", text: CLUSTER }]), SEED).objects;
        let configuration = Configuration::default();
        let begun = Simulation::new(objects, &configuration, Parameters::default());
        let mut simulation = begun.expect("it can be run");
        simulation.run_until(Instant(9_000_000_000));
        let board = Playground::of_moment(&simulation, configuration, playground::Machine::WHOLE);
        (simulation, board.expect("it can be run"))
    }

    /// The requests that a command of the board comes to, in short.
    fn requests(command: impl FnOnce(&Playground) -> playground::Command) -> Vec<String> {
        let (simulation, board) = moment();
        let step = of_step(simulation.objects(), &command(&board));
        let short = |request: &Command| match request {
            Command::Create(object) => format!("create {}", object.key()),
            Command::Apply(object) => format!("apply {}", object.key()),
            Command::Delete { kind, key, .. } => format!("delete {} {key}", kind.as_str()),
            Command::Drain { node, .. } => format!("drain {node}"),
            Command::NodeDown(node) => format!("down {node}"),
            Command::NodeUp(node) => format!("up {node}"),
            Command::Patch { .. }
            | Command::Evict { .. }
            | Command::Usage { .. }
            | Command::Probe { .. } => {
                format!("{request:?}")
            }
        };
        step.map_or_else(|| vec!["none".to_owned()], |step| step.iter().map(short).collect())
    }

    #[test]
    fn what_is_done_on_the_board_is_asked_for_and_left_to_controllers() {
        let web = ObjectKey::new("default", "web");
        let deployment = berth_core::api::WorkloadKind::Deployment;
        assert_eq!(requests(|board| drain::drain(board, &["n1"], "").command), ["drain n1"]);
        assert_eq!(requests(|board| outage::reach(board, &["n1"], false, "")), ["down n1"]);
        for replicas in [1, 5] {
            let scaled = requests(|board| {
                scale::scale(board, deployment, &web, replicas, "").expect("it can be scaled")
            });
            assert_eq!(scaled, ["apply default/web"]);
        }
        let alone = ObjectKey::new("default", "alone");
        let drop = playground::Command::Drop(Kind::Pod, alone.clone());
        assert_eq!(requests(|_| drop), ["delete Pod default/alone"]);
        // The scheduler alone places pods.
        assert_eq!(requests(|_| playground::Command::Return { pod: alone }), ["none"]);
        assert_eq!(requests(|_| playground::Command::ScheduleAll), ["none"]);
    }
}
