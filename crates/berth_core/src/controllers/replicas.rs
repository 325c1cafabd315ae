//! Deployments, ReplicaSets and ReplicationControllers.

use alloc::borrow::ToOwned;
use alloc::format;
use alloc::sync::Arc;

use super::expansion::State;
use super::names::{mix, template_hash};
use super::{is_active, wanted};
use crate::api::{ObjectMeta, PodTemplate, Workload, WorkloadKind};

/// The label by which the ReplicaSets of a Deployment differ.
const HASH_LABEL: &str = "pod-template-hash";

/// Gives a Deployment a ReplicaSet with its template, unless it has one. ReplicaSets that were left out of the input
/// while their pods were not are made again, under their own names.
pub(super) fn deployment(state: &mut State, deployment: &Workload) {
    let Some(selector) = state.selector(deployment, &deployment.template.labels) else { return };
    let own = state.own_sets(deployment, &selector);
    let adopted = own.len() as u32;
    let has_current = own.iter().any(|set| same_but_for_hash(&set.template, &deployment.template));
    let mut missing = wanted(deployment).saturating_sub(own.iter().map(|set| wanted(set)).sum());
    let absent = state.absent_sets(deployment, &selector);
    let pods: u32 = absent.iter().map(|(_, pods)| pods.len() as u32).sum();
    missing = missing.saturating_sub(pods);
    let mut created = 0;
    for (name, pods) in absent {
        let mut set = new_set(state, deployment, pods.len() as u32 + core::mem::take(&mut missing));
        let pod = pods.first().map(|pod| &pod.metadata);
        if let Some(hash) = pod.and_then(|pod| pod.labels.get(HASH_LABEL)) {
            label(&mut set, hash);
        }
        let owner = pod.and_then(ObjectMeta::controller);
        set.metadata.uid = owner.map(|owner| owner.uid.clone()).unwrap_or_default();
        set.metadata.name = name;
        state.make_set(deployment, set);
        created += 1;
    }
    let has_any = has_current || adopted + created > 0;
    if !has_current && (missing > 0 || !has_any) {
        let set = new_set(state, deployment, missing);
        state.make_set(deployment, set);
        created += 1;
    }
    state.line(deployment, adopted, created, 0, None);
}

/// A ReplicaSet with a Deployment's template.
fn new_set(state: &State, deployment: &Workload, replicas: u32) -> Workload {
    let hash = template_hash(state.seed(), &deployment.template);
    let mut set = Workload {
        kind: WorkloadKind::ReplicaSet,
        metadata: ObjectMeta {
            name: format!("{}-{hash}", deployment.metadata.name),
            ..ObjectMeta::default()
        },
        replicas: Some(replicas as i32),
        completions: None,
        indexed: false,
        suspended: false,
        first_ordinal: 0,
        selector: Some(deployment.selector.clone().unwrap_or_default()),
        template: deployment.template.clone(),
        update_strategy: None,
        control: Arc::default(),
        status: Arc::default(),
    };
    label(&mut set, &hash);
    set
}

/// Sets the label by which the ReplicaSets of a Deployment differ.
fn label(set: &mut Workload, hash: &str) {
    set.template.labels.insert(HASH_LABEL.to_owned(), hash.to_owned());
    set.metadata.labels.clone_from(&set.template.labels);
    let selector = set.selector.get_or_insert_default();
    selector.match_labels.insert(HASH_LABEL.to_owned(), hash.to_owned());
}

/// `EqualIgnoreHash`, by a hash: comparing whole templates would be code for the page to carry.
fn same_but_for_hash(a: &PodTemplate, b: &PodTemplate) -> bool {
    let without = |template: &PodTemplate| {
        let mut template = template.clone();
        template.labels.remove(HASH_LABEL);
        mix(0, &template)
    };
    without(a) == without(b)
}

/// Gives a ReplicaSet or ReplicationController the pods that it lacks.
pub(super) fn replica_set(state: &mut State, set: &Workload) {
    let Some(selector) = state.selector(set, &set.template.labels) else { return };
    let own = state.own_pods(set, &selector);
    let have = own.iter().filter(|pod| is_active(pod)).count() as u32;
    let missing = wanted(set).saturating_sub(have);
    if !state.may_make(set, have, missing) {
        return;
    }
    for index in 0..missing {
        let stem = format!("{}-", set.metadata.name);
        let name = state.generate_name(&set.metadata.namespace, &stem, index);
        state.make_pod(set, name, set.template.labels.clone(), set.template.spec.clone());
    }
    state.line(set, have, missing, have.saturating_sub(wanted(set)), None);
}
