//! Objects that make pods.

mod job;

use std::sync::Arc;

use berth_core::api::{
    IntOrPercent, LabelSelector, ObjectMeta, PodTemplate, UpdateStrategy, Workload,
    WorkloadControl, WorkloadKind,
};

use super::decoder::Cx;
use super::meta::{OBJECT, int_or_percent, label_selector, object_meta};
use super::path::Path;
use super::pod::template;
use crate::tree::Node;

/// Go's types of a kind: the object, its spec, its update strategy, the numbers in that.
struct Types {
    object: &'static str,
    spec: &'static str,
    strategy: &'static str,
    rolling_update: &'static str,
}

const fn types(kind: WorkloadKind) -> Types {
    let (object, spec, strategy, rolling_update) = match kind {
        WorkloadKind::Deployment => (
            "v1.Deployment",
            "v1.DeploymentSpec",
            "v1.DeploymentStrategy",
            "v1.RollingUpdateDeployment",
        ),
        WorkloadKind::ReplicaSet => ("v1.ReplicaSet", "v1.ReplicaSetSpec", "", ""),
        WorkloadKind::ReplicationController => {
            ("v1.ReplicationController", "v1.ReplicationControllerSpec", "", "")
        }
        WorkloadKind::StatefulSet => (
            "v1.StatefulSet",
            "v1.StatefulSetSpec",
            "v1.StatefulSetUpdateStrategy",
            "v1.RollingUpdateStatefulSetStrategy",
        ),
        WorkloadKind::DaemonSet => (
            "v1.DaemonSet",
            "v1.DaemonSetSpec",
            "v1.DaemonSetUpdateStrategy",
            "v1.RollingUpdateDaemonSet",
        ),
        WorkloadKind::Job => ("v1.Job", "v1.JobSpec", "", ""),
    };
    Types { object, spec, strategy, rolling_update }
}

/// All fields of a kind's spec.
const fn known(kind: WorkloadKind) -> &'static [&'static str] {
    match kind {
        WorkloadKind::Deployment => &[
            "minReadySeconds",
            "paused",
            "progressDeadlineSeconds",
            "replicas",
            "revisionHistoryLimit",
            "selector",
            "strategy",
            "template",
        ],
        WorkloadKind::ReplicaSet | WorkloadKind::ReplicationController => {
            &["minReadySeconds", "replicas", "selector", "template"]
        }
        WorkloadKind::StatefulSet => &[
            "minReadySeconds",
            "ordinals",
            "persistentVolumeClaimRetentionPolicy",
            "podManagementPolicy",
            "replicas",
            "revisionHistoryLimit",
            "selector",
            "serviceName",
            "template",
            "updateStrategy",
            "volumeClaimTemplates",
        ],
        WorkloadKind::DaemonSet => {
            &["minReadySeconds", "revisionHistoryLimit", "selector", "template", "updateStrategy"]
        }
        WorkloadKind::Job => &[
            "activeDeadlineSeconds",
            "backoffLimit",
            "backoffLimitPerIndex",
            "completionMode",
            "completions",
            "managedBy",
            "manualSelector",
            "maxFailedIndexes",
            "parallelism",
            "podFailurePolicy",
            "podReplacementPolicy",
            "selector",
            "successPolicy",
            "suspend",
            "template",
            "ttlSecondsAfterFinished",
        ],
    }
}

pub(super) fn workload(
    cx: &mut Cx,
    at: &Path<'_>,
    node: &Node<'_>,
    kind: WorkloadKind,
) -> Workload {
    let types = types(kind);
    let mut out = Workload {
        kind,
        metadata: ObjectMeta::default(),
        replicas: None,
        completions: None,
        indexed: false,
        suspended: false,
        first_ordinal: 0,
        selector: None,
        template: PodTemplate::default(),
        update_strategy: None,
        control: Arc::default(),
        status: Arc::default(),
    };
    for e in cx.fields(at, node, types.object) {
        let (at, node) = (&at.field(types.object, &e.key), &e.value);
        match &*e.key {
            "metadata" => out.metadata = object_meta(cx, at, node),
            "spec" => spec(cx, at, node, &types, &mut out),
            _ => cx.other(at, e, OBJECT),
        }
    }
    default(&mut out);
    out
}

fn spec(cx: &mut Cx, at: &Path<'_>, node: &Node<'_>, types: &Types, out: &mut Workload) {
    let is_job = out.kind == WorkloadKind::Job;
    let mut control = WorkloadControl::default();
    for e in cx.fields(at, node, types.spec) {
        let (at, node) = (&at.field(types.spec, &e.key), &e.value);
        match &*e.key {
            name if !known(out.kind).contains(&name) => cx.other(at, e, known(out.kind)),
            "replicas" | "parallelism" => out.replicas = cx.int32(at, node),
            "completions" => out.completions = cx.int32(at, node),
            "completionMode" => {
                let mode = cx.string(at, node);
                cx.wants_word(&mode, &["NonIndexed", "Indexed"]);
                out.indexed = mode == "Indexed";
            }
            "suspend" => out.suspended = cx.boolean(at, node),
            "selector" if out.kind == WorkloadKind::ReplicationController => {
                let match_labels = cx.labels(at, node);
                out.selector = (!match_labels.is_empty())
                    .then(|| LabelSelector { match_labels, match_expressions: Vec::new() });
            }
            "selector" => out.selector = label_selector(cx, at, node),
            "template" => out.template = template(cx, at, node),
            "ordinals" => out.first_ordinal = ordinals(cx, at, node),
            "strategy" | "updateStrategy" => out.update_strategy = strategy(cx, at, node, types),
            "volumeClaimTemplates" if !node.items().is_empty() => cx.warn(
                at,
                e.start,
                "persistent volumes are not simulated: VolumeBinding could refuse nodes that Berth accepts",
            ),
            "managedBy" if is_job && !node.is_null() => {
                cx.warn(at, e.start, "the controller that manages this Job is not simulated");
            }
            "minReadySeconds" => control.min_ready_seconds = cx.int32(at, node).unwrap_or_default(),
            "paused" => control.paused = cx.boolean(at, node),
            "revisionHistoryLimit" => control.revision_history_limit = cx.int32(at, node),
            "progressDeadlineSeconds" => control.progress_deadline_seconds = cx.int32(at, node),
            "podManagementPolicy" => {
                let policy = cx.string(at, node);
                cx.wants_word(&policy, &["OrderedReady", "Parallel"]);
                control.parallel = policy == "Parallel";
            }
            name if is_job => job::field(cx, at, node, name, &mut control.job),
            _ => {}
        }
    }
    out.control = Arc::new(control);
}

