//! What the controller says of a ReplicaSet.
//!
//! Mirrors `pkg/controller/replicaset/replica_set_utils.go`.

use alloc::format;
use alloc::sync::Arc;

use super::{KIND, ReplicaSetController, sync::object};
use crate::api::{Condition, Kind, Pod, Workload, WorkloadStatus};
use crate::controllers::availability::is_available;
use crate::simulation::Context;
use crate::simulation::objects::as_workload;
use crate::simulation::server::{ApiError, Part};

/// The condition of a ReplicaSet that cannot make or delete pods.
pub(in crate::controllers) const FAILURE: &str = "ReplicaFailure";

impl ReplicaSetController {
    /// Writes the status if it is another, and gives the ReplicaSet as it is then (`updateReplicaSetStatus`).
    pub(super) fn update_status(
        &mut self,
        set: &Arc<Workload>,
        active: &[Arc<Pod>],
        terminating: usize,
        managed: &Result<(), ApiError>,
        context: &mut Context<'_>,
    ) -> Result<Arc<Workload>, ApiError> {
        let key = set.metadata.key();
        let mut status = calculate(set, active, terminating, managed, context);
        // What is observed of another generation is not compared with its number.
        status.observed_generation = set.status.observed_generation;
        let is_current = set.metadata.generation == set.status.observed_generation;
        if is_current && status == *set.status {
            self.consistency.wrote(&key, &set.metadata.uid, &object((**set).clone()));
            return Ok(Arc::clone(set));
        }
        status.observed_generation = set.metadata.generation;
        let status = Arc::new(status);
        let mut updated = (**set).clone();
        updated.status = Arc::clone(&status);
        let written = if let Ok(written) = context.server.update(object(updated), Part::Status) {
            written
        } else {
            // Once more, with the ReplicaSet as it is by now.
            let fresh = context.server.get(Kind::Workload(KIND), &key)?;
            let mut fresh = (**as_workload(&fresh).unwrap_or(set)).clone();
            fresh.status = status;
            context.server.update(object(fresh), Part::Status)?
        };
        self.consistency.wrote(&key, &set.metadata.uid, &written);
        Ok(as_workload(&written).map_or_else(|| Arc::clone(set), Arc::clone))
    }
}

/// The status as the pods have it (`calculateStatus`).
fn calculate(
    set: &Workload,
    active: &[Arc<Pod>],
    terminating: usize,
    managed: &Result<(), ApiError>,
    context: &Context<'_>,
) -> WorkloadStatus {
    let mut status = (*set.status).clone();
    let count = |is: &dyn Fn(&Pod) -> bool| active.iter().filter(|pod| is(pod)).count() as i32;
    let seconds = set.control.min_ready_seconds;
    status.replicas = active.len() as i32;
    status.fully_labeled_replicas = count(&|pod| {
        let labels = &pod.metadata.labels;
        set.template.labels.iter().all(|(key, value)| labels.get(key) == Some(value))
    });
    status.ready_replicas = count(&Pod::is_ready);
    status.available_replicas = count(&|pod| is_available(context.server, pod, seconds));
    status.terminating_replicas = Some(terminating as i32);
    let known = Condition::find(&status.conditions, FAILURE).is_some();
    match managed {
        Err(error) if !known => {
            let wanted = set.replicas.unwrap_or_default();
            let reason = match status.replicas.cmp(&wanted) {
                core::cmp::Ordering::Less => "FailedCreate",
                core::cmp::Ordering::Greater => "FailedDelete",
                core::cmp::Ordering::Equal => "",
            };
            status.conditions.push(Condition {
                message: format!("{error}"),
                last_transition_time: Some(context.time()),
                ..Condition::new(FAILURE, "True", reason)
            });
        }
        Ok(()) if known => status.conditions.retain(|condition| condition.kind != FAILURE),
        _ => {}
    }
    status
}
