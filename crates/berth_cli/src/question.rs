//! Questions about a cluster: the arguments and manifests of `berth advise`, `berth explain`, `berth preempt` and
//! `berth schedule`, and the pod that all but the last ask about.

use std::process::ExitCode;
use std::sync::Arc;

use berth_core::api::{Object, ObjectKey, Pod};
use berth_core::explain::Explanation;
use berth_core::framework::config::Configuration;
use berth_core::playground::{Command, Playground};
use berth_wire::intake::{RefusedPod, describe, take_in};
use berth_wire::manifest::{Report, Source, marks, read};

use crate::lines::printable;
use crate::{Outcome, print};

/// The seed of the names that workloads give their pods.
const NAMES: u64 = 1;
/// How many pods are named when the one asked for is not there.
const NAMED: usize = 10;

/// A command that asks about a cluster.
pub(crate) struct Asking {
    /// How it is used.
    pub(crate) usage: &'static str,
    /// Whether it takes `--seed`.
    pub(crate) seeded: bool,
    /// Whether it takes `--pod`.
    pub(crate) of_a_pod: bool,
    /// Whether it takes `--until` and `--steps`.
    pub(crate) timed: bool,
    /// Whether it takes `--questions`.
    pub(crate) of_lessons: bool,
}

/// What was asked.
#[derive(Debug, Default)]
pub(crate) struct Args {
    files: Vec<String>,
    pod: Option<ObjectKey>,
    config: Option<String>,
    /// Whether a program asks.
    pub(crate) json: bool,
    /// Whether the reference's questions are asked for.
    pub(crate) questions: bool,
    pub(crate) seed: u64,
    /// How far to simulate.
    pub(crate) until: Option<String>,
    /// The file with what is done meanwhile.
    pub(crate) steps: Option<String>,
}

/// A cluster, and the pod that is asked about.
pub(crate) struct Question {
    pub(crate) playground: Playground,
    key: ObjectKey,
    /// The pod as it waits.
    pub(crate) pod: Arc<Pod>,
    /// The node that it was taken off.
    pub(crate) stood_on: Option<String>,
    /// The API server's words, if it would refuse the pod. It is asked about all the same.
    pub(crate) refused: Option<String>,
    /// What people should know of how the question came about.
    pub(crate) notes: Vec<String>,
    /// Whether a program asks.
    pub(crate) json: bool,
}

/// What is printed, and the exit code.
pub(crate) type Answer = Result<(String, u8), String>;

impl Asking {
    /// Reads the question that the arguments ask, and prints the answer.
    pub(crate) fn run(
        &self,
        args: &[String],
        answer: impl FnOnce(&mut Question) -> Answer,
    ) -> Outcome {
        self.answer(args, |mut args| {
            let key = args.pod.take().ok_or_else(|| self.unclear("which pod?"))?;
            answer(&mut Question::new(&args, key)?)
        })
    }

    /// Reads the arguments, and prints the answer.
    pub(crate) fn answer(&self, args: &[String], answer: impl FnOnce(Args) -> Answer) -> Outcome {
        if args.iter().any(|arg| arg == "--help" || arg == "-h") {
            return print(&["usage:\n  ", self.usage].concat());
        }
        let (text, code) = answer(self.parse(args).map_err(|error| self.unclear(&error))?)?;
        print(&text)?;
        Ok(ExitCode::from(code))
    }

    fn unclear(&self, error: &str) -> String {
        format!("{error}\n\nusage:\n  {}", self.usage)
    }

