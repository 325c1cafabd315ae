//! What a profile changes about the default plugins (`apis/config/v1/default_plugins.go`).

use berth_core::framework::config::{PluginSet, PluginsConfig};

/// `mergePlugins`. Only the first set has defaults.
pub(super) fn plugins(default: PluginsConfig, custom: PluginsConfig) -> PluginsConfig {
    PluginsConfig { multi_point: plugin_set(default.multi_point, custom.multi_point), ..custom }
}

/// `mergePluginSet`: a default plugin that is enabled again takes the new settings in its old place. Of several
/// settings for it the last counts, and the others are appended.
pub(super) fn plugin_set(default: PluginSet, custom: PluginSet) -> PluginSet {
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
