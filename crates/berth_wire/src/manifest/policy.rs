//! Disruption budgets, priority classes and services.

use berth_core::collections::Map;

use berth_core::api::{
    PodDisruptionBudget, PodDisruptionBudgetStatus, PreemptionPolicy, PriorityClass, Service,
    StatusSource, Time, UnhealthyPodEvictionPolicy,
};

use super::decoder::Cx;
use super::meta::{OBJECT, condition, int_or_percent, label_selector, object_meta};
use super::path::Path;
use crate::tree::{Entry, Node};

pub(super) fn pod_disruption_budget(
    cx: &mut Cx,
    at: &Path<'_>,
    node: &Node<'_>,
) -> PodDisruptionBudget {
    const TYPE: &str = "v1.PodDisruptionBudget";
    let mut out = PodDisruptionBudget::default();
    for e in cx.fields(at, node, TYPE) {
        let (at, node) = (&at.field(TYPE, &e.key), &e.value);
        match &*e.key {
            "metadata" => out.metadata = object_meta(cx, at, node),
            "spec" => budget_spec(cx, at, node, &mut out),
            "status" => out.status = budget_status(cx, at, node),
            _ => cx.other(at, e, OBJECT),
        }
    }
    // `kubectl create --dry-run` prints zeros, which no controller wrote.
    if out.status != PodDisruptionBudgetStatus::default() {
        out.status_source = StatusSource::Pinned;
    }
    out
}

fn budget_spec(cx: &mut Cx, at: &Path<'_>, node: &Node<'_>, out: &mut PodDisruptionBudget) {
    const TYPE: &str = "v1.PodDisruptionBudgetSpec";
    const KNOWN: &[&str] =
        &["minAvailable", "maxUnavailable", "selector", "unhealthyPodEvictionPolicy"];
    for e in cx.fields(at, node, TYPE) {
        let (at, node) = (&at.field(TYPE, &e.key), &e.value);
        match &*e.key {
            "minAvailable" => out.min_available = int_or_percent(cx, at, node),
            "maxUnavailable" => out.max_unavailable = int_or_percent(cx, at, node),
            "selector" => out.selector = label_selector(cx, at, node),
            "unhealthyPodEvictionPolicy" => {
                let all = UnhealthyPodEvictionPolicy::ALL;
                out.unhealthy_pod_eviction_policy =
                    cx.word(at, node, all, UnhealthyPodEvictionPolicy::as_str);
            }
            _ => cx.other(at, e, KNOWN),
        }
    }
}

fn budget_status(cx: &mut Cx, at: &Path<'_>, node: &Node<'_>) -> PodDisruptionBudgetStatus {
    const TYPE: &str = "v1.PodDisruptionBudgetStatus";
    const KNOWN: &[&str] = &[
        "conditions",
        "currentHealthy",
        "desiredHealthy",
        "disruptedPods",
        "disruptionsAllowed",
        "expectedPods",
        "observedGeneration",
    ];
    let mut out = PodDisruptionBudgetStatus::default();
    for e in cx.fields(at, node, TYPE) {
        let (at, node) = (&at.field(TYPE, &e.key), &e.value);
        match &*e.key {
            "disruptionsAllowed" => {
                out.disruptions_allowed = cx.int32(at, node).unwrap_or_default();
            }
            "currentHealthy" => out.current_healthy = cx.int32(at, node).unwrap_or_default(),
            "desiredHealthy" => out.desired_healthy = cx.int32(at, node).unwrap_or_default(),
            "expectedPods" => out.expected_pods = cx.int32(at, node).unwrap_or_default(),
            "disruptedPods" => out.disrupted_pods = disrupted_pods(cx, at, node),
            "observedGeneration" => {
                out.observed_generation = cx.int64(at, node).unwrap_or_default();
            }
            "conditions" => out.conditions = cx.list(at, node, "[]v1.Condition", condition),
            _ => cx.other(at, e, KNOWN),
        }
    }
    out
}

fn disrupted_pods(cx: &mut Cx, at: &Path<'_>, node: &Node<'_>) -> Map<String, Time> {
    let entries = cx.fields(at, node, "map[string]v1.Time").iter();
    let mut time = |e: &Entry<'_>| cx.time(&at.key(&e.key), &e.value).unwrap_or_default();
    entries.map(|e| (e.key.clone().into_owned(), time(e))).collect()
}

pub(super) fn priority_class(cx: &mut Cx, at: &Path<'_>, node: &Node<'_>) -> PriorityClass {
    const TYPE: &str = "v1.PriorityClass";
    const KNOWN: &[&str] = &[
        "apiVersion",
        "kind",
        "metadata",
        "value",
        "globalDefault",
        "preemptionPolicy",
        "description",
    ];
    let mut out = PriorityClass::default();
    for e in cx.fields(at, node, TYPE) {
        let (at, node) = (&at.field(TYPE, &e.key), &e.value);
        match &*e.key {
            "metadata" => out.metadata = object_meta(cx, at, node),
            "value" => out.value = cx.int32(at, node).unwrap_or_default(),
            "globalDefault" => out.global_default = cx.boolean(at, node),
            "preemptionPolicy" => {
                out.preemption_policy =
                    cx.word(at, node, PreemptionPolicy::ALL, PreemptionPolicy::as_str);
            }
            "description" => out.description = cx.string(at, node),
            _ => cx.other(at, e, KNOWN),
        }
    }
    // `SetDefaults_PriorityClass`.
    out.preemption_policy.get_or_insert(PreemptionPolicy::PreemptLowerPriority);
    out
}

pub(super) fn service(cx: &mut Cx, at: &Path<'_>, node: &Node<'_>) -> Service {
    const TYPE: &str = "v1.Service";
    let mut out = Service::default();
    for e in cx.fields(at, node, TYPE) {
        let (at, node) = (&at.field(TYPE, &e.key), &e.value);
        match &*e.key {
            "metadata" => out.metadata = object_meta(cx, at, node),
            "spec" => service_spec(cx, at, node, &mut out),
            _ => cx.other(at, e, OBJECT),
        }
    }
    out
}

fn service_spec(cx: &mut Cx, at: &Path<'_>, node: &Node<'_>, out: &mut Service) {
    const TYPE: &str = "v1.ServiceSpec";
    const KNOWN: &[&str] = &[
        "allocateLoadBalancerNodePorts",
        "clusterIP",
        "clusterIPs",
        "externalIPs",
        "externalName",
        "externalTrafficPolicy",
        "healthCheckNodePort",
        "internalTrafficPolicy",
        "ipFamilies",
        "ipFamilyPolicy",
        "loadBalancerClass",
        "loadBalancerIP",
        "loadBalancerSourceRanges",
        "ports",
        "publishNotReadyAddresses",
        "selector",
        "sessionAffinity",
        "sessionAffinityConfig",
        "trafficDistribution",
        "type",
    ];
    for e in cx.fields(at, node, TYPE) {
        let (at, node) = (&at.field(TYPE, &e.key), &e.value);
        match &*e.key {
            "selector" => out.selector = cx.labels(at, node),
            _ => cx.other(at, e, KNOWN),
        }
    }
}
