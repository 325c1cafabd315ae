//! The cluster as the scheduler sees it: a dense store with everything derived kept up to date.
//!
//! Plays the part of `pkg/scheduler/backend/cache` and of the informers' stores. Every change
//! touches only what it concerns; `Cluster::update_snapshot` ends a batch of changes as the
//! scheduler's `UpdateSnapshot` does.

pub mod affinity_term;
pub mod change;
pub mod counters;
pub mod ids;
pub mod images;
pub mod intern;
pub mod node_info;
pub mod node_tree;
pub mod objects;
pub mod pod_info;
pub mod ports;
pub mod requests;
pub mod resources;
pub mod term_index;
pub mod topology;

use crate::collections::{Index, Map, sort};
use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;

pub use affinity_term::{AffinityTerm, AffinityTerms, WeightedTerm};
pub use change::Inverse;
use change::PodPlace;
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
    Kind, Labels, Namespace, Node, Object, ObjectKey, Pod, PodDisruptionBudget, PriorityClass,
    ResourceList, Service, Workload, WorkloadKind,
};
use crate::framework::memo::Memo;
use images::Images;
use node_tree::{NodeTree, zone_key};

fn index_key(key: &ObjectKey) -> String {
    alloc::format!("{}\0{}", key.namespace, key.name)
}

/// Changes remembered at least.
const MIN_JOURNAL: usize = 64;

/// Texts by number.
#[derive(Clone, Debug, Default)]
pub struct Strings(Interner);

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

    /// The text of a number, shared.
    pub fn shared(&self, id: StrId) -> Arc<str> {
        self.0.get(id.0).map_or_else(|| Arc::from(""), Arc::clone)
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
    label_sets: Strings,
    nodes: Vec<NodeInfo>,
    node_by_name: Map<Arc<str>, NodeIdx>,
    tree: NodeTree,
    order: Vec<NodeIdx>,
    pods: Vec<Option<PodInfo>>,
    /// By namespace and name with a NUL between them, which sorts as the two do.
    pod_by_key: Index,
    free_pods: Vec<PodIdx>,
    nominated: Vec<PodIdx>,
    namespaces: Map<String, Arc<Namespace>>,
    priority_classes: Map<String, Arc<PriorityClass>>,
    budgets: Map<ObjectKey, Arc<PodDisruptionBudget>>,
    services: Map<ObjectKey, Arc<Service>>,
    workloads: Map<(WorkloadKind, ObjectKey), Arc<Workload>>,
    images: Images,
    topology: Topology,
    counters: Counters,
    terms: TermIndex,
    generation: u64,
    refreshed: u64,
    relist: bool,
    images_changed: bool,
    /// The node of each change, from the change after generation `journal_from` on.
    journal: Vec<NodeIdx>,
    journal_from: u64,
    epoch: u64,
    memo: Memo,
}

