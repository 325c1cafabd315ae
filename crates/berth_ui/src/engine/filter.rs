//! The Filter matrix.

use super::facts::Subject;
use crate::locale::Msg;
use crate::view::{Column, FilterCell, FilterRow, FilterTable};
use berth_core::api::Node;
use berth_core::explain::{NodeReport, PluginVerdict};
use berth_core::framework::status::{Code, Status};
use std::rc::Rc;
use yew::AttrValue;

/// The most columns; more would be thousands of buttons that nobody reads.
const COLUMNS: usize = 60;

/// The matrix. `columns` are the nodes in the order of the board, with whether a group begins.
pub(super) fn table<'a>(
    subject: &Subject<'_>,
    columns: &[(&'a NodeReport, bool)],
    node: impl Fn(&str) -> Option<&'a Node>,
) -> FilterTable {
    let explanation = subject.explanation;
    let hidden = columns.len().saturating_sub(COLUMNS) as u32;
    let columns = columns.get(..COLUMNS).unwrap_or(columns);
    let prefix = common_prefix(columns.iter().map(|(report, _)| &*report.name));
    let heads = columns.iter().map(|(report, gap)| Column {
        node: report.name.to_string().into(),
        short: report.name.get(prefix..).unwrap_or(&report.name).to_owned().into(),
        gap: *gap,
        rank: report.scores.as_ref().map(|scores| scores.rank),
    });
    let mut rows: Vec<FilterRow> = Vec::new();
    let refusals = explanation.pre_filter.iter().filter(|status| status.code.is_rejected());
    rows.extend(refusals.map(|status| before(status, columns)));
    if let Some(names) = &explanation.node_names {
        rows.push(named(names, columns));
    }
    for (index, plugin) in explanation.filters.iter().enumerate() {
        let cells = columns.iter().map(|(report, _)| {
            let subject = Subject { node: node(&report.name), ..*subject };
            report
                .verdicts
                .get(index)
                .map_or_else(passing, |verdict| cell(&subject, report, index, verdict))
        });
        rows.push(FilterRow { plugin: plugin.name().into(), cells: cells.collect() });
    }
    let skipped = explanation.pre_filter.iter().filter(|status| status.code == Code::Skip);
    FilterTable {
        columns: heads.collect(),
        rows: rows.into(),
        hidden,
        skipped: skipped
            .filter_map(|status| status.plugin)
            .map(|plugin| plugin.name().into())
            .collect(),
    }
}

fn passing() -> FilterCell {
    FilterCell {
        passes: true,
        reached: false,
        reason: AttrValue::default(),
        equations: Rc::new([]),
        sums: Rc::new([]),
        facts: Rc::new([]),
    }
}

/// A plugin that refused every node before any was looked at.
fn before(status: &Status, columns: &[(&NodeReport, bool)]) -> FilterRow {
    let reason: AttrValue = status.reasons.join(", ").into();
    let cell = FilterCell { passes: false, reached: true, reason, ..passing() };
    let plugin = status.plugin.map_or("", |plugin| plugin.name());
    FilterRow { plugin: [plugin, " (PreFilter)"].concat().into(), cells: vec![cell; columns.len()] }
}

/// The nodes that a PreFilter plugin named, and the others.
fn named(names: &[String], columns: &[(&NodeReport, bool)]) -> FilterRow {
    let cells = columns.iter().map(|(report, _)| {
        let passes = names.iter().any(|name| **name == *report.name);
        let reasons =
            report.status.as_ref().filter(|_| !passes).map(|status| status.reasons.join(", "));
        FilterCell {
            passes,
            reached: true,
            reason: reasons.unwrap_or_default().into(),
            ..passing()
        }
    });
    FilterRow { plugin: "NodeAffinity (PreFilter)".into(), cells: cells.collect() }
}

fn cell(
    subject: &Subject<'_>,
    report: &NodeReport,
    index: usize,
    verdict: &PluginVerdict,
) -> FilterCell {
    let reached = match &report.status {
        // The scheduler stops at a node's first refusal.
        Some(status) => report
            .verdicts
            .iter()
            .position(|verdict| Some(verdict.plugin) == status.plugin)
            .is_some_and(|refused| index <= refused),
        None => report.scores.is_some(),
    };
    let several = verdict.facts.len() > 1;
    let worked: Vec<_> =
        verdict.facts.iter().filter_map(|fact| subject.worked(fact, several)).collect();
    let mut facts: Vec<AttrValue> =
        verdict.facts.iter().filter_map(|fact| subject.words(fact)).collect();
    facts.extend(verdict.facts.iter().flat_map(|fact| subject.counted(fact)));
    let nominated = report.status.as_ref().is_some_and(|status| {
        status.plugin == Some(verdict.plugin) && !report.status_facts.is_empty()
    });
    if nominated {
        let names: Vec<&str> = report.nominated.iter().map(|key| key.name.as_str()).collect();
        facts.push(subject.words.fill(Msg::CountingNominated, &[("pods", &names.join(", "))]));
    }
    let sums = worked.iter().filter(|worked| !worked.equation.holds || worked.sum.len() > 3);
    FilterCell {
        passes: verdict.code.is_success() && !nominated,
        reached,
        reason: verdict.reasons.join(", ").into(),
        sums: sums.map(|worked| Rc::clone(&worked.sum)).collect(),
        equations: worked.into_iter().map(|worked| worked.equation).collect(),
        facts: facts.into(),
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
