//! What concerns more than one pod: PriorityClasses and disruption budgets, seen and edited, and the scheduling queue,
//! run. A part of the program that is fetched when it is first needed, see [`crate::parts`].

mod change;
mod look;
mod run;

use crate::components::{RulesPanel, RulesPanelProps};
use crate::parts::NotFetched;
use crate::view::{Mistake, RulesView};
use berth_core::playground::{Machine, Playground};
use std::rc::Rc;
use yew::{AttrValue, Html, html};

/// What this part can do.
#[derive(Debug)]
pub struct Rules {
    /// The classes and budgets of a cluster.
    pub view: fn(&Playground) -> RulesView,
    /// Makes a change, whole or not at all.
    pub change: fn(&mut Playground, &RuleEdit) -> Result<Done, Mistakes>,
    /// The panel.
    pub panel: fn(RulesPanelProps) -> Html,
    /// What the playground is run by from now on.
    pub machine: Machine,
    /// Lets the scheduler take one pod from the queue, or all.
    pub run: fn(&mut Playground, bool) -> Ran,
}

/// What came of running the queue.
#[derive(Debug)]
pub struct Ran {
    /// What to say.
    pub say: AttrValue,
    /// The pod that was attempted last.
    pub pod: Option<AttrValue>,
    /// Every attempt, where there may have been several.
    pub log: Option<Html>,
}

/// The values that were refused.
pub type Mistakes = Rc<[Mistake]>;

/// What came of a change.
#[derive(Debug)]
pub struct Done {
    /// What to say.
    pub say: AttrValue,
    /// What to focus, where the change takes away what had the focus.
    pub focus: Option<&'static str>,
}

/// A change of a class or a budget.
#[derive(Clone, Debug, PartialEq)]
pub struct RuleEdit {
    /// The control that asks for it, by its id.
    pub control: AttrValue,
    /// The change.
    pub change: RuleChange,
}

/// What is changed.
#[derive(Clone, Debug, PartialEq)]
pub enum RuleChange {
    /// Of the class of this name.
    Class(AttrValue, ClassEdit),
    /// Of the budget `namespace/name`.
    Budget(AttrValue, BudgetEdit),
}

/// A change of a PriorityClass.
#[derive(Clone, Debug, PartialEq)]
pub enum ClassEdit {
    /// There is one more, with this value.
    Create(AttrValue),
    /// There is one fewer.
    Delete,
    /// `value`.
    Value(AttrValue),
    /// `preemptionPolicy`: true for `Never`.
    NeverPreempts(bool),
    /// `globalDefault`.
    GlobalDefault(bool),
    /// `description`.
    Description(AttrValue),
    /// A change that the API server refuses of a class that is there: it is deleted and created anew.
    Anew(Rc<ClassEdit>),
    /// `globalDefault`, taken from the class that has it.
    DefaultInstead,
}

/// A change of a PodDisruptionBudget.
#[derive(Clone, Debug, PartialEq)]
pub enum BudgetEdit {
    /// There is one more, with this selector and `minAvailable`.
    Create {
        /// `selector`, as text.
        selector: AttrValue,
        /// `minAvailable`, as text.
        least: AttrValue,
    },
    /// There is one fewer.
    Delete,
    /// `minAvailable`, or `maxUnavailable` instead: a number, a share, or nothing.
    Limit(Limit, AttrValue),
    /// `selector`.
    Selector(AttrValue),
    /// `unhealthyPodEvictionPolicy`: true for `AlwaysAllow`.
    AlwaysAllow(bool),
    /// Whether the status stays as it is.
    Pinned(bool),
    /// A number of the pinned status.
    Status(StatusField, AttrValue),
}

/// Which limit a budget sets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limit {
    /// `minAvailable`.
    MinAvailable,
    /// `maxUnavailable`.
    MaxUnavailable,
}

impl Limit {
    /// The API's name.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::MinAvailable => "minAvailable",
            Self::MaxUnavailable => "maxUnavailable",
        }
    }
}

/// A number of a budget's status.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StatusField {
    /// `expectedPods`.
    Expected,
    /// `desiredHealthy`.
    Desired,
    /// `currentHealthy`.
    Healthy,
    /// `disruptionsAllowed`.
    Allowed,
}

impl StatusField {
    /// All of them, in the order in which each follows from those before.
    pub const ALL: [Self; 4] = [Self::Expected, Self::Desired, Self::Healthy, Self::Allowed];

    /// The API's name.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Expected => "expectedPods",
            Self::Desired => "desiredHealthy",
            Self::Healthy => "currentHealthy",
            Self::Allowed => "disruptionsAllowed",
        }
    }
}

/// The controls of the form that makes a class: its name and its value.
pub const NEW_CLASS: [&str; 2] = ["new-class-name", "new-class-value"];
/// The controls of the form that makes a budget: its name, its selector and its limit.
pub const NEW_BUDGET: [&str; 3] = ["new-budget-name", "new-budget-selector", "new-budget-least"];

/// Fetches this part, or finds it here.
#[cfg(feature = "split")]
#[wasm_split_helpers::wasm_split(rules, fallible)]
pub fn fetch() -> Result<&'static Rules, NotFetched> {
    Ok(&RULES)
}

/// Fetches this part, or finds it here.
#[cfg(not(feature = "split"))]
#[expect(clippy::unused_async, reason = "the same as what the feature `split` makes of it")]
pub async fn fetch() -> Result<&'static Rules, NotFetched> {
    Ok(&RULES)
}

static RULES: Rules = Rules {
    view: look::view,
    change: change::change,
    panel: |props| html! { <RulesPanel ..props /> },
    machine: Machine::WHOLE,
    run: run::run,
};
