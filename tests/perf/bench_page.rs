//! The engine's speed in a browser: a module for `cargo xtask bench`.
#![cfg(target_arch = "wasm32")]

use berth_core::framework::config::Configuration;
use berth_core::queue::Instant;
use berth_core::simulation::{Command, Parameters, Simulation, Timeline};
use berth_wire::steps::Steps;
use berth_wire::workload::Workload;
use serde_json::{Value, json};
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

/// Seconds of the history in which is sought.
const HOUR: i64 = 3_600;
const SECOND: i64 = 1_000_000_000;
const SEEKS: usize = 300;

/// Measures how long it takes to go to any moment of an hour with a thousand pods, in which something is asked for every
/// minute: as JSON, in milliseconds.
///
/// # Errors
/// What is wrong with the history.
#[wasm_bindgen]
pub fn seek() -> Result<String, String> {
    let mut timeline = Timeline::new(cluster()?);
    for (at, command) in commands(&requests())? {
        timeline.seek(at);
        timeline.act(command);
    }
    let start = now();
    timeline.seek(Instant(HOUR * SECOND));
    let last_ms = now() - start;
    let mut took = Vec::new();
    let mut random = 0x9e37_79b9_7f4a_7c15_u64;
    for _ in 0..SEEKS {
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        let at = Instant((random % (HOUR as u64 * 1_000)) as i64 * 1_000_000);
        // The best of three: other programs disturb.
        let mut best = f64::INFINITY;
        for _ in 0..3 {
            timeline.seek(Instant(HOUR * SECOND));
            let start = now();
            timeline.seek(at);
            best = best.min(now() - start);
        }
        took.push(best);
    }
    took.sort_by(f64::total_cmp);
    let state = timeline.state();
    let measured = json!({
        "seeks": SEEKS,
        "median_ms": took[SEEKS / 2],
        "p95_ms": took[SEEKS * 95 / 100],
        "longest_ms": took[SEEKS - 1],
        "last_minute_ms": last_ms,
        "pods": state.objects().pods().count(),
        "events": timeline.events().count(),
    });
    Ok(measured.to_string())
}

/// Fifty nodes and twenty Deployments of fifty pods.
fn cluster() -> Result<Simulation, String> {
    let mut steps = Vec::new();
    for number in 0..50 {
        let zone = format!("z{}", number % 3);
        steps.push(json!({ "at": 0, "create": {
            "apiVersion": "v1", "kind": "Node",
            "metadata": { "name": format!("n{number}"), "labels": { "topology.kubernetes.io/zone": zone } },
            "status": { "capacity": { "cpu": "16", "memory": "64Gi", "pods": "110" } },
        } }));
    }
    for number in 0..20 {
        let labels = json!({ "app": format!("app{number}") });
        let requests = json!({ "cpu": "400m", "memory": "1Gi" });
        steps.push(json!({ "at": 0, "create": {
            "apiVersion": "apps/v1", "kind": "Deployment", "metadata": { "name": format!("app{number}") },
            "spec": {
                "replicas": 50, "selector": { "matchLabels": labels },
                "template": {
                    "metadata": { "labels": labels },
                    "spec": { "containers": [{ "name": "c", "image": "a", "resources": { "requests": requests } }] },
                },
            },
        } }));
    }
    let objects = commands(&steps)?.into_iter().filter_map(|(_, command)| match command {
        Command::Create(object) => Some(object),
        _ => None,
    });
    Simulation::new(objects, &Configuration::default(), Parameters::default())
        .map_err(|error| error.to_string())
}

/// A request a minute: scaling, drains, and nodes that go down and come back.
fn requests() -> Vec<Value> {
    let request = |minute: i64| {
        let app = format!("deploy/app{}", minute % 20);
        let node = format!("n{}", minute / 5);
        let at = minute * 60;
        match minute % 5 {
            0 => json!({ "at": at, "drain": node }),
            1 => json!({ "at": at, "uncordon": node }),
            2 => json!({ "at": at, "scale": app, "replicas": 40 + minute % 20 }),
            3 => json!({ "at": at, "down": node }),
            _ => json!({ "at": at, "up": node }),
        }
    };
    (1..60).map(request).collect()
}

fn commands(steps: &[Value]) -> Result<Vec<(Instant, Command)>, String> {
    Steps::parse("steps", &json!({ "steps": steps }).to_string()).map(|steps| steps.commands)
}
