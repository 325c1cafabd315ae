//! KubeSchedulerConfiguration v1: decoded strictly, defaulted, checked.
//!
//! Mirrors `pkg/scheduler/apis/config/{scheme,v1,validation}` of Kubernetes. A configuration with an error gives no
//! configuration at all. The settings of the process (leader election, client, profiling), extenders, and arguments of
//! VolumeBinding and DynamicResources are checked and have no effect, extenders with a warning.
//!
//! What kube-scheduler finds only when it makes a plugin of its arguments is said too, at a stage of its own
//! ([`Stage::Construction`](crate::manifest::Stage)): it validates no arguments of NodeResourcesFit, since it looks for
//! them under another name. Deviation: that arguments of the plugin that sorts the queue are the same in all profiles
//! is not checked; Kubernetes' own has none.

mod args;
pub(crate) mod duration;
pub mod edit;
mod encode;
mod merge;
mod process;
mod spread;
mod whole;

pub use encode::encode;
pub use whole::whole;

use berth_core::framework::config::{
    Configuration, EnabledPlugin, PluginSet, PluginsConfig, ProfileConfig, default_plugins,
};

use berth_core::api::field_error::json_string;
use berth_core::api::{BadValue, FieldError};

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

/// A bad value of the place where it stands.
fn invalid(value: BadValue, why: &str) -> FieldError {
    FieldError::invalid(String::new(), value, why)
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
    cx.be_strict();
    let mut percentage = None;
    let mut profiles = Vec::new();
    let (mut initial_backoff, mut max_backoff) = (1, 10);
    // Go names the struct that has these fields in another.
    let at_debugging = &at.field(TYPE, "DebuggingConfiguration");
    for e in cx.fields(at, node, TYPE) {
        let (at, node) = (&at.field(TYPE, &e.key), &e.value);
        match &*e.key {
            "delayCacheUntilActive" => _ = cx.boolean(at, node),
            "enableProfiling" | "enableContentionProfiling" => {
                _ = cx.boolean(&at_debugging.field(TYPE, &e.key), node);
            }
            "percentageOfNodesToScore" => percentage = percentage_of_nodes(cx, at, node),
            "parallelism" => {
                if let Some(value) = cx.int32(at, node)
                    && value <= 0
                {
                    let why = "should be an integer value greater than zero";
                    cx.invalid(at, node, &invalid(BadValue::Integer(value.into()), why));
                }
            }
            "podInitialBackoffSeconds" => {
                initial_backoff = cx.int64(at, node).unwrap_or(initial_backoff);
                if initial_backoff <= 0 {
                    let value = BadValue::Integer(initial_backoff);
                    cx.invalid(at, node, &invalid(value, "must be greater than 0"));
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
                process::extenders(cx, at, node);
            }
            "leaderElection" => process::leader_election(cx, at, node),
            "clientConnection" => process::client_connection(cx, at, node),
            _ => cx.refuse(at, e, KNOWN),
        }
    }
    if max_backoff < initial_backoff {
        let why = "must be greater than or equal to PodInitialBackoffSeconds";
        let error = invalid(BadValue::Integer(max_backoff), why);
        cx.invalid(&at.field(TYPE, "podMaxBackoffSeconds"), node, &error);
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

fn percentage_of_nodes(cx: &mut Cx, at: &Path<'_>, node: &Node<'_>) -> Option<i32> {
    let value = cx.int32(at, node)?;
    if !(0..=100).contains(&value) {
        let value = BadValue::Integer(value.into());
        cx.invalid(at, node, &invalid(value, "not in valid range [0-100]"));
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
            cx.invalid(at, node, &FieldError::required(String::new(), ""));
        }
        if seen.insert(profile.scheduler_name.as_str().into(), 0).is_some() {
            // It shows the path of the other name, of which nothing can be seen.
            let other = BadValue::Json("{}".to_owned());
            cx.invalid(at, node, &FieldError::duplicate(String::new(), other));
        }
    }
}

/// The queue is one, so all profiles have to sort it alike.
fn same_queue_sort(cx: &mut Cx, at: &Path<'_>, node: &Node<'_>, profiles: &[ProfileConfig]) {
    let at = &at.field("v1.KubeSchedulerConfiguration", "profiles");
    let Some(first) = profiles.first() else { return };
    let count = first.plugins.queue_sort.enabled.len();
    if count > 1 {
        let value = BadValue::Integer(count as i64);
        let mut error = invalid(value, "only one queue sort plugin can be enabled");
        "plugins.queueSort.Enabled".clone_into(&mut error.field);
        cx.invalid(&at.index(0), node, &error);
    }
    for (i, profile) in profiles.iter().enumerate() {
        let own = &profile.plugins.queue_sort;
        if *own != first.plugins.queue_sort {
            let mut error = invalid(shown(own), "must be the same for all profiles");
            "plugins.queueSort".clone_into(&mut error.field);
            cx.invalid(&at.index(i), node, &error);
        }
    }
}

/// Plugins as the API shows them.
fn shown(set: &PluginSet) -> BadValue {
    let list = |plugins: Vec<(&str, i32)>| {
        if plugins.is_empty() {
            return "null".to_owned();
        }
        let plugin = |(name, weight): &(&str, i32)| {
            format!(r#"{{"Name":{},"Weight":{weight}}}"#, json_string(name))
        };
        format!("[{}]", plugins.iter().map(plugin).collect::<Vec<_>>().join(","))
    };
    let enabled = set.enabled.iter().map(|plugin| (&*plugin.name, plugin.weight)).collect();
    let disabled = set.disabled.iter().map(|name| (&**name, 0)).collect();
    BadValue::Json(format!(r#"{{"Enabled":{},"Disabled":{}}}"#, list(enabled), list(disabled)))
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

/// What there is to say against a plugin's name; none if it was not removed.
fn removed(name: &str) -> Option<FieldError> {
    let why = format!(
        r#"was invalid in version "v1" (KubeSchedulerConfiguration is version "{API_VERSION}")"#
    );
    REMOVED.contains(&name).then(|| invalid(BadValue::Text(name.to_owned()), &why))
}

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

/// Whether a plugin comes with kube-scheduler.
pub(crate) fn is_in_tree(name: &str) -> bool {
    IN_TREE.contains(&name)
}

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
            // For groups of pods, which are not simulated.
            "placementGenerate" | "placementScore" => {
                _ = plugin_set(cx, at, e);
                continue;
            }
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
                    if let Some(error) = removed(&plugin.name) {
                        // Elsewhere such a plugin is only missed when it is made.
                        if matches!(
                            &*entry.key,
                            "multiPoint" | "placementGenerate" | "placementScore"
                        ) {
                            cx.unusable(at, node, &error);
                        } else {
                            cx.invalid(at, node, &error);
                        }
                    } else if !IN_TREE.contains(&&*plugin.name) {
                        let message = format!(
                            "plugin {:?} is not kube-scheduler's own and is not simulated",
                            plugin.name
                        );
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
            "name" => {
                out.name = cx.string(at, node);
                cx.wants_word(&out.name, IN_TREE);
            }
            "weight" => out.weight = cx.int32(at, node).unwrap_or_default(),
            _ => cx.refuse(at, e, &["name", "weight"]),
        }
    }
    out
}

#[cfg(test)]
mod tests;
