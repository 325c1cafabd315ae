//! What the controller does about one Job.
//!
//! Mirrors `syncJob`.

use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;

use super::backoff::Backoff;
use super::controller::{JobController, wake_at};
use super::indexes::{Intervals, all_failures_of, failures_of, index_of, indexes_of};
use super::round::Round;
use super::{KIND, backoff, is_finished, policy};
use crate::api::{Condition, ObjectKey, Pod, PodPhase, Selector, Workload};
use crate::collections::{Map, Set};
use crate::controllers::availability::{is_active, is_terminating};
use crate::controllers::ownership::{claim_pods, pods_of};
use crate::controllers::pod_control::{self, involved};
use crate::queue::Instant;
use crate::queue::time::SECOND;
use crate::simulation::Context;
use crate::simulation::server::ApiError;

/// A Job is about to fail.
pub(super) const FAILURE_TARGET: &str = "FailureTarget";
/// A Job is about to be complete.
pub(super) const SUCCESS_CRITERIA_MET: &str = "SuccessCriteriaMet";

impl JobController {
    pub(super) fn sync_job(
        &mut self,
        key: &ObjectKey,
        context: &mut Context<'_>,
    ) -> Result<(), ApiError> {
        self.consistency.ensure_ready(key)?;
        let Some(job) = context.cache.workload(KIND, key).cloned() else {
            self.expectations.remove(key);
            self.released.remove(key);
            self.consistency.clear(key, "");
            self.backoff.remove(key);
            return Ok(());
        };
        let uid = &job.metadata.uid;
        if is_finished(&job) {
            self.backoff.remove(key);
            self.consistency.clear(key, uid);
            self.finished.remove(uid);
            return Ok(());
        }
        if self.finished.contains(uid) {
            return Ok(());
        }
        let satisfied = self.expectations.satisfied(key, context.now());
        let pods = self.pods_for(&job, context)?;
        let mut round = self.round(&job, pods);
        let started = start(&mut round.job, context);
        judge_failures(&mut round, started, context);
        judge_indexes(&mut round, context);
        let (active, is_news, managed) = self.manage(&mut round, satisfied, context);
        let (ready, terminating) = (round.ready, Some(round.terminating));
        let status = round.status();
        let known = (status.replicas, status.ready_replicas, status.terminating_replicas);
        let is_news = is_news || known != (active, ready, terminating);
        status.replicas = active;
        status.ready_replicas = ready;
        status.terminating_replicas = terminating;
        self.track(&mut round, is_news, context)?;
        managed
    }

    /// The pods that are the Job's own (`getPodsForJob`).
    fn pods_for(
        &mut self,
        job: &Arc<Workload>,
        context: &mut Context<'_>,
    ) -> Result<Vec<Arc<Pod>>, ApiError> {
        let Ok(selector) = Selector::from_label_selector(job.selector.as_ref()) else {
            return Ok(Vec::new());
        };
        let pods = pods_of(context.cache, job, true);
        let (key, uid) = (job.metadata.key(), &job.metadata.uid);
        let consistency = &mut self.consistency;
        let wrote = |object: &_| consistency.wrote(&key, uid, object);
        let mut pods = claim_pods(context, job, &selector, pods, |_| true, wrote)?;
        for pod in &mut pods {
            // One that was just adopted is tracked, too.
            if pod.metadata.owner_references.iter().all(|owner| owner.uid != *uid) {
                Arc::make_mut(pod).metadata.job_tracking = true;
            }
        }
        Ok(pods)
    }

    fn round(&self, job: &Workload, pods: Vec<Arc<Pod>>) -> Round {
        let key = job.metadata.key();
        let active: Vec<Arc<Pod>> = pods.iter().filter(|pod| is_active(pod)).cloned().collect();
        let uncounted = &job.status.job.uncounted;
        let mut round = Round {
            succeeded: 0,
            failed: 0,
            finished: None,
            succeeded_before: Intervals::default(),
            succeeded_indexes: Intervals::default(),
            failed_indexes: None,
            backoff: Backoff::default(),
            delayed: Map::default(),
            job: job.clone(),
            ready: active.iter().filter(|pod| pod.is_ready()).count() as i32,
            terminating: pods.iter().filter(|pod| is_terminating(pod)).count() as i32,
            uncounted: (
                uncounted.0.iter().cloned().collect(),
                uncounted.1.iter().cloned().collect(),
            ),
            released: self.released.get(&key).cloned().unwrap_or_default(),
            active,
            pods,
        };
        let succeeded =
            round.uncounted_pods(&round.uncounted.0, |pod| pod.status.phase == PodPhase::Succeeded);
        let failed = round.uncounted_pods(&round.uncounted.1, |pod| round.is_failed(pod));
        let rules = &job.control.job.pod_failure_policy;
        let counted = failed.iter().filter(|pod| policy::of_failed(rules, pod).counts).count();
        let (good, bad) = job.status.ended;
        round.succeeded = good + (succeeded.len() + round.uncounted.0.len()) as i32;
        round.failed = bad + (counted + round.uncounted.1.len()) as i32;
        round.backoff =
            self.backoff.get(&key).copied().unwrap_or_default().after(&succeeded, &failed);
        round
    }

