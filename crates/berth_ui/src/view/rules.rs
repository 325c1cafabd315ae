//! PriorityClasses and disruption budgets.

use crate::rules::Limit;
use std::rc::Rc;
use yew::AttrValue;

/// All of them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RulesView {
    /// The classes, the highest first.
    pub classes: Vec<ClassView>,
    /// The budgets, by name.
    pub budgets: Vec<BudgetView>,
    /// Where a budget can be made.
    pub namespaces: Rc<[AttrValue]>,
}

/// A PriorityClass.
#[derive(Clone, Debug, PartialEq)]
pub struct ClassView {
    /// `metadata.name`.
    pub name: AttrValue,
    /// `value`.
    pub value: i32,
    /// `globalDefault`.
    pub default: bool,
    /// Whether `preemptionPolicy` is `Never`.
    pub never: bool,
    /// `description`.
    pub description: AttrValue,
    /// Whether it is the system's, which nobody may change.
    pub system: bool,
    /// How many pods name it.
    pub pods: u32,
}

/// A PodDisruptionBudget.
#[derive(Clone, Debug, PartialEq)]
pub struct BudgetView {
    /// `namespace/name`.
    pub key: AttrValue,
    /// Which limit it sets.
    pub limit: Limit,
    /// The limit; empty for none.
    pub bound: AttrValue,
    /// `selector` in kubectl's notation.
    pub selector: AttrValue,
    /// Whether `unhealthyPodEvictionPolicy` is `AlwaysAllow`.
    pub always_allow: bool,
    /// Whether the status was given and stays.
    pub pinned: bool,
    /// What the scheduler reads: `expectedPods`, `desiredHealthy`, `currentHealthy`, `disruptionsAllowed`.
    pub status: [i32; 4],
    /// What the disruption controller would write now.
    pub computed: [i32; 4],
    /// How it comes to each of these.
    pub why: [AttrValue; 4],
    /// Why it cannot, in its words.
    pub failure: Option<AttrValue>,
}
