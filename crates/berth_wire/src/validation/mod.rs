//! Everything that the API server has against an object that is to be created.
//!
//! The engine validates what it keeps (`berth_core::admission::validation`). Words that it cannot keep, because they
//! are none of the API's, are read a second time here, as they are written. Fields that nothing else reads, because
//! scheduling does not, are validated here over the tree (`pod`, `container`), so that the engine need not carry them.
//!
//! Deviations: of pods, volumes, environment, security contexts, claims, ephemeral containers, rules of restarting and
//! resizing, and what is about host names, name servers and Windows are not looked at; neither are annotations,
//! finalizers and owners of anything.

mod container;
mod pod;
mod port;

use berth_core::admission::defaults;
use berth_core::admission::validation::{self, WrittenNode, WrittenPod};
use berth_core::api::{FieldError, Kind};

use crate::manifest::{
    Cx, Finding, Path, node as decode_node, pod as decode_pod, written_constraint, written_taint,
    written_toleration,
};
use crate::tree::{Node, Value};

/// The value at the end of some fields; nothing if it is not there.
fn at_end<'n, 'a>(node: &'n Node<'a>, fields: &[&str]) -> Option<&'n Node<'a>> {
    fields.iter().try_fold(node, |node, field| node.get(field))
}

/// A list at the end of some fields, each item read by itself. What cannot be decoded was said before.
fn written<T>(
    node: &Node<'_>,
    fields: &[&str],
    read: fn(&mut Cx, &Path<'_>, &Node<'_>) -> T,
) -> Vec<T> {
    let items = at_end(node, fields).map(Node::items).unwrap_or_default();
    items.iter().map(|item| read(&mut Cx::default(), &Path::Root, item)).collect()
}

/// The errors of validation, if the object can be decoded.
fn outcome(
    cx: Cx,
    errors: impl FnOnce() -> Vec<FieldError>,
) -> Result<Vec<FieldError>, Vec<Finding>> {
    let (findings, _) = cx.finish();
    if Finding::fault(findings.iter()).is_some() {
        return Err(findings);
    }
    Ok(errors())
}

/// What is wrong with an object that is written so; nothing if it cannot be decoded. Pods and nodes are looked at here;
/// classes and budgets are validated when they are decoded, objects of other kinds not at all.
pub fn errors(kind: Kind, node: &Node<'_>) -> Vec<FieldError> {
    match kind {
        Kind::Pod => pod(node).unwrap_or_default(),
        Kind::Node => self::node(node).unwrap_or_default(),
        _ => Vec::new(),
    }
}

/// Has everything read of a pod that only validation reads.
pub(crate) fn read_pod(cx: &mut Cx, node: &Node<'_>) {
    pod::spec(cx, &mut Vec::new(), node, 0);
}

/// What is wrong with a pod, or why it cannot be decoded. A pod without a namespace is in `default`.
pub(crate) fn pod(node: &Node<'_>) -> Result<Vec<FieldError>, Vec<Finding>> {
    let mut cx = Cx::default();
    let mut pod = decode_pod(&mut cx, &Path::Root, node);
    if pod.metadata.namespace.is_empty() {
        "default".clone_into(&mut pod.metadata.namespace);
    }
    // The first of its kind, whatever it says (`PrepareForCreate`).
    pod.metadata.generation = 1;
    defaults::pod(&mut pod);
    // A negative one is 1 to the API server.
    let grace = &mut pod.spec.termination_grace_period_seconds;
    *grace = grace.map(|seconds| if seconds < 0 { 1 } else { seconds });
    let mut errors = Vec::new();
    pod::spec(&mut cx, &mut errors, node, grace.unwrap_or_default());
    outcome(cx, || {
        errors.extend(validation::pod(WrittenPod {
            pod: &pod,
            constraints: &written(node, &["spec", "topologySpreadConstraints"], written_constraint),
            tolerations: &written(node, &["spec", "tolerations"], written_toleration),
        }));
        errors
    })
}

/// What is wrong with a node, or why it cannot be decoded.
pub(crate) fn node(node: &Node<'_>) -> Result<Vec<FieldError>, Vec<Finding>> {
    let mut cx = Cx::default();
    let mut object = decode_node(&mut cx, &Path::Root, node);
    defaults::node_status(&mut object.status);
    outcome(cx, || {
        validation::node(WrittenNode {
            node: &object,
            taints: &written(node, &["spec", "taints"], written_taint),
            pod_cidrs: &pod_cidrs(node),
        })
    })
}

/// `podCIDRs`, in which `podCIDR` has the last word (`Convert_v1_NodeSpec_To_core_NodeSpec`).
fn pod_cidrs(node: &Node<'_>) -> Vec<String> {
    let all = written(node, &["spec", "podCIDRs"], Cx::string);
    match at_end(node, &["spec", "podCIDR"]).map(|own| &own.value) {
        Some(Value::String(own))
            if !own.is_empty() && all.first().is_none_or(|first| *first != **own) =>
        {
            vec![own.clone().into_owned()]
        }
        _ => all,
    }
}
