//! Arguments of PodTopologySpread (`ValidatePodTopologySpreadArgs`).

use std::sync::Arc;

use berth_core::admission::validation::WrittenConstraint;
use berth_core::api::{
    BadValue, FieldError, TopologySpreadConstraint, UnsatisfiableConstraintAction,
};
use berth_core::collections::Index;
use berth_core::framework::config::{PluginArgs, PodTopologySpreadDefaulting};

use super::args::{duplicate, integer, label_name};
use super::invalid;
use crate::manifest::{Cx, Path, written_constraint};
use crate::tree::Node;

pub(super) fn read(cx: &mut Cx, at: &Path<'_>, node: &Node<'_>, out: &mut PluginArgs) {
    const TYPE: &str = "v1.PodTopologySpreadArgs";
    let (mut defaulting, mut constraints) = (String::new(), Vec::new());
    for e in cx.fields(at, node, TYPE) {
        let (at, node) = (&at.field(TYPE, &e.key), &e.value);
        match &*e.key {
            "defaultingType" => defaulting = cx.string(at, node),
            "defaultConstraints" => {
                constraints =
                    cx.list(at, node, "[]v1.TopologySpreadConstraint", written_constraint);
            }
            _ => cx.refuse(at, e, &["apiVersion", "kind", "defaultingType", "defaultConstraints"]),
        }
    }
    let constraints =
        default_constraints(cx, &at.field(TYPE, "defaultConstraints"), node, constraints);
    let at_type = &at.field(TYPE, "defaultingType");
    out.pod_topology_spread.defaulting = match &*defaulting {
        "List" => PodTopologySpreadDefaulting::List(constraints),
        "System" | "" => {
            if !constraints.is_empty() {
                let why = "when .defaultConstraints are not empty";
                cx.invalid(at_type, node, &invalid(BadValue::word("System"), why));
            }
            PodTopologySpreadDefaulting::System
        }
        other => {
            let error = FieldError::not_supported(String::new(), other, &["System", "List"]);
            cx.invalid(at_type, node, &error);
            return;
        }
    };
}

fn default_constraints(
    cx: &mut Cx,
    at: &Path<'_>,
    node: &Node<'_>,
    written: Vec<WrittenConstraint>,
) -> Vec<TopologySpreadConstraint> {
    const TYPE: &str = "v1.TopologySpreadConstraint";
    let mut seen = Index::default();
    let mut out = Vec::new();
    for (i, written) in written.into_iter().enumerate() {
        let at = &at.index(i);
        let WrittenConstraint { mut constraint, when_unsatisfiable: action, .. } = written;
        if constraint.max_skew <= 0 {
            let error = integer(constraint.max_skew.into(), "not in valid range (0, inf)");
            cx.invalid(&at.field(TYPE, "maxSkew"), node, &error);
        }
        let empty = || FieldError::required(String::new(), "can not be empty");
        let key = &*constraint.topology_key;
        let errors = if key.is_empty() { vec![empty()] } else { label_name(key) };
        for error in errors {
            cx.invalid(&at.field(TYPE, "topologyKey"), node, &error);
        }
        let at_action = &at.field(TYPE, "whenUnsatisfiable");
        if action.is_empty() {
            cx.invalid(at_action, node, &empty());
        } else {
            let all = UnsatisfiableConstraintAction::ALL;
            let word = UnsatisfiableConstraintAction::as_str;
            if let Some(action) = cx.known(at_action, node, &action, all, word) {
                constraint.when_unsatisfiable = action;
            }
        }
        if constraint.label_selector.is_some() {
            let why = "constraint must not define a selector, as they deduced for each pod";
            let error = FieldError::forbidden(String::new(), why);
            cx.invalid(&at.field(TYPE, "labelSelector"), node, &error);
        }
        if seen.insert(Arc::from(format!("{key} {action}")), 0).is_some() {
            cx.invalid(at, node, &duplicate(&format!("{{{key}, {action}}}")));
        }
        out.push(constraint);
    }
    out
}
