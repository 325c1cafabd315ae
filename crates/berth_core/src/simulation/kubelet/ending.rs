//! Pods on their way out: preStop hooks, then SIGTERM, then SIGKILL, each container in its turn.

use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec;
use alloc::vec::Vec;

use super::told::Told;
use super::{KILLED, Kubelet, TERMINATED, What, Work, status};
use crate::api::{Container, Kind, Object, Pod, PreStop, RestartPolicy};
use crate::apiserver::{DeleteOptions, Preconditions};
use crate::kubelet::termination::{
    KillReason, Stop, Stopping, kill_container, kill_pod, kill_timeout, pod_grace_period,
};
use crate::queue::Instant;
use crate::queue::time::SECOND;
use crate::simulation::event::Signal;
use crate::simulation::parameters::Kubelet as Parameters;
use crate::simulation::server::{Part, Server};

/// A container on its way out, and when it gets what.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ContainerEnd {
    /// Its name.
    pub name: String,
    /// When the kubelet began to stop it.
    pub since: Instant,
    /// When it gets SIGTERM: after its preStop hook, and when it is its turn.
    pub sigterm: Instant,
    /// When it gets SIGKILL, if it has not ended.
    pub sigkill: Instant,
    /// When it has ended.
    pub(super) ended: Instant,
    /// Whether it takes SIGKILL.
    pub(super) is_killed: bool,
    /// Whether its end breaks its preStop hook off.
    fails_hook: bool,
}

impl ContainerEnd {
    fn new(stop: &Stop<'_>, stopping: &Stopping<'_>, runs_command: bool, now: Instant) -> Self {
        let after = |nanos: u64| now.after(i64::try_from(nanos).unwrap_or(i64::MAX));
        let sigterm = after(stop.at);
        Self {
            name: stop.name.into(),
            since: now,
            sigterm,
            sigkill: sigterm.after(stop.grace_seconds.saturating_mul(SECOND)),
            ended: after(stop.exited),
            is_killed: stop.killed,
            fails_hook: runs_command && stopping.pre_stop.is_some_and(|takes| takes > stop.exited),
        }
    }

    /// A container that has had SIGTERM ends when its program does, whatever the kubelet plans anew.
    fn keep(&mut self, before: &Self, own_end: Instant) {
        if before.sigterm <= self.since && own_end <= self.ended {
            (self.ended, self.is_killed) = (own_end, false);
        }
    }

    /// The exit code that it ends with.
    pub(super) const fn code(&self) -> i32 {
        if self.is_killed { KILLED } else { TERMINATED }
    }

    /// What happens to it at an instant.
    pub(super) fn happens(&self, pod: &Pod, now: Instant, told: &mut Told) {
        let grace = (self.sigkill.0 - self.sigterm.0) / SECOND;
        if self.sigterm == now && now > self.since {
            told.signal(pod, &self.name, Signal::Term, grace);
        }
        if self.is_killed && self.sigkill == now {
            told.signal(pod, &self.name, Signal::Kill, grace);
        }
        if self.fails_hook && self.ended == now {
            told.warns(pod, "FailedPreStopHook", "PreStopHook failed".into());
        }
    }

    /// When something happens to it after an instant.
    pub(super) fn next(&self, now: Instant) -> Option<Instant> {
        let signals =
            [Some(self.sigterm), self.is_killed.then_some(self.sigkill), Some(self.ended)];
        signals.into_iter().flatten().filter(|at| *at > now && *at <= self.ended).min()
    }
}

/// A pod on its way out.
#[derive(Clone, Debug)]
pub(super) struct Ending {
    /// Its node.
    pub(super) node: String,
    /// The seconds that its kubelet settled on.
    grace: i64,
    /// Whether it has to go because its node runs short of something.
    is_evicted: bool,
    /// Tells what was planned last from what was planned before.
    round: u32,
    pub(super) containers: Vec<ContainerEnd>,
}

/// A container that is stopped, as its kubelet knows it and its program goes.
pub(super) fn stopping<'a>(
    pod: &Pod,
    container: &'a Container,
    parameters: &Parameters,
) -> Stopping<'a> {
    let times = parameters.times_of_container(pod, &container.name);
    let nanos = |time: i64| u64::try_from(time).unwrap_or(0);
    Stopping {
        exit: nanos(times.exit()),
        kill: nanos(times.kill()),
        ..Stopping::new(container, nanos(times.pre_stop()))
    }
}

