//! The selector of default constraints: what the pod's services and owner select.
//!
//! Mirrors `DefaultSelector` of `pkg/scheduler/framework/plugins/helper/spread.go`.

use crate::api::{Labels, ObjectKey, Pod, Selector, WorkloadKind};
use crate::cluster::Cluster;

/// Labels of all services of the pod, and the selector of the controller that owns it.
pub fn default_selector(cluster: &Cluster, pod: &Pod) -> Selector {
    let namespace = &pod.metadata.namespace;
    let mut labels = Labels::new();
    for service in cluster.services().values() {
        let selects = service.metadata.namespace == *namespace
            && !service.selector.is_empty()
            && Selector::from_set(&service.selector).matches(&pod.metadata.labels);
        if selects {
            labels.extend(service.selector.clone());
        }
    }
    let Some(owner) = pod.metadata.controller() else { return Selector::from_set(&labels) };
    let kind = match (owner.api_version.as_str(), owner.kind.as_str()) {
        ("v1", "ReplicationController") => WorkloadKind::ReplicationController,
        ("apps/v1", "ReplicaSet") => WorkloadKind::ReplicaSet,
        ("apps/v1", "StatefulSet") => WorkloadKind::StatefulSet,
        _ => return Selector::from_set(&labels),
    };
    let key = ObjectKey::new(namespace.clone(), owner.name.clone());
    let Some(workload) = cluster.workload(kind, &key) else { return Selector::from_set(&labels) };
    let own = workload.selector.as_ref();
    if kind == WorkloadKind::ReplicationController {
        if let Some(own) = own {
            labels.extend(own.match_labels.clone());
        }
        return Selector::from_set(&labels);
    }
    let mut selector = Selector::from_set(&labels);
    if let Ok(own) = Selector::from_label_selector(own) {
        for requirement in own.requirements() {
            selector.add(requirement.clone());
        }
    }
    selector
}
