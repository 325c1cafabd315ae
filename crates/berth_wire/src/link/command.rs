//! The log's commands as trees, and how much work they are.

use berth_core::api::{Kind, ObjectKey, WorkloadKind};
use berth_core::playground::Command;

use super::object;
use crate::config;
use crate::tree::{Entry, Node, Value};

/// A command as a tree: a mapping of its name to what it is given.
pub(super) fn write(command: &Command) -> Node<'_> {
    let one = |name: &'static str, value: Node<'static>| mapping(vec![(name, value)]);
    match command {
        Command::Put(object) => mapping(vec![("put", object::write(object))]),
        Command::Drop(kind, key) => {
            mapping(vec![("drop", list(vec![text(kind.as_str()), name(key)]))])
        }
        Command::Configure(new) => mapping(vec![("configure", config::encode(new))]),
        Command::Reseed(seed) => one("reseed", text(&seed.to_string()).into_owned()),
        Command::Place { pod, node } => mapping(vec![("place", list(vec![name(pod), text(node)]))]),
        Command::Return { pod } => one("return", name(pod)),
        Command::Schedule { pod } => one("schedule", name(pod)),
        Command::Preempt { pod } => one("preempt", name(pod)),
        Command::ScheduleNext => one("scheduleNext", Node::made(Value::Bool(true))),
        Command::ScheduleAll => one("scheduleAll", Node::made(Value::Bool(true))),
        Command::Batch { name, commands } => mapping(vec![
            ("batch", list(commands.iter().map(write).collect())),
            ("name", text(name)),
        ]),
    }
}

/// A command from a tree, or why it is none.
pub(super) fn read(node: &Node<'_>) -> Result<Command, String> {
    let Some(Entry { key, value, .. }) = node.entries().first() else {
        return Err("a command is not a mapping".to_owned());
    };
    let string = |node: &Node<'_>| {
        node.as_str().map(str::to_owned).ok_or_else(|| format!("{key}: a text is expected"))
    };
    let named = |node: &Node<'_>| string(node).map(|text| ObjectKey::parse(&text));
    let pair = || match value.items() {
        [first, second] => Ok((first, second)),
        _ => Err(format!("{key}: two texts are expected")),
    };
    Ok(match &**key {
        "put" => Command::Put(object::read(value)?),
        "drop" => {
            let (first, second) = pair()?;
            let word = string(first)?;
            let kind = kind(&word).ok_or_else(|| format!("drop: unknown kind {word:?}"))?;
            Command::Drop(kind, named(second)?)
        }
        "configure" => {
            let new = config::decode(value).map_err(|findings| object::worst(&findings))?;
            Command::Configure(Box::new(new))
        }
        "reseed" => {
            let seed = string(value)?.parse().map_err(|_| "reseed: a number is expected")?;
            Command::Reseed(seed)
        }
        "place" => {
            let (pod, node) = pair()?;
            Command::Place { pod: named(pod)?, node: string(node)? }
        }
        "return" => Command::Return { pod: named(value)? },
        "schedule" => Command::Schedule { pod: named(value)? },
        "preempt" => Command::Preempt { pod: named(value)? },
        "scheduleNext" => Command::ScheduleNext,
        "scheduleAll" => Command::ScheduleAll,
        "batch" => Command::Batch {
            name: node.get("name").and_then(Node::as_str).unwrap_or_default().to_owned(),
            commands: value.items().iter().map(read).collect::<Result<_, _>>()?,
        },
        other => return Err(format!("unknown command {other:?}")),
    })
}

/// How many commands of a kind there are, those of batches included.
pub(super) fn count(commands: &[Command], wanted: fn(&Command) -> bool) -> u64 {
    let one = |command: &Command| {
        let inside = match command {
            Command::Batch { commands, .. } => count(commands, wanted),
            _ => 0,
        };
        inside + u64::from(wanted(command))
    };
    commands.iter().map(one).sum()
}

/// How many nodes a command makes the scheduler look at, at most, in a cluster of this size.
pub(super) fn work(command: &Command, nodes: u64, pods: u64) -> u64 {
    match command {
        Command::Put(_) | Command::Drop(..) | Command::Reseed(_) | Command::Return { .. } => 1,
        Command::Configure(_) => pods,
        Command::Place { .. } | Command::Schedule { .. } | Command::ScheduleNext => nodes,
        // Every node is tried with its pods taken away.
        Command::Preempt { .. } => nodes + pods,
        Command::ScheduleAll => nodes.saturating_mul(pods),
        Command::Batch { commands, .. } => {
            commands.iter().map(|command| work(command, nodes, pods)).sum()
        }
    }
}

fn kind(word: &str) -> Option<Kind> {
    const KINDS: [Kind; 6] = [
        Kind::Node,
        Kind::Pod,
        Kind::Namespace,
        Kind::PriorityClass,
        Kind::PodDisruptionBudget,
        Kind::Service,
    ];
    let workloads = WorkloadKind::ALL.iter().map(|kind| Kind::Workload(*kind));
    KINDS.into_iter().chain(workloads).find(|kind| kind.as_str() == word)
}

fn name(key: &ObjectKey) -> Node<'static> {
    Node::made(Value::String(key.to_string().into()))
}

fn text(text: &str) -> Node<'_> {
    Node::made(Value::String(text.into()))
}

fn list(items: Vec<Node<'_>>) -> Node<'_> {
    Node::made(Value::Sequence(items))
}

pub(super) fn mapping<'a>(entries: Vec<(&'static str, Node<'a>)>) -> Node<'a> {
    let entry = |(key, value): (&'static str, Node<'a>)| Entry { start: 0, key: key.into(), value };
    Node::made(Value::Mapping(entries.into_iter().map(entry).collect()))
}
