//! Ports of containers.
//!
//! Mirrors `validateContainerPorts`, `checkHostPortConflicts` and `validatePodHostNetworkDeps`
//! (`pkg/apis/core/validation/validation.go`).

use berth_core::api::names::port_name_errors;
use berth_core::api::{BadValue, FieldError};

use super::pod::{given, invalid, word};
use crate::manifest::{Cx, Path};
use crate::tree::Node;

const TYPE: &str = "v1.ContainerPort";

/// The network of a container.
#[derive(Clone, Copy)]
pub(super) struct Network {
    /// Whether it is the host's.
    pub(super) is_host: bool,
    /// Whether ports have to be the host's then: those of init containers need not.
    pub(super) is_checked: bool,
}

/// The ports of a container. `taken` are host ports of containers that run at the same time, which say where they are
/// by `place`.
pub(super) fn ports(
    cx: &mut Cx,
    errors: &mut Vec<FieldError>,
    (at, place): (&Path<'_>, &Path<'_>),
    node: &Node<'_>,
    network: Network,
    taken: &mut Vec<String>,
) {
    let mut names = Vec::new();
    let items = given(node, "ports").map(Node::items).unwrap_or_default();
    for (i, node) in items.iter().enumerate() {
        let (at, place) = (&at.index(i), &place.index(i));
        let text = |cx: &mut Cx, key| {
            let node = given(node, key);
            node.map(|node| cx.string(&at.field(TYPE, key), node)).unwrap_or_default()
        };
        let number = |cx: &mut Cx, key| {
            let number = given(node, key).and_then(|node| cx.int32(&at.field(TYPE, key), node));
            number.unwrap_or_default()
        };
        let name = text(cx, "name");
        name_errors(errors, &at.field(TYPE, "name"), &name, &names);
        names.push(name);
        let (port, mut host) = (number(cx, "containerPort"), number(cx, "hostPort"));
        if port == 0 {
            let at = at.field(TYPE, "containerPort");
            errors.push(FieldError::required(at.to_string(), ""));
        }
        if host == 0 && network.is_host {
            host = port;
        }
        if network.is_host && network.is_checked && host != port {
            let why = "must match `containerPort` when `hostNetwork` is true";
            errors.push(invalid(&at.field(TYPE, "hostPort"), host.into(), why));
        }
        for (key, port) in [("containerPort", port), ("hostPort", host)] {
            if !(0..=65535).contains(&port) {
                let why = "must be between 1 and 65535, inclusive";
                errors.push(invalid(&at.field(TYPE, key), port.into(), why));
            }
        }
        let mut protocol = text(cx, "protocol");
        if protocol.is_empty() {
            "TCP".clone_into(&mut protocol);
        } else if let Some(node) = given(node, "protocol") {
            errors.extend(word(cx, &at.field(TYPE, "protocol"), node, &["SCTP", "TCP", "UDP"]));
        }
        if host != 0 {
            let key = format!("{protocol}/{}/{host}", text(cx, "hostIP"));
            if taken.contains(&key) {
                let at = place.field(TYPE, "hostPort").to_string();
                errors.push(FieldError::duplicate(at, BadValue::Text(key.clone())));
            }
            taken.push(key);
        }
    }
}

fn name_errors(errors: &mut Vec<FieldError>, at: &Path<'_>, name: &str, before: &[String]) {
    if name.is_empty() {
        return;
    }
    let value = || BadValue::Text(name.to_owned());
    let complaints = port_name_errors(name);
    for complaint in &complaints {
        errors.push(FieldError::invalid(at.to_string(), value(), complaint));
    }
    if complaints.is_empty() && before.iter().any(|other| other == name) {
        errors.push(FieldError::duplicate(at.to_string(), value()));
    }
}
