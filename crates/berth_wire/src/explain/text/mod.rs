//! Explanations as text, for terminals and pages: one line for each sum.
//!
//! Lines have a real minus sign and real signs of comparison; the amounts of a line share the unit
//! of their resource, and none is rounded except logarithms.

mod equation;
mod filter;
mod preemption;
mod score;

pub use equation::equation;
pub use filter::verdict;
pub use preemption::{NO_PREEMPTION, criteria, dry_run, name as criterion_name, preemption};
pub use score::score;

use berth_core::explain::Explanation;
use berth_core::framework::status::Status;

/// How many of several best nodes are named.
const NAMED: usize = 5;

/// What was compared or added, and how it came out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// What it is about, such as `zone=zoneA`.
    pub about: String,
    /// The sum, or what was found: `2 + 1 − 1 = 2 > maxSkew 1`.
    pub sum: String,
    /// Whether it speaks for the node; none where nothing is compared.
    pub holds: Option<bool>,
}

impl Line {
    fn compared(about: impl Into<String>, sum: impl Into<String>, holds: bool) -> Self {
        Self { about: about.into(), sum: sum.into(), holds: Some(holds) }
    }

    fn added(about: impl Into<String>, sum: impl Into<String>) -> Self {
        Self { about: about.into(), sum: sum.into(), holds: None }
    }
}

/// The outcome in a sentence.
pub fn headline(explanation: &Explanation) -> String {
    let pod = &explanation.pod;
    if let Some(Status { reasons, .. }) = &explanation.pre_enqueue {
        return format!("{pod} does not enter the queue: {}.", reasons.join(", "));
    }
    if let Some(error) = &explanation.error {
        return format!("{pod} cannot be scheduled: {error}.");
    }
    let nodes = match explanation.nodes.len() {
        0 => return format!("{pod} fits nowhere: there are no nodes."),
        1 => "1 node".to_owned(),
        count => format!("{count} nodes"),
    };
    let feasible = explanation.feasible.len();
    if feasible == 0 {
        return format!("{pod} fits none of {nodes}.");
    }
    let best: Vec<&str> = explanation.best_names().map(|name| &**name).collect();
    let best_nodes = explanation.best.iter().filter_map(|i| explanation.nodes.get(*i as usize));
    let total =
        best_nodes.filter_map(|node| node.scores.as_ref()).map(|scores| scores.total).next();
    let choice = match best.as_slice() {
        [one] => format!("{one} is best"),
        many if many.len() > NAMED => {
            let (named, rest) = many.split_at(NAMED - 1);
            format!("{} and {} more are equally good", named.join(", "), rest.len())
        }
        [many @ .., last] => format!("{} and {last} are equally good", many.join(", ")),
        [] => "none is best".to_owned(),
    };
    format!("{pod} fits {feasible} of {nodes}; {choice}, with {} points.", total.unwrap_or(0))
}
