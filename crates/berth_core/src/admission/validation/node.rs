//! Nodes.
//!
//! Mirrors `ValidateNode` (`pkg/apis/core/validation/validation.go`). Deviations: annotations, swap and declared features
//! are not looked at.

use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::net::Ipv6Addr;

use super::object_meta;
use super::resources::amount;
use super::taints::{WrittenTaint, taints};
use crate::api::field_error::{child, index};
use crate::api::names::dns_subdomain_errors;
use crate::api::{BadValue, FieldError, FieldErrorKind, Node};

/// A node as it is written.
#[derive(Clone, Copy, Debug)]
pub struct WrittenNode<'w> {
    /// What the words of taints do not matter to.
    pub node: &'w Node,
    /// The taints.
    pub taints: &'w [WrittenTaint],
    /// The addresses of the pods on the node, a range a family; `podCIDR` comes before `podCIDRs`.
    pub pod_cidrs: &'w [String],
}

/// What is wrong with a node that is to be created.
#[must_use]
pub fn node(written: WrittenNode<'_>) -> Vec<FieldError> {
    let WrittenNode { node, taints: written_taints, pod_cidrs } = written;
    let mut errors = Vec::new();
    object_meta(&mut errors, &node.metadata, false, dns_subdomain_errors);
    taints(&mut errors, "metadata.taints", written_taints);
    let lists = [("capacity", &node.status.capacity), ("allocatable", &node.status.allocatable)];
    for (list, amounts) in lists {
        let field = child("status", list);
        for (name, quantity) in amounts {
            amount(&mut errors, &child(&field, name), name, quantity);
        }
    }
    cidrs(&mut errors, "spec.podCIDRs", pod_cidrs);
    errors
}

/// A family of addresses.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Family {
    V4,
    V6,
}

fn cidrs(errors: &mut Vec<FieldError>, field: &str, cidrs: &[String]) {
    let mut families = Vec::new();
    let mut first_bad = None;
    for (i, cidr) in cidrs.iter().enumerate() {
        let found = family(cidr);
        families.extend(found);
        if found.is_none() {
            first_bad = first_bad.or(Some((i, cidr)));
            let why = "must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)";
            let value = BadValue::Text(cidr.clone());
            errors.push(FieldError::invalid(index(field, i), value, why));
        }
    }
    if cidrs.len() < 2 {
        return;
    }
    if let Some((i, cidr)) = first_bad {
        errors.push(FieldError {
            kind: FieldErrorKind::Internal,
            field: field.to_owned(),
            bad_value: BadValue::Omitted,
            detail: format!(
                "invalid PodCIDRs. failed to check with dual stack with error:invalid CIDR[{i}]: <nil> (invalid CIDR address: {cidr})"
            ),
        });
    }
    let both = families.contains(&Family::V4) && families.contains(&Family::V6);
    if first_bad.is_some() || !both || cidrs.len() > 2 {
        let why = "may specify no more than one CIDR for each IP family";
        errors.push(FieldError::invalid(field.to_owned(), BadValue::list(cidrs), why));
    }
}

/// The family of a range; none if it is none. Digits may begin with zeros (`ParseCIDRSloppy`).
fn family(cidr: &str) -> Option<Family> {
    let (address, length) = cidr.split_once('/')?;
    let length = number(length)?;
    if let Ok(address) = address.parse::<Ipv6Addr>() {
        // To Go a mapped address is one of the old family, if the range leaves that to be seen.
        let is_mapped = address.to_ipv4_mapped().is_some() && length >= 96;
        let family = if is_mapped { Family::V4 } else { Family::V6 };
        return (length <= 128).then_some(family);
    }
    let mut parts = 0;
    for part in address.split('.') {
        number(part).filter(|part| *part <= 255)?;
        parts += 1;
    }
    (parts == 4 && length <= 32).then_some(Family::V4)
}

/// A number of decimal digits.
fn number(text: &str) -> Option<u32> {
    text.bytes().all(|byte| byte.is_ascii_digit()).then(|| text.parse().ok())?
}
