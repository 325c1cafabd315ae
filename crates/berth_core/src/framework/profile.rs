//! A scheduler profile: which plugins run where, in which order, with which weight.
//!
//! Mirrors `NewFramework`, `expandMultiPointPlugins` and `getValidScoreWeights` of
//! `pkg/scheduler/framework/runtime/framework.go`. The order decides which failure of a node is
//! reported, so it is data here.

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use super::config::{PluginArgs, PluginSet, PluginsConfig, ProfileConfig};
use super::plugin::{ExtensionPoint, PluginId};
use crate::api::node_selector::{PreferredTerms, RequiredNodeSelector};

/// A profile, ready to run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Profile {
    /// The name that pods ask for.
    pub scheduler_name: String,
    /// Share of nodes to score, in percent; 0 or none is adaptive.
    pub percentage_of_nodes_to_score: Option<i32>,
    /// Arguments of the plugins.
    pub args: PluginArgs,
    /// NodeAffinity's added requirements, compiled.
    pub added_node_selector: Option<RequiredNodeSelector>,
    /// NodeAffinity's added preferences, compiled.
    pub added_preferred_terms: Option<PreferredTerms>,
    points: [Vec<PluginId>; ExtensionPoint::ALL.len()],
    weights: Vec<(PluginId, i64)>,
}

/// Why a profile cannot run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ProfileError {
    /// A plugin that does not exist, at the point whose Go interface is given.
    UnknownPlugin {
        /// The point.
        point: ExtensionPoint,
        /// The name.
        name: String,
    },
    /// A plugin that has no such extension point.
    NotAtPoint {
        /// The point.
        point: ExtensionPoint,
        /// The plugin.
        plugin: PluginId,
    },
    /// A plugin that is switched on twice.
    Twice {
        /// The point.
        point: ExtensionPoint,
        /// The plugin.
        plugin: PluginId,
    },
    /// Not exactly one queue sort plugin.
    QueueSort {
        /// The profile.
        scheduler_name: String,
        /// How many there are.
        count: u32,
    },
    /// No bind plugin.
    NoBind {
        /// The profile.
        scheduler_name: String,
    },
    /// Weights so large that a total could overflow.
    WeightOverflow,
    /// NodeAffinity's added affinity cannot be used.
    AddedAffinity {
        /// The field.
        field: &'static str,
        /// What is wrong.
        message: String,
    },
}

impl fmt::Display for ProfileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::UnknownPlugin { point, name } => {
                write!(f, "{} \"{name}\" does not exist", point.interface())
            }
            Self::NotAtPoint { point, plugin } => {
                write!(f, "plugin \"{plugin}\" does not extend {} plugin", point.interface())
            }
            Self::Twice { point, plugin } => {
                write!(f, "plugin \"{plugin}\" already registered as \"{}\"", point.interface())
            }
            Self::QueueSort { scheduler_name, count } => write!(
                f,
                "only one queue sort plugin required for profile with scheduler name \"{scheduler_name}\", but got {count}"
            ),
            Self::NoBind { scheduler_name } => write!(
                f,
                "at least one bind plugin is needed for profile with scheduler name \"{scheduler_name}\""
            ),
            Self::WeightOverflow => {
                f.write_str("score plugins: total score of Score plugins could overflow")
            }
            Self::AddedAffinity { field, message } => write!(
                f,
                "initializing plugin \"NodeAffinity\": parsing addedAffinity.{field}: {message}"
            ),
        }
    }
}

impl core::error::Error for ProfileError {}

/// The highest score that a plugin may give (`fwk.MaxNodeScore`).
pub const MAX_NODE_SCORE: i64 = 100;
/// `fwk.MaxScore` and `fwk.MaxTotalScore`: bounds that weights are checked against.
const MAX_TOTAL_SCORE: i64 = i64::MAX;

impl Profile {
    /// Resolves a configured profile.
    pub fn new(config: &ProfileConfig) -> Result<Self, ProfileError> {
        let mut points: [Vec<PluginId>; ExtensionPoint::ALL.len()] = Default::default();
        let multi = resolve(&config.plugins.multi_point, ExtensionPoint::PreFilter)?;
        for point in ExtensionPoint::ALL {
            points[point as usize] = expand(point, set_of(&config.plugins, point), &multi)?;
        }
        let sorts = points[ExtensionPoint::QueueSort as usize].len();
        if sorts != 1 {
            return Err(ProfileError::QueueSort {
                scheduler_name: config.scheduler_name.clone(),
                count: sorts as u32,
            });
        }
        if points[ExtensionPoint::Bind as usize].is_empty() {
            return Err(ProfileError::NoBind { scheduler_name: config.scheduler_name.clone() });
        }
        let weights = weights(config, &points[ExtensionPoint::Score as usize])?;
        let added = config.args.node_affinity.added_affinity.as_ref();
        let added_node_selector = added
            .and_then(|affinity| affinity.required.as_ref())
            .map(RequiredNodeSelector::new)
            .transpose()
            .map_err(|error| ProfileError::AddedAffinity {
                field: "requiredDuringSchedulingIgnoredDuringExecution",
                message: alloc::format!("{error}"),
            })?;
        let added_preferred_terms = added
            .filter(|affinity| !affinity.preferred.is_empty())
            .map(|affinity| PreferredTerms::new(&affinity.preferred))
            .transpose()
            .map_err(|error| ProfileError::AddedAffinity {
                field: "preferredDuringSchedulingIgnoredDuringExecution",
                message: alloc::format!("{error}"),
            })?;
        Ok(Self {
            scheduler_name: config.scheduler_name.clone(),
            percentage_of_nodes_to_score: config.percentage_of_nodes_to_score,
            args: config.args.clone(),
            added_node_selector,
            added_preferred_terms,
            points,
            weights,
        })
    }

