//! When the disruption controller computes a budget, and what it says and writes.
//!
//! Mirrors the event handlers and queues of `DisruptionController` (`pkg/controller/disruption/disruption.go`).
//! Deviation: of several budgets that select a pod the first by name is looked at, where the controller takes any.

use alloc::boxed::Box;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::sync::Arc;
use alloc::vec::Vec;

use super::{Mapping, Scale, Scales, Sync, sync};
use crate::api::field_error::quote;
use crate::api::{
    Condition, Kind, LabelSelector, Object, ObjectKey, Pod, PodDisruptionBudget, Selector,
    WorkloadKind,
};
use crate::controllers::recorder::{Involved, Recorder};
use crate::queue::Instant;
use crate::queue::time::SECOND;
use crate::simulation::controller::{Context, Controller};
use crate::simulation::objects::Objects;
use crate::simulation::server::{Action, ApiError, Change, Part};
use crate::simulation::work_queue::WorkItem;

/// Budgets to be computed.
const BUDGETS: u8 = 0;
/// Budgets to be computed again when a granted eviction ceases to count.
const RECHECK: u8 = 1;
/// Pods whose condition `DisruptionTarget` may have become stale.
const STALE: u8 = 2;

/// How long a pod is a disruption's target without being deleted, in nanoseconds (`stalePodDisruptionTimeout`).
const STALE_AFTER: i64 = 120 * SECOND;

const TARGET: &str = "DisruptionTarget";

/// The disruption controller.
#[derive(Clone, Debug, Default)]
pub struct Disruption {
    recorder: Recorder,
}

impl Controller for Disruption {
    fn watches(&self) -> &'static [Kind] {
        &[
            Kind::Pod,
            Kind::PodDisruptionBudget,
            Kind::Workload(WorkloadKind::ReplicationController),
            Kind::Workload(WorkloadKind::ReplicaSet),
            Kind::Workload(WorkloadKind::Deployment),
            Kind::Workload(WorkloadKind::StatefulSet),
        ]
    }

    fn observe(&mut self, change: &Change, context: &mut Context<'_>) {
        match &change.object {
            Object::PodDisruptionBudget(budget) => {
                context.queue.add(WorkItem::new(BUDGETS, budget.metadata.key()));
            }
            Object::Pod(pod) => {
                if let Some(budget) = self.budget_of(pod, context) {
                    context.queue.add(WorkItem::new(BUDGETS, budget));
                }
                if change.action != Action::Deleted
                    && let Some(at) = stale_at(pod, context)
                {
                    context.queue.add_at(at, WorkItem::new(STALE, pod.metadata.key()));
                }
            }
            _ => {}
        }
    }

    fn sync(&mut self, item: &WorkItem, context: &mut Context<'_>) -> Result<(), ApiError> {
        match item.queue {
            RECHECK => {
                let again = WorkItem::new(BUDGETS, item.key.clone());
                context.queue.add_rate_limited(context.server.now(), again);
                Ok(())
            }
            STALE => clear_stale(&item.key, context),
            _ => self.sync_budget(&item.key, context),
        }
    }

    fn clone_box(&self) -> Box<dyn Controller> {
        Box::new(self.clone())
    }
}

impl Disruption {
    /// The budget that a pod counts for (`getPdbForPod`).
    fn budget_of(&mut self, pod: &Pod, context: &mut Context<'_>) -> Option<ObjectKey> {
        let is_about = |budget: &&Arc<PodDisruptionBudget>| {
            budget.metadata.namespace == pod.metadata.namespace
                && Selector::from_label_selector(budget.selector.as_ref())
                    .is_ok_and(|selector| selector.matches(&pod.metadata.labels))
        };
        let mut budgets =
            context.cache.budgets().filter(is_about).map(|budget| budget.metadata.key());
        let first = budgets.next()?;
        if budgets.next().is_some() {
            let key = pod.metadata.key();
            let message = format!(
                "Pod {}/{} matches multiple PodDisruptionBudgets.  Chose {} arbitrarily.",
                quote(&key.namespace),
                quote(&key.name),
                quote(&first.name)
            );
            let object = Involved { kind: Kind::Pod, key, uid: pod.metadata.uid.clone() };
            let reason = "MultiplePodDisruptionBudgets";
            self.recorder.warning(context.server, object, reason, message);
        }
        Some(first)
    }

    fn sync_budget(&mut self, key: &ObjectKey, context: &mut Context<'_>) -> Result<(), ApiError> {
        let Some(budget) = context.cache.budget(key).map(Arc::clone) else { return Ok(()) };
        let pods = pods_of(&budget, context.cache);
        let object = Involved::new(&Object::PodDisruptionBudget(Arc::clone(&budget)));
        if pods.is_empty() {
            let message = "No matching pods found".to_string();
            self.recorder.normal(context.server, object.clone(), "NoPods", message);
        }
        let owners = Owners(context.cache);
        let mut selected = pods.iter().map(|pod| &**pod);
        let found = sync(&budget, &mut selected, &owners, context.server.moment(), Pod::is_ready);
        self.tell(&budget, &object, &found, &pods, context);
        if !found.updated {
            recheck(key, &found, context);
            return Ok(());
        }
        let mut new = (*budget).clone();
        new.status.clone_from(&found.status);
        context.server.update(Object::PodDisruptionBudget(Arc::new(new)), Part::Status)?;
        recheck(key, &found, context);
        Ok(())
    }

