//! Pods and nodes as a whole: removed, doubled, copied.

use super::Scene;
use super::acts::{fresh, make, nodes, pods, stem, title};
use crate::app::App;
use crate::edit::{EditMsg, ON_BOARD, Thing};
use crate::parts::Call;
use berth_core::api::{Kind, Node, Object, ObjectKey, ObjectMeta, Pod, PodStatus};
use berth_core::operations::outage;
use berth_core::playground::Command;
use std::rc::Rc;
use std::sync::Arc;

/// Removes pods and nodes. The pods of a node go with it, and their controllers make others.
pub(super) fn delete(scene: &mut Scene<'_>) {
    let mut commands = Vec::new();
    for pod in pods(scene.app, scene.things) {
        commands.push(Command::Drop(Kind::Pod, pod.metadata.key()));
    }
    let name = title(scene.app, EditMsg::DidDelete, scene.things);
    let gone: Vec<ObjectKey> =
        pods(scene.app, scene.things).iter().map(|pod| pod.metadata.key()).collect();
    let nodes = nodes(scene.app, scene.things);
    if let (false, Some(playground)) = (nodes.is_empty(), scene.app.engine().playground()) {
        let names: Vec<&str> = nodes.iter().map(|node| node.metadata.name.as_str()).collect();
        if let Command::Batch { commands: lost, .. } = outage::lose(playground, &names, "") {
            let twice = |command: &Command| matches!(command, Command::Drop(Kind::Pod, key) if gone.contains(key));
            commands.extend(lost.into_iter().filter(|command| !twice(command)));
        }
    }
    if make(scene.app, &name, commands) {
        scene.app.focus(ON_BOARD);
    }
}

/// Makes one more of each, under a name of its own. A pod's double waits.
pub(super) fn duplicate(scene: &mut Scene<'_>) {
    let name = title(scene.app, EditMsg::DidDuplicate, scene.things);
    let objects = doubles(scene.app, scene.things);
    let commands = objects.into_iter().map(Command::Put).collect();
    make(scene.app, &name, commands);
}

fn doubles(app: &App, things: &[Thing]) -> Vec<Object> {
    let mut objects: Vec<Object> = Vec::new();
    let Some(playground) = app.engine().playground() else { return objects };
    for mut pod in pods(app, things).iter().map(|pod| bare(pod)) {
        let namespace = pod.metadata.namespace.clone();
        let taken = |name: &str| {
            let key = ObjectKey::new(namespace.as_str(), name);
            playground.cluster().pod_named(&key).is_some()
                || objects.iter().any(|object| object.key() == key)
        };
        pod.metadata.name = fresh(&stem(&pod.metadata.name), taken);
        objects.push(Object::Pod(Arc::new(pod)));
    }
    for before in nodes(app, things) {
        let mut node = Node::clone(&before);
        let taken = |name: &str| {
            let key = ObjectKey::new("", name);
            playground.cluster().node_named(name).is_some()
                || objects.iter().any(|object| object.key() == key)
        };
        node.metadata = ObjectMeta {
            name: fresh(&stem(&before.metadata.name), taken),
            labels: before.metadata.labels.clone(),
            ..ObjectMeta::default()
        };
        if let Some(label) = node.metadata.labels.get_mut("kubernetes.io/hostname") {
            label.clone_from(&node.metadata.name);
        }
        objects.push(Object::Node(Arc::new(node)));
    }
    objects
}

/// The pod as somebody would write it who wants another like it: without its node, its owner and its status.
fn bare(pod: &Pod) -> Pod {
    let ObjectMeta { name, namespace, labels, .. } = pod.metadata.clone();
    let mut spec = pod.spec.clone();
    spec.node_name.clear();
    Pod {
        metadata: ObjectMeta { name, namespace, labels, ..ObjectMeta::default() },
        spec,
        status: PodStatus::default(),
    }
}

/// Copies manifests that `kubectl apply` takes.
pub(super) fn copy(scene: &mut Scene<'_>) {
    let mut objects: Vec<Object> = Vec::new();
    objects
        .extend(pods(scene.app, scene.things).iter().map(|pod| Object::Pod(Arc::new(bare(pod)))));
    objects.extend(nodes(scene.app, scene.things).into_iter().map(Object::Node));
    let name = title(scene.app, EditMsg::DidCopy, scene.things);
    scene.app.env().send(Call::Copy(Rc::new(objects), name));
}
