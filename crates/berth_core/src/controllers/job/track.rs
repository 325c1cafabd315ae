//! Pods that ended are written down, let go of, and counted; then the Job may be over.
//!
//! Mirrors `trackJobStatusAndRemoveFinalizers`. A pod stays in the API server until its end is written down, and its
//! end counts once it has been let go of: so none is counted twice, and none is lost.

use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;

use super::controller::JobController;
use super::policy;
use super::round::Round;
use super::sync::{FAILURE_TARGET, SUCCESS_CRITERIA_MET, ensure};
use super::{indexes::index_of, sync::condition};
use crate::api::{Condition, Object, ObjectKey, Pod, PodPhase, WorkloadStatus};
use crate::collections::Set;
use crate::controllers::at_once;
use crate::controllers::pod_control::involved;
use crate::simulation::Context;
use crate::simulation::objects::as_workload;
use crate::simulation::server::{ApiError, Part};

/// The most pods that are written down at a time (`MaxUncountedPods`).
const MOST: usize = 500;

/// Why a Job is over, in the words that events use.
const REASONS: [&str; 5] = [
    "PodFailurePolicy",
    "BackoffLimitExceeded",
    "DeadlineExceeded",
    "MaxFailedIndexesExceeded",
    "FailedIndexes",
];

impl JobController {
    pub(super) fn track(
        &mut self,
        round: &mut Round,
        is_news: bool,
        context: &mut Context<'_>,
    ) -> Result<(), ApiError> {
        if round.job.indexed {
            round.pods.sort_by_key(|pod| index_of(pod));
        }
        let mut tracked: Set<String> = round
            .pods
            .iter()
            .filter(|pod| round.is_tracked(pod))
            .map(|pod| pod.metadata.uid.clone())
            .collect();
        let mut is_news = count(round.status(), &tracked) || is_news;
        let (leaving, is_full) = write_down(round, &mut is_news);
        is_news |= note_indexes(round);
        is_news |= note_target(round, context);
        let key = round.job.metadata.key();
        if is_news {
            self.write(round, context)?;
            self.backoff.insert(key.clone(), round.backoff);
        }
        let released = self.release_all(&key, &leaving, context);
        for uid in &released.0 {
            tracked.remove(uid);
        }
        let is_news = count(round.status(), &tracked);
        if let Err(error) = released.1 {
            if is_news {
                self.write(round, context)?;
            }
            return Err(error);
        }
        let is_over = !is_full && finish(round, context);
        if is_news || is_over {
            self.write(round, context)?;
        }
        if is_over {
            self.tell_end(round, context);
        }
        Ok(())
    }

    /// Writes the Job's status.
    fn write(&mut self, round: &mut Round, context: &mut Context<'_>) -> Result<(), ApiError> {
        let object = Object::Workload(Arc::new(round.job.clone()));
        let written = context.server.update(object, Part::Status)?;
        let metadata = &round.job.metadata;
        self.consistency.wrote(&metadata.key(), &metadata.uid, &written);
        if let Some(job) = as_workload(&written) {
            round.job = (**job).clone();
        }
        Ok(())
    }

    /// Lets go of pods; gives the identities of those that it let go of (`removeTrackingFinalizerFromPods`).
    fn release_all(
        &mut self,
        job: &ObjectKey,
        pods: &[Arc<Pod>],
        context: &mut Context<'_>,
    ) -> (Vec<String>, Result<(), ApiError>) {
        let released = self.released.or_default(job.clone());
        for pod in pods {
            released.insert(pod.metadata.uid.clone());
        }
        let (mut done, mut outcome) = (Vec::new(), Ok(()));
        for pod in at_once(pods) {
            let uid = &pod.metadata.uid;
            let written = self.release(pod, context);
            if written.is_err() {
                self.release_observed(job, uid);
            }
            match written {
                Ok(()) | Err(ApiError::NotFound(..)) => done.push(uid.clone()),
                Err(error) => outcome = outcome.and(Err(error)),
            }
        }
        (done, outcome)
    }

    /// Tells that a Job is over (`recordJobFinished`).
    fn tell_end(&mut self, round: &Round, context: &mut Context<'_>) {
        let Some(finished) = &round.finished else { return };
        self.finished.insert(round.job.metadata.uid.clone());
        let about = || involved(&round.job);
        let (recorder, server) = (&mut self.recorder, &mut *context.server);
        if finished.kind != "Complete" {
            let reason = REASONS.into_iter().find(|reason| *reason == finished.reason);
            recorder.warning(server, about(), reason.unwrap_or("Failed"), finished.message.clone());
            return;
        }
        if round.job.completions.is_some_and(|completions| round.job.status.ended.0 > completions) {
            let message = "Too many succeeded pods running after completion count reached";
            recorder.warning(server, about(), "TooManySucceededPods", message.into());
        }
        recorder.normal(server, about(), "Completed", "Job completed".into());
    }
}

