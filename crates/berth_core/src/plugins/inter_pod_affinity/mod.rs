//! InterPodAffinity: near to some pods, apart from others.
//!
//! Mirrors the package `pkg/scheduler/framework/plugins/interpodaffinity`.

pub mod filtering;
pub mod hint;
pub mod incoming;
pub mod pairs;
pub mod scoring;
