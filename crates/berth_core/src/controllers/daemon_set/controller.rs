//! The DaemonSet controller.
//!
//! Mirrors `pkg/controller/daemon/daemon_controller.go`. Deviations: there are no ControllerRevisions, since a revision
//! follows from its template; nodes are looked at in order of their names.

use alloc::borrow::ToOwned;
use alloc::boxed::Box;
use alloc::format;
use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;

use super::rolling::roll;
use super::{add_tolerations, pin, should_run, target};
use crate::api::{
    Kind, LabelSelector, Node, Object, ObjectKey, Pod, PodPhase, PodSpec, Selector, Workload,
    WorkloadKind, WorkloadStatus,
};
use crate::collections::Map;
use crate::controllers::availability::is_available;
use crate::controllers::consistency::Consistency;
use crate::controllers::expectations::Expectations;
use crate::controllers::names::revision_hash;
use crate::controllers::ownership::{claim_pods, old_pod, pods_of, resolve};
use crate::controllers::pod_control::{self, involved};
use crate::controllers::recorder::Recorder;
use crate::controllers::waking::{self, enqueue, item};
use crate::controllers::{at_once, share};
use crate::queue::Instant;
use crate::queue::time::SECOND;
use crate::simulation::objects::as_workload;
use crate::simulation::server::{Action, ApiError, Part};
use crate::simulation::{Change, Context, Controller, WorkItem};

const KIND: WorkloadKind = WorkloadKind::DaemonSet;

/// Nodes that came or changed.
const NODES: u8 = 1;

/// The most pods that are made or deleted at a time (`BurstReplicas`).
const BURST: usize = 250;
/// How often a status is tried to be written again (`StatusUpdateRetries`).
const STATUS_RETRIES: usize = 1;
/// How long a node is left alone after a pod failed there, and how long at most, in nanoseconds.
const FAILED_BACKOFF: (i64, i64) = (SECOND, 15 * 60 * SECOND);
/// The label with the revision of a pod.
pub(super) const HASH_LABEL: &str = "controller-revision-hash";

/// The pods of a DaemonSet by the node that they are for.
pub(super) type ByNode = Map<String, Vec<Arc<Pod>>>;

/// The DaemonSet controller.
#[derive(Clone, Debug, Default)]
pub struct DaemonSetController {
    expectations: Expectations,
    consistency: Consistency,
    recorder: Recorder,
    /// How long a set leaves a node alone on which its pod failed, and since when.
    backoff: Map<(String, i64, String), (i64, Instant)>,
}

impl Controller for DaemonSetController {
    fn watches(&self) -> &'static [Kind] {
        &[Kind::Workload(KIND), Kind::Pod, Kind::Node]
    }

    fn observe(&mut self, change: &Change, context: &mut Context<'_>) {
        self.consistency.heard(change);
        let old = change.old.as_ref().filter(|_| change.action == Action::Modified);
        match (&change.object, change.action) {
            (Object::Workload(set), Action::Deleted) => {
                let key = set.metadata.key();
                self.consistency.clear(&key, &set.metadata.uid);
                self.expectations.remove(&key);
                enqueue(context, set);
            }
            (Object::Workload(set), _) => enqueue(context, set),
            (Object::Pod(pod), Action::Added) => self.pod_added(pod, context),
            (Object::Pod(pod), Action::Modified) => {
                if let Some(old) = old_pod(old) {
                    self.pod_updated(old, pod, context);
                }
            }
            (Object::Pod(pod), Action::Deleted) => self.pod_deleted(pod, context),
            (Object::Node(node), Action::Added | Action::Modified) => {
                let same = matches!(old, Some(Object::Node(old))
                    if old.metadata.labels == node.metadata.labels
                        && old.spec.taints == node.spec.taints);
                if !same {
                    context.queue.add(WorkItem::new(NODES, node.metadata.key()));
                }
            }
            _ => {}
        }
    }

    fn sync(&mut self, item: &WorkItem, context: &mut Context<'_>) -> Result<(), ApiError> {
        if item.queue == NODES {
            node_changed(&item.key.name, context);
            Ok(())
        } else {
            self.sync_set(&item.key, context)
        }
    }

    fn clone_box(&self) -> Box<dyn Controller> {
        Box::new(self.clone())
    }
}

