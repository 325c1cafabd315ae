//! What holds where a configuration says nothing (`apis/config/v1/defaults.go`, `default_plugins.go`).

use alloc::borrow::ToOwned;
use alloc::vec::Vec;

use super::{
    Configuration, DefaultPreemptionArgs, EnabledPlugin, InterPodAffinityArgs, NodeAffinityArgs,
    NodeResourcesBalancedAllocationArgs, NodeResourcesFitArgs, PluginArgs, PluginSet,
    PluginsConfig, PodTopologySpreadArgs, PodTopologySpreadDefaulting, ProfileConfig, ResourceSpec,
    ScoringStrategy, ScoringStrategyType,
};

/// The plugins that v1.36.3 enables with its feature gates as they are, in order, with their weights.
const DEFAULT: &[(&str, i32)] = &[
    ("SchedulingGates", 0),
    ("PrioritySort", 0),
    ("NodeUnschedulable", 0),
    ("NodeName", 0),
    ("TaintToleration", 3),
    ("NodeAffinity", 2),
    ("NodePorts", 0),
    ("NodeResourcesFit", 1),
    ("VolumeRestrictions", 0),
    ("NodeVolumeLimits", 0),
    ("VolumeBinding", 0),
    ("VolumeZone", 0),
    ("PodTopologySpread", 2),
    ("InterPodAffinity", 2),
    ("DynamicResources", 2),
    ("DefaultPreemption", 0),
    ("NodeResourcesBalancedAllocation", 1),
    ("ImageLocality", 1),
    ("DefaultBinder", 0),
    ("NodeDeclaredFeatures", 0),
];

/// `getDefaultPlugins`.
pub fn default_plugins() -> PluginsConfig {
    let mut enabled = Vec::with_capacity(DEFAULT.len());
    for (name, weight) in DEFAULT {
        enabled.push(EnabledPlugin { name: (*name).to_owned(), weight: *weight });
    }
    PluginsConfig {
        multi_point: PluginSet { enabled, disabled: Vec::new() },
        ..PluginsConfig::default()
    }
}

impl Default for Configuration {
    /// One profile, the default scheduler's.
    fn default() -> Self {
        let profile = ProfileConfig {
            scheduler_name: "default-scheduler".to_owned(),
            plugins: default_plugins(),
            ..ProfileConfig::default()
        };
        Self {
            percentage_of_nodes_to_score: Some(0),
            pod_initial_backoff_seconds: 1,
            pod_max_backoff_seconds: 10,
            profiles: [profile].into(),
        }
    }
}

impl Default for PluginArgs {
    fn default() -> Self {
        Self {
            default_preemption: DefaultPreemptionArgs {
                min_candidate_nodes_percentage: 10,
                min_candidate_nodes_absolute: 100,
            },
            inter_pod_affinity: InterPodAffinityArgs {
                hard_pod_affinity_weight: 1,
                ignore_preferred_terms_of_existing_pods: false,
            },
            node_affinity: NodeAffinityArgs::default(),
            node_resources_balanced_allocation: NodeResourcesBalancedAllocationArgs {
                resources: default_resources(),
            },
            node_resources_fit: NodeResourcesFitArgs {
                ignored_resources: Vec::new(),
                ignored_resource_groups: Vec::new(),
                scoring_strategy: ScoringStrategy {
                    kind: ScoringStrategyType::LeastAllocated,
                    resources: default_resources(),
                },
            },
            pod_topology_spread: PodTopologySpreadArgs {
                defaulting: PodTopologySpreadDefaulting::System,
            },
        }
    }
}

/// The resources that count when a strategy names none (`defaultResourceSpec`).
pub fn default_resources() -> Vec<ResourceSpec> {
    ["cpu", "memory"].map(|name| ResourceSpec { name: name.to_owned(), weight: 1 }).into()
}
