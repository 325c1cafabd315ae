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

/// A range of addresses, as it is written.
struct Range {
    bits: u128,
    /// How many bits an address has.
    width: u32,
    length: u32,
    /// Whether a number begins with a zero that it does not need.
    has_zeros: bool,
    /// Whether it is an address of the old family within the new one.
    is_mapped: bool,
}

fn cidrs(errors: &mut Vec<FieldError>, field: &str, cidrs: &[String]) {
    let (mut old, mut new) = (false, false);
    let mut first_bad = None;
    for (i, cidr) in cidrs.iter().enumerate() {
        let range = Range::parse(cidr);
        let why = match &range {
            None => Some("must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)"),
            Some(range) => range.complaint(),
        };
        if let Some(why) = why {
            let value = BadValue::Text(cidr.clone());
            errors.push(FieldError::invalid(index(field, i), value, why));
        }
        match range {
            None => first_bad = first_bad.or(Some((i, cidr))),
            Some(range) if range.is_old() => old = true,
            Some(_) => new = true,
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
    if first_bad.is_some() || !(old && new) || cidrs.len() > 2 {
        let why = "may specify no more than one CIDR for each IP family";
        errors.push(FieldError::invalid(field.to_owned(), BadValue::list(cidrs), why));
    }
}

impl Range {
    /// Reads a range, also with zeros (`ParseCIDRSloppy`).
    fn parse(cidr: &str) -> Option<Self> {
        let (address, length_text) = cidr.split_once('/')?;
        let (length, mut has_zeros) = number(length_text)?;
        if let Ok(address) = address.parse::<Ipv6Addr>() {
            let is_mapped = address.to_ipv4_mapped().is_some();
            let range = Self { bits: address.to_bits(), width: 128, length, has_zeros, is_mapped };
            return (length <= 128).then_some(range);
        }
        let (mut bits, mut parts) = (0, 0);
        for part in address.split('.') {
            let (part, zeros) = number(part).filter(|(part, _)| *part <= 255)?;
            has_zeros |= zeros;
            bits = (bits << 8) | u128::from(part);
            parts += 1;
            if parts > 4 {
                return None;
            }
        }
        let range = Self { bits, width: 32, length, has_zeros, is_mapped: false };
        (parts == 4 && length <= 32).then_some(range)
    }

    /// What is wrong with a range that can be read.
    fn complaint(&self) -> Option<&'static str> {
        let Self { bits, width, length, has_zeros, is_mapped } = *self;
        if has_zeros {
            Some("must not have leading 0s in IP or prefix length")
        } else if is_mapped {
            Some("must not have an IPv4-mapped IPv6 address")
        } else if bits & !mask(width - length) != bits {
            Some("must not have bits set beyond the prefix length")
        } else {
            None
        }
    }

    /// To Go a mapped address is one of the old family, if the range leaves that to be seen.
    fn is_old(&self) -> bool {
        self.width == 32 || (self.is_mapped && self.length >= 96)
    }
}

/// As many ones, at the end.
fn mask(count: u32) -> u128 {
    if count == 0 { 0 } else { u128::MAX >> 128_u32.saturating_sub(count) }
}

/// A number of decimal digits, and whether it begins with a zero that it does not need.
fn number(text: &str) -> Option<(u32, bool)> {
    if !text.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    Some((text.parse().ok()?, text.len() > 1 && text.starts_with('0')))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges() {
        const BITS: &str = "must not have bits set beyond the prefix length";
        const ZEROS: &str = "must not have leading 0s in IP or prefix length";
        for (cidr, complaint) in [
            ("10.0.0.0/24", None),
            ("0.0.0.0/0", None),
            ("10.0.0.1/32", None),
            ("::/0", None),
            ("fd00::/64", None),
            ("10.0.0.1/24", Some(BITS)),
            ("10.0.0.1/0", Some(BITS)),
            ("fd00::1/127", Some(BITS)),
            ("010.0.0.0/24", Some(ZEROS)),
            ("10.0.0.0/024", Some(ZEROS)),
            ("::ffff:1.2.3.4/128", Some("must not have an IPv4-mapped IPv6 address")),
        ] {
            assert_eq!(
                Range::parse(cidr).map(|range| range.complaint()),
                Some(complaint),
                "{cidr}"
            );
        }
        for cidr in [
            "",
            "/",
            "10.0.0.0",
            "10.0.0/8",
            "1.2.3.4.5/8",
            "256.0.0.0/8",
            "1.2.3.4/33",
            "::/129",
            "1.2.3.4/-1",
        ] {
            assert!(Range::parse(cidr).is_none(), "{cidr}");
        }
    }
}
