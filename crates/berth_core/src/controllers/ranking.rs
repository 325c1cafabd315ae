//! Which pods a workload with too many deletes first.
//!
//! Mirrors `ActivePodsWithRanks` of `pkg/controller/controller_utils.go` and Go's sort. Deviation: restarts of containers
//! are not counted, since there are none.

use alloc::sync::Arc;
use alloc::vec::Vec;
use core::cmp::Ordering;

use super::availability::ready_since;
use crate::api::{Pod, PodPhase, Time};
use crate::queue::Instant;
use crate::simulation::Server;
use crate::sort_slice::sort_slice;

/// The annotation with what it costs to delete a pod.
const COST: &str = "controller.kubernetes.io/pod-deletion-cost";

/// A pod with what it is ranked by.
struct Ranked<'p> {
    pod: &'p Arc<Pod>,
    phase: u8,
    ready: bool,
    cost: i32,
    /// How many active pods of the same owner are on its node.
    neighbours: usize,
    /// Since when it is ready, and how long that is.
    ready_for: Option<(Time, Instant)>,
    /// Since when it is there, and how long that is.
    age: Option<(Time, Instant)>,
}

/// The pods, those first that are to go first. `related` are all pods of the same owner.
pub(super) fn by_deletion(
    server: &Server,
    pods: &[Arc<Pod>],
    related: &[Arc<Pod>],
) -> Vec<Arc<Pod>> {
    let length = |time: Option<Time>| {
        time.map(|time| (time, Instant(server.now().0.saturating_sub(server.instant_of(time).0))))
    };
    let active = || related.iter().filter(|pod| super::availability::is_active(pod));
    let ranked: Vec<Ranked<'_>> = pods
        .iter()
        .map(|pod| Ranked {
            pod,
            phase: ordinal(pod.status.phase),
            ready: pod.is_ready(),
            cost: cost(pod),
            neighbours: active().filter(|other| other.spec.node_name == pod.spec.node_name).count(),
            ready_for: length(ready_since(pod)),
            age: length(pod.metadata.creation_timestamp),
        })
        .collect();
    let mut order: Vec<&Ranked<'_>> = ranked.iter().collect();
    sort_slice(&mut order, |a, b| compare(a, b).is_lt());
    order.into_iter().map(|ranked| Arc::clone(ranked.pod)).collect()
}

fn compare(a: &Ranked<'_>, b: &Ranked<'_>) -> Ordering {
    let assigned = |ranked: &Ranked<'_>| !ranked.pod.spec.node_name.is_empty();
    assigned(a)
        .cmp(&assigned(b))
        .then(a.phase.cmp(&b.phase))
        .then(a.ready.cmp(&b.ready))
        .then(a.cost.cmp(&b.cost))
        .then(b.neighbours.cmp(&a.neighbours))
        .then_with(|| {
            if a.ready && b.ready {
                by_length(a, b, a.ready_for, b.ready_for)
            } else {
                Ordering::Equal
            }
        })
        .then_with(|| by_length(a, b, a.age, b.age))
}

/// The shorter goes first, as far as their binary logarithms differ; else chance decides, which is the identity.
fn by_length(
    a: &Ranked<'_>,
    b: &Ranked<'_>,
    of_a: Option<(Time, Instant)>,
    of_b: Option<(Time, Instant)>,
) -> Ordering {
    match (of_a, of_b) {
        (Some((since_a, length_a)), Some((since_b, length_b))) => {
            if since_a == since_b {
                return Ordering::Equal;
            }
            let by_uid = || a.pod.metadata.uid.cmp(&b.pod.metadata.uid);
            logarithm(length_a).cmp(&logarithm(length_b)).then_with(by_uid)
        }
        // One without a time is the younger.
        (of_a, of_b) => of_a.is_some().cmp(&of_b.is_some()),
    }
}

/// `int64(math.Log2(float64(d)))`, in Go's own steps.
fn logarithm(length: Instant) -> i64 {
    if length.0 <= 0 {
        return -1;
    }
    let (fraction, exponent) = libm::frexp(length.0 as f64);
    if fraction <= 0.5 {
        return i64::from(exponent) - 1;
    }
    (libm::log(fraction) * (1.0 / core::f64::consts::LN_2) + f64::from(exponent)) as i64
}

pub(super) const fn ordinal(phase: PodPhase) -> u8 {
    match phase {
        // A phase that Go's table does not have counts as 0.
        PodPhase::Pending | PodPhase::Succeeded | PodPhase::Failed => 0,
        PodPhase::Unknown => 1,
        PodPhase::Running => 2,
    }
}

/// `GetDeletionCostFromPodAnnotations`: what has a sign or zeros in front costs nothing.
fn cost(pod: &Pod) -> i32 {
    let Some(text) = pod.metadata.annotations.get(COST) else { return 0 };
    let valid = text == "0" || text.starts_with(|c: char| matches!(c, '-' | '1'..='9'));
    text.parse().ok().filter(|_| valid).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::Condition;

    fn pod(name: &str, node: &str, ready_since: Option<i64>) -> Arc<Pod> {
        let mut pod = Pod::default();
        pod.metadata.name = name.into();
        pod.metadata.uid = name.into();
        pod.metadata.creation_timestamp = Some(Time(0));
        pod.spec.node_name = node.into();
        pod.status.phase = if node.is_empty() { PodPhase::Pending } else { PodPhase::Running };
        if let Some(since) = ready_since {
            Condition::update(
                &mut pod.status.conditions,
                Condition::new("Ready", "True", ""),
                Time(since),
            );
        }
        Arc::new(pod)
    }

    fn order(now: i64, pods: &[Arc<Pod>]) -> Vec<&str> {
        let mut server = Server::new(Time(0));
        server.set_now(Instant(now * crate::queue::time::SECOND));
        let order = by_deletion(&server, pods, pods);
        let name = |pod: &Arc<Pod>| {
            pods.iter()
                .find(|other| other.metadata.name == pod.metadata.name)
                .map(|p| &*p.metadata.name)
        };
        order.iter().filter_map(name).collect()
    }

    #[test]
    fn waiting_then_unready_then_crowded_then_young() {
        let pods = [
            pod("old", "a", Some(1)),
            pod("young", "b", Some(90)),
            pod("crowded", "c", Some(1)),
            pod("crowding", "c", Some(50)),
            pod("unready", "d", None),
            pod("waiting", "", None),
        ];
        assert_eq!(
            order(100, &pods),
            ["waiting", "unready", "crowding", "crowded", "young", "old"]
        );
    }

    #[test]
    fn times_of_one_magnitude_are_told_apart_by_identity() {
        // 40 and 60 seconds are both between 2^35 and 2^36 nanoseconds.
        let pods = [pod("b", "x", Some(40)), pod("a", "y", Some(60))];
        assert_eq!(order(100, &pods), ["a", "b"]);
        let pods = [pod("a", "x", Some(10)), pod("b", "y", Some(60))];
        assert_eq!(order(100, &pods), ["b", "a"]);
    }

    #[test]
    fn what_it_costs_to_delete_a_pod() {
        let mut pod = Pod::default();
        for (text, want) in [("7", 7), ("-3", -3), ("+7", 0), ("07", 0), ("x", 0), ("0", 0)] {
            pod.metadata.annotations.insert(COST.into(), text.into());
            assert_eq!(cost(&pod), want, "{text}");
        }
    }
}
