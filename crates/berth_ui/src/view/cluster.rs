//! The board: domains, nodes and pods.

use super::Verdict;
use std::rc::Rc;
use yew::AttrValue;

/// Everything between the top bar and the inspector.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ClusterView {
    /// The scenario's name.
    pub name: AttrValue,
    /// Number of nodes.
    pub nodes: u32,
    /// Number of pods, waiting ones included.
    pub pods: u32,
    /// The label key whose values are the columns; empty when all nodes share one column.
    pub key: AttrValue,
    /// The label keys to choose from.
    pub keys: Rc<[AttrValue]>,
    /// The columns.
    pub domains: Vec<Rc<DomainView>>,
    /// Pods that wait for a node, lane by lane, each lane in the queue's order.
    pub pending: Vec<Rc<PodChipView>>,
    /// The lanes that have pods, and how many.
    pub lanes: Vec<(Lane, usize)>,
    /// Whether the scheduler could take a pod from the queue now.
    pub has_next: bool,
    /// On how many nodes the real scheduler stops looking, when that is fewer than all.
    pub sampled: Option<u32>,
}

impl ClusterView {
    /// The card of a node.
    pub fn node(&self, name: &str) -> Option<&Rc<NodeCardView>> {
        self.domains.iter().flat_map(|domain| &domain.nodes).find(|node| node.name == name)
    }

    /// The chip of a pod, wherever it is.
    pub fn pod(&self, key: &str) -> Option<&Rc<PodChipView>> {
        let placed =
            self.domains.iter().flat_map(|domain| &domain.nodes).flat_map(|node| &node.pods);
        self.pending.iter().chain(placed).find(|pod| pod.key == key)
    }

    /// The column that holds a node.
    pub fn domain_of(&self, node: &str) -> Option<&Rc<DomainView>> {
        self.domains.iter().find(|domain| domain.nodes.iter().any(|card| card.name == node))
    }
}

/// Where a pod waits for a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Lane {
    /// It is to be scheduled.
    Active,
    /// It is to be scheduled once its backoff ends.
    Backoff,
    /// It waits for something that could help.
    Unschedulable,
    /// It waits at a gate.
    Gated,
    /// There is no scheduler of the name that it gives.
    Outside,
}

/// One column: the nodes that share a value of the column key.
#[derive(Clone, Debug, PartialEq)]
pub struct DomainView {
    /// The label's value; nothing for the nodes that lack the label.
    pub value: Option<AttrValue>,
    /// What the column is called.
    pub title: AttrValue,
    /// One per constraint of the selected pod over the column key.
    pub gauges: Vec<GaugeView>,
    /// The nodes, by name.
    pub nodes: Vec<Rc<NodeCardView>>,
    /// The node of this column the selected pod would do best on.
    pub best: Option<AttrValue>,
}

impl DomainView {
    /// A stable identity, also for the column of unlabelled nodes.
    pub fn id(&self) -> AttrValue {
        self.value.clone().unwrap_or_default()
    }
}

/// The numbers of one DoNotSchedule constraint in one domain.
#[derive(Clone, Debug, PartialEq)]
pub struct GaugeView {
    /// The constraint's topology key.
    pub key: AttrValue,
    /// Matching pods in the domain.
    pub matching: i64,
    /// 1 when the pod matches its own selector.
    pub incoming: i64,
    /// The fewest matching pods in any domain that counts.
    pub min: i64,
    /// Whether `minDomains` set the minimum to 0.
    pub min_forced: bool,
    /// `matching + incoming − min`.
    pub skew: i64,
    /// The constraint's limit.
    pub max_skew: i64,
    /// Whether the skew is within the limit.
    pub within: bool,
    /// The app tile that colours the squares.
    pub app: u8,
}

/// One node.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct NodeCardView {
    /// `metadata.name`.
    pub name: AttrValue,
    /// `spec.unschedulable`.
    pub cordoned: bool,
    /// `spec.taints`.
    pub taints: Vec<TaintView>,
    /// One bar per resource worth showing.
    pub capacity: Vec<CapacityView>,
    /// Pods on the node.
    pub pods: Vec<Rc<PodChipView>>,
    /// Pods that are not there: those nominated to the node, and those that just made room.
    pub shadows: Vec<Shadow>,
    /// Whether the selected pod would preempt here.
    pub makes_room: bool,
    /// Constraints of the selected pod over other keys than the columns'.
    pub gauges: Vec<GaugeView>,
    /// The answer for the selected pod; nothing while none is selected.
    pub verdict: Option<Verdict>,
}

/// A pod that is not where it is drawn.
#[derive(Clone, Debug, PartialEq)]
pub struct Shadow {
    /// The pod.
    pub pod: Rc<PodChipView>,
    /// Whether it was there before the last preemption; else it is nominated to the node.
    pub gone: bool,
}

/// One taint.
#[derive(Clone, Debug, PartialEq)]
pub struct TaintView {
    /// The short word on the badge.
    pub short: AttrValue,
    /// `key=value:effect`.
    pub full: AttrValue,
}

/// One resource bar. Widths are in thousandths of the allocatable amount.
#[derive(Clone, Debug, PartialEq)]
pub struct CapacityView {
    /// `cpu`, `mem` or the resource's name.
    pub resource: AttrValue,
    /// What the pods on the node request.
    pub requested: AttrValue,
    /// What the node offers, with its unit.
    pub allocatable: AttrValue,
    /// The requested part.
    pub used: u16,
    /// The part the selected pod would add.
    pub adds: u16,
    /// The part of the selected pod's request that does not fit.
    pub over: u16,
}

/// One pod.
#[derive(Clone, Debug, PartialEq)]
pub struct PodChipView {
    /// `namespace/name`.
    pub key: AttrValue,
    /// `metadata.name`.
    pub name: AttrValue,
    /// The square in front.
    pub app: AppTile,
    /// `spec.priority`.
    pub priority: i32,
    /// Whether a PodDisruptionBudget selects it.
    pub protected: bool,
    /// Whether it is being deleted.
    pub terminating: bool,
    /// Whether something of it is not simulated.
    pub marked: bool,
    /// Number of scheduling gates.
    pub gates: u32,
    /// What the selected pod would mean for it.
    pub fate: Fate,
}

/// What preemption by the selected pod would mean for a pod.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Fate {
    /// Nothing.
    #[default]
    Stays,
    /// It would go, if its node were chosen.
    MayGo,
    /// It would go.
    Goes,
    /// It just came, and others made room for it.
    Came,
}

/// An app's hue, pattern and letters.
#[derive(Clone, Debug, PartialEq)]
pub struct AppTile {
    /// 0 to 7: the hue and pattern.
    pub style: u8,
    /// One letter, or two when one would be ambiguous.
    pub letters: AttrValue,
}
