//! `berth explain`: why a pod goes where it goes, with every sum.

mod counts;
mod preemption;
mod report;
mod table;

use std::process::ExitCode;
use std::sync::Arc;

use berth_core::api::{Object, ObjectKey, Pod};
use berth_core::explain::Explanation;
use berth_core::framework::config::Configuration;
use berth_core::framework::sampling;
use berth_core::playground::Playground;
use berth_wire::explain::to_json;
use berth_wire::intake::{describe, take_in};
use berth_wire::manifest::{Report, Source, marks, read};

use crate::{Outcome, print};

pub(crate) const USAGE: &str = "\
berth explain FILE... --pod [NAMESPACE/]NAME [--config FILE] [--json]

  FILE            manifests: YAML or JSON, lists, streams; - is standard input
  --pod           the pod; without a namespace it is in \"default\"
  --config FILE   a KubeSchedulerConfiguration; one among the manifests does as well
  --json          for programs: docs/explanations.md describes the form

Ends with 0 if the pod fits a node, with 1 if it fits none, with 2 if the input is not good.
";

/// The seed of the names that workloads give their pods.
const SEED: u64 = 1;
/// How many pods are named when the one asked for is not there.
const NAMED: usize = 10;

/// What was asked.
#[derive(Debug, Default)]
struct Args {
    files: Vec<String>,
    pod: Option<ObjectKey>,
    config: Option<String>,
    json: bool,
}

/// Explains what the arguments ask for.
pub(crate) fn run(args: &[String]) -> Outcome {
    if args.iter().any(|arg| arg == "--help" || arg == "-h") {
        return print(&["usage:\n  ", USAGE].concat());
    }
    let args = parse(args).map_err(|error| format!("{error}\n\nusage:\n  {USAGE}"))?;
    let Some(key) = &args.pod else { return Err(format!("which pod?\n\nusage:\n  {USAGE}")) };
    let report = read_all(&args)?;
    let mut notes = Vec::new();
    let mut question = ask(&report, key, &mut notes)?;
    let explanation = question.playground.explain(key).map_err(|error| error.to_string())?;
    let profile =
        question.playground.profile_of(&question.pod).map_err(|error| error.to_string())?;
    let text = if args.json {
        let json = to_json(&explanation, question.playground.cluster(), profile);
        format!("{json:#}\n")
    } else {
        notes.extend(sampling_note(
            &explanation,
            question.playground.configuration(),
            profile.percentage_of_nodes_to_score,
        ));
        report::report(&explanation, profile, &notes, width())
    };
    print(&text)?;
    let code = match (&explanation.error, explanation.feasible.is_empty()) {
        (Some(_), _) => 2,
        (None, true) => 1,
        (None, false) => 0,
    };
    Ok(ExitCode::from(code))
}

fn parse(args: &[String]) -> Result<Args, String> {
    let mut parsed = Args::default();
    let mut rest = args.iter();
    while let Some(arg) = rest.next() {
        let (name, given) = match arg.split_once('=') {
            Some((name, value)) if name.starts_with("--") => (name, Some(value.to_owned())),
            _ => (arg.as_str(), None),
        };
        let mut value = || {
            let next = given.clone().or_else(|| rest.next().cloned());
            next.ok_or_else(|| format!("{name} needs a value"))
        };
        match name {
            "--pod" => parsed.pod = Some(pod_key(&value()?)),
            "--config" => parsed.config = Some(value()?),
            "--json" if given.is_none() => parsed.json = true,
            other if other.starts_with('-') && other != "-" => {
                return Err(format!("unknown option {arg:?}"));
            }
            _ => parsed.files.push(arg.clone()),
        }
    }
    if parsed.files.is_empty() {
        return Err("no file is given".to_owned());
    }
    Ok(parsed)
}

fn pod_key(text: &str) -> ObjectKey {
    let key = ObjectKey::parse(text);
    if key.namespace.is_empty() { ObjectKey::new("default", key.name) } else { key }
}

