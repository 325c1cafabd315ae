//! The objects as they are now.

use berth_core::api::{Kind, Object, ObjectKey};
use berth_core::cluster::Cluster;
use berth_core::collections::Set;
use berth_wire::manifest::Report;
use std::sync::Arc;

/// Everything that is still there, in the order in which it came in, then what was made: classes, budgets and pods.
pub(super) fn objects(report: &Report, cluster: &Cluster) -> Vec<Object> {
    let mut seen: Set<(Kind, ObjectKey)> = Set::new();
    let mut objects = Vec::new();
    for item in &report.items {
        let (kind, key) = (item.object.kind(), item.object.key());
        objects.extend(cluster.get(kind, &key));
        seen.insert((kind, key));
    }
    let classes = cluster.priority_classes().values().cloned().map(Object::PriorityClass);
    let budgets = cluster.budgets().values().cloned().map(Object::PodDisruptionBudget);
    let pods = cluster.pods().map(|(_, info)| Object::Pod(Arc::clone(&info.pod)));
    let made = classes.chain(budgets).chain(pods);
    objects.extend(made.filter(|object| !seen.contains(&(object.kind(), object.key()))));
    objects
}
