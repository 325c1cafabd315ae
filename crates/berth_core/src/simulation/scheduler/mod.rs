//! kube-scheduler: its queue, its cycles, and when it wakes.
//!
//! Mirrors `pkg/scheduler/{scheduler,schedule_one,eventhandlers}.go` around [`SchedulingQueue`] and the cycle. A cycle
//! takes a microsecond, and so does waking up: by then everything that led up to the instant has arrived. Binding and
//! the deletion of victims are side by side with the cycle in Kubernetes; they are requests of its instant here.

mod cycle;

use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;

use super::MICROSECOND;
use super::server::{Change, Server};
use super::watch::{SCHEDULER, Watch};
use crate::api::{Kind, Object, ObjectKey, Pod, WorkloadKind};
use crate::cluster::{Cluster, Refresh};
use crate::collections::Map;
use crate::explain::{Explanation, explain};
use crate::framework::config::Configuration;
use crate::framework::profile::Profile;
use crate::queue::time::{SECOND, UNSCHEDULABLE_FLUSH_INTERVAL};
use crate::queue::{Backoff, Instant, Place, QueueLengths, QueuedPod, Scene, SchedulingQueue};

/// The kinds that the scheduler hears of.
const WATCHED: [Kind; 7] = [
    Kind::Pod,
    Kind::Node,
    Kind::Namespace,
    Kind::PodDisruptionBudget,
    Kind::Service,
    Kind::Workload(WorkloadKind::ReplicaSet),
    Kind::Workload(WorkloadKind::StatefulSet),
];

/// What the scheduler does between two cycles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Rest {
    /// It has not begun.
    Off,
    /// It looks at its queue when this instant comes.
    Until(Instant),
    /// It waits to hear of a request, or for the next whole second.
    Waiting,
}

/// What happens to the scheduler by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Timer {
    /// It begins.
    Start,
    /// It looks at its queue.
    Look,
    /// Pods whose backoff ended become active.
    FlushBackoff,
    /// Pods that have been unschedulable for too long are tried again.
    FlushUnschedulable,
}

/// An attempt to schedule a pod, as it is told and kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attempt {
    /// When.
    pub at: Instant,
    /// The pod.
    pub pod: ObjectKey,
    /// Its identity.
    pub uid: String,
    /// The how manieth attempt for this pod it was, from 1.
    pub number: u32,
    /// What came of it.
    pub result: AttemptResult,
}

/// What came of an attempt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AttemptResult {
    /// The pod was bound.
    Bound {
        /// The node.
        node: String,
        /// How many nodes were equally good.
        ties: u32,
    },
    /// A node was found, but the API server refused to bind the pod.
    NotBound {
        /// The node.
        node: String,
        /// Kubernetes' text.
        message: String,
    },
    /// No node could take it, but one can once others are gone: it is nominated to that node.
    Preempting {
        /// The node.
        node: String,
        /// Kubernetes' text: why no node could take it.
        message: String,
        /// The pods that were deleted for it.
        victims: Vec<ObjectKey>,
        /// How many candidates were equally good.
        ties: u32,
    },
    /// No node could take it, or the scheduler could not work.
    Unschedulable {
        /// Kubernetes' text.
        message: String,
    },
    /// The pod is being deleted, so it is not scheduled.
    Skipped {
        /// Kubernetes' text.
        message: String,
    },
}

/// What the scheduler says of a cycle.
#[derive(Clone, Debug, Default)]
pub(super) struct Told {
    /// The attempt.
    pub(super) attempt: Option<Attempt>,
    /// The text of `FailedScheduling`, if it failed.
    pub(super) failed: Option<String>,
    /// The pods that it had deleted for the attempt's, each with its node and Kubernetes' text.
    pub(super) preempted: Vec<(ObjectKey, String, String)>,
}

/// What the scheduler knows: shared by copies until it changes.
#[derive(Clone, Debug)]
struct State {
    /// What it has heard of, and the pods that it placed.
    cluster: Cluster,
    queue: SchedulingQueue,
    /// Pods that it placed, by identity, until it hears that they are bound.
    assumed: Map<String, ObjectKey>,
}

/// The scheduler.
#[derive(Clone, Debug)]
pub struct Scheduler {
    state: Arc<State>,
    profiles: Arc<[Profile]>,
    seed: u64,
    watches: Vec<Watch>,
    rest: Rest,
    /// Whether there was a request that it has not woken up for.
    rung: bool,
}

impl Scheduler {
    pub(super) fn new(configuration: &Configuration, profiles: Vec<Profile>, seed: u64) -> Self {
        let backoff = Backoff::from_seconds(
            configuration.pod_initial_backoff_seconds,
            configuration.pod_max_backoff_seconds,
        );
        let state = State {
            cluster: Cluster::default(),
            queue: SchedulingQueue::new(backoff),
            assumed: Map::new(),
        };
        Self {
            state: Arc::new(state),
            profiles: profiles.into(),
            seed,
            watches: WATCHED.iter().map(|kind| Watch::new(*kind, SCHEDULER)).collect(),
            rest: Rest::Off,
            rung: false,
        }
    }

    /// The cluster as the scheduler knows it: pods that it just placed are on their nodes.
    pub fn cluster(&self) -> &Cluster {
        &self.state.cluster
    }