/// Wakes the sets for which a node's change makes a difference (`syncNodeUpdate`).
fn node_changed(name: &str, context: &mut Context<'_>) {
    let Some(node) = context.cache.node(name) else { return };
    for set in context.cache.workloads(KIND) {
        let (starts, stays) = should_run(&daemon_spec(set), node);
        let is_own = |pod: &Arc<Pod>| {
            pod.spec.node_name == name
                && pod.metadata.namespace == set.metadata.namespace
                && pod.metadata.controller().is_some_and(|owner| {
                    owner.kind == KIND.as_str() && owner.name == set.metadata.name
                })
        };
        let runs = context.cache.pods().any(is_own);
        let misscheduled = set.status.scheduled.1 > 0;
        if (starts && !runs) || (runs && (!stays || misscheduled)) {
            context.queue.add(item(&set.metadata.key()));
        }
    }
}

/// The spec of a set's pods, with the tolerations that all daemon pods have.
pub(super) fn daemon_spec(set: &Workload) -> PodSpec {
    let mut spec = set.template.spec.clone();
    add_tolerations(&mut spec);
    spec
}

impl DaemonSetController {
    fn pod_added(&mut self, pod: &Arc<Pod>, context: &mut Context<'_>) {
        if pod.metadata.deletion_timestamp.is_some() {
            self.pod_deleted(pod, context);
        } else {
            waking::pod_added(context, KIND, pod, &mut self.expectations);
        }
    }

    fn pod_updated(&mut self, old: &Arc<Pod>, pod: &Arc<Pod>, context: &mut Context<'_>) {
        if pod.metadata.deletion_timestamp.is_some() {
            self.pod_deleted(pod, context);
        } else {
            waking::pod_updated(context, KIND, old, pod, 1);
        }
    }

    fn pod_deleted(&mut self, pod: &Arc<Pod>, context: &mut Context<'_>) {
        let Some(owner) = pod.metadata.controller() else { return };
        if let Some(set) = resolve(context.cache, KIND, &pod.metadata.namespace, owner) {
            self.expectations.deletion_counted(&set.metadata.key());
            enqueue(context, set);
        }
    }

    /// `syncDaemonSet`.
    fn sync_set(&mut self, key: &ObjectKey, context: &mut Context<'_>) -> Result<(), ApiError> {
        self.consistency.ensure_ready(key)?;
        let Some(set) = context.cache.workload(KIND, key).cloned() else {
            self.expectations.remove(key);
            self.consistency.clear(key, "");
            return Ok(());
        };
        if set.selector.as_ref() == Some(&LabelSelector::default()) {
            let words = "This daemon set is selecting all pods. A non-empty selector is required.";
            let words = words.to_owned();
            self.recorder.warning(context.server, involved(&set), "SelectingAll", words);
            return Ok(());
        }
        if set.metadata.deletion_timestamp.is_some() {
            return Ok(());
        }
        let nodes: Vec<Arc<Node>> = context.cache.nodes().cloned().collect();
        let hash = revision_hash(&set);
        if !self.expectations.satisfied(key, context.now()) {
            return self.update_status(&set, &nodes, &hash, false, context);
        }
        let updated = self.update(&set, &nodes, &hash, context);
        let status = self.update_status(&set, &nodes, &hash, true, context);
        updated.and(status)
    }

    /// `updateDaemonSet`.
    fn update(
        &mut self,
        set: &Arc<Workload>,
        nodes: &[Arc<Node>],
        hash: &str,
        context: &mut Context<'_>,
    ) -> Result<(), ApiError> {
        self.manage(set, nodes, hash, context)?;
        let rolls = set.update_strategy.as_ref().is_none_or(|s| s.kind == "RollingUpdate");
        if rolls && self.expectations.satisfied(&set.metadata.key(), context.now()) {
            let by_node = self.pods_by_node(set, context)?;
            let plan = roll(set, nodes, &by_node, hash, context);
            self.carry_out(set, &plan.delete, &plan.create, hash, context)?;
        }
        Ok(())
    }

