//! Containers that have probes: they are looked at, ended when they fail, and started again.
//!
//! Mirrors `computePodActions` and `SyncPod` (`pkg/kubelet/kuberuntime/kuberuntime_manager.go`) as far as probes go.
//! Deviations: probes fail on command; a container takes as long to start again as its pod took to start; the sync of a
//! pod that has to wait comes when the wait is over, where the real one adds up to half of it by chance.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::ending::{ContainerEnd, lasting, stop_one};
use super::told::Told;
use crate::api::{Container, Hooks, Pod, ProbeKind, RestartPolicy};
use crate::kubelet::backoff::Backoff;
use crate::kubelet::probe::{Answers, next_look, unhealthy};
use crate::kubelet::termination::KillReason;
use crate::queue::Instant;
use crate::simulation::parameters::Kubelet as Parameters;

/// The containers of a pod.
#[derive(Clone, Debug)]
pub(super) struct Lives {
    /// When they are looked at next.
    pub(super) looks_at: Option<Instant>,
    containers: Vec<Life>,
}

/// A container.
#[derive(Clone, Debug)]
struct Life {
    name: String,
    state: State,
    /// Whether its startup probe has passed.
    has_started: bool,
    /// What its readiness probe came to.
    is_ready: bool,
    /// By [`ProbeKind`].
    answers: [Answers; 3],
    /// By [`ProbeKind`]: when it is looked at next.
    looks: [Option<Instant>; 3],
    restarts: i32,
    backoff: Backoff,
    /// When it ended the last time.
    ended: Option<Instant>,
}

#[derive(Clone, Debug)]
enum State {
    /// It runs, since an instant.
    Runs(Instant),
    /// It is being stopped.
    Ends(ContainerEnd),
    /// It waits until it is started again.
    Waits(Instant),
    /// It is being started again, and runs from an instant on.
    Starts(Instant),
    /// It has ended for good, with an exit code.
    Over(i32),
}

/// What containers are looked at with.
pub(super) struct Looking<'a> {
    pub(super) pod: &'a Pod,
    pub(super) parameters: &'a Parameters,
    /// Whether a probe of a container fails.
    pub(super) fails: &'a dyn Fn(&str, ProbeKind) -> bool,
    pub(super) now: Instant,
}

/// Whether a pod has a probe of a kind, in one of its containers or in a certain one.
pub(in crate::simulation) fn has_probe(
    pod: &Pod,
    container: Option<&str>,
    kind: ProbeKind,
) -> bool {
    lasting(pod).any(|known| {
        container.is_none_or(|name| known.name == name)
            && known.hooks.as_ref().is_some_and(|hooks| hooks.probe(kind).is_some())
    })
}

impl Lives {
    /// The containers of a pod that start at an instant, if any of them is to be looked at.
    pub(super) fn start(pod: &Pod, now: Instant) -> Option<Self> {
        if !ProbeKind::ALL.into_iter().any(|kind| has_probe(pod, None, kind)) {
            return None;
        }
        let containers = lasting(pod).map(|container| Life::start(&container.name, now)).collect();
        Some(Self { looks_at: None, containers })
    }

    /// The same of a pod that has run for a while.
    pub(super) fn started(pod: &Pod, since: Instant) -> Option<Self> {
        let mut lives = Self::start(pod, since)?;
        for life in &mut lives.containers {
            (life.has_started, life.is_ready) = (true, pod.is_ready());
        }
        Some(lives)
    }

    /// Whether a container runs.
    pub(super) fn runs(&self, name: &str) -> bool {
        let mut all = self.containers.iter();
        all.any(|life| life.name == name && matches!(life.state, State::Runs(_) | State::Ends(_)))
    }

    /// The containers that are being stopped.
    pub(super) fn ending(&self) -> impl Iterator<Item = &ContainerEnd> {
        self.containers.iter().filter_map(|life| match &life.state {
            State::Ends(end) => Some(end),
            _ => None,
        })
    }

