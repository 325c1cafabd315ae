//! Nodes and namespaces.

use berth_core::api::{
    ContainerImage, FieldError, Namespace, Node as ApiNode, NodeSpec, NodeStatus, Taint,
    TaintEffect,
};

use berth_core::admission::validation::WrittenTaint;

use super::decoder::Cx;
use super::meta::{OBJECT, object_meta};
use super::path::Path;
use super::time::print as print_time;
use crate::tree::Node;

pub(crate) fn node(cx: &mut Cx, at: &Path<'_>, tree: &Node<'_>) -> ApiNode {
    const TYPE: &str = "v1.Node";
    let mut out = ApiNode::default();
    for e in cx.fields(at, tree, TYPE) {
        let (at, node) = (&at.field(TYPE, &e.key), &e.value);
        match &*e.key {
            "metadata" => out.metadata = object_meta(cx, at, node),
            "spec" => out.spec = spec(cx, at, node),
            "status" => out.status = status(cx, at, node),
            _ => cx.other(at, e, OBJECT),
        }
    }
    out
}

pub(super) fn namespace(cx: &mut Cx, at: &Path<'_>, tree: &Node<'_>) -> Namespace {
    const TYPE: &str = "v1.Namespace";
    let mut out = Namespace::default();
    for e in cx.fields(at, tree, TYPE) {
        let (at, node) = (&at.field(TYPE, &e.key), &e.value);
        match &*e.key {
            "metadata" => out.metadata = object_meta(cx, at, node),
            _ => cx.other(at, e, OBJECT),
        }
    }
    out
}

fn spec(cx: &mut Cx, at: &Path<'_>, node: &Node<'_>) -> NodeSpec {
    const TYPE: &str = "v1.NodeSpec";
    const KNOWN: &[&str] = &[
        "configSource",
        "externalID",
        "podCIDR",
        "podCIDRs",
        "providerID",
        "taints",
        "unschedulable",
    ];
    let mut out = NodeSpec::default();
    for e in cx.fields(at, node, TYPE) {
        let (at, node) = (&at.field(TYPE, &e.key), &e.value);
        match &*e.key {
            "unschedulable" => out.unschedulable = cx.boolean(at, node),
            "taints" => {
                let taints = cx.list(at, node, "[]v1.Taint", taint);
                out.taints = taints.into_iter().flatten().collect();
            }
            _ => cx.other(at, e, KNOWN),
        }
    }
    out
}

/// A taint; none, after an error, if it has no effect of the API.
fn taint(cx: &mut Cx, at: &Path<'_>, node: &Node<'_>) -> Option<Taint> {
    let WrittenTaint { key, value, effect, .. } = written_taint(cx, at, node);
    if effect.is_empty() {
        cx.invalid(at, node, &FieldError::required("effect".to_owned(), ""));
        return None;
    }
    let at = &at.field("v1.Taint", "effect");
    let node = node.get("effect").unwrap_or(node);
    let effect = cx.known(at, node, &effect, &TaintEffect::ALL, TaintEffect::as_str)?;
    Some(Taint { key, value, effect })
}

pub(crate) fn written_taint(cx: &mut Cx, at: &Path<'_>, node: &Node<'_>) -> WrittenTaint {
    const TYPE: &str = "v1.Taint";
    let mut out = WrittenTaint::default();
    for e in cx.fields(at, node, TYPE) {
        let (at, node) = (&at.field(TYPE, &e.key), &e.value);
        match &*e.key {
            "key" => out.key = cx.string(at, node),
            "value" => out.value = cx.string(at, node),
            "effect" => out.effect = cx.string(at, node),
            "timeAdded" => out.time_added = cx.time(at, node).map(print_time),
            _ => cx.other(at, e, &["key", "value", "effect", "timeAdded"]),
        }
    }
    out
}

fn status(cx: &mut Cx, at: &Path<'_>, node: &Node<'_>) -> NodeStatus {
    const TYPE: &str = "v1.NodeStatus";
    const KNOWN: &[&str] = &[
        "addresses",
        "allocatable",
        "capacity",
        "conditions",
        "config",
        "daemonEndpoints",
        "declaredFeatures",
        "features",
        "images",
        "nodeInfo",
        "phase",
        "runtimeHandlers",
        "volumesAttached",
        "volumesInUse",
    ];
    let mut out = NodeStatus::default();
    let mut has_allocatable = false;
    for e in cx.fields(at, node, TYPE) {
        let (at, node) = (&at.field(TYPE, &e.key), &e.value);
        match &*e.key {
            "capacity" => out.capacity = cx.resources(at, node),
            "allocatable" => {
                has_allocatable = !node.is_null();
                out.allocatable = cx.resources(at, node);
            }
            "images" => out.images = cx.list(at, node, "[]v1.ContainerImage", image),
            _ => cx.other(at, e, KNOWN),
        }
    }
    // `SetDefaults_NodeStatus`. An empty allocatable stays empty.
    if !has_allocatable {
        out.allocatable.clone_from(&out.capacity);
    }
    out
}

fn image(cx: &mut Cx, at: &Path<'_>, node: &Node<'_>) -> ContainerImage {
    const TYPE: &str = "v1.ContainerImage";
    let mut out = ContainerImage::default();
    for e in cx.fields(at, node, TYPE) {
        let (at, node) = (&at.field(TYPE, &e.key), &e.value);
        match &*e.key {
            "names" => out.names = cx.strings(at, node),
            "sizeBytes" => out.size_bytes = cx.int64(at, node).unwrap_or_default(),
            _ => cx.other(at, e, &["names", "sizeBytes"]),
        }
    }
    out
}
