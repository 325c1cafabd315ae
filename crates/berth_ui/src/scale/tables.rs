//! The two tables: nodes and pods.

use super::data::{Data, NodeRow, Outcome, PodRow};
use super::table::Source;
use super::words::{ScaleMsg, ScaleWords};
use super::{Shown, open_card};
use crate::app::Intent;
use crate::engine::{amount, share};
use crate::env::Env;
use crate::locale::Msg;
use std::cell::RefCell;
use std::cmp::Ordering;
use std::rc::Rc;
use yew::AttrValue;

/// The nodes.
pub(super) struct Nodes {
    pub(super) data: Rc<Data>,
    pub(super) env: Env,
    pub(super) words: ScaleWords,
    /// The label key of the columns.
    pub(super) key: AttrValue,
    /// The second one.
    pub(super) second: Option<AttrValue>,
    pub(super) shown: Rc<RefCell<Shown>>,
    pub(super) columns: Vec<NodeColumn>,
}

/// A column of the table of nodes.
#[derive(Clone, Copy)]
pub(super) enum NodeColumn {
    Name,
    Zone,
    Group,
    Pods,
    Cpu,
    Memory,
    Verdict,
    Score,
    Skew,
}

/// The columns that have something to say.
pub(super) fn columns(data: &Data, key: &str, second: bool) -> Vec<NodeColumn> {
    let mut columns = vec![NodeColumn::Name];
    if !key.is_empty() {
        columns.push(NodeColumn::Zone);
    }
    if second {
        columns.push(NodeColumn::Group);
    }
    columns.extend([NodeColumn::Pods, NodeColumn::Cpu, NodeColumn::Memory]);
    if data.fits.is_some() {
        columns.extend([NodeColumn::Verdict, NodeColumn::Score]);
    }
    if data.nodes.iter().any(|node| node.skew.is_some()) {
        columns.push(NodeColumn::Skew);
    }
    columns
}

impl Nodes {
    fn zone(&self, node: &NodeRow) -> AttrValue {
        self.data.zones.get(node.zone).map(|zone| zone.title.clone()).unwrap_or_default()
    }

    fn free(&self, resource: &str, (used, all): (i64, i64)) -> AttrValue {
        let free = all.saturating_sub(used);
        self.words.fill(
            ScaleMsg::FreeOf,
            &[("free", &amount(resource, free)), ("all", &amount(resource, all))],
        )
    }
}

impl Source for Nodes {
    fn heads(&self) -> Vec<(AttrValue, bool)> {
        let text = |msg| self.words.text(msg);
        let head = |column: NodeColumn| match column {
            NodeColumn::Name => (text(ScaleMsg::ColumnNode), false),
            NodeColumn::Zone => (self.key.clone(), false),
            NodeColumn::Group => (self.second.clone().unwrap_or_default(), false),
            NodeColumn::Pods => (text(ScaleMsg::ColumnPods), true),
            NodeColumn::Cpu => (text(ScaleMsg::ColumnCpu), true),
            NodeColumn::Memory => (text(ScaleMsg::ColumnMemory), true),
            NodeColumn::Verdict => (text(ScaleMsg::ColumnVerdict), false),
            NodeColumn::Score => (text(ScaleMsg::ColumnScore), true),
            NodeColumn::Skew => (text(ScaleMsg::ColumnSkew), true),
        };
        self.columns.iter().map(|column| head(*column)).collect()
    }

    fn len(&self) -> usize {
        self.data.nodes.len()
    }

    fn cell(&self, row: usize, column: usize) -> AttrValue {
        let Some((node, column)) = self.data.nodes.get(row).zip(self.columns.get(column)) else {
            return AttrValue::default();
        };
        match column {
            NodeColumn::Name => node.name.clone(),
            NodeColumn::Zone => self.zone(node),
            NodeColumn::Group => node.group.clone().unwrap_or_default(),
            NodeColumn::Pods => node.pods.to_string().into(),
            NodeColumn::Cpu => self.free("cpu", node.cpu),
            NodeColumn::Memory => self.free("memory", node.memory),
            NodeColumn::Verdict => match &node.outcome {
                Outcome::NotAsked => AttrValue::default(),
                Outcome::Fits(..) => self.env.words.text(Msg::Fits),
                Outcome::Refused(plugin) => plugin.clone(),
            },
            NodeColumn::Score => match node.outcome {
                Outcome::Fits(rank, total) => {
                    [&total.to_string(), " · #", &rank.to_string()].concat().into()
                }
                _ => "–".into(),
            },
            NodeColumn::Skew => match node.skew {
                Some((skew, limit)) => {
                    let sign = if skew > limit { " > " } else { " ≤ " };
                    [&skew.to_string(), sign, &limit.to_string()].concat().into()
                }
                None => "–".into(),
            },
        }
    }

