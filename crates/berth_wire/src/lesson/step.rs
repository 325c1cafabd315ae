//! The language of solutions: what a person would do to the cluster, a step a line.
//!
//! ```text
//! step := "move" POD "to" NODE               where it fits, as dragging does
//!       | "force" POD "to" NODE              without asking the scheduler
//!       | "return" POD                       takes it off its node
//!       | "schedule" ( POD | "next" | "all" )
//!       | "preempt" POD                      makes room, and puts the pod there
//!       | "delete" KIND NAME
//!       | "cordon" NODE | "uncordon" NODE | "drain" NODE
//!       | "taint" NODE KEY[=VALUE]:EFFECT | "untaint" NODE KEY[:EFFECT]
//!       | "label" KIND NAME KEY=VALUE | "unlabel" KIND NAME KEY
//!       | "scale" KIND NAME REPLICAS
//!       | "edit" KIND NAME FIELD VALUE       the value as YAML; "none" takes the field away
//! ```
//!
//! A FIELD is a path: `spec.topologySpreadConstraints[0].maxSkew`, `metadata.labels[example.com/team]`. For pods the
//! fields of the first spread constraint may be written alone (`maxSkew`), and so may `priority`, `priorityClassName`,
//! `preemptionPolicy`, `nodeSelector`, and `cpu` and `memory` of the first container. An object or a
//! configuration that comes whole is a mapping in the file, `apply: {…}`.

mod carry_out;
mod field;
mod written;

use berth_core::api::{Kind, Object, ObjectKey, Taint, TaintEffect, WorkloadKind};
use berth_core::framework::config::Configuration;

pub use carry_out::Failure;
pub use field::Path;
pub(super) use written::written;

use super::pod_key;
use super::scan::{Scanner, Wrong};
use crate::tree::Node;

/// A step, as it is written and as it is meant.
#[derive(Clone, Debug, PartialEq)]
pub struct Step {
    /// The line; `apply KIND NAME` for an object.
    pub text: String,
    /// What is done.
    pub action: Action,
}

/// Something that is done to a cluster.
#[derive(Clone, Debug, PartialEq)]
pub enum Action {
    /// A pod is put on a node; true for without asking the scheduler.
    Move(ObjectKey, String, bool),
    /// A pod is taken off its node.
    Return(ObjectKey),
    /// The scheduler places a pod.
    Schedule(ObjectKey),
    /// The scheduler attempts the next pod of its queue, or all (true).
    Run(bool),
    /// Others make room for a pod.
    Preempt(ObjectKey),
    /// An object goes.
    Delete(Kind, ObjectKey),
    /// `spec.unschedulable` of a node.
    Cordon(String, bool),
    /// A node is cordoned, and its pods are evicted.
    Drain(String),
    /// A taint is added to a node.
    Taint(String, Taint),
    /// Taints of a key are taken from a node: those of an effect, or all.
    Untaint(String, String, Option<TaintEffect>),
    /// A label is set, or taken away.
    Label(Kind, ObjectKey, String, Option<String>),
    /// A workload wants so many pods.
    Scale(WorkloadKind, ObjectKey, i32),
    /// A field has another value; null takes it away.
    Edit(Kind, ObjectKey, Path, Node<'static>),
    /// An object is added, or replaced.
    Apply(Object),
    /// The scheduler has another configuration.
    Configure(Box<Configuration>),
}

const VERBS: [&str; 15] = [
    "move", "force", "return", "schedule", "preempt", "delete", "cordon", "uncordon", "taint",
    "untaint", "label", "unlabel", "scale", "edit", "drain",
];

const EFFECTS: [TaintEffect; 3] =
    [TaintEffect::NoSchedule, TaintEffect::PreferNoSchedule, TaintEffect::NoExecute];

impl Step {
    /// Reads a line.
    pub(super) fn parse(line: &str) -> Result<Self, Wrong> {
        let mut scanner = Scanner::new(line);
        let place = scanner.one_of(&VERBS)?;
        let action = action(VERBS.get(place).copied().unwrap_or_default(), &mut scanner)?;
        scanner.end()?;
        Ok(Self { text: line.trim().to_owned(), action })
    }

    /// The step that adds or replaces an object.
    pub(super) fn apply(object: Object) -> Self {
        let text = format!("apply {} {}", object.kind().as_str(), object.key());
        Self { text, action: Action::Apply(object) }
    }

