//! What a playground works with: all of it, or what a program needs before it has fetched the rest.

use alloc::vec::Vec;

use super::{CommandError, Playground, Run, Step, validate};
use crate::api::Object;
use crate::cluster::{Cluster, NodeIdx, PodInfo};
use crate::explain::explain_briefly;
use crate::framework::cycle::{self, Decision, Placement};
use crate::framework::profile::Profile;

/// The functions that a playground is run by. What a program does not name is not linked into it.
#[derive(Clone, Copy, Debug)]
pub struct Machine {
    /// Whether an object may be put.
    pub(super) admit: fn(&Cluster, &Object) -> Result<(), CommandError>,
    /// Where a pod can go.
    pub(super) decide: fn(&mut Cluster, &Profile, &PodInfo) -> Decision,
    /// Attempts to schedule the next pods of the queue.
    pub(super) schedule_queue: ScheduleQueue,
}

type ScheduleQueue = fn(&mut Playground, Option<u64>, &mut Vec<Step>) -> Result<Run, CommandError>;

impl Machine {
    /// All of it.
    pub const WHOLE: Self = Self {
        admit: validate::validate,
        decide: cycle::decide,
        schedule_queue: Playground::schedule_queue,
    };

    /// What explains, and moves single pods. It decides by explaining, which comes to the same, puts classes and
    /// budgets as they are, and cannot run the queue.
    pub const LIGHT: Self = Self {
        admit: |_, _| Ok(()),
        decide: by_explaining,
        schedule_queue: |_, _, _| Err(CommandError::NoQueue),
    };
}

/// As `cycle::decide`, without the nodes that refuse the pod.
fn by_explaining(cluster: &mut Cluster, profile: &Profile, pod: &PodInfo) -> Decision {
    let found = explain_briefly(cluster, profile, pod);
    if let Some(status) = &found.pre_enqueue {
        return Decision::Gated(status.reasons.join(", "));
    }
    if let Some(error) = &found.error {
        return Decision::NotScored(error.clone());
    }
    let nodes = |list: &[u32]| -> Vec<NodeIdx> {
        let report = |at: &u32| found.nodes.get(*at as usize);
        list.iter().filter_map(|at| cluster.node_named(&report(at)?.name)).collect()
    };
    let scores = found.feasible.iter().filter_map(|at| found.nodes.get(*at as usize));
    Decision::Filtered(Placement {
        feasible: nodes(&found.feasible),
        totals: scores.filter_map(|report| Some(report.scores.as_ref()?.total)).collect(),
        best: nodes(&found.best),
        rejected: Vec::new(),
    })
}
