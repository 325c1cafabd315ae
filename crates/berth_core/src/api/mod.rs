//! Kubernetes objects, as far as scheduling reads them.
//!
//! Field names and meanings are the API's own (`k8s.io/api` v0.36.3). Where the API allows any
//! text but validation admits a closed set, the type here is that set: the decoder refuses the
//! rest in the API server's words. Selector operators stay text, because the scheduler itself
//! reports an operator that it cannot use.

pub mod field_error;
pub mod hooks;
pub mod meta;
pub mod names;
pub mod node;
pub mod node_selector;
pub mod object;
pub mod pod;
pub mod policy;
pub mod qos;
pub mod quantity;
pub mod resources;
pub mod scheduling;
pub mod selector;
pub mod service;
pub mod workload;

pub use field_error::{BadValue, FieldError, FieldErrorKind, FieldErrors};
pub use hooks::{Hooks, PreStop, Probe, ProbeHandler, ProbeKind};
pub use meta::{Condition, Labels, ObjectKey, ObjectMeta, OwnerReference, Time};
pub use node::{ContainerImage, Namespace, Node, NodeSpec, NodeStatus, Taint, TaintEffect};
pub use node_selector::{
    LazyNodeSelector, NodeSelector, NodeSelectorRequirement, NodeSelectorTerm,
    PreferredSchedulingTerm, PreferredTerms, RequiredNodeAffinity, RequiredNodeSelector,
};
pub use object::{Kind, Object};
pub use pod::{
    Affinity, Container, ContainerPort, ContainerStatus, NodeAffinity, NodeInclusionPolicy, Pod,
    PodAffinity, PodAffinityTerm, PodPhase, PodSpec, PodStatus, PreemptionPolicy, Protocol,
    RestartPolicy, Toleration, TolerationOperator, TopologySpreadConstraint,
    UnsatisfiableConstraintAction, Volume, VolumeSource, WeightedPodAffinityTerm,
};
pub use policy::{
    IntOrPercent, PodDisruptionBudget, PodDisruptionBudgetStatus, StatusSource,
    UnhealthyPodEvictionPolicy,
};
pub use qos::{QosClass, compute_qos};
pub use quantity::{Format, Quantity, QuantityError};
pub use resources::{ResourceList, ResourceRequirements};
pub use scheduling::PriorityClass;
pub use selector::{
    LabelSelector, LabelSelectorRequirement, Operator, Requirement, Selector, SelectorError,
};
pub use service::Service;
pub use workload::{
    ExitCodes, JobControl, JobStatus, PodFailureAction, PodFailureRule, PodTemplate, SuccessRule,
    UpdateStrategy, Workload, WorkloadControl, WorkloadKind, WorkloadStatus,
};
