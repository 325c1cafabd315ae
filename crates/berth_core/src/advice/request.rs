//! Asking for less of a resource.

use alloc::vec::Vec;

use crate::api::resources::{is_extended_resource, is_huge_page_resource};
use crate::api::{Container, Format, Pod, Quantity, ResourceRequirements, RestartPolicy};
use crate::cluster::requests::{RequestOptions, pod_requests};

/// How much a pod asks for, as it is scheduled: thousandths of a core, or units.
pub(super) fn total(pod: &Pod, resource: &str) -> i64 {
    pod_requests(pod, RequestOptions::AS_SCHEDULED)
        .get(resource)
        .map_or(0, |amount| number(resource, amount))
}

/// Makes a pod ask for no more than `to` of a resource: the largest container gives first, an init container is
/// capped. False if that cannot be, since overhead alone is more, or a resize is under way.
pub(super) fn lower(pod: &mut Pod, resource: &str, to: i64) -> bool {
    if to < 0 || total(pod, resource) <= to {
        return false;
    }
    let overhead = pod.spec.overhead.get(resource).map_or(0, |amount| number(resource, amount));
    let room = to.saturating_sub(overhead).max(0);
    // Those of the containers may not add up to more than the pod's own, so they follow.
    if let Some(own) = &mut pod.spec.resources
        && own.requests.contains_key(resource)
    {
        set(own, resource, room);
    }
    lower_running(pod, resource, room);
    lower_init(pod, resource, room);
    total(pod, resource) <= to
}

/// Containers and sidecars run together, so that they share the room.
fn lower_running(pod: &mut Pod, resource: &str, room: i64) {
    let is_sidecar = |c: &&mut Container| c.restart_policy == Some(RestartPolicy::Always);
    let sidecars = pod.spec.init_containers.iter_mut().filter(is_sidecar);
    let mut running: Vec<&mut Container> = pod.spec.containers.iter_mut().chain(sidecars).collect();
    let sum = running.iter().fold(0_i64, |sum, of| sum.saturating_add(asks(of, resource)));
    let mut excess = sum - room;
    while excess > 0 {
        let Some(largest) = running.iter_mut().max_by_key(|of| asks(of, resource)) else { return };
        let ask = asks(largest, resource);
        if ask == 0 {
            return;
        }
        let give = excess.min(ask);
        set(&mut largest.resources, resource, ask - give);
        excess -= give;
    }
}

/// An init container runs alone with the sidecars before it.
fn lower_init(pod: &mut Pod, resource: &str, room: i64) {
    let mut sidecars = 0_i64;
    for container in &mut pod.spec.init_containers {
        let ask = asks(container, resource);
        if container.restart_policy == Some(RestartPolicy::Always) {
            sidecars = sidecars.saturating_add(ask);
        } else if ask.saturating_add(sidecars) > room {
            set(&mut container.resources, resource, (room - sidecars).max(0));
        }
    }
}

fn asks(container: &Container, resource: &str) -> i64 {
    container.resources.requests.get(resource).map_or(0, |amount| number(resource, amount))
}

fn number(resource: &str, amount: &Quantity) -> i64 {
    if resource == "cpu" { amount.milli_value() } else { amount.value() }
}

/// The amount as a quantity, written as that resource usually is.
pub(super) fn quantity(resource: &str, amount: i64) -> Quantity {
    match resource {
        "cpu" => Quantity::from_milli(amount, Format::DecimalSI),
        "memory" | "ephemeral-storage" => Quantity::from_value(amount, Format::BinarySI),
        _ if is_huge_page_resource(resource) => Quantity::from_value(amount, Format::BinarySI),
        _ => Quantity::from_value(amount, Format::DecimalSI),
    }
}

fn set(of: &mut ResourceRequirements, resource: &str, amount: i64) {
    let amount = quantity(resource, amount);
    // Of these a limit has to be the same as the request.
    if (is_extended_resource(resource) || is_huge_page_resource(resource))
        && let Some(limit) = of.limits.get_mut(resource)
    {
        *limit = amount.clone();
    }
    of.requests.insert(resource.into(), amount);
}
