//! One cycle, from the queue to the requests that it ends in.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::sync::Arc;
use alloc::vec::Vec;

use super::{Attempt, AttemptResult, Scheduler, State, Told};
use crate::api::{Condition, Kind, Object, ObjectKey, Pod};
use crate::apiserver::DeleteOptions;
use crate::explain::Explanation;
use crate::explain::outcome::{Found, Nomination, attempt, nomination, rejectors};
use crate::explain::post_filter::PreemptionNode;
use crate::queue::{ActionType, Event, PluginSet, QueuedPod, Scene};
use crate::simulation::server::{ApiError, Part, Server};

/// Why a pod is not scheduled, in a word (`PodReasonUnschedulable`).
const UNSCHEDULABLE: &str = "Unschedulable";
/// The same after an error (`PodReasonSchedulerError`).
const SCHEDULER_ERROR: &str = "SchedulerError";

impl Scheduler {
    /// Takes the next pod and attempts to schedule it.
    pub(super) fn cycle(&mut self, server: &mut Server) -> Told {
        let state = Arc::make_mut(&mut self.state);
        let Some(queued) = state.queue.pop() else { return Told::default() };
        let key = queued.pod.metadata.key();
        if queued.pod.metadata.deletion_timestamp.is_some() {
            state.queue.done(&key);
            let message = format!("skip schedule deleting pod: {key}");
            let result = AttemptResult::Skipped { message: message.clone() };
            let attempt = told(server, &queued, result);
            return Told { attempt: Some(attempt), failed: Some(message), preempted: Vec::new() };
        }
        let name = &queued.pod.spec.scheduler_name;
        let profile = self.profiles.iter().find(|profile| profile.scheduler_name == *name);
        let info = state.cluster.pod_named(&key).and_then(|idx| state.cluster.pod(idx)).cloned();
        let (Some(profile), Some(info)) = (profile, info) else {
            state.queue.done(&key);
            return Told::default();
        };
        match attempt(&mut state.cluster, profile, &info, self.seed) {
            Found::Node { name, ties } => self.bind(&queued, &name, ties, server),
            Found::Nothing(found) => self.fail(&queued, &found, server),
        }
    }

    fn bind(&mut self, queued: &QueuedPod, node: &str, ties: u32, server: &mut Server) -> Told {
        let state = Arc::make_mut(&mut self.state);
        let key = queued.pod.metadata.key();
        let uid = &queued.pod.metadata.uid;
        let mut placed = (*queued.pod).clone();
        placed.spec.node_name = node.into();
        placed.status.nominated_node_name.clear();
        state.cluster.put_pod(&Arc::new(placed));
        state.assumed.insert(uid.clone(), key.clone());
        match server.bind(&key, uid, node) {
            Ok(()) => {
                state.queue.done(&key);
                let result = AttemptResult::Bound { node: node.into(), ties };
                Told { attempt: Some(told(server, queued, result)), ..Told::default() }
            }
            Err(error) => self.not_bound(queued, node, &error, server),
        }
    }

    /// The API server refused to bind a pod: it is taken off its node again (`handleBindingCycleError`).
    fn not_bound(
        &mut self,
        queued: &QueuedPod,
        node: &str,
        error: &ApiError,
        server: &mut Server,
    ) -> Told {
        let now = server.now();
        let State { cluster, queue, assumed } = Arc::make_mut(&mut self.state);
        let key = queued.pod.metadata.key();
        assumed.remove(&queued.pod.metadata.uid);
        let placed = cluster.pod_named(&key).and_then(|idx| cluster.pod(idx)).cloned();
        cluster.put_pod(&queued.pod);
        let scene = &mut Scene { cluster, profiles: &self.profiles, now };
        let freed = Event::Pod { action: ActionType::DELETE, old: placed.map(Arc::new), new: None };
        queue.move_all(scene, &freed, None);
        queue.fail(scene, &queued.pod, PluginSet::default());
        let message = format!("running Bind plugin \"DefaultBinder\": {error}");
        mark(server, &queued.pod, SCHEDULER_ERROR, &message, None);
        let result = AttemptResult::NotBound { node: node.into(), message: message.clone() };
        Told {
            attempt: Some(told(server, queued, result)),
            failed: Some(message),
            preempted: Vec::new(),
        }
    }

