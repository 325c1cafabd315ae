//! `berth bench`: how many pods a second, on a workload from standard input.

use std::io::{Read, stdin};
use std::process::ExitCode;
use std::time::Instant;

use berth_wire::workload::Workload;
use serde_json::json;

use crate::{Outcome, print};

/// Schedules the waiting pods one after another; the first tenth is warm-up and not counted.
pub(crate) fn run() -> Outcome {
    let mut text = String::new();
    stdin().read_to_string(&mut text).map_err(|error| error.to_string())?;
    let mut workload = Workload::read(&text)?;
    drop(text);
    let start = Instant::now();
    let measured = workload.measure(|| start.elapsed().as_secs_f64());
    let line = json!({
        "name": workload.name,
        "percentage": 100,
        "pods": measured.pods,
        "bound": measured.bound,
        "us_per_pod": measured.us_per_pod(),
        "pods_per_s": f64::from(measured.pods) / measured.seconds,
    });
    print(&format!("{line}\n")).map(|_| ExitCode::SUCCESS)
}
