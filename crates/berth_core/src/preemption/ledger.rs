//! Which victims would break a disruption budget.
//!
//! Mirrors `filterPodsWithPDBViolation` of `default_preemption.go`. What the disruption controller
//! wrote into the budget's status counts, not what its spec says.

use alloc::sync::Arc;
use alloc::vec::Vec;

use crate::api::{Pod, PodDisruptionBudget, Selector};
use crate::cluster::Cluster;

/// What one pod takes from one budget.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Charge {
    /// Index among the ledger's budgets.
    pub budget: u32,
    /// Disruptions that were left.
    pub before: i32,
    /// Disruptions that are left; below 0 the budget is broken.
    pub after: i32,
    /// The API server granted this pod's eviction before: it is not charged.
    pub disrupted: bool,
}

impl Charge {
    /// Whether the pod breaks the budget.
    pub const fn violates(self) -> bool {
        !self.disrupted && self.after < 0
    }
}

/// The budgets of a cluster.
#[derive(Clone, Debug, Default)]
pub struct Ledger {
    /// By key; a budget whose selector does not parse selects no pod.
    budgets: Vec<(Arc<PodDisruptionBudget>, Selector)>,
    /// What is left of each, on the node at hand.
    left: Vec<i32>,
}

impl Ledger {
    /// The budgets as they are.
    pub fn new(cluster: &Cluster) -> Self {
        let mut budgets = Vec::with_capacity(cluster.budgets().len());
        for budget in cluster.budgets().values() {
            let selector = Selector::from_label_selector(budget.selector.as_ref());
            let selector = selector.unwrap_or_else(|_| Selector::nothing());
            budgets.push((Arc::clone(budget), selector));
        }
        Self { left: Vec::with_capacity(budgets.len()), budgets }
    }

    /// The budgets: charges give their indices.
    pub fn budgets(&self) -> impl Iterator<Item = &Arc<PodDisruptionBudget>> {
        self.budgets.iter().map(|(budget, _)| budget)
    }

    /// Nothing is charged yet: every node is looked at for itself.
    pub fn open(&mut self) {
        self.left.clear();
        for (budget, _) in &self.budgets {
            self.left.push(budget.status.disruptions_allowed);
        }
    }

    /// Charges a pod to every budget that selects it, also after one is exceeded. True if any is.
    ///
    /// A pod without labels is never charged, and neither is any to a budget with an empty selector,
    /// which for the disruption controller selects every pod.
    pub fn charge(&mut self, pod: &Pod, mut tell: impl FnMut(Charge)) -> bool {
        let mut violates = false;
        if pod.metadata.labels.is_empty() {
            return false;
        }
        for (index, ((budget, selector), left)) in
            (0_u32..).zip(self.budgets.iter().zip(&mut self.left))
        {
            if budget.metadata.namespace != pod.metadata.namespace
                || selector.is_empty()
                || !selector.matches(&pod.metadata.labels)
            {
                continue;
            }
            let before = *left;
            let disrupted = budget.status.disrupted_pods.contains_key(&pod.metadata.name);
            if !disrupted {
                *left = left.wrapping_sub(1);
            }
            let charge = Charge { budget: index, before, after: *left, disrupted };
            violates |= charge.violates();
            tell(charge);
        }
        violates
    }
}

#[cfg(test)]
mod tests;
