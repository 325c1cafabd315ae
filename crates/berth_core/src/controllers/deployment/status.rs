//! What the controller says of a Deployment, and whether its rollout gets on.
//!
//! Mirrors `calculateStatus` of `sync.go`, `progress.go` and the conditions of `deployment_util.go`.

use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;

use super::DeploymentController;
use super::revisions::object;
use super::scale::{available, max_unavailable, size_of, wanted};
use super::sync::Sets;
use crate::api::{Condition, Time, Workload, WorkloadStatus};
use crate::controllers::replica_set::FAILURE;
use crate::queue::time::SECOND;
use crate::simulation::server::{ApiError, Part};
use crate::simulation::{Context, WorkItem};

const PROGRESSING: &str = "Progressing";
const AVAILABLE: &str = "Available";
const COMPLETE: &str = "NewReplicaSetAvailable";
const TIMED_OUT: &str = "ProgressDeadlineExceeded";
const PAUSED: &str = "DeploymentPaused";

impl DeploymentController {
    /// Writes the status if it is another (`syncDeploymentStatus`).
    pub(super) fn sync_status(
        deployment: &Workload,
        sets: &Sets,
        context: &mut Context<'_>,
    ) -> Result<(), ApiError> {
        let status = calculate(deployment, sets, context.time());
        write(deployment, status, context)
    }

    /// The same during a rollout: it may get on, be over, or be late (`syncRolloutStatus`).
    pub(super) fn sync_rollout_status(
        deployment: &Workload,
        sets: &Sets,
        context: &mut Context<'_>,
    ) -> Result<(), ApiError> {
        let mut status = calculate(deployment, sets, context.time());
        if deadline(deployment).is_none() {
            status.conditions.retain(|condition| condition.kind != PROGRESSING);
        }
        let current = Condition::find(&deployment.status.conditions, PROGRESSING);
        let is_over = status.replicas == status.updated_replicas
            && current.is_some_and(|current| current.reason == COMPLETE);
        if !is_over && let Some(deadline) = deadline(deployment) {
            report_progress(deployment, sets, &mut status, deadline, context);
        }
        match failure(sets) {
            Some(failure) => set(&mut status.conditions, failure),
            None => status.conditions.retain(|condition| condition.kind != FAILURE),
        }
        if status == *deployment.status {
            check_later(deployment, &status, context);
            return Ok(());
        }
        write(deployment, status, context)
    }

    /// Notes that a Deployment was paused or goes on: meanwhile it cannot be late (`checkPausedConditions`).
    pub(super) fn note_pause(
        deployment: &mut Workload,
        context: &mut Context<'_>,
    ) -> Result<(), ApiError> {
        if deadline(deployment).is_none() {
            return Ok(());
        }
        let current = Condition::find(&deployment.status.conditions, PROGRESSING);
        let reason = current.map(|current| current.reason.clone()).unwrap_or_default();
        let (reason, words) = match (deployment.control.paused, &*reason) {
            (_, TIMED_OUT) | (true, PAUSED) => return Ok(()),
            (true, _) => (PAUSED, "Deployment is paused"),
            (false, PAUSED) => ("DeploymentResumed", "Deployment is resumed"),
            (false, _) => return Ok(()),
        };
        progressing(deployment, "Unknown", reason, words.to_owned(), context);
        context.server.update(object(deployment.clone()), Part::Status).map(drop)
    }
}

fn write(
    deployment: &Workload,
    status: WorkloadStatus,
    context: &mut Context<'_>,
) -> Result<(), ApiError> {
    if status == *deployment.status {
        return Ok(());
    }
    let mut updated = deployment.clone();
    updated.status = Arc::new(status);
    context.server.update(object(updated), Part::Status).map(drop)
}

/// Seconds after which a rollout that does not get on is late.
fn deadline(deployment: &Workload) -> Option<i32> {
    deployment.control.progress_deadline_seconds.filter(|seconds| *seconds != i32::MAX)
}

/// Puts a condition last, unless it has its status and reason already (`SetDeploymentCondition`).
fn set(conditions: &mut Vec<Condition>, mut new: Condition) {
    if let Some(known) = Condition::find(conditions, &new.kind) {
        if known.status == new.status && known.reason == new.reason {
            return;
        }
        if known.status == new.status {
            new.last_transition_time = known.last_transition_time;
        }
    }
    conditions.retain(|known| known.kind != new.kind);
    conditions.push(new);
}

fn condition(kind: &str, status: &str, reason: &str, message: String, now: Time) -> Condition {
    let last_transition_time = Some(now);
    Condition { message, last_transition_time, ..Condition::new(kind, status, reason) }
}

/// Sets what is said of a rollout, if it is new.
fn set_progress(status: &mut WorkloadStatus, new: Condition, now: Time) {
    let known = Condition::find(&status.conditions, PROGRESSING);
    if known.is_none_or(|known| known.status != new.status || known.reason != new.reason) {
        status.progressed = Some(now);
    }
    set(&mut status.conditions, new);
}

/// Says of a rollout how it is, if it has a deadline.
pub(super) fn progressing(
    deployment: &mut Workload,
    value: &str,
    reason: &str,
    message: String,
    context: &Context<'_>,
) {
    if deadline(deployment).is_some() {
        let now = context.time();
        let new = condition(PROGRESSING, value, reason, message, now);
        set_progress(Arc::make_mut(&mut deployment.status), new, now);
    }
}

