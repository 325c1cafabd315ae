//! The Filter matrix.

use super::facts::Subject;
use crate::locale::Msg;
use crate::view::{Column, FilterCell, FilterDetail, FilterRow, FilterTable};
use berth_core::explain::{Explanation, NodeReport, PluginVerdict};
use berth_core::framework::status::{Code, Status};
use std::rc::Rc;
use yew::AttrValue;

/// The most columns; more would be thousands of buttons that nobody reads.
const COLUMNS: usize = 60;

/// What is added to a plugin's name where it refused before any node was looked at.
const BEFORE: &str = " (PreFilter)";
/// The row of the nodes that PreFilter plugins named.
const NAMED: &str = "NodeAffinity (PreFilter)";

/// The matrix. `columns` are the nodes in the order of the board, with whether a group begins.
pub(super) fn table(explanation: &Explanation, columns: &[(&NodeReport, bool)]) -> FilterTable {
    let hidden = columns.len().saturating_sub(COLUMNS) as u32;
    let columns = columns.get(..COLUMNS).unwrap_or(columns);
    let prefix = common_prefix(columns.iter().map(|(report, _)| &*report.name));
    let heads = columns.iter().map(|(report, gap)| Column {
        node: report.name.to_string().into(),
        short: report.name.get(prefix..).unwrap_or(&report.name).to_owned().into(),
        gap: *gap,
    });
    let ranks = columns.iter().map(|(report, _)| report.scores.as_ref().map(|scores| scores.rank));
    let mut rows: Vec<FilterRow> = Vec::new();
    for status in refusals(explanation) {
        let refused = FilterCell { passes: false, reached: true };
        rows.push(FilterRow { plugin: before(status), cells: vec![refused; columns.len()].into() });
    }
    if let Some(names) = &explanation.node_names {
        let cells = columns.iter().map(|(report, _)| named(names, report));
        rows.push(FilterRow { plugin: NAMED.into(), cells: cells.collect() });
    }
    for (index, plugin) in explanation.filters.iter().enumerate() {
        let cells = columns.iter().map(|(report, _)| cell(report, index));
        rows.push(FilterRow { plugin: plugin.name().into(), cells: cells.collect() });
    }
    let skipped = explanation.pre_filter.iter().filter(|status| status.code == Code::Skip);
    FilterTable {
        columns: heads.collect(),
        ranks: ranks.collect(),
        rows: rows.into(),
        hidden,
        skipped: skipped
            .filter_map(|status| status.plugin)
            .map(|plugin| plugin.name().into())
            .collect(),
    }
}

/// Plugins that refused every node before any was looked at.
fn refusals(explanation: &Explanation) -> impl Iterator<Item = &Status> {
    explanation.pre_filter.iter().filter(|status| status.code.is_rejected())
}

/// The name of such a plugin's row.
fn before(status: &Status) -> AttrValue {
    [status.plugin.map_or("", |plugin| plugin.name()), BEFORE].concat().into()
}

/// Whether a node is among those that a PreFilter plugin named.
fn named(names: &[String], report: &NodeReport) -> FilterCell {
    FilterCell { passes: names.iter().any(|name| **name == *report.name), reached: true }
}

/// What the plugin at an index says of a node.
fn cell(report: &NodeReport, index: usize) -> FilterCell {
    let Some(verdict) = report.verdicts.get(index) else {
        return FilterCell { passes: true, reached: false };
    };
    let reached = match &report.status {
        // The scheduler stops at a node's first refusal.
        Some(status) => report
            .verdicts
            .iter()
            .position(|verdict| Some(verdict.plugin) == status.plugin)
            .is_some_and(|refused| index <= refused),
        None => report.scores.is_some(),
    };
    let passes = verdict.code.is_success() && !counts_nominated(report, verdict);
    FilterCell { passes, reached }
}

