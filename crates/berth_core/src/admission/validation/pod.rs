//! Pods.
//!
//! Mirrors `ValidatePodCreate` (`pkg/apis/core/validation/validation.go`) for the fields that scheduling reads, after
//! `PrepareForCreate` (`pkg/registry/core/pod/strategy.go`).

use alloc::borrow::ToOwned;
use alloc::vec::Vec;

use super::affinity::affinity;
use super::resources::{container_name, pod_level, requirements};
use super::spread::{WrittenConstraint, constraints};
use super::taints::{WrittenToleration, tolerations};
use super::{invalid, labels, object_meta};
use crate::api::field_error::{child, index};
use crate::api::names::{dns_label_errors, dns_subdomain_errors, label_key_errors};
use crate::api::{BadValue, Container, FieldError, Pod, ResourceRequirements};

/// A pod as it is written, with its defaults.
#[derive(Clone, Copy, Debug)]
pub struct WrittenPod<'w> {
    /// What the words of constraints and tolerations do not matter to.
    pub pod: &'w Pod,
    /// The topology spread constraints.
    pub constraints: &'w [WrittenConstraint],
    /// The tolerations.
    pub tolerations: &'w [WrittenToleration],
}

/// What is wrong with a pod that is to be created.
#[must_use]
pub fn pod(written: WrittenPod<'_>) -> Vec<FieldError> {
    let Pod { metadata, spec, .. } = written.pod;
    let mut errors = Vec::new();
    object_meta(&mut errors, metadata, true, dns_subdomain_errors);
    if spec.containers.is_empty() {
        errors.push(FieldError::required("spec.containers".to_owned(), ""));
    }
    containers(&mut errors, "spec.containers", &spec.containers, &[]);
    containers(&mut errors, "spec.initContainers", &spec.init_containers, &spec.containers);
    pod_level(&mut errors, "spec.resources", spec);
    labels(&mut errors, "spec.nodeSelector", &spec.node_selector);
    if let Some(own) = &spec.affinity {
        affinity(&mut errors, "spec.affinity", own, &metadata.labels);
    }
    for (i, gate) in spec.scheduling_gates.iter().enumerate() {
        let field = index("spec.schedulingGates", i);
        invalid(&mut errors, &field, gate, &label_key_errors(gate));
        if spec.scheduling_gates.iter().take(i).any(|other| other == gate) {
            errors.push(FieldError::duplicate(field, BadValue::Text(gate.clone())));
        }
    }
    let field = "spec.topologySpreadConstraints";
    constraints(&mut errors, field, written.constraints, &metadata.labels);
    let names =
        [("spec.nodeName", &spec.node_name), ("spec.priorityClassName", &spec.priority_class_name)];
    for (field, name) in names {
        if !name.is_empty() {
            invalid(&mut errors, field, name, &dns_subdomain_errors(name));
        }
    }
    tolerations(&mut errors, "spec.tolerations", written.tolerations);
    let overhead =
        ResourceRequirements { limits: spec.overhead.clone(), ..ResourceRequirements::default() };
    requirements(&mut errors, "spec.overhead", &overhead, container_name);
    if !spec.node_name.is_empty() && !spec.scheduling_gates.is_empty() {
        let detail = "cannot be set until all schedulingGates have been cleared";
        errors.push(FieldError::forbidden("spec.nodeName".to_owned(), detail));
    }
    errors
}

/// What `validateContainers` and `validateInitContainers` have in common. No container may have the name of one of
/// the others.
fn containers(
    errors: &mut Vec<FieldError>,
    field: &str,
    containers: &[Container],
    others: &[Container],
) {
    for (i, container) in containers.iter().enumerate() {
        let field = index(field, i);
        let (at_name, name) = (child(&field, "name"), &container.name);
        if name.is_empty() {
            errors.push(FieldError::required(at_name.clone(), ""));
        } else {
            invalid(errors, &at_name, name, &dns_label_errors(name));
        }
        if container.image.is_empty() {
            errors.push(FieldError::required(child(&field, "image"), ""));
        }
        requirements(errors, &child(&field, "resources"), &container.resources, container_name);
        // Init containers without a name are not alike.
        let before = containers.iter().take(i).filter(|_| others.is_empty() || !name.is_empty());
        if before.chain(others).any(|other| other.name == *name) {
            errors.push(FieldError::duplicate(at_name, BadValue::Text(name.clone())));
        }
    }
}
