//! Which victims would break a disruption budget.
//!
//! Mirrors `filterPodsWithPDBViolation` of `default_preemption.go`. What the disruption controller
//! wrote into the budget's status counts, not what its spec says.

use alloc::sync::Arc;
use alloc::vec::Vec;

use crate::api::{Labels, PodDisruptionBudget, Selector};
use crate::cluster::{Cluster, PodInfo, StrId};

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

/// A budget, ready to select pods.
#[derive(Clone, Debug)]
struct Entry {
    budget: Arc<PodDisruptionBudget>,
    /// Selects no pod if the budget's own does not parse or is empty: for the disruption
    /// controller an empty one selects every pod.
    selector: Selector,
    /// None if no pod is in that namespace.
    namespace: Option<StrId>,
}

/// The budgets of a cluster.
#[derive(Clone, Debug, Default)]
pub struct Ledger {
    /// By key.
    entries: Vec<Entry>,
    /// What is left of each, on the node at hand.
    left: Vec<i32>,
    /// By set of labels: the budgets that select it, once that is known.
    selecting: Vec<Option<Vec<u32>>>,
}

impl Ledger {
    /// The budgets as they are.
    pub fn new(cluster: &Cluster) -> Self {
        let mut entries = Vec::with_capacity(cluster.budgets().len());
        for budget in cluster.budgets().values() {
            let selector = match Selector::from_label_selector(budget.selector.as_ref()) {
                Ok(selector) if !selector.is_empty() => selector,
                _ => Selector::nothing(),
            };
            let namespace = cluster.strings().find(&budget.metadata.namespace);
            entries.push(Entry { budget: Arc::clone(budget), selector, namespace });
        }
        Self { left: Vec::with_capacity(entries.len()), entries, selecting: Vec::new() }
    }

    /// The budgets: charges give their indices.
    pub fn budgets(&self) -> impl Iterator<Item = &Arc<PodDisruptionBudget>> {
        self.entries.iter().map(|entry| &entry.budget)
    }

    /// Nothing is charged yet: every node is looked at for itself.
    pub fn open(&mut self) {
        self.left.clear();
        for entry in &self.entries {
            self.left.push(entry.budget.status.disruptions_allowed);
        }
    }

    /// Charges a pod to every budget that selects it, also after one is exceeded. True if any is. A
    /// pod without labels is never charged.
    pub fn charge(&mut self, pod: &PodInfo, mut tell: impl FnMut(Charge)) -> bool {
        if self.entries.is_empty() {
            return false;
        }
        if self.selecting.len() <= pod.labels.at() {
            self.selecting.resize(pod.labels.at() + 1, None);
        }
        let Some(selecting) = self.selecting.get_mut(pod.labels.at()) else { return false };
        let entries = &self.entries;
        let selecting =
            selecting.get_or_insert_with(|| selecting_labels(entries, &pod.pod.metadata.labels));
        let mut violates = false;
        for &index in &*selecting {
            let at = index as usize;
            let (Some(entry), Some(left)) = (entries.get(at), self.left.get_mut(at)) else {
                continue;
            };
            if entry.namespace != Some(pod.namespace) {
                continue;
            }
            let before = *left;
            let granted = &entry.budget.status.disrupted_pods;
            let disrupted = !granted.is_empty() && granted.contains_key(&pod.pod.metadata.name);
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

/// The budgets that select labels, in whatever namespace. None selects a pod without labels.
fn selecting_labels(entries: &[Entry], labels: &Labels) -> Vec<u32> {
    let mut selecting = Vec::new();
    if labels.is_empty() {
        return selecting;
    }
    for (index, entry) in (0_u32..).zip(entries) {
        if entry.selector.matches(labels) {
            selecting.push(index);
        }
    }
    selecting
}

#[cfg(test)]
mod tests;
