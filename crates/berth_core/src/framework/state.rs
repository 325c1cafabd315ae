//! What plugins prepare before they look at nodes.
//!
//! Mirrors `CycleState` of `pkg/scheduler/framework/cycle_state.go`, with a typed place for each
//! plugin instead of a map.

use crate::collections::Set;
use alloc::borrow::Cow;
use alloc::string::String;

use crate::cluster::{Cluster, PodInfo};
use crate::framework::profile::Profile;
use crate::plugins::{
    inter_pod_affinity, node_affinity, node_ports, node_resources, pod_topology_spread,
};

/// What a cycle is about.
#[derive(Clone, Copy, Debug)]
pub struct Context<'a> {
    /// The cluster.
    pub cluster: &'a Cluster,
    /// The profile.
    pub profile: &'a Profile,
    /// The pod to place.
    pub pod: &'a PodInfo,
}

/// Outcome of PreFilter.
#[derive(Clone, Debug)]
pub enum PreFilter<T> {
    /// Filter has nothing to do for this pod.
    Skip,
    /// Filter can run.
    Ready(T),
    /// No node can do (`UnschedulableAndUnresolvable`), with Kubernetes' text.
    Rejected(Cow<'static, str>),
    /// The plugin could not work, with Go's text.
    Error(String),
}

impl<T> PreFilter<T> {
    /// The state, if there is one.
    pub fn ready(&self) -> Option<&T> {
        match self {
            Self::Ready(state) => Some(state),
            _ => None,
        }
    }

    /// The state, to be changed, if there is one.
    pub fn ready_mut(&mut self) -> Option<&mut T> {
        match self {
            Self::Ready(state) => Some(state),
            _ => None,
        }
    }
}

/// What the PreFilter plugins prepared; none where PreFilter does not run for the plugin.
#[derive(Clone, Debug, Default)]
pub struct FilterState {
    /// NodeAffinity.
    pub node_affinity: Option<PreFilter<node_affinity::PreFilterState>>,
    /// NodePorts.
    pub node_ports: Option<PreFilter<node_ports::PreFilterState>>,
    /// NodeResourcesFit.
    pub fit: Option<PreFilter<node_resources::fit::PreFilterState>>,
    /// PodTopologySpread.
    pub spread: Option<PreFilter<pod_topology_spread::filtering::PreFilterState>>,
    /// InterPodAffinity.
    pub affinity: Option<PreFilter<inter_pod_affinity::filtering::PreFilterState>>,
}

impl FilterState {
    /// Names of the only nodes that can do, if PreFilter found such (`PreFilterResult`).
    pub fn node_names(&self) -> Option<&Set<String>> {
        self.node_affinity.as_ref()?.ready()?.node_names.as_ref()
    }
}

/// Outcome of PreScore.
#[derive(Clone, Debug)]
pub enum PreScore<T> {
    /// Score has nothing to do for this pod.
    Skip,
    /// Score can run.
    Ready(T),
    /// The plugin could not work, with Go's text.
    Error(String),
}
