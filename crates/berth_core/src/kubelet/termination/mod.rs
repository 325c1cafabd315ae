//! How long a pod and its containers get to end, and when each of them does.
//!
//! Mirrors `calculateEffectiveGracePeriod` and the timeout of `killPodNow` (`pkg/kubelet/pod_workers.go`) and `setTerminationGracePeriod`,
//! `killContainer` and `killContainersWithSyncResult` (`pkg/kubelet/kuberuntime/kuberuntime_container.go`).

mod order;

use alloc::vec::Vec;

use crate::api::{Container, Pod, PreStop, ProbeKind};

pub use order::kill_pod;

/// A container gets at least so many seconds between SIGTERM and SIGKILL (`minimumGracePeriodInSeconds`).
pub const LEAST_SECONDS: i64 = 2;
/// The kubelet waits so many seconds at least until a pod that it evicts has ended.
const LEAST_TIMEOUT: i64 = 10;

/// Nanoseconds in a second.
pub const SECOND: u64 = 1_000_000_000;

/// Seconds that the pod as a whole gets, and whether that is less than before: a grace period can only shrink.
///
/// `current` is what the kubelet settled on earlier, 0 if it has not; `shorter` is what node-pressure eviction asks
/// for.
pub fn pod_grace_period(pod: &Pod, current: i64, shorter: Option<i64>) -> (i64, bool) {
    let mut seconds = current;
    let mut told = false;
    for asked in [pod.metadata.deletion_grace_period_seconds, shorter].into_iter().flatten() {
        if seconds == 0 || asked < seconds {
            (seconds, told) = (asked, true);
        }
    }
    if !told && seconds == 0 {
        seconds = pod.spec.termination_grace_period_seconds.unwrap_or(0);
    }
    let seconds = seconds.max(1);
    (seconds, current != 0 && current != seconds)
}

/// After how many seconds the kubelet waits no longer for a pod that it evicts with this grace period.
pub fn kill_timeout(grace: i64) -> i64 {
    grace.saturating_add(grace / 2).max(LEAST_TIMEOUT)
}

/// Why a container is stopped, as far as that bears on its time (`containerKillReason`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum KillReason {
    /// Its liveness probe failed.
    LivenessProbe,
    /// Its startup probe failed.
    StartupProbe,
    /// Anything else, like the end of the pod.
    #[default]
    Other,
}

/// What the kubelet knows of a container that it is to stop.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Stopping<'a> {
    /// Its name.
    pub name: &'a str,
    /// `terminationGracePeriodSeconds` of its liveness probe.
    pub liveness_grace: Option<i64>,
    /// `terminationGracePeriodSeconds` of its startup probe.
    pub startup_grace: Option<i64>,
    /// How many nanoseconds its preStop hook takes, if it has one.
    pub pre_stop: Option<u64>,
    /// How many nanoseconds it takes to end by itself after SIGTERM.
    pub exit: u64,
    /// How many nanoseconds it takes to end after SIGKILL.
    pub kill: u64,
}

impl<'a> Stopping<'a> {
    /// What the kubelet knows of a container; `command` is how many nanoseconds a preStop hook takes that does not say.
    pub fn new(container: &'a Container, command: u64) -> Self {
        let hooks = container.hooks.as_deref();
        let grace = |kind| hooks?.probe(kind)?.termination_grace_period_seconds;
        let pre_stop = hooks.and_then(|hooks| hooks.pre_stop).map(|hook| match hook {
            PreStop::Sleep(seconds) => nanos(seconds),
            PreStop::Exec | PreStop::HttpGet => command,
        });
        Self {
            name: &container.name,
            liveness_grace: grace(ProbeKind::Liveness),
            startup_grace: grace(ProbeKind::Startup),
            pre_stop,
            ..Self::default()
        }
    }
}

/// A container on its way out. Times are in nanoseconds since the pod was asked to go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stop<'a> {
    /// Its name.
    pub name: &'a str,
    /// When it gets SIGTERM.
    pub at: u64,
    /// Seconds from then to SIGKILL.
    pub grace_seconds: i64,
    /// When it has ended.
    pub exited: u64,
    /// Whether it took SIGKILL.
    pub killed: bool,
}

/// Seconds that a container gets by what is written in the pod (`setTerminationGracePeriod`).
pub fn container_grace_period(pod: &Pod, container: &Stopping<'_>, reason: KillReason) -> i64 {
    if let Some(seconds) = pod.metadata.deletion_grace_period_seconds {
        return seconds;
    }
    // A probe's own period counts only in a pod that has one.
    let Some(seconds) = pod.spec.termination_grace_period_seconds else { return LEAST_SECONDS };
    match reason {
        KillReason::LivenessProbe => container.liveness_grace,
        KillReason::StartupProbe => container.startup_grace,
        KillReason::Other => None,
    }
    .unwrap_or(seconds)
}

/// When a container that waits for no other is stopped, and how it goes (`killContainer`). `grace` replaces what the
/// pod says; `least` is what it gets at least.
pub fn kill_container<'a>(
    pod: &Pod,
    container: &Stopping<'a>,
    reason: KillReason,
    grace: Option<i64>,
    least: i64,
) -> Stop<'a> {
    let grace = grace.unwrap_or_else(|| container_grace_period(pod, container, reason));
    kill_in_turn(container, grace, least, &[])
}

/// The same for a container that has to wait for others, which end at these times.
fn kill_in_turn<'a>(container: &Stopping<'a>, grace: i64, least: i64, before: &[u64]) -> Stop<'a> {
    let mut left = grace;
    let mut at = 0_u64;
    if let Some(takes) = container.pre_stop
        && left > 0
    {
        let spent = takes.min(nanos(left));
        at = at.saturating_add(spent);
        left = left.saturating_sub(whole_seconds(spent));
    }
    if left > 0 {
        // It waits no longer than it has time.
        let latest = at.saturating_add(nanos(left));
        let turn = before.iter().copied().max().unwrap_or(0).clamp(at, latest);
        left = left.saturating_sub(whole_seconds(turn.saturating_sub(at)));
        at = turn;
    }
    let grace_seconds = left.max(least);
    let killed = container.exit > nanos(grace_seconds);
    let takes =
        if killed { nanos(grace_seconds).saturating_add(container.kill) } else { container.exit };
    let exited = at.saturating_add(takes);
    Stop { name: container.name, at, grace_seconds, exited, killed }
}

fn nanos(seconds: i64) -> u64 {
    u64::try_from(seconds).unwrap_or(0).saturating_mul(SECOND)
}

fn whole_seconds(nanos: u64) -> i64 {
    i64::try_from(nanos / SECOND).unwrap_or(i64::MAX)
}

/// When the last of these has ended; 0 if there are none.
pub fn ended(stops: &[Stop<'_>]) -> u64 {
    stops.iter().map(|stop| stop.exited).max().unwrap_or(0)
}

/// The stops in the order of their containers' names.
pub fn by_name(mut stops: Vec<Stop<'_>>) -> Vec<Stop<'_>> {
    stops.sort_by(|a, b| a.name.cmp(b.name));
    stops
}

#[cfg(test)]
mod tests;
