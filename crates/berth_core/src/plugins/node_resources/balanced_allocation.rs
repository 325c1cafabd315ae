//! NodeResourcesBalancedAllocation: cpu and memory should be used alike.
//!
//! Mirrors `balanced_allocation.go`.

use alloc::sync::Arc;
use alloc::vec::Vec;

use super::allocation::{Amounts, ScoredResources};
use crate::cluster::requests::{RequestOptions, pod_requests};
use crate::cluster::{Cluster, NodeInfo, PodInfo};
use crate::framework::config::ResourceSpec;
use crate::framework::fact::{Fact, Sink};
use crate::framework::normalize::to_integer;
use crate::framework::profile::MAX_NODE_SCORE;
use crate::framework::state::PreScore;

/// The resources to balance, with the pod's share.
#[derive(Clone, Debug)]
pub struct PreScoreState {
    resources: ScoredResources,
}

/// The resources to balance, with the pod's share: its requests as they are.
pub fn resources(cluster: &mut Cluster, specs: &[ResourceSpec], pod: &PodInfo) -> ScoredResources {
    let options = RequestOptions {
        status: true,
        pod_level: true,
        missing_milli_cpu: None,
        missing_memory: None,
    };
    ScoredResources::new(cluster, specs, &pod_requests(&pod.pod, options))
}

/// Skips pods that ask for none of the resources.
pub fn pre_score(
    cluster: &mut Cluster,
    specs: &[ResourceSpec],
    pod: &PodInfo,
) -> PreScore<PreScoreState> {
    let resources = resources(cluster, specs, pod);
    if resources.is_best_effort() {
        return PreScore::Skip;
    }
    PreScore::Ready(PreScoreState { resources })
}

/// Scores how much more even the node becomes: around 75 if nothing changes.
pub fn score<S: Sink>(state: &PreScoreState, node: &NodeInfo, sink: &mut S) -> i64 {
    let mut with = Fractions::default();
    let mut without = Fractions::default();
    for resource in state.resources.as_slice() {
        let Amounts { requested, allocated, capacity } = resource.amounts(node, true);
        sink.fact(|| Fact::BalancedShare {
            resource: Arc::clone(&resource.name),
            requested,
            allocated,
            capacity,
        });
        with.push(requested, capacity);
        without.push(allocated, capacity);
    }
    let half = MAX_NODE_SCORE / 2;
    let change = half.wrapping_add(with.score()).wrapping_sub(without.score());
    half + change / 2
}

/// How evenly resources are used, 0 to 100, from what is used of each and what there is; those of
/// which there is nothing are left out.
pub fn evenness(shares: impl Iterator<Item = (i64, i64)>) -> i64 {
    let mut fractions = Fractions::default();
    for (used, capacity) in shares {
        fractions.push(used, capacity);
    }
    fractions.score()
}

/// How much of each resource is used, and how far apart that is. Two resources, the usual case,
/// need no allocation.
#[derive(Clone, Debug, Default)]
struct Fractions {
    first: [f64; 2],
    more: Vec<f64>,
    count: u32,
    total: f64,
}

impl Fractions {
    fn push(&mut self, requested: i64, capacity: i64) {
        if capacity == 0 {
            return;
        }
        let fraction = (requested as f64 / capacity as f64).min(1.0);
        self.total += fraction;
        match self.first.get_mut(self.count as usize) {
            Some(slot) => *slot = fraction,
            None => self.more.push(fraction),
        }
        self.count += 1;
    }

    /// `(1 − standard deviation) × 100`, cut off.
    fn score(&self) -> i64 {
        let deviation = match self.count {
            0 | 1 => 0.0,
            2 => ((self.first[0] - self.first[1]) / 2.0).abs(),
            count => {
                let mean = self.total / f64::from(count);
                let mut sum = 0.0;
                for fraction in self.first.iter().chain(&self.more) {
                    sum += (fraction - mean) * (fraction - mean);
                }
                libm::sqrt(sum / f64::from(count))
            }
        };
        to_integer((1.0 - deviation) * MAX_NODE_SCORE as f64)
    }
}
