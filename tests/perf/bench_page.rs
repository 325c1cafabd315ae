//! The engine's speed in a browser: a module for `cargo xtask bench`.
#![cfg(target_arch = "wasm32")]

use berth_wire::workload::Workload;
use wasm_bindgen::prelude::wasm_bindgen;

#[wasm_bindgen]
extern "C" {
    /// Milliseconds on a clock that only goes forward.
    #[wasm_bindgen(js_namespace = performance)]
    fn now() -> f64;
}

/// Measures the workload as `berth bench` does, and one full explanation of a pod that waits; as JSON.
///
/// # Errors
/// What is wrong with the workload.
#[wasm_bindgen]
pub fn bench(text: &str) -> Result<String, String> {
    // The browser compiles hot code a second time, better, while it runs: this is about what it runs then.
    Workload::read(text)?.measure(|| now() / 1e3)?;
    let mut workload = Workload::read(text)?;
    let waiting = workload.waiting.first().cloned().ok_or("no pod waits")?;
    // The second of two: what the page shows again and again.
    workload.explain(&waiting);
    let start = now();
    let explained = workload.explain(&waiting).map_or(0, |explanation| explanation.nodes.len());
    let explain_ms = now() - start;
    let mut measured = workload.measure(|| now() / 1e3)?.to_json();
    measured["name"] = workload.name.into();
    measured["explained_nodes"] = explained.into();
    measured["explain_ms"] = explain_ms.into();
    Ok(measured.to_string())
}
