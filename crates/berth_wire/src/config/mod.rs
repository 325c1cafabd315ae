//! KubeSchedulerConfiguration v1: decoded strictly, defaulted, checked.
//!
//! Mirrors `pkg/scheduler/apis/config/{scheme,v1,validation}` of Kubernetes. A configuration with an error gives no
//! configuration at all. Deviations: extenders and the settings of the process (leader election, client, profiling)
//! are taken and have no effect, extenders with a warning; arguments of VolumeBinding and DynamicResources are not
//! looked into, as neither is simulated.

mod args;
mod merge;

use berth_core::framework::config::{
    Configuration, EnabledPlugin, PluginSet, PluginsConfig, ProfileConfig, default_plugins,
};

use crate::manifest::{Cx, Finding, Path};
use crate::tree::{Entry, Node, Value};

/// API group and version of the configuration.
pub const API_VERSION: &str = "kubescheduler.config.k8s.io/v1";

/// Kind of the configuration.
pub const KIND: &str = "KubeSchedulerConfiguration";

/// Reads a configuration. Errors are everything found; a configuration may come with warnings, which
/// [`decode`](crate::manifest::decode) gives.
pub fn decode(node: &Node<'_>) -> Result<Configuration, Vec<Finding>> {
    let mut cx = Cx::default();
    let at = &Path::Root;
    match crate::manifest::type_of(node) {
        (Some(API_VERSION), Some(KIND)) => {}
        (_, None) => cx.error(at, node, "Object 'Kind' is missing"),
        (version, Some(kind)) => {
            let version = version.unwrap_or_default();
            cx.error(at, node, format!("no kind {kind:?} is registered for version {version:?}"));
        }
    }
    let configuration = configuration(&mut cx, at, node);
    let (findings, failed) = cx.finish();
    if failed { Err(findings) } else { Ok(configuration) }
}

/// What an interval's end is called in an error.
fn invalid(value: impl std::fmt::Debug, why: &str) -> String {
    format!("Invalid value: {value:?}: {why}")
}

pub(crate) fn configuration(cx: &mut Cx, at: &Path<'_>, node: &Node<'_>) -> Configuration {
    const TYPE: &str = "v1.KubeSchedulerConfiguration";
    const KNOWN: &[&str] = &[
        "apiVersion",
        "kind",
        "parallelism",
        "leaderElection",
        "clientConnection",
        "enableProfiling",
        "enableContentionProfiling",
        "percentageOfNodesToScore",
        "podInitialBackoffSeconds",
        "podMaxBackoffSeconds",
        "profiles",
        "extenders",
        "delayCacheUntilActive",
    ];
    let mut percentage = None;
    let mut profiles = Vec::new();
    let (mut initial_backoff, mut max_backoff) = (1, 10);
    for e in cx.fields(at, node, TYPE) {
        let (at, node) = (&at.field(TYPE, &e.key), &e.value);
        match &*e.key {
            "percentageOfNodesToScore" => percentage = percentage_of_nodes(cx, at, node),
            "parallelism" => {
                if let Some(value) = cx.int32(at, node)
                    && value <= 0
                {
                    cx.error(
                        at,
                        node,
                        invalid(value, "should be an integer value greater than zero"),
                    );
                }
            }
            "podInitialBackoffSeconds" => {
                initial_backoff = cx.int64(at, node).unwrap_or(initial_backoff);
                if initial_backoff <= 0 {
                    cx.error(at, node, invalid(initial_backoff, "must be greater than 0"));
                }
            }
            "podMaxBackoffSeconds" => max_backoff = cx.int64(at, node).unwrap_or(max_backoff),
            "profiles" => profiles = cx.list(at, node, "[]v1.KubeSchedulerProfile", profile),
            "extenders" if !node.items().is_empty() => {
                cx.warn(
                    at,
                    e.start,
                    "extenders are not simulated: they could refuse nodes that Berth accepts",
                );
                extenders(cx, at, node);
            }
            _ => cx.refuse(at, e, KNOWN),
        }
    }
    if max_backoff < initial_backoff {
        let message =
            invalid(max_backoff, "must be greater than or equal to PodInitialBackoffSeconds");
        cx.error(&at.field(TYPE, "podMaxBackoffSeconds"), node, message);
    }
    if profiles.is_empty() {
        profiles.push(profile(cx, at, &Node::made(Value::Null)));
    }
    name_profiles(cx, at, node, &mut profiles);
    same_queue_sort(cx, at, node, &profiles);
    Configuration {
        percentage_of_nodes_to_score: percentage.or(Some(0)),
        pod_initial_backoff_seconds: initial_backoff,
        pod_max_backoff_seconds: max_backoff,
        profiles,
    }
}