    /// The step that gives the scheduler another configuration.
    pub(super) fn configure(configuration: Configuration) -> Self {
        let text = "apply KubeSchedulerConfiguration".to_owned();
        Self { text, action: Action::Configure(Box::new(configuration)) }
    }
}

fn action(verb: &str, scanner: &mut Scanner<'_>) -> Result<Action, Wrong> {
    Ok(match verb {
        "move" | "force" => {
            let pod = pod(scanner)?;
            scanner.expect("to")?;
            Action::Move(pod, node(scanner)?, verb == "force")
        }
        "return" => Action::Return(pod(scanner)?),
        "schedule" if scanner.take("next") => Action::Run(false),
        "schedule" if scanner.take("all") => Action::Run(true),
        "schedule" => Action::Schedule(pod(scanner)?),
        "preempt" => Action::Preempt(pod(scanner)?),
        "delete" => {
            let (kind, key) = object(scanner)?;
            Action::Delete(kind, key)
        }
        "cordon" | "uncordon" => Action::Cordon(node(scanner)?, verb == "cordon"),
        "drain" => Action::Drain(node(scanner)?),
        "taint" => Action::Taint(node(scanner)?, taint(scanner)?),
        "untaint" => {
            let node = node(scanner)?;
            let word = scanner.word("the taint's key")?;
            let (key, name) = word.split_once(':').unwrap_or((word, ""));
            let effect = (!name.is_empty()).then(|| effect(scanner, word, name)).transpose()?;
            Action::Untaint(node, key.to_owned(), effect)
        }
        "label" | "unlabel" => label(verb == "label", scanner)?,
        "scale" => {
            let (kind, key) = object(scanner)?;
            let Kind::Workload(kind) = kind else {
                return Err(scanner.wrong("only workloads have replicas"));
            };
            let replicas = scanner.number()?;
            let replicas = i32::try_from(replicas).ok().filter(|replicas| *replicas >= 0);
            let replicas = replicas.ok_or_else(|| scanner.wrong("not a number of replicas"))?;
            Action::Scale(kind, key, replicas)
        }
        _ => edit(scanner)?,
    })
}

fn pod(scanner: &mut Scanner<'_>) -> Result<ObjectKey, Wrong> {
    scanner.word("the pod").map(pod_key)
}

fn node(scanner: &mut Scanner<'_>) -> Result<String, Wrong> {
    scanner.word("the node").map(str::to_owned)
}

/// Kinds without a namespace.
const WIDE: [Kind; 3] = [Kind::Node, Kind::Namespace, Kind::PriorityClass];

fn object(scanner: &mut Scanner<'_>) -> Result<(Kind, ObjectKey), Wrong> {
    let word = scanner.word("the kind")?;
    let own =
        [Kind::Pod, Kind::Node, Kind::Namespace, Kind::PriorityClass, Kind::PodDisruptionBudget];
    let workloads = WorkloadKind::ALL.iter().map(|kind| Kind::Workload(*kind));
    let mut kinds = own.into_iter().chain([Kind::Service]).chain(workloads);
    let kind = kinds
        .find(|kind| kind.as_str().eq_ignore_ascii_case(word))
        .ok_or_else(|| scanner.wrong_word(word, format!("no kind {word:?} is known")))?;
    let name = scanner.word("the name")?;
    let key = if WIDE.contains(&kind) { ObjectKey::new("", name) } else { pod_key(name) };
    Ok((kind, key))
}

fn taint(scanner: &mut Scanner<'_>) -> Result<Taint, Wrong> {
    let word = scanner.word("the taint")?;
    let (rest, name) = word.rsplit_once(':').ok_or_else(|| {
        scanner.wrong_word(word, format!("expected key=value:effect, found {word:?}"))
    })?;
    let (key, value) = rest.split_once('=').unwrap_or((rest, ""));
    let effect = effect(scanner, word, name)?;
    Ok(Taint { key: key.to_owned(), value: value.to_owned(), effect })
}

fn effect(scanner: &Scanner<'_>, word: &str, name: &str) -> Result<TaintEffect, Wrong> {
    let found = EFFECTS.into_iter().find(|effect| effect.as_str() == name);
    found.ok_or_else(|| {
        let names = EFFECTS.map(TaintEffect::as_str).join(", ");
        scanner.wrong_word(word, format!("expected one of {names}; found {name:?}"))
    })
}

fn label(sets: bool, scanner: &mut Scanner<'_>) -> Result<Action, Wrong> {
    let (kind, key) = object(scanner)?;
    let word = scanner.word("the label")?;
    if !sets {
        return Ok(Action::Label(kind, key, word.to_owned(), None));
    }
    let (label, value) = word
        .split_once('=')
        .ok_or_else(|| scanner.wrong_word(word, format!("expected label=value, found {word:?}")))?;
    Ok(Action::Label(kind, key, label.to_owned(), Some(value.to_owned())))
}

fn edit(scanner: &mut Scanner<'_>) -> Result<Action, Wrong> {
    let (kind, key) = object(scanner)?;
    let word = scanner.word("the field")?;
    let path = Path::parse(word, kind)
        .ok_or_else(|| scanner.wrong_word(word, format!("{word:?} is no path of a field")))?;
    let (at, text) = scanner.rest();
    if text.is_empty() {
        return Err(Wrong { at, message: "the value is missing".to_owned() });
    }
    let value = if text == "none" {
        Node::made(crate::tree::Value::Null)
    } else {
        let parsed = crate::tree::yaml::parse(text);
        parsed.map_err(|error| Wrong { at, message: error.message })?.into_owned()
    };
    Ok(Action::Edit(kind, key, path, value))
}