    fn parse(&self, args: &[String]) -> Result<Args, String> {
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
                "--pod" if self.of_a_pod => parsed.pod = Some(pod_key(&value()?)),
                "--config" => parsed.config = Some(value()?),
                "--seed" if self.seeded => parsed.seed = seed(&value()?)?,
                "--until" if self.timed => parsed.until = Some(value()?),
                "--steps" if self.timed => parsed.steps = Some(value()?),
                "--questions" if self.of_lessons && given.is_none() => parsed.questions = true,
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
}

fn pod_key(text: &str) -> ObjectKey {
    let key = ObjectKey::parse(text);
    if key.namespace.is_empty() { ObjectKey::new("default", key.name) } else { key }
}

fn seed(text: &str) -> Result<u64, String> {
    text.parse().map_err(|_| format!("--seed needs a whole number, not {text:?}"))
}

/// The text of a file; `-` is standard input.
pub(crate) fn text_of(name: &str) -> Result<String, String> {
    let text = if name == "-" {
        std::io::read_to_string(std::io::stdin())
    } else {
        std::fs::read_to_string(name)
    };
    text.map_err(|error| format!("{name}: {error}"))
}

/// Reads every file. Problems go to standard error; an error among them ends the command.
fn read_all(args: &Args) -> Result<Report, String> {
    let names: Vec<&String> = args.files.iter().chain(&args.config).collect();
    let mut texts = Vec::new();
    for name in &names {
        texts.push(text_of(name)?);
    }
    let sources: Vec<Source<'_>> =
        names.iter().zip(&texts).map(|(name, text)| Source { name, text }).collect();
    let report = read(&sources);
    for problem in &report.problems {
        eprintln!("{}", printable(&problem.to_string()));
    }
    if report.problems_left_out > 0 {
        eprintln!("… and {} more", report.problems_left_out);
    }
    if report.has_errors() {
        return Err("the input is not good: nothing is answered".to_owned());
    }
    Ok(report)
}

/// What the files have.
struct Given {
    objects: Vec<Object>,
    configuration: Configuration,
    refused: Vec<RefusedPod>,
    notes: Vec<String>,
}

impl Given {
    fn new(args: &Args) -> Result<Self, String> {
        let report = read_all(args)?;
        let intake = take_in(&report, NAMES);
        let mut notes: Vec<String> = intake.lines.iter().map(describe).collect();
        let words = |refused: &RefusedPod| format!("the API server says: {}", refused.words);
        notes.extend(intake.refused.iter().map(words));
        let configuration = report.configuration.unwrap_or_default();
        Ok(Self { objects: intake.objects, configuration, refused: intake.refused, notes })
    }
}

fn playground(
    objects: Vec<Object>,
    configuration: Configuration,
    seed: u64,
) -> Result<Playground, String> {
    let mut playground =
        Playground::new(objects, configuration).map_err(|error| error.to_string())?;
    playground.apply(Command::Reseed(seed)).map_err(|error| error.to_string())?;
    Ok(playground)
}

impl Args {
    /// The names of the files.
    pub(crate) fn files(&self) -> &[String] {
        &self.files
    }

    /// What the files have, as it was given.
    pub(crate) fn read(&self) -> Result<Report, String> {
        read_all(self)
    }

    /// The cluster that the files have, and what people should know of how it came about.
    pub(crate) fn cluster(&self) -> Result<(Playground, Vec<String>), String> {
        let Given { objects, configuration, mut notes, .. } = Given::new(self)?;
        for object in &objects {
            let Object::Pod(pod) = object else { continue };
            if pod.spec.node_name.is_empty() {
                for mark in marks(&pod.spec) {
                    notes.push(format!(
                        "not simulated: {} of {}, which concerns {}",
                        mark.as_str(),
                        pod.metadata.key(),
                        mark.plugins().join(", ")
                    ));
                }
            }
        }
        Ok((playground(objects, configuration, self.seed)?, notes))
    }
}

impl Question {
    /// Sets the cluster up. A pod that stands on a node is taken off: where could it go now?
    fn new(args: &Args, key: ObjectKey) -> Result<Self, String> {
        let Given { mut objects, configuration, refused, mut notes } = Given::new(args)?;
        let pods = objects.iter_mut().filter_map(|object| match object {
            Object::Pod(pod) => Some(pod),
            _ => None,
        });
        let mut known: Vec<String> = Vec::new();
        let mut found = None;
        let mut stood_on = None;
        for pod in pods {
            if pod.metadata.key() == key {
                let node = &pod.spec.node_name;
                stood_on = (!node.is_empty()).then(|| node.clone());
                found = Some(waiting(pod, &mut notes));
            } else if pod.spec.node_name.is_empty() {
                known.push(pod.metadata.key().to_string());
            }
        }
        let pod = found.ok_or_else(|| missing(&key, &known))?;
        for mark in marks(&pod.spec) {
            let plugins = mark.plugins().join(", ");
            notes.push(format!("not simulated: {}, which concerns {plugins}", mark.as_str()));
        }
        let playground = playground(objects, configuration, args.seed)?;
        let refused = refused.into_iter().find(|refused| refused.pod == key);
        let refused = refused.map(|refused| refused.words);
        Ok(Self { playground, key, pod, stood_on, refused, notes, json: args.json })
    }

    /// The answer, with every sum.
    pub(crate) fn explain(&mut self) -> Result<Explanation, String> {
        self.playground.explain(&self.key).map_err(|error| error.to_string())
    }
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
