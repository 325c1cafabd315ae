//! Probes, hooks and policies of a container.
//!
//! Mirrors `validateContainers` and what it calls (`pkg/apis/core/validation/validation.go`). Deviation: of how a probe
//! or a hook is done only commands, sleeps and the number of ways are looked at.

use berth_core::api::FieldError;

use super::pod::{defaulted_word, given, invalid};
use crate::manifest::{Cx, Path};
use crate::tree::Node;

pub(super) const TYPE: &str = "v1.Container";

/// Ways in which a probe or a hook is done.
const HANDLERS: [&str; 5] = ["exec", "httpGet", "tcpSocket", "grpc", "sleep"];

/// A container; `grace` is the pod's grace period, in seconds. Only a container that `keeps_running` may have probes
/// and hooks.
pub(super) fn container(
    cx: &mut Cx,
    errors: &mut Vec<FieldError>,
    at: &Path<'_>,
    node: &Node<'_>,
    grace: i64,
    keeps_running: bool,
) {
    if let Some(policy) = given(node, "restartPolicy") {
        let at = &at.field(TYPE, "restartPolicy");
        let text = cx.string(at, policy);
        let known = ["Always", "Never", "OnFailure"];
        if !known.contains(&&*text) {
            errors.push(FieldError::not_supported(at.to_string(), &text, &known));
        }
    }
    for (key, known) in [
        ("terminationMessagePolicy", &["File", "FallbackToLogsOnError"][..]),
        ("imagePullPolicy", &["Always", "IfNotPresent", "Never"]),
    ] {
        if let Some(text) = given(node, key) {
            errors.extend(defaulted_word(cx, &at.field(TYPE, key), text, known));
        }
    }
    // They are read in any case, since they have to be such that they can be decoded.
    let mut own = Vec::new();
    if let Some(lifecycle) = given(node, "lifecycle") {
        let at = &at.field(TYPE, "lifecycle");
        for key in ["postStart", "preStop"] {
            if let Some(hook) = given(lifecycle, key) {
                handler(cx, &mut own, &at.field("v1.Lifecycle", key), hook, grace);
            }
        }
    }
    for key in ["livenessProbe", "readinessProbe", "startupProbe"] {
        if let Some(node) = given(node, key) {
            probe(cx, &mut own, &at.field(TYPE, key), node, grace, key == "readinessProbe");
        }
    }
    if keeps_running {
        errors.append(&mut own);
        return;
    }
    for key in ["lifecycle", "livenessProbe", "readinessProbe", "startupProbe"] {
        if given(node, key).is_some() {
            let why = "may not be set for init containers without restartPolicy=Always";
            errors.push(FieldError::forbidden(at.field(TYPE, key).to_string(), why));
        }
    }
}

fn handler(cx: &mut Cx, errors: &mut Vec<FieldError>, at: &Path<'_>, node: &Node<'_>, grace: i64) {
    const TYPE: &str = "v1.LifecycleHandler";
    let mut count = 0;
    for key in HANDLERS {
        let Some(node) = given(node, key) else { continue };
        let at = &at.field(TYPE, key);
        count += 1;
        match key {
            _ if count > 1 => {
                let why = "may not specify more than 1 handler type";
                errors.push(FieldError::forbidden(at.to_string(), why));
            }
            "exec" => {
                let at = &at.field("v1.ExecAction", "command");
                let command = given(node, "command");
                if command.is_none_or(|command| cx.strings(at, command).is_empty()) {
                    errors.push(FieldError::required(at.to_string(), ""));
                }
            }
            "sleep" => {
                let at_seconds = &at.field("v1.SleepAction", "seconds");
                let seconds = node.get("seconds").and_then(|node| cx.int64(at_seconds, node));
                let seconds = seconds.unwrap_or_default();
                if !(0..=grace).contains(&seconds) {
                    let why = format!(
                        "must be non-negative and less than terminationGracePeriodSeconds ({grace})"
                    );
                    errors.push(invalid(at, seconds, &why));
                }
            }
            _ => {}
        }
    }
    if count == 0 {
        errors.push(FieldError::required(at.to_string(), "must specify a handler type"));
    }
}

fn probe(
    cx: &mut Cx,
    errors: &mut Vec<FieldError>,
    at: &Path<'_>,
    node: &Node<'_>,
    grace: i64,
    is_readiness: bool,
) {
    const TYPE: &str = "v1.Probe";
    handler(cx, errors, at, node, grace);
    for key in [
        "initialDelaySeconds",
        "timeoutSeconds",
        "periodSeconds",
        "failureThreshold",
        "successThreshold",
    ] {
        let at = &at.field(TYPE, key);
        let number = node.get(key).and_then(|node| cx.int32(at, node)).unwrap_or_default();
        if number < 0 {
            errors.push(invalid(at, number.into(), "must be greater than or equal to 0"));
        }
        // Zero is as good as not given, and then it is 1.
        if key == "successThreshold" && !is_readiness && !matches!(number, 0 | 1) {
            errors.push(invalid(at, number.into(), "must be 1"));
        }
    }
    let at = &at.field(TYPE, "terminationGracePeriodSeconds");
    let seconds = node.get("terminationGracePeriodSeconds").and_then(|node| cx.int64(at, node));
    if let Some(seconds) = seconds {
        if seconds <= 0 {
            errors.push(invalid(at, seconds, "must be greater than 0"));
        }
        if is_readiness {
            errors.push(invalid(at, seconds, "must not be set for readinessProbes"));
        }
    }
}
