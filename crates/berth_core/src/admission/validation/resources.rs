//! Amounts of resources.
//!
//! Mirrors `validateResourceRequirements`, `validatePodResources` and what they call
//! (`pkg/apis/core/validation/validation.go`, `pkg/apis/core/helper/helpers.go`).

use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use crate::admission::defaults::aggregate;
use crate::api::field_error::{child, index};
use crate::api::names::label_key_errors;
use crate::api::resources::{is_extended_resource, is_huge_page_resource, is_native_resource};
use crate::api::{BadValue, FieldError, PodSpec, Quantity, ResourceRequirements};

/// Resources that are counted, among others.
const COUNTS: [&str; 9] = [
    "pods",
    "resourcequotas",
    "services",
    "replicationcontrollers",
    "secrets",
    "configmaps",
    "persistentvolumeclaims",
    "services.nodeports",
    "services.loadbalancers",
];

/// Resources that are amounts (`standardResources` without those that are counted).
const AMOUNTS: [&str; 11] = [
    "cpu",
    "memory",
    "ephemeral-storage",
    "requests.cpu",
    "requests.memory",
    "requests.ephemeral-storage",
    "limits.cpu",
    "limits.memory",
    "limits.ephemeral-storage",
    "storage",
    "requests.storage",
];

fn bad_name(field: &str, name: &str, why: &str) -> FieldError {
    FieldError::invalid(field.to_owned(), BadValue::word(name), why)
}

fn bad_amount(field: String, quantity: &Quantity, why: &str) -> FieldError {
    FieldError::invalid(field, BadValue::Text(quantity.to_string()), why)
}

/// `ValidateResourceQuantityValue`.
pub(super) fn amount(errors: &mut Vec<FieldError>, field: &str, name: &str, quantity: &Quantity) {
    if quantity.sign() < 0 {
        let why = "must be greater than or equal to 0";
        errors.push(bad_amount(field.to_owned(), quantity, why));
    }
    let is_counted = COUNTS.contains(&name) || is_extended_resource(name);
    if is_counted && quantity.milli_value() % 1000 != 0 {
        errors.push(bad_amount(field.to_owned(), quantity, "must be an integer"));
    }
}

/// `validateResourceName`.
fn known_name(errors: &mut Vec<FieldError>, field: &str, name: &str) {
    let complaints = label_key_errors(name);
    errors.extend(complaints.iter().map(|why| bad_name(field, name, why)));
    let is_standard = || {
        COUNTS.contains(&name)
            || AMOUNTS.contains(&name)
            || is_huge_page_resource(name)
            || name.starts_with("requests.hugepages-")
    };
    if complaints.is_empty() && !name.contains('/') && !is_standard() {
        errors.push(bad_name(field, name, "must be a standard resource type or fully qualified"));
    }
}

/// `validateContainerResourceName`.
pub(super) fn container_name(errors: &mut Vec<FieldError>, field: &str, name: &str) {
    known_name(errors, field, name);
    let is_containers =
        || matches!(name, "cpu" | "memory" | "ephemeral-storage") || is_huge_page_resource(name);
    if !name.contains('/') {
        if !is_containers() {
            errors.push(bad_name(field, name, "must be a standard resource for containers"));
        }
    } else if !is_native_resource(name) && !is_extended_resource(name) {
        errors.push(bad_name(field, name, "doesn't follow extended resource name standard"));
    }
}

/// `validatePodResourceName`.
fn pod_name(errors: &mut Vec<FieldError>, field: &str, name: &str) {
    let before = errors.len();
    known_name(errors, field, name);
    let is_pods = matches!(name, "cpu" | "memory") || is_huge_page_resource(name);
    if errors.len() == before && !is_pods {
        let words = ["cpu", "hugepages-", "memory"];
        errors.push(FieldError::not_supported(field.to_owned(), name, &words));
    }
}

/// Says what is wrong with the name of a resource.
type NameCheck = fn(&mut Vec<FieldError>, &str, &str);

/// `validateResourceRequirements`.
pub(super) fn requirements(
    errors: &mut Vec<FieldError>,
    field: &str,
    requirements: &ResourceRequirements,
    name_check: NameCheck,
) {
    let (limits, requests) = (child(field, "limits"), child(field, "requests"));
    let (mut computes, mut huge) = (false, false);
    for (at, list) in [(&limits, &requirements.limits), (&requests, &requirements.requests)] {
        for (name, quantity) in list {
            let field = format!("{at}[{name}]");
            name_check(errors, &field, name);
            amount(errors, &field, name, quantity);
            computes |= matches!(&**name, "cpu" | "memory");
            if is_huge_page_resource(name) {
                huge = true;
                if !is_whole_pages(name, quantity) {
                    let why = format!("{quantity} is not positive integer multiple of {name}");
                    errors.push(bad_amount(field, quantity, &why));
                }
            }
        }
    }
    for (name, request) in &requirements.requests {
        let is_elastic = is_native_resource(name) && !is_huge_page_resource(name);
        match requirements.limits.get(name) {
            Some(limit) if request != limit && !is_elastic => {
                let why = format!("must be equal to {name} limit of {limit}");
                errors.push(bad_amount(requests.clone(), request, &why));
            }
            Some(limit) if request > limit => {
                let why = format!("must be less than or equal to {name} limit of {limit}");
                errors.push(bad_amount(requests.clone(), request, &why));
            }
            None if !is_elastic => {
                let detail = "Limit must be set for non overcommitable resources";
                errors.push(FieldError::required(limits.clone(), detail));
            }
            _ => {}
        }
    }
    if huge && !computes {
        let detail = "HugePages require cpu or memory";
        errors.push(FieldError::forbidden(field.to_owned(), detail));
    }
}

/// `IsHugePageResourceValueDivisible`.
fn is_whole_pages(name: &str, quantity: &Quantity) -> bool {
    let Some(size) = name.strip_prefix("hugepages-") else { return false };
    let Ok(size) = Quantity::parse(size) else { return false };
    size.sign() > 0
        && size.milli_value() % 1000 == 0
        && quantity.value().checked_rem(size.value()) == Some(0)
}

/// `validatePodResources`: the resources of the pod as a whole.
pub(super) fn pod_level(errors: &mut Vec<FieldError>, field: &str, spec: &PodSpec) {
    let Some(own) = &spec.resources else { return };
    requirements(errors, field, own, pod_name);
    for (name, total) in aggregate(spec, |container| &container.resources.requests) {
        if let Some(request) = own.requests.get(&name)
            && total > *request
        {
            let why =
                format!("must be greater than or equal to aggregate container requests of {total}");
            errors.push(bad_amount(format!("{field}.requests[{name}]"), request, &why));
        }
    }
    for (name, total) in aggregate(spec, |container| &container.resources.limits) {
        if let Some(limit) = own.limits.get(&name)
            && is_huge_page_resource(&name)
            && total > *limit
        {
            let why =
                format!("must be greater than or equal to aggregate container limits of {total}");
            errors.push(bad_amount(format!("{field}.limits[{name}]"), limit, &why));
        }
    }
    for (i, container) in spec.containers.iter().enumerate() {
        for (name, limit) in &container.resources.limits {
            if let Some(most) = own.limits.get(name)
                && limit > most
            {
                let container = index(&child(field, "containers"), i);
                let why = format!("must be less than or equal to pod limits of {most}");
                errors.push(bad_amount(format!("{container}[{name}].limits"), limit, &why));
            }
        }
    }
}
