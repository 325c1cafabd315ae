//! Manifests that are added to the cluster under study, as one step.

use super::{Files, read};
use crate::app::{App, Source};
use crate::view::{Problem, Severity};
use berth_core::api::{Object, ObjectKey, ObjectMeta, Pod, PodStatus};
use berth_core::playground::{Command, Playground};
use berth_wire::manifest::{Entrance, Reader};
use std::rc::Rc;
use std::sync::Arc;
use yew::AttrValue;

/// Adds what texts say to the cluster. If something is wrong with them nothing is added, and the import dialog says what.
pub(super) fn add(files: &Files, app: &mut App, sources: &Rc<[Source]>, name: AttrValue) {
    let mut reader = read::reader(sources, Entrance::Paste);
    while !reader.step(usize::MAX).finished {}
    let report = Reader::finish(reader);
    let words = app.env().words.clone();
    let settled = read::settle(sources, &report, &words);
    let mut view = settled.view;
    if let (Some(objects), Some(playground)) = (settled.objects, app.engine_mut().playground_mut())
    {
        let commands = commands(playground, objects);
        let batch = Command::Batch { name: name.to_string(), commands };
        match playground.apply(batch) {
            Ok(_) => return app.tell(name),
            Err(error) => view
                .problems
                .insert(0, Problem::general(Severity::Error, AttrValue::from(error.to_string()))),
        }
    }
    files.refuse(app, Rc::clone(sources), view);
}

/// What adds objects. A pod whose name is taken gets another, and waits.
fn commands(playground: &Playground, objects: Vec<Object>) -> Vec<Command> {
    let mut commands: Vec<Command> = Vec::new();
    let mut taken: Vec<ObjectKey> = Vec::new();
    for object in objects {
        let object = match object {
            Object::Pod(pod) => Object::Pod(Arc::new(fresh(playground, &taken, &pod))),
            other => other,
        };
        taken.push(object.key());
        commands.push(Command::Put(object));
    }
    commands
}

fn fresh(playground: &Playground, taken: &[ObjectKey], pod: &Pod) -> Pod {
    let mut pod = pod.clone();
    let is_taken =
        |key: &ObjectKey| playground.cluster().pod_named(key).is_some() || taken.contains(key);
    if !is_taken(&pod.metadata.key()) {
        return pod;
    }
    let ObjectMeta { name, namespace, labels, .. } = pod.metadata;
    let stem = name.trim_end_matches(|char: char| char.is_ascii_digit());
    let stem = if stem.len() < name.len() && !stem.is_empty() {
        stem.to_owned()
    } else {
        [&name, "-"].concat()
    };
    let mut number = 1_u32;
    let mut key = ObjectKey::new(namespace, [&stem, "1"].concat());
    while is_taken(&key) {
        number += 1;
        key.name = [&*stem, &number.to_string()].concat();
    }
    pod.metadata =
        ObjectMeta { name: key.name, namespace: key.namespace, labels, ..ObjectMeta::default() };
    pod.spec.node_name.clear();
    pod.status = PodStatus::default();
    pod
}
