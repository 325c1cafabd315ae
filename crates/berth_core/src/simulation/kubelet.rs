//! The kubelets: pods start, end, and are taken down.
//!
//! A kubelet takes a pod when it is bound, has it running and ready after a while, and after its deletion lets it end
//! within its grace period: as soon as the program does, at the latest when the period is over (SIGKILL). A pod that
//! did not run yet, or no more, goes at once. A pod that a finalizer keeps says first how it ended. Nothing happens on
//! a node that is not there, or that is down.

use alloc::string::String;
use alloc::sync::Arc;

use super::node_pressure::{self, Going, NodePressure};
use super::objects::as_pod;
use super::parameters::Kubelet as Parameters;
use super::server::{Action, Change, Part, Server, runs_nothing};
use crate::api::{
    Condition, Container, ContainerStatus, Kind, Object, ObjectKey, Pod, PodPhase, PodStatus,
    RestartPolicy, Time,
};
use crate::apiserver::{DeleteOptions, Preconditions};
use crate::collections::Set;
use crate::kubelet::termination::{KillReason, Stopping, kill_container, pod_grace_period};
use crate::queue::Instant;
use crate::queue::time::SECOND;

/// How long after a write the kubelet acts on it, in nanoseconds.
const LAG: i64 = 500;
/// How long a pod takes to start at least, in nanoseconds.
const LEAST_START: i64 = SECOND / 1000;
/// How many pods start one after the other.
const STAGGERED: i64 = 8;
/// The exit code of a program that failed, if nothing else is said.
const FAILED: i32 = 1;
/// The exit code of a program that SIGTERM ended.
const TERMINATED: i32 = 143;
/// The exit code of a program that SIGKILL ended.
const KILLED: i32 = 137;

/// What a kubelet is about to do with a pod.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Work {
    pod: ObjectKey,
    uid: String,
    what: What,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum What {
    /// Take it.
    Admit,
    /// All its containers run and are ready.
    Run,
    /// Its program ended well.
    Succeed,
    /// Its program ended with this code.
    Fail(i32),
    /// Nothing of it is left: its program was ended with this code.
    Remove(i32),
}

/// All kubelets.
#[derive(Clone, Debug)]
pub(super) struct Kubelet {
    parameters: Parameters,
    /// How many pods were bound.
    bound: i64,
    /// Nodes whose kubelets do nothing.
    down: Set<String>,
    /// What pods and nodes use.
    pub(super) pressure: NodePressure,
}

impl Kubelet {
    pub(super) fn new(parameters: Parameters) -> Self {
        let pressure = NodePressure::new(parameters.eviction.clone());
        Self { parameters, bound: 0, down: Set::new(), pressure }
    }

    /// Looks whether a node runs short of anything, and evicts pods if it does; gives when to look again.
    pub(super) fn measure(
        &mut self,
        node: &str,
        server: &mut Server,
        mut plan: impl FnMut(Instant, Work),
    ) -> Option<Instant> {
        if self.is_down(node) && server.objects().node(node).is_some() {
            return Some(node_pressure::next_look(server.now()));
        }
        let (going, again) = self.pressure.look(node, server);
        for Going { pod, grace_period_seconds } in going {
            let (grace, _) = pod_grace_period(&pod, 0, Some(grace_period_seconds));
            let exit = u64::try_from(self.parameters.times_of(&pod).exit()).unwrap_or(0);
            let container = Stopping { exit, ..Stopping::default() };
            let stop = kill_container(&pod, &container, KillReason::Other, Some(grace));
            let code = if stop.killed { KILLED } else { TERMINATED };
            let (key, uid) = (pod.metadata.key(), pod.metadata.uid.clone());
            let ended = i64::try_from(stop.exited).unwrap_or(i64::MAX);
            plan(server.now().after(ended), Work { pod: key, uid, what: What::Fail(code) });
        }
        again
    }

    /// Whether a node is down.
    pub(super) fn is_down(&self, node: &str) -> bool {
        self.down.contains(node)
    }

    /// A node goes down: from now on nothing starts there, and nothing ends.
    pub(super) fn go_down(&mut self, node: &str) {
        self.down.insert(node.into());
    }

    /// A node is back: its kubelet looks at every pod anew.
    pub(super) fn come_up(
        &mut self,
        node: &str,
        server: &Server,
        mut plan: impl FnMut(Instant, Work),
    ) {
        if self.down.remove(node) {
            for pod in server.objects().pods().filter(|pod| pod.spec.node_name == node) {
                self.look_at(pod, None, server.now(), &mut plan);
            }
        }
    }

    /// What a write leads to, and when.
    pub(super) fn observe(&mut self, change: &Change, mut plan: impl FnMut(Instant, Work)) {
        let Some(pod) = as_pod(&change.object) else { return };
        let node = &pod.spec.node_name;
        if change.action == Action::Deleted || node.is_empty() || self.is_down(node) {
            return;
        }
        let old = change.old.as_ref().and_then(as_pod);
        self.look_at(pod, old, change.at, &mut plan);
    }

