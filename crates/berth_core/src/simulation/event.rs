//! What happens, as it is told.

use alloc::string::String;

use super::objects::{as_pod, as_workload};
use super::server::{Action, Change, Report};
use crate::api::{
    Condition, Kind, Object, ObjectKey, Pod, PodDisruptionBudgetStatus, PodPhase, WorkloadKind,
};
use crate::queue::Instant;

/// Something that happened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Event {
    /// When.
    pub at: Instant,
    /// The object that it happened to.
    pub key: ObjectKey,
    /// What.
    pub what: What,
}

/// What happened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum What {
    /// The API server refused what the user asked for.
    ActionFailed {
        /// The kind of the object.
        kind: Kind,
        /// The API server's words.
        message: String,
    },
    /// A node came.
    NodeAdded,
    /// A node changed.
    NodeUpdated,
    /// A node went.
    NodeDeleted,
    /// A node went down.
    NodeDown,
    /// A node that was down is back.
    NodeUp,
    /// A ReplicaSet came, or wants another number of pods.
    ReplicaSet {
        /// How many it wants now.
        replicas: i32,
        /// How many it wanted; none if it is new.
        before: Option<i32>,
    },
    /// A pod was created.
    Created {
        /// Its priority.
        priority: i32,
        /// The node that it is for already; or empty.
        node: String,
    },
    /// An attempt to schedule a pod failed.
    FailedScheduling {
        /// Kubernetes' text.
        message: String,
    },
    /// A pod was bound.
    Scheduled {
        /// To this node.
        node: String,
    },
    /// A pod was nominated to a node.
    Nominated {
        /// The node.
        node: String,
    },
    /// A pod lost its nomination, not by being bound.
    NominationCleared {
        /// The node.
        node: String,
    },
    /// A pod's phase changed.
    Phase {
        /// The phase.
        phase: PodPhase,
        /// Its node.
        node: String,
    },
    /// A pod is being deleted.
    Deleting {
        /// Its node; or empty.
        node: String,
        /// The seconds that it has to end.
        grace: i64,
        /// What disrupts it, as its condition `DisruptionTarget` says; or empty.
        reason: String,
    },
    /// A pod is being deleted for another.
    Preempted {
        /// Its node.
        node: String,
        /// The other pod.
        by: ObjectKey,
        /// Kubernetes' text.
        message: String,
    },
    /// A container of a pod that is being deleted gets a signal.
    Signal {
        /// Its name.
        container: String,
        /// Which.
        signal: Signal,
        /// The seconds from SIGTERM to SIGKILL.
        grace: i64,
    },
    /// A pod is gone.
    Deleted {
        /// Its node; or empty.
        node: String,
    },
    /// A disruption budget's status changed.
    Budget(PodDisruptionBudgetStatus),
    /// A component reported an event.
    Reported(Report),
}

/// What a container runtime sends to a container that is to end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Signal {
    /// A program may end as it likes.
    Term,
    /// Its end.
    Kill,
}

impl Signal {
    /// Its name.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Term => "SIGTERM",
            Self::Kill => "SIGKILL",
        }
    }
}

/// The events that a write is.
pub(super) fn of_change(change: &Change, mut tell: impl FnMut(What)) {
    match (&change.object, change.action) {
        (Object::Node(_), Action::Added) => tell(What::NodeAdded),
        (Object::Node(_), Action::Modified) => tell(What::NodeUpdated),
        (Object::Node(_), Action::Deleted) => tell(What::NodeDeleted),
        (Object::Pod(pod), action) => {
            of_pod(pod, change.old.as_ref().and_then(as_pod).map(|old| &**old), action, tell);
        }
        (Object::PodDisruptionBudget(budget), Action::Modified) => {
            let status = |object: &Object| match object {
                Object::PodDisruptionBudget(budget) => Some(budget.status.clone()),
                _ => None,
            };
            let old = change.old.as_ref().and_then(status);
            let is_same = |old: &PodDisruptionBudgetStatus| {
                old.observed_generation != 0 && numbers(old) == numbers(&budget.status)
            };
            if !old.as_ref().is_some_and(is_same) {
                tell(What::Budget(budget.status.clone()));
            }
        }
        (Object::Workload(set), Action::Added) if set.kind == WorkloadKind::ReplicaSet => {
            tell(What::ReplicaSet { replicas: set.replicas.unwrap_or(1), before: None });
        }
        (Object::Workload(set), Action::Modified) if set.kind == WorkloadKind::ReplicaSet => {
            let old = change.old.as_ref().and_then(as_workload);
            let before = old.map_or(1, |old| old.replicas.unwrap_or(1));
            let replicas = set.replicas.unwrap_or(1);
            if before != replicas {
                tell(What::ReplicaSet { replicas, before: Some(before) });
            }
        }
        _ => {}
    }
}

/// What a budget's status says, but for how it came about.
fn numbers(status: &PodDisruptionBudgetStatus) -> (i32, i32, i32, i32, usize) {
    let PodDisruptionBudgetStatus { disruptions_allowed, current_healthy, .. } = *status;
    let disrupted = status.disrupted_pods.len();
    (disruptions_allowed, current_healthy, status.desired_healthy, status.expected_pods, disrupted)
}

fn of_pod(pod: &Pod, old: Option<&Pod>, action: Action, mut tell: impl FnMut(What)) {
    let node = || pod.spec.node_name.clone();
    let old = match (action, old) {
        (Action::Deleted, _) => return tell(What::Deleted { node: node() }),
        (Action::Modified, Some(old)) => old,
        _ => {
            let priority = pod.spec.priority.unwrap_or(0);
            return tell(What::Created { priority, node: node() });
        }
    };
    let bound = old.spec.node_name.is_empty() && !pod.spec.node_name.is_empty();
    if bound {
        tell(What::Scheduled { node: node() });
    }
    let (was, is) = (&old.status.nominated_node_name, &pod.status.nominated_node_name);
    if was != is && !bound {
        tell(if is.is_empty() {
            What::NominationCleared { node: was.clone() }
        } else {
            What::Nominated { node: is.clone() }
        });
    }
    if old.metadata.deletion_timestamp.is_none() && pod.metadata.deletion_timestamp.is_some() {
        let target = Condition::find(&pod.status.conditions, "DisruptionTarget");
        tell(What::Deleting {
            node: node(),
            grace: pod.metadata.deletion_grace_period_seconds.unwrap_or(0),
            reason: target.map(|target| target.reason.clone()).unwrap_or_default(),
        });
    }
    if old.status.phase != pod.status.phase {
        tell(What::Phase { phase: pod.status.phase, node: node() });
    }
}
