//! NodeResourcesFit: requests must fit, and how full the node would be is scored.
//!
//! Mirrors `fit.go`, `least_allocated.go` and `most_allocated.go`.

use alloc::sync::Arc;
use alloc::vec::Vec;

use super::allocation::{Amounts, ScoredResources};
use super::requested_to_capacity_ratio;
use crate::api::resources::is_extended_resource;
use crate::cluster::requests::{RequestOptions, pod_requests};
use crate::cluster::{Cluster, NodeInfo, PodInfo, Resources, StrId};
use crate::framework::config::{NodeResourcesFitArgs, ResourceSpec, ScoringStrategyType};
use crate::framework::fact::{Fact, Sink};
use crate::framework::normalize::to_integer;
use crate::framework::profile::MAX_NODE_SCORE;
use crate::framework::status::Code;

/// What the pod asks for.
#[derive(Clone, Debug)]
pub struct PreFilterState {
    requests: Resources,
    /// Names of cpu, memory and storage, shared by all that is said of nodes.
    names: [Arc<str>; 3],
    /// Scalar resources that are checked, with their names.
    scalars: Vec<(StrId, i64, Arc<str>)>,
}

/// Adds up the pod's requests. An in-place resize does not count: the pod is not placed yet. Without
/// arguments no resource is ignored.
pub fn pre_filter(
    cluster: &mut Cluster,
    args: Option<&NodeResourcesFitArgs>,
    pod: &PodInfo,
) -> PreFilterState {
    let options = RequestOptions {
        status: false,
        pod_level: true,
        missing_milli_cpu: None,
        missing_memory: None,
    };
    let list = pod_requests(&pod.pod, options);
    let requests = cluster.resources_at_least_zero(&list);
    let scalars = requests
        .scalars
        .iter()
        .filter(|(_, amount)| *amount != 0)
        .map(|(id, amount)| (*id, *amount, cluster.strings().shared(*id)))
        .filter(|(_, _, name)| !args.is_some_and(|args| is_ignored(args, name)))
        .collect();
    let names = ["cpu", "memory", "ephemeral-storage"].map(Arc::from);
    PreFilterState { requests, names, scalars }
}

fn is_ignored(args: &NodeResourcesFitArgs, name: &str) -> bool {
    let group = name.split('/').next().unwrap_or(name);
    is_extended_resource(name)
        && (args.ignored_resources.iter().any(|ignored| ignored == name)
            || args.ignored_resource_groups.iter().any(|ignored| ignored == group))
}

impl PreFilterState {
    /// What the pod asks for.
    pub const fn requests(&self) -> &Resources {
        &self.requests
    }
}

/// Refuses a node that has too little of anything; for good, if it never has enough.
pub fn filter<S: Sink>(state: &PreFilterState, node: &NodeInfo, sink: &mut S) -> Code {
    let mut code = Code::Success;
    let used = node.pod_count();
    let capacity = node.allowed_pods;
    sink.fact(|| Fact::Pods { used, capacity });
    if used + 1 > capacity {
        code = Code::Unschedulable;
    }
    let asked = &state.requests;
    if asked.is_empty() {
        return code;
    }
    let mut check = |name: &dyn Fn() -> Arc<str>, requested: i64, used: i64, capacity: i64| {
        sink.fact(|| Fact::Resource { resource: name(), requested, used, capacity });
        if requested > capacity.wrapping_sub(used) {
            let found = if requested > capacity {
                Code::UnschedulableAndUnresolvable
            } else {
                Code::Unschedulable
            };
            code = code.max(found);
        }
    };
    let (free, taken) = (&node.allocatable, &node.requested);
    if asked.milli_cpu > 0 {
        check(&|| Arc::clone(&state.names[0]), asked.milli_cpu, taken.milli_cpu, free.milli_cpu);
    }
    if asked.memory > 0 {
        check(&|| Arc::clone(&state.names[1]), asked.memory, taken.memory, free.memory);
    }
    if asked.ephemeral_storage > 0 {
        let (taken, free) = (taken.ephemeral_storage, free.ephemeral_storage);
        check(&|| Arc::clone(&state.names[2]), asked.ephemeral_storage, taken, free);
    }
    for (id, amount, name) in &state.scalars {
        let (taken, free) = (taken.scalar(*id).unwrap_or(0), free.scalar(*id).unwrap_or(0));
        check(&|| Arc::clone(name), *amount, taken, free);
    }
    code
}

/// The strategy's resources, with what the pod counts as.
#[derive(Clone, Debug)]
pub struct PreScoreState {
    /// In the order of the arguments.
    pub resources: ScoredResources,
}

/// Adds up what the pod counts as: containers that ask for nothing count as something, and
/// requests of the pod as a whole do not count (kube-scheduler leaves that switched off here).
pub fn pre_score(cluster: &mut Cluster, specs: &[ResourceSpec], pod: &PodInfo) -> PreScoreState {
    let options = RequestOptions {
        status: false,
        pod_level: false,
        missing_milli_cpu: Some(crate::cluster::resources::DEFAULT_MILLI_CPU_REQUEST),
        missing_memory: Some(crate::cluster::resources::DEFAULT_MEMORY_REQUEST),
    };
    PreScoreState {
        resources: ScoredResources::new(cluster, specs, &pod_requests(&pod.pod, options)),
    }
}

/// Scores how empty, how full, or how far along a curve the node would be.
pub fn score<S: Sink>(
    state: &PreScoreState,
    strategy: &ScoringStrategyType,
    node: &NodeInfo,
    sink: &mut S,
) -> i64 {
    let mut sum = 0_i64;
    let mut weights = 0_i64;
    let ratio = matches!(strategy, ScoringStrategyType::RequestedToCapacityRatio(_));
    for resource in state.resources.as_slice() {
        let Amounts { requested, capacity, .. } = resource.amounts(node, false);
        let weight = resource.weight;
        let score = match strategy {
            _ if capacity == 0 => 0,
            ScoringStrategyType::LeastAllocated => least_requested(requested, capacity),
            ScoringStrategyType::MostAllocated => most_requested(requested, capacity),
            ScoringStrategyType::RequestedToCapacityRatio(shape) => {
                requested_to_capacity_ratio::score(shape, requested, capacity)
            }
        };
        sink.fact(|| Fact::ResourceScore {
            resource: Arc::clone(&resource.name),
            requested,
            capacity,
            score,
            weight,
        });
        // A curve's score of 0 takes its weight out of the mean.
        if capacity != 0 && (!ratio || score > 0) {
            sum = sum.wrapping_add(score.wrapping_mul(weight));
            weights = weights.wrapping_add(weight);
        }
    }
    if weights == 0 {
        0
    } else if ratio {
        to_integer(libm::round(sum as f64 / weights as f64))
    } else {
        sum.wrapping_div(weights)
    }
}

fn least_requested(requested: i64, capacity: i64) -> i64 {
    if requested > capacity {
        return 0;
    }
    capacity.wrapping_sub(requested).wrapping_mul(MAX_NODE_SCORE).wrapping_div(capacity)
}

fn most_requested(requested: i64, capacity: i64) -> i64 {
    requested.min(capacity).wrapping_mul(MAX_NODE_SCORE).wrapping_div(capacity)
}