    /// The set's pods by the node that they run on or are for (`getNodesToDaemonPods`).
    fn pods_by_node(
        &mut self,
        set: &Workload,
        context: &mut Context<'_>,
    ) -> Result<ByNode, ApiError> {
        let mut by_node = ByNode::default();
        let Ok(selector) = Selector::from_label_selector(set.selector.as_ref()) else {
            return Ok(by_node);
        };
        let (key, uid) = (set.metadata.key(), &set.metadata.uid);
        let consistency = &mut self.consistency;
        let all = pods_of(context.cache, set, true);
        let claimed = claim_pods(
            context,
            set,
            &selector,
            all,
            |_| true,
            |object| {
                consistency.wrote(&key, uid, object);
            },
        )?;
        for pod in claimed {
            let is_over =
                pod.status.phase.is_terminal() && pod.metadata.deletion_timestamp.is_some();
            if let Some(node) = target(&pod).filter(|_| !is_over) {
                by_node.or_default(node.to_owned()).push(Arc::clone(&pod));
            }
        }
        Ok(by_node)
    }

    /// Makes pods where they are missing, and deletes those that should not be there (`manage`).
    fn manage(
        &mut self,
        set: &Arc<Workload>,
        nodes: &[Arc<Node>],
        hash: &str,
        context: &mut Context<'_>,
    ) -> Result<(), ApiError> {
        let by_node = self.pods_by_node(set, context)?;
        let spec = daemon_spec(set);
        let (mut delete, mut create) = (Vec::new(), Vec::new());
        for node in nodes {
            let name = &node.metadata.name;
            let (starts, stays) = should_run(&spec, node);
            let Some(pods) = by_node.get(name) else {
                if starts {
                    create.push(name.clone());
                }
                continue;
            };
            if stays {
                let running = self.running(set, name, pods, &mut delete, context);
                if may_surge(set) && running.is_empty() && starts {
                    create.push(name.clone());
                }
                delete.extend(excess(set, &running, hash, context));
            } else {
                let there = pods.iter().filter(|pod| pod.metadata.deletion_timestamp.is_none());
                delete.extend(there.map(|pod| pod.metadata.name.clone()));
            }
        }
        // Nobody else takes away a pod that waits for a node that is not there.
        let is_known = |name: &str| nodes.iter().any(|node| node.metadata.name == name);
        for (_, pods) in by_node.iter().filter(|(node, _)| !is_known(node)) {
            let waiting = pods.iter().filter(|pod| pod.spec.node_name.is_empty());
            delete.extend(waiting.map(|pod| pod.metadata.name.clone()));
        }
        self.carry_out(set, &delete, &create, hash, context)
    }

    /// The pods of a node that are well; those that have ended are to be deleted.
    fn running(
        &mut self,
        set: &Workload,
        node: &str,
        pods: &[Arc<Pod>],
        delete: &mut Vec<String>,
        context: &mut Context<'_>,
    ) -> Vec<Arc<Pod>> {
        let mut running = Vec::new();
        for pod in pods.iter().filter(|pod| pod.metadata.deletion_timestamp.is_none()) {
            let name = &pod.metadata.name;
            let found = |how, then| {
                let key = pod.metadata.key();
                format!("Found {how} daemon pod {key} on node {node}, will try to {then} it")
            };
            match pod.status.phase {
                PodPhase::Failed => {
                    if let Some(delay) = self.back_off(set, node, context.now()) {
                        let at = context.now().after(delay);
                        context.queue.add_at(at, item(&set.metadata.key()));
                        continue;
                    }
                    let words = found("failed", "kill");
                    self.recorder.warning(context.server, involved(set), "FailedDaemonPod", words);
                    delete.push(name.clone());
                }
                PodPhase::Succeeded => {
                    let (reason, words) = ("SucceededDaemonPod", found("succeeded", "delete"));
                    self.recorder.normal(context.server, involved(set), reason, words);
                    delete.push(name.clone());
                }
                _ => running.push(Arc::clone(pod)),
            }
        }
        running
    }

