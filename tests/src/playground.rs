//! Clusters of the corpus to play with.

use berth_core::api::Object;
use berth_core::framework::config::Configuration;
use berth_core::playground::Playground;
use berth_wire::manifest::{Content, decode};
use berth_wire::{config, tree};
use serde_json::Value;

/// The cluster of a vector's scenario; none if it cannot be loaded.
///
/// # Panics
/// If the scenario is not one of a vector.
pub fn playground(scenario: &Value) -> Option<Playground> {
    let configuration = match scenario.get("config") {
        None => Configuration::default(),
        Some(value) => {
            config::decode(&tree::json::parse(&value.to_string()).expect("it was JSON")).ok()?
        }
    };
    let objects: Vec<Object> = scenario["objects"].as_array()?.iter().filter_map(read).collect();
    Playground::new(objects, configuration).ok()
}

/// The object of a manifest that is good.
///
/// # Panics
/// If it is none.
pub fn object(manifest: &Value) -> Object {
    read(manifest).unwrap_or_else(|| panic!("{manifest} is no object"))
}

fn read(manifest: &Value) -> Option<Object> {
    let text = manifest.to_string();
    match decode(&tree::json::parse(&text).expect("it was JSON"), None).ok()?.content {
        Content::Object(object) => Some(object),
        _ => None,
    }
}
