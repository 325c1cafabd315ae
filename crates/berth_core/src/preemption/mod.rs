//! DefaultPreemption: which lower pods would have to go, on which node.
//!
//! Mirrors `pkg/scheduler/framework/preemption/preemption.go` and
//! `pkg/scheduler/framework/plugins/defaultpreemption/default_preemption.go`. Every node that
//! preemption may help is dry-run, where kube-scheduler stops at [`candidates_to_find`] of them
//! from a random place on; and all that tie are kept, where it takes the first in the order of a
//! Go map.
//!
//! A missing start time is "now" in kube-scheduler. Here it is later than any other.

pub mod choice;
pub mod eligibility;
pub mod executor;
pub mod importance;
pub mod ledger;
mod sort_slice;
pub mod victims;

pub use choice::{Choice, Criteria, Criterion};
pub use eligibility::{Ineligible, eligibility};
pub use executor::{Effects, effects};
pub use ledger::{Charge, Ledger};
pub use victims::{DryRun, NodeRun, Outcome, Step, Steps, Trace, Victims};

use crate::framework::config::DefaultPreemptionArgs;

/// The reason of nodes that are not dry-run, since no pod that goes can help there.
pub const NOT_HELPFUL: &str = "Preemption is not helpful for scheduling";
/// The reason of nodes without a lower pod.
pub const NO_VICTIMS: &str = "No preemption victims found for incoming pod";

/// After how many candidates kube-scheduler stops to look for more (`calculateNumCandidates`).
pub fn candidates_to_find(args: &DefaultPreemptionArgs, nodes: i32) -> i32 {
    let share = nodes.wrapping_mul(args.min_candidate_nodes_percentage) / 100;
    share.max(args.min_candidate_nodes_absolute).min(nodes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_share_is_bounded_on_both_sides() {
        for (percentage, absolute, nodes, found) in [
            (10, 100, 50, 50),
            (10, 100, 1000, 100),
            // 10 % of 5000
            (10, 100, 5000, 500),
            // 10 % of 19 is 1.9
            (10, 0, 19, 1),
            (0, 3, 5, 3),
            (100, 0, 7, 7),
            (10, 100, 0, 0),
        ] {
            let args = DefaultPreemptionArgs {
                min_candidate_nodes_percentage: percentage,
                min_candidate_nodes_absolute: absolute,
            };
            assert_eq!(candidates_to_find(&args, nodes), found, "{percentage} {absolute} {nodes}");
        }
    }
}
