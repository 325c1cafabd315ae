//! What the pod asks for, container by container: what its requests are added up from.

use berth_core::api::{Container, Pod, Quantity, ResourceList, RestartPolicy};
use serde_json::{Value, json};

use super::node::amount;
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
    })
}

fn one(container: &Container, kind: &str) -> Value {
    json!({
        "name": container.name, "kind": kind, "requests": list(&container.resources.requests),
    })
}

fn list(list: &ResourceList) -> Value {
    let units = |(name, quantity): (&String, &Quantity)| match Unit::of(name) {
        Unit::Millicores => amount((name, quantity.milli_value())),
        _ => amount((name, quantity.value())),
    };
    list.iter().map(units).collect()
}
