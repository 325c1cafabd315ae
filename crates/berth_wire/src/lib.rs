//! Every format that Berth reads and writes.
#![forbid(unsafe_code)]
#![warn(missing_docs)]

pub mod advice;
pub mod answer;
pub mod complete;
pub mod config;
pub mod describe;
pub mod explain;
pub mod export;
pub mod intake;
pub mod lesson;
pub mod link;
pub mod manifest;
pub mod patch;
pub mod redact;
pub mod schedule;
pub mod simulate;
pub mod simulator;
pub mod steps;
#[cfg(test)]
mod testing;
pub mod tree;
pub mod validation;
pub mod workload;
