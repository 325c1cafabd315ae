//! The cluster as the scheduler sees it: a dense store with everything derived kept up to date.
//!
//! Plays the part of `pkg/scheduler/backend/cache` and of the informers' stores. Every change
//! touches only what it concerns; `Cluster::update_snapshot` ends a batch of changes as the
//! scheduler's `UpdateSnapshot` does.

pub mod affinity_term;
pub mod counters;
pub mod ids;
pub mod images;
pub mod intern;
pub mod node_info;
pub mod node_tree;
pub mod pod_info;
pub mod ports;
pub mod requests;
pub mod resources;
pub mod term_index;
pub mod topology;

use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;

pub use affinity_term::{AffinityTerm, AffinityTerms, WeightedTerm};
pub use counters::{CounterKey, Counters, Scope};
pub use ids::{CounterIdx, LabelSetId, NodeIdx, PodIdx, StrId, TopologyIdx};
pub use intern::Interner;
pub use node_info::{ImageState, NodeInfo};
pub use pod_info::PodInfo;
pub use ports::HostPort;
pub use resources::Resources;
pub use term_index::{TermIndex, TermRole};
pub use topology::{Topology, TopologyColumn};

use crate::api::{
    Labels, Namespace, Node, Object, ObjectKey, Pod, PodDisruptionBudget, PriorityClass,
    ResourceList, Service, Workload, WorkloadKind,
};
use images::Images;
use node_tree::{NodeTree, zone_key};

/// Texts by number.
#[derive(Clone, Debug, Default)]
pub struct Strings(Interner<str>);

impl Strings {
    /// The number of a text.
    pub fn intern(&mut self, text: &str) -> StrId {
        StrId(self.0.intern(text))
    }

    /// The number of a text, if it has one.
    pub fn find(&self, text: &str) -> Option<StrId> {
        self.0.find(text).map(StrId)
    }

    /// The text of a number.
    pub fn get(&self, id: StrId) -> &str {
        self.0.get(id.0).map_or("", |text| text)
    }
}

/// How nodes take over what changed elsewhere in the cluster.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refresh {
    /// Only nodes that changed themselves learn how many nodes have an image, and a port that two
    /// pods held is free once one of them went: what the running scheduler does.
    Changed,
    /// Every node is as if the cluster had just been loaded.
    All,
}

/// Nodes, pods and the rest.
#[derive(Clone, Debug)]
pub struct Cluster {
    strings: Strings,
    empty: StrId,
    label_sets: Interner<Labels>,
    nodes: Vec<NodeInfo>,
    node_by_name: BTreeMap<Arc<str>, NodeIdx>,
    tree: NodeTree,
    order: Vec<NodeIdx>,
    pods: Vec<Option<PodInfo>>,
    pod_by_key: BTreeMap<ObjectKey, PodIdx>,
    free_pods: Vec<PodIdx>,
    nominated: Vec<PodIdx>,
    namespaces: BTreeMap<String, Arc<Namespace>>,
    priority_classes: BTreeMap<String, Arc<PriorityClass>>,
    budgets: BTreeMap<ObjectKey, Arc<PodDisruptionBudget>>,
    services: BTreeMap<ObjectKey, Arc<Service>>,
    workloads: BTreeMap<(WorkloadKind, ObjectKey), Arc<Workload>>,
    images: Images,
    topology: Topology,
    counters: Counters,
    terms: TermIndex,
    generation: u64,
    refreshed: u64,
    relist: bool,
}

impl Default for Cluster {
    fn default() -> Self {
        let mut strings = Strings::default();
        let empty = strings.intern("");
        Self {
            strings,
            empty,
            label_sets: Interner::default(),
            nodes: Vec::new(),
            node_by_name: BTreeMap::new(),
            tree: NodeTree::default(),
            order: Vec::new(),
            pods: Vec::new(),
            pod_by_key: BTreeMap::new(),
            free_pods: Vec::new(),
            nominated: Vec::new(),
            namespaces: BTreeMap::new(),
            priority_classes: BTreeMap::new(),
            budgets: BTreeMap::new(),
            services: BTreeMap::new(),
            workloads: BTreeMap::new(),
            images: Images::default(),
            topology: Topology::default(),
            counters: Counters::default(),
            terms: TermIndex::default(),
            generation: 0,
            refreshed: 0,
            relist: false,
        }
    }
}

