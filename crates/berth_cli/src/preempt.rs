//! `berth preempt`: who would have to go if a pod were applied.

use berth_core::explain::post_filter::PreemptionNode;
use berth_core::explain::{Explanation, PreemptionExplanation};
use berth_wire::explain::prospect::{
    Prospect, Victim, dry_run, preemption, prospect_to_json, victims,
};
use berth_wire::explain::text;
use berth_wire::manifest::print_time;

use crate::Outcome;
use crate::explain::{preemption as choice, reported};
use crate::lines::{MOST_NODES, finish, fold, fold_indented, more, width};
use crate::question::{Answer, Asking, Question};
use crate::table::Table;

const ASKING: Asking = Asking {
    usage: "\
berth preempt FILE... --pod [NAMESPACE/]NAME [--config FILE] [--seed N] [--json]

  FILE            manifests with the cluster and the pod: YAML or JSON, lists, streams; - is standard input
  --pod           the pod; without a namespace it is in \"default\"
  --config FILE   a KubeSchedulerConfiguration; one among the manifests does as well
  --seed N        picks among nodes that tie; 0 if it is not given
  --json          for programs: docs/explanations.md describes the form

Ends with 0 if the pod fits a node as things are, with 1 if pods would have to go, with 3 if it waits, since nobody
who goes would help or it may not preempt, with 2 if the input is not good. `berth explain` has the sums.
",
    seeded: true,
    of_a_pod: true,
    timed: false,
    of_lessons: false,
};

/// Says whom the pod that the arguments name would preempt.
pub(crate) fn run(args: &[String]) -> Outcome {
    ASKING.run(args, answer)
}

fn answer(question: &mut Question) -> Answer {
    if let Some(words) = &question.refused {
        return Err(format!("the API server says: {words}"));
    }
    let explanation = question.explain()?;
    if explanation.error.is_some() {
        return Err(text::headline(&explanation));
    }
    let playground = &question.playground;
    let prospect = Prospect::new(&explanation, playground.pick_candidate(&explanation));
    let text = if question.json {
        format!("{:#}\n", prospect_to_json(&explanation, &prospect, playground.seed()))
    } else {
        report(&explanation, &prospect, question, width())
    };
    let code = match prospect {
        Prospect::Fits => 0,
        Prospect::Preempts(..) => 1,
        Prospect::Waits => 3,
    };
    Ok((text, code))
}

fn report(
    explanation: &Explanation,
    prospect: &Prospect<'_>,
    question: &Question,
    width: usize,
) -> String {
    let what = match prospect {
        Prospect::Fits => "Nobody has to go.".to_owned(),
        Prospect::Preempts(_, node) => going(node),
        Prospect::Waits => "It waits: nobody would be deleted for it.".to_owned(),
    };
    let mut lines = fold(&format!("{} {what}", text::headline(explanation)), 2, width);
    if let Some(message) = &explanation.message {
        lines.extend(fold(&format!("Event: {message}"), 2, width));
    }
    for note in &question.notes {
        lines.extend(fold(&format!("Note: {note}"), 2, width));
    }
    match prospect {
        Prospect::Fits => {}
        Prospect::Preempts(found, node) => {
            lines.extend([String::new(), format!("VICTIMS ON {}", node.name)]);
            lines.extend(victim_table(found, node).lines(width));
            for pod in &node.cleared {
                lines.push(format!("{pod} loses its nomination to {}", node.name));
            }
            lines.extend([String::new(), "CHOICE".to_owned()]);
            lines.extend(choice::lines(found, width));
            lines.extend(caveats(found, node, question.playground.seed(), width));
        }
        Prospect::Waits => lines.extend(why_not(explanation, width)),
    }
    finish(&lines)
}

/// How many would go from a node.
fn going(node: &PreemptionNode) -> String {
    let pods = |count: usize| if count == 1 { "1 pod".to_owned() } else { format!("{count} pods") };
    let count = node.deleted().count();
    let deleted = format!("To make room on {}, {} would be deleted", node.name, pods(count));
    match node.victims.len() - count {
        0 => format!("{deleted}."),
        1 => format!("{deleted}; 1 is going already."),
        already => format!("{deleted}; {already} are going already."),
    }
}

fn victim_table(found: &PreemptionExplanation, node: &PreemptionNode) -> Table {
    let mut columns = vec!["priority", "start", "broken budgets"];
    let going_already = |victim: &Victim<'_>| victim.pod.metadata.deletion_timestamp.is_some();
    if victims(found, node).any(|victim| going_already(&victim)) {
        columns.push("going already");
    }
    let row = |victim: Victim<'_>| {
        let pod = victim.pod;
        let none = |text: String| if text.is_empty() { "none".to_owned() } else { text };
        let broken: Vec<String> = victim.broken.iter().map(ToString::to_string).collect();
        let mut cells = vec![
            pod.priority().to_string(),
            none(pod.status.start_time.map(print_time).unwrap_or_default()),
            none(broken.join(", ")),
        ];
        if columns.len() > cells.len() {
            cells.push(if going_already(&victim) { "yes" } else { "no" }.to_owned());
        }
        (pod.metadata.key().to_string(), cells)
    };
    Table {
        corner: "pod".to_owned(),
        rows: victims(found, node).map(row).collect(),
        columns: columns.iter().map(|&column| column.to_owned()).collect(),
    }
}

/// Where the real scheduler may take another node.
fn caveats(
    found: &PreemptionExplanation,
    node: &PreemptionNode,
    seed: u64,
    width: usize,
) -> Vec<String> {
    let mut lines = Vec::new();
    if found.choice.ties.len() > 1 {
        let text = format!("The scheduler takes any of them; seed {seed} takes {}.", node.name);
        lines.extend(fold(&text, 2, width));
    }
    let (looks, all) = (found.candidates_to_find, found.candidates.len());
    if usize::try_from(looks).is_ok_and(|looks| looks < all) {
        let text = format!(
            "All {all} candidates are compared; the real scheduler stops once it has {looks} \
             (minCandidateNodesPercentage, minCandidateNodesAbsolute), from a random node on."
        );
        lines.extend(fold(&text, 2, width));
    }
    lines
}

/// Why nobody who goes would help, in a sentence and node by node.
fn why_not(explanation: &Explanation, width: usize) -> Vec<String> {
    if explanation.nodes.is_empty() {
        return Vec::new();
    }
    let mut lines = vec![String::new(), "WHY NOT".to_owned()];
    let all = explanation.preemption();
    let sentence = all.map_or_else(|| text::NO_PREEMPTION.to_owned(), text::preemption);
    lines.extend(fold(&sentence, 2, width));
    let found = preemption(explanation);
    for (place, report) in (0_u32..).zip(&explanation.nodes).take(MOST_NODES) {
        lines.push(report.name.to_string());
        if let Some(status) = &report.status {
            lines.extend(fold_indented(&format!("  {}", reported(status)), width));
        }
        match found.map(|found| (found, dry_run(found, place))) {
            None => {}
            Some((found, Ok(run))) => lines.extend(choice::steps(found, run, width)),
            Some((_, Err(status))) => {
                lines.extend(fold_indented(&format!("  {}", status.reasons.join(", ")), width));
            }
        }
    }
    lines.extend(more(explanation.nodes.len()));
    lines
}
