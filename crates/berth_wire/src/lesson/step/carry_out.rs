//! Steps, carried out.

use std::fmt;
use std::sync::Arc;

use berth_core::api::{Kind, Node as ApiNode, Object, ObjectKey, Pod, Taint, TaintEffect};
use berth_core::operations::{drain::drain, scale::scale};
use berth_core::playground::{Applied, Command, CommandError, Playground};

use super::{Action, Path, Step};
use crate::export::encode;
use crate::intake::admit_pod;
use crate::manifest::{Content, decode};
use crate::tree::{Node, Value};

/// Why a step could not be carried out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Failure {
    /// The engine refuses it.
    Command(CommandError),
    /// The pod does not fit on the node.
    DoesNotFit(ObjectKey, String),
    /// The field cannot have the value: what the API server says, or where there is no such field.
    Field(String),
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Command(error) => error.fmt(f),
            Self::DoesNotFit(pod, node) => write!(f, "{pod} does not fit on {node}"),
            Self::Field(message) => f.write_str(message),
        }
    }
}

impl std::error::Error for Failure {}

impl From<CommandError> for Failure {
    fn from(error: CommandError) -> Self {
        Self::Command(error)
    }
}

impl Step {
    /// Carries it out as one command, which can be undone.
    pub fn carry_out(&self, playground: &mut Playground) -> Result<Applied, Failure> {
        let command = self.command(playground)?;
        Ok(playground.apply(command)?)
    }

    /// The command that it comes to in a cluster.
    pub fn command(&self, playground: &mut Playground) -> Result<Command, Failure> {
        Ok(match &self.action {
            Action::Move(pod, node, bypass) => {
                if !bypass && !fits(playground, pod, node)? {
                    return Err(Failure::DoesNotFit(pod.clone(), node.clone()));
                }
                Command::Place { pod: pod.clone(), node: node.clone() }
            }
            Action::Return(pod) => Command::Return { pod: pod.clone() },
            Action::Schedule(pod) => Command::Schedule { pod: pod.clone() },
            Action::Run(false) => Command::ScheduleNext,
            Action::Run(true) => Command::ScheduleAll,
            Action::Preempt(pod) => Command::Preempt { pod: pod.clone() },
            Action::Delete(kind, key) => Command::Drop(*kind, key.clone()),
            Action::Configure(configuration) => Command::Configure(configuration.clone()),
            Action::Apply(object) => Command::Put(admitted(playground, object.clone())?),
            Action::Cordon(name, cordoned) => {
                node(playground, name, |node| node.spec.unschedulable = *cordoned)?
            }
            Action::Taint(name, taint) => node(playground, name, |node| {
                let same = |own: &_| !taint_is(own, &taint.key, Some(taint.effect));
                node.spec.taints.retain(same);
                node.spec.taints.push(taint.clone());
            })?,
            Action::Untaint(name, key, effect) => node(playground, name, |node| {
                node.spec.taints.retain(|own| !taint_is(own, key, *effect));
            })?,
            Action::Label(kind, key, label, value) => {
                let text = format!("metadata.labels[{label}]");
                let path = Path::parse(&text, *kind).ok_or_else(|| no_field(&text))?;
                let value = value.clone().map_or(Value::Null, |value| Value::String(value.into()));
                edit(playground, *kind, key, &path, Node::made(value))?
            }
            Action::Scale(kind, key, replicas) => {
                scale(playground, *kind, key, *replicas, &self.text)?
            }
            Action::Drain(node) => {
                object(playground, Kind::Node, &ObjectKey::new("", node.as_str()))?;
                drain(playground, &[node], &self.text).command
            }
            Action::Edit(kind, key, path, value) => {
                edit(playground, *kind, key, path, value.clone())?
            }
        })
    }
}

pub(super) fn fits(
    playground: &mut Playground,
    pod: &ObjectKey,
    node: &str,
) -> Result<bool, Failure> {
    let explanation = playground.explain(pod)?;
    Ok(explanation.feasible_names().any(|name| **name == *node))
}

fn taint_is(taint: &Taint, key: &str, effect: Option<TaintEffect>) -> bool {
    taint.key == key && effect.is_none_or(|effect| taint.effect == effect)
}

fn object(playground: &Playground, kind: Kind, key: &ObjectKey) -> Result<Object, Failure> {
    let found = playground.cluster().get(kind, key);
    found.ok_or_else(|| CommandError::NotFound(kind, key.clone()).into())
}

fn node(
    playground: &Playground,
    name: &str,
    change: impl FnOnce(&mut ApiNode),
) -> Result<Command, Failure> {
    let key = ObjectKey::new("", name);
    match object(playground, Kind::Node, &key)? {
        Object::Node(mut node) => {
            change(Arc::make_mut(&mut node));
            Ok(Command::Put(Object::Node(node)))
        }
        _ => Err(CommandError::NotFound(Kind::Node, key).into()),
    }
}

fn no_field(path: &str) -> Failure {
    Failure::Field(format!("there is no field {path}"))
}

/// The object with another value of a field, decoded anew: the API server's defaults and errors apply.
fn edit(
    playground: &Playground,
    kind: Kind,
    key: &ObjectKey,
    path: &Path,
    value: Node<'static>,
) -> Result<Command, Failure> {
    let before = object(playground, kind, key)?;
    let mut tree = encode(&before);
    path.put(&mut tree, value).ok_or_else(|| no_field("at this path"))?;
    let decoded = decode(&tree, None).map_err(|findings| {
        let first = findings.into_iter().next();
        Failure::Field(first.map(|found| found.message).unwrap_or_default())
    })?;
    let Content::Object(mut after) = decoded.content else { return Err(no_field("kind")) };
    if let Object::Pod(pod) = &mut after {
        settle_priority(Arc::make_mut(pod), path);
        after = admitted(playground, after)?;
    }
    Ok(Command::Put(after))
}

/// What follows from an edit of one of the three fields that hang together: a class brings its priority and policy, and
/// a priority or a policy of one's own means that there is no class.
fn settle_priority(pod: &mut Pod, path: &Path) {
    if path.is_of_spec("priorityClassName") {
        pod.spec.priority = None;
        pod.spec.preemption_policy = None;
    } else if path.is_of_spec("priority") || path.is_of_spec("preemptionPolicy") {
        pod.spec.priority_class_name.clear();
    }
}

/// A pod that has no priority yet gets the one of its class.
fn admitted(playground: &Playground, object: Object) -> Result<Object, Failure> {
    let Object::Pod(mut pod) = object else { return Ok(object) };
    if pod.spec.priority.is_none() {
        let classes = playground.cluster().known_priority_classes();
        admit_pod(Arc::make_mut(&mut pod), &classes)
            .map_err(|refused| Failure::Field(refused.message))?;
    }
    Ok(Object::Pod(pod))
}
