//! What would change an outcome, found by trying it.
//!
//! Nothing here judges by itself: every answer is what the engine says of a copy of the cluster on which the edit was
//! carried out as an ordinary [`Command`](crate::playground::Command). Kubernetes has no counterpart.
//!
//! - [`search`]: the smallest edits that make a waiting pod fit, or that move one that stands somewhere;
//! - [`strips`]: what each value of one field would come to;
//! - [`more`]: how many copies of a pod still fit, and what stops the next;
//! - [`mod@lint`]: constraints, budgets and priorities that do not do what they seem to, with what that means here.
//!
//! All but the last work in steps, so that a page can go on in between; dropping one cancels it.

mod apply;
mod candidates;
pub mod edit;
pub mod lint;
pub mod more;
mod request;
pub mod search;
pub mod strips;
#[cfg(test)]
mod tests;
mod verdict;

pub use apply::commands;
pub use edit::Edit;
pub use lint::{Finding, Problem, Severity, lint};
pub use more::{More, Stop};
pub use search::{Ending, Goal, Limits, Progress, Proposal, Search};
pub use strips::{Cell, Field, Strip};
pub use verdict::{Level, Verdict, verdict};
