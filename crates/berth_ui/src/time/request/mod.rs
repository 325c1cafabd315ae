//! What can be asked for at a moment, as requests to the API server.

mod patch;

use crate::change::{fresh, stem};
use berth_core::api::{
    IntOrPercent, Kind, Node, Object, ObjectKey, ObjectMeta, Workload, WorkloadKind,
};
use berth_core::collections::Set;
use berth_core::plugins::pod_topology_spread::constraint::HOSTNAME;
use berth_core::simulation::{Command, Objects, Patch};
use patch::{Rollout, Scale, is_narrowed};
use std::sync::Arc;
use yew::AttrValue;

/// The labels of domains that go as a whole, besides those that constraints name.
const DOMAINS: [&str; 2] = ["topology.kubernetes.io/zone", "topology.kubernetes.io/region"];
/// What a Deployment has that does not say (`SetDefaults_Deployment`).
const QUARTER: &str = "25%";

/// What is asked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Verb {
    /// A node like another.
    #[default]
    AddNode,
    /// A pod is deleted.
    Delete,
    /// A pod is evicted, if its budgets allow it.
    Evict,
    /// A node is drained.
    Drain,
    /// A node goes down.
    Down,
    /// A node comes back.
    Up,
    /// All nodes of a domain go down.
    DomainDown,
    /// All nodes of a domain come back.
    DomainUp,
    /// Another number of pods.
    Scale,
    /// Another template.
    Rollout,
}

/// What it is asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Subject {
    /// An object.
    Object(Kind, ObjectKey),
    /// The nodes with a label.
    Domain(String, String),
}

impl Subject {
    /// As it is written.
    pub(super) fn text(&self) -> AttrValue {
        match self {
            Self::Object(Kind::Node, key) => key.name.clone().into(),
            Self::Object(Kind::Workload(kind), key) => format!("{} {key}", kind.as_str()).into(),
            Self::Object(_, key) => key.to_string().into(),
            Self::Domain(key, value) => format!("{key}={value}").into(),
        }
    }
}

/// What has to be said with it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Field {
    /// The name of the new node.
    Name,
    /// The seconds that pods get; nothing means their own.
    Grace,
    /// How many pods.
    Replicas,
    /// A label or an image of the template.
    Change,
    /// How many pods there may be above that during a rollout.
    MaxSurge,
    /// How many may be missing during it.
    MaxUnavailable,
    /// Whether constraints count the pods of a revision alone.
    MatchLabelKeys,
}

impl Field {
    /// Kubernetes' name for it; none where it has none.
    pub(super) const fn name(self) -> Option<&'static str> {
        match self {
            Self::Name => Some("metadata.name"),
            Self::Grace => Some("gracePeriodSeconds"),
            Self::Replicas => Some("replicas"),
            Self::Change => None,
            Self::MaxSurge => Some("maxSurge"),
            Self::MaxUnavailable => Some("maxUnavailable"),
            Self::MatchLabelKeys => Some("matchLabelKeys: pod-template-hash"),
        }
    }
}

impl Verb {
    pub(super) const ALL: [Self; 10] = [
        Self::AddNode,
        Self::Delete,
        Self::Evict,
        Self::Drain,
        Self::Down,
        Self::Up,
        Self::DomainDown,
        Self::DomainUp,
        Self::Scale,
        Self::Rollout,
    ];

    /// What it can be asked for.
    pub(super) fn subjects(self, objects: &Objects) -> Vec<Subject> {
        if matches!(self, Self::DomainDown | Self::DomainUp) {
            return domains(objects);
        }
        let is_meant = |object: &&Object| match (self, object) {
            (Self::AddNode | Self::Drain | Self::Down | Self::Up, Object::Node(_))
            | (Self::Delete, Object::Pod(_)) => true,
            (Self::Evict, Object::Pod(pod)) => !pod.spec.node_name.is_empty(),
            (Self::Scale, Object::Workload(set)) => {
                set.replicas.is_some() && set.metadata.controller().is_none()
            }
            (Self::Rollout, Object::Workload(set)) => matches!(
                set.kind,
                WorkloadKind::Deployment | WorkloadKind::StatefulSet | WorkloadKind::DaemonSet
            ),
            _ => false,
        };
        let meant = objects.iter().filter(is_meant);
        meant.map(|object| Subject::Object(object.kind(), object.key())).collect()
    }

