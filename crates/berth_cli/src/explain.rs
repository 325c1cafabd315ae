//! `berth explain`: why a pod goes where it goes, with every sum.

mod counts;
pub(crate) mod preemption;
mod report;

use berth_core::explain::Explanation;
use berth_core::framework::config::Configuration;
use berth_core::framework::sampling;
use berth_wire::explain::to_json;

pub(crate) use report::reported;

use crate::Outcome;
use crate::lines::width;
use crate::question::{Answer, Asking, Question};

const ASKING: Asking = Asking {
    usage: "\
berth explain FILE... --pod [NAMESPACE/]NAME [--config FILE] [--json]

  FILE            manifests: YAML or JSON, lists, streams; - is standard input
  --pod           the pod; without a namespace it is in \"default\"
  --config FILE   a KubeSchedulerConfiguration; one among the manifests does as well
  --json          for programs: docs/explanations.md describes the form

Ends with 0 if the pod fits a node, with 1 if it fits none, with 2 if the input is not good.
",
    seeded: false,
    of_a_pod: true,
    timed: false,
    of_lessons: false,
};

/// Explains what the arguments ask for.
pub(crate) fn run(args: &[String]) -> Outcome {
    ASKING.run(args, answer)
}

fn answer(question: &mut Question) -> Answer {
    let explanation = question.explain()?;
    let playground = &question.playground;
    let profile = playground.profile_of(&question.pod).map_err(|error| error.to_string())?;
    let text = if question.json {
        let json = to_json(&explanation, playground.cluster(), profile);
        format!("{json:#}\n")
    } else {
        question.notes.extend(sampling_note(
            &explanation,
            playground.configuration(),
            profile.percentage_of_nodes_to_score,
        ));
        report::report(&explanation, profile, &question.notes, width())
    };
    let code = match (&explanation.error, explanation.feasible.is_empty()) {
        (Some(_), _) => 2,
        (None, true) => 1,
        (None, false) => 0,
    };
    Ok((text, code))
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
