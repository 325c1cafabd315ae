//! The Preemption tab: what would have to go, from where, and why from there.

use super::{AppTile, Equation};
use std::rc::Rc;
use yew::AttrValue;

/// The tab.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PreemptionView {
    /// What came out of it, in sentences.
    pub outcome: Rc<[AttrValue]>,
    /// The candidates, the chosen one first, the others by how late they were out.
    pub candidates: Rc<[Candidate]>,
    /// How many more candidates there are.
    pub hidden: u32,
    /// The criterion that left a single candidate, by its place among the five.
    pub decided: Option<usize>,
    /// The nodes that preemption does not help on.
    pub others: Rc<[OtherNode]>,
    /// How many more of them there are.
    pub others_hidden: u32,
}

/// A node that could be taken.
#[derive(Clone, Debug, PartialEq)]
pub struct Candidate {
    /// Its name.
    pub node: AttrValue,
    /// Whether it is chosen.
    pub chosen: bool,
    /// Whether every criterion left it, so that it might be chosen as well.
    pub tied: bool,
    /// The pods that have to go, the more important first.
    pub victims: Rc<[PodMark]>,
    /// How many of them break a budget.
    pub violations: u32,
    /// The criteria in their order; what comes after the one that it lost by is not compared.
    pub criteria: [CriterionCell; 5],
    /// The pods that are lower, in the order in which they were taken away.
    pub lower: Rc<[PodMark]>,
    /// The priority that they are below.
    pub below: i32,
    /// What they take from disruption budgets.
    pub ledger: Rc<[LedgerRow]>,
    /// The pods in the order in which they were put back.
    pub put_back: Rc<[PutBackRow]>,
    /// Pods that would lose their nomination to the node.
    pub cleared: AttrValue,
}

/// A pod, as far as preemption looks at it.
#[derive(Clone, Debug, PartialEq)]
pub struct PodMark {
    /// Its app's square.
    pub app: AppTile,
    /// Its name.
    pub name: AttrValue,
    /// Its priority.
    pub priority: i32,
}

/// A candidate's value of a criterion.
#[derive(Clone, Debug, PartialEq)]
pub struct CriterionCell {
    /// The value.
    pub text: AttrValue,
    /// How it compares.
    pub standing: Standing,
}

/// How a value compares with the other candidates'.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    /// As good as any.
    Left,
    /// Another is better.
    Out,
    /// The candidate was out before, or was chosen before.
    Silent,
}

/// A disruption budget on a node.
#[derive(Clone, Debug, PartialEq)]
pub struct LedgerRow {
    /// The budget's name.
    pub budget: AttrValue,
    /// `status.disruptionsAllowed`.
    pub allowed: i32,
    /// The pods that are charged to it, in order.
    pub charged: AttrValue,
    /// Those of them that break it.
    pub violated: AttrValue,
    /// Those whose eviction was granted before: they are not charged.
    pub granted: AttrValue,
}

/// A pod that was put back.
#[derive(Clone, Debug, PartialEq)]
pub struct PutBackRow {
    /// The pod.
    pub pod: PodMark,
    /// Whether it breaks a budget, and so was tried before the others.
    pub violates: bool,
    /// Why it has to go; none if it may stay.
    pub refusal: Option<Refusal>,
    /// The arithmetic if it may stay.
    pub kept: Rc<[Equation]>,
}

/// What a plugin holds against a pod.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Refusal {
    /// Kubernetes' words.
    pub reason: AttrValue,
    /// The arithmetic.
    pub equations: Rc<[Equation]>,
    /// What is no arithmetic.
    pub facts: Rc<[AttrValue]>,
}

/// A node that preemption does not help on.
#[derive(Clone, Debug, PartialEq)]
pub struct OtherNode {
    /// Its name.
    pub node: AttrValue,
    /// Kubernetes' words about preemption there.
    pub reason: AttrValue,
    /// Why that is so.
    pub why: AttrValue,
    /// The refusal that no pod can change by going.
    pub refusal: Refusal,
}
