//! The Score table.

mod formula;

use super::facts::Subject;
use super::number::share;
use super::order::sorted;
use crate::locale::ScoreWords;
use crate::view::{ScoreBar, ScoreRow, ScoreTable, Segment};
use berth_core::api::Node;
use berth_core::explain::{NodeReport, NodeScores, PluginScore, Scorer};
use berth_core::framework::plugin::PluginId;
use berth_core::framework::profile::Profile;
use formula::Formula;

/// A plugin's letter and hue.
fn look(plugin: PluginId) -> (&'static str, u8) {
    match plugin {
        PluginId::TaintToleration => ("T", 0),
        PluginId::PodTopologySpread => ("S", 1),
        PluginId::NodeResourcesFit => ("F", 2),
        PluginId::NodeResourcesBalancedAllocation => ("B", 3),
        PluginId::ImageLocality => ("I", 4),
        PluginId::InterPodAffinity => ("A", 5),
        PluginId::NodeAffinity => ("N", 4),
        PluginId::DynamicResources => ("D", 4),
        _ => ("", 4),
    }
}

/// The most bars.
const BARS: usize = 40;

/// The scores of the nodes that passed, highest total first.
pub(super) fn table<'a>(
    subject: &Subject<'_>,
    profile: Option<&Profile>,
    words: &ScoreWords,
    node: impl Fn(&str) -> Option<&'a Node>,
) -> ScoreTable {
    let explanation = subject.explanation;
    let scored: Vec<(&NodeReport, &NodeScores)> = explanation
        .nodes
        .iter()
        .filter_map(|report| report.scores.as_ref().map(|scores| (report, scores)))
        .collect();
    let scored = sorted(&scored, |a, b| a.1.rank.cmp(&b.1.rank));
    let longest = scored.iter().map(|(_, scores)| scores.total).max().unwrap_or(0);
    let hidden = scored.len().saturating_sub(BARS) as u32;
    let bars = scored.iter().take(BARS).map(|(report, scores)| {
        let subject = Subject { node: node(&report.name), ..*subject };
        let formula = Formula { subject, profile, words };
        bar(&formula, report, scores, longest)
    });
    let skipped = explanation.scorers.iter().filter(|scorer| scorer.skipped);
    ScoreTable {
        bars: bars.collect(),
        hidden,
        skipped: skipped.map(|scorer| scorer.plugin.name().into()).collect(),
    }
}

fn bar(formula: &Formula<'_>, report: &NodeReport, scores: &NodeScores, longest: i64) -> ScoreBar {
    let scorers = &formula.subject.explanation.scorers;
    let plugins: Vec<(&PluginScore, i64)> = scores
        .plugins
        .iter()
        .map(|score| {
            (score, scorers.iter().find(|scorer| scorer.plugin == score.plugin).map_or(1, weight))
        })
        .collect();
    let plugins = sorted(&plugins, |a, b| b.0.weighted.cmp(&a.0.weighted));
    let segments = plugins.iter().filter(|(score, _)| score.weighted > 0).map(|(score, _)| {
        let (letter, style) = look(score.plugin);
        Segment {
            letter: letter.into(),
            style,
            weighted: score.weighted,
            width: share(score.weighted, longest),
        }
    });
    ScoreBar {
        node: report.name.to_string().into(),
        rank: scores.rank,
        total: scores.total,
        segments: segments.collect(),
        rows: plugins.iter().map(|(score, weight)| score_row(formula, score, *weight)).collect(),
    }
}

fn weight(scorer: &Scorer) -> i64 {
    scorer.weight
}

fn score_row(formula: &Formula<'_>, score: &PluginScore, weight: i64) -> ScoreRow {
    let (letter, style) = look(score.plugin);
    ScoreRow {
        plugin: score.plugin.name().into(),
        letter: letter.into(),
        style,
        raw: score.raw,
        normalized: score.normalized,
        weight,
        weighted: score.weighted,
        rule: formula.rule(score.plugin),
        sum: formula.sum(score, weight),
    }
}
