//! The report for people.

use berth_core::explain::{Explanation, NodeReport, NodeScores, PluginScore, PluginVerdict};
use berth_core::framework::plugin::{ExtensionPoint, PluginId};
use berth_core::framework::profile::Profile;
use berth_core::framework::status::Status;
use berth_wire::explain::text::{self, Line};

use super::counts;
use super::preemption;
use crate::lines::{MOST_NODES, finish, fold, fold_indented, more};
use crate::table::Table;

/// The whole report.
pub(super) fn report(
    explanation: &Explanation,
    profile: &Profile,
    notes: &[String],
    width: usize,
) -> String {
    let mut lines = fold(&text::headline(explanation), 2, width);
    if let Some(message) = &explanation.message {
        lines.extend(fold(&format!("Event: {message}"), 2, width));
    }
    for note in notes {
        lines.extend(fold(&format!("Note: {note}"), 2, width));
    }
    if explanation.nodes.is_empty() {
        return finish(&lines);
    }
    let mut section = |title: &str, body: Vec<String>| {
        if !body.is_empty() {
            lines.extend([String::new(), title.to_owned()]);
            lines.extend(body);
        }
    };
    section("FILTER", filter_table(explanation, profile, width));
    section("TOPOLOGY SPREAD COUNTS", counts::lines(explanation, width));
    let sums = explanation.nodes.iter().map(|node| filter_sums(explanation, node, width));
    section("FILTER SUMS", each(sums, explanation.nodes.len()));
    let found = explanation.preemption();
    if let Some(found) = found {
        section("PREEMPTION", preemption::lines(found, width));
        let steps = found.nodes.iter().map(|node| {
            let mut lines = vec![node.name.to_string()];
            lines.extend(preemption::steps(found, node, width));
            lines
        });
        section("PREEMPTION STEPS", each(steps, found.nodes.len()));
    }
    section("SCORE", score_table(explanation, width));
    let scored = by_rank(explanation);
    let sums =
        scored.iter().map(|(node, scores)| score_sums(explanation, profile, node, scores, width));
    section("SCORE SUMS", each(sums, scored.len()));
    finish(&lines)
}

/// Nodes × plugins: ✓ fits, ✗ refuses, ✗* refuses once the nominated pods are counted, · has
/// nothing to do.
fn filter_table(explanation: &Explanation, profile: &Profile, width: usize) -> Vec<String> {
    let filters = profile.plugins(ExtensionPoint::Filter);
    let (shown, idle): (Vec<PluginId>, Vec<PluginId>) =
        filters.iter().partition(|plugin| explanation.filters.contains(plugin));
    let mark = |node: &NodeReport, plugin: &PluginId| {
        let verdict = node.verdicts.iter().find(|verdict| verdict.plugin == *plugin);
        let reported = node.status.as_ref().and_then(|status| status.plugin) == Some(*plugin);
        match verdict {
            None => "·",
            Some(verdict) if !verdict.code.is_success() => "✗",
            Some(_) if reported => "✗*",
            Some(_) => "✓",
        }
        .to_owned()
    };
    let rows = explanation.nodes.iter().take(MOST_NODES).map(|node| {
        let fits = if node.is_feasible() { "✓" } else { "✗" }.to_owned();
        let cells = shown.iter().map(|plugin| mark(node, plugin));
        (node.name.to_string(), core::iter::once(fits).chain(cells).collect())
    });
    let columns = shown.iter().map(|plugin| plugin.name().to_owned());
    let table = Table {
        corner: "node".to_owned(),
        columns: core::iter::once("fits".to_owned()).chain(columns).collect(),
        rows: rows.collect(),
    };
    let mut lines = table.lines(width);
    lines.extend(more(explanation.nodes.len()));
    if table.rows.iter().any(|(_, cells)| cells.iter().any(|cell| cell == "✗*")) {
        lines.push("* once the pods nominated to the node are counted".to_owned());
    }
    if !idle.is_empty() {
        let names: Vec<&str> = idle.iter().map(|plugin| plugin.name()).collect();
        lines.extend(fold(&format!("· nothing to do: {}", names.join(", ")), 2, width));
    }
    lines
}

