//! Two playgrounds held against each other: what each says of a pod, where each puts all that wait, and what leads from
//! one to the other.
//!
//! Nothing of kube-scheduler is like it: an operator who wants to know what another configuration would do has to run
//! it. Everything here asks the engine, and then compares what it said.

mod judgement;
mod rehearsal;
mod restore;
#[cfg(test)]
mod tests;

pub use judgement::{
    Difference, Judgement, NodeDifference, NodeScore, PluginDifference, Verdict, difference, judge,
};
pub use rehearsal::{Fate, FateDifference, Rehearsal, Sums, fate_differences};
pub use restore::restore;