/// Begins to stop one container for itself, because of a probe.
pub(super) fn stop_one(
    pod: &Pod,
    container: &Container,
    reason: KillReason,
    parameters: &Parameters,
    now: Instant,
) -> ContainerEnd {
    let stopping = stopping(pod, container, parameters);
    let stop = kill_container(pod, &stopping, reason, None, parameters.least_grace());
    ContainerEnd::new(&stop, &stopping, runs_command(container), now)
}

fn runs_command(container: &Container) -> bool {
    let hook = container.hooks.as_ref().and_then(|hooks| hooks.pre_stop);
    matches!(hook, Some(PreStop::Exec | PreStop::HttpGet))
}

/// The containers that run as long as the pod does: its sidecars too.
pub(super) fn lasting(pod: &Pod) -> impl Iterator<Item = &Container> {
    let is_sidecar =
        |container: &&Container| container.restart_policy == Some(RestartPolicy::Always);
    pod.spec.init_containers.iter().filter(is_sidecar).chain(&pod.spec.containers)
}

impl Kubelet {
    /// How the containers of a pod end that is on its way out.
    pub(in crate::simulation) fn ending(&self, pod: &Pod) -> Option<&[ContainerEnd]> {
        let ending = self.endings.get(&pod.metadata.uid)?;
        (!self.is_down(&ending.node)).then_some(&*ending.containers)
    }

