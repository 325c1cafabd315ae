//! Text in; objects and problems out.

use super::heading::heading;
use crate::app::{Heading, Source};
use crate::locale::{Locale, Msg};
use crate::view::{Problem, ReportView, Severity};
use berth_core::api::Object;
use berth_core::controllers::{Line, Refusal};
use berth_wire::intake::{Intake, SEED, take_in};
use berth_wire::manifest::{self, Entrance, Reader, Report};
use yew::AttrValue;

/// What reading came to.
#[derive(Debug)]
pub(super) struct Settled {
    /// What the input says of itself.
    pub(super) heading: Heading,
    /// The problems, and what was expanded or adopted.
    pub(super) view: ReportView,
    /// The objects of a cluster that runs the input: workloads have their pods, pods have their priority. None when
    /// the input has an error.
    pub(super) objects: Option<Vec<Object>>,
}

/// Starts reading all sources as one input.
pub(super) fn reader(sources: &[Source], entrance: Entrance) -> Reader<'_> {
    let mut inputs: Vec<manifest::Source<'_>> = Vec::new();
    for source in sources {
        inputs.push(manifest::Source { name: &source.name, text: &source.text });
    }
    Reader::new(&inputs, entrance)
}

/// The objects of a cluster that runs what was read, and what is worth saying about that.
pub(super) fn settle(sources: &[Source], report: &Report, words: &Locale) -> Settled {
    let intake = Some(report).filter(|report| !report.has_errors());
    settled(sources, report, intake.map(|report| take_in(report, SEED)), words)
}

/// The same, once the objects are known; none if what was read has errors.
pub(super) fn settled(
    sources: &[Source],
    report: &Report,
    intake: Option<Intake>,
    words: &Locale,
) -> Settled {
    let mut view = view(report);
    let objects = intake.map(|intake| {
        view.notes.extend(intake.lines.iter().filter_map(|line| note(line, words)));
        for refused in intake.refused {
            view.problems.push(Problem::general(Severity::Warning, refused.words));
        }
        intake.objects
    });
    Settled { heading: heading(sources), view, objects }
}

/// What was read, for people.
fn view(report: &Report) -> ReportView {
    let mut problems: Vec<Problem> = Vec::new();
    // Errors first.
    for severity in
        [manifest::Severity::Error, manifest::Severity::Warning, manifest::Severity::Note]
    {
        let found = report.problems.iter().filter(|problem| problem.finding.severity == severity);
        problems.extend(found.map(Problem::from));
    }
    ReportView { problems, left_out: report.problems_left_out, notes: Vec::new() }
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
