//! How a Score plugin came to its points.

use berth_core::api::{Labels, PreferredSchedulingTerm, Taint};
use berth_core::explain::{Explanation, NodeReport, PluginScore};
use berth_core::framework::config::ScoringStrategyType;
use berth_core::framework::fact::Fact;
use berth_core::framework::plugin::PluginId;
use berth_core::framework::profile::Profile;

use super::filter::{owns, term_text};
use super::{Line, equation};
use crate::explain::normalization::{Normalization, signed};
use crate::explain::sums;
use crate::explain::unit::Unit;

/// The lines of a plugin's score for a node: its summands, how they make the raw score, and how
/// that becomes the weighted one.
pub fn score(
    explanation: &Explanation,
    profile: &Profile,
    node: &NodeReport,
    score: &PluginScore,
) -> Vec<Line> {
    let facts = score.facts.iter();
    let mut lines: Vec<Line> =
        facts.filter_map(|fact| summand(explanation, profile, node, fact)).collect();
    lines.push(raw(profile, score));
    if let Some(sum) = Normalization::new(explanation, score.plugin).equation(score) {
        lines.push(Line::added("normalized", sum));
    }
    let weight = profile.weight(score.plugin);
    let PluginScore { normalized, weighted, .. } = score;
    lines.push(Line::added("weighted", format!("{normalized} × {weight} = {weighted}")));
    lines
}

fn summand(
    explanation: &Explanation,
    profile: &Profile,
    node: &NodeReport,
    fact: &Fact,
) -> Option<Line> {
    Some(match fact {
        Fact::PreferNoScheduleTaint { index, tolerated } => {
            let taints = node.object.as_ref().map(|node| &node.spec.taints);
            let taint = taints.and_then(|taints| taints.get(*index as usize));
            let taint = taint.map(Taint::to_string).unwrap_or_default();
            let count = if *tolerated { "tolerated: 0" } else { "not tolerated: 1" };
            Line::added(format!("taint {taint}"), count)
        }
        Fact::PreferredTerm { added, term, weight, matches } => {
            preferred(explanation, profile, node, *added, *term, *weight, *matches)
        }
        Fact::ResourceScore { resource, requested, capacity, score, weight } => {
            let sum = if *capacity == 0 {
                "the node has none, or the pod asks for none: left out".to_owned()
            } else {
                let strategy = &profile.args.node_resources_fit.scoring_strategy.kind;
                let share = share(strategy, resource, *requested, *capacity);
                format!("{share} = {score}, weight {weight}")
            };
            Line::added(&**resource, sum)
        }
        Fact::BalancedShare { resource, requested, allocated, capacity } => {
            if *capacity == 0 {
                return Some(Line::added(&**resource, "left out"));
            }
            let [with, without, all] =
                Unit::of(resource).write([*requested, *allocated, *capacity]);
            Line::added(
                &**resource,
                format!("{with} ÷ {all} with the pod, {without} ÷ {all} without"),
            )
        }
        Fact::Image { name, .. } => Line::added(format!("image {name}"), equation(fact)?),
        Fact::ImageContainers { containers } => Line::added("containers", containers.to_string()),
        Fact::SpreadIgnored => Line::added("left out", "the node lacks a label"),
        Fact::SpreadScore { constraint, domain, .. } => {
            let found = explanation.spread_score.iter().find(|spread| spread.index == *constraint);
            let key = found.map_or("", |spread| &*spread.topology_key);
            Line::added(format!("{key}={domain}"), equation(fact)?)
        }
        Fact::AffinityScore { key, domain, sum } => {
            Line::added(format!("{key}={domain}"), signed(*sum))
        }
        _ => return None,
    })
}

fn preferred(
    explanation: &Explanation,
    profile: &Profile,
    node: &NodeReport,
    added: bool,
    index: u32,
    weight: i64,
    matches: bool,
) -> Line {
    let affinity = if added {
        profile.args.node_affinity.added_affinity.as_ref()
    } else {
        let affinity = explanation.object.spec.affinity.as_ref();
        affinity.and_then(|affinity| affinity.node_affinity.as_ref())
    };
    let term = affinity.and_then(|affinity| affinity.preferred.get(index as usize));
    let empty = Labels::new();
    let labels = node.object.as_ref().map_or(&empty, |node| &node.metadata.labels);
    let (about, found) = term.map_or_else(Default::default, |term: &PreferredSchedulingTerm| {
        (term_text(&term.preference), owns(labels, &node.name, &term.preference))
    });
    let points = if matches { weight } else { 0 };
    Line::added(about, format!("{found}: {points}"))
}

fn share(strategy: &ScoringStrategyType, resource: &str, requested: i64, capacity: i64) -> String {
    let [requested_text, capacity_text] = Unit::of(resource).write([requested, capacity]);
    match strategy {
        ScoringStrategyType::LeastAllocated if requested > capacity => {
            format!("{requested_text} > {capacity_text}")
        }
        ScoringStrategyType::LeastAllocated => {
            format!("({capacity_text} − {requested_text}) × 100 ÷ {capacity_text}")
        }
        ScoringStrategyType::MostAllocated if requested > capacity => {
            format!("{capacity_text} × 100 ÷ {capacity_text}")
        }
        ScoringStrategyType::MostAllocated => {
            format!("{requested_text} × 100 ÷ {capacity_text}")
        }
        ScoringStrategyType::RequestedToCapacityRatio(_) => {
            format!("curve at {requested_text} ÷ {capacity_text}")
        }
    }
}

/// How summands make the raw score.
fn raw(profile: &Profile, score: &PluginScore) -> Line {
    let raw = signed(score.raw);
    let sum = match score.plugin {
        PluginId::NodeResourcesFit => {
            let strategy = &profile.args.node_resources_fit.scoring_strategy.kind;
            let parts = sums::means(score, Some(strategy));
            let (scores, weights): (Vec<String>, Vec<String>) = parts
                .map(|(score, weight)| (format!("{score} × {weight}"), weight.to_string()))
                .unzip();
            if scores.is_empty() {
                raw
            } else {
                format!("({}) ÷ ({}) = {raw}", scores.join(" + "), weights.join(" + "))
            }
        }
        PluginId::NodeResourcesBalancedAllocation => {
            let (with, without) = sums::evenness(score);
            format!(
                "evenness {with} with the pod, {without} without: 50 + (50 + {with} − {without}) ÷ 2 = {raw}"
            )
        }
        PluginId::ImageLocality => {
            let (counted, least, most) = sums::images(score);
            format!("100 × ({counted} − {least}) ÷ ({most} − {least}) = {raw}")
        }
        _ => raw,
    };
    Line::added("raw", sum)
}
