//! What is done to an object before it is stored.
//!
//! Mirrors the admission plugins Priority and DefaultTolerationSeconds, and `PrepareForCreate` of pods
//! (`pkg/registry/core/pod/strategy.go`). Objects are not validated: who takes them in does that.

use alloc::borrow::ToOwned;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::ApiError;
use crate::admission::{defaults, forbidden, priority};
use crate::api::{
    Condition, LabelSelector, LabelSelectorRequirement, Labels, Pod, PodAffinityTerm, PodStatus,
    PriorityClass, TaintEffect, Time, Toleration, TolerationOperator,
};

/// How long a pod stays on a node that is not ready or cannot be reached, if it does not say, in seconds.
const DEFAULT_TOLERATION_SECONDS: i64 = 300;

/// A pod as it is stored. One that is there from the start keeps its status.
pub(super) fn admit_pod<'c>(
    pod: &mut Pod,
    keep_status: bool,
    classes: impl Iterator<Item = &'c PriorityClass> + Clone,
    now: Time,
) -> Result<(), ApiError> {
    // A bare number stands for its class.
    if pod.spec.priority.is_none() || !pod.spec.priority_class_name.is_empty() {
        priority::admit(&mut pod.spec, classes).map_err(|error| {
            ApiError::Forbidden(forbidden("pods", &pod.metadata.name, &error.to_string()))
        })?;
    }
    defaults::pod(pod);
    default_tolerations(pod);
    pod.metadata.generation = 1;
    if !keep_status {
        pod.status = PodStatus::default();
        if !pod.spec.scheduling_gates.is_empty() {
            let gated = Condition {
                message: "Scheduling is blocked due to non-empty scheduling gates".to_owned(),
                ..Condition::new("PodScheduled", "False", "SchedulingGated")
            };
            Condition::update(&mut pod.status.conditions, gated, now);
        }
    }
    merge_label_keys(pod);
    Ok(())
}

/// `plugin/pkg/admission/defaulttolerationseconds`.
fn default_tolerations(pod: &mut Pod) {
    for key in ["node.kubernetes.io/not-ready", "node.kubernetes.io/unreachable"] {
        let tolerations = &mut pod.spec.tolerations;
        let is_about = |toleration: &Toleration| {
            (toleration.key == key || toleration.key.is_empty())
                && toleration.effect.is_none_or(|effect| effect == TaintEffect::NoExecute)
        };
        if !tolerations.iter().any(is_about) {
            tolerations.push(Toleration {
                key: key.to_owned(),
                operator: TolerationOperator::Exists,
                effect: Some(TaintEffect::NoExecute),
                toleration_seconds: Some(DEFAULT_TOLERATION_SECONDS),
                value: String::new(),
            });
        }
    }
}

/// `matchLabelKeys` and `mismatchLabelKeys` become requirements of the selectors.
fn merge_label_keys(pod: &mut Pod) {
    let labels = &pod.metadata.labels;
    if let Some(affinity) = &mut pod.spec.affinity {
        for kind in [&mut affinity.pod_affinity, &mut affinity.pod_anti_affinity] {
            let Some(kind) = kind else { continue };
            let preferred = kind.preferred.iter_mut().map(|weighted| &mut weighted.term);
            for term in preferred.chain(&mut kind.required) {
                let PodAffinityTerm {
                    label_selector, match_label_keys, mismatch_label_keys, ..
                } = term;
                if let Some(selector) = label_selector {
                    require(selector, match_label_keys, "In", labels);
                    require(selector, mismatch_label_keys, "NotIn", labels);
                }
            }
        }
    }
    for constraint in &mut pod.spec.topology_spread_constraints {
        if let Some(selector) = &mut constraint.label_selector {
            require(selector, &constraint.match_label_keys, "In", labels);
        }
    }
}

fn require(selector: &mut LabelSelector, keys: &[String], operator: &str, labels: &Labels) {
    for key in keys {
        if let Some(value) = labels.get(key) {
            selector.match_expressions.push(LabelSelectorRequirement {
                key: key.clone(),
                operator: operator.to_owned(),
                values: Vec::from([value.clone()]),
            });
        }
    }
}
