//! What a user does: mostly, asks the API server for something.

use alloc::string::String;
use alloc::sync::Arc;
use core::fmt::Debug;

use super::kubelet::has_probe;
use super::server::{ApiError, Part, Server};
use crate::api::{Kind, Object, ObjectKey, Pod, ProbeKind};
use crate::apiserver::DeleteOptions;
use crate::kubelet::eviction::PodStats;

/// Something that a user does.
#[derive(Clone, Debug)]
pub enum Command {
    /// Creates an object.
    Create(Object),
    /// Creates an object, or puts it in the place of the one that is there: the status of a node too.
    Apply(Object),
    /// Changes an object.
    Patch {
        /// The kind of the object.
        kind: Kind,
        /// Its namespace and name.
        key: ObjectKey,
        /// What changes.
        patch: Arc<dyn Patch>,
    },
    /// Deletes an object.
    Delete {
        /// The kind of the object.
        kind: Kind,
        /// Its namespace and name.
        key: ObjectKey,
        /// Seconds that a pod gets to end; none means what it says itself.
        grace_period_seconds: Option<i64>,
    },
    /// Evicts a pod.
    Evict {
        /// The pod.
        key: ObjectKey,
        /// Seconds that it gets to end; none means what it says itself.
        grace_period_seconds: Option<i64>,
    },
    /// Drains a node: cordons it, and evicts its pods, again and again until budgets allow it.
    Drain {
        /// The node.
        node: String,
        /// Seconds that pods get to end; none means what they say themselves.
        grace_period_seconds: Option<i64>,
    },
    /// A node goes down, with everything on it: nobody asks the API server for that.
    NodeDown(String),
    /// A node that went down is back.
    NodeUp(String),
    /// Something uses so much from now on: nobody asks the API server for that.
    Usage {
        /// What it is.
        of: UsageOf,
        /// How much it uses; what is not said stays as it was.
        usage: PodStats,
    },
    /// From now on a probe fails, or passes again: nobody asks the API server for that.
    Probe {
        /// Whose.
        of: Pods,
        /// Of this container alone.
        container: Option<String>,
        /// Which.
        probe: ProbeKind,
        /// Whether it fails.
        fails: bool,
    },
}

/// A pod, or many.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Pods {
    /// One.
    One(ObjectKey),
    /// Each with a label, by key and value, those that are still to come too.
    Label(String, String),
}

impl Pods {
    /// Whether a pod is meant.
    pub fn are(&self, pod: &Pod) -> bool {
        match self {
            Self::One(key) => pod.metadata.key() == *key,
            Self::Label(key, value) => pod.metadata.labels.get(key) == Some(value),
        }
    }
}

/// What uses memory, disk and process numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum UsageOf {
    /// A pod.
    Pod(ObjectKey),
    /// Each pod with a label, by key and value, those that are still to come too.
    Label(String, String),
    /// A node, beside its pods.
    Node(String),
}

/// A change of an object, by what it is then.
pub trait Patch: Debug + Send + Sync {
    /// The object after the change, or why it cannot be made.
    fn apply(&self, object: &Object) -> Result<Object, String>;

    /// Whether it changes the status too: that is a request of its own.
    fn changes_status(&self) -> bool {
        false
    }
}

impl Command {
    /// The kind and the key of the object that it is about.
    pub fn target(&self) -> (Kind, ObjectKey) {
        match self {
            Self::Create(object) | Self::Apply(object) => (object.kind(), object.key()),
            Self::Patch { kind, key, .. } | Self::Delete { kind, key, .. } => (*kind, key.clone()),
            Self::Evict { key, .. } | Self::Usage { of: UsageOf::Pod(key), .. } => {
                (Kind::Pod, key.clone())
            }
            Self::Drain { node, .. }
            | Self::NodeDown(node)
            | Self::NodeUp(node)
            | Self::Usage { of: UsageOf::Node(node), .. } => {
                (Kind::Node, ObjectKey::new("", node.clone()))
            }
            Self::Probe { of: Pods::One(key), .. } => (Kind::Pod, key.clone()),
            Self::Usage { of: UsageOf::Label(key, value), .. }
            | Self::Probe { of: Pods::Label(key, value), .. } => {
                (Kind::Pod, ObjectKey::new("", alloc::format!("{key}={value}")))
            }
        }
    }

    /// Asks the API server.
    pub(super) fn send(&self, server: &mut Server) -> Result<(), ApiError> {
        match self {
            Self::Create(object) => server.create(object.clone(), "").map(drop),
            Self::Apply(object) => {
                if server.objects().get(object.kind(), &object.key()).is_none() {
                    return server.create(object.clone(), "").map(drop);
                }
                if object.kind() == Kind::Node {
                    server.update(object.clone(), Part::Status)?;
                }
                server.update(object.clone(), Part::Main).map(drop)
            }
            Self::Patch { kind, key, patch } => {
                let before = server.get(*kind, key)?;
                let after = patch.apply(&before).map_err(ApiError::BadRequest)?;
                if patch.changes_status() {
                    server.patch(*kind, key, Part::Status, |object| object.clone_from(&after))?;
                }
                server.patch(*kind, key, Part::Main, |object| object.clone_from(&after)).map(drop)
            }
            Self::Delete { kind, key, grace_period_seconds } => {
                server.delete(*kind, key, &options(*grace_period_seconds))
            }
            Self::Evict { key, grace_period_seconds } => {
                server.evict(key, &options(*grace_period_seconds))
            }
            Self::Drain { node, .. } => {
                let key = ObjectKey::new("", node.clone());
                let cordoned = server.patch(Kind::Node, &key, Part::Main, |object| {
                    if let Object::Node(node) = object {
                        Arc::make_mut(node).spec.unschedulable = true;
                    }
                });
                cordoned.map(drop)
            }
            Self::Usage { of: UsageOf::Label(..), .. }
            | Self::Probe { of: Pods::Label(..), .. } => Ok(()),
            Self::Probe { of: Pods::One(key), container, probe, .. } => {
                match server.get(Kind::Pod, key)? {
                    Object::Pod(pod) if has_probe(&pod, container.as_deref(), *probe) => Ok(()),
                    _ => {
                        let probe = probe.as_str().to_lowercase();
                        Err(ApiError::BadRequest(alloc::format!("it has no {probe} probe")))
                    }
                }
            }
            Self::Usage { of: UsageOf::Pod(key), .. } => server.get(Kind::Pod, key).map(drop),
            Self::NodeDown(node)
            | Self::NodeUp(node)
            | Self::Usage { of: UsageOf::Node(node), .. } => {
                server.get(Kind::Node, &ObjectKey::new("", node.clone())).map(drop)
            }
        }
    }
}

fn options(grace_period_seconds: Option<i64>) -> DeleteOptions {
    DeleteOptions { grace_period_seconds, ..DeleteOptions::default() }
}
