//! The scheduling queue: which pod is next, which wait, and what wakes them.
//!
//! Mirrors `pkg/scheduler/backend/queue` with its feature gates as v1.36.3 has them
//! (`SchedulerQueueingHints` and `SchedulerPopFromBackoffQ` on). The queue is a value: it is told the time,
//! and who runs it says when to flush. Each pod is in one place:
//!
//! - *active*: to be scheduled, by priority, then by time;
//! - *backoff*: to be scheduled once its backoff ends, or as soon as no pod is active;
//! - *backoff after an error*: the same, but never before its backoff ends;
//! - *unschedulable*: waits for an event that concerns a plugin which refused it. Gated pods wait here too;
//! - *in flight*: out of the queue, its attempt has not ended. What happens meanwhile is kept for it.
//!
//! `moveRequestCycle` and `isEventOfInterest` are left out: with queueing hints they decide nothing.

pub mod event;
mod handlers;
mod heap;
mod hint;
mod queued_pod;
pub mod time;

use alloc::sync::Arc;
use alloc::vec::Vec;

pub use event::{ActionType, Event};
pub use queued_pod::{PluginSet, QueuedPod, less};
pub use time::{Backoff, Instant};

use crate::api::{ObjectKey, Pod};
use crate::cluster::Cluster;
use crate::framework::plugin::{ExtensionPoint, PluginId};
use crate::framework::profile::Profile;
use heap::{Heap, Order};

/// What the queue is told with everything that it is to do.
#[derive(Debug)]
pub struct Scene<'a> {
    /// The cluster after what happened.
    pub cluster: &'a mut Cluster,
    /// The scheduler's profiles.
    pub profiles: &'a [Profile],
    /// The time.
    pub now: Instant,
}

impl<'a> Scene<'a> {
    /// The profile that a pod asks for.
    fn profile(&self, pod: &Pod) -> Option<&'a Profile> {
        self.profiles.iter().find(|profile| profile.scheduler_name == pod.spec.scheduler_name)
    }
}

/// Where a pod is in the queue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// To be scheduled.
    Active,
    /// To be scheduled once its backoff ends, or as soon as no pod is active.
    Backoff,
    /// To be scheduled once its backoff ends: its last attempt ended with an error.
    ErrorBackoff,
    /// To be scheduled when something happens that could help.
    Unschedulable,
    /// Not to be scheduled before a plugin lets it in.
    Gated,
}

/// A pod whose attempt has not ended.
#[derive(Clone, Debug)]
struct InFlight {
    pod: Arc<QueuedPod>,
    /// What happened since.
    events: Vec<Event>,
}

/// How many pods wait where.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct QueueLengths {
    /// To be scheduled.
    pub active: u32,
    /// Backing off, after an error too.
    pub backoff: u32,
    /// Waiting for something to happen, or to be let in.
    pub unschedulable: u32,
}

/// The queue.
#[derive(Clone, Debug)]
pub struct SchedulingQueue {
    backoff: Backoff,
    active: Heap,
    backing_off: Heap,
    backing_off_after_error: Heap,
    /// In the order in which they came here: in Kubernetes they have none.
    unschedulable: Vec<Arc<QueuedPod>>,
    in_flight: Vec<InFlight>,
}

impl SchedulingQueue {
    /// A queue without pods.
    pub const fn new(backoff: Backoff) -> Self {
        Self {
            backoff,
            active: Heap::new(Order::Priority),
            backing_off: Heap::new(Order::Backoff(backoff)),
            backing_off_after_error: Heap::new(Order::BackoffOnly(backoff)),
            unschedulable: Vec::new(),
            in_flight: Vec::new(),
        }
    }

    // ---- reading

    /// How long pods back off.
    pub const fn backoff(&self) -> Backoff {
        self.backoff
    }

    /// Every pod with its place, and within a place in the order in which they would be scheduled.
    /// Pods in flight are not in the queue.
    pub fn pods(&self) -> Vec<(Place, Arc<QueuedPod>)> {
        let mut pods = Vec::new();
        let heaps = [
            (Place::Active, &self.active),
            (Place::Backoff, &self.backing_off),
            (Place::ErrorBackoff, &self.backing_off_after_error),
        ];
        for (place, heap) in heaps {
            for pod in heap.sorted() {
                pods.push((place, pod));
            }
        }
        for (place, gated) in [(Place::Unschedulable, false), (Place::Gated, true)] {
            for pod in &self.unschedulable {
                if pod.gating_plugin.is_some() == gated {
                    pods.push((place, Arc::clone(pod)));
                }
            }
        }
        pods
    }

