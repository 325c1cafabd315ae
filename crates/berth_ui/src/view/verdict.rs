//! What one node says about one pod.

use std::rc::Rc;
use yew::AttrValue;

/// A node's answer for the selected or held pod.
#[derive(Clone, Debug, PartialEq)]
pub enum Verdict {
    /// Every Filter plugin let the node through.
    Fits(Fits),
    /// A Filter plugin refused the node.
    Rejected(Rejected),
}

impl Verdict {
    /// Whether the node passed.
    pub fn fits(&self) -> bool {
        matches!(self, Self::Fits(_))
    }
}

/// Where a passing node stands among the others that pass.
#[derive(Clone, Debug, PartialEq)]
pub struct Fits {
    /// 1 for the highest total; equal totals share a rank.
    pub rank: u32,
    /// Nodes that passed.
    pub of: u32,
    /// Sum of the weighted scores.
    pub total: i64,
    /// How many nodes share the highest total, when this node is one of them.
    pub tied: u32,
}

impl Fits {
    /// Whether no node scores higher.
    pub fn best(&self) -> bool {
        self.rank == 1
    }
}

/// The first refusal, which is the one the scheduler reports.
#[derive(Clone, Debug, PartialEq)]
pub struct Rejected {
    /// The plugin that refused.
    pub plugin: AttrValue,
    /// Kubernetes' own words.
    pub reason: AttrValue,
    /// The refusal as one line of arithmetic, where there is arithmetic.
    pub equation: Option<Equation>,
    /// The same as a column sum.
    pub sum: Rc<[SumRow]>,
}

/// One line of arithmetic: `2 + 1 − 1 = 2 > maxSkew 1`.
#[derive(Clone, Debug, PartialEq)]
pub struct Equation {
    /// Up to the equals sign, empty when there is nothing to add up.
    pub terms: AttrValue,
    /// The comparison that decides.
    pub outcome: AttrValue,
    /// Whether the comparison lets the node pass.
    pub holds: bool,
}

/// One row of a column sum.
#[derive(Clone, Debug, PartialEq)]
pub struct SumRow {
    /// What is counted.
    pub label: AttrValue,
    /// The number, with its sign.
    pub value: AttrValue,
    /// Whether this row closes the sum.
    pub total: bool,
}
