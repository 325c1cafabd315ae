//! A lesson made of a cluster and what was done to it.

use berth_core::api::ObjectKey;
use berth_core::playground::{Command, Playground};

use super::step::written;
use super::{API_VERSION, KIND};
use crate::export;
use crate::manifest::Report;
use crate::tree::{Entry, Node, Value, write};

/// The text of a lesson whose cluster is the one before the first command of the log, and whose solution is the log.
/// Title, goal and words are left to the author, with what is known already filled in.
pub fn lesson(
    title: &str,
    pod: Option<&ObjectKey>,
    report: &Report,
    playground: &Playground,
) -> String {
    let log: Vec<Command> = playground.log().cloned().collect();
    let mut start = playground.clone();
    while start.undo() {}
    let cluster = export::yaml(report, &export::objects(report, start.cluster()));
    let steps: Vec<Node<'static>> =
        log.iter().flat_map(|command| replay(&mut start, command)).collect();
    let mut entries = vec![
        entry("apiVersion", text(API_VERSION)),
        entry("kind", text(KIND)),
        entry("id", text("my-lesson")),
        entry("title", text(title)),
    ];
    if let Some(pod) = pod {
        entries.push(entry("pod", text(&pod.to_string())));
    }
    entries.push(entry("text", list(vec![text("What there is to see.")])));
    entries.push(entry("goal", list(goal(playground, pod))));
    entries.push(entry("hints", list(vec![text("Where to look.")])));
    entries.push(entry("explanation", list(vec![text("Why it is so.")])));
    entries.push(entry("solution", list(steps)));
    let head = write::yaml(&Node::made(Value::Mapping(entries)));
    [&head, "---\n", &cluster].concat()
}

/// Where the pod is in the end, or that none waits.
fn goal(playground: &Playground, pod: Option<&ObjectKey>) -> Vec<Node<'static>> {
    let cluster = playground.cluster();
    let info = pod.and_then(|key| cluster.pod_named(key)).and_then(|idx| cluster.pod(idx));
    let line = match (pod, info.map(|info| info.pod.spec.node_name.as_str())) {
        (Some(key), Some(node)) if !node.is_empty() => {
            format!("pod {key} scheduled on node {node}")
        }
        _ => "no pod pending".to_owned(),
    };
    vec![text(&line)]
}

/// The steps that a command is written as, and the command carried out.
fn replay(playground: &mut Playground, command: &Command) -> Vec<Node<'static>> {
    let steps = match command {
        Command::Batch { commands, .. } => {
            let mut scratch = playground.clone();
            let each = commands.iter().flat_map(|command| replay(&mut scratch, command));
            each.collect()
        }
        command => written(command, playground),
    };
    // It was carried out from here before.
    let _ = playground.apply(command.clone());
    steps
}

fn text(text: &str) -> Node<'static> {
    Node::made(Value::String(text.to_owned().into()))
}

fn list(items: Vec<Node<'static>>) -> Node<'static> {
    Node::made(Value::Sequence(items))
}

fn entry(key: &'static str, value: Node<'static>) -> Entry<'static> {
    Entry { start: 0, key: key.into(), value }
}
