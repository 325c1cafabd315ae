//! Tolerations and topology spread constraints: as they are written, and with words of the API only.

use berth_core::admission::validation::{WrittenConstraint, WrittenToleration};
use berth_core::api::{
    NodeInclusionPolicy, TaintEffect, Toleration, TolerationOperator, TopologySpreadConstraint,
    UnsatisfiableConstraintAction,
};

use super::decoder::Cx;
use super::meta::label_selector;
use super::path::Path;
use crate::tree::Node;

pub(crate) fn written_toleration(cx: &mut Cx, at: &Path<'_>, node: &Node<'_>) -> WrittenToleration {
    const TYPE: &str = "v1.Toleration";
    const KNOWN: &[&str] = &["key", "operator", "value", "effect", "tolerationSeconds"];
    let mut out = WrittenToleration::default();
    for e in cx.fields(at, node, TYPE) {
        let (at, node) = (&at.field(TYPE, &e.key), &e.value);
        match &*e.key {
            "key" => out.key = cx.string(at, node),
            "operator" => out.operator = cx.string(at, node),
            "value" => out.value = cx.string(at, node),
            "effect" => out.effect = cx.string(at, node),
            "tolerationSeconds" => out.toleration_seconds = cx.int64(at, node),
            _ => cx.other(at, e, KNOWN),
        }
    }
    out
}

pub(super) fn toleration(cx: &mut Cx, at: &Path<'_>, node: &Node<'_>) -> Toleration {
    const TYPE: &str = "v1.Toleration";
    let WrittenToleration { key, operator, value, effect, toleration_seconds } =
        written_toleration(cx, at, node);
    let place = |key| node.get(key).unwrap_or(node);
    let mut out = Toleration {
        key,
        operator: TolerationOperator::Equal,
        value,
        effect: None,
        toleration_seconds,
    };
    if !operator.is_empty() {
        let (at, node) = (&at.field(TYPE, "operator"), place("operator"));
        let (all, name) = (TolerationOperator::ALL, TolerationOperator::as_str);
        if let Some(operator) = cx.known(at, node, &operator, all, name) {
            out.operator = operator;
        }
    }
    if !effect.is_empty() {
        let (at, node) = (&at.field(TYPE, "effect"), place("effect"));
        out.effect = cx.known(at, node, &effect, &TaintEffect::ALL, TaintEffect::as_str);
    }
    out
}

pub(crate) fn written_constraint(cx: &mut Cx, at: &Path<'_>, node: &Node<'_>) -> WrittenConstraint {
    const TYPE: &str = "v1.TopologySpreadConstraint";
    const KNOWN: &[&str] = &[
        "maxSkew",
        "topologyKey",
        "whenUnsatisfiable",
        "labelSelector",
        "minDomains",
        "nodeAffinityPolicy",
        "nodeTaintsPolicy",
        "matchLabelKeys",
    ];
    let mut out = WrittenConstraint {
        constraint: TopologySpreadConstraint {
            max_skew: 0,
            topology_key: String::new(),
            when_unsatisfiable: UnsatisfiableConstraintAction::DoNotSchedule,
            label_selector: None,
            min_domains: None,
            node_affinity_policy: None,
            node_taints_policy: None,
            match_label_keys: Vec::new(),
        },
        when_unsatisfiable: String::new(),
        node_affinity_policy: None,
        node_taints_policy: None,
    };
    for e in cx.fields(at, node, TYPE) {
        let (at, node) = (&at.field(TYPE, &e.key), &e.value);
        let constraint = &mut out.constraint;
        match &*e.key {
            "maxSkew" => constraint.max_skew = cx.int32(at, node).unwrap_or_default(),
            "topologyKey" => constraint.topology_key = cx.string(at, node),
            "whenUnsatisfiable" => out.when_unsatisfiable = cx.string(at, node),
            "labelSelector" => constraint.label_selector = label_selector(cx, at, node),
            "minDomains" => constraint.min_domains = cx.int32(at, node),
            "nodeAffinityPolicy" => out.node_affinity_policy = cx.optional_string(at, node),
            "nodeTaintsPolicy" => out.node_taints_policy = cx.optional_string(at, node),
            "matchLabelKeys" => constraint.match_label_keys = cx.strings(at, node),
            _ => cx.other(at, e, KNOWN),
        }
    }
    out
}

pub(super) fn topology_spread_constraint(
    cx: &mut Cx,
    at: &Path<'_>,
    node: &Node<'_>,
) -> TopologySpreadConstraint {
    const TYPE: &str = "v1.TopologySpreadConstraint";
    let WrittenConstraint {
        mut constraint,
        when_unsatisfiable,
        node_affinity_policy,
        node_taints_policy,
    } = written_constraint(cx, at, node);
    let value = |key| node.get(key).unwrap_or(node);
    let place = node.get("whenUnsatisfiable");
    // Of anything but a text it was said that it is none.
    if place.is_none_or(|place| place.as_str().is_some() || place.is_null()) {
        let place = place.unwrap_or(node);
        let at = &at.field(TYPE, "whenUnsatisfiable");
        let all = UnsatisfiableConstraintAction::ALL;
        let word = UnsatisfiableConstraintAction::as_str;
        if let Some(action) = cx.known(at, place, &when_unsatisfiable, all, word) {
            constraint.when_unsatisfiable = action;
        }
    }
    let mut policy = |key, text: Option<String>| {
        let (all, word) = (NodeInclusionPolicy::ALL, NodeInclusionPolicy::as_str);
        cx.known(&at.field(TYPE, key), value(key), &text?, all, word)
    };
    constraint.node_affinity_policy = policy("nodeAffinityPolicy", node_affinity_policy);
    constraint.node_taints_policy = policy("nodeTaintsPolicy", node_taints_policy);
    constraint
}
