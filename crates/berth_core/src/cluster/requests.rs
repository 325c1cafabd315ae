//! What a pod asks for as a whole.
//!
//! Mirrors `PodRequests` of `k8s.io/component-helpers/resource/helpers.go` (v0.36.3) and
//! `PodInfo.CalculateResource` of `pkg/scheduler/framework/types.go`. Resource claims are not
//! simulated, so what they add is left out.

use alloc::borrow::Cow;

use super::resources::{DEFAULT_MEMORY_REQUEST, DEFAULT_MILLI_CPU_REQUEST};
use crate::api::quantity::Format;
use crate::api::resources::is_huge_page_resource;
use crate::api::{Container, Pod, Quantity, ResourceList, RestartPolicy};

/// How requests are added up.
#[derive(Clone, Copy, Debug)]
pub struct RequestOptions {
    /// Whether an in-place resize that the kubelet reports counts.
    pub status: bool,
    /// Whether the pod's own requests replace the sum over containers.
    pub pod_level: bool,
    /// What containers that say nothing of cpu count as, in thousandths of a core.
    pub missing_milli_cpu: Option<i64>,
    /// What containers that say nothing of memory count as, in bytes.
    pub missing_memory: Option<i64>,
}

impl RequestOptions {
    /// What a pod takes from a node.
    pub const AS_SCHEDULED: Self =
        Self { status: true, pod_level: true, missing_milli_cpu: None, missing_memory: None };
}

/// Requests of a pod: containers and sidecars together, or the largest init step if that is more,
/// replaced by the pod's own requests where it has them, plus overhead.
pub fn pod_requests(pod: &Pod, options: RequestOptions) -> ResourceList {
    let mut requests = requests_without_overhead(pod, options);
    add_list(&mut requests, &pod.spec.overhead);
    requests
}

/// The same without overhead (`ExcludeOverhead`).
fn requests_without_overhead(pod: &Pod, options: RequestOptions) -> ResourceList {
    let mut requests = container_requests(pod, options);
    if options.pod_level && has_pod_level_requests(pod) {
        override_with_pod_level(pod, options, &mut requests);
    }
    requests
}

/// What a pod asks for of one resource as the kubelet sees it (`GetResourceRequestQuantity` of
/// `pkg/api/v1/resource/helpers.go`): a pod with resources of its own is not asked for its containers', and overhead
/// counts only where something is requested.
pub fn resource_request(pod: &Pod, resource: &str) -> Quantity {
    let pod_level = pod.spec.resources.as_ref().filter(|_| has_pod_level_resources(pod));
    let options = RequestOptions {
        status: false,
        pod_level: true,
        missing_milli_cpu: None,
        missing_memory: None,
    };
    let requested = match pod_level {
        Some(own) => {
            let supported = is_pod_level_resource(resource);
            own.requests.get(resource).filter(|_| supported).cloned()
        }
        None => requests_without_overhead(pod, options).get(resource).cloned(),
    };
    let mut quantity = requested.unwrap_or_else(Quantity::zero);
    if let Some(overhead) = pod.spec.overhead.get(resource)
        && !quantity.is_zero()
    {
        quantity.add(overhead);
    }
    quantity
}

/// Cpu in thousandths of a core and memory in bytes as scoring counts them: containers that ask
/// for nothing count as something (`Non0CPU`, `Non0Mem`).
pub fn non_zero_requests(pod: &Pod, requests: &ResourceList) -> (i64, i64) {
    let pod_level = has_pod_level_requests(pod);
    let missing =
        |name: &str, value: i64| (!pod_level || !requests.contains_key(name)).then_some(value);
    let options = RequestOptions {
        status: true,
        pod_level: true,
        missing_milli_cpu: missing("cpu", DEFAULT_MILLI_CPU_REQUEST),
        missing_memory: missing("memory", DEFAULT_MEMORY_REQUEST),
    };
    let filled = pod_requests(pod, options);
    (
        filled.get("cpu").map_or(0, Quantity::milli_value),
        filled.get("memory").map_or(0, Quantity::value),
    )
}

/// Whether the pod itself asks for or limits a resource that pods may ask for (`IsPodLevelResourcesSet`).
pub fn has_pod_level_resources(pod: &Pod) -> bool {
    let is_set = |list: &ResourceList| list.keys().any(|name| is_pod_level_resource(name));
    pod.spec.resources.as_ref().is_some_and(|own| is_set(&own.requests) || is_set(&own.limits))
}

