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
    let pods = workload.waiting.clone();
    let (warm_up, counted) = pods.split_at(pods.len() / 10);
    for pod in warm_up {
        workload.schedule(pod);
    }
    let start = Instant::now();
    let bound = counted.iter().filter(|pod| workload.schedule(pod)).count();
    let took = start.elapsed().as_secs_f64();
    let pods = counted.len();
    let line = json!({
        "name": workload.name,
        "percentage": 100,
        "pods": pods,
        "bound": bound,
        "us_per_pod": took * 1e6 / pods as f64,
        "pods_per_s": pods as f64 / took,
    });
    print(&format!("{line}\n")).map(|_| ExitCode::SUCCESS)
}
