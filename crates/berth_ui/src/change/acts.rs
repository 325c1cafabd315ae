//! What changes have in common: each is one step for undo, and named.

use crate::app::App;
use crate::edit::{EditMsg, EditWords, Thing};
use berth_core::api::{Node, ObjectKey, Pod};
use berth_core::playground::{Command, Playground};
use std::sync::Arc;
use yew::AttrValue;

/// Names of things, for a sentence: all of a few, the number of many.
pub(super) fn list(words: &EditWords, names: &[&str]) -> String {
    match names {
        [] | [_] | [_, _] | [_, _, _] => names.join(", "),
        many => words.count(EditMsg::Things, many.len() as u32).to_string(),
    }
}

/// What things are called, for a sentence.
pub(super) fn named(words: &EditWords, things: &[Thing]) -> String {
    let names: Vec<&str> = things.iter().map(Thing::name).collect();
    list(words, &names)
}

/// The name of a step, and what is said about it: the message, with what it is about.
pub(super) fn title(app: &App, msg: EditMsg, things: &[Thing]) -> AttrValue {
    let words: EditWords = app.env().table();
    words.fill(msg, &[("what", &named(&words, things))])
}

/// Makes a change of a few commands as one step, and says so. Words of the engine if it cannot be made.
pub(super) fn make(app: &mut App, name: &AttrValue, commands: Vec<Command>) -> bool {
    if commands.is_empty() {
        let text = app.env().table::<EditMsg>().text(EditMsg::NothingToDo);
        app.tell(text);
        return false;
    }
    apply(app, Command::Batch { name: name.to_string(), commands }, name.clone())
}

/// Carries out a command, and says what was done, or why it cannot be done.
pub(super) fn apply(app: &mut App, command: Command, said: AttrValue) -> bool {
    let Some(playground) = app.engine_mut().playground_mut() else { return false };
    match playground.apply(command) {
        Ok(_) => {
            app.tell(said);
            true
        }
        Err(error) => {
            app.tell(error.to_string().into());
            false
        }
    }
}

/// The names of the nodes among things.
pub(super) fn node_names(app: &App, things: &[Thing]) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for thing in things {
        match thing {
            Thing::Node(name) => names.push(name.to_string()),
            Thing::Zone(id) => {
                let domain = app.cluster().domains.iter().find(|domain| domain.id() == *id);
                names.extend(
                    domain
                        .into_iter()
                        .flat_map(|domain| &domain.nodes)
                        .map(|node| node.name.to_string()),
                );
            }
            Thing::Pod(_) | Thing::Ground => {}
        }
    }
    names
}

/// The nodes among things, or of them.
pub(super) fn nodes(app: &App, things: &[Thing]) -> Vec<Arc<Node>> {
    let Some(playground) = app.engine().playground() else { return Vec::new() };
    let names = node_names(app, things);
    names.iter().filter_map(|name| node(playground, name)).collect()
}

/// A node by its name.
pub(super) fn node(playground: &Playground, name: &str) -> Option<Arc<Node>> {
    let cluster = playground.cluster();
    cluster.node(cluster.node_named(name)?)?.node.clone()
}

/// The pods among things.
pub(super) fn pods(app: &App, things: &[Thing]) -> Vec<Arc<Pod>> {
    let Some(cluster) = app.engine().playground().map(Playground::cluster) else {
        return Vec::new();
    };
    let mut pods: Vec<Arc<Pod>> = Vec::new();
    for thing in things {
        if let Thing::Pod(key) = thing {
            let info = cluster.pod_named(&ObjectKey::parse(key)).and_then(|idx| cluster.pod(idx));
            pods.extend(info.map(|info| Arc::clone(&info.pod)));
        }
    }
    pods
}

/// A name that is not taken: the stem and the first number that is free.
pub(crate) fn fresh(stem: &str, is_taken: impl Fn(&str) -> bool) -> String {
    let mut number = 1_u32;
    loop {
        let name = [stem, &number.to_string()].concat();
        if !is_taken(&name) {
            return name;
        }
        number += 1;
    }
}

/// A name without the number or the letters at its end, and with a dash.
pub(crate) fn stem(name: &str) -> String {
    let stem = name.trim_end_matches(|char: char| char.is_ascii_digit());
    if stem.len() < name.len() && !stem.is_empty() { stem.to_owned() } else { [name, "-"].concat() }
}
