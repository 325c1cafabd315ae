//! A configuration as a tree, in the API's own words: the inverse of the decoder.

use berth_core::framework::config::{
    Configuration, PluginArgs, PluginSet, PluginsConfig, PodTopologySpreadDefaulting,
    ProfileConfig, ResourceSpec, ScoringStrategy, ScoringStrategyType, default_plugins,
};

use super::{API_VERSION, KIND, merge};
use crate::export::map::{Map, string};
use crate::export::{node_affinity, spread};
use crate::tree::{Entry, Node, Value};

/// A configuration as a tree. What is as by default is left out.
pub fn encode(configuration: &Configuration) -> Node<'_> {
    let default = Configuration::default();
    let mut out = Map::default();
    out.text("apiVersion", API_VERSION);
    out.text("kind", KIND);
    out.number(
        "percentageOfNodesToScore",
        configuration.percentage_of_nodes_to_score.filter(|percentage| *percentage != 0),
    );
    let initial = configuration.pod_initial_backoff_seconds;
    let differs = |seconds: i64, usual: i64| (seconds != usual).then_some(seconds);
    out.number("podInitialBackoffSeconds", differs(initial, default.pod_initial_backoff_seconds));
    out.number(
        "podMaxBackoffSeconds",
        differs(configuration.pod_max_backoff_seconds, default.pod_max_backoff_seconds),
    );
    if configuration.profiles != default.profiles {
        out.list("profiles", &configuration.profiles, profile);
    }
    Node::made(out.into_value())
}

fn profile(profile: &ProfileConfig) -> Value<'_> {
    let mut out = Map::default();
    out.text("schedulerName", &profile.scheduler_name);
    out.number("percentageOfNodesToScore", profile.percentage_of_nodes_to_score);
    if profile.plugins != default_plugins() {
        out.some("plugins", Some(plugins(&profile.plugins)));
    }
    out.put("pluginConfig", Value::Sequence(plugin_config(&profile.args)));
    out.into_value()
}

fn plugins(plugins: &PluginsConfig) -> Map<'_> {
    let mut out = Map::default();
    for (key, set) in plugins.points() {
        out.map(key, plugin_set(set));
    }
    let set = &plugins.multi_point;
    let mut map = plugin_set(set);
    // What the defaults would add or move is switched off.
    if merge::plugin_set(default_plugins().multi_point, set.clone()) != *set {
        let mut disabled = vec![named("*")];
        disabled.extend(set.disabled.iter().map(|name| named(name)));
        map = Map::default();
        enabled(&mut map, set);
        map.put("disabled", Value::Sequence(disabled));
    }
    out.map("multiPoint", map);
    out
}

pub(super) fn plugin_set(set: &PluginSet) -> Map<'_> {
    let mut out = Map::default();
    enabled(&mut out, set);
    out.list("disabled", &set.disabled, |name| named(name).value);
    out
}

pub(super) fn enabled<'a>(out: &mut Map<'a>, set: &'a PluginSet) {
    out.list("enabled", &set.enabled, |plugin| {
        let mut map = Map::default();
        map.text("name", &plugin.name);
        map.number("weight", (plugin.weight != 0).then_some(plugin.weight));
        map.into_value()
    });
}

pub(super) fn named(name: &str) -> Node<'_> {
    let entry = Entry { start: 0, key: "name".into(), value: Node::made(string(name)) };
    Node::made(Value::Mapping(vec![entry]))
}

/// The arguments that differ from the defaults.
fn plugin_config(args: &PluginArgs) -> Vec<Node<'_>> {
    let default = PluginArgs::default();
    let mut out = Vec::new();
    let mut put = |name: &'static str, args: Map<'_>| out.push(arguments(name, args));
    if args.default_preemption != default.default_preemption {
        put("DefaultPreemption", default_preemption(args));
    }
    if args.inter_pod_affinity != default.inter_pod_affinity {
        let mut map = Map::default();
        let own = &args.inter_pod_affinity;
        map.number("hardPodAffinityWeight", Some(own.hard_pod_affinity_weight));
        let ignore = own.ignore_preferred_terms_of_existing_pods;
        map.flag("ignorePreferredTermsOfExistingPods", ignore);
        put("InterPodAffinity", map);
    }
    if args.node_affinity.added_affinity.is_some() {
        put("NodeAffinity", added_affinity(args));
    }
    if args.node_resources_balanced_allocation != default.node_resources_balanced_allocation {
        put("NodeResourcesBalancedAllocation", balanced_allocation(args));
    }
    if args.node_resources_fit != default.node_resources_fit {
        put("NodeResourcesFit", fit(args));
    }
    if args.pod_topology_spread.defaulting != PodTopologySpreadDefaulting::System {
        put("PodTopologySpread", topology_spread(args));
    }
    out
}

/// A plugin's arguments as an item of `pluginConfig`.
pub(super) fn arguments(plugin: &'static str, args: Map<'_>) -> Node<'static> {
    let mut map = Map::default();
    map.text("name", plugin);
    map.some("args", Some(args));
    Node::made(map.into_value()).into_owned()
}

pub(super) fn default_preemption(args: &PluginArgs) -> Map<'_> {
    let (own, mut map) = (&args.default_preemption, Map::default());
    map.number("minCandidateNodesPercentage", Some(own.min_candidate_nodes_percentage));
    map.number("minCandidateNodesAbsolute", Some(own.min_candidate_nodes_absolute));
    map
}