fn ordinals(cx: &mut Cx, at: &Path<'_>, node: &Node<'_>) -> i32 {
    const TYPE: &str = "v1.StatefulSetOrdinals";
    let mut start = 0;
    for e in cx.fields(at, node, TYPE) {
        let (at, node) = (&at.field(TYPE, &e.key), &e.value);
        match &*e.key {
            "start" => start = cx.int32(at, node).unwrap_or_default(),
            _ => cx.other(at, e, &["start"]),
        }
    }
    start
}

fn strategy(cx: &mut Cx, at: &Path<'_>, node: &Node<'_>, types: &Types) -> Option<UpdateStrategy> {
    if node.is_null() {
        return None;
    }
    let mut out = UpdateStrategy::default();
    for e in cx.fields(at, node, types.strategy) {
        let (at, node) = (&at.field(types.strategy, &e.key), &e.value);
        match &*e.key {
            "type" => {
                out.kind = cx.string(at, node);
                let other =
                    if types.strategy == "v1.DeploymentStrategy" { "Recreate" } else { "OnDelete" };
                cx.wants_word(&out.kind, &["RollingUpdate", other]);
            }
            "rollingUpdate" => {
                for e in cx.fields(at, node, types.rolling_update) {
                    let (at, node) = (&at.field(types.rolling_update, &e.key), &e.value);
                    match &*e.key {
                        "maxSurge" => out.max_surge = int_or_percent(cx, at, node),
                        "maxUnavailable" => out.max_unavailable = int_or_percent(cx, at, node),
                        "partition" => out.partition = cx.int32(at, node).unwrap_or_default(),
                        _ => cx.other(at, e, &["maxSurge", "maxUnavailable", "partition"]),
                    }
                }
            }
            _ => cx.other(at, e, &["type", "rollingUpdate"]),
        }
    }
    Some(out)
}

/// The defaults of each kind (`apis/apps/v1/defaults.go`, `apis/batch/v1/defaults.go`, `apis/core/v1/defaults.go`);
/// those of the template's pods are applied with the pods' own.
fn default(out: &mut Workload) {
    let labels = &out.template.labels;
    match out.kind {
        WorkloadKind::Job => {
            if out.replicas.is_none() && out.completions.is_none() {
                out.completions = Some(1);
            }
            out.replicas.get_or_insert(1);
            if out.metadata.labels.is_empty() {
                out.metadata.labels.clone_from(labels);
            }
        }
        WorkloadKind::DaemonSet => {}
        WorkloadKind::ReplicationController => {
            out.replicas.get_or_insert(1);
            if !labels.is_empty() {
                out.selector.get_or_insert_with(|| LabelSelector {
                    match_labels: labels.clone(),
                    match_expressions: Vec::new(),
                });
                if out.metadata.labels.is_empty() {
                    out.metadata.labels.clone_from(labels);
                }
            }
        }
        WorkloadKind::Deployment | WorkloadKind::ReplicaSet | WorkloadKind::StatefulSet => {
            out.replicas.get_or_insert(1);
        }
    }
    let has_history = matches!(
        out.kind,
        WorkloadKind::Deployment | WorkloadKind::StatefulSet | WorkloadKind::DaemonSet
    );
    let control = Arc::make_mut(&mut out.control);
    if has_history {
        control.revision_history_limit.get_or_insert(10);
    }
    if out.kind == WorkloadKind::Deployment {
        control.progress_deadline_seconds.get_or_insert(600);
    }
    // A StatefulSet's maxUnavailable is behind a gate that is off, so it gets none.
    let numbers = match out.kind {
        WorkloadKind::Deployment => {
            Some((IntOrPercent::Percent("25%".to_owned()), IntOrPercent::Percent("25%".to_owned())))
        }
        WorkloadKind::DaemonSet => Some((IntOrPercent::Int(0), IntOrPercent::Int(1))),
        WorkloadKind::StatefulSet => None,
        WorkloadKind::ReplicaSet | WorkloadKind::ReplicationController | WorkloadKind::Job => {
            return;
        }
    };
    let strategy = out.update_strategy.get_or_insert_default();
    if strategy.kind.is_empty() {
        "RollingUpdate".clone_into(&mut strategy.kind);
    }
    if let Some((surge, unavailable)) = numbers
        && strategy.kind == "RollingUpdate"
    {
        strategy.max_surge.get_or_insert(surge);
        strategy.max_unavailable.get_or_insert(unavailable);
    }
}
