//! Preemption in the report: the choice among candidates, and each dry run.

use berth_core::explain::PreemptionExplanation;
use berth_core::explain::post_filter::PreemptionNode;
use berth_core::preemption::Criterion;
use berth_wire::explain::text::{self, Line};

use crate::lines::{MOST_NODES, fold, fold_indented, more};
use crate::table::Table;

/// What came out of it, and the table of criteria.
pub(crate) fn lines(found: &PreemptionExplanation, width: usize) -> Vec<String> {
    let mut lines = fold(&text::preemption(found), 2, width);
    if found.candidates.is_empty() {
        return lines;
    }
    let rows = found.candidates().zip(&found.choice.criteria).take(MOST_NODES);
    let table = Table {
        corner: "node".to_owned(),
        columns: Criterion::ALL.map(|criterion| text::criterion_name(criterion).to_owned()).into(),
        rows: rows
            .map(|(node, criteria)| (node.name.to_string(), text::criteria(criteria).into()))
            .collect(),
    };
    lines.extend(table.lines(width));
    lines.extend(more(found.candidates.len()));
    lines
}

/// The dry run of a node.
pub(crate) fn steps(
    found: &PreemptionExplanation,
    node: &PreemptionNode,
    width: usize,
) -> Vec<String> {
    let mut lines = Vec::new();
    for Line { about, sum, holds } in text::dry_run(found, node) {
        let mark = match holds {
            Some(true) => "✓ ",
            Some(false) => "✗ ",
            None => "",
        };
        lines.extend(fold_indented(&format!("  {mark}{about}: {sum}"), width));
    }
    lines
}
