//! The in-tree plugins, a folder each, named after kube-scheduler's packages.
//!
//! VolumeRestrictions, NodeVolumeLimits, VolumeBinding, VolumeZone, DynamicResources and
//! NodeDeclaredFeatures skip, as they do for a pod without volumes and claims: see `framework::cycle`.

pub mod image_locality;
pub mod inter_pod_affinity;
pub mod node_affinity;
pub mod node_name;
pub mod node_ports;
pub mod node_resources;
pub mod node_unschedulable;
pub mod pod_topology_spread;
pub mod scheduling_gates;
pub mod taint_toleration;
