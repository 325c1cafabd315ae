//! What the Why panel shows, as plain data.

use crate::view::Equation;
use std::rc::Rc;
use yew::AttrValue;

/// The panel.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct WhyView {
    /// What is to be said instead of anything else: the pod waits at a gate, or a plugin failed.
    pub stopped: AttrValue,
    /// That the pod fits, if it does.
    pub fits: AttrValue,
    /// The event's message in parts.
    pub phrases: Rc<[PhraseView]>,
    /// The spread constraints, hard ones first.
    pub spreads: Rc<[SpreadView]>,
    /// The nodes to choose from.
    pub nodes: Rc<[AttrValue]>,
    /// The chosen one.
    pub node: Option<NodeWhy>,
    /// What terms light up: they refer to it by place.
    pub lights: Rc<[Light]>,
}

/// Pods and nodes of the board that a term came from.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Light {
    /// `namespace/name`.
    pub pods: Vec<AttrValue>,
    /// Names.
    pub nodes: Vec<AttrValue>,
}

/// A part of a message.
#[derive(Clone, Debug, PartialEq)]
pub struct PhraseView {
    /// The words.
    pub text: AttrValue,
    /// What they speak of; none for what only holds the others together.
    pub about: Option<PhraseAbout>,
}

/// What a part of a message speaks of.
#[derive(Clone, Debug, PartialEq)]
pub struct PhraseAbout {
    /// The nodes.
    pub light: usize,
    /// Who says so of which nodes, in a sentence.
    pub says: AttrValue,
    /// The first of the nodes, to be looked at closely.
    pub first: AttrValue,
}

/// A spread constraint.
#[derive(Clone, Debug, PartialEq)]
pub struct SpreadView {
    /// Which one it is.
    pub name: AttrValue,
    /// Its fields in short.
    pub fields: AttrValue,
    /// The rule in one sentence.
    pub rule: AttrValue,
    /// What the pod itself adds.
    pub own: AttrValue,
    /// The lines of the chart; none for a soft constraint.
    pub lines: Option<Lines>,
    /// The most squares that a row needs.
    pub most: i64,
    /// What `minDomains` does, or how the weight comes about.
    pub note: AttrValue,
    /// The domains.
    pub domains: Rc<[DomainView]>,
    /// How many more there are.
    pub hidden: u32,
    /// The head of the list of counted pods, what it lights, and the pods.
    pub counted: Named,
    /// The pods that are not counted, by rule.
    pub left_out_pods: Rc<[Named]>,
    /// How many these are.
    pub left_out_pods_title: AttrValue,
    /// The nodes that are not looked at, by rule.
    pub left_out_nodes: Rc<[Named]>,
    /// How many these are.
    pub left_out_nodes_title: AttrValue,
}

/// Lines across a chart.
#[derive(Clone, Debug, PartialEq)]
pub struct Lines {
    /// The global minimum.
    pub minimum: i64,
    /// The most that a domain may have.
    pub limit: i64,
    /// What the minimum is, in words.
    pub minimum_text: AttrValue,
    /// What the limit is, in words.
    pub limit_text: AttrValue,
}

/// A domain of a constraint.
#[derive(Clone, Debug, PartialEq)]
pub struct DomainView {
    /// Value of the label.
    pub value: AttrValue,
    /// Matching pods.
    pub matching: i64,
    /// 1 if the pod adds itself.
    pub incoming: i64,
    /// The sum.
    pub sum: Equation,
    /// Whether the chosen node is in it.
    pub here: bool,
    /// Its pods and nodes.
    pub light: usize,
}

/// A list that can be opened.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Named {
    /// What it lists.
    pub title: AttrValue,
    /// What it lights.
    pub light: Option<usize>,
    /// What is in it.
    pub items: Rc<[Item]>,
    /// How many more there are.
    pub more: u32,
}

/// A pod or a node in a list.
#[derive(Clone, Debug, PartialEq)]
pub struct Item {
    /// What is said of it.
    pub text: AttrValue,
    /// `namespace/name`, if it is a pod.
    pub pod: Option<AttrValue>,
    /// Its name, if it is a node.
    pub node: Option<AttrValue>,
}

/// What every plugin says about one node.
#[derive(Clone, Debug, PartialEq)]
pub struct NodeWhy {
    /// Its name.
    pub name: AttrValue,
    /// What came of it.
    pub verdict: AttrValue,
    /// Whether the pod fits there.
    pub fits: bool,
    /// The plugins that had something to do, in the order in which they run.
    pub plugins: Rc<[PluginWhy]>,
    /// Those that had not.
    pub skipped: AttrValue,
}

/// What one plugin says.
#[derive(Clone, Debug, PartialEq)]
pub struct PluginWhy {
    /// Its name.
    pub plugin: AttrValue,
    /// Whether it lets the node pass.
    pub passes: bool,
    /// Whether kube-scheduler would have asked it.
    pub reached: bool,
    /// The rule in one sentence.
    pub rule: AttrValue,
    /// Kubernetes' words when it refuses.
    pub reason: AttrValue,
    /// The numbers put in, and what came out.
    pub blocks: Rc<[Block]>,
}

/// A piece of what a plugin says.
#[derive(Clone, Debug, PartialEq)]
pub enum Block {
    /// A sentence.
    Line(AttrValue),
    /// A comparison.
    Sum {
        /// It.
        equation: Equation,
        /// What it lights.
        light: Option<usize>,
    },
    /// A table.
    Table(TableView),
    /// A list that can be opened.
    List(Named),
}

/// A table.
#[derive(Clone, Debug, PartialEq)]
pub struct TableView {
    /// What it is about.
    pub caption: AttrValue,
    /// Names of the columns.
    pub head: Rc<[AttrValue]>,
    /// The rows.
    pub rows: Rc<[RowView]>,
}

/// A row.
#[derive(Clone, Debug, PartialEq)]
pub struct RowView {
    /// What it is about.
    pub name: AttrValue,
    /// The other cells.
    pub cells: Vec<AttrValue>,
    /// Whether it speaks for the node; none if it says nothing.
    pub holds: Option<bool>,
    /// What it lights.
    pub light: Option<usize>,
}