    /// How many pods wait. Pods in flight are not in the queue.
    pub const fn len(&self) -> u64 {
        let heaps = self.active.len() + self.backing_off.len() + self.backing_off_after_error.len();
        (heaps + self.unschedulable.len()) as u64
    }

    /// How many pods wait where. Pods in flight are not in the queue.
    pub const fn lengths(&self) -> QueueLengths {
        QueueLengths {
            active: self.active.len() as u32,
            backoff: (self.backing_off.len() + self.backing_off_after_error.len()) as u32,
            unschedulable: self.unschedulable.len() as u32,
        }
    }

    /// Whether a pod could be taken out now.
    pub const fn has_next(&self) -> bool {
        self.active.len() > 0 || self.backing_off.len() > 0
    }

    /// Whether no pod waits at all.
    pub const fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Whether events would be in vain: no pod waits for any.
    pub const fn is_deaf(&self) -> bool {
        self.unschedulable.is_empty() && self.in_flight.is_empty()
    }

    // ---- a pod comes, changes, goes

    /// Adds a pod that is new (`Add`).
    pub fn add(&mut self, scene: &Scene<'_>, pod: &Arc<Pod>) {
        self.move_to_active(scene, QueuedPod::new(pod, scene.now));
    }

    /// A pod that waits changed (`Update`): `events` say how.
    pub fn update(&mut self, scene: &mut Scene<'_>, new: &Arc<Pod>, events: &[Event]) {
        let key = new.metadata.key();
        if self.in_flight.iter().any(|flight| flight.pod.is(&key)) {
            for event in events {
                self.remember(event);
            }
            return;
        }
        for heap in [&mut self.active, &mut self.backing_off, &mut self.backing_off_after_error] {
            if let Some(at) = heap.find(&key) {
                heap.update(at, |pod| pod.pod = Arc::clone(new));
                return;
            }
        }
        let Some(at) = position(&self.unschedulable, &key) else {
            self.add(scene, new);
            return;
        };
        let Some(pod) = self.unschedulable.get_mut(at) else { return };
        let pod = Arc::make_mut(pod);
        pod.pod = Arc::clone(new);
        if events.iter().any(|event| hint::is_worth_requeuing(pod, scene, event)) {
            let pod = self.unschedulable.remove(at);
            self.requeue(scene, Arc::unwrap_or_clone(pod));
        }
    }

    /// Takes a pod out for good (`Delete`).
    pub fn delete(&mut self, key: &ObjectKey) {
        for heap in [&mut self.active, &mut self.backing_off, &mut self.backing_off_after_error] {
            if let Some(at) = heap.find(key) {
                heap.remove(at);
                return;
            }
        }
        if let Some(at) = position(&self.unschedulable, key) {
            self.unschedulable.remove(at);
        }
    }

    // ---- attempts

    /// Takes the next pod out, and begins an attempt for it: the first active one, or else the first
    /// that backs off. None if there is neither (`Pop`).
    pub fn pop(&mut self) -> Option<Arc<QueuedPod>> {
        let mut pod = self.active.pop().or_else(|| self.backing_off.pop())?;
        Arc::make_mut(&mut pod).attempts += 1;
        self.in_flight.push(InFlight { pod: Arc::clone(&pod), events: Vec::new() });
        Some(pod)
    }

    /// The attempt of a pod ended well, or the pod is gone (`Done`).
    pub fn done(&mut self, key: &ObjectKey) {
        self.in_flight.retain(|flight| !flight.pod.is(key));
    }

    /// The attempt of a pod failed: `plugins` refused it, or none, and there was an error
    /// (`AddUnschedulableIfNotPresent`). `now` is the pod as it stands. Nothing happens if no attempt was begun.
    pub fn fail(&mut self, scene: &mut Scene<'_>, now: &Arc<Pod>, plugins: PluginSet) {
        let key = now.metadata.key();
        let Some(at) = self.in_flight.iter().position(|flight| flight.pod.is(&key)) else { return };
        let InFlight { pod, events } = self.in_flight.remove(at);
        let mut pod = Arc::unwrap_or_clone(pod);
        pod.pod = Arc::clone(now);
        pod.unschedulable_plugins = plugins;
        pod.timestamp = scene.now;
        if plugins.is_empty() {
            pod.consecutive_errors += 1;
        } else {
            pod.unschedulable_count += 1;
            pod.consecutive_errors = 0;
        }
        let retry = plugins.is_empty()
            || events.iter().any(|event| hint::is_worth_requeuing(&pod, scene, event));
        if retry {
            self.requeue(scene, pod);
        } else {
            self.unschedulable.push(Arc::new(pod));
        }
    }