    /// How long a node is still left alone; none if it is not, and it will be longer the next time.
    fn back_off(&mut self, set: &Workload, node: &str, now: Instant) -> Option<i64> {
        let key = (set.metadata.uid.clone(), set.status.observed_generation, String::from(node));
        let (first, most) = FAILED_BACKOFF;
        let known = self.backoff.get(&key).copied();
        let passed = known.map_or(i64::MAX, |(_, since)| now.0.saturating_sub(since.0));
        if let Some((delay, _)) = known.filter(|(delay, _)| passed < *delay) {
            return Some(delay);
        }
        // After twice the longest time all is forgotten.
        let next = known.filter(|_| passed <= 2 * most).map_or(first, |(d, _)| (2 * d).min(most));
        self.backoff.insert(key, (next, now));
        None
    }

    /// Deletes these pods and makes pods for these nodes (`syncNodes`).
    fn carry_out(
        &mut self,
        set: &Arc<Workload>,
        delete: &[String],
        create: &[String],
        hash: &str,
        context: &mut Context<'_>,
    ) -> Result<(), ApiError> {
        let key = set.metadata.key();
        let create = create.get(..BURST).unwrap_or(create);
        let delete = delete.get(..BURST).unwrap_or(delete);
        self.expectations.expect(&key, create.len(), delete.len(), context.now());
        let mut outcome = Ok(());
        let (mut rest, mut batch) = (create, 1);
        while !rest.is_empty() && outcome.is_ok() {
            let (now, later) = rest.split_at(batch.min(rest.len()));
            for node in at_once(now) {
                match pod_control::create(
                    context,
                    &mut self.recorder,
                    set,
                    daemon_pod(set, node, hash),
                ) {
                    Ok(pod) => self.consistency.wrote(&key, &set.metadata.uid, &pod),
                    Err(error) => {
                        self.expectations.creation_observed(&key);
                        outcome = outcome.and(Err(error));
                    }
                }
            }
            (rest, batch) = (later, 2 * batch);
        }
        for _ in rest {
            self.expectations.creation_observed(&key);
        }
        for name in at_once(delete) {
            let pod = ObjectKey::new(key.namespace.clone(), name.clone());
            if let Err(error) = pod_control::delete(context, &mut self.recorder, set, &pod) {
                self.expectations.deletion_counted(&key);
                if !matches!(error, ApiError::NotFound(..)) {
                    outcome = outcome.and(Err(error));
                }
            }
        }
        outcome
    }

    /// `updateDaemonSetStatus`.
    fn update_status(
        &mut self,
        set: &Arc<Workload>,
        nodes: &[Arc<Node>],
        hash: &str,
        processed: bool,
        context: &mut Context<'_>,
    ) -> Result<(), ApiError> {
        let by_node = self.pods_by_node(set, context)?;
        let mut status = calculate(set, nodes, &by_node, hash, context);
        let key = set.metadata.key();
        let seconds = i64::from(set.control.min_ready_seconds);
        let unsettled = seconds > 0 && status.ready_replicas != status.available_replicas;
        let generation = set.metadata.generation;
        if status != *set.status || set.status.observed_generation < generation {
            if processed {
                status.observed_generation = generation;
            }
            let written = write_status(set, status, context)?;
            self.consistency.wrote(&key, &set.metadata.uid, &written);
        }
        if unsettled {
            let at = context.now().after(seconds.saturating_mul(SECOND));
            context.queue.add_at(at, item(&key));
        }
        Ok(())
    }
}

/// Writes a status, once more on the set as it is by then if it has changed (`storeDaemonSetStatus`).
fn write_status(
    set: &Arc<Workload>,
    status: WorkloadStatus,
    context: &mut Context<'_>,
) -> Result<Object, ApiError> {
    let status = Arc::new(status);
    let mut updated = (**set).clone();
    let mut retries = 0;
    loop {
        updated.status = Arc::clone(&status);
        let object = Object::Workload(Arc::new(updated));
        match context.server.update(object, Part::Status) {
            Err(_) if retries < STATUS_RETRIES => retries += 1,
            written => return written,
        }
        let fresh = context.server.get(Kind::Workload(KIND), &set.metadata.key())?;
        updated = (**as_workload(&fresh).unwrap_or(set)).clone();
    }
}

