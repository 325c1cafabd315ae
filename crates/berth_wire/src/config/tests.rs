//! What a configuration becomes, and what is refused.

use berth_core::framework::config::{PodTopologySpreadDefaulting, ScoringStrategyType};

use super::*;
use crate::manifest::Stage;
use crate::tree::json::parse;

fn read(rest: &str) -> Result<Configuration, Vec<String>> {
    let text = format!(r#"{{"apiVersion":"{API_VERSION}","kind":"{KIND}",{rest}}}"#);
    decode(&parse(&text).unwrap())
        .map_err(|findings| findings.iter().map(ToString::to_string).collect())
}

fn only_profile(rest: &str) -> ProfileConfig {
    let configuration = read(&format!(r#""profiles":[{{{rest}}}]"#)).unwrap();
    configuration.profiles.into_iter().next().unwrap()
}

fn list(set: &PluginSet) -> String {
    let words = set.enabled.iter().map(|plugin| match plugin.weight {
        0 => plugin.name.clone(),
        weight => format!("{}:{weight}", plugin.name),
    });
    words.collect::<Vec<_>>().join(" ")
}

const ALL: &str = "SchedulingGates PrioritySort NodeUnschedulable NodeName TaintToleration:3 NodeAffinity:2 NodePorts \
    NodeResourcesFit:1 VolumeRestrictions NodeVolumeLimits VolumeBinding VolumeZone PodTopologySpread:2 \
    InterPodAffinity:2 DynamicResources:2 DefaultPreemption NodeResourcesBalancedAllocation:1 ImageLocality:1 \
    DefaultBinder NodeDeclaredFeatures";

#[test]
fn nothing_given() {
    let configuration = Configuration::default();
    assert_eq!(configuration, read(r#""profiles":[]"#).unwrap());
    assert_eq!(configuration.percentage_of_nodes_to_score, Some(0));
    let [profile] = &configuration.profiles[..] else { panic!("one profile") };
    assert_eq!(profile.scheduler_name, "default-scheduler");
    assert_eq!(list(&profile.plugins.multi_point), ALL);
    assert_eq!(profile.plugins.score, PluginSet::default());
    assert_eq!(profile.args.default_preemption.min_candidate_nodes_percentage, 10);
    assert_eq!(profile.args.default_preemption.min_candidate_nodes_absolute, 100);
    assert_eq!(profile.args.inter_pod_affinity.hard_pod_affinity_weight, 1);
    assert_eq!(profile.args.pod_topology_spread.defaulting, PodTopologySpreadDefaulting::System);
}

#[test]
fn plugins_are_merged() {
    let multi_point = |set: &str| {
        only_profile(&format!(r#""plugins":{{"multiPoint":{set}}}"#)).plugins.multi_point
    };
    // Enabled again: new weight, old place.
    let set = multi_point(r#"{"enabled":[{"name":"ImageLocality","weight":6}]}"#);
    assert_eq!(list(&set), ALL.replace("ImageLocality:1", "ImageLocality:6"));
    // Disabled and enabled: gone from its place, appended.
    let set = multi_point(
        r#"{"disabled":[{"name":"ImageLocality"}],"enabled":[{"name":"ImageLocality","weight":6}]}"#,
    );
    assert_eq!(list(&set), format!("{} ImageLocality:6", ALL.replace(" ImageLocality:1", "")));
    assert_eq!(set.disabled, ["ImageLocality"]);
    // All off.
    let set = multi_point(r#"{"disabled":[{"name":"*"}],"enabled":[{"name":"PrioritySort"}]}"#);
    assert_eq!(list(&set), "PrioritySort");
    // Twice: the last takes the place, the first is appended.
    let set = multi_point(
        r#"{"enabled":[{"name":"NodeName","weight":1},{"name":"NodeName","weight":2}]}"#,
    );
    assert_eq!(list(&set), format!("{} NodeName:1", ALL.replace("NodeName", "NodeName:2")));
    // One extension point has no defaults of its own.
    let plugins = only_profile(
        r#""plugins":{"score":{"disabled":[{"name":"*"}],"enabled":[{"name":"NodeAffinity"}]}}"#,
    );
    assert_eq!(list(&plugins.plugins.score), "NodeAffinity");
    assert_eq!(plugins.plugins.score.disabled, ["*"]);
    assert_eq!(list(&plugins.plugins.multi_point), ALL);
}

#[test]
fn arguments_are_defaulted() {
    let args = |name: &str, args: &str| {
        only_profile(&format!(r#""pluginConfig":[{{"name":"{name}","args":{args}}}]"#)).args
    };
    let strategy = args("NodeResourcesFit", r#"{"scoringStrategy":{"type":"MostAllocated"}}"#);
    let strategy = strategy.node_resources_fit.scoring_strategy;
    assert_eq!(strategy.kind, ScoringStrategyType::MostAllocated);
    let names: Vec<_> = strategy.resources.iter().map(|r| (&*r.name, r.weight)).collect();
    assert_eq!(names, [("cpu", 1), ("memory", 1)]);
    let balanced =
        args("NodeResourcesBalancedAllocation", r#"{"resources":[{"name":"example.com/gpu"}]}"#);
    let names: Vec<_> = balanced
        .node_resources_balanced_allocation
        .resources
        .iter()
        .map(|r| (r.name.clone(), r.weight))
        .collect();
    assert_eq!(names, [("example.com/gpu".to_owned(), 1)]);
    let spread = args("PodTopologySpread", r#"{"defaultingType":"List"}"#);
    assert_eq!(
        spread.pod_topology_spread.defaulting,
        PodTopologySpreadDefaulting::List(Vec::new())
    );
}

#[test]
fn refused() {
    for (rest, want) in [
        (
            r#""paralelism":4"#,
            r#"paralelism: strict decoding error: unknown field "paralelism" (did you mean parallelism?)"#,
        ),
        (
            r#""percentageOfNodesToScore":101"#,
            "percentageOfNodesToScore: Invalid value: 101: not in valid range [0-100]",
        ),
        (
            r#""parallelism":0"#,
            "parallelism: Invalid value: 0: should be an integer value greater than zero",
        ),
        (
            r#""podInitialBackoffSeconds":20"#,
            "podMaxBackoffSeconds: Invalid value: 10: must be greater than or equal to PodInitialBackoffSeconds",
        ),
        (r#""profiles":[{"schedulerName":""}]"#, "profiles[0].schedulerName: Required value"),
        (
            r#""profiles":[{"schedulerName":"a"},{"schedulerName":"a"}]"#,
            "profiles[1].schedulerName: Duplicate value: {}",
        ),
        (
            r#""profiles":[{"plugins":{"filter":{"enabled":[{"name":"EBSLimits"}]}}}]"#,
            r#"profiles[0].plugins.filter.enabled[0]: Invalid value: "EBSLimits": was invalid in version "v1" (KubeSchedulerConfiguration is version "kubescheduler.config.k8s.io/v1")"#,
        ),
        (
            r#""profiles":[{"pluginConfig":[{"name":"InterPodAffinity","args":{"hardPodAffinityWeight":101}}]}]"#,
            "profiles[0].pluginConfig[0].args.hardPodAffinityWeight: Invalid value: 101: not in valid range [0, 100]",
        ),
        (
            r#""profiles":[{"pluginConfig":[{"name":"NodeResourcesFit","args":{"kind":"InterPodAffinityArgs"}}]}]"#,
            "profiles[0].pluginConfig[0].args: args for plugin NodeResourcesFit were not of type NodeResourcesFitArgs.kubescheduler.config.k8s.io, got InterPodAffinityArgs.kubescheduler.config.k8s.io",
        ),
        (
            r#""profiles":[{"pluginConfig":[{"name":"NodeResourcesFit","args":{"scoringStrategy":{"type":"RequestedToCapacityRatio"}}}]}]"#,
            "profiles[0].pluginConfig[0].args.scoringStrategy.requestedToCapacityRatio: Required value: must be specified when type is RequestedToCapacityRatio",
        ),
        (
            r#""profiles":[{"pluginConfig":[{"name":"PodTopologySpread","args":{"defaultConstraints":[{"maxSkew":1,"topologyKey":"zone","whenUnsatisfiable":"DoNotSchedule"}]}}]}]"#,
            r#"profiles[0].pluginConfig[0].args.defaultingType: Invalid value: "System": when .defaultConstraints are not empty"#,
        ),
    ] {
        assert_eq!(read(rest), Err(vec![want.to_owned()]), "{rest}");
    }
    let node = parse(r#"{"apiVersion":"kubescheduler.config.k8s.io/v1beta3","kind":"KubeSchedulerConfiguration"}"#).unwrap();
    let error = decode(&node).unwrap_err();
    assert_eq!(
        error[0].message,
        r#"no kind "KubeSchedulerConfiguration" is registered for version "kubescheduler.config.k8s.io/v1beta3""#
    );
}

#[test]
fn what_is_said_when() {
    for (rest, path, stage) in [
        (r#""parallelism":"4""#, "parallelism", Stage::Typing),
        (r#""leaderElection":{"retryPeriod":"4"}"#, "leaderElection.retryPeriod", Stage::Decoding),
        (r#""paralelism":4"#, "paralelism", Stage::StrictDecoding),
        (r#""parallelism":0"#, "parallelism", Stage::Validation),
        // kube-scheduler validates the arguments of this plugin only when it makes it.
        (
            r#""profiles":[{"pluginConfig":[{"name":"NodeResourcesFit","args":{"scoringStrategy":{"type":"Least"}}}]}]"#,
            "profiles[0].pluginConfig[0].args.scoringStrategy.type",
            Stage::Construction,
        ),
        // It looks for removed plugins at each point, but not where all points are set at once.
        (
            r#""profiles":[{"plugins":{"multiPoint":{"enabled":[{"name":"EBSLimits"}]}}}]"#,
            "profiles[0].plugins.multiPoint.enabled[0]",
            Stage::Construction,
        ),
        (
            r#""profiles":[{"plugins":{"score":{"enabled":[{"name":"EBSLimits"}]}}}]"#,
            "profiles[0].plugins.score.enabled[0]",
            Stage::Validation,
        ),
    ] {
        let text = format!(r#"{{"apiVersion":"{API_VERSION}","kind":"{KIND}",{rest}}}"#);
        let findings = decode(&parse(&text).unwrap()).unwrap_err();
        let found: Vec<_> = findings.iter().map(|f| (&*f.path, f.stage)).collect();
        assert_eq!(found, [(path, stage)], "{rest}");
    }
}

#[test]
fn settings_of_the_process() {
    for (rest, want) in [
        // Zero is as good as not given: 15s, 10s and 2s.
        (r#""leaderElection":{"leaseDuration":"0s","renewDeadline":"0"}"#, &[][..]),
        (r#""leaderElection":{"leaderElect":false,"leaseDuration":"1s"}"#, &[]),
        (
            r#""leaderElection":{"renewDeadline":"1m30s"}"#,
            &[
                "leaderElection.leaseDuration: Invalid value: \"1m30s\": must be greater than `RenewDeadline`",
            ],
        ),
        (
            r#""leaderElection":{"retryPeriod":"-1ms"}"#,
            &["leaderElection.retryPeriod: Invalid value: \"-1ms\": must be greater than zero"],
        ),
        (
            r#""clientConnection":{"burst":-1}"#,
            &["clientConnection.burst: Invalid value: -1: must be non-negative"],
        ),
        (
            r#""extenders":[{"managedResources":[{"name":"a/b"}]},{"managedResources":[{"name":"a/b"},{"name":"c d"}]}]"#,
            &[
                "extenders[1].managedResources[0].name: Invalid value: \"a/b\": duplicate extender managed resource name",
                "extenders[1].managedResources[1].name: Invalid value: \"c d\": name part must consist of \
                 alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. \
                 'MyName',  or 'my.name',  or '123-abc', regex used for validation is \
                 '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')",
            ],
        ),
        (
            r#""profiles":[{"pluginConfig":[{"name":"DynamicResources","args":{"bindingTimeout":"999ms","filterTimeout":"-1s"}}]}]"#,
            &[
                "profiles[0].pluginConfig[0].args.bindingTimeout: Invalid value: \"999ms\": must be at least 1 second",
                "profiles[0].pluginConfig[0].args.filterTimeout: Invalid value: \"-1s\": must be zero or positive",
            ],
        ),
    ] {
        let mut errors = read(rest).err().unwrap_or_default();
        errors.retain(|error| !error.contains("not simulated"));
        assert_eq!(errors, want, "{rest}");
    }
}
