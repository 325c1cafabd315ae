//! `berth bench`: how fast a workload's waiting pods are worked off, from standard input.

use std::io::{Read, stdin};
use std::process::ExitCode;
use std::time::Instant;

use berth_wire::workload::Workload;

use crate::{Outcome, print};

/// Schedules the waiting pods, or finds whom they would preempt, one after another; the first tenth
/// is warm-up and not counted.
pub(crate) fn run() -> Outcome {
    let mut text = String::new();
    stdin().read_to_string(&mut text).map_err(|error| error.to_string())?;
    let mut workload = Workload::read(&text)?;
    drop(text);
    let start = Instant::now();
    let mut measured = workload.measure(|| start.elapsed().as_secs_f64())?.to_json();
    measured["name"] = workload.name.into();
    print(&format!("{measured}\n")).map(|_| ExitCode::SUCCESS)
}