    /// The plugins of a point, in the order in which they run.
    pub fn plugins(&self, point: ExtensionPoint) -> &[PluginId] {
        &self.points[point as usize]
    }

    /// Whether a plugin runs at a point.
    pub fn runs(&self, plugin: PluginId, point: ExtensionPoint) -> bool {
        self.plugins(point).contains(&plugin)
    }

    /// Weight of a plugin's score; 0 if it does not score.
    pub fn weight(&self, plugin: PluginId) -> i64 {
        self.weights.iter().find(|(id, _)| *id == plugin).map_or(0, |(_, weight)| *weight)
    }
}

fn set_of(plugins: &PluginsConfig, point: ExtensionPoint) -> &PluginSet {
    match point {
        ExtensionPoint::PreEnqueue => &plugins.pre_enqueue,
        ExtensionPoint::QueueSort => &plugins.queue_sort,
        ExtensionPoint::PreFilter => &plugins.pre_filter,
        ExtensionPoint::Filter => &plugins.filter,
        ExtensionPoint::PostFilter => &plugins.post_filter,
        ExtensionPoint::PreScore => &plugins.pre_score,
        ExtensionPoint::Score => &plugins.score,
        ExtensionPoint::Reserve => &plugins.reserve,
        ExtensionPoint::Permit => &plugins.permit,
        ExtensionPoint::PreBind => &plugins.pre_bind,
        ExtensionPoint::Bind => &plugins.bind,
        ExtensionPoint::PostBind => &plugins.post_bind,
    }
}

fn resolve(set: &PluginSet, point: ExtensionPoint) -> Result<Vec<PluginId>, ProfileError> {
    set.enabled
        .iter()
        .map(|plugin| {
            PluginId::from_name(&plugin.name)
                .ok_or_else(|| ProfileError::UnknownPlugin { point, name: plugin.name.clone() })
        })
        .collect()
}

/// Plugins of one point: those named here that multiPoint has too, then the rest of multiPoint,
/// then the rest of those named here.
fn expand(
    point: ExtensionPoint,
    set: &PluginSet,
    multi: &[PluginId],
) -> Result<Vec<PluginId>, ProfileError> {
    let named = resolve(set, point)?;
    for (i, &plugin) in named.iter().enumerate() {
        if !plugin.implements(point) {
            return Err(ProfileError::NotAtPoint { point, plugin });
        }
        if named[..i].contains(&plugin) {
            return Err(ProfileError::Twice { point, plugin });
        }
    }
    if set.disabled.iter().any(|name| name == "*") {
        return Ok(named);
    }
    let mut overriding = Vec::new();
    let mut expanded = Vec::new();
    for &plugin in multi {
        if !plugin.implements(point) || set.disabled.iter().any(|name| name == plugin.name()) {
            continue;
        }
        if named.contains(&plugin) {
            overriding.push(plugin);
        } else if expanded.contains(&plugin) {
            return Err(ProfileError::Twice { point, plugin });
        } else {
            expanded.push(plugin);
        }
    }
    let (mut order, rest): (Vec<_>, Vec<_>) =
        named.into_iter().partition(|plugin| overriding.contains(plugin));
    order.extend(expanded);
    order.extend(rest);
    Ok(order)
}

/// Weights: a point's own setting goes before multiPoint's, and 0 means 1.
fn weights(
    config: &ProfileConfig,
    scoring: &[PluginId],
) -> Result<Vec<(PluginId, i64)>, ProfileError> {
    let mut weights: Vec<(PluginId, i64)> = Vec::new();
    let mut total = 0_i64;
    let plugins = &config.plugins;
    for enabled in plugins.score.enabled.iter().chain(&plugins.multi_point.enabled) {
        let Some(id) = PluginId::from_name(&enabled.name) else { continue };
        if !id.implements(ExtensionPoint::Score) || weights.iter().any(|(known, _)| *known == id) {
            continue;
        }
        let weight = if enabled.weight == 0 { 1 } else { i64::from(enabled.weight) };
        let share = weight.saturating_mul(MAX_NODE_SCORE);
        if share > MAX_TOTAL_SCORE - total {
            return Err(ProfileError::WeightOverflow);
        }
        total += share;
        weights.push((id, weight));
    }
    weights.retain(|(id, _)| scoring.contains(id));
    Ok(weights)
}
