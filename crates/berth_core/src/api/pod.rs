//! Pods, with everything that scheduling reads.

use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;

use super::{
    Condition, Hooks, LabelSelector, Labels, NodeSelector, ObjectMeta, PreferredSchedulingTerm,
    ResourceList, ResourceRequirements, TaintEffect, Time,
};

/// Declares an enum whose variants are the API's own words.
macro_rules! api_enum {
    ($(#[$meta:meta])* $name:ident { $($(#[$vmeta:meta])* $variant:ident = $text:literal),+ $(,)? }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum $name { $($(#[$vmeta])* $variant),+ }

        impl $name {
            /// Every value, in the API's order.
            pub const ALL: &'static [Self] = &[$(Self::$variant),+];

            /// The API's word.
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $text),+ }
            }
        }

        impl core::fmt::Display for $name {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                f.write_str(self.as_str())
            }
        }
    };
}
pub(crate) use api_enum;

/// A pod (`v1.Pod`).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Pod {
    /// Name, labels, owners, times.
    pub metadata: ObjectMeta,
    /// What is asked for.
    pub spec: PodSpec,
    /// What was observed.
    pub status: PodStatus,
}

impl Pod {
    /// `spec.priority`; 0 where none is set (`PodPriority` of `component-helpers/scheduling/corev1`).
    pub fn priority(&self) -> i32 {
        self.spec.priority.unwrap_or(0)
    }

    /// Whether the kubelet says that the pod is ready (`IsPodReady`).
    pub fn is_ready(&self) -> bool {
        Condition::find(&self.status.conditions, "Ready").is_some_and(|c| c.status == "True")
    }
}

/// `spec` of a pod.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct PodSpec {
    /// Containers that run side by side.
    pub containers: Vec<Container>,
    /// Containers that run before them, sidecars included.
    pub init_containers: Vec<Container>,
    /// What the runtime itself takes.
    pub overhead: ResourceList,
    /// Requests and limits of the pod as a whole.
    pub resources: Option<ResourceRequirements>,
    /// Labels that the node must have.
    pub node_selector: Labels,
    /// Node affinity, pod affinity, pod anti-affinity.
    pub affinity: Option<Affinity>,
    /// How to spread over topology domains.
    pub topology_spread_constraints: Vec<TopologySpreadConstraint>,
    /// Taints that are put up with.
    pub tolerations: Vec<Toleration>,
    /// Names of the gates that keep the pod out of the queue.
    pub scheduling_gates: Vec<String>,
    /// The node; empty while the pod waits.
    pub node_name: String,
    /// The scheduler profile; `default-scheduler` by default.
    pub scheduler_name: String,
    /// Priority; admission computes it from the class.
    pub priority: Option<i32>,
    /// Name of the PriorityClass; may be empty.
    pub priority_class_name: String,
    /// Whether the pod may preempt others.
    pub preemption_policy: Option<PreemptionPolicy>,
    /// Seconds between SIGTERM and SIGKILL.
    pub termination_grace_period_seconds: Option<i64>,
    /// What happens when a container ends.
    pub restart_policy: RestartPolicy,
    /// Whether the pod uses the node's network.
    pub host_network: bool,
    /// Volumes by name.
    pub volumes: Vec<Volume>,
    /// Names of the pod's resource claims (not simulated).
    pub resource_claims: Vec<String>,
    /// Whether the pod needs a feature that nodes declare (not simulated): user namespaces with
    /// the node's network, or a container whose end restarts all others.
    pub needs_node_feature: bool,
}

/// `status` of a pod.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PodStatus {
    /// Where the pod is in its life.
    pub phase: PodPhase,
    /// The node that a preemption was made for; empty if none.
    pub nominated_node_name: String,
    /// When the kubelet took the pod.
    pub start_time: Option<Time>,
    /// Conditions, like `DisruptionTarget`.
    pub conditions: Vec<Condition>,
    /// What the kubelet says of containers, init containers included: an in-place resize shows here.
    pub container_statuses: Vec<ContainerStatus>,
    /// What the kubelet applied of the pod's own requests and limits.
    pub resources: Option<ResourceRequirements>,
    /// What the kubelet set aside for the pod as a whole.
    pub allocated_resources: ResourceList,
}

