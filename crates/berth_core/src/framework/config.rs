//! The scheduler's configuration, decoded and defaulted.
//!
//! Mirrors `pkg/scheduler/apis/config/types.go` and `types_pluginargs.go`; `Default` of each type is what
//! `apis/config/v1/defaults.go` and `default_plugins.go` fill in. Turning plugin sets into an ordered profile is the
//! framework's work (see `profile`).

mod default;

pub use default::{default_plugins, default_resources};

use alloc::string::String;
use alloc::vec::Vec;

use crate::api::{NodeAffinity, TopologySpreadConstraint};

/// A KubeSchedulerConfiguration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Configuration {
    /// Share of nodes to score, in percent; 0 or none is adaptive.
    pub percentage_of_nodes_to_score: Option<i32>,
    /// How long a pod backs off after its first attempt, in seconds.
    pub pod_initial_backoff_seconds: i64,
    /// How long a pod backs off at most, in seconds; 0 is no backoff at all.
    pub pod_max_backoff_seconds: i64,
    /// Profiles, at least one.
    pub profiles: Vec<ProfileConfig>,
}

/// A profile as configured. The default has no name and no plugins.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ProfileConfig {
    /// The name that pods ask for.
    pub scheduler_name: String,
    /// Overrides the configuration's share.
    pub percentage_of_nodes_to_score: Option<i32>,
    /// Plugins, with the defaults merged in (`mergePlugins`).
    pub plugins: PluginsConfig,
    /// Arguments of the plugins, defaulted.
    pub args: PluginArgs,
}

/// Plugin sets by extension point.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[expect(missing_docs, reason = "each field is the extension point of its name")]
pub struct PluginsConfig {
    pub multi_point: PluginSet,
    pub pre_enqueue: PluginSet,
    pub queue_sort: PluginSet,
    pub pre_filter: PluginSet,
    pub filter: PluginSet,
    pub post_filter: PluginSet,
    pub pre_score: PluginSet,
    pub score: PluginSet,
    pub reserve: PluginSet,
    pub permit: PluginSet,
    pub pre_bind: PluginSet,
    pub bind: PluginSet,
    pub post_bind: PluginSet,
}

impl PluginsConfig {
    /// The set of each single extension point, with the name that it has in a configuration.
    pub const fn points(&self) -> [(&'static str, &PluginSet); 12] {
        [
            ("preEnqueue", &self.pre_enqueue),
            ("queueSort", &self.queue_sort),
            ("preFilter", &self.pre_filter),
            ("filter", &self.filter),
            ("postFilter", &self.post_filter),
            ("preScore", &self.pre_score),
            ("score", &self.score),
            ("reserve", &self.reserve),
            ("permit", &self.permit),
            ("preBind", &self.pre_bind),
            ("bind", &self.bind),
            ("postBind", &self.post_bind),
        ]
    }
}

/// Plugins switched on and off at one extension point.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PluginSet {
    /// In order.
    pub enabled: Vec<EnabledPlugin>,
    /// Names; `*` means all.
    pub disabled: Vec<String>,
}

/// A plugin that is switched on.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EnabledPlugin {
    /// Name.
    pub name: String,
    /// Weight of its score; 0 means 1.
    pub weight: i32,
}

/// Arguments of all plugins that take any.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "each field is the plugin of its name")]
pub struct PluginArgs {
    pub default_preemption: DefaultPreemptionArgs,
    pub inter_pod_affinity: InterPodAffinityArgs,
    pub node_affinity: NodeAffinityArgs,
    pub node_resources_balanced_allocation: NodeResourcesBalancedAllocationArgs,
    pub node_resources_fit: NodeResourcesFitArgs,
    pub pod_topology_spread: PodTopologySpreadArgs,
}

/// Arguments of DefaultPreemption.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DefaultPreemptionArgs {
    /// Share of nodes to dry-run, in percent.
    pub min_candidate_nodes_percentage: i32,
    /// Nodes to dry-run at least.
    pub min_candidate_nodes_absolute: i32,
}

/// Arguments of InterPodAffinity.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InterPodAffinityArgs {
    /// Weight that a required affinity of an existing pod has in the score.
    pub hard_pod_affinity_weight: i32,
    /// Whether the preferences of existing pods are left out.
    pub ignore_preferred_terms_of_existing_pods: bool,
}

/// Arguments of NodeAffinity.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NodeAffinityArgs {
    /// Affinity that every pod of the profile gets in addition.
    pub added_affinity: Option<NodeAffinity>,
}

/// Arguments of NodeResourcesBalancedAllocation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NodeResourcesBalancedAllocationArgs {
    /// Resources to balance, with their weights.
    pub resources: Vec<ResourceSpec>,
}

/// Arguments of NodeResourcesFit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NodeResourcesFitArgs {
    /// Extended resources that Filter leaves out.
    pub ignored_resources: Vec<String>,
    /// Prefixes (before the slash) of extended resources that Filter leaves out.
    pub ignored_resource_groups: Vec<String>,
    /// How nodes are scored.
    pub scoring_strategy: ScoringStrategy,
}

/// How NodeResourcesFit scores.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScoringStrategy {
    /// Which strategy, with what belongs to it alone.
    pub kind: ScoringStrategyType,
    /// Resources that count, with their weights.
    pub resources: Vec<ResourceSpec>,
}

/// `type` of a scoring strategy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ScoringStrategyType {
    /// The emptier the better.
    LeastAllocated,
    /// The fuller the better.
    MostAllocated,
    /// A curve of score over utilization.
    RequestedToCapacityRatio(Vec<UtilizationShapePoint>),
}

/// A point of the curve.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct UtilizationShapePoint {
    /// Utilization in percent.
    pub utilization: i32,
    /// Score, 0 to 10.
    pub score: i32,
}

/// A resource with a weight.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ResourceSpec {
    /// Name of the resource.
    pub name: String,
    /// Weight, 1 to 100.
    pub weight: i64,
}

/// Arguments of PodTopologySpread.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PodTopologySpreadArgs {
    /// Which constraints pods without their own get.
    pub defaulting: PodTopologySpreadDefaulting,
}

/// `defaultingType`, with the list where it is one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PodTopologySpreadDefaulting {
    /// Kubernetes' own: hostname 3 and zone 5, ScheduleAnyway.
    System,
    /// These constraints, without selectors.
    List(Vec<TopologySpreadConstraint>),
}