impl Cluster {
    // ---- reading

    /// Texts by number.
    pub fn strings(&self) -> &Strings {
        &self.strings
    }

    /// Nodes in the order in which the scheduler looks at them, as of the last snapshot.
    pub fn order(&self) -> &[NodeIdx] {
        &self.order
    }

    /// A node's slot.
    pub fn node(&self, idx: NodeIdx) -> Option<&NodeInfo> {
        self.nodes.get(idx.at())
    }

    /// All slots, also those without a node.
    pub fn node_slots(&self) -> &[NodeInfo] {
        &self.nodes
    }

    /// The slot of a node by name; the slot may be without a node.
    pub fn node_named(&self, name: &str) -> Option<NodeIdx> {
        self.node_by_name.get(name).copied()
    }

    /// A pod.
    pub fn pod(&self, idx: PodIdx) -> Option<&PodInfo> {
        self.pods.get(idx.at()).and_then(Option::as_ref)
    }

    /// A pod's slot by key.
    pub fn pod_named(&self, key: &ObjectKey) -> Option<PodIdx> {
        self.pod_by_key.get(key).copied()
    }

    /// All pods in order of key.
    pub fn pods(&self) -> impl Iterator<Item = (PodIdx, &PodInfo)> {
        self.pod_by_key.values().filter_map(|idx| Some((*idx, self.pod(*idx)?)))
    }

    /// Pods nominated to a node, in the order in which they were.
    pub fn nominated_to(&self, node: &str) -> impl Iterator<Item = (PodIdx, &PodInfo)> {
        self.nominated().filter(move |(_, pod)| pod.pod.status.nominated_node_name == node)
    }

    /// All nominated pods.
    pub fn nominated(&self) -> impl Iterator<Item = (PodIdx, &PodInfo)> {
        self.nominated.iter().filter_map(|idx| Some((*idx, self.pod(*idx)?)))
    }

    /// Whether any pod is nominated.
    pub fn has_nominated(&self) -> bool {
        !self.nominated.is_empty()
    }

    /// Labels of a namespace; none if it is not known.
    pub fn namespace_labels(&self, name: &str) -> Option<&Labels> {
        self.namespaces.get(name).map(|namespace| &namespace.metadata.labels)
    }

    /// All namespaces by name.
    pub fn namespaces(&self) -> &BTreeMap<String, Arc<Namespace>> {
        &self.namespaces
    }

    /// All priority classes by name.
    pub fn priority_classes(&self) -> &BTreeMap<String, Arc<PriorityClass>> {
        &self.priority_classes
    }

    /// All disruption budgets by key.
    pub fn budgets(&self) -> &BTreeMap<ObjectKey, Arc<PodDisruptionBudget>> {
        &self.budgets
    }

    /// All services by key.
    pub fn services(&self) -> &BTreeMap<ObjectKey, Arc<Service>> {
        &self.services
    }

    /// All workloads by kind and key.
    pub fn workloads(&self) -> &BTreeMap<(WorkloadKind, ObjectKey), Arc<Workload>> {
        &self.workloads
    }

    /// A workload.
    pub fn workload(&self, kind: WorkloadKind, key: &ObjectKey) -> Option<&Arc<Workload>> {
        self.workloads.get(&(kind, key.clone()))
    }

    /// Domains of the label keys in use.
    pub fn topology(&self) -> &Topology {
        &self.topology
    }

    /// Counts of pods by node.
    pub fn counters(&self) -> &Counters {
        &self.counters
    }

    /// Terms of the pods on nodes.
    pub fn terms(&self) -> &TermIndex {
        &self.terms
    }

    /// How many nodes there are (slots without a node not counted).
    pub fn node_count(&self) -> u32 {
        self.order.len() as u32
    }

    // ---- preparing a cycle

    /// A scheduling cycle begins.
    pub fn begin_cycle(&mut self) {
        self.counters.begin_cycle();
    }

    /// The number of a text.
    pub fn intern(&mut self, text: &str) -> StrId {
        self.strings.intern(text)
    }

