//! Questions about one object by itself: `{"kind":…,"input":…}`.

mod deletion;
mod disruption;
mod eviction;
mod input;
mod node_pressure;
mod node_selector;
mod priority;
mod qos;
mod quantity;
mod selector;
mod termination;
mod validate;

use std::collections::BTreeMap;

use berth_core::api::Labels;
use serde::{Deserialize, Deserializer};
use serde_json::Value;

use crate::validation;

/// Answers a question of this kind, or says why it cannot.
pub fn answer(kind: &str, input: &str) -> Result<Value, String> {
    match kind {
        "admit-priority" => priority::admit_pod(input),
        "admit-priorityclass" => priority::admit_class(input),
        "delete-pod" => deletion::answer(input),
        "pod-grace" => termination::pod_grace(input),
        "kill-grace" => termination::kill_grace(input),
        "kill-pod" => termination::kill_all(input),
        "eviction-rank" => node_pressure::ranking(input),
        "eviction-grace" => node_pressure::grace(input),
        "evict" => eviction::answer(input),
        "pdb-status" => disruption::status(input),
        "validate-pdb" => disruption::validate(input),
        "validate-config" => validate::config(input),
        "validate-node" => validate::object(input, "node", validation::node),
        "validate-pod" => validate::object(input, "pod", validation::pod),
        "qos" => qos::answer(input),
        "quantity" => Ok(quantity::answer(&decode(input)?)),
        "selector" => Ok(selector::answer(decode(input)?)),
        "node-selector" => Ok(node_selector::answer(decode(input)?)),
        _ => Err(format!("unknown kind {kind:?}")),
    }
}

fn decode<'a, T: Deserialize<'a>>(input: &'a str) -> Result<T, String> {
    serde_json::from_str(input).map_err(|e| format!("bad input: {e}"))
}

/// Reads labels; `null` is none.
fn labels<'de, D: Deserializer<'de>>(from: D) -> Result<Labels, D::Error> {
    let labels: Option<BTreeMap<String, String>> = Option::deserialize(from)?;
    Ok(labels.unwrap_or_default().into_iter().collect())
}

/// Reads `null` as nothing given, as Go does.
fn null_is_default<'de, D: Deserializer<'de>, T: Deserialize<'de> + Default>(
    from: D,
) -> Result<T, D::Error> {
    Ok(Option::deserialize(from)?.unwrap_or_default())
}
