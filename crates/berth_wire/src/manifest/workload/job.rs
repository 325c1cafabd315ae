//! What is particular to Jobs.

use berth_core::api::{ExitCodes, JobControl, PodFailureAction, PodFailureRule, SuccessRule};

use crate::manifest::decoder::Cx;
use crate::manifest::path::Path;
use crate::tree::Node;

/// A field of a Job's spec that only its controller reads.
pub(super) fn field(cx: &mut Cx, at: &Path<'_>, node: &Node<'_>, name: &str, out: &mut JobControl) {
    match name {
        "backoffLimit" => out.backoff_limit = cx.int32(at, node),
        "activeDeadlineSeconds" => out.active_deadline_seconds = cx.int64(at, node),
        "podReplacementPolicy" => out.replace_failed_only = cx.string(at, node) == "Failed",
        "podFailurePolicy" => {
            let types = ("v1.PodFailurePolicy", "[]v1.PodFailurePolicyRule");
            out.pod_failure_policy = rules(cx, at, node, types, rule);
        }
        "backoffLimitPerIndex" => out.backoff_limit_per_index = cx.int32(at, node),
        "maxFailedIndexes" => out.max_failed_indexes = cx.int32(at, node),
        "ttlSecondsAfterFinished" => out.ttl_seconds_after_finished = cx.int32(at, node),
        "successPolicy" => {
            let types = ("v1.SuccessPolicy", "[]v1.SuccessPolicyRule");
            out.success_policy = rules(cx, at, node, types, success_rule);
        }
        _ => {}
    }
}

/// The rules of a policy of this type that are good, each of that type.
fn rules<T>(
    cx: &mut Cx,
    at: &Path<'_>,
    node: &Node<'_>,
    (policy, list): (&'static str, &str),
    rule: fn(&mut Cx, &Path<'_>, &Node<'_>) -> Option<T>,
) -> Vec<T> {
    let mut rules = Vec::new();
    for e in cx.fields(at, node, policy) {
        let (at, node) = (&at.field(policy, &e.key), &e.value);
        match &*e.key {
            "rules" => rules = cx.list(at, node, list, rule).into_iter().flatten().collect(),
            _ => cx.other(at, e, &["rules"]),
        }
    }
    rules
}

/// A rule; none if its indexes are none, which the API server would refuse.
fn success_rule(cx: &mut Cx, at: &Path<'_>, node: &Node<'_>) -> Option<SuccessRule> {
    const TYPE: &str = "v1.SuccessPolicyRule";
    let mut out = SuccessRule::default();
    for e in cx.fields(at, node, TYPE) {
        let (at, node) = (&at.field(TYPE, &e.key), &e.value);
        match &*e.key {
            "succeededIndexes" => {
                out.succeeded_indexes = (!node.is_null()).then(|| cx.string(at, node));
            }
            "succeededCount" => out.succeeded_count = cx.int32(at, node),
            _ => cx.other(at, e, &["succeededCount", "succeededIndexes"]),
        }
    }
    let is_good = |text: &String| {
        !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit() || b"-,".contains(&byte))
    };
    out.succeeded_indexes.as_ref().is_none_or(is_good).then_some(out)
}

/// A rule; none if it has no action that Kubernetes knows.
fn rule(cx: &mut Cx, at: &Path<'_>, node: &Node<'_>) -> Option<PodFailureRule> {
    const TYPE: &str = "v1.PodFailurePolicyRule";
    let mut action = None;
    let mut on_exit_codes = None;
    let mut on_pod_conditions = Vec::new();
    for e in cx.fields(at, node, TYPE) {
        let (at, node) = (&at.field(TYPE, &e.key), &e.value);
        match &*e.key {
            "action" => {
                let word = cx.string(at, node);
                action = PodFailureAction::ALL.iter().find(|action| action.as_str() == word);
            }
            "onExitCodes" if !node.is_null() => on_exit_codes = Some(exit_codes(cx, at, node)),
            "onPodConditions" => {
                on_pod_conditions =
                    cx.list(at, node, "[]v1.PodFailurePolicyOnPodConditionsPattern", pattern);
            }
            _ => cx.other(at, e, &["action", "onExitCodes", "onPodConditions"]),
        }
    }
    action.map(|action| PodFailureRule { action: *action, on_exit_codes, on_pod_conditions })
}

fn exit_codes(cx: &mut Cx, at: &Path<'_>, node: &Node<'_>) -> ExitCodes {
    const TYPE: &str = "v1.PodFailurePolicyOnExitCodesRequirement";
    let mut out = ExitCodes::default();
    for e in cx.fields(at, node, TYPE) {
        let (at, node) = (&at.field(TYPE, &e.key), &e.value);
        match &*e.key {
            "containerName" => {
                out.container = Some(cx.string(at, node)).filter(|name| !name.is_empty());
            }
            "operator" => {
                let word = cx.string(at, node);
                cx.wants_word(&word, &["In", "NotIn"]);
                out.others = word == "NotIn";
            }
            "values" => {
                let code = |cx: &mut Cx, at: &Path<'_>, node: &Node<'_>| cx.int32(at, node);
                out.values = cx.list(at, node, "[]int32", code).into_iter().flatten().collect();
            }
            _ => cx.other(at, e, &["containerName", "operator", "values"]),
        }
    }
    out
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