    /// Every pod in the queue with its place, and within a place in the order in which they would be scheduled.
    pub fn queue(&self) -> Vec<(Place, Arc<QueuedPod>)> {
        self.state.queue.pods()
    }

    /// How many pods wait where.
    pub fn lengths(&self) -> QueueLengths {
        self.scheduling_queue().lengths()
    }

    /// The queue itself.
    pub(crate) fn scheduling_queue(&self) -> &SchedulingQueue {
        &self.state.queue
    }

    /// The profile that a pod asks for.
    pub fn profile_of(&self, pod: &Pod) -> Option<&Profile> {
        let name = &pod.spec.scheduler_name;
        self.profiles.iter().find(|profile| profile.scheduler_name == *name)
    }

    /// What decides among nodes that are equally good.
    pub const fn seed(&self) -> u64 {
        self.seed
    }

    /// Why the pod that it would take next would go where it would go; none if it would take none.
    pub fn explain_next(&self) -> Option<Explanation> {
        let mut state = (*self.state).clone();
        state.cluster.update_snapshot(Refresh::Changed);
        let queued = state.queue.pop()?;
        let key = queued.pod.metadata.key();
        let info = state.cluster.pod_named(&key).and_then(|idx| state.cluster.pod(idx)).cloned()?;
        Some(explain(&mut state.cluster, self.profile_of(&queued.pod)?, &info))
    }

    /// When it hears of a write, if it does.
    pub(super) fn hear(&mut self, change: &Change) -> Option<Instant> {
        let kind = change.object.kind();
        let is_news = |object: Option<&Object>| match object {
            // Pods that are over are not watched.
            Some(Object::Pod(pod)) => !pod.status.phase.is_terminal(),
            object => object.is_some(),
        };
        if !is_news(change.present()) && !is_news(change.old.as_ref()) {
            return None;
        }
        let watch = self.watches.iter_mut().find(|watch| watch.kind() == kind)?;
        Some(watch.hear(change.at))
    }

    /// Hears of a write.
    pub(super) fn observe(&mut self, change: &Change, now: Instant) {
        let state = Arc::make_mut(&mut self.state);
        let (old, new) = (change.old.as_ref(), change.present());
        if let Object::Pod(pod) = &change.object {
            if !pod.spec.node_name.is_empty() || new.is_none() {
                state.assumed.remove(&pod.metadata.uid);
            } else if state.assumed.contains_key(&pod.metadata.uid) {
                // An older state of a pod that it has placed since.
                return;
            }
        }
        let is_over =
            |object: &Object| matches!(object, Object::Pod(pod) if pod.status.phase.is_terminal());
        match new.filter(|object| !is_over(object)) {
            Some(object) => state.cluster.put(object),
            None => {
                state.cluster.change_drop(change.object.kind(), &change.object.key());
            }
        }
        let State { cluster, queue, .. } = state;
        queue.handle(&mut Scene { cluster, profiles: &self.profiles, now }, old, new);
    }

    /// There was a request to the API server: somebody may have news.
    pub(super) fn ring(&mut self, now: Instant, mut plan: impl FnMut(Instant, Timer)) {
        if self.rest == Rest::Waiting {
            self.rest = Rest::Until(now.after(MICROSECOND));
            plan(now.after(MICROSECOND), Timer::Look);
        } else {
            self.rung = true;
        }
    }

    /// A timer goes off.
    pub(super) fn act(
        &mut self,
        timer: Timer,
        server: &mut Server,
        mut plan: impl FnMut(Instant, Timer),
    ) -> Told {
        let now = server.now();
        match timer {
            Timer::Start => {
                plan(now, Timer::FlushUnschedulable);
                plan(now.window().after(SECOND), Timer::FlushBackoff);
                self.sleep(now, plan);
            }
            Timer::FlushBackoff => {
                plan(now.after(SECOND), Timer::FlushBackoff);
                if !self.state.queue.is_empty() {
                    Arc::make_mut(&mut self.state).queue.flush_backoff(now);
                }
                // Its own timers wake it at whole seconds.
                if self.rest == Rest::Waiting {
                    self.sleep(now, plan);
                }
            }
            Timer::FlushUnschedulable => {
                plan(now.after(UNSCHEDULABLE_FLUSH_INTERVAL), Timer::FlushUnschedulable);
                if !self.state.queue.is_empty() {
                    let State { cluster, queue, .. } = Arc::make_mut(&mut self.state);
                    let profiles = &self.profiles;
                    queue.flush_unschedulable(&mut Scene { cluster, profiles, now });
                }
            }
            Timer::Look => return self.look(server, plan),
        }
        Told::default()
    }

    fn sleep(&mut self, now: Instant, mut plan: impl FnMut(Instant, Timer)) {
        let until = now.after(MICROSECOND);
        self.rest = Rest::Until(until);
        plan(until, Timer::Look);
    }

    fn look(&mut self, server: &mut Server, plan: impl FnMut(Instant, Timer)) -> Told {
        let now = server.now();
        if self.rest != Rest::Until(now) {
            return Told::default();
        }
        if !self.state.queue.has_next() {
            if core::mem::take(&mut self.rung) {
                self.sleep(now, plan);
            } else {
                self.rest = Rest::Waiting;
            }
            return Told::default();
        }
        Arc::make_mut(&mut self.state).cluster.update_snapshot(Refresh::Changed);
        let told = self.cycle(server);
        self.sleep(now, plan);
        told
    }
}
