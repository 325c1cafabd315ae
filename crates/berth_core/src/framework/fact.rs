//! What plugins find on a node, in numbers.
//!
//! Each plugin's per-node body tells a `Sink` what it compared. The silent sink drops it, and the
//! compiler with it; the recording sink keeps it. Decision and explanation are one body, so they
//! cannot drift apart.

use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;

use super::status::Code;
use crate::api::{ObjectKey, Protocol};

/// A host port in use on a node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PortInUse {
    /// Address; every address if none.
    pub ip: Option<Arc<str>>,
    /// Protocol.
    pub protocol: Protocol,
    /// The pods that hold it.
    pub pods: Vec<ObjectKey>,
}

/// One comparison or one summand.
#[derive(Clone, Debug, PartialEq)]
pub enum Fact {
    /// NodeUnschedulable: the node is cordoned.
    Cordoned {
        /// Whether the pod tolerates `node.kubernetes.io/unschedulable:NoSchedule`.
        tolerated: bool,
    },
    /// NodeName: the pod names a node.
    NodeName {
        /// Whether it is this one.
        matches: bool,
    },
    /// TaintToleration: a `NoSchedule` or `NoExecute` taint.
    Taint {
        /// Index in the node's taints.
        index: u32,
        /// Index of the toleration that tolerates it.
        toleration: Option<u32>,
    },
    /// NodeAffinity: the profile's added affinity.
    AddedNodeAffinity {
        /// Whether the node matches.
        matches: bool,
    },
    /// NodeAffinity: the pod's node selector and required affinity.
    NodeAffinity {
        /// Whether the node has the labels of `nodeSelector`.
        selector: bool,
        /// Index of the first required term that matches; terms are tried in order.
        term: Option<u32>,
        /// Whether the pod has required terms at all.
        has_terms: bool,
    },
    /// NodePorts: a host port that the pod wants.
    HostPort {
        /// Index among the pod's host ports.
        index: u32,
        /// Address; every address if none.
        ip: Option<Arc<str>>,
        /// Protocol.
        protocol: Protocol,
        /// Port.
        port: i32,
        /// Whether it is free.
        free: bool,
        /// The node's host ports in use with this number, whether or not they are in the way.
        in_use: Vec<PortInUse>,
    },
    /// NodeResourcesFit: `used + 1 ≤ capacity`.
    Pods {
        /// Pods on the node.
        used: i64,
        /// Pods allowed.
        capacity: i64,
    },
    /// NodeResourcesFit: `requested ≤ capacity − used`.
    Resource {
        /// Name.
        resource: Arc<str>,
        /// What the pod asks for.
        requested: i64,
        /// What the pods on the node ask for.
        used: i64,
        /// What the node can give.
        capacity: i64,
    },
    /// PodTopologySpread: the node does not have the constraint's label.
    SpreadKeyMissing {
        /// Index among the pod's constraints of this kind.
        constraint: u32,
    },
    /// PodTopologySpread: `matching + self_match − minimum ≤ max_skew`.
    Spread {
        /// Index among the pod's constraints of this kind.
        constraint: u32,
        /// The node's domain.
        domain: Arc<str>,
        /// Matching pods in the domain.
        matching: i64,
        /// 1 if the pod itself matches.
        self_match: i64,
        /// Fewest matching pods in any domain, or 0 by `minDomains`.
        minimum: i64,
        /// Limit.
        max_skew: i64,
    },
    /// InterPodAffinity: a required term of the pod.
    Affinity {
        /// Index among the required terms.
        term: u32,
        /// The node's domain, if it has the label.
        domain: Option<Arc<str>>,
        /// Pods that match in the domain.
        matching: i64,
    },
    /// InterPodAffinity: no pod anywhere matches, and the pod matches its own terms, so it may be
    /// the first.
    AffinityFirst {
        /// Whether that holds.
        allowed: bool,
    },
    /// InterPodAffinity: a required anti-affinity term of the pod.
    AntiAffinity {
        /// Index among the required terms.
        term: u32,
        /// The node's domain, if it has the label.
        domain: Option<Arc<str>>,
        /// Pods that match in the domain.
        matching: i64,
    },
    /// InterPodAffinity: required anti-affinity of pods in the node's domain.
    ExistingAntiAffinity {
        /// The label key.
        key: Arc<str>,
        /// The node's domain.
        domain: Arc<str>,
        /// Terms that forbid the pod there.
        matching: i64,
    },
    /// A plugin ran without what its PreFilter prepares.
    NoState {
        /// Go's text.
        error: &'static str,
    },
    /// TaintToleration score: a `PreferNoSchedule` taint; counts 1 unless tolerated.
    PreferNoScheduleTaint {
        /// Index in the node's taints.
        index: u32,
        /// Whether it is tolerated.
        tolerated: bool,
    },
    /// NodeAffinity score: a preferred term; counts its weight if it matches.
    PreferredTerm {
        /// Whether it is one that the profile adds.
        added: bool,
        /// Index in its list.
        term: u32,
        /// Weight.
        weight: i64,
        /// Whether the node matches.
        matches: bool,
    },
    /// NodeResourcesFit score: a resource of the strategy.
    ResourceScore {
        /// Name.
        resource: Arc<str>,
        /// What the pods on the node and the pod count as.
        requested: i64,
        /// What the node can give; 0 leaves the resource out.
        capacity: i64,
        /// Score of this resource, 0 to 100.
        score: i64,
        /// Weight.
        weight: i64,
    },
    /// NodeResourcesBalancedAllocation score: a resource.
    BalancedShare {
        /// Name.
        resource: Arc<str>,
        /// What the pods on the node and the pod ask for.
        requested: i64,
        /// What the pods on the node ask for.
        allocated: i64,
        /// What the node can give; 0 leaves the resource out.
        capacity: i64,
    },
    /// ImageLocality score: an image of the pod that the node has.
    Image {
        /// Name.
        name: Arc<str>,
        /// Size in bytes.
        size: i64,
        /// Nodes that have it.
        nodes: i64,
        /// All nodes.
        of: i64,
        /// `size × nodes ÷ of`.
        scaled: i64,
    },
    /// ImageLocality score: how many containers the sum is measured against.
    ImageContainers {
        /// Containers, init containers included.
        containers: i64,
    },
    /// PodTopologySpread score: the node lacks a label, so it is not scored.
    SpreadIgnored,
    /// PodTopologySpread score: `matching × weight + (max_skew − 1)`.
    SpreadScore {
        /// Index among the pod's constraints of this kind.
        constraint: u32,
        /// The node's domain.
        domain: Arc<str>,
        /// Matching pods in the domain.
        matching: i64,
        /// `ln(size + 2)`.
        weight: f64,
        /// How many domains (or, for the hostname, nodes) there are.
        size: i64,
        /// The constraint's `maxSkew`.
        max_skew: i64,
    },
    /// InterPodAffinity score: what the node's domain adds for one label key.
    AffinityScore {
        /// The label key.
        key: Arc<str>,
        /// The node's domain.
        domain: Arc<str>,
        /// Sum of weights, those of anti-affinity below zero.
        sum: i64,
    },
}

