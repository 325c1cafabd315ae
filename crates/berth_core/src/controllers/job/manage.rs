//! How many pods a Job has: those that are too many go, those that are missing are made.
//!
//! Mirrors `manageJob`. Deviation: of pods that are equally good to delete, names decide.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::cmp::{Ordering, Reverse};

use super::controller::{BATCH, JobController, wake_at};
use super::indexes::{
    FAILURES, IGNORED, INDEX, all_failures_of, failures_of, ignored_failures_of, index_of,
    indexes_of,
};
use super::round::Round;
use super::{backoff, policy};
use crate::api::Pod;
use crate::controllers::availability::{is_terminating, ready_since};
use crate::controllers::ranking::ordinal;
use crate::controllers::{at_once, pod_control};
use crate::simulation::Context;
use crate::simulation::server::ApiError;

/// The most pods that are made or deleted at a time (`MaxPodCreateDeletePerSync`).
const MOST: usize = 500;
/// The longest stem of a generated name.
const LONGEST_STEM: usize = 58;

impl JobController {
    /// Makes or deletes pods; gives how many are active then.
    pub(super) fn manage_job(
        &mut self,
        round: &mut Round,
        context: &mut Context<'_>,
    ) -> (i32, Result<(), ApiError>) {
        let active = round.active.len() as i32;
        let wanted = if round.job.suspended { 0 } else { wanted(round, active) };
        let excess = usize::try_from(active.saturating_sub(wanted)).unwrap_or(0);
        let mut doomed = for_removal(round, excess);
        if !round.job.suspended {
            doomed.truncate(MOST);
        }
        if round.job.suspended || !doomed.is_empty() {
            return self.delete_pods(round, &doomed, active, context);
        }
        let waiting_for = if round.replaces_failed_only() { round.terminating } else { 0 };
        let missing = wanted.saturating_sub(waiting_for).saturating_sub(active);
        match usize::try_from(missing) {
            Ok(missing) if missing > 0 => {
                self.create_pods(round, missing.min(MOST), active, context)
            }
            _ => (active, Ok(())),
        }
    }

    /// Deletes pods that do not count any more (`deleteJobPods`).
    fn delete_pods(
        &mut self,
        round: &mut Round,
        doomed: &[Arc<Pod>],
        active: i32,
        context: &mut Context<'_>,
    ) -> (i32, Result<(), ApiError>) {
        let key = round.job.metadata.key();
        self.expectations.expect(&key, 0, doomed.len(), context.now());
        let mut removed = doomed.len() as i32;
        let mut outcome = Ok(());
        for pod in at_once(doomed) {
            let target = pod.metadata.key();
            let deleted = self.release(pod, context).and_then(|()| {
                let deleted = pod_control::delete(context, &mut self.recorder, &round.job, &target);
                round.ready -= i32::from(pod.is_ready());
                deleted
            });
            if let Err(error) = deleted {
                self.expectations.deletion_counted(&key);
                if !matches!(error, ApiError::NotFound(..)) {
                    removed -= 1;
                    outcome = outcome.and(Err(error));
                }
            }
        }
        round.terminating += removed;
        (active - removed, outcome)
    }

    fn create_pods(
        &mut self,
        round: &mut Round,
        mut missing: usize,
        active: i32,
        context: &mut Context<'_>,
    ) -> (i32, Result<(), ApiError>) {
        let per_index = round.job.control.job.backoff_limit_per_index.is_some();
        let mut wait = if per_index { 0 } else { round.backoff.remaining(context.server) };
        let mut indexes = Vec::new();
        if wait == 0 && round.job.indexed {
            (indexes, wait) = indexes_to_make(round, missing, per_index, context);
            missing = indexes.len();
        }
        if wait > 0 {
            wake_at(context, &round.job, context.now().after(wait.max(BATCH)));
            return (active, Ok(()));
        }
        let key = round.job.metadata.key();
        self.expectations.expect(&key, missing, 0, context.now());
        let pods: Vec<(Pod, String)> = if round.job.indexed {
            indexes.iter().map(|index| indexed_pod(round, *index)).collect()
        } else {
            let stem = format!("{}-", round.job.metadata.name);
            (0..missing).map(|_| (new_pod(round), stem.clone())).collect()
        };
        let (mut made, mut tried, mut batch) = (0, 0, 1.min(missing));
        let mut outcome = Ok(());
        while batch > 0 && outcome.is_ok() {
            let next = pods.get(tried..tried + batch).unwrap_or_default();
            for (pod, stem) in at_once(next) {
                let pod = pod.clone();
                match pod_control::create_as(context, &mut self.recorder, &round.job, pod, stem) {
                    Ok(pod) => {
                        made += 1;
                        self.consistency.wrote(&key, &round.job.metadata.uid, &pod);
                    }
                    Err(error) => outcome = outcome.and(Err(error)),
                }
            }
            tried += batch;
            batch = (2 * batch).min(missing - tried);
        }
        for _ in made..missing {
            self.expectations.creation_observed(&key);
        }
        (active + made as i32, outcome)
    }
}

