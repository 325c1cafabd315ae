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
pub mod victims;

pub use choice::{Choice, Criteria, Criterion};
pub use eligibility::{Ineligible, eligibility};
pub use executor::{Effects, effects};
pub use ledger::{Charge, Ledger};
pub use victims::{Brief, DryRun, NodeRun, Outcome, Step, Steps, Trace, Victims};

use alloc::vec::Vec;

use crate::cluster::{Cluster, NodeIdx, PodInfo};
use crate::framework::config::DefaultPreemptionArgs;
use crate::framework::cycle::{Verdict, pre_filter};
use crate::framework::fact::Silent;
use crate::framework::plugin::{ExtensionPoint, PluginId};
use crate::framework::profile::Profile;
use crate::framework::state::Context;
use crate::framework::status::Code;

/// The reason of nodes that are not dry-run, since no pod that goes can help there.
pub const NOT_HELPFUL: &str = "Preemption is not helpful for scheduling";
/// The reason of nodes without a lower pod.
pub const NO_VICTIMS: &str = "No preemption victims found for incoming pod";

/// Whether PostFilter of DynamicResources can work: its PreFilter ran, which it does not if an
/// earlier plugin, `rejecting`, refused the pod for good.
pub fn claims_are_known(profile: &Profile, rejecting: Option<PluginId>) -> bool {
    for &plugin in profile.plugins(ExtensionPoint::PreFilter) {
        if plugin == PluginId::DynamicResources {
            return true;
        }
        if Some(plugin) == rejecting {
            return false;
        }
    }
    false
}

/// Whether DefaultPreemption gets its turn at PostFilter: not after a plugin that fails.
pub fn is_reached(profile: &Profile, rejecting: Option<PluginId>) -> bool {
    for &plugin in profile.plugins(ExtensionPoint::PostFilter) {
        match plugin {
            PluginId::DefaultPreemption => return true,
            PluginId::DynamicResources if !claims_are_known(profile, rejecting) => return false,
            _ => {}
        }
    }
    false
}

/// What DefaultPreemption finds for a pod that no node can take.
#[derive(Clone, Debug)]
pub struct Preemption<T: Trace> {
    /// Why the pod may not preempt, if so. Nothing below is filled then.
    pub ineligible: Option<Ineligible>,
    /// The dry runs, in the order of the nodes that were given.
    pub runs: Vec<NodeRun<T>>,
    /// Indices of the candidates in `runs`.
    pub candidates: Vec<u32>,
    /// The choice among `candidates`, which its indices mean.
    pub choice: Choice,
    /// After how many candidates kube-scheduler stops.
    pub candidates_to_find: i32,
}

/// Dry-runs every node that refused the pod as `Unschedulable`, and chooses. `rejected` are the
/// nodes with the codes that Filter gave them; a node that is not among them is not helped.
pub fn preempt<T: Trace>(run: &mut DryRun<'_>, rejected: &[(NodeIdx, Code)]) -> Preemption<T> {
    let mut found = Preemption {
        ineligible: eligibility(run.context(), rejected),
        runs: Vec::new(),
        candidates: Vec::new(),
        choice: Choice::default(),
        candidates_to_find: 0,
    };
    if found.ineligible.is_some() {
        return found;
    }
    let mut criteria = Vec::new();
    for &(idx, code) in rejected {
        if code != Code::Unschedulable {
            continue;
        }
        let Some(node) = run.run::<T>(idx) else { continue };
        if let Outcome::Candidate(victims) = &node.outcome {
            criteria.push(Criteria::new(victims));
            found.candidates.push(found.runs.len() as u32);
        }
        found.runs.push(node);
    }
    let args = &run.context().profile.args.default_preemption;
    found.candidates_to_find = candidates_to_find(args, found.runs.len() as i32);
    found.choice = Choice::new(criteria);
    found
}

/// As `preempt`, without the steps, for a pod about which `framework::cycle::decide` said that
/// these nodes refuse it, and no node can take it. `None` if the profile does not preempt.
pub fn decide(
    cluster: &mut Cluster,
    profile: &Profile,
    pod: &PodInfo,
    rejected: &[(NodeIdx, Verdict)],
) -> Option<Preemption<Silent>> {
    if cluster.order().is_empty() || !is_reached(profile, None) {
        return None;
    }
    let state = pre_filter(cluster, profile, pod);
    let mut codes = Vec::with_capacity(rejected.len());
    for (idx, verdict) in rejected {
        codes.push((*idx, verdict.code));
    }
    Some(preempt(&mut DryRun::new(Context { cluster, profile, pod }, state), &codes))
}

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
