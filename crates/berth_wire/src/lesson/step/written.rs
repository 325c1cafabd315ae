//! Commands, written as steps.

use berth_core::api::{Kind, Object};
use berth_core::playground::{Command, Playground};

use crate::export::encode;
use crate::tree::{Entry, Node, Value, same_data, write};

/// The steps that a command comes to in a cluster, as they stand in a file. What no step can say has none: another
/// configuration or seed.
pub(in crate::lesson) fn written(
    command: &Command,
    playground: &mut Playground,
) -> Vec<Node<'static>> {
    let line = match command {
        Command::Put(object) => return put(object, playground),
        Command::Drop(kind, key) => format!("delete {} {key}", word(*kind)),
        Command::Place { pod, node } => {
            let fits = super::carry_out::fits(playground, pod, node).unwrap_or(false);
            format!("{} {pod} to {node}", if fits { "move" } else { "force" })
        }
        Command::Return { pod } => format!("return {pod}"),
        Command::Schedule { pod } => format!("schedule {pod}"),
        Command::Preempt { pod } => format!("preempt {pod}"),
        Command::ScheduleNext => "schedule next".to_owned(),
        Command::ScheduleAll => "schedule all".to_owned(),
        Command::Configure(_) | Command::Reseed(_) | Command::Batch { .. } => return Vec::new(),
    };
    vec![Node::made(Value::String(line.into()))]
}

fn word(kind: Kind) -> String {
    kind.as_str().to_lowercase()
}

fn put(after: &Object, playground: &Playground) -> Vec<Node<'static>> {
    let (kind, key) = (after.kind(), after.key());
    let whole = || {
        let value = encode(after).into_owned();
        let entry = Entry { start: 0, key: "apply".into(), value };
        vec![Node::made(Value::Mapping(vec![entry]))]
    };
    let Some(before) = playground.cluster().get(kind, &key) else { return whole() };
    if let Some(line) = cordon(&before, after) {
        return vec![Node::made(Value::String(line.into()))];
    }
    let mut changes = Vec::new();
    let (old, new) = (encode(&before), encode(after));
    differences(&old, &new, String::new(), &mut changes);
    // A class brings a priority and a policy: one edit could not say all three.
    if changes.iter().any(|(path, _)| path.starts_with("spec.pr")) {
        return whole();
    }
    let kind = word(kind);
    let line = |(path, value): &(String, String)| format!("edit {kind} {key} {path} {value}");
    changes.iter().map(|change| Node::made(Value::String(line(change).into()))).collect()
}

/// The step that says all, where a node was closed for pods or opened, and nothing else.
fn cordon(before: &Object, after: &Object) -> Option<String> {
    let (Object::Node(before), Object::Node(after)) = (before, after) else { return None };
    let mut cordoned = (**before).clone();
    cordoned.spec.unschedulable = after.spec.unschedulable;
    let verb = if cordoned.spec.unschedulable { "cordon" } else { "uncordon" };
    (cordoned == **after).then(|| format!("{verb} {}", after.metadata.name))
}

/// The fields that differ, with what they are now: `none`, or the value as JSON, which is YAML.
fn differences(old: &Node<'_>, new: &Node<'_>, path: String, found: &mut Vec<(String, String)>) {
    match (&old.value, &new.value) {
        _ if same_data(old, new) => {}
        (Value::Mapping(before), Value::Mapping(after)) => {
            for entry in after {
                let path = below(&path, &entry.key);
                match old.get(&entry.key) {
                    Some(old) => differences(old, &entry.value, path, found),
                    None => found.push((path, write::json(&entry.value))),
                }
            }
            let gone = before.iter().filter(|entry| new.get(&entry.key).is_none());
            found.extend(gone.map(|entry| (below(&path, &entry.key), "none".to_owned())));
        }
        (Value::Sequence(before), Value::Sequence(after)) if before.len() == after.len() => {
            for (index, (old, new)) in before.iter().zip(after).enumerate() {
                differences(old, new, format!("{path}[{index}]"), found);
            }
        }
        _ => found.push((path, write::json(new))),
    }
}

fn below(path: &str, key: &str) -> String {
    if key.contains(['.', '/']) {
        format!("{path}[{key}]")
    } else if path.is_empty() {
        key.to_owned()
    } else {
        format!("{path}.{key}")
    }
}
