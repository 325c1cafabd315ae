//! The kubelets: pods start, are looked at, end, and are taken down.
//!
//! A kubelet takes a pod when it is bound, and has it running and ready after a while, or as soon as its probes pass
//! (`lives`). After its deletion it lets it end within its grace period (`ending`): a preStop hook first, then SIGTERM,
//! and SIGKILL when the period is over. A pod that did not run yet, or no more, goes at once. A pod that a finalizer
//! keeps says first how it ended. Nothing happens on a node that is not there, or that is down.

mod ending;
mod lives;
mod status;
mod told;

use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;

use super::command::Pods;
use super::node_pressure::{self, Going, NodePressure};
use super::objects::as_pod;
use super::parameters::Kubelet as Parameters;
use super::server::{Action, Change, Part, Server, runs_nothing};
use crate::api::{Kind, Object, ObjectKey, Pod, PodPhase, ProbeKind, RestartPolicy};
use crate::collections::{Map, Set};
use crate::queue::Instant;
use crate::queue::time::SECOND;

pub use ending::ContainerEnd;
use ending::{Ending, delete, fail};
pub(super) use lives::has_probe;
use lives::{Lives, Looking};
pub(super) use status::run;
use told::Told;

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
    /// Containers with probes are looked at.
    Look,
    /// It is being deleted.
    End,
    /// Something happens to its containers on their way out, as planned in a round.
    Ending(u32),
    /// Nothing of it is left.
    Ended(u32),
    /// Nobody waits any longer for its end.
    GiveUp,
}

impl Work {
    fn new(pod: &Pod, what: What) -> Self {
        Self { pod: pod.metadata.key(), uid: pod.metadata.uid.clone(), what }
    }
}

/// What somebody says of probes.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Said {
    of: Pods,
    container: Option<String>,
    probe: ProbeKind,
    fails: bool,
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
    /// By identity: pods on their way out.
    endings: Map<String, Ending>,
    /// By identity: pods with probes.
    lives: Map<String, Lives>,
    /// Which probes fail, the last word last.
    said: Vec<Said>,
    /// Counts what was planned for pods on their way out.
    rounds: u32,
    pub(super) told: Told,
}