/// The points of the feasible nodes, the best first.
fn score_table(explanation: &Explanation, width: usize) -> Vec<String> {
    let scored = by_rank(explanation);
    if scored.is_empty() {
        return Vec::new();
    }
    let scorers = explanation.scorers.iter().filter(|scorer| !scorer.skipped);
    let columns = scorers.map(|scorer| format!("{} ×{}", scorer.plugin, scorer.weight));
    let rows = scored.iter().take(MOST_NODES).map(|(node, scores)| {
        let points = scores.plugins.iter().map(|score| score.weighted.to_string());
        let cells = core::iter::once(scores.total.to_string()).chain(points);
        (node.name.to_string(), cells.collect())
    });
    let table = Table {
        corner: "node".to_owned(),
        columns: core::iter::once("total".to_owned()).chain(columns).collect(),
        rows: rows.collect(),
    };
    let mut lines = table.lines(width);
    lines.extend(more(scored.len()));
    let skipped = explanation.scorers.iter().filter(|scorer| scorer.skipped);
    let skipped: Vec<&str> = skipped.map(|scorer| scorer.plugin.name()).collect();
    if !skipped.is_empty() {
        lines.extend(fold(&format!("· nothing to score: {}", skipped.join(", ")), 2, width));
    }
    lines
}

fn by_rank(explanation: &Explanation) -> Vec<(&NodeReport, &NodeScores)> {
    let nodes = explanation.nodes.iter();
    let mut scored: Vec<_> = nodes.filter_map(|node| Some((node, node.scores.as_ref()?))).collect();
    scored.sort_by_key(|(_, scores)| scores.rank);
    scored
}

/// A paragraph for each of so many nodes.
fn each(paragraphs: impl Iterator<Item = Vec<String>>, nodes: usize) -> Vec<String> {
    let mut lines: Vec<String> = paragraphs.take(MOST_NODES).flatten().collect();
    lines.extend(more(nodes));
    lines
}

/// A status in a line.
pub(crate) fn reported(status: &Status) -> String {
    let plugin = status.plugin.map(|plugin| format!(" ({plugin})")).unwrap_or_default();
    format!("{}: {}{plugin}", status.code, status.reasons.join(", "))
}

/// What each plugin compared on a node, and what is reported of it.
fn filter_sums(explanation: &Explanation, node: &NodeReport, width: usize) -> Vec<String> {
    let mut lines = Vec::new();
    let verdicts = |verdicts: &[PluginVerdict], lines: &mut Vec<String>| {
        for verdict in verdicts {
            for Line { about, sum, holds } in text::verdict(explanation, node, verdict) {
                let mark = if holds == Some(false) { '✗' } else { '✓' };
                let line = format!("  {mark} {}  {about}: {sum}", verdict.plugin);
                lines.extend(fold_indented(&line, width));
            }
        }
    };
    verdicts(&node.verdicts, &mut lines);
    if !node.nominated.is_empty() {
        let pods: Vec<String> = node.nominated.iter().map(ToString::to_string).collect();
        let line = format!("  with the nominated pods {}:", pods.join(", "));
        lines.extend(fold_indented(&line, width));
        verdicts(&node.verdicts_with_nominated, &mut lines);
    }
    if let Some(status) = &node.status {
        lines.extend(fold_indented(&format!("  reported: {}", reported(status)), width));
    }
    if !lines.is_empty() {
        lines.insert(0, node.name.to_string());
    }
    lines
}

fn score_sums(
    explanation: &Explanation,
    profile: &Profile,
    node: &NodeReport,
    scores: &NodeScores,
    width: usize,
) -> Vec<String> {
    let mut lines = vec![format!("{}: total {}, rank {}", node.name, scores.total, scores.rank)];
    for score in &scores.plugins {
        lines.extend(plugin_sums(explanation, profile, node, score, width));
    }
    lines
}

fn plugin_sums(
    explanation: &Explanation,
    profile: &Profile,
    node: &NodeReport,
    score: &PluginScore,
    width: usize,
) -> Vec<String> {
    let found = text::score(explanation, profile, node, score);
    let sums = found.into_iter().map(|Line { about, sum, .. }| format!("{about}: {sum}"));
    // A few fit one line; the others get one each.
    let sums: Vec<String> = sums.collect();
    let line = format!("  {}  {}", score.plugin, sums.join("; "));
    if line.chars().count() <= width {
        return vec![line];
    }
    let mut lines = vec![format!("  {}", score.plugin)];
    lines.extend(sums.iter().flat_map(|sum| fold_indented(&format!("    {sum}"), width)));
    lines
}
