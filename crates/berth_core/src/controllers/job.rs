//! Jobs.

use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::{String, ToString};

use super::expansion::State;
use super::{is_active, wanted};
use crate::api::{LabelSelector, PodPhase, Workload};
use crate::collections::Set;

/// The label with the number of an indexed Job's pod.
const INDEX_LABEL: &str = "batch.kubernetes.io/job-completion-index";

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
        .filter_map(|pod| pod.metadata.labels.get(INDEX_LABEL).map(String::as_str))
        .collect();
    let mut indexes =
        (0..completions.unwrap_or_default()).filter(|index| !taken.contains(&*index.to_string()));
    let mut created = 0;
    for number in 0..missing {
        let mut labels = job.template.labels.clone();
        let mut stem = format!("{}-", job.metadata.name);
        if job.indexed {
            let Some(index) = indexes.next() else { break };
            labels.insert(INDEX_LABEL.to_owned(), index.to_string());
            stem = format!("{stem}{index}-");
        }
        let name = state.generate_name(&job.metadata.namespace, &stem, number);
        state.make_pod(job, name, labels, job.template.spec.clone());
        created += 1;
    }
    state.line(job, adopted, created, active.saturating_sub(wanted(job)), None);
}

/// The selector and labels that the API server gives a Job without a selector of its own (`generateSelector`).
fn with_generated_selector(state: &State, job: &Workload) -> Workload {
    let mut job = job.clone();
    if job.selector.as_ref().is_none_or(|selector| *selector == LabelSelector::default()) {
        let uid = state.uid(&job);
        let name = job.metadata.name.clone();
        let labels = &mut job.template.labels;
        for (key, value) in [
            ("job-name", &name),
            ("batch.kubernetes.io/job-name", &name),
            ("controller-uid", &uid),
            ("batch.kubernetes.io/controller-uid", &uid),
        ] {
            labels.get_or_insert_with(key.to_owned(), || value.clone());
        }
        let uid = labels.get("batch.kubernetes.io/controller-uid").cloned().unwrap_or(uid);
        let selector = job.selector.get_or_insert_default();
        selector.match_labels.insert("batch.kubernetes.io/controller-uid".to_owned(), uid);
    }
    job
}