    /// The events of a computation.
    fn tell(
        &mut self,
        budget: &PodDisruptionBudget,
        object: &Involved,
        found: &Sync,
        pods: &[Arc<Pod>],
        context: &mut Context<'_>,
    ) {
        if let Some(error) = &found.failure {
            let message = format!("Failed to calculate the number of expected pods: {error}");
            let reason = "CalculateExpectedPodCountFailed";
            self.recorder.warning(context.server, object.clone(), reason, message);
            return;
        }
        if !found.unmanaged.is_empty() {
            let selector = printed(budget.selector.as_ref());
            let message = format!(
                "Pods selected by this PodDisruptionBudget (selector: {selector}) were found to be unmanaged. As a \
                 result, the status of the PDB cannot be calculated correctly, which may result in undefined \
                 behavior. To account for these pods please set \".spec.minAvailable\" field of the PDB to an integer \
                 value."
            );
            self.recorder.warning(context.server, object.clone(), "UnmanagedPods", message);
        }
        for pod in pods.iter().filter(|pod| found.overdue.contains(&pod.metadata.name)) {
            let namespace = &budget.metadata.namespace;
            // The controller names the namespace twice.
            let message = format!(
                "Pod was expected by PDB {namespace}/{namespace} to be deleted but it wasn't"
            );
            let pod = Involved::new(&Object::Pod(Arc::clone(pod)));
            self.recorder.warning(context.server, pod, "NotDeleted", message);
        }
    }
}

fn recheck(key: &ObjectKey, found: &Sync, context: &mut Context<'_>) {
    if let Some(at) = found.recheck {
        let at = context.server.instant_of(at);
        context.queue.add_at(at, WorkItem::new(RECHECK, key.clone()));
    }
}

fn pods_of(budget: &PodDisruptionBudget, cache: &Objects) -> Vec<Arc<Pod>> {
    let Ok(selector) = Selector::from_label_selector(budget.selector.as_ref()) else {
        return Vec::new();
    };
    let pods = cache.pods_in(&budget.metadata.namespace);
    pods.filter(|pod| selector.matches(&pod.metadata.labels)).map(Arc::clone).collect()
}

/// A selector as Go prints it.
fn printed(selector: Option<&LabelSelector>) -> String {
    let Some(selector) = selector else { return "nil".to_string() };
    let labels = selector.match_labels.iter().map(|(key, value)| format!("{key}: {value},"));
    let requirements = selector.match_expressions.iter().map(|requirement| {
        let (key, operator) = (&requirement.key, &requirement.operator);
        let values = requirement.values.join(" ");
        format!("LabelSelectorRequirement{{Key:{key},Operator:{operator},Values:[{values}],}},")
    });
    format!(
        "&LabelSelector{{MatchLabels:map[string]string{{{}}},MatchExpressions:[]LabelSelectorRequirement{{{}}},}}",
        labels.collect::<String>(),
        requirements.collect::<String>()
    )
}

/// When the condition of a pod that is to be disrupted, but is not being deleted, becomes stale; at once if it is.
fn stale_at(pod: &Pod, context: &Context<'_>) -> Option<Instant> {
    if pod.metadata.deletion_timestamp.is_some() || pod.status.phase.is_terminal() {
        return None;
    }
    let target = Condition::find(&pod.status.conditions, TARGET)?;
    if target.status != "True" || target.reason == "TerminationByKubelet" {
        return None;
    }
    let since = context.server.instant_of(target.last_transition_time.unwrap_or_default());
    Some(since.after(STALE_AFTER).max(context.now()))
}

/// Takes back a condition that has become stale (`syncStalePodDisruption`).
fn clear_stale(key: &ObjectKey, context: &mut Context<'_>) -> Result<(), ApiError> {
    let Some(pod) = context.cache.pod(key) else { return Ok(()) };
    let Some(at) = stale_at(pod, context) else { return Ok(()) };
    if at > context.now() {
        context.queue.add_at(at, WorkItem::new(STALE, key.clone()));
        return Ok(());
    }
    let mut pod = (**pod).clone();
    let condition = Condition::new(TARGET, "False", "");
    if Condition::update(&mut pod.status.conditions, condition, context.time()) {
        context.server.update(Object::Pod(Arc::new(pod)), Part::Status)?;
    }
    Ok(())
}

/// The workloads that the controller knows.
struct Owners<'o>(&'o Objects);

impl Scales for Owners<'_> {
    fn get(&self, group: &str, kind: &str, namespace: &str, name: &str) -> Option<Scale<'_>> {
        let of_group = |kind: WorkloadKind| {
            kind.api_version().rsplit_once('/').map_or("", |(group, _)| group) == group
        };
        let kind = WorkloadKind::ALL.iter().find(|known| known.as_str() == kind)?;
        let workload = self.0.workload(*kind, &ObjectKey::new(namespace, name))?;
        let metadata = &workload.metadata;
        of_group(*kind).then(|| Scale {
            uid: &metadata.uid,
            // `SetDefaults`: one, if nothing is said.
            replicas: workload.replicas.unwrap_or(1),
            controller: metadata.controller(),
        })
    }

    fn mapping(&self, group: &str, version: &str, kind: &str) -> Option<Mapping> {
        Mapping::built_in(group, version, kind)
    }
}
