//! Nodes and namespaces.

use berth_core::api::{
    ContainerImage, FieldError, Namespace, Node as ApiNode, NodeSpec, NodeStatus, Taint,
    TaintEffect,
};

use super::decoder::Cx;
use super::meta::{OBJECT, object_meta};
use super::path::Path;
use crate::tree::Node;

pub(super) fn node(cx: &mut Cx, at: &Path<'_>, tree: &Node<'_>) -> ApiNode {
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

/// A taint; none, after an error, if it has no effect.
fn taint(cx: &mut Cx, at: &Path<'_>, node: &Node<'_>) -> Option<Taint> {
    const TYPE: &str = "v1.Taint";
    let (mut key, mut value, mut effect) = (String::new(), String::new(), None);
    let mut has_effect = false;
    for e in cx.fields(at, node, TYPE) {
        let (at, node) = (&at.field(TYPE, &e.key), &e.value);
        match &*e.key {
            "key" => key = cx.string(at, node),
            "value" => value = cx.string(at, node),
            "effect" => {
                has_effect = node.as_str().is_some_and(|text| !text.is_empty());
                effect = cx.word(at, node, &TaintEffect::ALL, TaintEffect::as_str);
            }
            _ => cx.other(at, e, &["key", "value", "effect", "timeAdded"]),
        }
    }
    if !has_effect {
        let error = FieldError::required("effect".to_owned(), "");
        cx.invalid(at, node, &error);
    }
    effect.map(|effect| Taint { key, value, effect })
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
