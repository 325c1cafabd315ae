//! The objects as they are now.

use berth_core::api::{Kind, Object, ObjectKey};
use berth_core::cluster::Cluster;
use berth_core::collections::Set;
use berth_wire::manifest::Report;
use std::sync::Arc;

/// Everything that is still there, in the order in which it came in, then the pods that were made.
pub(super) fn objects(report: &Report, cluster: &Cluster) -> Vec<Object> {
    let mut seen: Set<ObjectKey> = Set::new();
    let mut objects = Vec::new();
    for item in &report.items {
        let (kind, key) = (item.object.kind(), item.object.key());
        objects.extend(find(cluster, kind, &key));
        if kind == Kind::Pod {
            seen.insert(key);
        }
    }
    let made = cluster.pods().map(|(_, info)| info).filter(|info| !seen.contains(&info.key()));
    objects.extend(made.map(|info| Object::Pod(Arc::clone(&info.pod))));
    objects
}

fn find(cluster: &Cluster, kind: Kind, key: &ObjectKey) -> Option<Object> {
    Some(match kind {
        Kind::Node => Object::Node(cluster.node(cluster.node_named(&key.name)?)?.node.clone()?),
        Kind::Pod => Object::Pod(Arc::clone(&cluster.pod(cluster.pod_named(key)?)?.pod)),
        Kind::Namespace => Object::Namespace(Arc::clone(cluster.namespaces().get(&key.name)?)),
        Kind::PriorityClass => {
            Object::PriorityClass(Arc::clone(cluster.priority_classes().get(&key.name)?))
        }
        Kind::PodDisruptionBudget => {
            Object::PodDisruptionBudget(Arc::clone(cluster.budgets().get(key)?))
        }
        Kind::Service => Object::Service(Arc::clone(cluster.services().get(key)?)),
        Kind::Workload(kind) => Object::Workload(Arc::clone(cluster.workload(kind, key)?)),
    })
}