pub(super) fn added_affinity(args: &PluginArgs) -> Map<'_> {
    let mut map = Map::default();
    map.some("addedAffinity", args.node_affinity.added_affinity.as_ref().map(node_affinity));
    map
}

pub(super) fn balanced_allocation(args: &PluginArgs) -> Map<'_> {
    let mut map = Map::default();
    map.list("resources", &args.node_resources_balanced_allocation.resources, resource);
    map
}

pub(super) fn fit(args: &PluginArgs) -> Map<'_> {
    let (own, mut map) = (&args.node_resources_fit, Map::default());
    map.strings("ignoredResources", &own.ignored_resources);
    map.strings("ignoredResourceGroups", &own.ignored_resource_groups);
    map.some("scoringStrategy", Some(strategy(&own.scoring_strategy)));
    map
}

pub(super) fn topology_spread(args: &PluginArgs) -> Map<'_> {
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

fn strategy(strategy: &ScoringStrategy) -> Map<'_> {
    let mut out = Map::default();
    let word = match &strategy.kind {
        ScoringStrategyType::LeastAllocated => "LeastAllocated",
        ScoringStrategyType::MostAllocated => "MostAllocated",
        ScoringStrategyType::RequestedToCapacityRatio(_) => "RequestedToCapacityRatio",
    };
    out.text("type", word);
    out.list("resources", &strategy.resources, resource);
    if let ScoringStrategyType::RequestedToCapacityRatio(shape) = &strategy.kind {
        let mut ratio = Map::default();
        ratio.list("shape", shape, |point| {
            let mut map = Map::default();
            map.number("utilization", Some(point.utilization));
            map.number("score", Some(point.score));
            map.into_value()
        });
        out.some("requestedToCapacityRatio", Some(ratio));
    }
    out
}

fn resource(resource: &ResourceSpec) -> Value<'_> {
    let mut map = Map::default();
    map.text("name", &resource.name);
    map.number("weight", Some(resource.weight));
    map.into_value()
}

#[cfg(test)]
pub(super) use tests::TEXTS;

#[cfg(test)]
mod tests {
    use super::encode;
    use crate::config::decode;
    use crate::tree::yaml;
    use berth_core::framework::config::Configuration;

    /// Configurations that say something everywhere.
    pub(crate) const TEXTS: [&str; 4] = [
        "",
        "percentageOfNodesToScore: 40\npodInitialBackoffSeconds: 3\npodMaxBackoffSeconds: 30\n",
        "profiles:
- schedulerName: a
  percentageOfNodesToScore: 70
  plugins:
    score: {disabled: [{name: '*'}], enabled: [{name: NodeResourcesFit, weight: 5}]}
    multiPoint:
      disabled: [{name: ImageLocality}]
      enabled: [{name: PodTopologySpread, weight: 500}, {name: Mine}]
  pluginConfig:
  - {name: DefaultPreemption, args: {minCandidateNodesPercentage: 3, minCandidateNodesAbsolute: 7}}
  - {name: InterPodAffinity, args: {hardPodAffinityWeight: 9, ignorePreferredTermsOfExistingPods: true}}
  - name: NodeAffinity
    args:
      addedAffinity:
        requiredDuringSchedulingIgnoredDuringExecution:
          nodeSelectorTerms: [{matchExpressions: [{key: a, operator: In, values: [b]}]}]
  - name: NodeResourcesFit
    args:
      ignoredResourceGroups: [example.com]
      scoringStrategy:
        type: RequestedToCapacityRatio
        resources: [{name: cpu, weight: 3}]
        requestedToCapacityRatio: {shape: [{utilization: 0, score: 0}, {utilization: 100, score: 10}]}
  - name: NodeResourcesBalancedAllocation
    args: {resources: [{name: example.com/gpu, weight: 1}]}
  - name: PodTopologySpread
    args:
      defaultingType: List
      defaultConstraints: [{maxSkew: 2, topologyKey: zone, whenUnsatisfiable: ScheduleAnyway}]
- schedulerName: b
",
        "profiles:
- plugins:
    multiPoint: {disabled: [{name: '*'}], enabled: [{name: PrioritySort}, {name: DefaultBinder}]}
",
    ];

    fn read(text: &str) -> Configuration {
        let head = "apiVersion: kubescheduler.config.k8s.io/v1\nkind: KubeSchedulerConfiguration\n";
        let text = [head, text].concat();
        decode(&yaml::parse(&text).unwrap()).unwrap()
    }

    #[test]
    fn what_is_written_reads_as_what_it_was() {
        for text in TEXTS {
            let configuration = read(text);
            assert_eq!(decode(&encode(&configuration)).as_ref(), Ok(&configuration), "{text}");
        }
    }

    #[test]
    fn plugins_in_another_order_stay_in_it() {
        let mut configuration = Configuration::default();
        configuration.profiles[0].plugins.multi_point.enabled.swap(3, 9);
        let again = decode(&encode(&configuration)).unwrap();
        let enabled = |of: &Configuration| of.profiles[0].plugins.multi_point.enabled.clone();
        assert_eq!(enabled(&again), enabled(&configuration));
    }
}