    /// No node can take the pod: it goes back to the queue, and victims go if they can help.
    fn fail(&mut self, queued: &QueuedPod, found: &Explanation, server: &mut Server) -> Told {
        let now = server.now();
        let State { cluster, queue, .. } = Arc::make_mut(&mut self.state);
        let nomination = match self
            .profiles
            .iter()
            .find(|profile| profile.scheduler_name == queued.pod.spec.scheduler_name)
        {
            Some(profile) => nomination(found, profile, self.seed),
            None => Nomination::Clear,
        };
        let profiles = &self.profiles;
        queue.fail(&mut Scene { cluster, profiles, now }, &queued.pod, rejectors(found));
        let message = found.message.as_ref().or(found.error.as_ref()).cloned().unwrap_or_default();
        let reason = if found.error.is_some() { SCHEDULER_ERROR } else { UNSCHEDULABLE };
        let node = match nomination {
            Nomination::Keep => None,
            Nomination::Clear => Some(""),
            Nomination::To(candidate, _) => Some(&*candidate.name),
        };
        mark(server, &queued.pod, reason, &message, node);
        let mut told_of = Told { failed: Some(message.clone()), ..Told::default() };
        let result = if let Nomination::To(candidate, ties) = nomination {
            told_of.preempted = preempt(&queued.pod, candidate, server);
            let victims = told_of.preempted.iter().map(|(key, ..)| key.clone()).collect();
            let node = candidate.name.to_string();
            AttemptResult::Preempting { node, message, victims, ties }
        } else {
            AttemptResult::Unschedulable { message }
        };
        told_of.attempt = Some(told(server, queued, result));
        told_of
    }
}

/// Deletes the victims, and takes away the nominations of lower pods (`prepareCandidateAsync`). If every victim is
/// going already nothing happens.
fn preempt(
    pod: &Pod,
    candidate: &PreemptionNode,
    server: &mut Server,
) -> Vec<(ObjectKey, String, String)> {
    let mut preempted = Vec::new();
    if candidate.deleted().next().is_none() {
        return preempted;
    }
    for key in &candidate.cleared {
        // A pod that is gone has no nomination.
        let _ = server.patch(Kind::Pod, key, Part::Status, |object| {
            if let Object::Pod(pod) = object {
                Arc::make_mut(pod).status.nominated_node_name.clear();
            }
        });
    }
    let scheduler = &pod.spec.scheduler_name;
    let now = server.time();
    for key in candidate.deleted().map(|pod| pod.metadata.key()) {
        let marked = server.patch(Kind::Pod, &key, Part::Status, |object| {
            if let Object::Pod(victim) = object {
                let target = Condition {
                    message: format!(
                        "{scheduler}: preempting to accommodate a higher priority pod"
                    ),
                    ..Condition::new("DisruptionTarget", "True", "PreemptionByScheduler")
                };
                Condition::update(&mut Arc::make_mut(victim).status.conditions, target, now);
            }
        });
        if marked.is_ok() && server.delete(Kind::Pod, &key, &DeleteOptions::default()).is_ok() {
            let (uid, node) = (&pod.metadata.uid, &*candidate.name);
            let words = format!("Preempted by pod {uid} on node {node}");
            preempted.push((key.clone(), node.into(), words));
        }
    }
    preempted
}

fn told(server: &Server, queued: &QueuedPod, result: AttemptResult) -> Attempt {
    Attempt {
        at: server.now(),
        pod: queued.pod.metadata.key(),
        uid: queued.pod.metadata.uid.clone(),
        number: queued.attempts,
        result,
    }
}

/// Writes into a pod's status why it is not scheduled, and what it is nominated to if that is to change (`updatePod`).
fn mark(server: &mut Server, pod: &Pod, reason: &str, message: &str, nominated: Option<&str>) {
    let now = server.time();
    let condition =
        Condition { message: message.into(), ..Condition::new("PodScheduled", "False", reason) };
    let is_new = Condition::update(&mut pod.status.conditions.clone(), condition.clone(), now);
    let nominated = nominated.filter(|node| pod.status.nominated_node_name != **node);
    if !is_new && nominated.is_none() {
        return;
    }
    // A pod that is gone has no status.
    let _ = server.patch(Kind::Pod, &pod.metadata.key(), Part::Status, |object| {
        if let Object::Pod(pod) = object {
            let status = &mut Arc::make_mut(pod).status;
            Condition::update(&mut status.conditions, condition, now);
            if let Some(node) = nominated {
                status.nominated_node_name = node.into();
            }
        }
    });
}