impl Kubelet {
    pub(super) fn new(parameters: Parameters) -> Self {
        let pressure = NodePressure::new(parameters.eviction.clone());
        Self {
            parameters,
            bound: 0,
            down: Set::new(),
            pressure,
            endings: Map::new(),
            lives: Map::new(),
            said: Vec::new(),
            rounds: 0,
            told: Told::default(),
        }
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
            self.end(&pod, Some(grace_period_seconds), server.now(), &mut plan);
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
                self.forget(pod);
                self.look_at(pod, None, server.now(), &mut plan);
            }
        }
    }

    /// What a write leads to, and when.
    pub(super) fn observe(&mut self, change: &Change, mut plan: impl FnMut(Instant, Work)) {
        let Some(pod) = as_pod(&change.object) else { return };
        let node = &pod.spec.node_name;
        if change.action == Action::Deleted {
            self.forget(pod);
        }
        if change.action == Action::Deleted || node.is_empty() || self.is_down(node) {
            return;
        }
        let old = change.old.as_ref().and_then(as_pod);
        self.look_at(pod, old, change.at, &mut plan);
    }

    fn forget(&mut self, pod: &Pod) {
        self.endings.remove(&pod.metadata.uid);
        self.lives.remove(&pod.metadata.uid);
    }

    fn look_at(
        &mut self,
        pod: &Arc<Pod>,
        old: Option<&Arc<Pod>>,
        at: Instant,
        plan: &mut dyn FnMut(Instant, Work),
    ) {
        let times = self.parameters.times_of(pod);
        let mut after = |delay: i64, what| plan(at.after(LAG).after(delay), Work::new(pod, what));
        if pod.metadata.deletion_timestamp.is_some() {
            let grace = |pod: &Pod| pod.metadata.deletion_grace_period_seconds.unwrap_or(0);
            let known = old.is_some_and(|old| {
                old.metadata.deletion_timestamp.is_some() && grace(old) == grace(pod)
            });
            if !known {
                after(0, What::End);
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
    pub(super) fn act(
        &mut self,
        work: &Work,
        server: &mut Server,
        mut plan: impl FnMut(Instant, Work),
    ) {
        let Some(pod) = server.objects().pod(&work.pod).cloned() else { return };
        let node = &pod.spec.node_name;
        let is_another = pod.metadata.uid != work.uid;
        if is_another || self.is_down(node) || server.objects().node(node).is_none() {
            return;
        }
        let is_deleted = pod.metadata.deletion_timestamp.is_some();
        let runs = !is_deleted && !pod.status.phase.is_terminal();
        match work.what {
            What::End if is_deleted && runs_nothing(pod.status.phase) => remove(&pod, server),
            What::End if is_deleted => self.end(&pod, None, server.now(), &mut plan),
            What::Ending(round) => self.go_on(&pod, round, server, &mut plan),
            What::Ended(round) => self.ended(&pod, round, server),
            What::GiveUp => self.give_up(&pod),
            What::Look if runs => self.look(&pod, server, &mut plan),
            What::Admit if runs => self.admit(&pod, server),
            What::Run if runs => self.run(&pod, server, &mut plan),
            What::Succeed if runs => {
                self.lives.remove(&work.uid);
                let now = server.time();
                patch(&pod, server, |pod| status::succeed(&mut pod.status, now));
            }
            What::Fail(code) if runs => {
                self.lives.remove(&work.uid);
                fail(&pod, &all_ended(&pod, code), server);
            }
            _ => {}
        }
    }

    fn admit(&self, pod: &Pod, server: &mut Server) {
        let now = server.time();
        if let Some(message) = self.pressure.refusal(pod) {
            patch(pod, server, |pod| pod.status.phase = PodPhase::Failed);
            node_pressure::report(pod.metadata.key(), message, server);
        } else {
            patch(pod, server, |pod| status::admit(&mut pod.status, now));
        }
    }

    /// The containers of a pod run.
    fn run(&mut self, pod: &Arc<Pod>, server: &mut Server, plan: &mut dyn FnMut(Instant, Work)) {
        let now = server.time();
        let lives = Lives::start(pod, server.now());
        let mut is_ready = true;
        if let Some(mut lives) = lives {
            self.look_through(pod, &mut lives, server.now(), plan);
            is_ready = lives.are_ready();
            self.lives.insert(pod.metadata.uid.clone(), lives);
        }
        patch(pod, server, |pod| {
            run(&mut pod.status, now);
            status::ready(&mut pod.status, is_ready, now);
        });
    }

    /// The containers of a pod are looked at, if that is due.
    fn look(&mut self, pod: &Arc<Pod>, server: &mut Server, plan: &mut dyn FnMut(Instant, Work)) {
        let (uid, now) = (&pod.metadata.uid, server.now());
        let is_due = |lives: &&Lives| lives.looks_at.is_some_and(|at| at <= now);
        let Some(mut lives) = self.lives.get(uid).filter(is_due).cloned() else { return };
        let known: Vec<_> = lives.restarts().collect();
        self.look_through(pod, &mut lives, now, plan);
        let (time, is_ready) = (server.time(), lives.are_ready());
        if let Some(codes) = lives.over(pod) {
            self.lives.remove(uid);
            return fail(pod, &codes, server);
        }
        if is_ready != pod.is_ready() || !lives.restarts().eq(known) {
            patch(pod, server, |pod| {
                status::ready(&mut pod.status, is_ready, time);
                status::restarts(&mut pod.status, lives.restarts());
            });
        }
        self.lives.insert(uid.clone(), lives);
    }

    fn look_through(
        &mut self,
        pod: &Arc<Pod>,
        lives: &mut Lives,
        now: Instant,
        plan: &mut dyn FnMut(Instant, Work),
    ) {
        let Self { parameters, said, told, .. } = self;
        let fails = |container: &str, kind| {
            let is_about = |said: &&Said| said.is_about(pod, container, kind);
            said.iter().rev().find(is_about).is_some_and(|said| said.fails)
        };
        lives.look(&Looking { pod, parameters, fails: &fails, now }, told);
        if let Some(at) = lives.looks_at {
            plan(at, Work::new(pod, What::Look));
        }
    }

    /// Somebody says whether probes fail.
    pub(super) fn note_probe(
        &mut self,
        of: &Pods,
        container: Option<&str>,
        probe: ProbeKind,
        fails: bool,
        server: &Server,
        mut plan: impl FnMut(Instant, Work),
    ) {
        let said = Said { of: of.clone(), container: container.map(Into::into), probe, fails };
        self.said.retain(|known| {
            (&known.of, &known.container, known.probe) != (of, &said.container, probe)
        });
        for pod in server.objects().pods().filter(|pod| of.are(pod)) {
            let (uid, status) = (&pod.metadata.uid, &pod.status);
            let ends = pod.metadata.deletion_timestamp.is_some() || self.endings.contains_key(uid);
            if status.phase != PodPhase::Running || ends || self.is_down(&pod.spec.node_name) {
                continue;
            }
            if !self.lives.contains_key(uid) {
                let since = status.start_time.map_or(server.now(), |at| server.instant_of(at));
                let Some(lives) = Lives::started(pod, since) else { continue };
                self.lives.insert(uid.clone(), lives);
            }
            if let Some(lives) = self.lives.get_mut(uid) {
                lives.looks_at = Some(server.now());
                plan(server.now(), Work::new(pod, What::Look));
            }
        }
        self.said.push(said);
    }
}

impl Said {
    fn is_about(&self, pod: &Pod, container: &str, probe: ProbeKind) -> bool {
        let is_named = self.container.as_ref().is_none_or(|name| name == container);
        self.probe == probe && is_named && self.of.are(pod)
    }
}

/// A pod goes that does not run.
fn remove(pod: &Pod, server: &mut Server) {
    if pod.metadata.job_tracking && !pod.status.phase.is_terminal() {
        fail(pod, &all_ended(pod, KILLED), server);
    }
    delete(pod, server);
}

fn all_ended(pod: &Pod, code: i32) -> Vec<(String, i32)> {
    pod.spec.containers.iter().map(|container| (container.name.clone(), code)).collect()
}

fn patch(pod: &Pod, server: &mut Server, change: impl FnOnce(&mut Pod)) {
    // It was there just now.
    let _ = server.patch(Kind::Pod, &pod.metadata.key(), Part::Status, |object| {
        if let Object::Pod(pod) = object {
            change(Arc::make_mut(pod));
        }
    });
}

#[cfg(test)]
mod tests;