    // ---- what happens meanwhile

    /// Something happened: wakes the unschedulable pods that it could help, of those that `concerns` says it
    /// concerns (`MoveAllToActiveOrBackoffQueue`).
    pub fn move_all(&mut self, scene: &mut Scene<'_>, event: &Event, concerns: Option<i32>) {
        for pod in core::mem::take(&mut self.unschedulable) {
            let in_question = concerns.is_none_or(|most| pod.pod.priority() <= most)
                && pod.gating_plugin.is_none_or(|plugin| hint::is_registered(plugin, event));
            if in_question && hint::is_worth_requeuing(&pod, scene, event) {
                self.requeue(scene, Arc::unwrap_or_clone(pod));
            } else {
                self.unschedulable.push(pod);
            }
        }
        self.remember(event);
    }

    /// Makes pods active whose backoff ended. To be called at whole seconds (`flushBackoffQCompleted`).
    pub fn flush_backoff(&mut self, now: Instant) {
        for heap in [&mut self.backing_off, &mut self.backing_off_after_error] {
            while heap.peek().is_some_and(|pod| !self.backoff.is_backing_off(pod, now)) {
                if let Some(pod) = heap.pop() {
                    self.active.push(pod);
                }
            }
        }
    }

    /// Wakes pods that have been unschedulable for more than five minutes. To be called every 30 seconds
    /// (`flushUnschedulablePodsLeftover`).
    pub fn flush_unschedulable(&mut self, scene: &mut Scene<'_>) {
        let mut any = false;
        for pod in core::mem::take(&mut self.unschedulable) {
            let late = scene.now.0.saturating_sub(pod.timestamp.0) > time::MAX_IN_UNSCHEDULABLE;
            any |= late;
            if late && pod.gating_plugin.is_none() {
                self.requeue(scene, Arc::unwrap_or_clone(pod));
            } else {
                self.unschedulable.push(pod);
            }
        }
        if any {
            self.remember(&Event::UnschedulableTimeout);
        }
    }

    /// Keeps an event for the pods in flight (`addEventIfAnyInFlight`).
    fn remember(&mut self, event: &Event) {
        for flight in &mut self.in_flight {
            flight.events.push(event.clone());
        }
    }

    /// Back to those that back off, or if the backoff ended, to the active ones
    /// (`requeuePodWithQueueingStrategy`).
    fn requeue(&mut self, scene: &Scene<'_>, pod: QueuedPod) {
        if !self.backoff.is_backing_off(&pod, scene.now) {
            self.move_to_active(scene, pod);
        } else if let Some(pod) = self.let_in(scene, pod) {
            let after_error = pod.unschedulable_plugins.is_empty();
            let heap =
                if after_error { &mut self.backing_off_after_error } else { &mut self.backing_off };
            heap.push(Arc::new(pod));
        }
    }

    fn move_to_active(&mut self, scene: &Scene<'_>, pod: QueuedPod) {
        if let Some(pod) = self.let_in(scene, pod) {
            self.active.push(Arc::new(pod));
        }
    }

    /// Asks the PreEnqueue plugins (`runPreEnqueuePlugins`). A pod that is not let in waits among the
    /// unschedulable ones.
    fn let_in(&mut self, scene: &Scene<'_>, mut pod: QueuedPod) -> Option<QueuedPod> {
        let gates = PluginId::SchedulingGates;
        let runs = scene
            .profile(&pod.pod)
            .is_some_and(|profile| profile.runs(gates, ExtensionPoint::PreEnqueue));
        if runs && !pod.pod.spec.scheduling_gates.is_empty() {
            pod.unschedulable_plugins.insert(gates);
            pod.gating_plugin = Some(gates);
            self.unschedulable.push(Arc::new(pod));
            return None;
        }
        pod.gating_plugin = None;
        Some(pod)
    }
}

fn position(pods: &[Arc<QueuedPod>], key: &ObjectKey) -> Option<usize> {
    pods.iter().position(|pod| pod.is(key))
}

#[cfg(test)]
mod tests;
