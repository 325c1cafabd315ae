//! What a kubelet would do if its node were short of memory now: who would go, in which order, and why.

use alloc::sync::Arc;
use alloc::vec::Vec;

use super::{NodePressure, observations, over};
use crate::api::{Node, ObjectKey, Pod, Quantity};
use crate::cluster::requests::resource_request;
use crate::collections::Map;
use crate::kubelet::eviction::{Candidate, PodStats, Signal, rank};
use crate::simulation::Objects;

/// What is supposed to be used, instead of what is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Supposed {
    /// Bytes of memory that the node uses beside its pods.
    pub beside: Option<u64>,
    /// Bytes of memory that pods use.
    pub pods: Map<ObjectKey, u64>,
}

/// A node's memory, and its pods in the order in which they would go.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outlook {
    /// How many bytes there are; none if the node does not say.
    pub capacity: Option<i64>,
    /// How many of them are left.
    pub available: i64,
    /// How many the node uses beside its pods.
    pub beside: u64,
    /// The thresholds for memory, each with whether less is left than it wants.
    pub thresholds: Vec<(MemoryThreshold, bool)>,
    /// The pods, the first to go first.
    pub pods: Vec<Ranked>,
}

/// A threshold for memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MemoryThreshold {
    /// How many bytes have to be left.
    pub bytes: i64,
    /// For how many seconds less may be left; none for a hard one.
    pub grace_seconds: Option<u64>,
}

/// A pod with the keys that it is ranked by, in their order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ranked {
    /// The pod.
    pub pod: ObjectKey,
    /// Bytes that it uses.
    pub usage: u64,
    /// Whether that is more than it asked for.
    pub exceeds: bool,
    /// Its priority.
    pub priority: i32,
    /// Its usage less what it asked for, in bytes.
    pub above: i64,
    /// Whether it is never evicted.
    pub is_critical: bool,
}

impl NodePressure {
    /// What would be done about a node's memory.
    pub(in crate::simulation) fn outlook(
        &self,
        node: &Node,
        objects: &Objects,
        supposed: &Supposed,
    ) -> Outlook {
        let name = &node.metadata.name;
        let is_there = |pod: &&Arc<Pod>| {
            pod.spec.node_name == *name
                && !pod.status.phase.is_terminal()
                && pod.status.start_time.is_some()
        };
        let there: Vec<&Arc<Pod>> = objects.pods().filter(is_there).collect();
        let of_memory = |memory: Option<u64>| PodStats { memory, ..PodStats::default() };
        let stats = there.iter().map(|pod| {
            let said = supposed.pods.get(&pod.metadata.key()).copied();
            over(&of_memory(said), &self.usage_of(pod))
        });
        let stats: Vec<PodStats> = stats.collect();
        let known = self.others.get(name).cloned().unwrap_or_default();
        let others = over(&of_memory(supposed.beside), &known);
        let observed = observations(node, &stats, &others);
        let memory = observed.iter().find(|known| known.signal == Signal::MemoryAvailable);
        let capacity = memory.map(|memory| memory.capacity.clone());
        let own = self.settings.thresholds.iter();
        let thresholds = own.filter(|threshold| threshold.signal == Signal::MemoryAvailable);
        let thresholds = thresholds.map(|threshold| {
            let bytes = capacity.as_ref().map_or(0, |all| threshold.value.quantity(all).value());
            let seconds = threshold.grace / crate::kubelet::termination::SECOND;
            let grace_seconds = (!threshold.is_hard()).then_some(seconds);
            (MemoryThreshold { bytes, grace_seconds }, threshold.is_met(&observed, false))
        });
        let is_active = |pod: &Pod| {
            pod.metadata.deletion_timestamp.is_none() && !self.going.contains(&pod.metadata.uid)
        };
        let pairs = there.iter().zip(&stats).filter(|(pod, _)| is_active(pod));
        let candidates: Vec<Candidate<'_>> = pairs
            .map(|(pod, stats)| Candidate { pod, stats: Some(stats), is_static: false })
            .collect();
        let pods = rank(&candidates, Signal::MemoryAvailable).iter().map(ranked).collect();
        Outlook {
            available: memory.map_or(0, |memory| memory.available.value()),
            beside: others.memory.unwrap_or(0),
            thresholds: thresholds.collect(),
            capacity: capacity.as_ref().map(Quantity::value),
            pods,
        }
    }
}

fn ranked(candidate: &Candidate<'_>) -> Ranked {
    let usage = candidate.stats.and_then(|stats| stats.memory).unwrap_or(0);
    let above = i64::try_from(usage).unwrap_or(i64::MAX);
    let above = above.saturating_sub(resource_request(candidate.pod, "memory").value());
    Ranked {
        pod: candidate.pod.metadata.key(),
        usage,
        exceeds: above > 0,
        priority: candidate.pod.priority(),
        above,
        is_critical: candidate.is_critical(),
    }
}
