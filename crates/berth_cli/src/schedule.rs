//! `berth schedule`: the whole queue, attempt by attempt.

use berth_core::framework::plugin::PluginId;
use berth_core::playground::{Command, Outcome as Done, Playground, Run};
use berth_wire::schedule::{Event, events, to_json, word};

use crate::Outcome;
use crate::lines::{finish, fold, length, width};
use crate::question::{Answer, Args, Asking};
use crate::table::{Table, wrap};

/// The longest name of a pod that others are moved for.
const LONGEST_NAME: usize = 40;

const ASKING: Asking = Asking {
    usage: "\
berth schedule FILE... [--config FILE] [--seed N] [--json]

  FILE            manifests: YAML or JSON, lists, streams; - is standard input
  --config FILE   a KubeSchedulerConfiguration; one among the manifests does as well
  --seed N        picks among nodes that tie; 0 if it is not given
  --json          for programs: docs/explanations.md describes the form

Lets the scheduler work off its queue, until no pod is left that could be scheduled now, and says what it did. Time
stands still: victims go at once, and no pod waits for its backoff. Ends with 0 if no pod waits in the end, with 1 if
one does, with 2 if the input is not good.
",
    seeded: true,
    of_a_pod: false,
    timed: false,
    of_lessons: false,
};

/// Schedules the pods that the arguments name.
pub(crate) fn run(args: &[String]) -> Outcome {
    ASKING.answer(args, |args| answer(&args))
}

fn answer(args: &Args) -> Answer {
    let (mut playground, notes) = args.cluster()?;
    let applied = playground.apply(Command::ScheduleAll).map_err(|error| error.to_string())?;
    let Done::Ran(run) = applied.outcome else { return Err("the scheduler did not run".into()) };
    let text = if args.json {
        format!("{:#}\n", to_json(&run, &playground))
    } else {
        report(&run, &playground, &notes, width())
    };
    Ok((text, u8::from(!playground.queue().is_empty())))
}

fn report(run: &Run, playground: &Playground, notes: &[String], width: usize) -> String {
    let mut lines = Vec::new();
    for note in notes {
        lines.extend(fold(&format!("Note: {note}"), 2, width));
    }
    let events: Vec<Event> = run.attempts.iter().flat_map(events).collect();
    let pods = events.iter().map(|event| event.pod.to_string());
    let widest = pods.map(|pod| length(&pod)).max().unwrap_or(0).min(LONGEST_NAME);
    for Event { kind, reason, pod, message } in &events {
        let pod = pod.to_string();
        let head = format!("{kind:<7}  {reason:<16}  {pod:<widest$}  ");
        let mut folded = fold(message, 4, width.saturating_sub(length(&head))).into_iter();
        lines.push(head + &folded.next().unwrap_or_default());
        let rest = folded.map(|line| line.trim_start().to_owned()).collect::<Vec<_>>().join(" ");
        if !rest.is_empty() {
            lines.extend(
                fold(&rest, 0, width.saturating_sub(4)).iter().map(|line| format!("    {line}")),
            );
        }
    }
    if !run.at_rest {
        lines.push("… and so on: pods fight over nominations without end".to_owned());
    }
    lines.push(String::new());
    lines.push("PLACEMENT".to_owned());
    let cluster = playground.cluster();
    for idx in cluster.order() {
        let Some(node) = cluster.node(*idx) else { continue };
        let pods = node.pods.iter().filter_map(|idx| cluster.pod(*idx));
        let pods: Vec<String> = pods.map(|pod| pod.key().to_string()).collect();
        lines.push(format!("{}: {}", node.name, if pods.is_empty() { "no pods" } else { "" }));
        let pods = wrap(pods.into_iter(), width.saturating_sub(2));
        lines.extend(pods.into_iter().map(|line| format!("  {line}")));
    }
    lines.extend(waiting(playground, width));
    finish(&lines.iter().map(|line| line.trim_end().to_owned()).collect::<Vec<_>>())
}

fn waiting(playground: &Playground, width: usize) -> Vec<String> {
    let queue = playground.queue();
    if queue.is_empty() {
        return Vec::new();
    }
    let rows = queue.iter().map(|(place, queued)| {
        let plugins: Vec<&str> = queued.unschedulable_plugins.iter().map(PluginId::name).collect();
        let cells = [
            word(*place).to_owned(),
            queued.attempts.to_string(),
            queued.pod.status.nominated_node_name.clone(),
            plugins.join(" "),
        ];
        (queued.pod.metadata.key().to_string(), cells.into())
    });
    let table = Table {
        corner: "WAITING".to_owned(),
        columns: ["QUEUE", "ATTEMPTS", "NOMINATED", "REFUSED BY"].map(str::to_owned).into(),
        rows: rows.collect(),
    };
    let mut lines = vec![String::new()];
    lines.extend(table.lines(width));
    lines
}