    fn compare(&self, a: usize, b: usize, column: usize) -> Ordering {
        let (Some(left), Some(right)) = (self.data.nodes.get(a), self.data.nodes.get(b)) else {
            return Ordering::Equal;
        };
        let outcome = |node: &NodeRow| match &node.outcome {
            Outcome::Fits(rank, _) => (0, *rank, AttrValue::default()),
            Outcome::Refused(plugin) => (1, 0, plugin.clone()),
            Outcome::NotAsked => (2, 0, AttrValue::default()),
        };
        let free = |(used, all): (i64, i64)| all.saturating_sub(used);
        match self.columns.get(column) {
            Some(NodeColumn::Zone) => left.zone.cmp(&right.zone),
            Some(NodeColumn::Group) => left.group.cmp(&right.group),
            Some(NodeColumn::Pods) => left.pods.cmp(&right.pods),
            Some(NodeColumn::Cpu) => free(left.cpu).cmp(&free(right.cpu)),
            Some(NodeColumn::Memory) => free(left.memory).cmp(&free(right.memory)),
            Some(NodeColumn::Verdict | NodeColumn::Score) => outcome(left).cmp(&outcome(right)),
            Some(NodeColumn::Skew) => left.skew.cmp(&right.skew),
            Some(NodeColumn::Name) | None => Ordering::Equal,
        }
        .then_with(|| left.name.cmp(&right.name))
    }

    fn class(&self, row: usize) -> &'static str {
        match self.data.nodes.get(row).map(|node| &node.outcome) {
            Some(Outcome::Fits(..)) => "fit",
            Some(Outcome::Refused(_)) => "no",
            _ => "",
        }
    }

    fn node(&self, row: usize) -> Option<AttrValue> {
        self.data.nodes.get(row).map(|node| node.name.clone())
    }

    fn open(&self, row: usize) -> Intent {
        open_card(&self.shown, self.node(row))
    }
}

/// The pods.
pub(super) struct Pods {
    pub(super) rows: Vec<PodRow>,
    pub(super) words: ScaleWords,
}

impl Source for Pods {
    fn heads(&self) -> Vec<(AttrValue, bool)> {
        let columns = [
            (ScaleMsg::ColumnPod, false),
            (ScaleMsg::ColumnNode, false),
            (ScaleMsg::ColumnPriority, true),
            (ScaleMsg::ColumnCpu, true),
            (ScaleMsg::ColumnMemory, true),
        ];
        columns.into_iter().map(|(msg, number)| (self.words.text(msg), number)).collect()
    }

    fn len(&self) -> usize {
        self.rows.len()
    }

    fn cell(&self, row: usize, column: usize) -> AttrValue {
        let Some(pod) = self.rows.get(row) else { return AttrValue::default() };
        match column {
            0 => pod.key.clone(),
            1 if pod.node.is_empty() => self.words.text(ScaleMsg::Waits),
            1 => pod.node.clone(),
            2 => pod.priority.to_string().into(),
            3 => amount("cpu", pod.cpu).into(),
            _ => amount("memory", pod.memory).into(),
        }
    }

    fn compare(&self, a: usize, b: usize, column: usize) -> Ordering {
        let (Some(left), Some(right)) = (self.rows.get(a), self.rows.get(b)) else {
            return Ordering::Equal;
        };
        match column {
            1 => left.node.cmp(&right.node),
            2 => left.priority.cmp(&right.priority),
            3 => left.cpu.cmp(&right.cpu),
            4 => left.memory.cmp(&right.memory),
            _ => Ordering::Equal,
        }
        .then_with(|| left.key.cmp(&right.key))
    }

    fn class(&self, _row: usize) -> &'static str {
        ""
    }

    fn node(&self, _row: usize) -> Option<AttrValue> {
        None
    }

    fn open(&self, row: usize) -> Intent {
        Intent::Select(self.rows.get(row).map(|pod| pod.key.clone()))
    }
}

/// The share of a resource that is taken, in thousandths.
pub(super) fn taken((used, all): (i64, i64)) -> u16 {
    share(used, all)
}