/// What the kubelet says of a container's resources.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ContainerStatus {
    /// Name of the container.
    pub name: String,
    /// What the runtime applied; none if it was not reported.
    pub resources: Option<ResourceRequirements>,
    /// What the kubelet set aside.
    pub allocated_resources: ResourceList,
    /// The exit code of its end, once it has ended for good.
    pub exit_code: Option<i32>,
    /// When that was.
    pub finished_at: Option<Time>,
    /// How many times it was started again.
    pub restart_count: i32,
}

/// A container.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Container {
    /// Name, unique in the pod.
    pub name: String,
    /// Image.
    pub image: String,
    /// Requests and limits.
    pub resources: ResourceRequirements,
    /// Ports.
    pub ports: Vec<ContainerPort>,
    /// `Always` makes an init container a sidecar.
    pub restart_policy: Option<RestartPolicy>,
    /// How its kubelet looks after it, if there is anything to it.
    pub hooks: Option<Arc<Hooks>>,
}

/// A port of a container.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ContainerPort {
    /// Port in the container.
    pub container_port: i32,
    /// Port on the node; 0 takes none.
    pub host_port: i32,
    /// Address on the node; empty means every address.
    pub host_ip: String,
    /// Protocol.
    pub protocol: Protocol,
}

/// A volume, by name and by what stands behind it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Volume {
    /// Name, unique in the pod.
    pub name: String,
    /// What stands behind it.
    pub source: VolumeSource,
}

/// What stands behind a volume: only what could bear on scheduling is told apart.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum VolumeSource {
    /// A PersistentVolumeClaim by name (not simulated).
    PersistentVolumeClaim(String),
    /// A claim made for this pod alone (not simulated).
    Ephemeral,
    /// An image, by its reference: ImageLocality counts it.
    Image(String),
    /// A cloud or CSI disk that volume plugins count or zone (not simulated), by its field name.
    Disk(String),
    /// Anything that scheduling does not look at, by its field name.
    Other(String),
}

api_enum! {
    /// `protocol` of a port.
    Protocol {
        /// TCP, the default.
        Tcp = "TCP",
        /// UDP.
        Udp = "UDP",
        /// SCTP.
        Sctp = "SCTP" }
}

api_enum! {
    /// `phase` of a pod.
    PodPhase {
        /// Accepted, but not all containers run.
        Pending = "Pending",
        /// Bound, and at least one container runs.
        Running = "Running",
        /// All containers ended well.
        Succeeded = "Succeeded",
        /// All containers ended, one of them badly.
        Failed = "Failed",
        /// The node could not be asked.
        Unknown = "Unknown",
    }
}

#[expect(clippy::derivable_impls, reason = "the macro keeps variants uniform")]
impl Default for PodPhase {
    fn default() -> Self {
        Self::Pending
    }
}

impl PodPhase {
    /// Whether the pod is over, so that it takes no room any more.
    pub const fn is_terminal(self) -> bool {
        matches!(self, Self::Succeeded | Self::Failed)
    }
}

api_enum! {
    /// `preemptionPolicy` of a pod.
    PreemptionPolicy {
        /// May take the room of lower pods.
        PreemptLowerPriority = "PreemptLowerPriority",
        /// Goes ahead in the queue, but takes nobody's room.
        Never = "Never",
    }
}

api_enum! {
    /// `restartPolicy` of a pod or a container.
    RestartPolicy {
        /// Always started again.
        Always = "Always",
        /// Started again after a failure.
        OnFailure = "OnFailure",
        /// Never started again.
        Never = "Never",
    }
}

#[expect(clippy::derivable_impls, reason = "the macro keeps variants uniform")]
impl Default for RestartPolicy {
    fn default() -> Self {
        Self::Always
    }
}