impl Fact {
    /// Kubernetes' reason, where this fact refuses the node.
    pub fn reason(&self) -> Option<String> {
        let text = match self {
            Self::Cordoned { tolerated: false } => "node(s) were unschedulable",
            Self::NodeName { matches: false } => "node(s) didn't match the requested node name",
            Self::Taint { toleration: None, .. } => "node(s) had untolerated taint(s)",
            Self::AddedNodeAffinity { matches: false } => {
                "node(s) didn't match scheduler-enforced node affinity"
            }
            Self::NodeAffinity { selector, term, has_terms }
                if !selector || (*has_terms && term.is_none()) =>
            {
                "node(s) didn't match Pod's node affinity/selector"
            }
            Self::HostPort { free: false, .. } => {
                "node(s) didn't have free ports for the requested pod ports"
            }
            Self::Pods { used, capacity } if used + 1 > *capacity => "Too many pods",
            Self::Resource { resource, requested, used, capacity }
                if *requested > capacity.wrapping_sub(*used) =>
            {
                return Some(alloc::format!("Insufficient {resource}"));
            }
            Self::SpreadKeyMissing { .. } => {
                "node(s) didn't match pod topology spread constraints (missing required label)"
            }
            Self::Spread { matching, self_match, minimum, max_skew, .. }
                if matching + self_match - minimum > *max_skew =>
            {
                "node(s) didn't match pod topology spread constraints"
            }
            Self::AffinityFirst { allowed: false } | Self::Affinity { domain: None, .. } => {
                "node(s) didn't match pod affinity rules"
            }
            Self::AntiAffinity { domain: Some(_), matching, .. } if *matching > 0 => {
                "node(s) didn't match pod anti-affinity rules"
            }
            Self::ExistingAntiAffinity { matching, .. } if *matching > 0 => {
                "node(s) didn't satisfy existing pods anti-affinity rules"
            }
            Self::NoState { error } => error,
            _ => return None,
        };
        Some(text.into())
    }
}

/// Takes what a plugin finds.
pub trait Sink {
    /// Whether facts are kept; a body may leave out work that only facts need.
    const RECORDS: bool;
    /// Takes a fact, which is made only if it is kept.
    fn fact(&mut self, fact: impl FnOnce() -> Fact);
}

/// Drops everything.
#[derive(Clone, Copy, Debug, Default)]
pub struct Silent;

impl Sink for Silent {
    const RECORDS: bool = false;
    fn fact(&mut self, _: impl FnOnce() -> Fact) {}
}

/// Keeps everything.
#[derive(Clone, Debug, Default)]
pub struct Recorder {
    /// Facts in the order in which they were found.
    pub facts: Vec<Fact>,
}

impl Sink for Recorder {
    const RECORDS: bool = true;
    fn fact(&mut self, fact: impl FnOnce() -> Fact) {
        self.facts.push(fact());
    }
}

impl Recorder {
    /// Kubernetes' reasons among the facts, for a verdict that refuses the node.
    pub fn reasons(&self, code: Code) -> Vec<String> {
        if code.is_success() {
            return Vec::new();
        }
        self.facts.iter().filter_map(Fact::reason).collect()
    }
}
