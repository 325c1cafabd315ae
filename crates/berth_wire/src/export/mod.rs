//! Giving back what came in, with the edits made since.
//!
//! Every object of an input keeps the text that it came as. What was edited is found by comparing what Berth
//! understood then with what it has now, and only that is changed: fields unknown to Berth, status, annotations and
//! objects of other kinds come out as they went in. Comments, order and anchors are not kept.

mod encode;
mod hooks;
pub(crate) mod map;
mod overlay;

use std::sync::Arc;

use berth_core::api::{Kind, Object, ObjectKey};
use berth_core::cluster::Cluster;
use berth_core::collections::Set;

pub use encode::encode;
pub(crate) use encode::{Detail, node_affinity, spread, write as encode_as};

use crate::intake::{SEED, take_in};
use crate::manifest::{Content, Decoded, Report, decode, id, places};
use crate::tree::{Entry, Node, Value, json, write, yaml};

/// Everything that is in a cluster: what came in is in the order of the input, then comes what was made.
pub fn objects(report: &Report, cluster: &Cluster) -> Vec<Object> {
    let mut seen: Set<(Kind, ObjectKey)> = Set::new();
    let mut objects = Vec::new();
    for item in &report.items {
        let (kind, key) = (item.object.kind(), item.object.key());
        objects.extend(cluster.get(kind, &key));
        seen.insert((kind, key));
    }
    let order = cluster.order().iter().filter_map(|idx| cluster.node(*idx)?.node.clone());
    let made = (order.map(Object::Node))
        .chain(cluster.objects_beside_nodes_and_pods())
        .chain(cluster.pods().map(|(_, info)| Object::Pod(Arc::clone(&info.pod))));
    objects.extend(made.filter(|object| !seen.contains(&(object.kind(), object.key()))));
    objects
}

/// The objects as they are now, as a stream of YAML documents that `kubectl apply` takes.
pub fn yaml(report: &Report, objects: &[Object]) -> String {
    let documents: Vec<String> = texts(report, objects)
        .iter()
        .filter_map(|text| json::parse(text).ok())
        .map(|node| write::yaml(&node))
        .collect();
    documents.join("---\n")
}

/// The objects as they are now, as one JSON list.
pub fn json(report: &Report, objects: &[Object]) -> String {
    let texts = texts(report, objects);
    let entry =
        |key: &'static str, value| Entry { start: 0, key: key.into(), value: Node::made(value) };
    let items = texts.iter().filter_map(|text| json::parse(text).ok()).collect();
    write::json_pretty(&Node::made(Value::Mapping(vec![
        entry("apiVersion", Value::String("v1".into())),
        entry("kind", Value::String("List".into())),
        entry("items", Value::Sequence(items)),
    ])))
}

/// One object as it is now: with what its text says beyond what Berth knows, if it came with one.
pub fn object(text: Option<&str>, object: &Object) -> String {
    let before =
        text.and_then(|text| json::parse(text).ok()).and_then(|node| match decode(&node, None) {
            Ok(Decoded { content: Content::Object(object), .. }) => Some(object),
            _ => None,
        });
    match (text, before) {
        (Some(text), Some(before)) => edited(text, &before, object),
        _ => write::json(&encode(object)),
    }
}

/// A text of one object that somebody is writing, begun with `before`, as if it had been begun with `now`. None if one of
/// the texts cannot be read.
pub fn merge(before: &str, now: &str, draft: &str) -> Option<String> {
    let read = |text| yaml::parse(text).ok();
    let (before, now, draft) = (read(before)?, read(now)?, read(draft)?);
    Some(write::yaml(&overlay::overlay(now, &before, &draft)))
}

/// A text with what differs between `before`, which it was understood as, and `now`.
fn edited(text: &str, before: &Object, now: &Object) -> String {
    let new = encode(now);
    json::parse(text).map_or_else(
        |_| write::json(&new),
        |source| write::json(&overlay::overlay(source, &encode(before), &new)),
    )
}

/// All objects as JSON: those of the input that are still there in its order, then new ones, then those of other
/// kinds and the configuration.
///
/// Owners and priorities that the input got when it was taken in are no edits: what is compared with is the input as
/// it was then.
pub(crate) fn texts(report: &Report, objects: &[Object]) -> Vec<String> {
    let taken = take_in(report, SEED).objects;
    let places = places(report.items.iter().map(|item| &item.object));
    let text = |now: &Object| {
        let place = places.get(&id(now))? as usize;
        Some(edited(&report.items.get(place)?.text, taken.get(place)?, now))
    };
    let edited = objects.iter().map(|now| text(now).unwrap_or_else(|| write::json(&encode(now))));
    let others = report.others.iter().map(|other| other.text.to_string());
    let configuration = report.configuration_text.as_deref().map(str::to_owned);
    edited.chain(others).chain(configuration).collect()
}

#[cfg(test)]
mod tests;
