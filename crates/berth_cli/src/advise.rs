//! `berth advise`: what would change where a pod goes, and what does not do what it seems to.

use berth_core::advice::{Ending, Field, Goal, Limits, More, Search, Stop, Strip, Verdict, lint};
use berth_wire::advice::{Advice, path, text, to_json};

use crate::Outcome;
use crate::lines::{finish, fold, fold_indented, width};
use crate::question::{Answer, Asking, Question};
use crate::table::wrap;

/// So many copies are placed at most.
const MOST_COPIES: u32 = 1000;
/// So many proposals are printed.
const MOST_PROPOSALS: usize = 20;
/// So many nodes are listed with their copies.
const MOST_NODES: usize = 20;

const ASKING: Asking = Asking {
    usage: "\
berth advise FILE... --pod [NAMESPACE/]NAME [--config FILE] [--seed N] [--json]

  FILE            manifests with the cluster and the pod: YAML or JSON, lists, streams; - is standard input
  --pod           the pod; without a namespace it is in \"default\"
  --config FILE   a KubeSchedulerConfiguration; one among the manifests does as well
  --seed N        picks among nodes that tie; 0 if it is not given
  --json          for programs: docs/advice.md describes the form

Says what would make the pod fit (or, if it stands on a node, what would move it), what each value of its constraints
and of its priority comes to, how many copies fit, and what does not do what it seems to. Ends with 0 if the pod fits,
with 1 if an edit helps, with 3 if none was found, with 2 if the input is not good.
",
    seeded: true,
    of_a_pod: true,
    timed: false,
    of_lessons: false,
};

/// Advises about the pod that the arguments name.
pub(crate) fn run(args: &[String]) -> Outcome {
    ASKING.run(args, answer)
}

fn answer(question: &mut Question) -> Answer {
    let advice = advise(question).map_err(|error| error.to_string())?;
    let text = if question.json {
        format!("{:#}\n", to_json(&advice))
    } else {
        report(&advice, question, width())
    };
    let code = match (advice.search.base(), advice.search.found()) {
        (Verdict::Fits { .. }, _) => 0,
        (_, []) => 3,
        _ => 1,
    };
    Ok((text, code))
}

fn advise(question: &mut Question) -> Result<Advice, berth_core::playground::CommandError> {
    let key = question.pod.metadata.key();
    let playground = &mut question.playground;
    let goal = match &question.stood_on {
        Some(node) => Goal::Leave(node.clone()),
        None => Goal::Better,
    };
    let moves = question.stood_on.is_some();
    let search = Search::with_goal(playground, &key, goal, Limits::default())?.run();
    let constraints = 0..question.pod.spec.topology_spread_constraints.len() as u32;
    let fields = constraints.flat_map(|at| [Field::MaxSkew(at), Field::MinDomains(at)]);
    let mut strips = Vec::new();
    for field in fields.chain([Field::Priority]) {
        let strip = Strip::new(playground, &key, field)?.run();
        if !strip.cells().is_empty() {
            strips.push(strip);
        }
    }
    let more = More::new(playground, &key, MOST_COPIES)?.run();
    let findings = lint(playground, &key)?;
    Ok(Advice { pod: key.to_string(), search, moves, strips, more, findings })
}

fn report(advice: &Advice, question: &Question, width: usize) -> String {
    let now = text::verdict(advice.search.base());
    let mut lines = fold(&format!("{} {now}.", advice.pod), 2, width);
    for note in &question.notes {
        lines.extend(fold(&format!("Note: {note}"), 2, width));
    }
    lines.extend(proposals(advice, width));
    for strip in &advice.strips {
        lines.extend([String::new(), format!("EVERY VALUE OF {}", path(strip.field()))]);
        lines.extend(cells(strip).iter().flat_map(|line| fold_indented(line, width)));
    }
    lines.extend([String::new(), "HOW MANY MORE FIT".to_owned()]);
    lines.extend(copies(&advice.more, width));
    lines.extend([String::new(), "FINDINGS".to_owned()]);
    if advice.findings.is_empty() {
        lines.push("none".to_owned());
    }
    for finding in &advice.findings {
        let (severity, kind) = (finding.severity().as_str(), finding.kind.as_str());
        let at = format!("{severity}: {kind} {} {}", finding.object, finding.path);
        lines.extend(fold(&at, 2, width));
        let says = format!("  {} ({})", text::problem(&finding.problem), finding.problem.code());
        lines.extend(fold_indented(&says, width));
    }
    finish(&lines)
}

fn proposals(advice: &Advice, width: usize) -> Vec<String> {
    let title = if advice.moves { "WHAT WOULD MOVE IT" } else { "WHAT WOULD MAKE IT FIT" };
    let mut lines = vec![String::new(), title.to_owned()];
    let progress = advice.search.progress();
    let found = advice.search.found();
    if progress.ending == Some(Ending::NotNeeded) {
        let words =
            if advice.moves { "it would go elsewhere as things are" } else { "nothing: it fits" };
        lines.push(words.to_owned());
        return lines;
    }
    for (number, proposal) in found.iter().take(MOST_PROPOSALS).enumerate() {
        let edits: Vec<String> = proposal.edits.iter().map(text::edit).collect();
        let line = format!(
            "{}. {}: {}",
            number + 1,
            edits.join(", and "),
            text::verdict(&proposal.verdict)
        );
        lines.extend(fold(&line, 3, width));
    }
    if found.len() > MOST_PROPOSALS {
        lines.push(format!("… and {} more: --json has all", found.len() - MOST_PROPOSALS));
    }
    if found.is_empty() {
        lines.push("no edit was found that helps".to_owned());
    }
    let whole = match progress.ending {
        Some(Ending::Limit) => "; there may be more",
        _ => "",
    };
    lines.push(format!("({} sets of up to {} edits tried{whole})", progress.tried, progress.size));
    lines
}

fn cells(strip: &Strip) -> Vec<String> {
    let value = |value: Option<i32>| value.map_or("not set".to_owned(), |value| value.to_string());
    let line = |cell: &berth_core::advice::Cell| {
        let (from, to) = (value(cell.from), value(cell.to));
        let range = if from == to { from } else { format!("{from} to {to}") };
        let mark = if cell.is_current { "*" } else { " " };
        format!("{mark} {range}: {}", text::verdict(&cell.verdict))
    };
    strip.cells().iter().map(line).collect()
}

fn copies(more: &More, width: usize) -> Vec<String> {
    let least = if matches!(more.stop(), Some(Stop::Refused(_))) { "" } else { "at least " };
    let mut lines = vec![format!("{least}{}", more.count())];
    let nodes = more.by_node().iter().take(MOST_NODES);
    lines.extend(wrap(nodes.map(|(name, count)| format!("{name} {count}")), width));
    if more.by_node().len() > MOST_NODES {
        lines.push(format!("… and {} more nodes", more.by_node().len() - MOST_NODES));
    }
    if let Some(Stop::Refused(why)) = more.stop()
        && let Some(message) = &why.message
    {
        lines.extend(fold(&format!("The next: {message}"), 2, width));
    }
    lines
}