/// Whether the pod itself asks for a resource that pods may ask for (`IsPodLevelRequestsSet`).
pub fn has_pod_level_requests(pod: &Pod) -> bool {
    pod.spec
        .resources
        .as_ref()
        .is_some_and(|resources| resources.requests.keys().any(|name| is_pod_level_resource(name)))
}

fn is_pod_level_resource(name: &str) -> bool {
    name == "cpu" || name == "memory" || is_huge_page_resource(name)
}

fn override_with_pod_level(pod: &Pod, options: RequestOptions, requests: &mut ResourceList) {
    let Some(own) = &pod.spec.resources else { return };
    let effective = match &pod.status.resources {
        Some(actuated) if options.status => Some(effective_requests(
            pod,
            &own.requests,
            &actuated.requests,
            &pod.status.allocated_resources,
        )),
        _ => None,
    };
    for (name, quantity) in &own.requests {
        if is_pod_level_resource(name) {
            let value = match &effective {
                Some(effective) => effective.get(name).cloned().unwrap_or_default(),
                None => quantity.clone(),
            };
            requests.insert(name.clone(), value);
        }
    }
}

fn container_requests(pod: &Pod, options: RequestOptions) -> ResourceList {
    let mut requests = ResourceList::new();
    for container in &pod.spec.containers {
        add_list(&mut requests, &one_container(pod, container, options, options.status));
    }
    let mut sidecars = ResourceList::new();
    let mut init = ResourceList::new();
    for container in &pod.spec.init_containers {
        let sidecar = container.restart_policy == Some(RestartPolicy::Always);
        let own = one_container(pod, container, options, options.status && sidecar);
        if sidecar {
            add_list(&mut requests, &own);
            add_list(&mut sidecars, &own);
            max_list(&mut init, &sidecars);
        } else {
            let mut step = own.into_owned();
            add_list(&mut step, &sidecars);
            max_list(&mut init, &step);
        }
    }
    max_list(&mut requests, &init);
    requests
}

fn one_container<'a>(
    pod: &Pod,
    container: &'a Container,
    options: RequestOptions,
    status: bool,
) -> Cow<'a, ResourceList> {
    let mut requests = Cow::Borrowed(&container.resources.requests);
    let reported = pod.status.container_statuses.iter().find(|s| s.name == container.name);
    if let (true, Some(reported)) = (status, reported)
        && let Some(actuated) = &reported.resources
    {
        requests = Cow::Owned(effective_requests(
            pod,
            &container.resources.requests,
            &actuated.requests,
            &reported.allocated_resources,
        ));
    }
    if let Some(milli) = options.missing_milli_cpu
        && !requests.contains_key("cpu")
    {
        requests.to_mut().insert("cpu".into(), Quantity::from_milli(milli, Format::DecimalSI));
    }
    if let Some(bytes) = options.missing_memory
        && !requests.contains_key("memory")
    {
        requests.to_mut().insert("memory".into(), Quantity::from_value(bytes, Format::DecimalSI));
    }
    requests
}

/// The most of what is asked for, set aside and applied; a resize that cannot be done is not asked for.
fn effective_requests(
    pod: &Pod,
    spec: &ResourceList,
    actuated: &ResourceList,
    allocated: &ResourceList,
) -> ResourceList {
    let infeasible = pod
        .status
        .conditions
        .iter()
        .find(|condition| condition.kind == "PodResizePending")
        .is_some_and(|condition| condition.reason == "Infeasible");
    let mut result = if infeasible { actuated.clone() } else { spec.clone() };
    if !infeasible {
        max_list(&mut result, actuated);
    }
    max_list(&mut result, allocated);
    result
}

fn add_list(list: &mut ResourceList, other: &ResourceList) {
    for (name, quantity) in other {
        match list.get_mut(name) {
            Some(known) => known.add(quantity),
            None => {
                list.insert(name.clone(), quantity.clone());
            }
        }
    }
}

fn max_list(list: &mut ResourceList, other: &ResourceList) {
    for (name, quantity) in other {
        match list.get_mut(name) {
            Some(known) if *known >= *quantity => {}
            Some(known) => *known = quantity.clone(),
            None => {
                list.insert(name.clone(), quantity.clone());
            }
        }
    }
}
