//! A pod with what the scheduler derives from it once.
//!
//! Mirrors `PodInfo` of `pkg/scheduler/framework/types.go`.

use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;

use super::affinity_term::{AffinityTerms, TermError};
use super::ports::{HostPort, host_ports};
use super::requests::{RequestOptions, non_zero_requests, pod_requests};
use super::resources::Resources;
use super::{LabelSetId, NodeIdx, StrId, Strings};
use crate::api::{Labels, ObjectKey, Pod, Time};

/// A pod in the store.
#[derive(Clone, Debug)]
pub struct PodInfo {
    /// The object.
    pub pod: Arc<Pod>,
    /// Identity: the object's UID, or one made from its key.
    pub uid: String,
    /// Priority, here so that comparing many pods does not read each object; none counts as 0.
    priority: i32,
    /// When the kubelet took it.
    pub start_time: Option<Time>,
    /// Its namespace.
    pub namespace: StrId,
    /// Its labels.
    pub labels: LabelSetId,
    /// What it takes from a node.
    pub requests: Resources,
    /// What it counts as in scores: thousandths of a core.
    pub non_zero_milli_cpu: i64,
    /// What it counts as in scores: bytes.
    pub non_zero_memory: i64,
    /// The host ports it takes.
    pub host_ports: Vec<HostPort>,
    /// Its affinity and anti-affinity, compiled.
    pub terms: AffinityTerms,
    /// Why some of its terms are missing, if any are.
    pub term_error: Option<TermError>,
    /// Whether it goes to the node that it names; a pod in question may name one and still wait.
    pub bound: bool,
    /// The node on which it counts.
    pub node: Option<NodeIdx>,
}

impl PodInfo {
    /// Derives everything from the object.
    pub fn new(pod: Arc<Pod>, strings: &mut Strings, label_sets: &mut Strings) -> Self {
        let list = pod_requests(&pod, RequestOptions::AS_SCHEDULED);
        let (requests, _) = Resources::from_list(&list, strings);
        let (non_zero_milli_cpu, non_zero_memory) = non_zero_requests(&pod, &list);
        let labels = label_sets.intern(&labels_text(&pod.metadata.labels));
        let uid = if pod.metadata.uid.is_empty() {
            alloc::format!("{}", pod.metadata.key())
        } else {
            pod.metadata.uid.clone()
        };
        let (terms, term_error) = AffinityTerms::new(&pod, strings);
        Self {
            uid,
            priority: pod.priority(),
            start_time: pod.status.start_time,
            namespace: strings.intern(&pod.metadata.namespace),
            labels: LabelSetId(labels.0),
            requests,
            non_zero_milli_cpu,
            non_zero_memory,
            host_ports: host_ports(&pod, strings),
            terms,
            term_error,
            bound: false,
            node: None,
            pod,
        }
    }

    /// Namespace and name.
    pub fn key(&self) -> ObjectKey {
        self.pod.metadata.key()
    }

    /// Priority; none counts as 0.
    pub const fn priority(&self) -> i32 {
        self.priority
    }

    /// Whether it goes to a node, or is nominated to one.
    pub fn has_a_node(&self) -> bool {
        !self.pod.spec.node_name.is_empty() || !self.pod.status.nominated_node_name.is_empty()
    }

    /// Whether its deletion was asked for.
    pub fn is_terminating(&self) -> bool {
        self.pod.metadata.deletion_timestamp.is_some()
    }
}

/// Labels as one text, no two sets alike.
fn labels_text(labels: &Labels) -> String {
    let mut text = String::new();
    for (key, value) in labels {
        for part in [key, value] {
            text.push_str(part);
            text.push('\0');
        }
    }
    text
}