/// The checks of extenders that need nothing but them (`validateExtenders`).
fn extenders(cx: &mut Cx, at: &Path<'_>, node: &Node<'_>) {
    const TYPE: &str = "v1.Extender";
    const KNOWN: &[&str] = &[
        "urlPrefix",
        "filterVerb",
        "preemptVerb",
        "prioritizeVerb",
        "weight",
        "bindVerb",
        "enableHTTPS",
        "tlsConfig",
        "httpTimeout",
        "nodeCacheCapable",
        "managedResources",
        "ignorable",
    ];
    let mut binders = 0;
    for (i, node) in node.items().iter().enumerate() {
        let at = &at.index(i);
        let (mut prioritizes, mut weight) = (false, 0);
        for e in cx.fields(at, node, TYPE) {
            let (at, node) = (&at.field(TYPE, &e.key), &e.value);
            match &*e.key {
                "prioritizeVerb" => prioritizes = !cx.string(at, node).is_empty(),
                "weight" => weight = cx.int64(at, node).unwrap_or_default(),
                "bindVerb" => binders += u32::from(!cx.string(at, node).is_empty()),
                _ => cx.refuse(at, e, KNOWN),
            }
        }
        if prioritizes && weight <= 0 {
            let message = invalid(weight, "must have a positive weight applied to it");
            cx.error(&at.field(TYPE, "weight"), node, message);
        }
    }
    if binders > 1 {
        let found = format!("found {binders} extenders implementing bind");
        cx.error(at, node, invalid(found, "only one extender can implement bind"));
    }
}

fn percentage_of_nodes(cx: &mut Cx, at: &Path<'_>, node: &Node<'_>) -> Option<i32> {
    let value = cx.int32(at, node)?;
    if !(0..=100).contains(&value) {
        cx.error(at, node, invalid(value, "not in valid range [0-100]"));
    }
    Some(value)
}

/// A single profile is the default scheduler's unless it says otherwise; several need names of their own.
fn name_profiles(cx: &mut Cx, at: &Path<'_>, node: &Node<'_>, profiles: &mut [ProfileConfig]) {
    const TYPE: &str = "v1.KubeSchedulerProfile";
    let given = node.get("profiles").map_or(&[][..], Node::items);
    if let [only] = profiles
        && given.first().and_then(|profile| profile.get("schedulerName")).is_none_or(Node::is_null)
    {
        "default-scheduler".clone_into(&mut only.scheduler_name);
    }
    let at = &at.field("v1.KubeSchedulerConfiguration", "profiles");
    let mut seen = berth_core::collections::Index::default();
    for (i, profile) in profiles.iter().enumerate() {
        let at = &at.index(i);
        let at = &at.field(TYPE, "schedulerName");
        let node = given.get(i).unwrap_or(node);
        if profile.scheduler_name.is_empty() {
            cx.error(at, node, "Required value");
        } else if seen.insert(profile.scheduler_name.as_str().into(), 0).is_some() {
            cx.error(at, node, format!("Duplicate value: {:?}", profile.scheduler_name));
        }
    }
}

/// The queue is one, so all profiles have to sort it alike.
fn same_queue_sort(cx: &mut Cx, at: &Path<'_>, node: &Node<'_>, profiles: &[ProfileConfig]) {
    let at = &at.field("v1.KubeSchedulerConfiguration", "profiles");
    let Some(first) = profiles.first() else { return };
    let count = first.plugins.queue_sort.enabled.len();
    if count > 1 {
        cx.error(at, node, invalid(count, "only one queue sort plugin can be enabled"));
    }
    for (i, profile) in profiles.iter().enumerate() {
        if profile.plugins.queue_sort != first.plugins.queue_sort {
            let at = &at.index(i);
            cx.error(
                &at.field("v1.KubeSchedulerProfile", "plugins"),
                node,
                "queueSort must be the same for all profiles",
            );
        }
    }
}

fn profile(cx: &mut Cx, at: &Path<'_>, node: &Node<'_>) -> ProfileConfig {
    const TYPE: &str = "v1.KubeSchedulerProfile";
    const KNOWN: &[&str] =
        &["schedulerName", "percentageOfNodesToScore", "plugins", "pluginConfig"];
    let mut out = ProfileConfig::default();
    let mut custom = None;
    for e in cx.fields(at, node, TYPE) {
        let (at, node) = (&at.field(TYPE, &e.key), &e.value);
        match &*e.key {
            "schedulerName" => out.scheduler_name = cx.string(at, node),
            "percentageOfNodesToScore" => {
                out.percentage_of_nodes_to_score = percentage_of_nodes(cx, at, node);
            }
            "plugins" if !node.is_null() => custom = Some(plugins(cx, at, node)),
            "pluginConfig" => args::plugin_config(cx, at, node, &mut out.args),
            _ => cx.refuse(at, e, KNOWN),
        }
    }
    out.plugins = match custom {
        Some(custom) => merge::plugins(default_plugins(), custom),
        None => default_plugins(),
    };
    out
}

