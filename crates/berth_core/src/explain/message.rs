//! `0/N nodes are available: …`.
//!
//! Mirrors `FitError.Error` of `pkg/scheduler/framework/types.go`.

use alloc::string::String;
use alloc::vec::Vec;

use super::Explanation;
use crate::collections::{Map, sort};
use crate::framework::status::{Code, Status};

/// What Filter says, or PreFilter if it refused the pod.
pub(super) fn message(explanation: &Explanation) -> String {
    let rejected = explanation
        .pre_filter
        .iter()
        .find(|status| status.code == Code::UnschedulableAndUnresolvable);
    if let Some(status) = rejected {
        let all = explanation.nodes.len();
        return alloc::format!("0/{all} nodes are available: {}.", status.reasons.join(", "));
    }
    Reasons::of(explanation.nodes.iter().filter_map(|node| node.status.as_ref()))
        .message(explanation.nodes.len())
}

/// Reasons with how many nodes have each.
pub(super) struct Reasons<'a>(Map<&'a str, usize>);

impl<'a> Reasons<'a> {
    /// Those of nodes, by their statuses.
    pub(super) fn of(statuses: impl Iterator<Item = &'a Status>) -> Self {
        let mut reasons = Self(Map::new());
        for status in statuses {
            for reason in &status.reasons {
                reasons.add(reason, 1);
            }
        }
        reasons
    }

    /// So many more nodes have the reason.
    pub(super) fn add(&mut self, reason: &'a str, nodes: usize) {
        *self.0.or_default(reason) += nodes;
    }

    /// All of them, sorted as text with their numbers.
    pub(super) fn message(self, all: usize) -> String {
        let mut parts: Vec<String> = Vec::with_capacity(self.0.len());
        for (reason, nodes) in self.0 {
            parts.push(alloc::format!("{nodes} {reason}"));
        }
        sort(&mut parts);
        let head = alloc::format!("0/{all} nodes are available:");
        if parts.is_empty() {
            return head;
        }
        alloc::format!("{head} {}.", parts.join(", "))
    }
}
