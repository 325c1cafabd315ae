//! The selected pod: its verdict, its fields, the Filter matrix and the Score table.

use super::{AppTile, Equation, SumRow};
use crate::app::PodEdit;
use std::rc::Rc;
use yew::AttrValue;

/// Everything the inspector shows.
#[derive(Clone, Debug, PartialEq)]
pub struct InspectorView {
    /// `namespace/name`.
    pub key: AttrValue,
    /// `metadata.name`.
    pub name: AttrValue,
    /// `metadata.namespace`.
    pub namespace: AttrValue,
    /// The square in front.
    pub app: AppTile,
    /// The node it is on.
    pub node: Option<AttrValue>,
    /// The outcome.
    pub headline: Headline,
    /// The event the scheduler would send.
    pub event: Event,
    /// Plugins that refused nodes, with how many each refused first.
    pub refusals: Rc<[(AttrValue, u32)]>,
    /// What of this pod is not simulated, each with its consequence.
    pub marks: Rc<[AttrValue]>,
    /// Whether the pod was put on its node without asking the scheduler, and what the scheduler
    /// says about that.
    pub bypassed: Option<Overruled>,
    /// `spec.topologySpreadConstraints`.
    pub constraints: Rc<[ConstraintView]>,
    /// `spec.priority`.
    pub priority: i32,
    /// `spec.priorityClassName`, empty for none.
    pub priority_class: AttrValue,
    /// Names and values of the cluster's PriorityClasses.
    pub classes: Rc<[(AttrValue, i32)]>,
    /// What preemption came to, if the scheduler tried it.
    pub preemption: Option<MadeRoom>,
    /// Whether `spec.preemptionPolicy` is `Never`.
    pub never_preempts: bool,
    /// `metadata.labels`.
    pub labels: Rc<[Pair]>,
    /// Effective requests.
    pub requests: Rc<[Request]>,
    /// The fields that are not as they were opened.
    pub edited: Rc<[Edited]>,
    /// Label keys of the nodes, offered as topology keys.
    pub topology_keys: Rc<[AttrValue]>,
    /// The Filter tab.
    pub filter: FilterTable,
}

/// The outcome in numbers.
#[derive(Clone, Debug, PartialEq)]
pub struct Headline {
    /// Nodes that passed Filter.
    pub feasible: u32,
    /// All nodes.
    pub nodes: u32,
    /// The node the scheduler would take.
    pub winner: Option<AttrValue>,
    /// How many nodes share the highest total.
    pub tied: u32,
    /// Whether the pod waits at a scheduling gate.
    pub gated: bool,
}

/// What preemption came to.
#[derive(Clone, Debug, PartialEq)]
pub struct MadeRoom {
    /// How many nodes could be taken.
    pub candidates: u32,
    /// The one that would be.
    pub node: Option<AttrValue>,
}

/// A scheduler event.
#[derive(Clone, Debug, PartialEq)]
pub struct Event {
    /// `Scheduled` or `FailedScheduling`.
    pub reason: AttrValue,
    /// The message, word for word.
    pub message: AttrValue,
}

/// What the scheduler would have said to a placement that did not ask it.
#[derive(Clone, Debug, PartialEq)]
pub enum Overruled {
    /// It would have allowed the node.
    Allowed,
    /// It would have refused it, for this reason.
    Refused(AttrValue),
}

/// One topology spread constraint.
#[derive(Clone, Debug, PartialEq)]
pub struct ConstraintView {
    /// `topologyKey`.
    pub topology_key: AttrValue,
    /// `maxSkew`.
    pub max_skew: i32,
    /// `minDomains`.
    pub min_domains: Option<i32>,
    /// Whether `whenUnsatisfiable` is `DoNotSchedule`.
    pub hard: bool,
    /// `labelSelector` in kubectl's notation.
    pub selector: AttrValue,
    /// `matchLabelKeys`, joined by commas.
    pub match_label_keys: AttrValue,
    /// How many pods it counts; nothing when the scheduler did not get that far.
    pub counted: Option<u32>,
    /// Whether `nodeAffinityPolicy` is `Honor`.
    pub affinity_honored: bool,
    /// Whether `nodeTaintsPolicy` is `Honor`.
    pub taints_honored: bool,
}

/// A field that is not as it was opened.
#[derive(Clone, Debug, PartialEq)]
pub struct Edited {
    /// The control where it is edited.
    pub control: AttrValue,
    /// What it was; empty for unset.
    pub was: AttrValue,
    /// The way back.
    pub back: PodEdit,
}

