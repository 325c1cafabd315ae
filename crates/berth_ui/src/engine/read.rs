//! Text in; objects and problems out.

use crate::app::Source;
use crate::locale::{Locale, Msg};
use crate::view::{Problem, ReportView, Severity};
use berth_core::api::Object;
use berth_core::controllers::{Line, Refusal};
use berth_wire::intake::take_in;
use berth_wire::manifest::{self, Entrance, Reader, Report};
use yew::AttrValue;

/// Starts reading all sources as one input.
pub fn reader(sources: &[Source], entrance: Entrance) -> Reader<'_> {
    let inputs: Vec<manifest::Source<'_>> = sources
        .iter()
        .map(|source| manifest::Source { name: &source.name, text: &source.text })
        .collect();
    Reader::new(&inputs, entrance)
}

/// What was read, for people.
pub(super) fn view(report: &Report) -> ReportView {
    let mut problems: Vec<Problem> = Vec::new();
    // Errors first.
    for severity in
        [manifest::Severity::Error, manifest::Severity::Warning, manifest::Severity::Note]
    {
        let found = report.problems.iter().filter(|problem| problem.finding.severity == severity);
        problems.extend(found.map(problem));
    }
    ReportView { problems, left_out: report.problems_left_out, notes: Vec::new() }
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

/// A problem that has no place in the text.
pub(super) fn general(severity: Severity, object: String, message: String) -> Problem {
    Problem {
        severity,
        source: AttrValue::default(),
        object: object.into(),
        path: AttrValue::default(),
        line: 0,
        column: 0,
        message: message.into(),
        suggestion: None,
    }
}

/// The objects of a cluster that runs what was read: workloads have their pods, pods have their
/// priority. What is worth saying about that goes into the report.
pub(super) fn settle(report: &Report, view: &mut ReportView, words: &Locale) -> Vec<Object> {
    let intake = take_in(report, 0);
    view.notes.extend(intake.lines.iter().filter_map(|line| note(line, words)));
    let refused = intake.refused.into_iter();
    view.problems.extend(refused.map(|error| general(Severity::Warning, String::new(), error)));
    intake.objects
}

/// What became of a workload, where anything did.
fn note(line: &Line, words: &Locale) -> Option<AttrValue> {
    let name = [line.kind.as_str(), " ", &line.key.to_string()].concat();
    let (adopted, created) = (line.adopted.to_string(), line.created.to_string());
    let blanks = [("workload", name.as_str()), ("adopted", &adopted), ("created", &created)];
    let text = match &line.refused {
        None if line.created == 0 => return None,
        None => words.fill(Msg::WorkloadMade, &blanks),
        Some(Refusal::Selector(error)) => {
            words.fill(Msg::WorkloadSelector, &[("workload", &name), ("error", error)])
        }
        Some(Refusal::Template) => words.fill(Msg::WorkloadTemplate, &blanks),
        Some(Refusal::TooMany) => words.fill(Msg::WorkloadTooMany, &blanks),
    };
    Some(text)
}