/// Says of a rollout of which nothing is said that its ReplicaSet was found.
pub(super) fn note_found(deployment: &mut Workload, set: &Workload, context: &Context<'_>) {
    if Condition::find(&deployment.status.conditions, PROGRESSING).is_none() {
        let words = format!("Found new replica set \"{}\"", set.metadata.name);
        progressing(deployment, "True", "FoundNewReplicaSet", words, context);
    }
}

/// The status as the ReplicaSets have it (`calculateStatus`).
fn calculate(deployment: &Workload, sets: &Sets, now: Time) -> WorkloadStatus {
    let all = sets.all();
    let sum = |of: fn(&WorkloadStatus) -> i32| all.iter().map(|set| of(&set.status)).sum::<i32>();
    let available = available(&all);
    let terminating: Option<i32> = all
        .iter()
        .filter(|set| set.status.observed_generation != 0)
        .map(|set| set.status.terminating_replicas)
        .sum();
    let mut status = WorkloadStatus {
        observed_generation: deployment.metadata.generation,
        replicas: sum(|status| status.replicas),
        updated_replicas: sets.new.as_ref().map_or(0, |set| set.status.replicas),
        ready_replicas: sum(|status| status.ready_replicas),
        available_replicas: available,
        unavailable_replicas: (size_of(&all) - available).max(0),
        terminating_replicas: terminating,
        collision_count: deployment.status.collision_count,
        progressed: deployment.status.progressed,
        conditions: deployment.status.conditions.clone(),
        ..WorkloadStatus::default()
    };
    let (value, reason, words) = if available >= wanted(deployment) - max_unavailable(deployment) {
        ("True", "MinimumReplicasAvailable", "Deployment has minimum availability.")
    } else {
        ("False", "MinimumReplicasUnavailable", "Deployment does not have minimum availability.")
    };
    set(&mut status.conditions, condition(AVAILABLE, value, reason, words.to_owned(), now));
    status
}

/// Whether all pods are of the present template, available, and there are no others (`DeploymentComplete`).
pub(super) fn is_complete(deployment: &Workload, status: &WorkloadStatus) -> bool {
    let all = wanted(deployment);
    status.updated_replicas == all
        && status.replicas == all
        && status.available_replicas == all
        && status.observed_generation >= deployment.metadata.generation
}

/// Whether anything is better than it was (`DeploymentProgressing`).
fn gets_on(old: &WorkloadStatus, new: &WorkloadStatus) -> bool {
    new.updated_replicas > old.updated_replicas
        || new.replicas - new.updated_replicas < old.replicas - old.updated_replicas
        || new.ready_replicas > old.ready_replicas
        || new.available_replicas > old.available_replicas
}

fn report_progress(
    deployment: &Workload,
    sets: &Sets,
    status: &mut WorkloadStatus,
    deadline: i32,
    context: &Context<'_>,
) {
    let now = context.time();
    let who = match &sets.new {
        Some(new) => format!("ReplicaSet \"{}\"", new.metadata.name),
        None => format!("Deployment \"{}\"", deployment.metadata.name),
    };
    if is_complete(deployment, status) {
        let words = format!("{who} has successfully progressed.");
        set_progress(status, condition(PROGRESSING, "True", COMPLETE, words, now), now);
    } else if gets_on(&deployment.status, status) {
        let words = format!("{who} is progressing.");
        let mut new = condition(PROGRESSING, "True", "ReplicaSetUpdated", words, now);
        let current = Condition::find(&deployment.status.conditions, PROGRESSING);
        if let Some(current) = current {
            if current.status == "True" {
                new.last_transition_time = current.last_transition_time;
            }
            status.conditions.retain(|condition| condition.kind != PROGRESSING);
        }
        set_progress(status, new, now);
    } else if timed_out(status, deadline, context) {
        let words = format!("{who} has timed out progressing.");
        set_progress(status, condition(PROGRESSING, "False", TIMED_OUT, words, now), now);
    }
}

/// Whether nothing has got better for too long (`DeploymentTimedOut`).
fn timed_out(status: &WorkloadStatus, deadline: i32, context: &Context<'_>) -> bool {
    let current = Condition::find(&status.conditions, PROGRESSING);
    match current.map(|current| &*current.reason) {
        None | Some(COMPLETE) => false,
        Some(TIMED_OUT) => true,
        Some(_) => status.progressed.is_some_and(|since| {
            let late = context.server.instant_of(since).after(i64::from(deadline) * SECOND);
            late < context.now()
        }),
    }
}

/// Looks again when the rollout would be late (`requeueStuckDeployment`).
fn check_later(deployment: &Workload, status: &WorkloadStatus, context: &mut Context<'_>) {
    let Some(deadline) = deadline(deployment) else { return };
    let current = Condition::find(&deployment.status.conditions, PROGRESSING);
    let Some(current) = current else { return };
    if is_complete(deployment, status) || current.reason == TIMED_OUT {
        return;
    }
    let item = WorkItem::new(0, deployment.metadata.key());
    let since = deployment.status.progressed.unwrap_or_default();
    let late = context.server.instant_of(since).after(i64::from(deadline) * SECOND);
    if late < context.now().after(SECOND) {
        context.queue.add_rate_limited(context.now(), item);
    } else {
        context.queue.add_at(late.after(SECOND), item);
    }
}

/// What a ReplicaSet says of pods that it cannot make or delete: the new one goes first (`getReplicaFailures`).
fn failure(sets: &Sets) -> Option<Condition> {
    let of = |set: &Arc<Workload>| Condition::find(&set.status.conditions, FAILURE).cloned();
    sets.new.as_ref().and_then(of).or_else(|| sets.all().iter().find_map(of))
}
