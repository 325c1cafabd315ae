//! What can be asked for at a moment, as requests to the API server.

use crate::change::{fresh, stem};
use berth_core::api::{Kind, Node, Object, ObjectKey, ObjectMeta, Workload, WorkloadKind};
use berth_core::plugins::pod_topology_spread::constraint::HOSTNAME;
use berth_core::simulation::{Command, Objects, Patch};
use std::sync::Arc;

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
    /// Another number of pods.
    Scale,
    /// Another template.
    Rollout,
}

impl Verb {
    pub(super) const ALL: [Self; 8] = [
        Self::AddNode,
        Self::Delete,
        Self::Evict,
        Self::Drain,
        Self::Down,
        Self::Up,
        Self::Scale,
        Self::Rollout,
    ];

    /// What it can be asked for, by kind and key.
    pub(super) fn subjects(self, objects: &Objects) -> Vec<(Kind, ObjectKey)> {
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
        objects.iter().filter(is_meant).map(|object| (object.kind(), object.key())).collect()
    }

    /// The request; none if what was typed is not what it takes.
    pub(super) fn request(
        self,
        objects: &Objects,
        (kind, key): &(Kind, ObjectKey),
        typed: &str,
    ) -> Option<Command> {
        let typed = typed.trim();
        let (kind, key) = (*kind, key.clone());
        let grace_period_seconds = match typed {
            "" => None,
            typed => typed.parse::<i64>().ok().filter(|seconds| *seconds >= 0),
        };
        let is_grace = typed.is_empty() || grace_period_seconds.is_some();
        let patch = |patch: Arc<dyn Patch>| Command::Patch { kind, key: key.clone(), patch };
        match self {
            Self::AddNode => {
                let like = objects.node(&key.name)?;
                let is_free = !typed.is_empty() && objects.node(typed).is_none();
                is_free.then(|| Command::Create(Object::Node(Arc::new(node_like(like, typed)))))
            }
            Self::Delete => is_grace.then_some(Command::Delete { kind, key, grace_period_seconds }),
            Self::Evict => is_grace.then_some(Command::Evict { key, grace_period_seconds }),
            Self::Drain => {
                is_grace.then_some(Command::Drain { node: key.name, grace_period_seconds })
            }
            Self::Down => Some(Command::NodeDown(key.name)),
            Self::Up => Some(Command::NodeUp(key.name)),
            Self::Scale => {
                let replicas = typed.parse::<i32>().ok().filter(|replicas| *replicas >= 0)?;
                Some(patch(Arc::new(Scale(replicas))))
            }
            Self::Rollout if typed.is_empty() => None,
            Self::Rollout => Some(patch(Arc::new(Rollout(typed.into())))),
        }
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
pub(super) fn fresh_name(objects: &Objects, like: &str) -> String {
    fresh(&stem(like), |name| objects.node(name).is_some())
}

/// Another number of pods.
#[derive(Debug)]
struct Scale(i32);

impl Patch for Scale {
    fn apply(&self, object: &Object) -> Result<Object, String> {
        Ok(changed(object, |workload| workload.replicas = Some(self.0)))
    }
}

/// Another template: `key=value` is a label of its pods, anything else the image of the first container.
#[derive(Debug)]
struct Rollout(String);

impl Patch for Rollout {
    fn apply(&self, object: &Object) -> Result<Object, String> {
        Ok(changed(object, |workload| {
            let template = &mut workload.template;
            template.digest = None;
            match self.0.split_once('=') {
                Some((key, value)) => {
                    template.labels.insert(key.trim().into(), value.trim().into());
                }
                None => {
                    if let Some(container) = template.spec.containers.first_mut() {
                        container.image.clone_from(&self.0);
                    }
                }
            }
        }))
    }
}

fn changed(object: &Object, change: impl FnOnce(&mut Workload)) -> Object {
    let mut object = object.clone();
    if let Object::Workload(workload) = &mut object {
        change(Arc::make_mut(workload));
    }
    object
}
