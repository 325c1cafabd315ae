//! What the API server fills in (`pkg/apis/core/v1/defaults.go`, `zz_generated.defaults.go`).
//!
//! Only for fields that Berth reads, and only what needs more than one of them: defaults of one field alone (a port's
//! protocol, a node's allocatable) are filled in where objects are decoded.

use alloc::borrow::ToOwned;

use crate::api::resources::is_huge_page_resource;
use crate::api::{
    Container, Namespace, NodeStatus, Pod, PodSpec, Quantity, ResourceList, RestartPolicy,
};

/// `SetObjectDefaults_Pod`. The order matters: requests are summed up before they are rounded.
pub fn pod(pod: &mut Pod) {
    let spec = &mut pod.spec;
    for container in spec.containers.iter_mut().chain(&mut spec.init_containers) {
        let resources = &mut container.resources;
        for (name, limit) in &resources.limits {
            if !resources.requests.contains_key(name) {
                resources.requests.insert(name.clone(), limit.clone());
            }
        }
    }
    pod_level_resources(spec);
    if spec.host_network {
        for container in spec.containers.iter_mut().chain(&mut spec.init_containers) {
            for port in &mut container.ports {
                if port.host_port == 0 {
                    port.host_port = port.container_port;
                }
            }
        }
    }
    pod_spec(spec);
}

/// The defaults that a pod template gets too (`SetDefaults_PodSpec`, and the rounding of every resource list).
pub fn pod_spec(spec: &mut PodSpec) {
    spec.termination_grace_period_seconds.get_or_insert(30);
    if spec.scheduler_name.is_empty() {
        "default-scheduler".clone_into(&mut spec.scheduler_name);
    }
    for container in spec.containers.iter_mut().chain(&mut spec.init_containers) {
        round(&mut container.resources.requests);
        round(&mut container.resources.limits);
    }
    round(&mut spec.overhead);
    if let Some(resources) = &mut spec.resources {
        round(&mut resources.requests);
        round(&mut resources.limits);
    }
}

/// The rounding of a node's resource lists.
pub fn node_status(status: &mut NodeStatus) {
    round(&mut status.capacity);
    round(&mut status.allocatable);
}

/// `SetDefaults_Namespace`: every namespace has its name as a label.
pub fn namespace(namespace: &mut Namespace) {
    let metadata = &mut namespace.metadata;
    if !metadata.name.is_empty() {
        metadata.labels.insert("kubernetes.io/metadata.name".to_owned(), metadata.name.clone());
    }
}

/// `SetDefaults_ResourceList`: nothing is finer than a thousandth.
fn round(list: &mut ResourceList) {
    list.values_mut().for_each(Quantity::round_up_to_milli);
}

/// `defaultHugePagePodLimits` and `defaultPodRequests`.
fn pod_level_resources(spec: &mut PodSpec) {
    let Some(mut resources) = spec.resources.take() else { return };
    if !(resources.requests.is_empty() && resources.limits.is_empty()) {
        for (name, limit) in aggregate(spec, |container| &container.resources.limits) {
            if is_huge_page_resource(&name) && !resources.requests.contains_key(&name) {
                resources.limits.or_insert(name, limit);
            }
        }
    }
    if !resources.limits.is_empty() {
        for (name, request) in aggregate(spec, |container| &container.resources.requests) {
            if is_pod_level(&name) && !is_huge_page_resource(&name) {
                resources.requests.or_insert(name, request);
            }
        }
        for (name, limit) in &resources.limits {
            if is_pod_level(name) && !resources.requests.contains_key(name) {
                resources.requests.insert(name.clone(), limit.clone());
            }
        }
    }
    spec.resources = Some(resources);
}

/// `IsSupportedPodLevelResource`.
fn is_pod_level(name: &str) -> bool {
    matches!(name, "cpu" | "memory") || is_huge_page_resource(name)
}

/// What all containers take together (`AggregateContainerRequests`, `AggregateContainerLimits`): the sum of those
/// that run side by side, sidecars included, or what a container needs while the pod starts, if that is more.
pub(super) fn aggregate(spec: &PodSpec, list: fn(&Container) -> &ResourceList) -> ResourceList {
    let mut total = ResourceList::new();
    for container in &spec.containers {
        add(&mut total, list(container));
    }
    let (mut sidecars, mut starting) = (ResourceList::new(), ResourceList::new());
    for container in &spec.init_containers {
        let mut now;
        if container.restart_policy == Some(RestartPolicy::Always) {
            add(&mut total, list(container));
            add(&mut sidecars, list(container));
            now = sidecars.clone();
        } else {
            now = list(container).clone();
            add(&mut now, &sidecars);
        }
        raise(&mut starting, now);
    }
    raise(&mut total, starting);
    total
}

fn add(total: &mut ResourceList, list: &ResourceList) {
    for (name, quantity) in list {
        match total.get_mut(name) {
            Some(sum) => sum.add(quantity),
            None => {
                total.insert(name.clone(), quantity.clone());
            }
        }
    }
}

fn raise(total: &mut ResourceList, list: ResourceList) {
    for (name, quantity) in list {
        // Even a negative amount is more than none.
        if total.get(&name).is_none_or(|most| *most < quantity) {
            total.insert(name, quantity);
        }
    }
}
