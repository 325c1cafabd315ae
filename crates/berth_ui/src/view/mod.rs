//! What the page draws: plain data, no engine types and no browser types.
//!
//! The adapter in [`crate::engine`] fills these from the engine's numbers; the components only
//! lay them out. Everything compares by value, so an unchanged card is not drawn again.

mod cluster;
mod inspector;
mod mistake;
mod preemption;
mod report;
mod rules;
mod verdict;

pub use cluster::{
    AppTile, CapacityView, ClusterView, DomainView, Fate, GaugeView, Lane, NodeCardView,
    PodChipView, Shadow, TaintView,
};
pub use inspector::{
    Column, ConstraintView, Edited, Event, FilterCell, FilterDetail, FilterRow, FilterTable,
    Headline, InspectorView, MadeRoom, Overruled, Pair, Request, ScoreBar, ScoreRow, ScoreTable,
    Segment,
};
pub use mistake::Mistake;
pub use preemption::{
    Candidate, CriterionCell, LedgerRow, OtherNode, PodMark, PreemptionView, PutBackRow, Refusal,
    Standing,
};
pub use report::{Problem, ReportView, Severity};
pub use rules::{BudgetView, ClassView, RulesView};
pub use verdict::{Equation, Fits, Rejected, SumRow, Verdict};
