//! The default plugins, and what a profile changes about them (`apis/config/v1/default_plugins.go`).

use berth_core::framework::config::{EnabledPlugin, PluginSet, PluginsConfig};

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
pub(super) fn default_plugins() -> PluginsConfig {
    let enabled = DEFAULT
        .iter()
        .map(|(name, weight)| EnabledPlugin { name: (*name).to_owned(), weight: *weight })
        .collect();
    PluginsConfig {
        multi_point: PluginSet { enabled, disabled: Vec::new() },
        ..PluginsConfig::default()
    }
}

/// `mergePlugins`. Only the first set has defaults.
pub(super) fn plugins(default: PluginsConfig, custom: PluginsConfig) -> PluginsConfig {
    PluginsConfig { multi_point: plugin_set(default.multi_point, custom.multi_point), ..custom }
}

/// `mergePluginSet`: a default plugin that is enabled again takes the new settings in its old place. Of several
/// settings for it the last counts, and the others are appended.
fn plugin_set(default: PluginSet, custom: PluginSet) -> PluginSet {
    let mut replaced = Vec::new();
    let mut enabled = Vec::new();
    let is_disabled = |name: &str| custom.disabled.iter().any(|disabled| disabled == name);
    if !is_disabled("*") {
        for plugin in default.enabled {
            if is_disabled(&plugin.name) {
                continue;
            }
            match custom.enabled.iter().rposition(|other| other.name == plugin.name) {
                Some(index) => {
                    enabled.extend(custom.enabled.get(index).cloned());
                    replaced.push(index);
                }
                None => enabled.push(plugin),
            }
        }
    }
    let rest =
        custom.enabled.into_iter().enumerate().filter(|(index, _)| !replaced.contains(index));
    enabled.extend(rest.map(|(_, plugin)| plugin));
    PluginSet { enabled, disabled: custom.disabled }
}
