//! What the pod asks for in all.

use std::collections::BTreeMap;

use serde_json::Value;

use super::{field, list, number, text};

type Amounts<'a> = BTreeMap<&'a str, i64>;

/// What containers that ask for nothing count as.
const MISSING: [(&str, i64); 2] = [("cpu", 100), ("memory", 200 * 1024 * 1024)];

/// The pod's requests: for Filter, or as NodeResourcesFit scores them.
pub(super) fn total(doc: &Value, scored: bool) -> Amounts<'_> {
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
        sum.extend(amounts(pod_level));
    }
    add(&mut sum, &amounts(field(requests, "overhead")));
    sum
}

fn amounts(requests: &Value) -> Amounts<'_> {
    let requests = requests.as_array().expect("a list of amounts").iter();
    requests.map(|request| (text(request, "resource"), number(request, "amount"))).collect()
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
