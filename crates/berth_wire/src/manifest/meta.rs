//! `metadata`, label selectors and the other parts that many kinds share.

use berth_core::api::{
    Condition, IntOrPercent, LabelSelector, LabelSelectorRequirement, ObjectMeta, OwnerReference,
};

use super::decoder::Cx;
use super::path::Path;
use crate::tree::{Node, Value};

/// Fields of an object that its kind's decoder does not take itself.
pub(super) const OBJECT: &[&str] = &["apiVersion", "kind", "metadata", "spec", "status"];

pub(super) fn object_meta(cx: &mut Cx, at: &Path<'_>, node: &Node<'_>) -> ObjectMeta {
    const TYPE: &str = "v1.ObjectMeta";
    const KNOWN: &[&str] = &[
        "name",
        "namespace",
        "uid",
        "generation",
        "resourceVersion",
        "labels",
        "creationTimestamp",
        "deletionTimestamp",
        "deletionGracePeriodSeconds",
        "ownerReferences",
        "annotations",
        "clusterName",
        "finalizers",
        "generateName",
        "managedFields",
        "selfLink",
    ];
    let mut out = ObjectMeta::default();
    for e in cx.fields(at, node, TYPE) {
        let (at, node) = (&at.field(TYPE, &e.key), &e.value);
        match &*e.key {
            "name" => out.name = cx.string(at, node),
            "namespace" => out.namespace = cx.string(at, node),
            "uid" => out.uid = cx.string(at, node),
            "generation" => out.generation = cx.int64(at, node).unwrap_or_default(),
            "resourceVersion" => out.resource_version = cx.string(at, node),
            "labels" => out.labels = cx.labels(at, node),
            "annotations" => {
                let all = cx.labels(at, node);
                let read = all.into_iter().filter(|(name, _)| ObjectMeta::reads_annotation(name));
                out.annotations = read.collect();
            }
            "creationTimestamp" => out.creation_timestamp = cx.time(at, node),
            "deletionTimestamp" => out.deletion_timestamp = cx.time(at, node),
            "deletionGracePeriodSeconds" => out.deletion_grace_period_seconds = cx.int64(at, node),
            "ownerReferences" => {
                out.owner_references = cx.list(at, node, "[]v1.OwnerReference", owner_reference);
            }
            "finalizers" => {
                let all = cx.strings(at, node);
                out.job_tracking = all.iter().any(|name| name == ObjectMeta::JOB_TRACKING);
            }
            _ => cx.other(at, e, KNOWN),
        }
    }
    out
}

fn owner_reference(cx: &mut Cx, at: &Path<'_>, node: &Node<'_>) -> OwnerReference {
    const TYPE: &str = "v1.OwnerReference";
    const KNOWN: &[&str] =
        &["apiVersion", "kind", "name", "uid", "controller", "blockOwnerDeletion"];
    let mut out = OwnerReference::default();
    for e in cx.fields(at, node, TYPE) {
        let (at, node) = (&at.field(TYPE, &e.key), &e.value);
        match &*e.key {
            "apiVersion" => out.api_version = cx.string(at, node),
            "kind" => out.kind = cx.string(at, node),
            "name" => out.name = cx.string(at, node),
            "uid" => out.uid = cx.string(at, node),
            "controller" => out.controller = cx.boolean(at, node),
            _ => cx.other(at, e, KNOWN),
        }
    }
    out
}

/// A condition of a pod, or of another object: Go's type has the same fields, and a pod's one more.
pub(super) fn condition(cx: &mut Cx, at: &Path<'_>, node: &Node<'_>) -> Condition {
    const TYPE: &str = "v1.PodCondition";
    const KNOWN: &[&str] = &[
        "type",
        "status",
        "reason",
        "message",
        "lastProbeTime",
        "lastTransitionTime",
        "observedGeneration",
    ];
    let mut out = Condition::default();
    for e in cx.fields(at, node, TYPE) {
        let (at, node) = (&at.field(TYPE, &e.key), &e.value);
        match &*e.key {
            "type" => out.kind = cx.string(at, node),
            "status" => out.status = cx.string(at, node),
            "reason" => out.reason = cx.string(at, node),
            "message" => out.message = cx.string(at, node),
            "lastTransitionTime" => out.last_transition_time = cx.time(at, node),
            _ => cx.other(at, e, KNOWN),
        }
    }
    out
}

/// A label selector; none if the value is `null`.
pub(super) fn label_selector(cx: &mut Cx, at: &Path<'_>, node: &Node<'_>) -> Option<LabelSelector> {
    const TYPE: &str = "v1.LabelSelector";
    if node.is_null() {
        return None;
    }
    let mut out = LabelSelector::default();
    for e in cx.fields(at, node, TYPE) {
        let (at, node) = (&at.field(TYPE, &e.key), &e.value);
        match &*e.key {
            "matchLabels" => out.match_labels = cx.labels(at, node),
            "matchExpressions" => {
                out.match_expressions =
                    cx.list(at, node, "[]v1.LabelSelectorRequirement", requirement);
            }
            _ => cx.other(at, e, &["matchLabels", "matchExpressions"]),
        }
    }
    Some(out)
}

fn requirement(cx: &mut Cx, at: &Path<'_>, node: &Node<'_>) -> LabelSelectorRequirement {
    const TYPE: &str = "v1.LabelSelectorRequirement";
    let mut out = LabelSelectorRequirement::default();
    for e in cx.fields(at, node, TYPE) {
        let (at, node) = (&at.field(TYPE, &e.key), &e.value);
        match &*e.key {
            "key" => out.key = cx.string(at, node),
            "operator" => {
                out.operator = cx.string(at, node);
                cx.wants_word(&out.operator, &["In", "NotIn", "Exists", "DoesNotExist"]);
            }
            "values" => out.values = cx.strings(at, node),
            _ => cx.other(at, e, &["key", "operator", "values"]),
        }
    }
    out
}

/// A number or a share; none if the value is `null`.
pub(super) fn int_or_percent(cx: &mut Cx, at: &Path<'_>, node: &Node<'_>) -> Option<IntOrPercent> {
    cx.wants_type(node, "intstr.IntOrString");
    match &node.value {
        Value::String(text) => Some(IntOrPercent::Percent(text.clone().into_owned())),
        _ => cx.int32(at, node).map(IntOrPercent::Int),
    }
}