    /// Whether all containers are ready.
    pub(super) fn are_ready(&self) -> bool {
        let runs = |life: &Life| matches!(life.state, State::Runs(_) | State::Ends(_));
        self.containers.iter().all(|life| life.is_ready && runs(life))
    }

    /// How many times each container was started again.
    pub(super) fn restarts(&self) -> impl Iterator<Item = (String, i32)> {
        self.containers.iter().map(|life| (life.name.clone(), life.restarts))
    }

    /// The exit codes of the containers, if all but sidecars have ended for good.
    pub(super) fn over(&self, pod: &Pod) -> Option<Vec<(String, i32)>> {
        let code = |container: &Container| {
            let life = self.containers.iter().find(|life| life.name == container.name)?;
            match life.state {
                State::Over(code) => Some((life.name.clone(), code)),
                _ => None,
            }
        };
        pod.spec.containers.iter().map(code).collect()
    }

    /// Does what is due at an instant, and notes when something is due next.
    pub(super) fn look(&mut self, looking: &Looking<'_>, told: &mut Told) {
        for container in lasting(looking.pod) {
            if let Some(life) = self.containers.iter_mut().find(|life| life.name == container.name)
            {
                life.go_on(container, looking, told);
                life.plan(container, looking);
                while let Some(kind) = life.due(looking.now) {
                    if let Some(reason) = life.answer(kind, container, looking, told) {
                        life.stop(container, reason, looking, told);
                        life.go_on(container, looking, told);
                    }
                    life.plan(container, looking);
                }
            }
        }
        self.looks_at = self.containers.iter().filter_map(|life| life.next(looking.now)).min();
    }
}

impl Life {
    fn start(name: &str, now: Instant) -> Self {
        Self {
            name: name.to_string(),
            state: State::Runs(now),
            has_started: false,
            is_ready: false,
            answers: Default::default(),
            looks: Default::default(),
            restarts: 0,
            backoff: Backoff::default(),
            ended: None,
        }
    }

    /// When something is due after an instant.
    fn next(&self, now: Instant) -> Option<Instant> {
        let own = match &self.state {
            State::Ends(end) => end.next(now),
            State::Waits(at) | State::Starts(at) => Some(*at),
            State::Runs(_) | State::Over(_) => None,
        };
        self.looks.iter().copied().flatten().chain(own).min()
    }

    /// The first probe that is due.
    fn due(&self, now: Instant) -> Option<ProbeKind> {
        let is_due = |kind: &ProbeKind| self.look_at(*kind).is_some_and(|at| at <= now);
        ProbeKind::ALL.into_iter().find(is_due)
    }

    fn look_at(&self, kind: ProbeKind) -> Option<Instant> {
        self.looks.get(kind as usize).copied().flatten()
    }

    /// Notes which probes are to be looked at when: those whose answer could be news.
    fn plan(&mut self, container: &Container, looking: &Looking<'_>) {
        let State::Runs(since) = self.state else {
            self.looks = Default::default();
            return;
        };
        let probe_of =
            |kind| container.hooks.as_ref().and_then(|hooks: &_| Hooks::probe(hooks, kind));
        self.has_started |= probe_of(ProbeKind::Startup).is_none();
        self.is_ready |= self.has_started && probe_of(ProbeKind::Readiness).is_none();
        for kind in ProbeKind::ALL {
            let slot = kind as usize;
            let are_bad = self.answers.get(slot).is_some_and(Answers::are_bad);
            let may_change = are_bad || (looking.fails)(&self.name, kind);
            let is_wanted = match kind {
                ProbeKind::Startup => !self.has_started,
                ProbeKind::Liveness => self.has_started && may_change,
                ProbeKind::Readiness => self.has_started && (may_change || !self.is_ready),
            };
            let probe = probe_of(kind).filter(|_| is_wanted);
            if let Some(look) = self.looks.get_mut(slot) {
                *look =
                    probe.map(|probe| look.unwrap_or_else(|| next_look(probe, since, looking.now)));
            }
        }
    }

