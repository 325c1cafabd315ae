//! `berth simulate`: what happens, and when.

use berth_core::queue::Instant;
use berth_core::simulation::{Event, Parameters, Simulation};
use berth_wire::simulate::{Line, lines, objects, to_json};
use berth_wire::steps::{Expectation, Steps, parse_time};

use crate::Outcome;
use crate::lines::{finish, fold, length, width};
use crate::question::{Answer, Args, Asking};

/// How far a simulation goes unless somebody says.
const UNTIL: &str = "10m";
/// A day: nobody waits for more.
const LONGEST: i64 = 86_400_000_000_000;
/// The longest name of an object that others are moved for.
const LONGEST_NAME: usize = 40;

const ASKING: Asking = Asking {
    usage: "\
berth simulate FILE... [--steps FILE] [--until TIME] [--config FILE] [--seed N] [--json]

  FILE            manifests: YAML or JSON, lists, streams; - is standard input
  --steps FILE    what is done to the cluster, and when: docs/simulation.md describes the form
  --until TIME    how far to go, like 90s or 10m, a day at most; 10m if it is not given
  --config FILE   a KubeSchedulerConfiguration; one among the manifests does as well
  --seed N        picks among nodes that tie; 0 if it is not given
  --json          for programs: docs/simulation.md describes the form

Runs the cluster in virtual time and prints what happens, as kubectl get events would. The same input gives the same
events. Ends with 0 if no pod waits in the end, with 1 if one does, with 2 if the input is not good. If the steps say
what is expected, it ends with 0 if all of that is met, and with 1 if not.
",
    seeded: true,
    of_a_pod: false,
    timed: true,
    of_lessons: false,
};

/// Simulates the cluster that the arguments name.
pub(crate) fn run(args: &[String]) -> Outcome {
    ASKING.answer(args, |args| answer(&args))
}

fn answer(args: &Args) -> Answer {
    let until = parse_time(args.until.as_deref().unwrap_or(UNTIL))?;
    if !(1..=LONGEST).contains(&until) {
        return Err("--until needs a time of a day at most".to_owned());
    }
    let steps = match &args.steps {
        Some(name) => Steps::parse(name, &crate::question::text_of(name)?)?,
        None => Steps::default(),
    };
    let mut report = args.read()?;
    let configuration = report.configuration.take().unwrap_or_default();
    let parameters =
        Parameters { seed: args.seed, kubelet: steps.kubelet, ..Parameters::default() };
    let mut simulation = Simulation::new(objects(&report), &configuration, parameters)
        .map_err(|error| error.to_string())?;
    for (at, command) in steps.commands {
        simulation.plan(at, command);
    }
    let until = Instant(until);
    let mut outcomes = Vec::new();
    for expectation in steps.expectations {
        if expectation.at > until {
            return Err(format!("{} is expected of a time after --until", expectation.name));
        }
        simulation.run_until(expectation.at);
        let outcome = expectation.check(&simulation);
        outcomes.push((expectation, outcome));
    }
    simulation.run_until(until);
    let events = simulation.take_events();
    let text = if args.json {
        let mut form = to_json(&simulation, &events);
        if !outcomes.is_empty() {
            form["expectations"] = outcomes.iter().map(|(e, outcome)| e.to_json(outcome)).collect();
        }
        format!("{form:#}\n")
    } else {
        printed(&events, width()) + &failures(&outcomes)
    };
    let is_bad = if outcomes.is_empty() {
        !simulation.scheduler().queue().is_empty()
    } else {
        outcomes.iter().any(|(_, outcome)| outcome.is_err())
    };
    Ok((text, u8::from(is_bad)))
}

/// What was expected and did not come, a line each, and how many expectations held.
fn failures(outcomes: &[(Expectation, Result<(), String>)]) -> String {
    if outcomes.is_empty() {
        return String::new();
    }
    let wrong = outcomes.iter().filter_map(|(expectation, outcome)| {
        let error = outcome.as_ref().err()?;
        let Expectation { at, name, .. } = expectation;
        Some(format!("Not as expected at {}: {name}: {error}", time(*at)))
    });
    let mut out: Vec<String> = wrong.collect();
    let met = outcomes.len() - out.len();
    out.push(format!("{met} of {} expectations met", outcomes.len()));
    format!("\n{}", finish(&out))
}

/// A time, to the millisecond.
pub(crate) fn time(at: Instant) -> String {
    format!("{}.{:03}s", at.0 / 1_000_000_000, at.0 / 1_000_000 % 1000)
}

fn printed(events: &[Event], width: usize) -> String {
    let lines = lines(events);
    let widest = lines.iter().map(|line| length(&line.object)).max().unwrap_or(0);
    let widest = widest.min(LONGEST_NAME);
    let mut out = vec![format!(
        "{:>10}  {:<7}  {:<20}  {:<widest$}  MESSAGE",
        "TIME", "TYPE", "REASON", "OBJECT"
    )];
    for Line { at, kind, reason, object, message } in &lines {
        let time = time(*at);
        let head = format!("{time:>10}  {kind:<7}  {reason:<20}  {object:<widest$}  ");
        let mut folded = fold(message, 4, width.saturating_sub(length(&head))).into_iter();
        out.push(head + &folded.next().unwrap_or_default());
        let rest = folded.map(|line| line.trim_start().to_owned()).collect::<Vec<_>>().join(" ");
        if !rest.is_empty() {
            let rest = fold(&rest, 0, width.saturating_sub(4));
            out.extend(rest.iter().map(|line| format!("    {line}")));
        }
    }
    finish(&out.iter().map(|line| line.trim_end().to_owned()).collect::<Vec<_>>())
}