/// Reads every file. Problems go to standard error; an error among them ends the command.
fn read_all(args: &Args) -> Result<Report, String> {
    let names: Vec<&String> = args.files.iter().chain(&args.config).collect();
    let mut texts = Vec::new();
    for name in &names {
        let text = if *name == "-" {
            std::io::read_to_string(std::io::stdin())
        } else {
            std::fs::read_to_string(name)
        };
        texts.push(text.map_err(|error| format!("{name}: {error}"))?);
    }
    let sources: Vec<Source<'_>> =
        names.iter().zip(&texts).map(|(name, text)| Source { name, text }).collect();
    let report = read(&sources);
    for problem in &report.problems {
        eprintln!("{}", report::printable(&problem.to_string()));
    }
    if report.problems_left_out > 0 {
        eprintln!("… and {} more", report.problems_left_out);
    }
    if report.has_errors() {
        return Err("the input is not good: nothing is explained".to_owned());
    }
    Ok(report)
}

struct Question {
    playground: Playground,
    /// The pod as it waits.
    pod: Arc<Pod>,
}

/// Sets the cluster up. A pod that stands on a node is taken off: where could it go now?
fn ask(report: &Report, key: &ObjectKey, notes: &mut Vec<String>) -> Result<Question, String> {
    let intake = take_in(report, SEED);
    notes.extend(intake.lines.iter().map(describe));
    notes.extend(intake.refused.iter().map(|refusal| format!("the API server says: {refusal}")));
    let mut objects = intake.objects;
    let pods = objects.iter_mut().filter_map(|object| match object {
        Object::Pod(pod) => Some(pod),
        _ => None,
    });
    let mut known: Vec<String> = Vec::new();
    let mut found = None;
    for pod in pods {
        if pod.metadata.key() == *key {
            found = Some(waiting(pod, notes));
        } else if pod.spec.node_name.is_empty() {
            known.push(pod.metadata.key().to_string());
        }
    }
    let pod = found.ok_or_else(|| missing(key, &known))?;
    for mark in marks(&pod.spec) {
        let plugins = mark.plugins().join(", ");
        notes.push(format!("not simulated: {}, which concerns {plugins}", mark.as_str()));
    }
    let configuration = report.configuration.clone().unwrap_or_default();
    let playground = Playground::new(objects, configuration).map_err(|error| error.to_string())?;
    Ok(Question { playground, pod })
}

fn waiting(pod: &mut Arc<Pod>, notes: &mut Vec<String>) -> Arc<Pod> {
    let node = pod.spec.node_name.clone();
    if !node.is_empty() {
        notes.push(format!("it stands on {node}; this is where it could go now"));
        Arc::make_mut(pod).spec.node_name.clear();
    }
    Arc::clone(pod)
}

fn missing(key: &ObjectKey, known: &[String]) -> String {
    if known.is_empty() {
        return format!("there is no pod {key}");
    }
    let shown = known.iter().take(NAMED).map(String::as_str).collect::<Vec<_>>().join(", ");
    let more = if known.len() > NAMED { ", …" } else { "" };
    format!("there is no pod {key}; waiting are {shown}{more}")
}

/// For large clusters: what the real scheduler would not look at.
fn sampling_note(
    explanation: &Explanation,
    configuration: &Configuration,
    own: Option<i32>,
) -> Option<String> {
    let nodes = u32::try_from(explanation.nodes.len()).unwrap_or(u32::MAX);
    let found = sampling::nodes_to_find(own, configuration.percentage_of_nodes_to_score, nodes);
    (found < nodes).then(|| {
        format!(
            "every one of the {nodes} nodes is shown; the real scheduler samples: it stops once {found} feasible nodes \
             are found (percentageOfNodesToScore), starting each time where it stopped"
        )
    })
}

/// Columns of the terminal, or as many as `COLUMNS` says.
fn width() -> usize {
    let set = std::env::var("COLUMNS").ok().and_then(|columns| columns.parse().ok());
    let terminal = || {
        let size = terminal_size::terminal_size_of(std::io::stdout());
        size.map(|(width, _)| usize::from(width.0))
    };
    set.or_else(terminal).unwrap_or(100).max(40)
}
