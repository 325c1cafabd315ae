//! PodTopologySpread: pods of a kind are spread over the domains of a label.
//!
//! Mirrors the package `pkg/scheduler/framework/plugins/podtopologyspread`.

pub mod constraint;
pub mod default_selector;
pub mod filtering;
pub mod hint;
pub mod scoring;
