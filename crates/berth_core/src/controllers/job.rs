//! Jobs.

mod backoff;
mod controller;
mod indexes;
mod manage;
mod policy;
mod round;
mod sync;
mod track;

pub use controller::JobController;

use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::{String, ToString};

use super::expansion::State;
use super::{is_active, wanted};
use crate::api::{Condition, LabelSelector, ObjectMeta, PodPhase, Workload, WorkloadKind};
use crate::collections::Set;
use indexes::INDEX;

/// The label by which a Job selects its pods.
const UID_LABEL: &str = "batch.kubernetes.io/controller-uid";
const KIND: WorkloadKind = WorkloadKind::Job;

/// Whether a Job is over (`IsJobFinished`).
pub(crate) fn is_finished(job: &Workload) -> bool {
    let holds = |kind| {
        Condition::find(&job.status.conditions, kind).is_some_and(|known| known.status == "True")
    };
    holds("Complete") || holds("Failed")
}

/// Gives a Job the pods that run at the same time, as far as completions are missing.
pub(super) fn job(state: &mut State, job: &Workload) {
    let job = &with_generated_selector(state, job);
    let Some(selector) = state.selector(job, &job.template.labels) else { return };
    let own = state.own_pods(job, &selector);
    let adopted = own.len() as u32;
    let active = own.iter().filter(|pod| is_active(pod)).count() as u32;
    let succeeded = own.iter().filter(|pod| pod.status.phase == PodPhase::Succeeded).count() as u32;
    let completions = job.completions.map(|completions| completions.max(0) as u32);
    // Without completions, one success ends the Job: no pod is added to those that still run.
    let useful = match completions {
        Some(completions) => wanted(job).min(completions.saturating_sub(succeeded)),
        None if succeeded > 0 => active,
        None => wanted(job),
    };
    let missing = if job.suspended { 0 } else { useful.saturating_sub(active) };
    if !state.may_make(job, adopted, missing) {
        return;
    }
    let taken: Set<&str> = own
        .iter()
        .filter(|pod| is_active(pod) || pod.status.phase == PodPhase::Succeeded)
        .filter_map(|pod| pod.metadata.labels.get(INDEX).map(String::as_str))
        .collect();
    let mut indexes =
        (0..completions.unwrap_or_default()).filter(|index| !taken.contains(&*index.to_string()));
    let mut created = 0;
    for number in 0..missing {
        let mut labels = job.template.labels.clone();
        let mut stem = format!("{}-", job.metadata.name);
        if job.indexed {
            let Some(index) = indexes.next() else { break };
            labels.insert(INDEX.to_owned(), index.to_string());
            stem = format!("{stem}{index}-");
        }
        let name = state.generate_name(&job.metadata.namespace, &stem, number);
        state.make_pod(job, name, labels, job.template.spec.clone());
        created += 1;
    }
    state.line(job, adopted, created, active.saturating_sub(wanted(job)), None);
}

/// Notes on a Job's pod that it is to be counted, and by which index, if its labels say one.
pub(super) fn note_on_pod(metadata: &mut ObjectMeta) {
    metadata.job_tracking = true;
    if let Some(index) = metadata.labels.get(INDEX).cloned() {
        metadata.annotations.insert(INDEX.to_owned(), index);
    }
}

/// The selector and labels that the API server gives a Job without a selector of its own.
fn with_generated_selector(state: &State, job: &Workload) -> Workload {
    let mut job = job.clone();
    let uid = state.uid(&job);
    generate_selector(&mut job, &uid);
    job
}

/// Gives a Job without a selector one that selects its own pods (`generateSelector` of `pkg/registry/batch/job`).
pub(crate) fn generate_selector(job: &mut Workload, uid: &str) {
    if job.selector.as_ref().is_some_and(|selector| *selector != LabelSelector::default()) {
        return;
    }
    let name = &*job.metadata.name;
    let labels = &mut job.template.labels;
    for (key, value) in [
        ("job-name", name),
        ("batch.kubernetes.io/job-name", name),
        ("controller-uid", uid),
        (UID_LABEL, uid),
    ] {
        labels.get_or_insert_with(key.to_owned(), || value.to_owned());
    }
    let uid = labels.get(UID_LABEL).cloned().unwrap_or_default();
    job.selector.get_or_insert_default().match_labels.insert(UID_LABEL.to_owned(), uid);
}
