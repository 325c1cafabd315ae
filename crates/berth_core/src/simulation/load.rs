//! What is there at second 0.

use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;

use super::kubelet;
use super::server::is_namespaced;
use crate::admission::{defaults, priority};
use crate::api::{Kind, Namespace, Object, ObjectKey, ObjectMeta, Pod, PodStatus, Time};
use crate::collections::{Map, Set, sort_by_key};

/// How old an object is that does not say, in seconds.
const AGE: i64 = 10;

/// The objects of a cluster in the order in which they came, as they came.
///
/// Every cluster has its namespaces and the system's priority classes. Classes come before the pods that name them,
/// nodes before the pods on them. A pod on a node, of which nothing else is said, has run since it was created.
pub(super) fn in_order(given: impl IntoIterator<Item = Object>, epoch: Time) -> Vec<Object> {
    let created = Time(epoch.0.saturating_sub(AGE));
    let mut given: Vec<Object> = given.into_iter().collect();
    identify(&mut given);
    let mut objects = namespaces(&given);
    for class in priority::system_classes() {
        let is_given = |object: &Object| matches!(object, Object::PriorityClass(known) if known.metadata.name == class.metadata.name);
        if !given.iter().any(is_given) {
            objects.push(Object::PriorityClass(Arc::new(class)));
        }
    }
    sort_by_key(&mut given, |object| match object.kind() {
        Kind::Namespace | Kind::PriorityClass => 0,
        Kind::Node => 1,
        _ => 2,
    });
    for object in &mut given {
        match object {
            Object::Pod(pod) => stored(Arc::make_mut(pod), created),
            object => {
                let metadata = super::server::metadata_mut(object);
                metadata.creation_timestamp.get_or_insert(created);
            }
        }
    }
    objects.append(&mut given);
    objects
}

/// Gives workloads that do not say their identity the one by which their pods and ReplicaSets refer to them: their
/// controllers would make everything once more.
fn identify(given: &mut [Object]) {
    let mut known: Map<(String, ObjectKey), String> = Map::new();
    for object in &*given {
        let metadata = object.metadata();
        let Some(owner) = metadata.controller().filter(|owner| !owner.uid.is_empty()) else {
            continue;
        };
        let key = ObjectKey::new(metadata.namespace.clone(), owner.name.clone());
        known.insert((owner.kind.clone(), key), owner.uid.clone());
    }
    for object in given {
        let name = (String::from(object.kind().as_str()), object.key());
        if let Object::Workload(workload) = object
            && workload.metadata.uid.is_empty()
            && let Some(uid) = known.get(&name)
        {
            Arc::make_mut(workload).metadata.uid.clone_from(uid);
        }
    }
}

/// Whether a pod is sent to the API server rather than there already: nothing is said of it but what is asked for.
pub(super) fn is_new(object: &Object) -> bool {
    matches!(object, Object::Pod(pod) if is_new_pod(pod))
}

fn is_new_pod(pod: &Pod) -> bool {
    pod.spec.node_name.is_empty()
        && pod.status == PodStatus::default()
        && pod.metadata.deletion_timestamp.is_none()
}

fn stored(pod: &mut Pod, created: Time) {
    if is_new_pod(pod) {
        return;
    }
    let created = *pod.metadata.creation_timestamp.get_or_insert(created);
    if pod.status == PodStatus::default() {
        kubelet::run(&mut pod.status, created);
    }
}

/// The namespaces that objects are in and that are not among them, by name.
fn namespaces(given: &[Object]) -> Vec<Object> {
    let mut wanted: Set<&str> = Set::from(["default", "kube-system"]);
    for object in given {
        let namespace = &object.metadata().namespace;
        if is_namespaced(object.kind()) && !namespace.is_empty() {
            wanted.insert(namespace);
        }
    }
    for object in given {
        if let Object::Namespace(namespace) = object {
            wanted.remove(&*namespace.metadata.name);
        }
    }
    let make = |name: &&str| {
        let metadata = ObjectMeta { name: (*name).into(), ..ObjectMeta::default() };
        let mut namespace = Namespace { metadata };
        defaults::namespace(&mut namespace);
        Object::Namespace(Arc::new(namespace))
    };
    wanted.iter().map(make).collect()
}
