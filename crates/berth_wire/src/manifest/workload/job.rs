//! What is particular to Jobs.

use berth_core::api::{JobControl, PodFailureAction, PodFailureRule};

use crate::manifest::decoder::Cx;
use crate::manifest::path::Path;
use crate::tree::Node;

/// A field of a Job's spec that only its controller reads.
pub(super) fn field(cx: &mut Cx, at: &Path<'_>, node: &Node<'_>, name: &str, out: &mut JobControl) {
    match name {
        "backoffLimit" => out.backoff_limit = cx.int32(at, node),
        "activeDeadlineSeconds" => out.active_deadline_seconds = cx.int64(at, node),
        "podReplacementPolicy" => out.replace_failed_only = cx.string(at, node) == "Failed",
        "podFailurePolicy" => out.pod_failure_policy = pod_failure_policy(cx, at, node),
        _ => {}
    }
}

fn pod_failure_policy(cx: &mut Cx, at: &Path<'_>, node: &Node<'_>) -> Vec<PodFailureRule> {
    const TYPE: &str = "v1.PodFailurePolicy";
    let mut rules = Vec::new();
    for e in cx.fields(at, node, TYPE) {
        let (at, node) = (&at.field(TYPE, &e.key), &e.value);
        match &*e.key {
            "rules" => {
                let all = cx.list(at, node, "[]v1.PodFailurePolicyRule", rule);
                rules = all.into_iter().flatten().collect();
            }
            _ => cx.other(at, e, &["rules"]),
        }
    }
    rules
}

/// A rule; none if it is about exit codes, since containers have none here.
fn rule(cx: &mut Cx, at: &Path<'_>, node: &Node<'_>) -> Option<PodFailureRule> {
    const TYPE: &str = "v1.PodFailurePolicyRule";
    let mut action = None;
    let mut on_pod_conditions = Vec::new();
    for e in cx.fields(at, node, TYPE) {
        let (at, node) = (&at.field(TYPE, &e.key), &e.value);
        match &*e.key {
            "action" => {
                let word = cx.string(at, node);
                action = PodFailureAction::ALL.iter().find(|action| action.as_str() == word);
            }
            "onPodConditions" => {
                on_pod_conditions =
                    cx.list(at, node, "[]v1.PodFailurePolicyOnPodConditionsPattern", pattern);
            }
            _ => cx.other(at, e, &["action", "onExitCodes", "onPodConditions"]),
        }
    }
    let action = *action?;
    (!on_pod_conditions.is_empty()).then_some(PodFailureRule { action, on_pod_conditions })
}

fn pattern(cx: &mut Cx, at: &Path<'_>, node: &Node<'_>) -> (String, String) {
    const TYPE: &str = "v1.PodFailurePolicyOnPodConditionsPattern";
    let (mut kind, mut status) = (String::new(), "True".to_owned());
    for e in cx.fields(at, node, TYPE) {
        let (at, node) = (&at.field(TYPE, &e.key), &e.value);
        match &*e.key {
            "type" => kind = cx.string(at, node),
            "status" => status = cx.string(at, node),
            _ => cx.other(at, e, &["status", "type"]),
        }
    }
    (kind, status)
}
