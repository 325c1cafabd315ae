//! What the pod asks for in all.

use std::collections::BTreeMap;

use serde_json::Value;

use super::{field, list, text};

/// Billionths of a core, a byte, a piece.
type Amounts<'a> = BTreeMap<&'a str, i128>;

const NANO: i128 = 1_000_000_000;
/// What containers that ask for nothing count as.
const MISSING: [(&str, i128); 2] = [("cpu", NANO / 10), ("memory", 200 * 1024 * 1024 * NANO)];

/// The pod's requests in whole units: for Filter, or as NodeResourcesFit scores them.
pub(super) fn total(doc: &Value, scored: bool) -> BTreeMap<&str, i64> {
    let round_up = |resource: &str, amount: i128| {
        let unit = if resource == "cpu" { NANO / 1000 } else { NANO };
        i64::try_from((amount + unit - 1).div_euclid(unit)).expect("an amount of 64 bits")
    };
    let sum = sum(doc, scored).into_iter();
    sum.map(|(resource, amount)| (resource, round_up(resource, amount))).collect()
}

fn sum(doc: &Value, scored: bool) -> Amounts<'_> {
    let requests = field(field(doc, "pod"), "requests");
    let (mut sum, mut sidecars, mut init) = (Amounts::new(), Amounts::new(), Amounts::new());
    for container in list(requests, "containers") {
        let mut own = amounts(field(container, "requests"));
        if scored {
            for (resource, amount) in MISSING {
                own.entry(resource).or_insert(amount);
            }
        }
        match text(container, "kind") {
            "container" => add(&mut sum, &own),
            // A sidecar goes on running beside all that starts after it.
            "sidecar" => {
                add(&mut sidecars, &own);
                most(&mut init, &sidecars);
            }
            _ => {
                add(&mut own, &sidecars);
                most(&mut init, &own);
            }
        }
    }
    add(&mut sum, &sidecars);
    most(&mut sum, &init);
    let pod_level = field(requests, "podLevel");
    if !scored && !pod_level.is_null() {
        let mut own = amounts(pod_level);
        own.retain(|name, _| matches!(*name, "cpu" | "memory") || name.starts_with("hugepages-"));
        sum.extend(own);
    }
    add(&mut sum, &amounts(field(requests, "overhead")));
    sum
}

/// Whether the scheduler knows a resource of that name: its own, and those with a domain.
pub(super) fn is_counted(name: &str) -> bool {
    matches!(name, "cpu" | "memory" | "ephemeral-storage")
        || name.starts_with("hugepages-")
        || name.starts_with("attachable-volumes-")
        || (name.contains('/') && !name.starts_with("requests."))
}

fn amounts(requests: &Value) -> Amounts<'_> {
    let requests = requests.as_array().expect("a list of amounts").iter();
    requests.map(|r| (text(r, "resource"), quantity(text(r, "quantity")))).collect()
}

/// A quantity in billionths.
fn quantity(text: &str) -> i128 {
    let end = text.find(|c: char| !matches!(c, '0'..='9' | '.' | '-')).unwrap_or(text.len());
    let (number, suffix) = text.split_at(end);
    let scale = match suffix {
        "n" => 1,
        "u" => 1000,
        "m" => 1_000_000,
        "" => NANO,
        "Ki" => NANO << 10,
        "Mi" => NANO << 20,
        "Gi" => NANO << 30,
        "Ti" => NANO << 40,
        "Pi" => NANO << 50,
        "Ei" => NANO << 60,
        decimal => {
            let power = "kMGTPE".find(decimal).and_then(|place| i32::try_from(3 * place + 3).ok());
            let power = power.or_else(|| decimal.strip_prefix('e')?.parse().ok());
            let power = power.unwrap_or_else(|| panic!("no suffix {suffix:?}"));
            10_i128.pow(u32::try_from(power + 9).expect("nothing is smaller than a billionth"))
        }
    };
    let (whole, part) = number.split_once('.').unwrap_or((number, ""));
    let digits: i128 = [whole, part].concat().parse().expect("digits");
    digits * scale / 10_i128.pow(u32::try_from(part.len()).expect("a small number"))
}

fn add<'a>(sum: &mut Amounts<'a>, other: &Amounts<'a>) {
    for (resource, amount) in other {
        *sum.entry(resource).or_default() += amount;
    }
}

fn most<'a>(sum: &mut Amounts<'a>, other: &Amounts<'a>) {
    for (resource, amount) in other {
        let known = sum.entry(resource).or_insert(*amount);
        *known = (*known).max(*amount);
    }
}
