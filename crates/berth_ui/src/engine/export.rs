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
        objects.extend(cluster.get(kind, &key));
        if kind == Kind::Pod {
            seen.insert(key);
        }
    }
    let made = cluster.pods().map(|(_, info)| info).filter(|info| !seen.contains(&info.key()));
    objects.extend(made.map(|info| Object::Pod(Arc::clone(&info.pod))));
    objects
}
