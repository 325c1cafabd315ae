//! The profile: which plugins run in which order, and the arguments that sums use.

use berth_core::framework::config::{
    PodTopologySpreadDefaulting, ResourceSpec, ScoringStrategyType,
};
use berth_core::framework::plugin::{ExtensionPoint, PluginId};
use berth_core::framework::profile::Profile;
use serde_json::{Value, json};

/// A profile.
pub(super) fn profile(profile: &Profile) -> Value {
    let names = |point| -> Vec<&str> {
        profile.plugins(point).iter().copied().map(PluginId::name).collect()
    };
    let score = profile.plugins(ExtensionPoint::Score).iter();
    let score =
        score.map(|plugin| json!({ "plugin": plugin.name(), "weight": profile.weight(*plugin) }));
    json!({
        "schedulerName": profile.scheduler_name,
        "percentageOfNodesToScore": profile.percentage_of_nodes_to_score,
        "preEnqueue": names(ExtensionPoint::PreEnqueue),
        "preFilter": names(ExtensionPoint::PreFilter),
        "filter": names(ExtensionPoint::Filter),
        "preScore": names(ExtensionPoint::PreScore),
        "score": score.collect::<Vec<_>>(),
        "args": args(profile),
    })
}

fn args(profile: &Profile) -> Value {
    let args = &profile.args;
    let strategy = &args.node_resources_fit.scoring_strategy;
    let (kind, shape) = match &strategy.kind {
        ScoringStrategyType::LeastAllocated => ("LeastAllocated", Value::Null),
        ScoringStrategyType::MostAllocated => ("MostAllocated", Value::Null),
        ScoringStrategyType::RequestedToCapacityRatio(shape) => (
            "RequestedToCapacityRatio",
            shape
                .iter()
                .map(|point| json!({ "utilization": point.utilization, "score": point.score }))
                .collect(),
        ),
    };
    json!({
        "NodeResourcesFit": {
            "strategy": kind,
            "shape": shape,
            "resources": resources(&strategy.resources),
            "ignoredResources": args.node_resources_fit.ignored_resources,
            "ignoredResourceGroups": args.node_resources_fit.ignored_resource_groups,
        },
        "NodeResourcesBalancedAllocation": {
            "resources": resources(&args.node_resources_balanced_allocation.resources),
        },
        "InterPodAffinity": {
            "hardPodAffinityWeight": args.inter_pod_affinity.hard_pod_affinity_weight,
            "ignorePreferredTermsOfExistingPods":
                args.inter_pod_affinity.ignore_preferred_terms_of_existing_pods,
        },
        "PodTopologySpread": {
            "defaultingType": match args.pod_topology_spread.defaulting {
                PodTopologySpreadDefaulting::System => "System",
                PodTopologySpreadDefaulting::List(_) => "List",
            },
        },
    })
}

fn resources(resources: &[ResourceSpec]) -> Value {
    resources.iter().map(|spec| json!({ "name": spec.name, "weight": spec.weight })).collect()
}