    /// Begins to end a pod; `shorter` is what node-pressure eviction leaves it.
    pub(super) fn end(
        &mut self,
        pod: &Arc<Pod>,
        shorter: Option<i64>,
        now: Instant,
        plan: &mut dyn FnMut(Instant, Work),
    ) {
        let uid = &pod.metadata.uid;
        let before = self.endings.remove(uid);
        let current = before.as_ref().map_or(0, |ending| ending.grace);
        let (grace, is_shorter) = self.grace_period(pod, current, shorter);
        let is_evicted =
            shorter.is_some() || before.as_ref().is_some_and(|ending| ending.is_evicted);
        // While a pod ends nobody hears of less time: `SyncTerminatingPod` has a context of its own, so that what
        // `UpdatePod` cancels goes on (kubernetes#113606).
        if let Some(before) = before.clone()
            && !(is_shorter && self.parameters.stands_in)
        {
            self.endings.insert(uid.clone(), before);
            return;
        }
        let lives = self.lives.remove(uid);
        let known = before.map_or_else(
            || lives.as_ref().map(|lives| lives.ending().cloned().collect()).unwrap_or_default(),
            |ending| ending.containers,
        );
        let runs = |container: &&Container| {
            let has_ended = known.iter().any(|end| end.name == container.name && end.ended <= now);
            let waits = lives.as_ref().is_some_and(|lives| !lives.runs(&container.name));
            !has_ended && !waits
        };
        let parameters = &self.parameters;
        let mut containers = Vec::new();
        let running: Vec<(&Container, Stopping<'_>)> =
            lasting(pod).filter(runs).map(|c| (c, stopping(pod, c, parameters))).collect();
        for stop in stops(pod, &running, grace, parameters) {
            let found = running.iter().find(|(container, _)| container.name == stop.name);
            let Some((container, stopping)) = found else {
                let nameless = Stopping::default();
                containers.push(ContainerEnd::new(&stop, &nameless, false, now));
                continue;
            };
            let mut end = ContainerEnd::new(&stop, stopping, runs_command(container), now);
            if let Some(before) = known.iter().find(|end| end.name == stop.name) {
                let exit = i64::try_from(stopping.exit).unwrap_or(i64::MAX);
                end.keep(before, before.sigterm.after(exit));
            }
            let message = alloc::format!("Stopping container {}", stop.name);
            self.told.says(pod, "Killing", message);
            containers.push(end);
        }
        self.rounds = self.rounds.wrapping_add(1);
        let (round, node) = (self.rounds, pod.spec.node_name.clone());
        let ended = containers.iter().map(|end| end.ended).max().unwrap_or(now);
        let give_up = now.after(kill_timeout(grace).saturating_mul(SECOND));
        if is_evicted && ended > give_up {
            plan(give_up, Work::new(pod, What::GiveUp));
        }
        let ending = Ending { node, grace, is_evicted, round, containers };
        plan(ending.next(now).unwrap_or(now), Work::new(pod, What::Ending(round)));
        self.endings.insert(uid.clone(), ending);
    }

    /// Seconds that a pod gets, and whether that is less than before.
    fn grace_period(&self, pod: &Pod, current: i64, shorter: Option<i64>) -> (i64, bool) {
        match pod.metadata.deletion_grace_period_seconds {
            Some(0) if self.parameters.stands_in => (0, current != 0),
            _ => pod_grace_period(pod, current, shorter),
        }
    }

    /// Something happens to a pod on its way out.
    pub(super) fn go_on(
        &mut self,
        pod: &Arc<Pod>,
        round: u32,
        server: &mut Server,
        plan: &mut dyn FnMut(Instant, Work),
    ) {
        let (now, uid) = (server.now(), &pod.metadata.uid);
        let Some(ending) = self.endings.get(uid).filter(|ending| ending.round == round) else {
            return;
        };
        let told = self.told.len();
        for container in &ending.containers {
            container.happens(pod, now, &mut self.told);
        }
        if let Some(next) = ending.next(now) {
            plan(next, Work::new(pod, What::Ending(round)));
        } else if self.told.len() > told {
            // What happens to its containers comes before what is said of the pod.
            plan(now, Work::new(pod, What::Ended(round)));
        } else {
            self.ended(pod, round, server);
        }
    }

    /// Nothing of a pod is left.
    pub(super) fn ended(&mut self, pod: &Arc<Pod>, round: u32, server: &mut Server) {
        let uid = &pod.metadata.uid;
        if self.endings.get(uid).is_none_or(|ending| ending.round != round) {
            return;
        }
        let Some(ending) = self.endings.remove(uid) else { return };
        let codes: Vec<(String, i32)> =
            ending.containers.iter().map(|end| (end.name.clone(), end.code())).collect();
        let is_deleted = pod.metadata.deletion_timestamp.is_some();
        let has_finalizer = is_deleted && pod.metadata.job_tracking;
        if (ending.is_evicted || has_finalizer) && !pod.status.phase.is_terminal() {
            fail(pod, &codes, server);
        }
        if is_deleted {
            delete(pod, server);
        }
    }

    /// A kubelet has waited long enough for a pod that it evicts.
    pub(super) fn give_up(&mut self, pod: &Arc<Pod>) {
        if self.endings.contains_key(&pod.metadata.uid) {
            let message = "Container runtime did not kill the pod within specified grace period.";
            self.told.warns(pod, "ExceededGracePeriod", message.into());
        }
    }
}

impl Ending {
    /// When something happens to it after an instant.
    fn next(&self, now: Instant) -> Option<Instant> {
        self.containers.iter().filter_map(|end| end.next(now)).min()
    }
}

/// How the containers of a pod end. A pod that names none has one.
fn stops<'a>(
    pod: &Pod,
    running: &[(&'a Container, Stopping<'a>)],
    grace: i64,
    parameters: &Parameters,
) -> Vec<Stop<'a>> {
    if lasting(pod).next().is_none() {
        let exit = u64::try_from(parameters.times_of(pod).exit()).unwrap_or(0);
        let nameless = Stopping { exit, ..Stopping::default() };
        let reason = KillReason::Other;
        return vec![kill_container(pod, &nameless, reason, Some(grace), parameters.least_grace())];
    }
    let running: Vec<Stopping<'a>> = running.iter().map(|(_, stopping)| stopping.clone()).collect();
    kill_pod(pod, &running, Some(grace), parameters.least_grace())
}

/// Says that a pod has failed, with the exit codes of its containers.
pub(super) fn fail(pod: &Pod, codes: &[(String, i32)], server: &mut Server) {
    let now = server.time();
    // It was there just now.
    let _ = server.patch(Kind::Pod, &pod.metadata.key(), Part::Status, |object| {
        if let Object::Pod(pod) = object {
            status::fail(Arc::make_mut(pod), codes, now);
        }
    });
}

/// Deletes a pod that has ended.
pub(super) fn delete(pod: &Pod, server: &mut Server) {
    let uid = Some(pod.metadata.uid.clone());
    let options = DeleteOptions {
        grace_period_seconds: Some(0),
        preconditions: Preconditions { uid, ..Preconditions::default() },
        ..DeleteOptions::default()
    };
    // Nobody else can have been faster.
    let _ = server.delete(Kind::Pod, &pod.metadata.key(), &options);
}