fn calculate(
    set: &Workload,
    nodes: &[Arc<Node>],
    by_node: &ByNode,
    hash: &str,
    context: &Context<'_>,
) -> WorkloadStatus {
    let spec = daemon_spec(set);
    let mut status = WorkloadStatus {
        replicas: 0,
        ready_replicas: 0,
        available_replicas: 0,
        updated_replicas: 0,
        scheduled: (0, 0),
        ..(*set.status).clone()
    };
    for node in nodes {
        let pods = by_node.get(&node.metadata.name).map(Vec::as_slice).unwrap_or_default();
        if !should_run(&spec, node).0 {
            status.scheduled.1 += i32::from(!pods.is_empty());
            continue;
        }
        status.scheduled.0 += 1;
        let Some(pod) = by_age(pods).into_iter().next() else { continue };
        status.replicas += 1;
        status.ready_replicas += i32::from(pod.is_ready());
        let available = is_available(context.server, &pod, set.control.min_ready_seconds);
        status.available_replicas += i32::from(available);
        status.updated_replicas += i32::from(is_updated(&pod, hash));
    }
    status.unavailable_replicas = status.scheduled.0 - status.available_replicas;
    status
}

/// Whether a pod is of this revision (`IsPodUpdated`).
pub(super) fn is_updated(pod: &Pod, hash: &str) -> bool {
    !hash.is_empty() && pod.metadata.labels.get(HASH_LABEL).is_some_and(|label| label == hash)
}

/// Pods with a node first, then the older (`podByCreationTimestampAndPhase`).
fn by_age(pods: &[Arc<Pod>]) -> Vec<Arc<Pod>> {
    let mut pods = pods.to_vec();
    pods.sort_by(|a, b| {
        let keys = |pod: &Pod| (pod.spec.node_name.is_empty(), pod.metadata.creation_timestamp);
        keys(a).cmp(&keys(b)).then_with(|| a.metadata.name.cmp(&b.metadata.name))
    });
    pods
}

/// Whether a node may have two pods for a while (`AllowsSurge`).
fn may_surge(set: &Workload) -> bool {
    surge(set, 1) > 0
}

/// How many nodes may have two pods (`SurgeCount`).
pub(super) fn surge(set: &Workload, nodes: i32) -> i32 {
    let strategy = set.update_strategy.as_ref().filter(|strategy| strategy.kind == "RollingUpdate");
    strategy.map_or(0, |strategy| share(strategy.max_surge.as_ref(), nodes, true))
}

/// The names of pods that are too many on their node.
fn excess(set: &Workload, running: &[Arc<Pod>], hash: &str, context: &Context<'_>) -> Vec<String> {
    let ordered = by_age(running);
    let name = |pod: &Arc<Pod>| pod.metadata.name.clone();
    if !may_surge(set) {
        return ordered.iter().skip(1).map(name).collect();
    }
    if ordered.len() <= 1 {
        return Vec::new();
    }
    // One of each revision may be there, the new one until it is available.
    let (new, old): (Vec<_>, Vec<_>) = ordered.iter().partition(|pod| is_updated(pod, hash));
    let mut excess: Vec<String> = ordered
        .iter()
        .filter(|pod| !is_first(pod, &new) && !is_first(pod, &old))
        .map(name)
        .collect();
    if let (Some(new), Some(old)) = (new.first(), old.first()) {
        let seconds = set.control.min_ready_seconds;
        if !old.is_ready() || is_available(context.server, new, seconds) {
            excess.push(name(old));
        }
    }
    excess
}

fn is_first(pod: &Arc<Pod>, pods: &[&Arc<Pod>]) -> bool {
    pods.first().is_some_and(|first| Arc::ptr_eq(first, pod))
}

/// A set's pod for a node.
fn daemon_pod(set: &Workload, node: &str, hash: &str) -> Pod {
    let mut pod = pod_control::from_template(set);
    pod.spec = daemon_spec(set);
    pin(&mut pod.spec, node);
    if !hash.is_empty() {
        pod.metadata.labels.insert(HASH_LABEL.to_owned(), hash.to_owned());
    }
    pod
}
