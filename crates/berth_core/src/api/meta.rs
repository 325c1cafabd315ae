//! What every object carries: names, labels, owners, times.

use crate::collections::Map;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

/// Labels of an object, or a map of required labels.
pub type Labels = Map<String, String>;

/// A point in time: whole seconds since 1970-01-01T00:00:00Z, the precision of `metav1.Time`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Time(pub i64);

/// `metadata` of an object (`metav1.ObjectMeta`).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ObjectMeta {
    /// Name, unique within kind and namespace.
    pub name: String,
    /// Namespace; empty for objects of the whole cluster.
    pub namespace: String,
    /// Identity given by the API server; may be empty.
    pub uid: String,
    /// Counts the changes of what is asked for; 0 if it was not given.
    pub generation: i64,
    /// Which state of the object this is; may be empty.
    pub resource_version: String,
    /// Labels.
    pub labels: Labels,
    /// The annotations that Berth reads ([`ObjectMeta::reads_annotation`]).
    pub annotations: Labels,
    /// When the object was created.
    pub creation_timestamp: Option<Time>,
    /// When it is to be gone, once its deletion was asked for.
    pub deletion_timestamp: Option<Time>,
    /// The grace period that the deletion stored, in seconds.
    pub deletion_grace_period_seconds: Option<i64>,
    /// The objects that own this one.
    pub owner_references: Vec<OwnerReference>,
    /// Whether it stays until its Job has counted it (the finalizer `batch.kubernetes.io/job-tracking`). Other
    /// finalizers are not read.
    pub job_tracking: bool,
}

impl ObjectMeta {
    /// The finalizer of a Job's pods.
    pub const JOB_TRACKING: &'static str = "batch.kubernetes.io/job-tracking";
    /// The owner that manages this object (`metav1.GetControllerOf`).
    pub fn controller(&self) -> Option<&OwnerReference> {
        self.owner_references.iter().find(|owner| owner.controller)
    }

    /// Whether an annotation bears on anything: what a Deployment notes on its ReplicaSets and a Job on its pods, and
    /// what it costs to delete a pod.
    pub fn reads_annotation(name: &str) -> bool {
        name.starts_with("deployment.kubernetes.io/")
            || name.starts_with("batch.kubernetes.io/job-")
            || name == "controller.kubernetes.io/pod-deletion-cost"
    }

    /// Namespace and name.
    pub fn key(&self) -> ObjectKey {
        ObjectKey { namespace: self.namespace.clone(), name: self.name.clone() }
    }
}

/// A condition of an object's status (`metav1.Condition`, `v1.PodCondition`).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Condition {
    /// Which condition.
    pub kind: String,
    /// `True`, `False` or `Unknown`.
    pub status: String,
    /// Why, in one word.
    pub reason: String,
    /// Why, in a sentence.
    pub message: String,
    /// Since when it has its status.
    pub last_transition_time: Option<Time>,
}

impl Condition {
    /// The condition of this kind, if there is one.
    pub fn find<'c>(conditions: &'c [Self], kind: &str) -> Option<&'c Self> {
        conditions.iter().find(|condition| condition.kind == kind)
    }

    /// A condition that says what it is and why.
    pub fn new(kind: &str, status: &str, reason: &str) -> Self {
        Self { kind: kind.into(), status: status.into(), reason: reason.into(), ..Self::default() }
    }

    /// Puts a condition in the place of the one of its kind, or at the end. It has been what it is since now, or if
    /// only its words changed, as long as before. False if that makes no difference (`UpdatePodCondition`).
    pub fn update(conditions: &mut Vec<Self>, mut condition: Self, now: Time) -> bool {
        condition.last_transition_time = Some(now);
        let Some(known) = conditions.iter_mut().find(|known| known.kind == condition.kind) else {
            conditions.push(condition);
            return true;
        };
        if known.status == condition.status {
            condition.last_transition_time = known.last_transition_time;
        }
        let differs = *known != condition;
        *known = condition;
        differs
    }

    /// Puts a condition in the place of the one of its kind, or at the end.
    pub fn set(conditions: &mut Vec<Self>, condition: Self) {
        match conditions.iter_mut().find(|known| known.kind == condition.kind) {
            Some(known) => *known = condition,
            None => conditions.push(condition),
        }
    }
}

/// An entry of `metadata.ownerReferences`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OwnerReference {
    /// API group and version of the owner, like `apps/v1`.
    pub api_version: String,
    /// Kind of the owner.
    pub kind: String,
    /// Name of the owner.
    pub name: String,
    /// Identity of the owner.
    pub uid: String,
    /// Whether the owner is the managing controller.
    pub controller: bool,
}

/// Namespace and name of an object.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ObjectKey {
    /// Namespace; empty for objects of the whole cluster.
    pub namespace: String,
    /// Name.
    pub name: String,
}

impl ObjectKey {
    /// A key from its two parts.
    pub fn new(namespace: impl Into<String>, name: impl Into<String>) -> Self {
        Self { namespace: namespace.into(), name: name.into() }
    }

    /// Reads `namespace/name`; a bare name has an empty namespace.
    pub fn parse(text: &str) -> Self {
        match text.split_once('/') {
            Some((namespace, name)) => Self::new(namespace, name),
            None => Self::new("", text),
        }
    }
}

impl fmt::Display for ObjectKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.namespace.is_empty() {
            f.write_str(&self.name)
        } else {
            write!(f, "{}/{}", self.namespace, self.name)
        }
    }
}
