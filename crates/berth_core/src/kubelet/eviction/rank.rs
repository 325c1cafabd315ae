//! In which order pods go: those that use more than they asked for, then the less important, then the greediest.
//!
//! Mirrors `rankMemoryPressure`, `rankDiskPressureFunc` and `rankPIDPressure` of `helpers.go`, and Go's sort, which
//! keeps the order of equals only up to twelve pods.

use alloc::vec::Vec;
use core::cmp::Ordering;

use super::{Candidate, PodStats, Signal, bytes, disk_usage};
use crate::api::Quantity;
use crate::cluster::requests::resource_request;
use crate::sort_slice::sort_slice;

/// The keys that a pod is ranked by. `usage` is none for a pod of which nothing is known: it goes first.
struct Keys {
    place: usize,
    usage: Option<Usage>,
    priority: i32,
}

struct Usage {
    /// Whether it uses more than it asked for.
    exceeds: bool,
    /// How much more.
    above: Above,
}

enum Above {
    Amount(Quantity),
    Processes(u64),
}

/// The candidates in the order in which they go when this signal is short.
pub fn rank<'a>(candidates: &[Candidate<'a>], signal: Signal) -> Vec<Candidate<'a>> {
    let keys: Vec<Keys> = candidates
        .iter()
        .enumerate()
        .map(|(place, candidate)| Keys {
            place,
            usage: candidate.stats.map(|stats| usage(candidate, stats, signal)),
            priority: candidate.pod.priority(),
        })
        .collect();
    let mut order: Vec<&Keys> = keys.iter().collect();
    if signal == Signal::PidAvailable {
        sort_slice(&mut order, |a, b| by_priority(a, b).is_lt());
    } else {
        sort_slice(&mut order, |a, b| by_excess(a, b).then_with(|| by_priority(a, b)).is_lt());
    }
    order.iter().filter_map(|keys| candidates.get(keys.place).copied()).collect()
}

fn usage(candidate: &Candidate<'_>, stats: &PodStats, signal: Signal) -> Usage {
    let (used, resource) = match signal {
        Signal::MemoryAvailable => (bytes(stats.memory), "memory"),
        Signal::NodeFsAvailable => (disk_usage(stats), "ephemeral-storage"),
        Signal::NodeFsInodesFree => (bytes(stats.inodes), "inodes"),
        Signal::PidAvailable => {
            let above = Above::Processes(stats.processes.unwrap_or(0));
            return Usage { exceeds: false, above };
        }
    };
    let exceeds = used > resource_request(candidate.pod, resource);
    let mut above = used;
    // Even inodes are held against the bytes that were asked for.
    let against = if resource == "memory" { resource } else { "ephemeral-storage" };
    above.sub(&resource_request(candidate.pod, against));
    Usage { exceeds, above: Above::Amount(above) }
}

/// Those of which nothing is known come first, then those that exceed their requests.
fn by_excess(a: &Keys, b: &Keys) -> Ordering {
    match (&a.usage, &b.usage) {
        (Some(a), Some(b)) => b.exceeds.cmp(&a.exceeds),
        (a, b) => a.is_some().cmp(&b.is_some()),
    }
}

/// The less important come first, then those that use the most.
fn by_priority(a: &Keys, b: &Keys) -> Ordering {
    a.priority.cmp(&b.priority).then_with(|| match (&a.usage, &b.usage) {
        (Some(a), Some(b)) => by_usage(&a.above, &b.above),
        (a, b) => a.is_some().cmp(&b.is_some()),
    })
}

fn by_usage(a: &Above, b: &Above) -> Ordering {
    match (a, b) {
        (Above::Amount(a), Above::Amount(b)) => b.cmp(a),
        // Go subtracts what has no sign and takes the difference for a number with one.
        (Above::Processes(a), Above::Processes(b)) => b.wrapping_sub(*a).cast_signed().cmp(&0),
        _ => Ordering::Equal,
    }
}