/// Whether the Job is over by now; then its status says so (`enactJobFinished`).
fn finish(round: &mut Round, context: &Context<'_>) -> bool {
    let Some(finished) = round.finished.clone() else { return false };
    let (good, bad) = &round.job.status.job.uncounted;
    if !good.is_empty() || !bad.is_empty() || round.terminating > 0 {
        return false;
    }
    let now = context.time();
    let status = round.status();
    if finished.kind == "Complete" {
        status.job.completion_time = Some(now);
    }
    ensure(&mut status.conditions, finished);
    true
}

/// Counts the pods that were written down and have been let go of since; true if there are any
/// (`cleanUncountedPodsWithoutFinalizers`).
fn count(status: &mut WorkloadStatus, tracked: &Set<String>) -> bool {
    let take = |uids: &mut Vec<String>| {
        let before = uids.len();
        uids.retain(|uid| tracked.contains(uid));
        (before - uids.len()) as i32
    };
    let good = take(&mut status.job.uncounted.0);
    let bad = take(&mut status.job.uncounted.1);
    status.ended.0 += good;
    status.ended.1 += bad;
    good + bad > 0
}

/// Writes down the pods that ended and that may be let go of; gives them, and whether there are more than can be
/// written down at a time.
fn write_down(round: &mut Round, is_news: &mut bool) -> (Vec<Arc<Pod>>, bool) {
    let mut leaving = Vec::new();
    let mut indexes = Vec::new();
    let mut is_full = false;
    let fails_all =
        round.finished.as_ref().is_some_and(|finished| finished.kind != SUCCESS_CRITERIA_MET);
    for pod in round.pods.clone() {
        let is_failed = round.is_failed(&pod);
        if !round.is_tracked(&pod) || !may_leave(round, &pod, is_failed) {
            continue;
        }
        let uid = pod.metadata.uid.clone();
        let index = round.index_in_range(&pod);
        let is_known_failure = round.uncounted.1.contains(&uid);
        if pod.status.phase == PodPhase::Succeeded && !is_known_failure {
            if round.job.indexed {
                if let Some(index) = index.filter(|index| !round.succeeded_before.has(*index)) {
                    indexes.push(index);
                    *is_news = true;
                }
            } else if !round.uncounted.0.contains(&uid) {
                round.status().job.uncounted.0.push(uid);
                *is_news = true;
            }
        } else if (is_failed || fails_all)
            && !is_known_failure
            && (!round.job.indexed || index.is_some())
            && policy::of_failed(&round.job.control.job.pod_failure_policy, &pod).counts
        {
            round.status().job.uncounted.1.push(uid);
            *is_news = true;
        }
        leaving.push(pod);
        let (good, bad) = &round.job.status.job.uncounted;
        if indexes.len() + good.len() + bad.len() >= MOST {
            is_full = true;
            break;
        }
    }
    round.succeeded_indexes = round.succeeded_indexes.with_indexes(indexes);
    (leaving, is_full)
}

/// Whether a pod may be let go of (`canRemoveFinalizer`): one that failed stays until its index is tried again.
fn may_leave(round: &Round, pod: &Pod, is_failed: bool) -> bool {
    let is_over = round.job.metadata.deletion_timestamp.is_some() || round.finished.is_some();
    if is_over || pod.status.phase == PodPhase::Succeeded {
        return true;
    }
    let is_awaited = index_of(pod)
        .and_then(|index| round.delayed.get(&index))
        .is_some_and(|last| last.metadata.uid == pod.metadata.uid);
    is_failed && !is_awaited
}

/// Notes which indexes succeeded and failed; true if that is news.
fn note_indexes(round: &mut Round) -> bool {
    if !round.job.indexed {
        return false;
    }
    let (completed, total) = (round.succeeded_indexes.text(), round.succeeded_indexes.total());
    let failed = round.failed_indexes.as_ref().map(super::indexes::Intervals::text);
    let status = round.status();
    status.ended.0 = total;
    let is_news = status.job.completed_indexes != completed || status.job.failed_indexes != failed;
    status.job.completed_indexes = completed;
    status.job.failed_indexes = failed;
    is_news
}

/// Notes that the Job is about to be over, and what it will be then; true if that is news.
fn note_target(round: &mut Round, context: &Context<'_>) -> bool {
    let Some(finished) = round.finished.clone() else { return false };
    let end = match &*finished.kind {
        FAILURE_TARGET => "Failed",
        SUCCESS_CRITERIA_MET => "Complete",
        _ => return false,
    };
    let is_known = end == "Complete"
        && Condition::find(&round.job.status.conditions, SUCCESS_CRITERIA_MET)
            .is_some_and(|known| known.status == "True");
    round.finished = Some(condition(end, &finished.reason, &finished.message, context));
    if !is_known {
        round.status().conditions.push(finished);
    }
    !is_known
}