/// A label.
#[derive(Clone, Debug, PartialEq)]
pub struct Pair {
    /// The key.
    pub key: AttrValue,
    /// The value.
    pub value: AttrValue,
}

/// A requested resource.
#[derive(Clone, Debug, PartialEq)]
pub struct Request {
    /// The resource's name.
    pub resource: AttrValue,
    /// The quantity in Kubernetes' notation.
    pub quantity: AttrValue,
    /// Whether it is one container's plain request, which the page can edit.
    pub editable: bool,
}

/// Plugins down, nodes across.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FilterTable {
    /// The nodes, grouped by column of the board.
    pub columns: Rc<[Column]>,
    /// Each node's rank, when it passed.
    pub ranks: Rc<[Option<u32>]>,
    /// The plugins that ran, in their order.
    pub rows: Rc<[FilterRow]>,
    /// How many more nodes there are than columns.
    pub hidden: u32,
    /// Plugins that had nothing to say about this pod.
    pub skipped: Rc<[AttrValue]>,
}

/// One node's column.
#[derive(Clone, Debug, PartialEq)]
pub struct Column {
    /// The node's name.
    pub node: AttrValue,
    /// The part of the name that tells it from the others.
    pub short: AttrValue,
    /// Whether a new group begins here.
    pub gap: bool,
}

/// One plugin's row.
#[derive(Clone, Debug, PartialEq)]
pub struct FilterRow {
    /// The plugin.
    pub plugin: AttrValue,
    /// One cell per column.
    pub cells: Rc<[FilterCell]>,
}

/// What one plugin said about one node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FilterCell {
    /// Whether the plugin alone lets the node pass.
    pub passes: bool,
    /// Whether kube-scheduler would have asked: not after the node's first refusal.
    pub reached: bool,
}

/// A cell, worked out.
#[derive(Clone, Debug, PartialEq)]
pub struct FilterDetail {
    /// The plugin.
    pub plugin: AttrValue,
    /// The node.
    pub node: AttrValue,
    /// The outcome.
    pub cell: FilterCell,
    /// Kubernetes' words when it refuses.
    pub reason: AttrValue,
    /// The arithmetic, one line for each constraint or resource.
    pub equations: Rc<[Equation]>,
    /// The arithmetic as column sums.
    pub sums: Rc<[Rc<[SumRow]>]>,
    /// Further facts in words: the taint, the pods that matched.
    pub facts: Rc<[AttrValue]>,
}

/// Scores of the nodes that passed.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ScoreTable {
    /// One bar per node, highest total first.
    pub bars: Rc<[ScoreBar]>,
    /// How many more nodes passed than there are bars.
    pub hidden: u32,
    /// Plugins without a score for this pod.
    pub skipped: Rc<[AttrValue]>,
}

/// One node's total and what it is made of.
#[derive(Clone, Debug, PartialEq)]
pub struct ScoreBar {
    /// The node.
    pub node: AttrValue,
    /// Its rank.
    pub rank: u32,
    /// Sum of the weighted scores.
    pub total: i64,
    /// The coloured parts, widths in thousandths of the longest bar.
    pub segments: Rc<[Segment]>,
    /// The table below.
    pub rows: Rc<[ScoreRow]>,
}

/// One plugin's part of a bar.
#[derive(Clone, Debug, PartialEq)]
pub struct Segment {
    /// The plugin's letter.
    pub letter: AttrValue,
    /// 0 to 5: the hue.
    pub style: u8,
    /// The weighted score.
    pub weighted: i64,
    /// Thousandths of the longest bar.
    pub width: u16,
}

/// One plugin's score of one node.
#[derive(Clone, Debug, PartialEq)]
pub struct ScoreRow {
    /// The plugin.
    pub plugin: AttrValue,
    /// Its letter.
    pub letter: AttrValue,
    /// 0 to 5: the hue.
    pub style: u8,
    /// What Score returned.
    pub raw: i64,
    /// After NormalizeScore.
    pub normalized: i64,
    /// The profile's weight.
    pub weight: i64,
    /// `normalized × weight`.
    pub weighted: i64,
    /// The plugin's rule in one sentence.
    pub rule: AttrValue,
    /// How the raw, the normalised and the weighted score came about.
    pub sum: Rc<[SumRow]>,
}
