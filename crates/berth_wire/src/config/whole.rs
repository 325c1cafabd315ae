//! A configuration as a tree that leaves nothing out: for a form, where what holds by default has its field too.

use berth_core::framework::config::{
    Configuration, PluginArgs, PluginsConfig, PodTopologySpreadDefaulting, ProfileConfig,
};

use super::encode::{enabled, named, plugin_set, resource, strategy};
use super::{API_VERSION, KIND};
use crate::export::map::Map;
use crate::export::{node_affinity, spread};
use crate::tree::{Node, Value};

/// A configuration as a tree with every default written out. It reads as what it was, but that
/// `multiPoint` says what it switches off by `*` (see [`edit`](super::edit)).
///
/// A list is where it always is: `pluginConfig` has every plugin that takes arguments, in the order of the alphabet, so
/// that the path of a field does not hang on what else is set.
pub fn whole(configuration: &Configuration) -> Node<'_> {
    let mut out = Map::default();
    out.text("apiVersion", API_VERSION);
    out.text("kind", KIND);
    let percentage = configuration.percentage_of_nodes_to_score.unwrap_or_default();
    out.number("percentageOfNodesToScore", Some(percentage));
    out.number("podInitialBackoffSeconds", Some(configuration.pod_initial_backoff_seconds));
    out.number("podMaxBackoffSeconds", Some(configuration.pod_max_backoff_seconds));
    out.list("profiles", &configuration.profiles, profile);
    Node::made(out.into_value())
}

fn profile(profile: &ProfileConfig) -> Value<'_> {
    let mut out = Map::default();
    out.text("schedulerName", &profile.scheduler_name);
    out.number("percentageOfNodesToScore", profile.percentage_of_nodes_to_score);
    out.some("plugins", Some(plugins(&profile.plugins)));
    out.put("pluginConfig", Value::Sequence(plugin_config(&profile.args)));
    out.into_value()
}

fn plugins(plugins: &PluginsConfig) -> Map<'_> {
    let mut out = Map::default();
    for (key, set) in plugins.points() {
        out.map(key, plugin_set(set));
    }
    let mut all = Map::default();
    enabled(&mut all, &plugins.multi_point);
    all.put("disabled", Value::Sequence(vec![named("*")]));
    out.some("multiPoint", Some(all));
    out
}

fn plugin_config(args: &PluginArgs) -> Vec<Node<'_>> {
    let named = [
        ("DefaultPreemption", default_preemption(args)),
        ("InterPodAffinity", inter_pod_affinity(args)),
        ("NodeAffinity", added_affinity(args)),
        ("NodeResourcesBalancedAllocation", balanced_allocation(args)),
        ("NodeResourcesFit", fit(args)),
        ("PodTopologySpread", topology_spread(args)),
    ];
    let config = |(name, args): (&'static str, Map<'_>)| {
        let mut map = Map::default();
        map.text("name", name);
        map.some("args", Some(args));
        Node::made(map.into_value()).into_owned()
    };
    named.into_iter().map(config).collect()
}

fn default_preemption(args: &PluginArgs) -> Map<'_> {
    let (own, mut map) = (&args.default_preemption, Map::default());
    map.number("minCandidateNodesPercentage", Some(own.min_candidate_nodes_percentage));
    map.number("minCandidateNodesAbsolute", Some(own.min_candidate_nodes_absolute));
    map
}

fn inter_pod_affinity(args: &PluginArgs) -> Map<'_> {
    let (own, mut map) = (&args.inter_pod_affinity, Map::default());
    map.number("hardPodAffinityWeight", Some(own.hard_pod_affinity_weight));
    let ignore = Value::Bool(own.ignore_preferred_terms_of_existing_pods);
    map.put("ignorePreferredTermsOfExistingPods", ignore);
    map
}

fn added_affinity(args: &PluginArgs) -> Map<'_> {
    let mut map = Map::default();
    map.some("addedAffinity", args.node_affinity.added_affinity.as_ref().map(node_affinity));
    map
}

fn balanced_allocation(args: &PluginArgs) -> Map<'_> {
    let mut map = Map::default();
    map.list("resources", &args.node_resources_balanced_allocation.resources, resource);
    map
}

fn fit(args: &PluginArgs) -> Map<'_> {
    let (own, mut map) = (&args.node_resources_fit, Map::default());
    map.strings("ignoredResources", &own.ignored_resources);
    map.strings("ignoredResourceGroups", &own.ignored_resource_groups);
    map.some("scoringStrategy", Some(strategy(&own.scoring_strategy)));
    map
}

fn topology_spread(args: &PluginArgs) -> Map<'_> {
    let mut map = Map::default();
    match &args.pod_topology_spread.defaulting {
        PodTopologySpreadDefaulting::System => map.text("defaultingType", "System"),
        PodTopologySpreadDefaulting::List(constraints) => {
            map.text("defaultingType", "List");
            map.list("defaultConstraints", constraints, spread);
        }
    }
    map
}
