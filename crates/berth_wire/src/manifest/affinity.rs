//! Node affinity, pod affinity and anti-affinity.

use berth_core::api::{
    Affinity, NodeAffinity, NodeSelector, NodeSelectorRequirement, NodeSelectorTerm, PodAffinity,
    PodAffinityTerm, PreferredSchedulingTerm, WeightedPodAffinityTerm,
};

use super::decoder::Cx;
use super::meta::label_selector;
use super::path::Path;
use crate::tree::Node;

const REQUIRED: &str = "requiredDuringSchedulingIgnoredDuringExecution";
const PREFERRED: &str = "preferredDuringSchedulingIgnoredDuringExecution";

/// Affinity; none if the value is `null`.
pub(super) fn affinity(cx: &mut Cx, at: &Path<'_>, node: &Node<'_>) -> Option<Affinity> {
    const TYPE: &str = "v1.Affinity";
    if node.is_null() {
        return None;
    }
    let mut out = Affinity::default();
    for e in cx.fields(at, node, TYPE) {
        let (at, node) = (&at.field(TYPE, &e.key), &e.value);
        match &*e.key {
            "nodeAffinity" => out.node_affinity = node_affinity(cx, at, node),
            "podAffinity" => out.pod_affinity = pod_affinity(cx, at, node, "v1.PodAffinity"),
            "podAntiAffinity" => {
                out.pod_anti_affinity = pod_affinity(cx, at, node, "v1.PodAntiAffinity");
            }
            _ => cx.other(at, e, &["nodeAffinity", "podAffinity", "podAntiAffinity"]),
        }
    }
    Some(out)
}

/// Node affinity; none if the value is `null`.
pub(crate) fn node_affinity(cx: &mut Cx, at: &Path<'_>, node: &Node<'_>) -> Option<NodeAffinity> {
    const TYPE: &str = "v1.NodeAffinity";
    if node.is_null() {
        return None;
    }
    let mut out = NodeAffinity::default();
    for e in cx.fields(at, node, TYPE) {
        let (at, node) = (&at.field(TYPE, &e.key), &e.value);
        match &*e.key {
            REQUIRED => out.required = node_selector(cx, at, node),
            PREFERRED => {
                out.preferred = cx.list(at, node, "[]v1.PreferredSchedulingTerm", preferred_term);
            }
            _ => cx.other(at, e, &[REQUIRED, PREFERRED]),
        }
    }
    Some(out)
}

fn node_selector(cx: &mut Cx, at: &Path<'_>, node: &Node<'_>) -> Option<NodeSelector> {
    const TYPE: &str = "v1.NodeSelector";
    if node.is_null() {
        return None;
    }
    let mut out = NodeSelector::default();
    for e in cx.fields(at, node, TYPE) {
        let (at, node) = (&at.field(TYPE, &e.key), &e.value);
        match &*e.key {
            "nodeSelectorTerms" => {
                out.node_selector_terms = cx.list(at, node, "[]v1.NodeSelectorTerm", term);
            }
            _ => cx.other(at, e, &["nodeSelectorTerms"]),
        }
    }
    Some(out)
}

fn term(cx: &mut Cx, at: &Path<'_>, node: &Node<'_>) -> NodeSelectorTerm {
    const TYPE: &str = "v1.NodeSelectorTerm";
    const LIST: &str = "[]v1.NodeSelectorRequirement";
    let mut out = NodeSelectorTerm::default();
    for e in cx.fields(at, node, TYPE) {
        let (at, node) = (&at.field(TYPE, &e.key), &e.value);
        match &*e.key {
            "matchExpressions" => out.match_expressions = cx.list(at, node, LIST, requirement),
            "matchFields" => out.match_fields = cx.list(at, node, LIST, requirement),
            _ => cx.other(at, e, &["matchExpressions", "matchFields"]),
        }
    }
    out
}

