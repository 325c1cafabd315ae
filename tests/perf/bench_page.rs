//! The engine's speed in a browser: a module for `cargo xtask bench`.
#![cfg(target_arch = "wasm32")]

use berth_wire::workload::Workload;
use serde_json::json;
use wasm_bindgen::prelude::wasm_bindgen;

#[wasm_bindgen]
extern "C" {
    /// Milliseconds on a clock that only goes forward.
    #[wasm_bindgen(js_namespace = performance)]
    fn now() -> f64;
}

/// Schedules the workload's waiting pods as `berth bench` does, then explains the last of them. Milliseconds and
/// microseconds of wall time, as JSON.
///
/// # Errors
/// What is wrong with the workload.
#[wasm_bindgen]
pub fn bench(text: &str) -> Result<String, String> {
    let mut workload = Workload::read(text)?;
    let pods = workload.waiting.clone();
    let (warm_up, counted) = pods.split_at(pods.len() / 10);
    for pod in warm_up {
        workload.schedule(pod);
    }
    let start = now();
    let bound = counted.iter().filter(|pod| workload.schedule(pod)).count();
    let took = now() - start;
    let start = now();
    let explained = pods.last().and_then(|pod| workload.explain(pod)).map_or(0, |explanation| explanation.nodes.len());
    let explain = now() - start;
    Ok(json!({
        "name": workload.name,
        "pods": counted.len(),
        "bound": bound,
        "us_per_pod": took * 1e3 / counted.len() as f64,
        "explained_nodes": explained,
        "explain_ms": explain,
    })
    .to_string())
}
