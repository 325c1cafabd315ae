//! The queue run by hand: one attempt after another, without time.
//!
//! Mirrors `scheduleOnePod` and `handleSchedulingFailure` of `pkg/scheduler/schedule_one.go`, and
//! `prepareCandidateAsync` of `pkg/scheduler/framework/preemption/executor.go`. What is simplified until time is
//! simulated:
//!
//! - time stands still while pods are scheduled, but for a microsecond an attempt, which keeps them in order; so a
//!   pod that is woken backs off, and is taken when no pod is active, as an idle scheduler takes it;
//! - before any other command it goes on by more than the longest backoff, so that no pod backs off after an edit;
//! - nobody waits for five minutes, so pods are not flushed;
//! - binding takes no time, and victims go at once. A victim that is being deleted already stays.

use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;

use super::{Attempt, AttemptResult, CommandError, Machine, Playground, Run, Step, Victim};
use crate::api::{Kind, Object, ObjectKey, Pod};
use crate::cluster::Cluster;
use crate::explain::Explanation;
use crate::explain::outcome::{Found, Nomination, attempt, nomination, rejectors};
use crate::framework::config::Configuration;
use crate::framework::profile::Profile;
use crate::queue::{Backoff, Instant, Place, QueuedPod, Scene, SchedulingQueue};

/// How long an attempt takes, in nanoseconds.
const ATTEMPT: i64 = 1_000;
/// How many attempts there may be for each pod before a run is given up: only pods that fight over nominations
/// without anybody being deleted could go on.
const ATTEMPTS_PER_POD: u64 = 1_000;

/// The queue and its time.
#[derive(Clone, Debug)]
pub(super) struct Scheduling {
    queue: SchedulingQueue,
    now: Instant,
}

impl Scheduling {
    /// A scheduler that starts now: every pod that waits comes to the queue, those first that were there first.
    pub(super) fn new(
        cluster: &mut Cluster,
        profiles: &[Profile],
        configuration: &Configuration,
    ) -> Self {
        let mut new = Self::idle(configuration);
        let mut waiting = Vec::new();
        for info in cluster.pods_by_age() {
            if info.pod.spec.node_name.is_empty() {
                waiting.push(Object::Pod(Arc::clone(&info.pod)));
            }
        }
        for pod in waiting {
            new.now = new.now.after(ATTEMPT);
            let scene = &mut Scene { cluster, profiles, now: new.now };
            new.queue.handle(scene, None, Some(&pod));
        }
        new
    }

    /// A scheduler that nobody waits for.
    pub(super) fn idle(configuration: &Configuration) -> Self {
        let backoff = Backoff::from_seconds(
            configuration.pod_initial_backoff_seconds,
            configuration.pod_max_backoff_seconds,
        );
        Self { queue: SchedulingQueue::new(backoff), now: Instant::default() }
    }

    /// A queue as it is somewhere else, at an instant.
    pub(super) fn at(queue: SchedulingQueue, now: Instant) -> Self {
        Self { queue, now }
    }

    /// Lets every backoff end.
    fn pass(&mut self) {
        let backoff = self.queue.backoff().max();
        self.now = self.now.after(backoff).after(2 * crate::queue::time::SECOND);
        self.queue.flush_backoff(self.now);
    }
}

impl Playground {
    /// Every pod that waits, with its place in the scheduling queue: within a place in the order in which they
    /// would be scheduled. Pods whose scheduler there is not are not in the queue.
    pub fn queue(&self) -> Vec<(Place, Arc<QueuedPod>)> {
        self.scheduling.queue.pods()
    }

    /// Whether there is a pod to be scheduled next.
    pub fn has_next(&self) -> bool {
        self.scheduling.queue.has_next()
    }

    /// Tells the queue that an object came, changed or went.
    pub(super) fn notify(&mut self, old: Option<&Object>, new: Option<&Object>) {
        self.with_queue(|queue, scene| queue.handle(scene, old, new));
    }

    /// Lets the time go by that an edit takes.
    pub(super) fn pass_time(&mut self) {
        if !self.scheduling.queue.is_empty() {
            Arc::make_mut(&mut self.scheduling).pass();
        }
    }

