//! Why the API server refuses a request.

use alloc::string::String;
use core::fmt;

use crate::api::field_error::quote;
use crate::api::{Kind, WorkloadKind};
use crate::apiserver::Refusal;
use crate::apiserver::deletion::Refused;

/// Why the API server refuses a request. `Display` gives its words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ApiError {
    /// There is no such object.
    NotFound(Kind, String),
    /// There is one already.
    AlreadyExists(Kind, String),
    /// The object is not the one that was meant, or has changed since.
    Conflict(Kind, String, Conflict),
    /// An admission plugin or a strategy refuses it: its words.
    Forbidden(String),
    /// An eviction is refused.
    Eviction(Refusal),
    /// A deletion is refused.
    Deletion(Refused),
    /// A controller has not heard of its own writes yet: its cache of this kind is too old for this workload.
    Stale(Kind, String),
    /// The request makes no sense: the words.
    BadRequest(String),
}

/// What is in the way of a write.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Conflict {
    /// The object has another resource version by now.
    Modified,
    /// The object has another identity: the one that was asked for and the one that it has.
    Uid(String, String),
    /// A pod cannot be bound: why.
    Binding(String),
}

impl fmt::Display for ApiError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotFound(kind, name) => {
                write!(f, "{} {} not found", resource(*kind), quote(name))
            }
            Self::AlreadyExists(kind, name) => {
                write!(f, "{} {} already exists", resource(*kind), quote(name))
            }
            Self::Conflict(kind, name, conflict) => {
                let sub = if matches!(conflict, Conflict::Binding(_)) { "/binding" } else { "" };
                let resource = resource(*kind);
                write!(f, "Operation cannot be fulfilled on {resource}{sub} {}: ", quote(name))?;
                match conflict {
                    Conflict::Modified => f.write_str(
                        "the object has been modified; please apply your changes to the latest version and try again",
                    ),
                    Conflict::Uid(wanted, found) => write!(f, "uid mismatch: {wanted}, {found}"),
                    Conflict::Binding(words) => f.write_str(words),
                }
            }
            Self::Forbidden(words) | Self::BadRequest(words) => f.write_str(words),
            Self::Stale(kind, name) => {
                write!(
                    f,
                    "the cache of {} is older than what was written for {}",
                    resource(*kind),
                    quote(name)
                )
            }
            Self::Eviction(refusal) => refusal.fmt(f),
            Self::Deletion(refused) => refused.fmt(f),
        }
    }
}

impl core::error::Error for ApiError {}

/// The plural of a kind with its group, as `GroupResource` prints it.
pub const fn resource(kind: Kind) -> &'static str {
    match kind {
        Kind::Node => "nodes",
        Kind::Pod => "pods",
        Kind::Namespace => "namespaces",
        Kind::PriorityClass => "priorityclasses.scheduling.k8s.io",
        Kind::PodDisruptionBudget => "poddisruptionbudgets.policy",
        Kind::Service => "services",
        Kind::Workload(kind) => match kind {
            WorkloadKind::Deployment => "deployments.apps",
            WorkloadKind::ReplicaSet => "replicasets.apps",
            WorkloadKind::ReplicationController => "replicationcontrollers",
            WorkloadKind::StatefulSet => "statefulsets.apps",
            WorkloadKind::DaemonSet => "daemonsets.apps",
            WorkloadKind::Job => "jobs.batch",
        },
    }
}
