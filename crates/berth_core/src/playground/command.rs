//! What can be done to a cluster, and what comes of it.

use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use crate::api::field_error::quote;
use crate::api::{FieldErrors, Kind, Object, ObjectKey};
use crate::framework::config::Configuration;
use crate::framework::plugin::PluginId;
use crate::framework::profile::ProfileError;

/// A change to the cluster.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// Adds or replaces an object: every edit of a pod or node is one.
    Put(Object),
    /// Removes an object.
    Drop(Kind, ObjectKey),
    /// Replaces the scheduler's configuration.
    Configure(Box<Configuration>),
    /// Replaces the seed that decides among equal nodes.
    Reseed(u64),
    /// Sets `spec.nodeName`, as binding does, whether or not the pod fits.
    Place {
        /// The pod.
        pod: ObjectKey,
        /// The node.
        node: String,
    },
    /// Takes a pod off its node, so that it waits again.
    Return {
        /// The pod.
        pod: ObjectKey,
    },
    /// Lets the scheduler choose a node.
    Schedule {
        /// The pod.
        pod: ObjectKey,
    },
    /// Makes room for a pod and puts it there, as `DefaultPreemption` and the cycles after it do:
    /// the victims go, lower pods lose their nomination to the node, and the pod is bound. The time
    /// that kube-scheduler gives the victims to stop is left out.
    Preempt {
        /// The pod.
        pod: ObjectKey,
    },
    /// Lets the scheduler attempt the next pod of its queue.
    ScheduleNext,
    /// Lets the scheduler attempt pod after pod, until none is left that could be scheduled now.
    ScheduleAll,
    /// Several changes that are one to the user.
    Batch {
        /// What the user called it, for the undo button.
        name: String,
        /// The changes.
        commands: Vec<Command>,
    },
}

impl Command {
    /// Whether it lets the scheduler work: time stands still meanwhile.
    pub(super) const fn schedules(&self) -> bool {
        matches!(
            self,
            Self::Schedule { .. } | Self::Preempt { .. } | Self::ScheduleNext | Self::ScheduleAll
        )
    }
}

/// A command that was carried out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Applied {
    /// The revision that it made.
    pub revision: u32,
    /// What came of it.
    pub outcome: Outcome,
}

/// What came of a command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The cluster changed.
    Changed,
    /// A pod is on a node now.
    Placed {
        /// The node.
        node: String,
        /// Whether the scheduler would not have put it there.
        bypassed: bool,
        /// How many nodes were equally good.
        ties: u32,
    },
    /// Pods made room for a pod, which is on a node now.
    Preempted {
        /// The node.
        node: String,
        /// The pods that went, the more important first.
        victims: Vec<ObjectKey>,
        /// How many candidates were equally good.
        ties: u32,
    },
    /// The scheduler found no node.
    NotPlaced,
    /// The scheduler worked at its queue.
    Ran(Run),
}

/// What the scheduler did, attempt by attempt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Run {
    /// In order.
    pub attempts: Vec<Attempt>,
    /// Whether no pod is left that could be scheduled now.
    pub at_rest: bool,
}

/// An attempt to schedule a pod.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attempt {
    /// The pod.
    pub pod: ObjectKey,
    /// The how manieth attempt for this pod it was, from 1.
    pub number: u32,
    /// What came of it.
    pub result: AttemptResult,
}

/// What came of an attempt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AttemptResult {
    /// The pod is on a node now.
    Bound {
        /// The node.
        node: String,
        /// How many nodes were equally good.
        ties: u32,
    },
    /// No node could take it, but one can once others are gone: it is nominated to that node and waits.
    Preempting {
        /// The node.
        node: String,
        /// Kubernetes' text: why no node could take it.
        message: String,
        /// The pods that have to go, the more important first.
        victims: Vec<Victim>,
        /// Lower pods that were nominated to the node, and no longer are.
        cleared: Vec<ObjectKey>,
        /// How many nodes were equally good.
        ties: u32,
    },
    /// No node could take it, or the scheduler could not work: it waits.
    Unschedulable {
        /// Kubernetes' text.
        message: String,
        /// The plugins that refused it; none after an error, or if there are no nodes.
        plugins: Vec<PluginId>,
        /// The node that it is no longer nominated to.
        lost_nomination: Option<String>,
    },
    /// The pod is being deleted, so it is not scheduled.
    Skipped {
        /// Kubernetes' text.
        message: String,
    },
}

/// A pod that has to go for another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Victim {
    /// The pod.
    pub pod: ObjectKey,
    /// Whether it was deleted for this: not if it was being deleted already.
    pub deleted: bool,
}

/// Why a command was not carried out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CommandError {
    /// The object is not there.
    NotFound(Kind, ObjectKey),
    /// No profile has the pod's scheduler name.
    NoProfile(String),
    /// The configuration cannot run.
    Profile(ProfileError),
    /// The API server would not take the object.
    Invalid {
        /// Its kind and group, as the API server prints them.
        kind: &'static str,
        /// Its name.
        name: String,
        /// What is wrong with it.
        errors: FieldErrors,
    },
    /// An admission plugin would refuse the object: its words.
    Forbidden(String),
    /// The playground's machine cannot run the queue.
    NoQueue,
}

impl fmt::Display for CommandError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotFound(kind, key) => write!(f, "{} \"{key}\" not found", kind.as_str()),
            Self::NoProfile(name) => {
                write!(f, "profile not found for scheduler name \"{name}\"")
            }
            Self::Profile(error) => error.fmt(f),
            Self::Invalid { kind, name, errors } => {
                write!(f, "{kind} {} is invalid: {errors}", quote(name))
            }
            Self::Forbidden(words) => f.write_str(words),
            Self::NoQueue => f.write_str("the scheduling queue cannot be run yet"),
        }
    }
}

impl core::error::Error for CommandError {}