/// Plugins that Kubernetes removed and whose names it refuses.
const REMOVED: &[&str] = &["AzureDiskLimits", "CinderLimits", "EBSLimits", "GCEPDLimits"];

/// Plugins that come with kube-scheduler.
const IN_TREE: &[&str] = &[
    "DefaultBinder",
    "DefaultPreemption",
    "DynamicResources",
    "GangScheduling",
    "ImageLocality",
    "InterPodAffinity",
    "NodeAffinity",
    "NodeDeclaredFeatures",
    "NodeName",
    "NodePorts",
    "NodeResourcesBalancedAllocation",
    "NodeResourcesFit",
    "NodeUnschedulable",
    "NodeVolumeLimits",
    "PodGroupPodsCount",
    "PodTopologySpread",
    "PrioritySort",
    "SchedulingGates",
    "TaintToleration",
    "TopologyPlacementGenerator",
    "VolumeBinding",
    "VolumeRestrictions",
    "VolumeZone",
];

fn plugins(cx: &mut Cx, at: &Path<'_>, node: &Node<'_>) -> PluginsConfig {
    const TYPE: &str = "v1.Plugins";
    const KNOWN: &[&str] = &[
        "preEnqueue",
        "queueSort",
        "preFilter",
        "filter",
        "postFilter",
        "preScore",
        "score",
        "reserve",
        "permit",
        "preBind",
        "bind",
        "postBind",
        "multiPoint",
        "placementGenerate",
        "placementScore",
    ];
    let mut out = PluginsConfig::default();
    for e in cx.fields(at, node, TYPE) {
        let at = &at.field(TYPE, &e.key);
        let set = match &*e.key {
            "preEnqueue" => &mut out.pre_enqueue,
            "queueSort" => &mut out.queue_sort,
            "preFilter" => &mut out.pre_filter,
            "filter" => &mut out.filter,
            "postFilter" => &mut out.post_filter,
            "preScore" => &mut out.pre_score,
            "score" => &mut out.score,
            "reserve" => &mut out.reserve,
            "permit" => &mut out.permit,
            "preBind" => &mut out.pre_bind,
            "bind" => &mut out.bind,
            "postBind" => &mut out.post_bind,
            "multiPoint" => &mut out.multi_point,
            _ => {
                cx.refuse(at, e, KNOWN);
                continue;
            }
        };
        *set = plugin_set(cx, at, e);
    }
    out
}

fn plugin_set(cx: &mut Cx, at: &Path<'_>, entry: &Entry<'_>) -> PluginSet {
    const TYPE: &str = "v1.PluginSet";
    let mut out = PluginSet::default();
    for e in cx.fields(at, &entry.value, TYPE) {
        let (at, node) = (&at.field(TYPE, &e.key), &e.value);
        match &*e.key {
            "enabled" => {
                out.enabled = cx.list(at, node, "[]v1.Plugin", |cx, at, node| {
                    let plugin = plugin(cx, at, node);
                    if REMOVED.contains(&&*plugin.name) {
                        let why = format!(
                            "was invalid in version {API_VERSION:?} (KubeSchedulerConfiguration is version {API_VERSION:?})"
                        );
                        cx.error(at, node, invalid(&plugin.name, &why));
                    } else if !IN_TREE.contains(&&*plugin.name) {
                        let message = format!("plugin {:?} is not kube-scheduler's own and is not simulated", plugin.name);
                        cx.warn(at, node.start, message);
                    }
                    plugin
                });
            }
            "disabled" => {
                let plugins = cx.list(at, node, "[]v1.Plugin", plugin);
                out.disabled = plugins.into_iter().map(|plugin| plugin.name).collect();
            }
            _ => cx.refuse(at, e, &["enabled", "disabled"]),
        }
    }
    out
}

fn plugin(cx: &mut Cx, at: &Path<'_>, node: &Node<'_>) -> EnabledPlugin {
    const TYPE: &str = "v1.Plugin";
    let mut out = EnabledPlugin::default();
    for e in cx.fields(at, node, TYPE) {
        let (at, node) = (&at.field(TYPE, &e.key), &e.value);
        match &*e.key {
            "name" => out.name = cx.string(at, node),
            "weight" => out.weight = cx.int32(at, node).unwrap_or_default(),
            _ => cx.refuse(at, e, &["name", "weight"]),
        }
    }
    out
}

#[cfg(test)]
mod tests;