/// How many pods are to be active.
fn wanted(round: &Round, active: i32) -> i32 {
    let parallelism = round.job.replicas.unwrap_or(1);
    match round.job.completions {
        // One success is enough; the others run to their end.
        None if round.succeeded > 0 => active,
        None => parallelism,
        Some(completions) => completions.saturating_sub(round.succeeded).min(parallelism).max(0),
    }
}

/// The indexes for which pods are made now; if there are none, how long the first of them has to wait
/// (`firstPendingIndexes`, `getPodCreationInfoForIndependentIndexes`).
fn indexes_to_make(
    round: &Round,
    most: usize,
    per_index: bool,
    context: &Context<'_>,
) -> (Vec<i32>, i64) {
    let mut taken = round.succeeded_indexes.with_indexes(indexes_of(&round.active).iter().copied());
    if round.replaces_failed_only() {
        let going: Vec<Arc<Pod>> =
            round.pods.iter().filter(|pod| is_terminating(pod)).cloned().collect();
        taken = taken.with_indexes(indexes_of(&going).iter().copied());
    }
    if let Some(failed) = &round.failed_indexes {
        taken = taken.with(failed);
    }
    let missing = taken.missing(most, round.completions());
    if !per_index {
        return (missing, 0);
    }
    let wait = |index: &i32| {
        round.delayed.get(index).map_or(0, |pod| {
            let failures = all_failures_of(&pod.metadata).saturating_add(1);
            backoff::remaining(context.server, failures, Some(backoff::end_of(pod)))
        })
    };
    let now: Vec<i32> = missing.iter().copied().filter(|index| wait(index) == 0).collect();
    let first = if now.is_empty() { missing.iter().map(wait).min() } else { None };
    (now, first.unwrap_or(0))
}

fn new_pod(round: &Round) -> Pod {
    let mut pod = pod_control::from_template(&round.job);
    pod.metadata.job_tracking = true;
    pod
}

/// The pod of an index, and how its name begins (`podGenerateNameWithIndex`).
fn indexed_pod(round: &Round, index: i32) -> (Pod, String) {
    let mut pod = new_pod(round);
    let metadata = &mut pod.metadata;
    metadata.labels.insert(INDEX.into(), index.to_string());
    metadata.annotations.insert(INDEX.into(), index.to_string());
    if round.job.control.job.backoff_limit_per_index.is_some() {
        let (failures, ignored) = new_failures(round, index);
        metadata.annotations.insert(FAILURES.into(), failures.to_string());
        if ignored > 0 {
            metadata.annotations.insert(IGNORED.into(), ignored.to_string());
        }
    }
    let end = format!("-{index}-");
    let mut stem: String = round.job.metadata.name.clone();
    while stem.len() + end.len() > LONGEST_STEM {
        stem.pop();
    }
    (pod, stem + &end)
}

/// How often an index has failed, as its next pod notes it: failures that count, and those that do not
/// (`getNewIndexFailureCounts`).
fn new_failures(round: &Round, index: i32) -> (i32, i32) {
    let Some(failed) = round.delayed.get(&index) else { return (0, 0) };
    let counts = policy::of_failed(&round.job.control.job.pod_failure_policy, failed).counts;
    let more = |count: i32, is_one_more: bool| count.saturating_add(i32::from(is_one_more));
    let metadata = &failed.metadata;
    (more(failures_of(metadata), counts), more(ignored_failures_of(metadata), !counts))
}

/// The active pods that are to go: those with indexes that are not wanted or that another has, and so many others
/// (`activePodsForRemoval`).
fn for_removal(round: &Round, least: usize) -> Vec<Arc<Pod>> {
    let mut doomed = Vec::new();
    let mut left: Vec<Arc<Pod>> = round.active.clone();
    if round.job.indexed {
        left.clear();
        let mut pods = round.active.clone();
        pods.sort_by_key(|pod| index_of(pod));
        for group in pods.chunk_by(|a, b| index_of(a) == index_of(b)) {
            let is_wanted = group.first().is_some_and(|pod| round.index_in_range(pod).is_some());
            let mut group = group.to_vec();
            if is_wanted {
                group.sort_by(|a, b| by_deletion(a, b));
                left.extend(group.pop());
            }
            doomed.append(&mut group);
        }
    }
    if doomed.len() < least {
        left.sort_by(|a, b| by_deletion(a, b));
        left.truncate(least - doomed.len());
        doomed.append(&mut left);
    }
    doomed
}

/// Which of two pods goes first (`ActivePods`).
fn by_deletion(a: &Pod, b: &Pod) -> Ordering {
    let key =
        |pod: &Pod| (!pod.spec.node_name.is_empty(), ordinal(pod.status.phase), pod.is_ready());
    // One without a time is the younger.
    let young_first = |time| Reverse(time);
    let since = |pod: &Pod| young_first(ready_since(pod).map_or(i64::MAX, |time| time.0));
    let created =
        |pod: &Pod| young_first(pod.metadata.creation_timestamp.map_or(i64::MAX, |time| time.0));
    key(a)
        .cmp(&key(b))
        .then_with(|| {
            if a.is_ready() && b.is_ready() { since(a).cmp(&since(b)) } else { Ordering::Equal }
        })
        .then_with(|| created(a).cmp(&created(b)))
}
