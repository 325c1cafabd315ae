//! Text in, problems out.

use crate::app::Source;
use crate::view::{Problem, ReportView, Severity};
use berth_wire::manifest::{self, Report};
use yew::AttrValue;

/// Reads all sources as one input.
pub(super) fn read(sources: &[Source]) -> (Report, ReportView) {
    let inputs: Vec<manifest::Source<'_>> = sources
        .iter()
        .map(|source| manifest::Source { name: &source.name, text: &source.text })
        .collect();
    let report = manifest::read(&inputs);
    let mut problems: Vec<Problem> = report.problems.iter().map(problem).collect();
    problems.sort_by_key(|problem| problem.severity);
    let view = ReportView {
        objects: report.items.len() as u32,
        problems,
        left_out: report.problems_left_out,
        notes: Vec::new(),
    };
    (report, view)
}

fn problem(problem: &manifest::Problem) -> Problem {
    let finding = &problem.finding;
    let text = |text: &str| AttrValue::from(text.to_owned());
    Problem {
        severity: match finding.severity {
            manifest::Severity::Error => Severity::Error,
            manifest::Severity::Warning => Severity::Warning,
            manifest::Severity::Note => Severity::Note,
        },
        source: text(&problem.source),
        object: text(&problem.object),
        path: text(&finding.path),
        line: problem.position.line,
        column: problem.position.column,
        message: text(&finding.message),
        suggestion: finding.suggestion.as_deref().map(text),
    }
}

/// An error about the text as a whole.
pub(super) fn error(message: String) -> Problem {
    Problem {
        severity: Severity::Error,
        source: AttrValue::default(),
        object: AttrValue::default(),
        path: AttrValue::default(),
        line: 0,
        column: 0,
        message: message.into(),
        suggestion: None,
    }
}