    /// Makes and deletes pods, and finds out whether the Job is complete: how many pods are active then, and whether
    /// its conditions are news.
    fn manage(
        &mut self,
        round: &mut Round,
        satisfied: bool,
        context: &mut Context<'_>,
    ) -> (i32, bool, Result<(), ApiError>) {
        let active = round.active.len() as i32;
        if round.finished.is_some() {
            let (deleted, outcome) = self.delete_active(round, context);
            if deleted != active || !satisfied {
                round.finished = None;
            }
            round.terminating += deleted;
            return (active - deleted, false, outcome);
        }
        let is_managed = satisfied && round.job.metadata.deletion_timestamp.is_none();
        let (active, outcome) =
            if is_managed { self.manage_job(round, context) } else { (active, Ok(())) };
        let complete = active == 0
            && match round.job.completions {
                None => round.succeeded > 0,
                Some(completions) => round.succeeded >= completions,
            };
        let mut is_news = false;
        if complete {
            let message = "Reached expected number of succeeded pods";
            round.finished =
                Some(condition(SUCCESS_CRITERIA_MET, "CompletionsReached", message, context));
        } else if is_managed {
            is_news = self.note_suspension(round, context);
        }
        (active, is_news, outcome)
    }

    /// Says whether the Job is suspended; true if that is news.
    fn note_suspension(&mut self, round: &mut Round, context: &mut Context<'_>) -> bool {
        let suspended = round.job.suspended;
        let (status, reason, event, message) = if suspended {
            ("True", "JobSuspended", "Suspended", "Job suspended")
        } else {
            ("False", "JobResumed", "Resumed", "Job resumed")
        };
        let note =
            Condition { status: status.into(), ..condition("Suspended", reason, message, context) };
        if !ensure(&mut round.status().conditions, note) {
            return false;
        }
        let about = involved(&round.job);
        self.recorder.normal(context.server, about, event, message.into());
        let now = context.time();
        round.status().start_time = (!suspended).then_some(now);
        true
    }

    /// Deletes all active pods; they stay until they are let go of (`deleteActivePods`). Gives how many went.
    fn delete_active(
        &mut self,
        round: &mut Round,
        context: &mut Context<'_>,
    ) -> (i32, Result<(), ApiError>) {
        let mut deleted = 0;
        let mut outcome = Ok(());
        let active = round.active.clone();
        for pod in crate::controllers::at_once(&active) {
            let key = pod.metadata.key();
            match pod_control::delete(context, &mut self.recorder, &round.job, &key) {
                Ok(()) | Err(ApiError::NotFound(..)) => deleted += 1,
                Err(error) => outcome = outcome.and(Err(error)),
            }
            round.ready -= i32::from(pod.is_ready());
        }
        (deleted, outcome)
    }
}

/// Whether the Job is over, by what was found before and by the limits on all failures and on time.
fn judge_failures(round: &mut Round, started: Option<Instant>, context: &mut Context<'_>) {
    let conditions = &round.job.status.conditions;
    let known = |kind| Condition::find(conditions, kind).filter(|known| known.status == "True");
    if let Some(met) = known(SUCCESS_CRITERIA_MET) {
        round.finished = Some(met.clone());
        return;
    }
    if let Some(target) = known(FAILURE_TARGET) {
        round.finished = Some(Condition { kind: "Failed".into(), ..target.clone() });
        return;
    }
    let rules = &round.job.control.job.pod_failure_policy;
    let mut failed = round.pods.iter().filter(|pod| round.is_failed(pod));
    let words = failed.find_map(|pod| policy::of_failed(rules, pod).fails_job);
    if let Some(message) = words {
        round.finished = Some(failure("PodFailurePolicy", &message, context));
        return;
    }
    let control = &round.job.control.job;
    let deadline = control.active_deadline_seconds.filter(|_| !round.job.suspended);
    let ends =
        started.zip(deadline).map(|(start, seconds)| start.after(seconds.saturating_mul(SECOND)));
    if round.failed > round.backoff_limit() {
        let message = "Job has reached the specified backoff limit";
        round.finished = Some(failure("BackoffLimitExceeded", message, context));
    } else if ends.is_some_and(|ends| ends <= context.now()) {
        let message = "Job was active longer than specified deadline";
        round.finished = Some(failure("DeadlineExceeded", message, context));
    } else if let Some(ends) = ends {
        wake_at(context, &round.job, ends);
    }
}

