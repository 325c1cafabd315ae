//! Objects that make pods.

use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;

use super::pod::api_enum;
use super::{Condition, IntOrPercent, LabelSelector, Labels, ObjectMeta, PodSpec, Time};

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
    /// What only its controller reads of its spec.
    pub control: Arc<WorkloadControl>,
    /// What its controller has observed.
    pub status: Arc<WorkloadStatus>,
}

/// The part of a workload's spec that bears on nothing but what its controller does over time.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WorkloadControl {
    /// For how many seconds a pod has to be ready to be available.
    pub min_ready_seconds: i32,
    /// Whether a Deployment waits with its rollout.
    pub paused: bool,
    /// How many old ReplicaSets a Deployment keeps; none keeps all.
    pub revision_history_limit: Option<i32>,
    /// After how many seconds a rollout that does not get on has failed; none never.
    pub progress_deadline_seconds: Option<i32>,
    /// Whether a StatefulSet makes and deletes its pods at once (`podManagementPolicy: Parallel`).
    pub parallel: bool,
    /// What is particular to Jobs.
    pub job: JobControl,
}

/// What a Job's controller reads of its spec.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct JobControl {
    /// So many failed pods do not yet make it fail; none means 6.
    pub backoff_limit: Option<i32>,
    /// For how many seconds it may run.
    pub active_deadline_seconds: Option<i64>,
    /// Whether a pod is replaced only once it has ended (`podReplacementPolicy: Failed`).
    pub replace_failed_only: bool,
    /// What is made of a failed pod, the first rule that matches.
    pub pod_failure_policy: Vec<PodFailureRule>,
    /// So many failures of one index do not yet make the index fail; none counts failures of all together.
    pub backoff_limit_per_index: Option<i32>,
    /// So many failed indexes do not yet make it fail.
    pub max_failed_indexes: Option<i32>,
    /// When some indexes are enough; one rule will do.
    pub success_policy: Vec<SuccessRule>,
    /// How many seconds after its end it is deleted; none never.
    pub ttl_seconds_after_finished: Option<i32>,
}

/// A rule of a Job's `podFailurePolicy`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PodFailureRule {
    /// What comes of it.
    pub action: PodFailureAction,
    /// Exit codes of the pod's containers.
    pub on_exit_codes: Option<ExitCodes>,
    /// Conditions of the pod, by kind and status; one of them will do. They count if there are no exit codes.
    pub on_pod_conditions: Vec<(String, String)>,
}

/// `onExitCodes` of a rule for failed pods. 0 never matches.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ExitCodes {
    /// The container that is meant; none means any.
    pub container: Option<String>,
    /// `NotIn`: any code but these.
    pub others: bool,
    /// The codes.
    pub values: Vec<i32>,
}

/// A rule of a Job's `successPolicy`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SuccessRule {
    /// The indexes that are meant, like `0,2-4`; none means any.
    pub succeeded_indexes: Option<String>,
    /// How many of them have to succeed; none means all.
    pub succeeded_count: Option<i32>,
}

api_enum! {
    /// `action` of a rule for failed pods.
    PodFailureAction {
        /// The Job fails.
        FailJob = "FailJob",
        /// The index fails.
        FailIndex = "FailIndex",
        /// It does not count.
        Ignore = "Ignore",
        /// It counts as any other failure.
        Count = "Count",
    }
}

/// `status` of a workload: each kind has some of these.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WorkloadStatus {
    /// The generation of the spec that it is about.
    pub observed_generation: i64,
    /// Pods that are there (a DaemonSet's `currentNumberScheduled`, a Job's `active`).
    pub replicas: i32,
    /// Pods with all labels of the template.
    pub fully_labeled_replicas: i32,
    /// Pods that are ready.
    pub ready_replicas: i32,
    /// Pods that have been ready for long enough.
    pub available_replicas: i32,
    /// Pods that are wanted and not available.
    pub unavailable_replicas: i32,
    /// Pods of the present template.
    pub updated_replicas: i32,
    /// Pods on their way out.
    pub terminating_replicas: Option<i32>,
    /// A StatefulSet's pods of the revision that it comes from.
    pub current_replicas: i32,
    /// The revision that a StatefulSet comes from.
    pub current_revision: String,
    /// The revision that a StatefulSet goes to.
    pub update_revision: String,
    /// How often the name for a template was taken.
    pub collision_count: Option<i32>,
    /// A DaemonSet's pods on nodes where they should run, and should not.
    pub scheduled: (i32, i32),
    /// A Job's pods that ended well, and badly.
    pub ended: (i32, i32),
    /// When a Job began.
    pub start_time: Option<Time>,
    /// What else a Job's controller keeps in mind.
    pub job: JobStatus,
    /// When a Deployment last got on (`lastUpdateTime` of its condition `Progressing`).
    pub progressed: Option<Time>,
    /// Conditions, like `Progressing`.
    pub conditions: Vec<Condition>,
}

/// What only a Job's status has.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct JobStatus {
    /// The indexes that succeeded, like `0,2-4`.
    pub completed_indexes: String,
    /// The indexes that failed, if they are counted.
    pub failed_indexes: Option<String>,
    /// Identities of pods that ended well, and badly, and that are not in the counts yet
    /// (`uncountedTerminatedPods`).
    pub uncounted: (Vec<String>, Vec<String>),
    /// When it was complete.
    pub completion_time: Option<Time>,
}

/// `template` of a workload.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct PodTemplate {
    /// Labels of the pods.
    pub labels: Labels,
    /// Their spec.
    pub spec: PodSpec,
    /// Kubernetes' hash of the whole template as it was written, with all that is not read here.
    pub digest: Option<u32>,
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
    /// A StatefulSet's pods with lower numbers stay as they are.
    pub partition: i32,
}