    /// Takes the answer of a probe; gives why the container has to be stopped, if it has to.
    fn answer(
        &mut self,
        kind: ProbeKind,
        container: &Container,
        looking: &Looking<'_>,
        told: &mut Told,
    ) -> Option<KillReason> {
        let slot = kind as usize;
        let State::Runs(since) = self.state else { return None };
        let probe = container.hooks.as_ref()?.probe(kind)?;
        *self.looks.get_mut(slot)? = Some(next_look(probe, since, looking.now.after(1)));
        let is_good = !(looking.fails)(&self.name, kind);
        if !is_good {
            told.warns(looking.pod, "Unhealthy", unhealthy(kind, probe));
        }
        let result = self.answers.get_mut(slot)?.take(probe, is_good)?;
        match kind {
            ProbeKind::Startup if !result => return Some(KillReason::StartupProbe),
            ProbeKind::Liveness if !result => return Some(KillReason::LivenessProbe),
            ProbeKind::Startup => self.has_started = true,
            ProbeKind::Liveness => {}
            ProbeKind::Readiness => self.is_ready = result,
        }
        None
    }

    fn stop(
        &mut self,
        container: &Container,
        reason: KillReason,
        looking: &Looking<'_>,
        told: &mut Told,
    ) {
        let what = if container.restart_policy.is_some() { "Init container" } else { "Container" };
        let probe = if reason == KillReason::StartupProbe { "startup" } else { "liveness" };
        let more = if self.is_restarted(looking.pod) && container.restart_policy.is_none() {
            ", will be restarted"
        } else {
            ""
        };
        let message = format!("{what} {} failed {probe} probe{more}", self.name);
        told.says(looking.pod, "Killing", message);
        let (pod, parameters) = (looking.pod, looking.parameters);
        self.state = State::Ends(stop_one(pod, container, reason, parameters, looking.now));
    }

    /// Whether it is started again after a bad end.
    fn is_restarted(&self, pod: &Pod) -> bool {
        let is_own = pod.spec.containers.iter().any(|container| container.name == self.name);
        !is_own || pod.spec.restart_policy != RestartPolicy::Never
    }

    /// What has become of it meanwhile.
    fn go_on(&mut self, container: &Container, looking: &Looking<'_>, told: &mut Told) {
        let (pod, now) = (looking.pod, looking.now);
        if let State::Ends(end) = &self.state {
            end.happens(pod, now, told);
            if end.ended <= now {
                let code = end.code();
                self.has_ended(code, looking, told);
            }
        }
        if let State::Waits(at) = self.state
            && at <= now
        {
            self.start_again(looking);
        }
        if let State::Starts(at) = self.state
            && at <= now
        {
            let (restarts, backoff, ended) = (self.restarts + 1, self.backoff, self.ended);
            *self = Self { restarts, backoff, ended, ..Self::start(&container.name, now) };
        }
    }

    fn has_ended(&mut self, code: i32, looking: &Looking<'_>, told: &mut Told) {
        let (pod, now) = (looking.pod, looking.now);
        let before = self.ended.replace(now);
        (self.is_ready, self.has_started) = (false, false);
        if !self.is_restarted(pod) {
            self.state = State::Over(code);
            return;
        }
        // It is stopped and started in one go: what counts is when it ended the time before.
        match before {
            Some(before) if self.backoff.holds(before, now) => {
                self.state = State::Waits(now.after(self.backoff.wait()));
                let meta = &pod.metadata;
                let of = format!("{}_{}({})", meta.name, meta.namespace, meta.uid);
                let message =
                    format!("Back-off restarting failed container {} in pod {of}", self.name);
                told.warns(pod, "BackOff", message);
            }
            Some(before) => {
                self.backoff.start_again(before, now);
                self.starts(looking);
            }
            None => self.starts(looking),
        }
    }

    /// Its wait is over.
    fn start_again(&mut self, looking: &Looking<'_>) {
        if let Some(ended) = self.ended {
            self.backoff.start_again(ended, looking.now);
        }
        self.starts(looking);
    }

    fn starts(&mut self, looking: &Looking<'_>) {
        let takes = looking.parameters.times_of(looking.pod).start();
        self.state = State::Starts(looking.now.after(takes.max(super::LEAST_START)));
    }
}
