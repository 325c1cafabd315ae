//! What the controller does about one ReplicaSet.
//!
//! Mirrors `syncReplicaSet` and `manageReplicas`.

use alloc::sync::Arc;
use alloc::vec::Vec;
use core::cmp::Ordering;

use super::{KIND, ReplicaSetController};
use crate::api::{Object, ObjectKey, Pod, Selector, Workload};
use crate::controllers::availability::{is_active, is_terminating, next_available};
use crate::controllers::ownership::{claim_pods, is_controlled_by, pods_of};
use crate::controllers::waking::item;
use crate::controllers::{at_once, pod_control, ranking};
use crate::queue::time::SECOND;
use crate::simulation::Context;
use crate::simulation::server::ApiError;

/// The most pods that are made or deleted at a time (`BurstReplicas`).
const BURST: usize = 500;
/// How many pods are made in the first of ever larger batches (`SlowStartInitialBatchSize`).
const FIRST_BATCH: usize = 1;

impl ReplicaSetController {
    pub(super) fn sync_set(
        &mut self,
        key: &ObjectKey,
        context: &mut Context<'_>,
    ) -> Result<(), ApiError> {
        self.consistency.ensure_ready(key)?;
        let Some(set) = context.cache.workload(KIND, key).cloned() else {
            self.consistency.clear(key, "");
            self.expectations.remove(key);
            return Ok(());
        };
        let waits = !self.expectations.satisfied(key, context.now());
        let Ok(selector) = Selector::from_label_selector(set.selector.as_ref()) else {
            return Ok(());
        };
        let (active, others): (Vec<_>, Vec<_>) =
            pods_of(context.cache, &set, true).into_iter().partition(|pod| is_active(pod));
        let (uid, consistency) = (&set.metadata.uid, &mut self.consistency);
        let active = claim_pods(
            context,
            &set,
            &selector,
            active,
            |_| true,
            |object| {
                consistency.wrote(key, uid, object);
            },
        )?;
        let terminating = others.iter().filter(|pod| {
            is_terminating(pod)
                && is_controlled_by(&pod.metadata, uid)
                && selector.matches(&pod.metadata.labels)
        });
        let terminating = terminating.count();
        let managed = if waits || set.metadata.deletion_timestamp.is_some() {
            Ok(())
        } else {
            self.manage_replicas(&set, &active, context)
        };
        let updated = self.update_status(&set, &active, terminating, &managed, context)?;
        managed?;
        let seconds = updated.control.min_ready_seconds;
        let status = &updated.status;
        if seconds > 0 && status.ready_replicas != status.available_replicas {
            let latest = context.now().after(i64::from(seconds).saturating_mul(SECOND));
            let next = next_available(context.server, &active, seconds).unwrap_or(latest);
            context.queue.add_at(next, item(key));
        }
        Ok(())
    }

    fn manage_replicas(
        &mut self,
        set: &Arc<Workload>,
        active: &[Arc<Pod>],
        context: &mut Context<'_>,
    ) -> Result<(), ApiError> {
        let wanted = usize::try_from(set.replicas.unwrap_or_default()).unwrap_or(0);
        match active.len().cmp(&wanted) {
            Ordering::Less => self.create_pods(set, (wanted - active.len()).min(BURST), context),
            Ordering::Greater => {
                self.delete_pods(set, active, (active.len() - wanted).min(BURST), context)
            }
            Ordering::Equal => Ok(()),
        }
    }

    /// Makes pods in batches that double, and stops after the first batch in which one cannot be made
    /// (`slowStartBatch`).
    fn create_pods(
        &mut self,
        set: &Workload,
        count: usize,
        context: &mut Context<'_>,
    ) -> Result<(), ApiError> {
        let key = set.metadata.key();
        self.expectations.expect(&key, count, 0, context.now());
        let (mut left, mut made, mut batch) = (count, 0, FIRST_BATCH.min(count));
        let mut outcome = Ok(());
        while batch > 0 && outcome.is_ok() {
            for _ in 0..batch {
                let pod = pod_control::from_template(set);
                match pod_control::create(context, &mut self.recorder, set, pod) {
                    Ok(pod) => {
                        made += 1;
                        self.consistency.wrote(&key, &set.metadata.uid, &pod);
                    }
                    Err(error) => outcome = outcome.and(Err(error)),
                }
            }
            left -= batch;
            batch = (2 * batch).min(left);
        }
        for _ in made..count {
            self.expectations.creation_observed(&key);
        }
        outcome
    }

    fn delete_pods(
        &mut self,
        set: &Workload,
        active: &[Arc<Pod>],
        count: usize,
        context: &mut Context<'_>,
    ) -> Result<(), ApiError> {
        let key = set.metadata.key();
        let order = if count < active.len() {
            ranking::by_deletion(context.server, active, &related_pods(context, set))
        } else {
            active.to_vec()
        };
        let doomed: Vec<ObjectKey> =
            order.iter().take(count).map(|pod| pod.metadata.key()).collect();
        self.expectations.expect_deletions(&key, doomed.clone(), context.now());
        let mut outcome = Ok(());
        for pod in at_once(&doomed) {
            if let Err(error) = pod_control::delete(context, &mut self.recorder, set, pod) {
                self.expectations.deletion_observed(&key, pod);
                if !matches!(error, ApiError::NotFound(..)) {
                    outcome = outcome.and(Err(error));
                }
            }
        }
        outcome
    }
}

/// All pods that the ReplicaSets of the same owner select (`getIndirectlyRelatedPods`).
fn related_pods(context: &Context<'_>, set: &Workload) -> Vec<Arc<Pod>> {
    let Some(owner) = set.metadata.controller() else { return Vec::new() };
    let siblings =
        context.cache.workloads(KIND).filter(|other| is_controlled_by(&other.metadata, &owner.uid));
    let selectors: Vec<(Selector, &str)> = siblings
        .filter_map(|sibling| {
            let selector = Selector::from_label_selector(sibling.selector.as_ref()).ok()?;
            Some((selector, &*sibling.metadata.namespace))
        })
        .collect();
    let is_related = |pod: &&Arc<Pod>| {
        selectors.iter().any(|(selector, namespace)| {
            pod.metadata.namespace == *namespace && selector.matches(&pod.metadata.labels)
        })
    };
    context.cache.pods().filter(is_related).cloned().collect()
}

/// A ReplicaSet as an object.
pub(super) fn object(set: Workload) -> Object {
    Object::Workload(Arc::new(set))
}
