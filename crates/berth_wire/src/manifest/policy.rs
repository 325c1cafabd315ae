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

const BUDGET: &str = "v1.PodDisruptionBudget";
const BUDGET_SPEC: &str = "v1.PodDisruptionBudgetSpec";
const CLASS: &str = "v1.PriorityClass";

/// A budget. Its `unhealthyPodEvictionPolicy` is one of the API's words.
pub(super) fn pod_disruption_budget(
    cx: &mut Cx,
    at: &Path<'_>,
    node: &Node<'_>,
) -> PodDisruptionBudget {
    let (mut budget, policy) = budget(cx, at, node);
    if let Some(policy) = policy {
        let at = &at.field(BUDGET, "spec");
        let at = &at.field(BUDGET_SPEC, "unhealthyPodEvictionPolicy");
        let all = UnhealthyPodEvictionPolicy::ALL;
        let word = cx.word(at, policy, all, UnhealthyPodEvictionPolicy::as_str);
        budget.unhealthy_pod_eviction_policy = word;
    }
    budget
}

/// A budget with the text of its `unhealthyPodEvictionPolicy`, whatever that is.
pub(super) fn budget_as_written(
    cx: &mut Cx,
    at: &Path<'_>,
    node: &Node<'_>,
) -> (PodDisruptionBudget, Option<String>) {
    let (mut budget, policy) = budget(cx, at, node);
    let at = &at.field(BUDGET, "spec");
    let at = &at.field(BUDGET_SPEC, "unhealthyPodEvictionPolicy");
    let policy = policy.map(|policy| cx.string(at, policy));
    let all = UnhealthyPodEvictionPolicy::ALL.iter();
    budget.unhealthy_pod_eviction_policy =
        all.copied().find(|word| policy.as_deref() == Some(word.as_str()));
    (budget, policy)
}

/// A budget without its `unhealthyPodEvictionPolicy`, which is the second.
fn budget<'n, 'a>(
    cx: &mut Cx,
    at: &Path<'_>,
    node: &'n Node<'a>,
) -> (PodDisruptionBudget, Option<&'n Node<'a>>) {
    const TYPE: &str = BUDGET;
    let mut out = PodDisruptionBudget::default();
    let mut policy = None;
    for e in cx.fields(at, node, TYPE) {
        let (at, node) = (&at.field(TYPE, &e.key), &e.value);
        match &*e.key {
            "metadata" => out.metadata = object_meta(cx, at, node),
            "spec" => policy = budget_spec(cx, at, node, &mut out),
            "status" => out.status = budget_status(cx, at, node),
            _ => cx.other(at, e, OBJECT),
        }
    }
    // `kubectl create --dry-run` prints zeros, which no controller wrote.
    if out.status != PodDisruptionBudgetStatus::default() {
        out.status_source = StatusSource::Pinned;
    }
    (out, policy)
}

fn budget_spec<'n, 'a>(
    cx: &mut Cx,
    at: &Path<'_>,
    node: &'n Node<'a>,
    out: &mut PodDisruptionBudget,
) -> Option<&'n Node<'a>> {
    const TYPE: &str = BUDGET_SPEC;
    const KNOWN: &[&str] =
        &["minAvailable", "maxUnavailable", "selector", "unhealthyPodEvictionPolicy"];
    let mut policy = None;
    for e in cx.fields(at, node, TYPE) {
        let (at, node) = (&at.field(TYPE, &e.key), &e.value);
        match &*e.key {
            "minAvailable" => out.min_available = int_or_percent(cx, at, node),
            "maxUnavailable" => out.max_unavailable = int_or_percent(cx, at, node),
            "selector" => out.selector = label_selector(cx, at, node),
            "unhealthyPodEvictionPolicy" => policy = (!node.is_null()).then_some(node),
            _ => cx.other(at, e, KNOWN),
        }
    }
    policy
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

/// A class. Its preemption policy is one of the API's words, the default if it says none.
pub(super) fn priority_class(cx: &mut Cx, at: &Path<'_>, node: &Node<'_>) -> PriorityClass {
    let (mut class, policy) = class(cx, at, node);
    if let Some(policy) = policy {
        let at = &at.field(CLASS, "preemptionPolicy");
        class.preemption_policy =
            cx.word(at, policy, PreemptionPolicy::ALL, PreemptionPolicy::as_str);
    }
    // `SetDefaults_PriorityClass`.
    class.preemption_policy.get_or_insert(PreemptionPolicy::PreemptLowerPriority);
    class
}

/// A class with the text of its preemption policy, whatever that is, or the default.
pub(super) fn class_as_written(
    cx: &mut Cx,
    at: &Path<'_>,
    node: &Node<'_>,
) -> (PriorityClass, String) {
    let (mut class, policy) = class(cx, at, node);
    let policy = match policy {
        Some(policy) => cx.string(&at.field(CLASS, "preemptionPolicy"), policy),
        None => PreemptionPolicy::PreemptLowerPriority.as_str().to_owned(),
    };
    let all = PreemptionPolicy::ALL.iter();
    class.preemption_policy = all.copied().find(|word| word.as_str() == policy);
    (class, policy)
}

/// A class without its preemption policy, which is the second.
fn class<'n, 'a>(
    cx: &mut Cx,
    at: &Path<'_>,
    node: &'n Node<'a>,
) -> (PriorityClass, Option<&'n Node<'a>>) {
    const TYPE: &str = CLASS;
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
    let mut policy = None;
    for e in cx.fields(at, node, TYPE) {
        let (at, node) = (&at.field(TYPE, &e.key), &e.value);
        match &*e.key {
            "metadata" => out.metadata = object_meta(cx, at, node),
            "value" => out.value = cx.int32(at, node).unwrap_or_default(),
            "globalDefault" => out.global_default = cx.boolean(at, node),
            "preemptionPolicy" => policy = (!node.is_null()).then_some(node),
            "description" => out.description = cx.string(at, node),
            _ => cx.other(at, e, KNOWN),
        }
    }
    (out, policy)
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
