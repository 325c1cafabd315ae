//! `eviction-rank` and `eviction-grace`: which pod goes when its node runs short, and how long it gets.

use berth_core::api::{Format, Pod, Quantity};
use berth_core::kubelet::eviction::{
    Candidate, Evicted, Manager, Observation, PodStats, Signal, Threshold, ThresholdValue, rank,
};
use berth_core::kubelet::termination::SECOND;
use serde_json::{Value, json};

use super::input::{self, bad, number, required};
use crate::manifest::decode_pod;
use crate::tree::Node;

/// What the node has left, of what, and what it should have.
const AVAILABLE: i64 = 500;
const CAPACITY: i64 = 100_000;
const THRESHOLD: i64 = 1000;
/// The grace period of a soft threshold.
const MINUTE: u64 = 60;

/// A pod with what is known of it.
struct Known {
    pod: Pod,
    stats: Option<PodStats>,
    is_static: bool,
}

impl Known {
    const fn candidate(&self) -> Candidate<'_> {
        Candidate { pod: &self.pod, stats: self.stats.as_ref(), is_static: self.is_static }
    }
}

pub(super) fn ranking(input: &str) -> Result<Value, String> {
    let input = input::parse(input)?;
    let pods = pods(&input)?;
    let candidates: Vec<Candidate<'_>> = pods.iter().map(Known::candidate).collect();
    Ok(json!({ "order": keys(&rank(&candidates, signal(&input)?)) }))
}

pub(super) fn grace(input: &str) -> Result<Value, String> {
    let input = input::parse(input)?;
    let pods = pods(&input)?;
    let candidates: Vec<Candidate<'_>> = pods.iter().map(Known::candidate).collect();
    let signal = signal(&input)?;
    let soft = input.get("soft").and_then(Node::as_bool).unwrap_or(false);
    let quantity = |value| Quantity::from_value(value, Format::BinarySI);
    let value = ThresholdValue::Quantity(quantity(THRESHOLD));
    let threshold =
        if soft { Threshold::soft(signal, value, MINUTE) } else { Threshold::hard(signal, value) };
    let most = number(&input, "maxPodGracePeriodSeconds")?.unwrap_or(0);
    let mut manager = Manager::new(vec![threshold], most);
    let observations =
        [Observation { signal, available: quantity(AVAILABLE), capacity: quantity(CAPACITY) }];
    let mut round = manager.synchronize(0, &observations, &candidates);
    if soft {
        round = manager.synchronize(MINUTE * SECOND, &observations, &candidates);
    }
    let has = |condition| round.conditions.contains(&condition);
    let mut answer = json!({
        "evicted": null,
        "order": keys(&round.order),
        "memoryPressure": has("MemoryPressure"),
        "diskPressure": has("DiskPressure"),
        "pidPressure": has("PIDPressure"),
    });
    if let Some(evicted) = round.evicted.last() {
        answer["evicted"] = evicted.pod.to_string().into();
        answer["gracePeriodOverride"] = evicted.grace_period_seconds.into();
        answer["phase"] = "Failed".into();
        answer["reason"] = Evicted::REASON.into();
        answer["message"] = evicted.message.clone().into();
        if evicted.is_target {
            answer["conditions"] =
                format!("DisruptionTarget=True {}", Evicted::TARGET_REASON).into();
        }
    }
    Ok(answer)
}

fn keys(candidates: &[Candidate<'_>]) -> Vec<String> {
    // A pod without a namespace keeps its slash.
    let key = |c: &Candidate<'_>| format!("{}/{}", c.pod.metadata.namespace, c.pod.metadata.name);
    candidates.iter().map(key).collect()
}

fn pods(input: &Node<'_>) -> Result<Vec<Known>, String> {
    let nodes = required(input, "pods")?.items();
    let known = |node: &Node<'_>| {
        let pod = decode_pod(node).map_err(|_| bad("not a pod"))?;
        let key = format!("{}/{}", pod.metadata.namespace, pod.metadata.name);
        let stats = match input.get("usage").and_then(|usage| usage.get(&key)) {
            Some(usage) => Some(stats(usage)?),
            None => None,
        };
        let annotations = node.get("metadata").and_then(|metadata| metadata.get("annotations"));
        let annotation = |key| annotations.and_then(|all| all.get(key)).and_then(Node::as_str);
        let is_static = annotation("kubernetes.io/config.source").is_some_and(|from| from != "api")
            || annotation("kubernetes.io/config.mirror").is_some();
        Ok(Known { pod, stats, is_static })
    };
    nodes.iter().map(known).collect()
}

fn stats(usage: &Node<'_>) -> Result<PodStats, String> {
    let amount = |key: &str| -> Result<Option<u64>, String> {
        match usage.get(key).filter(|node| !node.is_null()) {
            None => Ok(None),
            Some(node) => {
                let text = node.as_str().ok_or_else(|| bad(&format!("{key} is not a quantity")))?;
                let quantity = Quantity::parse(text).map_err(|error| bad(&error.to_string()))?;
                Ok(Some(quantity.value().cast_unsigned()))
            }
        }
    };
    Ok(PodStats {
        memory: amount("memory")?,
        disk: amount("disk")?,
        logs: amount("logs")?,
        inodes: amount("inodes")?,
        processes: amount("process")?,
    })
}

fn signal(input: &Node<'_>) -> Result<Signal, String> {
    Ok(match required(input, "resource")?.as_str() {
        Some("memory") => Signal::MemoryAvailable,
        Some("disk") => Signal::NodeFsAvailable,
        Some("inodes") => Signal::NodeFsInodesFree,
        Some("pids") => Signal::PidAvailable,
        _ => return Err(bad("unknown resource")),
    })
}
