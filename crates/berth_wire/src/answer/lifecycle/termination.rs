//! `pod-grace`, `kill-grace` and `kill-pod`: how long a pod and its containers get to end.

use berth_core::api::field_error::quote;
use berth_core::api::{Container, Pod};
use berth_core::kubelet::termination::{
    KillReason, LEAST_SECONDS, SECOND, Stop, Stopping, by_name, container_grace_period,
    kill_container, kill_pod, pod_grace_period,
};
use serde_json::{Value, json};

use super::input::{self, bad, number, required};
use crate::manifest::decode_pod;
use crate::tree::Node;

pub(super) fn pod_grace(input: &str) -> Result<Value, String> {
    let input = input::parse(input)?;
    let pod = pod(&input)?;
    let current = number(&input, "currentGracePeriod")?.unwrap_or(0);
    let shorter = number(&input, "gracePeriodOverride")?;
    let (seconds, shortened) = pod_grace_period(&pod, current, shorter);
    Ok(json!({ "gracePeriodSeconds": seconds, "shortened": shortened }))
}

pub(super) fn kill_grace(input: &str) -> Result<Value, String> {
    let input = input::parse(input)?;
    let pod = pod(&input)?;
    let name = required(&input, "container")?.as_str().unwrap_or_default();
    let Some(spec) = spec(&pod, name) else { return Ok(json!({ "error": no_spec(&pod, name) })) };
    let reason = match input.get("reason").and_then(Node::as_str) {
        Some("LivenessProbe") => KillReason::LivenessProbe,
        Some("StartupProbe") => KillReason::StartupProbe,
        _ => KillReason::Other,
    };
    let container = stopping(spec, seconds(&input, "preStopSeconds")?, 0);
    let grace = number(&input, "gracePeriodOverride")?;
    let stop = kill_container(&pod, &container, reason, grace, LEAST_SECONDS);
    Ok(json!({
        "terminationGracePeriod": container_grace_period(&pod, &container, reason),
        "gracePeriodSeconds": stop.grace_seconds,
        "stopAtSeconds": in_seconds(stop.at),
    }))
}

pub(super) fn kill_all(input: &str) -> Result<Value, String> {
    let input = input::parse(input)?;
    let pod = pod(&input)?;
    let (mut running, mut errors) = (Vec::new(), Vec::new());
    for entry in required(&input, "running")?.entries() {
        let Some(spec) = spec(&pod, &entry.key) else {
            errors.push(format!("{}: {}", entry.key, no_spec(&pod, &entry.key)));
            continue;
        };
        let exit = seconds(&entry.value, "exitSeconds")?.unwrap_or(0);
        let pre_stop = seconds(&entry.value, "preStopSeconds")?;
        running.push(stopping(spec, pre_stop, exit));
    }
    errors.sort();
    let grace = number(&input, "gracePeriodOverride")?;
    let stops = kill_pod(&pod, &running, grace, LEAST_SECONDS);
    let stops: Vec<Value> = by_name(stops).iter().map(whole).collect();
    Ok(json!({ "stops": stops, "errors": errors }))
}

fn pod(input: &Node<'_>) -> Result<Pod, String> {
    decode_pod(required(input, "pod")?).map_err(|_| bad("not a pod"))
}

/// A container or init container.
fn spec<'p>(pod: &'p Pod, name: &str) -> Option<&'p Container> {
    pod.spec.containers.iter().chain(&pod.spec.init_containers).find(|known| known.name == name)
}

fn no_spec(pod: &Pod, name: &str) -> String {
    let meta = &pod.metadata;
    let pod = format!("{}_{}({})", meta.name, meta.namespace, meta.uid);
    format!(
        "failed to get containerSpec {} (id={}) in pod {} when killing container for reason \"\"",
        quote(name),
        quote(&format!("fake://{name}")),
        quote(&pod)
    )
}

/// A hook that sleeps takes as long as it says, one that runs a command as long as the input says.
fn stopping(container: &Container, command: Option<u64>, exit: u64) -> Stopping<'_> {
    let known = Stopping::new(container, command.unwrap_or(0));
    let pre_stop = known.pre_stop.or(command);
    Stopping { pre_stop, exit, ..known }
}

/// Nanoseconds.
fn seconds(input: &Node<'_>, key: &str) -> Result<Option<u64>, String> {
    let Some(node) = input.get(key).filter(|node| !node.is_null()) else { return Ok(None) };
    let seconds = node.as_f64().filter(|seconds| *seconds >= 0.0);
    let seconds = seconds.ok_or_else(|| bad(&format!("{key} is not a number of seconds")))?;
    Ok(Some((seconds * SECOND as f64) as u64))
}

/// A whole number has no point, as in Go.
fn in_seconds(nanos: u64) -> Value {
    match nanos % SECOND {
        0 => (nanos / SECOND).into(),
        _ => (nanos as f64 / SECOND as f64).into(),
    }
}

fn whole(stop: &Stop<'_>) -> Value {
    json!({
        "container": stop.name,
        "atSeconds": in_seconds(stop.at),
        "graceSeconds": stop.grace_seconds,
        "exitedSeconds": in_seconds(stop.exited),
        "killed": stop.killed,
    })
}
