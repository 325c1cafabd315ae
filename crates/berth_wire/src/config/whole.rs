//! A configuration as a tree that leaves nothing out: for a form, where what holds by default has its field too.

use berth_core::framework::config::{Configuration, PluginArgs, PluginsConfig, ProfileConfig};

use super::encode::{
    added_affinity, arguments, balanced_allocation, default_preemption, enabled, fit, named,
    plugin_set, topology_spread,
};
use super::{API_VERSION, KIND};
use crate::export::map::Map;
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
    named.into_iter().map(|(name, args)| arguments(name, args)).collect()
}

fn inter_pod_affinity(args: &PluginArgs) -> Map<'_> {
    let (own, mut map) = (&args.inter_pod_affinity, Map::default());
    map.number("hardPodAffinityWeight", Some(own.hard_pod_affinity_weight));
    let ignore = Value::Bool(own.ignore_preferred_terms_of_existing_pods);
    map.put("ignorePreferredTermsOfExistingPods", ignore);
    map
}