    /// What has to be said with it, each with what is there now.
    pub(super) fn fields(self, objects: &Objects, subject: &Subject) -> Vec<(Field, String)> {
        match self {
            Self::AddNode => match subject {
                Subject::Object(_, key) => vec![(Field::Name, fresh_name(objects, &key.name))],
                Subject::Domain(..) => Vec::new(),
            },
            Self::Delete | Self::Evict | Self::Drain => vec![(Field::Grace, String::new())],
            Self::Down | Self::Up | Self::DomainDown | Self::DomainUp => Vec::new(),
            Self::Scale => {
                let replicas = workload(objects, subject).and_then(|set| set.replicas);
                vec![(Field::Replicas, replicas.map(|n| n.to_string()).unwrap_or_default())]
            }
            Self::Rollout => {
                let mut fields = vec![(Field::Change, String::new())];
                fields.extend(workload(objects, subject).map(of_rollout).unwrap_or_default());
                fields
            }
        }
    }

    /// The requests; none if what was typed is not what they take.
    pub(super) fn requests(
        self,
        objects: &Objects,
        subject: &Subject,
        typed: &dyn Fn(Field) -> AttrValue,
    ) -> Option<Vec<Command>> {
        let (kind, key) = match subject {
            Subject::Object(kind, key) => (*kind, key.clone()),
            Subject::Domain(key, value) => return Some(self.of_domain(objects, key, value)),
        };
        let number = |field| match typed(field).trim() {
            "" => Some(None),
            text => text.parse::<i64>().ok().filter(|number| *number >= 0).map(Some),
        };
        let patch = |patch: Arc<dyn Patch>| Command::Patch { kind, key: key.clone(), patch };
        let command = match self {
            Self::AddNode => {
                let like = objects.node(&key.name)?;
                let name = typed(Field::Name);
                let name = name.trim();
                let is_free = !name.is_empty() && objects.node(name).is_none();
                is_free.then(|| Command::Create(Object::Node(Arc::new(node_like(like, name)))))?
            }
            Self::Delete => {
                Command::Delete { kind, key, grace_period_seconds: number(Field::Grace)? }
            }
            Self::Evict => Command::Evict { key, grace_period_seconds: number(Field::Grace)? },
            Self::Drain => {
                Command::Drain { node: key.name, grace_period_seconds: number(Field::Grace)? }
            }
            Self::Down => Command::NodeDown(key.name),
            Self::Up => Command::NodeUp(key.name),
            Self::DomainDown | Self::DomainUp => return None,
            Self::Scale => {
                let replicas = i32::try_from(number(Field::Replicas)??).ok()?;
                patch(Arc::new(Scale(replicas)))
            }
            Self::Rollout => patch(Arc::new(rollout(workload(objects, subject)?, typed)?)),
        };
        Some(vec![command])
    }

    fn of_domain(self, objects: &Objects, key: &str, value: &str) -> Vec<Command> {
        let is_there =
            |node: &&Arc<Node>| node.metadata.labels.get(key).is_some_and(|own| own == value);
        let names = objects.nodes().filter(is_there).map(|node| node.metadata.name.clone());
        match self {
            Self::DomainUp => names.map(Command::NodeUp).collect(),
            _ => names.map(Command::NodeDown).collect(),
        }
    }
}

fn workload<'a>(objects: &'a Objects, subject: &Subject) -> Option<&'a Workload> {
    match subject {
        Subject::Object(Kind::Workload(kind), key) => {
            objects.workload(*kind, key).map(|set| &**set)
        }
        _ => None,
    }
}

