//! A state as one JSON text.

use berth_core::api::{Object, ObjectKey};
use berth_core::framework::config::Configuration;

use super::{LinkError, MOST_COMMANDS, MOST_NODES, MOST_PODS, State, command, object};
use crate::config;
use crate::tree::{Node, Value, json, write};

/// What the link's version of Kubernetes is called in it.
const KUBERNETES: &str = "1.36.3";

/// A state as text.
pub(super) fn write(state: &State) -> String {
    let text = |text: &str| Node::made(Value::String(text.to_owned().into()));
    let number = |number: u32| Node::made(Value::Number(number.to_string().into()));
    let mut entries = vec![("kubernetes", text(KUBERNETES))];
    if !state.name.is_empty() {
        entries.push(("name", text(&state.name)));
    }
    if !state.story.is_empty() {
        entries.push(("story", text(&state.story)));
    }
    let objects = state.objects.iter().map(object::write).collect();
    entries.push(("objects", Node::made(Value::Sequence(objects))));
    if state.configuration != Configuration::default() {
        entries.push(("configuration", config::encode(&state.configuration)));
    }
    if !state.log.is_empty() {
        let log = state.log.iter().map(command::write).collect();
        entries.push(("log", Node::made(Value::Sequence(log))));
        entries.push(("cursor", number(state.cursor)));
    }
    if let Some(selected) = &state.selected {
        entries.push(("selected", text(&selected.to_string())));
    }
    if let Some(columns) = &state.columns {
        entries.push(("columns", text(columns)));
    }
    if let Some(outcome) = state.outcome {
        entries.push(("outcome", number(outcome)));
    }
    write::json(&command::mapping(entries))
}

/// A state from text.
pub(super) fn read(text: &str) -> Result<State, LinkError> {
    parse(text).map_err(LinkError::Content)
}

fn parse(text: &str) -> Result<State, String> {
    let node = json::parse(text).map_err(|error| error.to_string())?;
    if !matches!(node.value, Value::Mapping(_)) {
        return Err("it is no mapping".to_owned());
    }
    let string = |key| node.get(key).and_then(Node::as_str).map(str::to_owned);
    let items = |key| node.get(key).map_or(&[][..], Node::items);
    let objects = objects(items("objects"))?;
    let configuration = match node.get("configuration") {
        Some(node) => config::decode(node).map_err(|findings| object::worst(&findings))?,
        None => Configuration::default(),
    };
    let log: Vec<_> = items("log").iter().map(command::read).collect::<Result<_, _>>()?;
    if command::count(&log, |_| true) > MOST_COMMANDS as u64 {
        return Err(format!("more than {MOST_COMMANDS} commands"));
    }
    let number = |key| node.get(key).and_then(Node::as_i64);
    let cursor = number("cursor").map_or(Ok(0), u32::try_from).unwrap_or(u32::MAX);
    if cursor as usize > log.len() {
        return Err("cursor: it is behind the last command".to_owned());
    }
    Ok(State {
        name: string("name").unwrap_or_default(),
        story: string("story").unwrap_or_default(),
        objects,
        configuration,
        log,
        cursor,
        selected: string("selected").map(|key| ObjectKey::parse(&key)),
        columns: string("columns"),
        outcome: number("outcome").and_then(|number| u32::try_from(number).ok()),
    })
}

fn objects(nodes: &[Node<'_>]) -> Result<Vec<Object>, String> {
    let objects: Vec<Object> = nodes.iter().map(object::read).collect::<Result<_, _>>()?;
    let count = |wanted: fn(&Object) -> bool| objects.iter().filter(|o| wanted(o)).count();
    if count(|object| matches!(object, Object::Node(_))) > MOST_NODES {
        return Err(format!("more than {MOST_NODES} nodes"));
    }
    if count(|object| matches!(object, Object::Pod(_))) > MOST_PODS {
        return Err(format!("more than {MOST_PODS} pods"));
    }
    match object::repeated(&objects) {
        Some(id) => Err(format!("{id} comes twice")),
        None => Ok(objects),
    }
}
