//! A node with the sums over its pods.
//!
//! Mirrors `NodeInfo` of `pkg/scheduler/framework/types.go`.

use alloc::sync::Arc;
use alloc::vec::Vec;

use super::ports::HostPort;
use super::resources::Resources;
use super::{PodIdx, PodInfo, StrId};
use crate::api::{Node, Taint};

/// A node's slot. It exists without a node when pods name a node that is not there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NodeInfo {
    /// Name.
    pub name: Arc<str>,
    /// The object; none for a node that is gone or not yet there.
    pub node: Option<Arc<Node>>,
    /// Labels, keys in order of number.
    pub labels: Vec<(StrId, StrId)>,
    /// What pods may use.
    pub allocatable: Resources,
    /// How many pods may run.
    pub allowed_pods: i64,
    /// What the pods ask for.
    pub requested: Resources,
    /// What the pods count as in scores: thousandths of a core.
    pub non_zero_milli_cpu: i64,
    /// What the pods count as in scores: bytes.
    pub non_zero_memory: i64,
    /// Pods, in the order that removals leave: the last one moves into the gap.
    pub pods: Vec<PodIdx>,
    /// Host ports in use, each once.
    pub ports: Vec<HostPort>,
    /// Images, as of the node's last refresh.
    pub images: Vec<ImageState>,
    /// Counts the changes of this node.
    pub generation: u64,
}

/// An image on a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ImageState {
    /// Name.
    pub name: StrId,
    /// Size in bytes.
    pub size: i64,
    /// How many nodes have it.
    pub nodes: i64,
}

impl NodeInfo {
    /// A slot without a node.
    pub fn new(name: &str) -> Self {
        Self {
            name: Arc::from(name),
            node: None,
            labels: Vec::new(),
            allocatable: Resources::default(),
            allowed_pods: 0,
            requested: Resources::default(),
            non_zero_milli_cpu: 0,
            non_zero_memory: 0,
            pods: Vec::new(),
            ports: Vec::new(),
            images: Vec::new(),
            generation: 0,
        }
    }

    /// Value of a label.
    pub fn label(&self, key: StrId) -> Option<StrId> {
        self.labels
            .binary_search_by_key(&key, |(known, _)| *known)
            .ok()
            .and_then(|i| self.labels.get(i))
            .map(|(_, value)| *value)
    }

    /// Taints of the node.
    pub fn taints(&self) -> &[Taint] {
        self.node.as_ref().map_or(&[], |node| &node.spec.taints)
    }

    /// Labels of the object.
    pub fn api_labels(&self) -> Option<&crate::api::Labels> {
        self.node.as_ref().map(|node| &node.metadata.labels)
    }

    /// How many pods run.
    pub fn pod_count(&self) -> i64 {
        self.pods.len() as i64
    }

    /// A pod comes: sums and ports (`AddPodInfo`).
    pub fn add_pod(&mut self, idx: PodIdx, pod: &PodInfo) {
        self.add_pod_at(idx, pod, usize::MAX);
    }

    /// A pod comes to a place in the list; who stood there moves to the end, so that this is the
    /// exact opposite of a removal.
    pub(super) fn add_pod_at(&mut self, idx: PodIdx, pod: &PodInfo, at: usize) {
        self.pods.push(idx);
        let last = self.pods.len() - 1;
        self.pods.swap(at.min(last), last);
        self.requested.add(&pod.requests);
        self.non_zero_milli_cpu = self.non_zero_milli_cpu.wrapping_add(pod.non_zero_milli_cpu);
        self.non_zero_memory = self.non_zero_memory.wrapping_add(pod.non_zero_memory);
        for port in &pod.host_ports {
            if !self.ports.contains(port) {
                self.ports.push(*port);
            }
        }
    }

    /// A pod leaves: sums and ports (`RemovePod`).
    pub fn remove_pod(&mut self, idx: PodIdx, pod: &PodInfo) {
        if let Some(at) = self.pods.iter().position(|known| *known == idx) {
            self.pods.swap_remove(at);
            self.requested.sub(&pod.requests);
            self.non_zero_milli_cpu = self.non_zero_milli_cpu.wrapping_sub(pod.non_zero_milli_cpu);
            self.non_zero_memory = self.non_zero_memory.wrapping_sub(pod.non_zero_memory);
            self.ports.retain(|port| !pod.host_ports.contains(port));
        }
    }
}
