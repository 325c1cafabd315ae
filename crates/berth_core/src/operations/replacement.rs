//! The pod that a controller makes for one that went.

use alloc::format;
use alloc::string::String;

use crate::api::{ObjectKey, ObjectMeta, Pod, PodStatus, Workload, WorkloadKind};
use crate::cluster::Cluster;
use crate::controllers::names::{prefix, suffix, uid};

/// What its controller makes for a pod that goes: the same, waiting, under a name of its own. None if nobody makes one: it
/// has no controller or has ended, its node is its owner, or its workload has as many without it.
///
/// The pod's own spec stands for its template's. A controller that is not among the objects is taken to want as many pods
/// as it has.
pub(super) fn of(cluster: &Cluster, pod: &Pod) -> Option<Pod> {
    let owner = pod.metadata.controller()?;
    if owner.kind == "Node" || owner.kind == "DaemonSet" || pod.status.phase.is_terminal() {
        return None;
    }
    let namespace = &pod.metadata.namespace;
    let kind = WorkloadKind::ALL.iter().find(|kind| kind.as_str() == owner.kind);
    let workload = kind.and_then(|kind| {
        cluster.workload(*kind, &ObjectKey::new(namespace.clone(), owner.name.clone()))
    });
    if workload.is_some_and(|workload| has_enough(cluster, workload)) {
        return None;
    }
    let name = match owner.kind.as_str() {
        "StatefulSet" => pod.metadata.name.clone(),
        _ => fresh_name(cluster, pod),
    };
    let metadata = ObjectMeta {
        uid: uid(1, &(namespace.as_str(), name.as_str(), pod.metadata.uid.as_str())),
        name,
        namespace: namespace.clone(),
        labels: pod.metadata.labels.clone(),
        owner_references: pod.metadata.owner_references.clone(),
        ..ObjectMeta::default()
    };
    let mut spec = pod.spec.clone();
    spec.node_name.clear();
    Some(Pod { metadata, spec, status: PodStatus::default() })
}

/// Whether a workload that loses one pod still has as many as it wants.
fn has_enough(cluster: &Cluster, workload: &Workload) -> bool {
    let owned = cluster.pods().filter(|(_, info)| owns(workload, &info.pod)).count();
    owned as u64
        > workload.replicas.map_or(u64::MAX - 1, |wanted| u64::from(wanted.max(0).unsigned_abs()))
}

/// Whether a pod that still counts is a workload's own (`IsPodActive`).
pub(super) fn owns(workload: &Workload, pod: &Pod) -> bool {
    pod.metadata.namespace == workload.metadata.namespace
        && !pod.status.phase.is_terminal()
        && pod.metadata.deletion_timestamp.is_none()
        && pod.metadata.controller().is_some_and(|owner| {
            owner.kind == workload.kind.as_str() && owner.name == workload.metadata.name
        })
}

/// A name that no pod has: what the pod's begins with, and five letters.
fn fresh_name(cluster: &Cluster, pod: &Pod) -> String {
    let ObjectMeta { namespace, name, .. } = &pod.metadata;
    // A generated name ends in a dash and five letters.
    let stem = match name.rsplit_once('-') {
        Some((stem, _)) => format!("{stem}-"),
        None => format!("{name}-"),
    };
    let mut attempt = 0_u32;
    loop {
        let letters = suffix(1, &(namespace.as_str(), name.as_str(), attempt));
        let key = ObjectKey::new(namespace.clone(), format!("{}{letters}", prefix(&stem)));
        if cluster.pod_named(&key).is_none() {
            return key.name;
        }
        attempt += 1;
    }
}