/// A toleration.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Toleration {
    /// Key; empty (with `Exists`) tolerates every key.
    pub key: String,
    /// How key and value are compared.
    pub operator: TolerationOperator,
    /// Value.
    pub value: String,
    /// Effect; none means every effect.
    pub effect: Option<TaintEffect>,
    /// For `NoExecute`: how long a running pod may stay, in seconds.
    pub toleration_seconds: Option<i64>,
}

api_enum! {
    /// `operator` of a toleration.
    TolerationOperator {
        /// Key and value are the same; the default.
        Equal = "Equal",
        /// Any value.
        Exists = "Exists",
        /// Taint's value is less: behind an alpha gate that is off, so never true.
        Lt = "Lt",
        /// Taint's value is greater: behind an alpha gate that is off, so never true.
        Gt = "Gt",
    }
}

/// `affinity` of a pod.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Affinity {
    /// Which nodes.
    pub node_affinity: Option<NodeAffinity>,
    /// Which pods to be near.
    pub pod_affinity: Option<PodAffinity>,
    /// Which pods to be apart from.
    pub pod_anti_affinity: Option<PodAffinity>,
}

/// Which nodes a pod wants.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct NodeAffinity {
    /// Must hold (`requiredDuringSchedulingIgnoredDuringExecution`).
    pub required: Option<NodeSelector>,
    /// Counts for the score (`preferredDuringSchedulingIgnoredDuringExecution`).
    pub preferred: Vec<PreferredSchedulingTerm>,
}

/// Pod affinity or anti-affinity.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct PodAffinity {
    /// Must hold (`requiredDuringSchedulingIgnoredDuringExecution`).
    pub required: Vec<PodAffinityTerm>,
    /// Counts for the score (`preferredDuringSchedulingIgnoredDuringExecution`).
    pub preferred: Vec<WeightedPodAffinityTerm>,
}

/// Which pods, and what counts as near.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct PodAffinityTerm {
    /// Which pods; none matches no pod.
    pub label_selector: Option<LabelSelector>,
    /// In which namespaces.
    pub namespaces: Vec<String>,
    /// In namespaces with which labels; empty matches all, none adds none.
    pub namespace_selector: Option<LabelSelector>,
    /// Nodes with the same value of this label are one domain.
    pub topology_key: String,
    /// Labels whose value the other pod must share.
    pub match_label_keys: Vec<String>,
    /// Labels whose value the other pod must not share.
    pub mismatch_label_keys: Vec<String>,
}

/// A preferred term with its weight.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct WeightedPodAffinityTerm {
    /// 1 to 100.
    pub weight: i32,
    /// The term.
    pub term: PodAffinityTerm,
}

/// A topology spread constraint.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct TopologySpreadConstraint {
    /// How far a domain may be ahead of the emptiest one.
    pub max_skew: i32,
    /// Nodes with the same value of this label are one domain.
    pub topology_key: String,
    /// What happens when the skew would be too large.
    pub when_unsatisfiable: UnsatisfiableConstraintAction,
    /// Which pods are counted; none counts no pod.
    pub label_selector: Option<LabelSelector>,
    /// With fewer eligible domains than this the minimum counts as 0.
    pub min_domains: Option<i32>,
    /// Whether nodes that the pod's affinity excludes are counted; `Honor` by default.
    pub node_affinity_policy: Option<NodeInclusionPolicy>,
    /// Whether nodes with untolerated taints are counted; `Ignore` by default.
    pub node_taints_policy: Option<NodeInclusionPolicy>,
    /// Labels whose value a counted pod must share with the pod.
    pub match_label_keys: Vec<String>,
}

api_enum! {
    /// `whenUnsatisfiable` of a constraint.
    UnsatisfiableConstraintAction {
        /// The node is refused.
        DoNotSchedule = "DoNotSchedule",
        /// The node scores lower.
        ScheduleAnyway = "ScheduleAnyway",
    }
}

api_enum! {
    /// How a constraint treats nodes that the pod could not use.
    NodeInclusionPolicy {
        /// They are counted all the same.
        Ignore = "Ignore",
        /// They are left out.
        Honor = "Honor",
    }
}