    fn with_queue<T>(&mut self, act: impl FnOnce(&mut SchedulingQueue, &mut Scene<'_>) -> T) -> T {
        let Scheduling { queue, now } = Arc::make_mut(&mut self.scheduling);
        let cluster = &mut self.cluster;
        act(queue, &mut Scene { cluster, profiles: &self.profiles, now: *now })
    }

    /// A copy to let the scheduler run on, with its queue but without a history.
    #[must_use]
    pub fn rehearsal(&self) -> Self {
        Self { scheduling: Arc::clone(&self.scheduling), machine: Machine::WHOLE, ..self.scratch() }
    }

    /// Attempts the next pod of the queue as [`ScheduleNext`](super::Command::ScheduleNext) does, but for good: there is
    /// nothing to undo afterwards. None if no pod is left that could be scheduled now.
    pub fn rehearse(&mut self) -> Result<Option<Attempt>, CommandError> {
        let run = (self.machine.schedule_queue)(self, Some(1), &mut Vec::new())?;
        self.changed();
        Ok(run.attempts.into_iter().next())
    }

    /// After how many attempts a run is given up.
    pub fn most_attempts(&self) -> u64 {
        ATTEMPTS_PER_POD * self.scheduling.queue.len()
    }

    /// Attempts to schedule the next pods, so many at most; nothing happens if there is none.
    pub(super) fn schedule_queue(
        &mut self,
        most: Option<u64>,
        steps: &mut Vec<Step>,
    ) -> Result<Run, CommandError> {
        let most = most.unwrap_or(self.most_attempts());
        let mut attempts = Vec::new();
        while (attempts.len() as u64) < most && self.has_next() {
            attempts.extend(self.schedule_next(steps)?);
            self.settle();
        }
        Ok(Run { attempts, at_rest: !self.has_next() })
    }

    fn schedule_next(&mut self, steps: &mut Vec<Step>) -> Result<Option<Attempt>, CommandError> {
        let scheduling = Arc::make_mut(&mut self.scheduling);
        scheduling.now = scheduling.now.after(ATTEMPT);
        let Some(queued) = scheduling.queue.pop() else { return Ok(None) };
        let pod = queued.pod.metadata.key();
        let result = self.attempt(&pod, &queued.pod, steps)?;
        Ok(Some(Attempt { pod, number: queued.attempts, result }))
    }

    fn attempt(
        &mut self,
        key: &ObjectKey,
        pod: &Pod,
        steps: &mut Vec<Step>,
    ) -> Result<AttemptResult, CommandError> {
        if pod.metadata.deletion_timestamp.is_some() {
            self.with_queue(|queue, _| queue.done(key));
            let message = alloc::format!("skip schedule deleting pod: {key}");
            return Ok(AttemptResult::Skipped { message });
        }
        let seed = self.seed();
        match self
            .with_waiting(key, |cluster, profile, pod| attempt(cluster, profile, pod, seed))?
        {
            Found::Node { name, ties } => self.bind_next(key, (*name).into(), ties, steps),
            Found::Nothing(found) => self.fail(key, &found, steps),
        }
    }

    fn bind_next(
        &mut self,
        key: &ObjectKey,
        node: String,
        ties: u32,
        steps: &mut Vec<Step>,
    ) -> Result<AttemptResult, CommandError> {
        self.with_queue(|queue, _| queue.done(key));
        self.bind(key, &node, steps)?;
        Ok(AttemptResult::Bound { node, ties })
    }

    /// No node can take the pod: it goes back to the queue, and victims go if they can help.
    fn fail(
        &mut self,
        key: &ObjectKey,
        found: &Explanation,
        steps: &mut Vec<Step>,
    ) -> Result<AttemptResult, CommandError> {
        let pod = Arc::clone(&self.pod(key)?.pod);
        let plugins = rejectors(found);
        let nomination = nomination(found, self.profile_of(&pod)?, self.seed());
        self.with_queue(|queue, scene| queue.fail(scene, &pod, plugins));
        let before = pod.status.nominated_node_name.clone();
        let node = match nomination {
            Nomination::Keep => &before,
            Nomination::Clear => "",
            Nomination::To(candidate, _) => &*candidate.name,
        };
        self.nominate(key, node, steps)?;
        let message = found.message.as_ref().or(found.error.as_ref()).cloned().unwrap_or_default();
        let Nomination::To(candidate, ties) = nomination else {
            let node = (!before.is_empty() && node.is_empty()).then_some(before);
            let plugins = plugins.iter().collect();
            return Ok(AttemptResult::Unschedulable { message, plugins, lost_nomination: node });
        };
        for other in &candidate.cleared {
            self.nominate(other, "", steps)?;
        }
        let mut victims = Vec::new();
        for victim in candidate.victims() {
            let key = victim.metadata.key();
            let deleted = victim.metadata.deletion_timestamp.is_none();
            if deleted {
                self.remove(Kind::Pod, &key, steps)?;
            }
            victims.push(Victim { pod: key, deleted });
        }
        Ok(AttemptResult::Preempting {
            node: (*candidate.name).into(),
            message,
            victims,
            cleared: candidate.cleared.clone(),
            ties,
        })
    }

    /// Sets `status.nominatedNodeName`; empty is none.
    pub(super) fn nominate(
        &mut self,
        key: &ObjectKey,
        node: &str,
        steps: &mut Vec<Step>,
    ) -> Result<(), CommandError> {
        let known = &self.pod(key)?.pod;
        if known.status.nominated_node_name != node {
            let mut pod = (**known).clone();
            pod.status.nominated_node_name = node.into();
            self.put(&Object::Pod(Arc::new(pod)), steps);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
