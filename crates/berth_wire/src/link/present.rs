//! A cluster as it stands, as the objects that would load to it.

use std::sync::Arc;

use berth_core::api::Object;
use berth_core::cluster::Cluster;
use berth_core::collections::Set;

/// All objects: nodes in the order in which they came, the pods of each in their order, then those that wait.
pub fn present(cluster: &Cluster) -> Vec<Object> {
    let mut objects = Vec::new();
    let mut placed = Set::new();
    let mut pods = Vec::new();
    for slot in cluster.node_slots() {
        objects.extend(slot.node.clone().map(Object::Node));
        for idx in &slot.pods {
            if let Some(info) = cluster.pod(*idx) {
                placed.insert(*idx);
                pods.push(Object::Pod(Arc::clone(&info.pod)));
            }
        }
    }
    objects.extend(cluster.objects_beside_nodes_and_pods());
    objects.extend(pods);
    for info in cluster.pods_by_age() {
        let idx = cluster.pod_named(&info.key());
        if idx.is_some_and(|idx| !placed.contains(&idx)) {
            objects.push(Object::Pod(Arc::clone(&info.pod)));
        }
    }
    objects
}