fn requirement(cx: &mut Cx, at: &Path<'_>, node: &Node<'_>) -> NodeSelectorRequirement {
    const TYPE: &str = "v1.NodeSelectorRequirement";
    let mut out = NodeSelectorRequirement::default();
    for e in cx.fields(at, node, TYPE) {
        let (at, node) = (&at.field(TYPE, &e.key), &e.value);
        match &*e.key {
            "key" => out.key = cx.string(at, node),
            "operator" => {
                const WORDS: &[&str] = &["In", "NotIn", "Exists", "DoesNotExist", "Gt", "Lt"];
                out.operator = cx.string(at, node);
                cx.wants_word(&out.operator, WORDS);
            }
            "values" => out.values = cx.strings(at, node),
            _ => cx.other(at, e, &["key", "operator", "values"]),
        }
    }
    out
}

fn preferred_term(cx: &mut Cx, at: &Path<'_>, node: &Node<'_>) -> PreferredSchedulingTerm {
    const TYPE: &str = "v1.PreferredSchedulingTerm";
    let mut out = PreferredSchedulingTerm::default();
    for e in cx.fields(at, node, TYPE) {
        let (at, node) = (&at.field(TYPE, &e.key), &e.value);
        match &*e.key {
            "weight" => out.weight = cx.int32(at, node).unwrap_or_default(),
            "preference" => out.preference = term(cx, at, node),
            _ => cx.other(at, e, &["weight", "preference"]),
        }
    }
    out
}

fn pod_affinity(
    cx: &mut Cx,
    at: &Path<'_>,
    node: &Node<'_>,
    strukt: &'static str,
) -> Option<PodAffinity> {
    if node.is_null() {
        return None;
    }
    let mut out = PodAffinity::default();
    for e in cx.fields(at, node, strukt) {
        let (at, node) = (&at.field(strukt, &e.key), &e.value);
        match &*e.key {
            REQUIRED => out.required = cx.list(at, node, "[]v1.PodAffinityTerm", pod_affinity_term),
            PREFERRED => {
                out.preferred = cx.list(at, node, "[]v1.WeightedPodAffinityTerm", weighted_term);
            }
            _ => cx.other(at, e, &[REQUIRED, PREFERRED]),
        }
    }
    Some(out)
}

fn weighted_term(cx: &mut Cx, at: &Path<'_>, node: &Node<'_>) -> WeightedPodAffinityTerm {
    const TYPE: &str = "v1.WeightedPodAffinityTerm";
    let mut out = WeightedPodAffinityTerm::default();
    for e in cx.fields(at, node, TYPE) {
        let (at, node) = (&at.field(TYPE, &e.key), &e.value);
        match &*e.key {
            "weight" => out.weight = cx.int32(at, node).unwrap_or_default(),
            "podAffinityTerm" => out.term = pod_affinity_term(cx, at, node),
            _ => cx.other(at, e, &["weight", "podAffinityTerm"]),
        }
    }
    out
}

fn pod_affinity_term(cx: &mut Cx, at: &Path<'_>, node: &Node<'_>) -> PodAffinityTerm {
    const TYPE: &str = "v1.PodAffinityTerm";
    const KNOWN: &[&str] = &[
        "labelSelector",
        "namespaces",
        "namespaceSelector",
        "topologyKey",
        "matchLabelKeys",
        "mismatchLabelKeys",
    ];
    let mut out = PodAffinityTerm::default();
    for e in cx.fields(at, node, TYPE) {
        let (at, node) = (&at.field(TYPE, &e.key), &e.value);
        match &*e.key {
            "labelSelector" => out.label_selector = label_selector(cx, at, node),
            "namespaces" => out.namespaces = cx.strings(at, node),
            "namespaceSelector" => out.namespace_selector = label_selector(cx, at, node),
            "topologyKey" => out.topology_key = cx.string(at, node),
            "matchLabelKeys" => out.match_label_keys = cx.strings(at, node),
            "mismatchLabelKeys" => out.mismatch_label_keys = cx.strings(at, node),
            _ => cx.other(at, e, KNOWN),
        }
    }
    out
}
