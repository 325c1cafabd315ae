//! What the pod asks for, container by container: what its requests are added up from.

use berth_core::api::{Container, Pod, Quantity, ResourceList, RestartPolicy};
use serde_json::{Value, json};

use super::unit::Unit;

/// Requests of the containers, of the pod as a whole, and the overhead.
pub(super) fn requests(pod: &Pod) -> Value {
    let spec = &pod.spec;
    let init = spec.init_containers.iter().map(|container| {
        let sidecar = container.restart_policy == Some(RestartPolicy::Always);
        one(container, if sidecar { "sidecar" } else { "init" })
    });
    let containers = spec.containers.iter().map(|container| one(container, "container"));
    json!({
        "containers": init.chain(containers).collect::<Vec<_>>(),
        "podLevel": spec.resources.as_ref().map(|resources| list(&resources.requests)),
        "overhead": list(&spec.overhead),
        "resized": resized(pod),
    })
}

/// Whether the kubelet reports what it applied, which then counts beside what is asked for.
fn resized(pod: &Pod) -> bool {
    let status = &pod.status;
    status.resources.is_some() || status.container_statuses.iter().any(|c| c.resources.is_some())
}

fn one(container: &Container, kind: &str) -> Value {
    json!({
        "name": container.name, "kind": kind, "requests": list(&container.resources.requests),
    })
}

fn list(list: &ResourceList) -> Value {
    let one = |(name, quantity): (&String, &Quantity)| {
        let unit = Unit::of(name);
        let amount = match unit {
            Unit::Millicores => quantity.milli_value(),
            _ => quantity.value(),
        };
        // Sums are rounded up to the unit, not their parts.
        json!({
            "resource": name, "unit": unit.as_str(), "amount": amount,
            "quantity": quantity.recomputed(),
        })
    };
    list.iter().map(one).collect()
}