impl Default for Cluster {
    fn default() -> Self {
        let mut strings = Strings::default();
        let empty = strings.intern("");
        Self {
            strings,
            empty,
            label_sets: Strings::default(),
            nodes: Vec::new(),
            node_by_name: Map::new(),
            tree: NodeTree::default(),
            order: Vec::new(),
            pods: Vec::new(),
            pod_by_key: Index::default(),
            free_pods: Vec::new(),
            nominated: Vec::new(),
            namespaces: Map::new(),
            priority_classes: Map::new(),
            budgets: Map::new(),
            services: Map::new(),
            workloads: Map::new(),
            images: Images::default(),
            topology: Topology::default(),
            counters: Counters::default(),
            terms: TermIndex::default(),
            generation: 0,
            refreshed: 0,
            relist: false,
            images_changed: false,
            journal: Vec::new(),
            journal_from: 0,
            epoch: 0,
            memo: Memo::default(),
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
        self.pod_by_key.get(&index_key(key)).map(PodIdx)
    }

    /// All pods in order of key.
    pub fn pods(&self) -> impl Iterator<Item = (PodIdx, &PodInfo)> {
        self.pod_by_key.numbers().map(PodIdx).filter_map(|idx| Some((idx, self.pod(idx)?)))
    }

    /// All pods, those first that came first, but for those that took the place of one that went.
    pub fn pods_by_age(&self) -> impl Iterator<Item = &PodInfo> {
        self.pods.iter().flatten()
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
    pub fn namespaces(&self) -> &Map<String, Arc<Namespace>> {
        &self.namespaces
    }

    /// All priority classes by name.
    pub fn priority_classes(&self) -> &Map<String, Arc<PriorityClass>> {
        &self.priority_classes
    }

    /// All disruption budgets by key.
    pub fn budgets(&self) -> &Map<ObjectKey, Arc<PodDisruptionBudget>> {
        &self.budgets
    }

    /// All services by key.
    pub fn services(&self) -> &Map<ObjectKey, Arc<Service>> {
        &self.services
    }

    /// All workloads by kind and key.
    pub fn workloads(&self) -> &Map<(WorkloadKind, ObjectKey), Arc<Workload>> {
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

    // ---- what changed

    /// Counts the changes of nodes and of the pods on them.
    pub fn generation(&self) -> u64 {
        self.generation
    }

    /// Counts changes that bear on nodes that did not change themselves.
    pub fn epoch(&self) -> u64 {
        self.epoch
    }

    /// The nodes that changed after a generation, in order and as often as they changed; none if
    /// that is too long ago to tell.
    pub fn changed_since(&self, generation: u64) -> Option<&[NodeIdx]> {
        let skip = generation.checked_sub(self.journal_from)?;
        self.journal.get(usize::try_from(skip).ok()?..)
    }

    /// Lends what node-local plugins said before to a cycle, which gives it back.
    pub(crate) fn take_memo(&mut self) -> Memo {
        core::mem::take(&mut self.memo)
    }

    /// Takes back what `take_memo` lent.
    pub(crate) fn put_memo(&mut self, memo: Memo) {
        self.memo = memo;
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

    /// Amounts of a list, and what it says of `pods`.
    pub fn resources(&mut self, list: &ResourceList) -> (Resources, i64) {
        Resources::from_list(list, &mut self.strings)
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
        if self.journal.len() >= self.nodes.len().max(MIN_JOURNAL) {
            self.journal.clear();
            self.journal_from = self.generation - 1;
        }
        self.journal.push(idx);
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
        let images = |node: &Node| !node.status.images.is_empty();
        self.images_changed |= images(node) || old.as_ref().is_some_and(|old| images(old));
        let (allocatable, allowed_pods) =
            Resources::from_list(&node.status.allocatable, &mut self.strings);
        let mut labels: Vec<_> = node
            .metadata
            .labels
            .iter()
            .map(|(key, value)| (self.strings.intern(key), self.strings.intern(value)))
            .collect();
        sort(&mut labels);
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
        self.images_changed |= !node.status.images.is_empty();
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
        if let Some(idx) = self.pod_named(&pod.metadata.key()) {
            self.take_pod(idx);
        }
        self.place_pod(pod, bound, PodPlace::LAST)
    }

    /// Puts a pod that is not there into its lists.
    fn place_pod(&mut self, pod: &Arc<Pod>, bound: bool, place: PodPlace) -> PodIdx {
        let key = pod.metadata.key();
        let mut info = self.derive(pod);
        let idx = self.pod_named(&key).or_else(|| self.free_pods.pop()).unwrap_or_else(|| {
            self.pods.push(None);
            PodIdx(self.pods.len() as u32 - 1)
        });
        self.pod_by_key.insert(Arc::from(index_key(&key)), idx.0);
        info.bound = bound;
        if bound {
            if !pod.status.phase.is_terminal() {
                let node = self.slot_for(&pod.spec.node_name);
                info.node = Some(node);
                if let Some(slot) = self.nodes.get_mut(node.at()) {
                    slot.add_pod_at(idx, &info, place.on_node);
                }
                self.counters.pod_changed(&info, node, 1);
                self.terms.add(&info, node);
                self.touch(node);
            }
        } else if !pod.status.nominated_node_name.is_empty() {
            self.nominated.insert(place.nominated.min(self.nominated.len()), idx);
        }
        if let Some(slot) = self.pods.get_mut(idx.at()) {
            *slot = Some(info);
        }
        idx
    }

    /// Where a pod stands in its lists.
    fn place_of(&self, idx: PodIdx) -> PodPlace {
        let at = |list: &[PodIdx]| list.iter().position(|known| *known == idx);
        let node = self.pod(idx).and_then(|pod| pod.node).and_then(|node| self.node(node));
        PodPlace {
            on_node: node.and_then(|node| at(&node.pods)).unwrap_or(usize::MAX),
            nominated: at(&self.nominated).unwrap_or(usize::MAX),
        }
    }

    /// Removes a pod.
    pub fn drop_pod(&mut self, key: &ObjectKey) -> Option<Arc<Pod>> {
        let idx = self.pod_named(key)?;
        let info = self.take_pod(idx)?;
        self.pod_by_key.remove(&index_key(key));
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

    /// An object by kind and key.
    pub fn get(&self, kind: Kind, key: &ObjectKey) -> Option<Object> {
        Some(match kind {
            Kind::Node => {
                let node = self.node(self.node_named(&key.name)?)?.node.as_ref()?;
                Object::Node(Arc::clone(node))
            }
            Kind::Pod => Object::Pod(Arc::clone(&self.pod(self.pod_named(key)?)?.pod)),
            Kind::Namespace => Object::Namespace(Arc::clone(self.namespaces.get(&key.name)?)),
            Kind::PriorityClass => {
                Object::PriorityClass(Arc::clone(self.priority_classes.get(&key.name)?))
            }
            Kind::PodDisruptionBudget => {
                Object::PodDisruptionBudget(Arc::clone(self.budgets.get(key)?))
            }
            Kind::Service => Object::Service(Arc::clone(self.services.get(key)?)),
            Kind::Workload(kind) => {
                Object::Workload(Arc::clone(self.workloads.get(&(kind, key.clone()))?))
            }
        })
    }

    /// Removes an object, and gives it back if it was there.
    pub fn drop_object(&mut self, kind: Kind, key: &ObjectKey) -> Option<Object> {
        let object = self.get(kind, key)?;
        match kind {
            Kind::Node => drop(self.drop_node(&key.name)),
            Kind::Pod => drop(self.drop_pod(key)),
            Kind::Namespace => drop(self.namespaces.remove(&key.name)),
            Kind::PriorityClass => drop(self.priority_classes.remove(&key.name)),
            Kind::PodDisruptionBudget => drop(self.budgets.remove(key)),
            Kind::Service => drop(self.services.remove(key)),
            Kind::Workload(kind) => drop(self.workloads.remove(&(kind, key.clone()))),
        }
        Some(object)
    }

    /// Ends a batch of changes.
    pub fn update_snapshot(&mut self, refresh: Refresh) {
        let all = refresh == Refresh::All;
        // How many nodes there are, and how many have an image, counts for each.
        if self.relist || (all && self.images_changed) {
            self.epoch += 1;
        }
        if self.relist || all {
            self.order = self.tree.list();
            self.relist = false;
        }
        if all && self.images_changed {
            self.relearn_images();
        }
        let everyone = all && self.images_changed;
        let changed = match self.changed_since(self.refreshed) {
            Some(changed) if !everyone => changed.to_vec(),
            _ => (0..self.nodes.len() as u32).map(NodeIdx).collect(),
        };
        for idx in changed {
            let Some(info) = self.nodes.get_mut(idx.at()) else { continue };
            if let Some(node) = &info.node {
                info.images = self.images.of_node(node, &self.strings);
            }
            if all {
                info.ports = ports::of_pods(
                    info.pods.iter().filter_map(|idx| self.pods.get(idx.at())?.as_ref()),
                );
            }
        }
        self.images_changed = false;
        self.refreshed = self.generation;
    }

    /// Images as if the nodes had just come, in the order in which they first did.
    fn relearn_images(&mut self) {
        self.images = Images::default();
        for (idx, info) in self.nodes.iter().enumerate() {
            if let Some(node) = &info.node {
                self.images.add(NodeIdx(idx as u32), node, &mut self.strings);
            }
        }
    }
}