    fn look_at(
        &mut self,
        pod: &Arc<Pod>,
        old: Option<&Arc<Pod>>,
        at: Instant,
        plan: &mut dyn FnMut(Instant, Work),
    ) {
        let times = self.parameters.times_of(pod);
        let mut after = |delay: i64, what| {
            let work = Work { pod: pod.metadata.key(), uid: pod.metadata.uid.clone(), what };
            plan(at.after(LAG).after(delay), work);
        };
        if pod.metadata.deletion_timestamp.is_some() {
            let grace = |pod: &Pod| pod.metadata.deletion_grace_period_seconds.unwrap_or(0);
            let known = old.is_some_and(|old| {
                old.metadata.deletion_timestamp.is_some() && grace(old) == grace(pod)
            });
            if !known {
                let most = grace(pod).saturating_mul(SECOND);
                let delay = if runs_nothing(pod.status.phase) { 0 } else { most.min(times.exit()) };
                let code = if times.exit() >= most { KILLED } else { TERMINATED };
                after(delay, What::Remove(code));
            }
            return;
        }
        let is_new = old.is_none_or(|old| old.spec.node_name.is_empty());
        let was_running = old.is_some_and(|old| old.status.phase == PodPhase::Running);
        if pod.status.phase == PodPhase::Pending && is_new {
            after(0, What::Admit);
            let later = self.parameters.stagger.saturating_mul(self.bound % STAGGERED);
            self.bound += 1;
            after(times.start().saturating_add(later).max(LEAST_START), What::Run);
        } else if pod.status.phase == PodPhase::Running && !was_running {
            if let (Some(fail), RestartPolicy::Never) = (times.fail, pod.spec.restart_policy) {
                after(fail, What::Fail(times.exit_code.unwrap_or(FAILED)));
            }
            if let Some(run) = times.run {
                after(run, What::Succeed);
            }
        }
    }

    /// Does what was planned, if the pod is still there, and its node too.
    pub(super) fn act(&self, work: &Work, server: &mut Server) {
        let now = server.time();
        let Some(pod) = server.objects().pod(&work.pod) else { return };
        let node = &pod.spec.node_name;
        let is_another = pod.metadata.uid != work.uid;
        if is_another || self.is_down(node) || server.objects().node(node).is_none() {
            return;
        }
        let is_deleted = pod.metadata.deletion_timestamp.is_some();
        let is_over = pod.status.phase.is_terminal();
        match work.what {
            What::Remove(code) if is_deleted => {
                if pod.metadata.job_tracking && !is_over {
                    let _ = server.patch(Kind::Pod, &work.pod, Part::Status, |object| {
                        if let Object::Pod(pod) = object {
                            fail(Arc::make_mut(pod), code, now);
                        }
                    });
                }
                let options = DeleteOptions {
                    grace_period_seconds: Some(0),
                    preconditions: Preconditions {
                        uid: Some(work.uid.clone()),
                        ..Preconditions::default()
                    },
                    ..DeleteOptions::default()
                };
                // Nobody else can have been faster.
                let _ = server.delete(Kind::Pod, &work.pod, &options);
            }
            What::Remove(_) => {}
            What::Admit if !is_deleted && !is_over && self.pressure.refusal(pod).is_some() => {
                let message = self.pressure.refusal(pod).unwrap_or_default();
                let _ = server.patch(Kind::Pod, &work.pod, Part::Status, |object| {
                    if let Object::Pod(pod) = object {
                        Arc::make_mut(pod).status.phase = PodPhase::Failed;
                    }
                });
                node_pressure::report(work.pod.clone(), message, server);
            }
            what if !is_deleted && !is_over => {
                let written = server.patch(Kind::Pod, &work.pod, Part::Status, |object| {
                    if let Object::Pod(pod) = object {
                        report(Arc::make_mut(pod), what, now);
                    }
                });
                drop(written);
            }
            _ => {}
        }
    }
}

fn report(pod: &mut Pod, what: What, now: Time) {
    let status = &mut pod.status;
    match what {
        What::Admit => {
            say(status, &["Initialized"], "True", "", now);
            say(status, &UNREADY, "False", "ContainersNotReady", now);
            status.start_time = Some(now);
        }
        What::Run => run(status, now),
        What::Succeed => {
            say(status, &UNREADY, "False", "PodCompleted", now);
            status.phase = PodPhase::Succeeded;
        }
        What::Fail(code) | What::Remove(code) => fail(pod, code, now),
    }
}

/// The conditions that a pod without running containers does not meet.
const UNREADY: [&str; 2] = ["Ready", "ContainersReady"];

fn say(status: &mut PodStatus, kinds: &[&str], value: &str, reason: &str, now: Time) {
    for kind in kinds {
        Condition::update(&mut status.conditions, Condition::new(kind, value, reason), now);
    }
}

/// All containers of a pod have ended with a code.
fn fail(pod: &mut Pod, code: i32, now: Time) {
    let status = &mut pod.status;
    say(status, &UNREADY, "False", "PodFailed", now);
    status.phase = PodPhase::Failed;
    let ended = |container: &Container| ContainerStatus {
        name: container.name.clone(),
        exit_code: Some(code),
        finished_at: Some(now),
        ..ContainerStatus::default()
    };
    status.container_statuses = pod.spec.containers.iter().map(ended).collect();
}

/// All containers of a pod run and are ready.
pub(super) fn run(status: &mut PodStatus, now: Time) {
    status.phase = PodPhase::Running;
    status.start_time.get_or_insert(now);
    for kind in ["PodScheduled", "Initialized", "Ready", "ContainersReady"] {
        Condition::update(&mut status.conditions, Condition::new(kind, "True", ""), now);
    }
}