/// Whether a plugin refuses a node only with the pods that are nominated to it.
fn counts_nominated(report: &NodeReport, verdict: &PluginVerdict) -> bool {
    report.status.as_ref().is_some_and(|status| {
        status.plugin == Some(verdict.plugin) && !report.status_facts.is_empty()
    })
}

/// A cell, worked out, by its row's name.
pub(super) fn detail(
    subject: &Subject<'_>,
    report: &NodeReport,
    plugin: &AttrValue,
) -> Option<FilterDetail> {
    let explanation = subject.explanation;
    let bare = |cell, reasons: &[String]| FilterDetail {
        plugin: plugin.clone(),
        node: report.name.to_string().into(),
        cell,
        reason: reasons.join(", ").into(),
        equations: Rc::new([]),
        sums: Rc::new([]),
        facts: Rc::new([]),
    };
    if let Some(index) = explanation.filters.iter().position(|filter| filter.name() == &**plugin) {
        let Some(verdict) = report.verdicts.get(index) else {
            return Some(bare(cell(report, index), &[]));
        };
        let detail = bare(cell(report, index), &verdict.reasons);
        return Some(worked_out(subject, report, verdict, detail));
    }
    if let Some(status) = refusals(explanation).find(|status| before(status) == *plugin) {
        return Some(bare(FilterCell { passes: false, reached: true }, &status.reasons));
    }
    let names = explanation.node_names.as_ref().filter(|_| &**plugin == NAMED)?;
    let cell = named(names, report);
    let reasons = report.status.as_ref().filter(|_| !cell.passes).map(|status| &*status.reasons);
    Some(bare(cell, reasons.unwrap_or_default()))
}

/// The same with what the plugin compared.
fn worked_out(
    subject: &Subject<'_>,
    report: &NodeReport,
    verdict: &PluginVerdict,
    detail: FilterDetail,
) -> FilterDetail {
    let several = verdict.facts.len() > 1;
    let worked: Vec<_> =
        verdict.facts.iter().filter_map(|fact| subject.worked(fact, several)).collect();
    let mut facts: Vec<AttrValue> =
        verdict.facts.iter().filter_map(|fact| subject.words(fact)).collect();
    facts.extend(verdict.facts.iter().flat_map(|fact| subject.counted(fact)));
    if counts_nominated(report, verdict) {
        let names: Vec<&str> = report.nominated.iter().map(|key| key.name.as_str()).collect();
        facts.push(subject.words.fill(Msg::CountingNominated, &[("pods", &names.join(", "))]));
    }
    let sums = worked.iter().filter(|worked| !worked.equation.holds || worked.sum.len() > 3);
    FilterDetail {
        sums: sums.map(|worked| Rc::clone(&worked.sum)).collect(),
        equations: worked.into_iter().map(|worked| worked.equation).collect(),
        facts: facts.into(),
        ..detail
    }
}

/// How long the part is that all names begin with, cut back to a separator.
fn common_prefix<'a>(mut names: impl Iterator<Item = &'a str>) -> usize {
    let Some(first) = names.next() else { return 0 };
    let mut length = first.len();
    let mut several = false;
    for name in names {
        several = true;
        let same = first.bytes().zip(name.bytes()).take_while(|(a, b)| a == b).count();
        length = length.min(same);
    }
    if !several {
        return 0;
    }
    let kept = first.get(..length).unwrap_or_default();
    kept.rfind(['-', '.', '_']).map_or(0, |at| at + 1)
}

#[cfg(test)]
mod tests {
    //! Short names.
    use super::common_prefix;

    #[test]
    fn names_lose_what_they_share() {
        for (names, length) in [
            (vec!["node-a1", "node-a2", "node-b1"], 5),
            (vec!["node1", "node2"], 0),
            (vec!["only-one"], 0),
            (vec!["ip-10-0-1-5.ec2", "ip-10-0-1-9.ec2"], 10),
            (vec![], 0),
        ] {
            assert_eq!(common_prefix(names.iter().copied()), length, "{names:?}");
        }
    }
}
