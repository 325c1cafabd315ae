//! Objects that make pods.

use alloc::string::String;

use super::pod::api_enum;
use super::{IntOrPercent, LabelSelector, Labels, ObjectMeta, PodSpec};

api_enum! {
    /// Which kind of workload.
    WorkloadKind {
        /// `apps/v1` Deployment.
        Deployment = "Deployment",
        /// `apps/v1` ReplicaSet.
        ReplicaSet = "ReplicaSet",
        /// `v1` ReplicationController.
        ReplicationController = "ReplicationController",
        /// `apps/v1` StatefulSet.
        StatefulSet = "StatefulSet",
        /// `apps/v1` DaemonSet.
        DaemonSet = "DaemonSet",
        /// `batch/v1` Job.
        Job = "Job",
    }
}

impl WorkloadKind {
    /// The API group and version that the kind lives in.
    pub const fn api_version(self) -> &'static str {
        match self {
            Self::ReplicationController => "v1",
            Self::Job => "batch/v1",
            Self::Deployment | Self::ReplicaSet | Self::StatefulSet | Self::DaemonSet => "apps/v1",
        }
    }
}

/// An object that makes pods from a template.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Workload {
    /// Which kind.
    pub kind: WorkloadKind,
    /// Name and namespace.
    pub metadata: ObjectMeta,
    /// How many pods (a Job's `parallelism`); none where the kind has no such field.
    pub replicas: Option<i32>,
    /// A Job's `completions`.
    pub completions: Option<i32>,
    /// Whether a Job's pods are told apart by an index (`completionMode: Indexed`).
    pub indexed: bool,
    /// Whether a Job makes no pods for now (`suspend`).
    pub suspended: bool,
    /// The number of a StatefulSet's first pod (`ordinals.start`).
    pub first_ordinal: i32,
    /// Its pods. A ReplicationController's label map is `matchLabels`.
    pub selector: Option<LabelSelector>,
    /// What its pods are made from.
    pub template: PodTemplate,
    /// How pods are replaced when the template changes.
    pub update_strategy: Option<UpdateStrategy>,
}

/// `template` of a workload.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct PodTemplate {
    /// Labels of the pods.
    pub labels: Labels,
    /// Their spec.
    pub spec: PodSpec,
}

/// How a workload replaces its pods.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct UpdateStrategy {
    /// `RollingUpdate`, `Recreate` or `OnDelete`.
    pub kind: String,
    /// Pods above the wanted number during a rollout.
    pub max_surge: Option<IntOrPercent>,
    /// Pods that may be missing during a rollout.
    pub max_unavailable: Option<IntOrPercent>,
}