/// When the Job began, or begins now; never while it is suspended.
fn start(job: &mut Workload, context: &Context<'_>) -> Option<Instant> {
    if let Some(time) = job.status.start_time {
        return Some(context.server.instant_of(time));
    }
    if job.suspended {
        return None;
    }
    Arc::make_mut(&mut job.status).start_time = Some(context.time());
    Some(context.now())
}

/// What an indexed Job's pods have done, index by index, and whether it is over by that.
fn judge_indexes(round: &mut Round, context: &Context<'_>) {
    if !round.job.indexed {
        return;
    }
    let completions = round.completions();
    round.succeeded_before = Intervals::parse(&round.job.status.job.completed_indexes, completions);
    let succeeded = |pod: &&Arc<Pod>| pod.status.phase == PodPhase::Succeeded;
    let new: Vec<i32> = round.tracked_indexes(succeeded);
    round.succeeded_indexes = round.succeeded_before.with_indexes(new);
    round.succeeded = round.succeeded_indexes.total();
    if let Some(limit) = round.job.control.job.backoff_limit_per_index {
        let known = round.job.status.job.failed_indexes.as_deref().unwrap_or_default();
        let new = round.tracked_indexes(|pod| is_index_failed(round, pod, limit));
        let failed = Intervals::parse(known, completions).with_indexes(new);
        let done = failed.total().saturating_add(round.succeeded);
        let most = round.job.control.job.max_failed_indexes;
        if round.finished.is_none() {
            if most.is_some_and(|most| failed.total() > most) {
                let message = "Job has exceeded the specified maximal number of failed indexes";
                round.finished = Some(failure("MaxFailedIndexesExceeded", message, context));
            } else if failed.total() > 0 && done >= completions {
                let message = "Job has failed indexes";
                round.finished = Some(failure("FailedIndexes", message, context));
            }
        }
        round.failed_indexes = Some(failed);
        round.delayed = delayed(round);
    }
    if round.finished.is_none() {
        let rules = &round.job.control.job.success_policy;
        let met = policy::of_successes(rules, completions, &round.succeeded_indexes);
        round.finished =
            met.map(|words| condition(SUCCESS_CRITERIA_MET, "SuccessPolicy", &words, context));
    }
}

/// Whether a pod's index fails with it (`isIndexFailed`).
fn is_index_failed(round: &Round, pod: &Pod, limit: i32) -> bool {
    let verdict = policy::of_failed(&round.job.control.job.pod_failure_policy, pod);
    round.is_failed(pod)
        && (verdict.fails_index || (verdict.counts && failures_of(&pod.metadata) >= limit))
}

/// The last pod that failed of each index that is to be tried again (`getPodsWithDelayedDeletionPerIndex`).
fn delayed(round: &Round) -> Map<i32, Arc<Pod>> {
    let active = indexes_of(&round.active);
    let mut out: Map<i32, Arc<Pod>> = Map::default();
    for pod in round.uncounted_pods(&Set::new(), |pod| round.is_failed(pod)) {
        let Some(index) = index_of(&pod) else { continue };
        let is_failed = round.failed_indexes.as_ref().is_some_and(|failed| failed.has(index));
        if round.succeeded_indexes.has(index) || is_failed || active.contains(&index) {
            continue;
        }
        let is_last = out.get(&index).is_none_or(|last| {
            all_failures_of(&last.metadata) <= all_failures_of(&pod.metadata)
                && backoff::end_of(&pod) >= backoff::end_of(last)
        });
        if is_last {
            out.insert(index, pod);
        }
    }
    out
}

/// A condition that holds from now on.
pub(super) fn condition(
    kind: &str,
    reason: &str,
    message: &str,
    context: &Context<'_>,
) -> Condition {
    Condition {
        message: String::from(message),
        last_transition_time: Some(context.time()),
        ..Condition::new(kind, "True", reason)
    }
}

fn failure(reason: &str, message: &str, context: &Context<'_>) -> Condition {
    condition(FAILURE_TARGET, reason, message, context)
}

/// Notes a condition; one that does not hold only if it held before. True if that is news
/// (`ensureJobConditionStatus`).
pub(super) fn ensure(conditions: &mut Vec<Condition>, new: Condition) -> bool {
    let Some(known) = conditions.iter_mut().find(|known| known.kind == new.kind) else {
        let holds = new.status != "False";
        if holds {
            conditions.push(new);
        }
        return holds;
    };
    let differs =
        known.status != new.status || known.reason != new.reason || known.message != new.message;
    if differs {
        *known = new;
    }
    differs
}
