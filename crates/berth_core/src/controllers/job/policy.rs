//! What is made of failed pods, and when some successes are enough.
//!
//! Mirrors `pkg/controller/job/{pod_failure_policy,success_policy}.go`.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use super::indexes::Intervals;
use crate::api::{ExitCodes, Pod, PodFailureAction, PodFailureRule, SuccessRule};

/// What comes of a pod that failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Verdict {
    /// Why the Job fails at once, if it does.
    pub(super) fails_job: Option<String>,
    /// Whether the failure counts.
    pub(super) counts: bool,
    /// Whether the pod's index fails at once.
    pub(super) fails_index: bool,
}

/// What the first rule that matches makes of a failed pod (`matchPodFailurePolicy`).
pub(super) fn of_failed(rules: &[PodFailureRule], pod: &Pod) -> Verdict {
    let mut out = Verdict { fails_job: None, counts: true, fails_index: false };
    let matches = rules.iter().enumerate().find_map(|(number, rule)| {
        why(rule, pod).map(|words| {
            (rule.action, format!("{words} matching {} rule at index {number}", rule.action))
        })
    });
    match matches {
        Some((PodFailureAction::FailJob, words)) => out.fails_job = Some(words),
        Some((PodFailureAction::FailIndex, _)) => out.fails_index = true,
        Some((PodFailureAction::Ignore, _)) => out.counts = false,
        Some((PodFailureAction::Count, _)) | None => {}
    }
    out
}

/// Why a rule matches a pod, if it does.
fn why(rule: &PodFailureRule, pod: &Pod) -> Option<String> {
    let key = pod.metadata.key();
    if let Some(codes) = &rule.on_exit_codes {
        let (container, code) = matching(codes, pod)?;
        return Some(format!("Container {container} for pod {key} failed with exit code {code}"));
    }
    let wanted = |kind: &str, status: &str| {
        rule.on_pod_conditions.iter().any(|(a, b)| a == kind && b == status)
    };
    let condition =
        pod.status.conditions.iter().find(|known| wanted(&known.kind, &known.status))?;
    Some(format!("Pod {key} has condition {}", condition.kind))
}

/// The first container with an exit code that is meant (`matchOnExitCodes`).
fn matching<'p>(codes: &ExitCodes, pod: &'p Pod) -> Option<(&'p str, i32)> {
    pod.status.container_statuses.iter().find_map(|status| {
        let code = status.exit_code.filter(|code| *code != 0)?;
        let is_meant = codes.container.as_ref().is_none_or(|name| *name == status.name);
        let matches = codes.values.contains(&code) != codes.others;
        (is_meant && matches).then_some((&*status.name, code))
    })
}

/// Which rule says that the successes so far are enough (`matchSuccessPolicy`).
pub(super) fn of_successes(
    rules: &[SuccessRule],
    completions: i32,
    succeeded: &Intervals,
) -> Option<String> {
    if succeeded.total() == 0 {
        return None;
    }
    let is_met = |rule: &SuccessRule| match (&rule.succeeded_indexes, rule.succeeded_count) {
        (Some(indexes), count) => {
            let meant = Intervals::parse(indexes, completions);
            let shared = meant.shared(succeeded);
            let is_enough = shared == meant.total() || count.is_some_and(|count| shared >= count);
            meant.total() > 0 && is_enough
        }
        (None, Some(count)) => succeeded.total() >= count,
        (None, None) => false,
    };
    let met: Vec<usize> = rules
        .iter()
        .enumerate()
        .filter(|(_, rule)| is_met(rule))
        .map(|(number, _)| number)
        .collect();
    met.first().map(|number| format!("Matched rules at index {number}"))
}

#[cfg(test)]
mod tests {
    use alloc::vec;

    use super::*;
    use crate::api::{Condition, ContainerStatus, ObjectMeta};

    fn failed(code: i32) -> Pod {
        let metadata =
            ObjectMeta { name: "j-0".into(), namespace: "a".into(), ..ObjectMeta::default() };
        let mut pod = Pod { metadata, ..Pod::default() };
        pod.status.container_statuses.push(ContainerStatus {
            name: "main".into(),
            exit_code: Some(code),
            ..ContainerStatus::default()
        });
        pod.status.conditions.push(Condition::new("DisruptionTarget", "True", "x"));
        pod
    }

    fn rule(action: PodFailureAction, codes: Option<(bool, &[i32])>) -> PodFailureRule {
        PodFailureRule {
            action,
            on_exit_codes: codes.map(|(others, values)| ExitCodes {
                container: None,
                others,
                values: values.to_vec(),
            }),
            on_pod_conditions: vec![("DisruptionTarget".into(), "True".into())],
        }
    }

    #[test]
    fn the_first_rule_that_matches_decides() {
        let rules = [
            rule(PodFailureAction::FailIndex, Some((false, &[7]))),
            rule(PodFailureAction::FailJob, Some((true, &[1, 7]))),
            rule(PodFailureAction::Ignore, None),
        ];
        assert!(of_failed(&rules, &failed(7)).fails_index);
        let verdict = of_failed(&rules, &failed(42));
        let words = "Container main for pod a/j-0 failed with exit code 42 matching FailJob rule at index 1";
        assert_eq!(verdict.fails_job.as_deref(), Some(words));
        assert!(!of_failed(&rules, &failed(1)).counts);
        assert!(of_failed(&[], &failed(1)).counts);
    }

    #[test]
    fn some_indexes_are_enough() {
        let rule = |indexes: Option<&str>, count| SuccessRule {
            succeeded_indexes: indexes.map(Into::into),
            succeeded_count: count,
        };
        let done = Intervals::parse("0,2", 10);
        let met = |rules: &[SuccessRule]| of_successes(rules, 10, &done);
        assert_eq!(met(&[rule(Some("0-2"), None)]), None);
        let second = [rule(Some("5"), None), rule(Some("0-2"), Some(2))];
        assert_eq!(met(&second).as_deref(), Some("Matched rules at index 1"));
        assert!(met(&[rule(None, Some(2))]).is_some() && met(&[rule(None, Some(3))]).is_none());
    }
}