    /// The column of a topology key.
    pub fn topology_for(&mut self, key: StrId) -> TopologyIdx {
        let nodes = &self.nodes;
        self.topology.column_for(key, self.empty, nodes.len() as u32, |idx| {
            nodes.get(idx.at()).and_then(|node| node.label(key))
        })
    }

    /// The counter of a kind of pod.
    pub fn counter_for(&mut self, key: CounterKey) -> CounterIdx {
        let pods = self.pods.iter().flatten();
        self.counters.counter_for(key, self.nodes.len() as u32, pods)
    }

    /// Amounts of a list, none below zero.
    pub fn resources_at_least_zero(&mut self, list: &ResourceList) -> Resources {
        Resources::from_list_at_least_zero(list, &mut self.strings)
    }

    /// A pod that is not in the store, derived like one that is.
    pub fn derive(&mut self, pod: &Arc<Pod>) -> PodInfo {
        PodInfo::new(Arc::clone(pod), &mut self.strings, &mut self.label_sets)
    }

    // ---- changing

    /// Adds or replaces an object. Pods go to the node that they name.
    pub fn put(&mut self, object: &Object) {
        match object {
            Object::Node(node) => self.put_node(node),
            Object::Pod(pod) => {
                self.put_pod(pod);
            }
            Object::Namespace(namespace) => {
                self.namespaces.insert(namespace.metadata.name.clone(), Arc::clone(namespace));
            }
            Object::PriorityClass(class) => {
                self.priority_classes.insert(class.metadata.name.clone(), Arc::clone(class));
            }
            Object::PodDisruptionBudget(budget) => {
                self.budgets.insert(budget.metadata.key(), Arc::clone(budget));
            }
            Object::Service(service) => {
                self.services.insert(service.metadata.key(), Arc::clone(service));
            }
            Object::Workload(workload) => {
                let key = (workload.kind, workload.metadata.key());
                self.workloads.insert(key, Arc::clone(workload));
            }
        }
    }

    fn slot_for(&mut self, name: &str) -> NodeIdx {
        if let Some(&idx) = self.node_by_name.get(name) {
            return idx;
        }
        let idx = NodeIdx(self.nodes.len() as u32);
        let info = NodeInfo::new(name);
        self.node_by_name.insert(Arc::clone(&info.name), idx);
        self.nodes.push(info);
        idx
    }

    fn touch(&mut self, idx: NodeIdx) {
        self.generation += 1;
        if let Some(info) = self.nodes.get_mut(idx.at()) {
            info.generation = self.generation;
        }
    }

    /// Adds or replaces a node.
    pub fn put_node(&mut self, node: &Arc<Node>) {
        let idx = self.slot_for(&node.metadata.name);
        let old = self.nodes.get(idx.at()).and_then(|info| info.node.clone());
        let zone = zone_key(node);
        if let Some(old) = &old {
            self.images.remove(idx, old, &self.strings);
            let old_zone = zone_key(old);
            if old_zone != zone {
                self.tree.remove(&old_zone, idx);
                self.tree.add(&zone, idx);
            }
        } else {
            self.tree.add(&zone, idx);
            self.relist = true;
        }
        self.images.add(idx, node, &mut self.strings);
        let (allocatable, allowed_pods) =
            Resources::from_list(&node.status.allocatable, &mut self.strings);
        let mut labels: Vec<_> = node
            .metadata
            .labels
            .iter()
            .map(|(key, value)| (self.strings.intern(key), self.strings.intern(value)))
            .collect();
        labels.sort_unstable();
        if let Some(info) = self.nodes.get_mut(idx.at()) {
            info.node = Some(Arc::clone(node));
            info.allocatable = allocatable;
            info.allowed_pods = allowed_pods;
            info.labels = labels;
            self.topology.update(idx, |key| info.label(key));
        }
        self.touch(idx);
    }

    /// Removes a node. Its pods stay in their slot until they are removed.
    pub fn drop_node(&mut self, name: &str) -> Option<Arc<Node>> {
        let idx = self.node_named(name)?;
        let info = self.nodes.get_mut(idx.at())?;
        let node = info.node.take()?;
        info.labels.clear();
        info.allocatable = Resources::default();
        info.allowed_pods = 0;
        info.images.clear();
        self.topology.update(idx, |_| None);
        self.tree.remove(&zone_key(&node), idx);
        self.images.remove(idx, &node, &self.strings);
        self.relist = true;
        self.touch(idx);
        Some(node)
    }