/// The values of the labels that domains are told apart by.
fn domains(objects: &Objects) -> Vec<Subject> {
    let mut keys: Set<&str> = DOMAINS.into_iter().collect();
    for pod in objects.pods() {
        let named = pod.spec.topology_spread_constraints.iter();
        keys.extend(named.map(|constraint| &*constraint.topology_key));
    }
    let mut found = Set::new();
    for node in objects.nodes() {
        for key in keys.iter().filter(|key| **key != HOSTNAME) {
            if let Some(value) = node.metadata.labels.get(*key) {
                found.insert((*key, value.as_str()));
            }
        }
    }
    found.iter().map(|(key, value)| Subject::Domain((*key).into(), (*value).into())).collect()
}

/// What a rollout of a workload hangs on besides its template.
fn of_rollout(set: &Workload) -> Vec<(Field, String)> {
    if set.kind != WorkloadKind::Deployment {
        return Vec::new();
    }
    let strategy = set.update_strategy.as_ref();
    let text = |value: Option<&IntOrPercent>| match value {
        Some(IntOrPercent::Int(number)) => number.to_string(),
        Some(IntOrPercent::Percent(share)) => share.clone(),
        None => QUARTER.to_owned(),
    };
    let mut fields = Vec::new();
    if strategy.is_none_or(|strategy| strategy.kind != "Recreate") {
        let surge = strategy.and_then(|strategy| strategy.max_surge.as_ref());
        fields.push((Field::MaxSurge, text(surge)));
        let unavailable = strategy.and_then(|strategy| strategy.max_unavailable.as_ref());
        fields.push((Field::MaxUnavailable, text(unavailable)));
    }
    if !set.template.spec.topology_spread_constraints.is_empty() {
        fields.push((Field::MatchLabelKeys, is_narrowed(set).to_string()));
    }
    fields
}

/// The rollout that is asked for, if it changes anything.
fn rollout(set: &Workload, typed: &dyn Fn(Field) -> AttrValue) -> Option<Rollout> {
    let fields = of_rollout(set);
    let differs = |field: Field| {
        fields.iter().any(|(known, value)| *known == field && typed(field).trim() != value)
    };
    let has_strategy = differs(Field::MaxSurge) || differs(Field::MaxUnavailable);
    let strategy = if has_strategy {
        let [surge, unavailable] =
            [Field::MaxSurge, Field::MaxUnavailable].map(|field| count(&typed(field)));
        let both = (surge?, unavailable?);
        let is_zero = |value: &IntOrPercent| match value {
            IntOrPercent::Int(number) => *number == 0,
            IntOrPercent::Percent(share) => share.trim_end_matches('%').parse() == Ok(0),
        };
        // A rollout has to be able to begin (`ValidateRollingUpdateDeployment`).
        Some(both).filter(|(surge, unavailable)| !(is_zero(surge) && is_zero(unavailable)))?.into()
    } else {
        None
    };
    let narrows = differs(Field::MatchLabelKeys).then(|| typed(Field::MatchLabelKeys) == "true");
    let change = typed(Field::Change).trim().to_owned();
    let is_change = !change.is_empty() || strategy.is_some() || narrows.is_some();
    is_change.then_some(Rollout { change, strategy, narrows })
}

/// A number of pods or a share of them.
fn count(text: &str) -> Option<IntOrPercent> {
    let text = text.trim();
    match text.strip_suffix('%') {
        Some(share) => share.parse::<u16>().ok().map(|_| IntOrPercent::Percent(text.into())),
        None => text.parse::<i32>().ok().filter(|number| *number >= 0).map(IntOrPercent::Int),
    }
}

/// A node of another name that offers the same, with nobody on it.
fn node_like(like: &Node, name: &str) -> Node {
    let mut node = like.clone();
    node.metadata = ObjectMeta {
        name: name.into(),
        labels: like.metadata.labels.clone(),
        ..ObjectMeta::default()
    };
    if node.metadata.labels.get(HOSTNAME).is_some() {
        node.metadata.labels.insert(HOSTNAME.into(), name.into());
    }
    node.spec.unschedulable = false;
    // What the control plane itself put there is not the kind of node.
    node.spec.taints.retain(|taint| !taint.key.starts_with("node.kubernetes.io/"));
    node
}

/// A name like another that no node has: with the next number at its end.
fn fresh_name(objects: &Objects, like: &str) -> String {
    fresh(&stem(like), |name| objects.node(name).is_some())
}

#[cfg(test)]
mod tests;
