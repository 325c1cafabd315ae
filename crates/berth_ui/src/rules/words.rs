//! The words of this part.

use crate::locale::Table;
use crate::locale::messages::messages;

/// The words about classes, budgets and the queue run.
pub type RuleWords = Table<RuleMsg>;

messages! {
    /// A message about classes, budgets and the queue run, by what it says.
    RuleMsg from "en-rules":
    Attempts = "attempts",
    AttemptsInOrder = "attempts-in-order",
    BudgetHealthy = "budget-healthy",
    BudgetNoLimit = "budget-no-limit",
    BudgetNoPods = "budget-no-pods",
    BudgetScaled = "budget-scaled",
    BudgetSelected = "budget-selected",
    BudgetShare = "budget-share",
    BudgetStatus = "budget-status",
    BudgetUnmanaged = "budget-unmanaged",
    ClassHint = "class-hint",
    ClassSystem = "class-system",
    Computed = "computed",
    ComputedNow = "computed-now",
    Create = "create",
    DefaultInstead = "default-instead",
    Delete = "delete",
    NewBudget = "new-budget",
    NewClass = "new-class",
    NoneToSchedule = "none-to-schedule",
    NotAtRest = "not-at-rest",
    Pinned = "pinned",
    Recreate = "recreate",
    SayChanged = "say-changed",
    SayCreated = "say-created",
    SayDeleted = "say-deleted",
    SayPreempting = "say-preempting",
    SayRan = "say-ran",
}