    /// Adds or replaces a pod. It counts on the node that it names unless it is over.
    pub fn put_pod(&mut self, pod: &Arc<Pod>) -> PodIdx {
        self.put_pod_as(pod, !pod.spec.node_name.is_empty())
    }

    /// Adds or replaces a pod that waits, whatever node it names.
    pub fn put_waiting_pod(&mut self, pod: &Arc<Pod>) -> PodIdx {
        self.put_pod_as(pod, false)
    }

    fn put_pod_as(&mut self, pod: &Arc<Pod>, bound: bool) -> PodIdx {
        let key = pod.metadata.key();
        let reused = self.pod_named(&key);
        if let Some(idx) = reused {
            self.take_pod(idx);
        }
        let mut info = self.derive(pod);
        let idx = reused.or_else(|| self.free_pods.pop()).unwrap_or_else(|| {
            self.pods.push(None);
            PodIdx(self.pods.len() as u32 - 1)
        });
        self.pod_by_key.insert(key, idx);
        if bound {
            if !pod.status.phase.is_terminal() {
                let node = self.slot_for(&pod.spec.node_name);
                info.node = Some(node);
                if let Some(slot) = self.nodes.get_mut(node.at()) {
                    slot.add_pod(idx, &info);
                }
                self.counters.pod_changed(&info, node, 1);
                self.terms.add(&info, node);
                self.touch(node);
            }
        } else if !pod.status.nominated_node_name.is_empty() {
            self.nominated.push(idx);
        }
        if let Some(slot) = self.pods.get_mut(idx.at()) {
            *slot = Some(info);
        }
        idx
    }

    /// Removes a pod.
    pub fn drop_pod(&mut self, key: &ObjectKey) -> Option<Arc<Pod>> {
        let idx = self.pod_by_key.remove(key)?;
        let info = self.take_pod(idx)?;
        self.free_pods.push(idx);
        Some(info.pod)
    }

    fn take_pod(&mut self, idx: PodIdx) -> Option<PodInfo> {
        let info = self.pods.get_mut(idx.at())?.take()?;
        self.nominated.retain(|known| *known != idx);
        if let Some(node) = info.node {
            if let Some(slot) = self.nodes.get_mut(node.at()) {
                slot.remove_pod(idx, &info);
            }
            self.counters.pod_changed(&info, node, -1);
            self.terms.remove(&info, node);
            self.touch(node);
        }
        Some(info)
    }

    /// Removes an object other than a node or a pod.
    pub fn drop_object(&mut self, object: &Object) {
        let key = object.key();
        match object {
            Object::Node(node) => {
                self.drop_node(&node.metadata.name);
            }
            Object::Pod(_) => {
                self.drop_pod(&key);
            }
            Object::Namespace(_) => {
                self.namespaces.remove(&key.name);
            }
            Object::PriorityClass(_) => {
                self.priority_classes.remove(&key.name);
            }
            Object::PodDisruptionBudget(_) => {
                self.budgets.remove(&key);
            }
            Object::Service(_) => {
                self.services.remove(&key);
            }
            Object::Workload(workload) => {
                self.workloads.remove(&(workload.kind, key));
            }
        }
    }

    /// Ends a batch of changes.
    pub fn update_snapshot(&mut self, refresh: Refresh) {
        let since = self.refreshed;
        for info in &mut self.nodes {
            if refresh == Refresh::Changed && info.generation <= since {
                continue;
            }
            if let Some(node) = &info.node {
                info.images = self.images.of_node(node, &self.strings);
            }
            if refresh == Refresh::All {
                let mut ports = Vec::new();
                for pod in info.pods.iter().filter_map(|idx| self.pods.get(idx.at())?.as_ref()) {
                    for port in &pod.host_ports {
                        if !ports.contains(port) {
                            ports.push(*port);
                        }
                    }
                }
                info.ports = ports;
            }
        }
        self.refreshed = self.generation;
        if self.relist {
            self.order = self.tree.list();
            self.relist = false;
        }
    }
}
