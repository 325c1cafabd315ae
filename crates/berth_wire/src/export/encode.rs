//! Objects as trees, in the API's own words. What the API server would fill in again is left out.
//!
//! The inverse of the decoders, for everything that they read, but for `needs_node_feature`, which stands for several
//! fields.

use berth_core::api::{
    Affinity, Condition, Container, ContainerPort, ExitCodes, IntOrPercent, LabelSelector,
    Namespace, Node as ApiNode, NodeAffinity, NodeSelector, NodeSelectorRequirement,
    NodeSelectorTerm, Object, ObjectMeta, Pod, PodAffinity, PodAffinityTerm, PodDisruptionBudget,
    PodPhase, PodSpec, PriorityClass, Protocol, ResourceRequirements, RestartPolicy, Service,
    StatusSource, Toleration, TolerationOperator, TopologySpreadConstraint,
    UnhealthyPodEvictionPolicy, Volume, VolumeSource, Workload, WorkloadKind,
};

use super::hooks::hooks;
use super::map::{Map, string};
use crate::tree::{Node, Value};

/// An object as a tree.
pub fn encode(object: &Object) -> Node<'_> {
    write(object, Detail::Usual)
}

/// How much is said.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Detail {
    /// What the API server fills in again is left out.
    Usual,
    /// The tree says exactly what there is, to be read back by [`stored`](crate::manifest::stored).
    Exact,
}

/// An object as a tree.
pub(crate) fn write(object: &Object, detail: Detail) -> Node<'_> {
    let (version, kind) = match object {
        Object::Workload(workload) => (workload.kind.api_version(), workload.kind.as_str()),
        Object::PriorityClass(_) => ("scheduling.k8s.io/v1", "PriorityClass"),
        Object::PodDisruptionBudget(_) => ("policy/v1", "PodDisruptionBudget"),
        _ => ("v1", object.kind().as_str()),
    };
    let mut out = Map::default();
    out.text("apiVersion", version);
    out.text("kind", kind);
    match object {
        Object::Node(object) => node(&mut out, object),
        Object::Pod(object) => pod(&mut out, object, detail),
        Object::Namespace(object) => namespace(&mut out, object),
        Object::PriorityClass(object) => priority_class(&mut out, object),
        Object::PodDisruptionBudget(object) => budget(&mut out, object),
        Object::Service(object) => service(&mut out, object),
        Object::Workload(object) => workload(&mut out, object, detail),
    }
    Node::made(out.into_value())
}

fn metadata(out: &ObjectMeta) -> Map<'_> {
    let mut map = Map::default();
    map.text("name", &out.name);
    map.text("namespace", &out.namespace);
    map.text("uid", &out.uid);
    map.number("generation", (out.generation != 0).then_some(out.generation));
    map.text("resourceVersion", &out.resource_version);
    map.labels("labels", &out.labels);
    map.labels("annotations", &out.annotations);
    map.time("creationTimestamp", out.creation_timestamp);
    map.time("deletionTimestamp", out.deletion_timestamp);
    map.number("deletionGracePeriodSeconds", out.deletion_grace_period_seconds);
    map.list("ownerReferences", &out.owner_references, |owner| {
        let mut map = Map::default();
        map.text("apiVersion", &owner.api_version);
        map.text("kind", &owner.kind);
        map.text("name", &owner.name);
        map.text("uid", &owner.uid);
        map.flag("controller", owner.controller);
        map.into_value()
    });
    if out.job_tracking {
        map.list("finalizers", &[ObjectMeta::JOB_TRACKING], |name| Value::String((*name).into()));
    }
    map
}

fn node<'a>(out: &mut Map<'a>, node: &'a ApiNode) {
    out.map("metadata", metadata(&node.metadata));
    let mut spec = Map::default();
    spec.flag("unschedulable", node.spec.unschedulable);
    spec.list("taints", &node.spec.taints, |taint| {
        let mut map = Map::default();
        map.text("key", &taint.key);
        map.text("value", &taint.value);
        map.text("effect", taint.effect.as_str());
        map.into_value()
    });
    out.map("spec", spec);
    let mut status = Map::default();
    status.resources("capacity", &node.status.capacity);
    // Without one it would be the capacity.
    let nothing = node.status.allocatable.is_empty() && !node.status.capacity.is_empty();
    status.some("allocatable", nothing.then(Map::default));
    status.resources("allocatable", &node.status.allocatable);
    status.list("images", &node.status.images, |image| {
        let mut map = Map::default();
        map.strings("names", &image.names);
        map.number("sizeBytes", (image.size_bytes != 0).then_some(image.size_bytes));
        map.into_value()
    });
    out.map("status", status);
}

fn namespace<'a>(out: &mut Map<'a>, namespace: &'a Namespace) {
    out.map("metadata", metadata(&namespace.metadata));
}

fn priority_class<'a>(out: &mut Map<'a>, class: &'a PriorityClass) {
    out.map("metadata", metadata(&class.metadata));
    out.number("value", Some(class.value));
    out.flag("globalDefault", class.global_default);
    out.word(
        "preemptionPolicy",
        class.preemption_policy.map(berth_core::api::PreemptionPolicy::as_str),
    );
    out.text("description", &class.description);
}

fn budget<'a>(out: &mut Map<'a>, budget: &'a PodDisruptionBudget) {
    out.map("metadata", metadata(&budget.metadata));
    let mut spec = Map::default();
    int_or_percent(&mut spec, "minAvailable", budget.min_available.as_ref());
    int_or_percent(&mut spec, "maxUnavailable", budget.max_unavailable.as_ref());
    spec.some("selector", budget.selector.as_ref().map(label_selector));
    spec.word(
        "unhealthyPodEvictionPolicy",
        budget.unhealthy_pod_eviction_policy.map(UnhealthyPodEvictionPolicy::as_str),
    );
    out.map("spec", spec);
    if budget.status_source == StatusSource::Computed {
        return;
    }
    let mut status = Map::default();
    status.number("disruptionsAllowed", Some(budget.status.disruptions_allowed));
    status.number("currentHealthy", Some(budget.status.current_healthy));
    status.number("desiredHealthy", Some(budget.status.desired_healthy));
    status.number("expectedPods", Some(budget.status.expected_pods));
    let disrupted = budget.status.disrupted_pods.iter();
    status.map(
        "disruptedPods",
        disrupted
            .map(|(pod, time)| (&**pod, Value::String(crate::manifest::print_time(*time).into())))
            .collect(),
    );
    let observed = budget.status.observed_generation;
    status.number("observedGeneration", (observed != 0).then_some(observed));
    conditions(&mut status, &budget.status.conditions);
    out.map("status", status);
}

fn service<'a>(out: &mut Map<'a>, service: &'a Service) {
    out.map("metadata", metadata(&service.metadata));
    let mut spec = Map::default();
    spec.labels("selector", &service.selector);
    out.map("spec", spec);
}

fn workload<'a>(out: &mut Map<'a>, workload: &'a Workload, detail: Detail) {
    out.map("metadata", metadata(&workload.metadata));
    let mut spec = Map::default();
    let count = if workload.kind == WorkloadKind::Job { "parallelism" } else { "replicas" };
    spec.number(count, workload.replicas);
    spec.number("completions", workload.completions);
    spec.word("completionMode", workload.indexed.then_some("Indexed"));
    spec.flag("suspend", workload.suspended);
    if workload.first_ordinal != 0 {
        let mut ordinals = Map::default();
        ordinals.number("start", Some(workload.first_ordinal));
        spec.map("ordinals", ordinals);
    }
    match &workload.selector {
        Some(selector) if workload.kind == WorkloadKind::ReplicationController => {
            spec.labels("selector", &selector.match_labels);
        }
        selector => spec.some("selector", selector.as_ref().map(label_selector)),
    }
    let mut template = Map::default();
    let mut metadata = Map::default();
    metadata.labels("labels", &workload.template.labels);
    template.map("metadata", metadata);
    template.map("spec", pod_spec(&workload.template.spec, detail));
    if detail == Detail::Exact {
        template.number("digest", workload.template.digest);
    }
    spec.map("template", template);
    if let Some(strategy) = &workload.update_strategy {
        let mut map = Map::default();
        map.text("type", &strategy.kind);
        let mut numbers = Map::default();
        int_or_percent(&mut numbers, "maxSurge", strategy.max_surge.as_ref());
        int_or_percent(&mut numbers, "maxUnavailable", strategy.max_unavailable.as_ref());
        numbers.number("partition", (strategy.partition != 0).then_some(strategy.partition));
        map.map("rollingUpdate", numbers);
        let name =
            if workload.kind == WorkloadKind::Deployment { "strategy" } else { "updateStrategy" };
        spec.map(name, map);
    }
    control(&mut spec, workload);
    out.map("spec", spec);
}

/// What only the controller reads. Zeros and the defaults of a kind are left out.
fn control<'a>(spec: &mut Map<'a>, workload: &'a Workload) {
    let control = &workload.control;
    let ready = control.min_ready_seconds;
    spec.number("minReadySeconds", (ready != 0).then_some(ready));
    spec.flag("paused", control.paused);
    spec.number("revisionHistoryLimit", control.revision_history_limit);
    spec.number("progressDeadlineSeconds", control.progress_deadline_seconds);
    spec.word("podManagementPolicy", control.parallel.then_some("Parallel"));
    spec.number("backoffLimit", control.job.backoff_limit);
    spec.number("activeDeadlineSeconds", control.job.active_deadline_seconds);
    spec.word("podReplacementPolicy", control.job.replace_failed_only.then_some("Failed"));
    if !control.job.pod_failure_policy.is_empty() {
        let mut policy = Map::default();
        policy.list("rules", &control.job.pod_failure_policy, |rule| {
            let mut map = Map::default();
            map.text("action", rule.action.as_str());
            map.some("onExitCodes", rule.on_exit_codes.as_ref().map(exit_codes));
            map.list("onPodConditions", &rule.on_pod_conditions, |(kind, status)| {
                let mut map = Map::default();
                map.text("type", kind);
                map.text("status", status);
                map.into_value()
            });
            map.into_value()
        });
        spec.map("podFailurePolicy", policy);
    }
    spec.number("backoffLimitPerIndex", control.job.backoff_limit_per_index);
    spec.number("maxFailedIndexes", control.job.max_failed_indexes);
    spec.number("ttlSecondsAfterFinished", control.job.ttl_seconds_after_finished);
    if !control.job.success_policy.is_empty() {
        let mut policy = Map::default();
        policy.list("rules", &control.job.success_policy, |rule| {
            let mut map = Map::default();
            if let Some(indexes) = &rule.succeeded_indexes {
                map.text("succeededIndexes", indexes);
            }
            map.number("succeededCount", rule.succeeded_count);
            map.into_value()
        });
        spec.map("successPolicy", policy);
    }
}

fn exit_codes(codes: &ExitCodes) -> Map<'_> {
    let mut map = Map::default();
    if let Some(container) = &codes.container {
        map.text("containerName", container);
    }
    map.text("operator", if codes.others { "NotIn" } else { "In" });
    map.list("values", &codes.values, |code| Value::Number(code.to_string().into()));
    map
}

fn pod<'a>(out: &mut Map<'a>, pod: &'a Pod, detail: Detail) {
    out.map("metadata", metadata(&pod.metadata));
    out.map("spec", pod_spec(&pod.spec, detail));
    let mut status = Map::default();
    status
        .word("phase", (pod.status.phase != PodPhase::Pending).then(|| pod.status.phase.as_str()));
    status.text("nominatedNodeName", &pod.status.nominated_node_name);
    status.time("startTime", pod.status.start_time);
    conditions(&mut status, &pod.status.conditions);
    status.list("containerStatuses", &pod.status.container_statuses, |container| {
        let mut map = Map::default();
        map.text("name", &container.name);
        map.some("resources", container.resources.as_ref().map(requirements));
        map.resources("allocatedResources", &container.allocated_resources);
        let count = container.restart_count;
        map.number("restartCount", (count != 0).then_some(count));
        let (mut state, mut end) = (Map::default(), Map::default());
        end.number("exitCode", container.exit_code);
        end.time("finishedAt", container.finished_at);
        state.map("terminated", end);
        map.map("state", state);
        map.into_value()
    });
    status.some("resources", pod.status.resources.as_ref().map(requirements));
    status.resources("allocatedResources", &pod.status.allocated_resources);
    out.map("status", status);
}

fn conditions<'a>(status: &mut Map<'a>, conditions: &'a [Condition]) {
    status.list("conditions", conditions, |condition| {
        let mut map = Map::default();
        map.text("type", &condition.kind);
        map.text("status", &condition.status);
        map.text("reason", &condition.reason);
        map.text("message", &condition.message);
        map.time("lastTransitionTime", condition.last_transition_time);
        map.into_value()
    });
}

fn pod_spec(spec: &PodSpec, detail: Detail) -> Map<'_> {
    let mut map = Map::default();
    let exact = detail == Detail::Exact;
    // Which of two fields asked for a feature of nodes is not known any more: either says it.
    let restarts = exact && spec.needs_node_feature && !spec.host_network;
    map.list("initContainers", &spec.init_containers, |item| container(item, false));
    map.list("containers", &spec.containers, |item| container(item, restarts));
    map.resources("overhead", &spec.overhead);
    map.some("resources", spec.resources.as_ref().map(requirements));
    map.labels("nodeSelector", &spec.node_selector);
    map.some("affinity", spec.affinity.as_ref().map(affinity));
    map.list("topologySpreadConstraints", &spec.topology_spread_constraints, spread);
    map.list("tolerations", &spec.tolerations, toleration);
    map.list("schedulingGates", &spec.scheduling_gates, |name| named(name));
    map.text("nodeName", &spec.node_name);
    if spec.scheduler_name != "default-scheduler" {
        map.text("schedulerName", &spec.scheduler_name);
    }
    if exact && spec.scheduler_name.is_empty() {
        map.put("schedulerName", Value::Null);
    }
    map.number("priority", spec.priority);
    map.text("priorityClassName", &spec.priority_class_name);
    map.word(
        "preemptionPolicy",
        spec.preemption_policy.map(berth_core::api::PreemptionPolicy::as_str),
    );
    let grace = spec.termination_grace_period_seconds;
    map.number("terminationGracePeriodSeconds", grace.filter(|seconds| *seconds != 30));
    if exact && grace.is_none() {
        map.put("terminationGracePeriodSeconds", Value::Null);
    }
    let restarts =
        (spec.restart_policy != RestartPolicy::Always).then(|| spec.restart_policy.as_str());
    map.word("restartPolicy", restarts);
    map.flag("hostNetwork", spec.host_network);
    if exact && spec.needs_node_feature && spec.host_network {
        map.put("hostUsers", Value::Bool(false));
    }
    map.list("volumes", &spec.volumes, volume);
    map.list("resourceClaims", &spec.resource_claims, |name| named(name));
    map
}

fn named(name: &str) -> Value<'_> {
    let mut map = Map::default();
    map.text("name", name);
    map.into_value()
}

fn container(container: &Container, restarts_all: bool) -> Value<'_> {
    let mut map = Map::default();
    map.text("name", &container.name);
    map.text("image", &container.image);
    map.map("resources", requirements(&container.resources));
    map.list("ports", &container.ports, port);
    map.word("restartPolicy", container.restart_policy.map(berth_core::api::RestartPolicy::as_str));
    if let Some(given) = &container.hooks {
        hooks(&mut map, given);
    }
    if restarts_all {
        map.list("restartPolicyRules", &[()], |()| {
            let mut map = Map::default();
            map.text("action", "RestartAllContainers");
            map.into_value()
        });
    }
    map.into_value()
}

fn requirements(resources: &ResourceRequirements) -> Map<'_> {
    let mut map = Map::default();
    map.resources("requests", &resources.requests);
    map.resources("limits", &resources.limits);
    map
}

fn port(port: &ContainerPort) -> Value<'_> {
    let mut map = Map::default();
    map.number("containerPort", Some(port.container_port));
    map.number("hostPort", (port.host_port != 0).then_some(port.host_port));
    map.text("hostIP", &port.host_ip);
    map.word("protocol", (port.protocol != Protocol::Tcp).then(|| port.protocol.as_str()));
    map.into_value()
}

fn volume(volume: &Volume) -> Value<'_> {
    let mut map = Map::default();
    map.text("name", &volume.name);
    match &volume.source {
        VolumeSource::PersistentVolumeClaim(claim) => {
            let mut source = Map::default();
            source.text("claimName", claim);
            map.some("persistentVolumeClaim", Some(source));
        }
        VolumeSource::Image(reference) => {
            let mut source = Map::default();
            source.text("reference", reference);
            map.some("image", Some(source));
        }
        VolumeSource::Ephemeral => map.some("ephemeral", Some(Map::default())),
        VolumeSource::Disk(name) | VolumeSource::Other(name) => {
            return [("name", string(&volume.name)), (&**name, Map::default().into_value())]
                .into_iter()
                .collect::<Map<'_>>()
                .into_value();
        }
    }
    map.into_value()
}

fn toleration(toleration: &Toleration) -> Value<'_> {
    let mut map = Map::default();
    map.text("key", &toleration.key);
    let operator =
        (toleration.operator != TolerationOperator::Equal).then(|| toleration.operator.as_str());
    map.word("operator", operator);
    map.text("value", &toleration.value);
    map.word("effect", toleration.effect.map(berth_core::api::TaintEffect::as_str));
    map.number("tolerationSeconds", toleration.toleration_seconds);
    map.into_value()
}

pub(crate) fn spread(constraint: &TopologySpreadConstraint) -> Value<'_> {
    let mut map = Map::default();
    map.number("maxSkew", Some(constraint.max_skew));
    map.text("topologyKey", &constraint.topology_key);
    map.text("whenUnsatisfiable", constraint.when_unsatisfiable.as_str());
    map.some("labelSelector", constraint.label_selector.as_ref().map(label_selector));
    map.number("minDomains", constraint.min_domains);
    map.word(
        "nodeAffinityPolicy",
        constraint.node_affinity_policy.map(berth_core::api::NodeInclusionPolicy::as_str),
    );
    map.word(
        "nodeTaintsPolicy",
        constraint.node_taints_policy.map(berth_core::api::NodeInclusionPolicy::as_str),
    );
    map.strings("matchLabelKeys", &constraint.match_label_keys);
    map.into_value()
}

fn label_selector(selector: &LabelSelector) -> Map<'_> {
    let mut map = Map::default();
    map.labels("matchLabels", &selector.match_labels);
    map.list("matchExpressions", &selector.match_expressions, |requirement| {
        let mut map = Map::default();
        map.text("key", &requirement.key);
        map.text("operator", &requirement.operator);
        map.strings("values", &requirement.values);
        map.into_value()
    });
    map
}

fn affinity(affinity: &Affinity) -> Map<'_> {
    let mut map = Map::default();
    map.some("nodeAffinity", affinity.node_affinity.as_ref().map(node_affinity));
    map.some("podAffinity", affinity.pod_affinity.as_ref().map(pod_affinity));
    map.some("podAntiAffinity", affinity.pod_anti_affinity.as_ref().map(pod_affinity));
    map
}

const REQUIRED: &str = "requiredDuringSchedulingIgnoredDuringExecution";
const PREFERRED: &str = "preferredDuringSchedulingIgnoredDuringExecution";

pub(crate) fn node_affinity(affinity: &NodeAffinity) -> Map<'_> {
    let mut map = Map::default();
    map.some(REQUIRED, affinity.required.as_ref().map(node_selector));
    map.list(PREFERRED, &affinity.preferred, |preferred| {
        let mut map = Map::default();
        map.number("weight", Some(preferred.weight));
        map.some("preference", Some(term(&preferred.preference)));
        map.into_value()
    });
    map
}

fn node_selector(selector: &NodeSelector) -> Map<'_> {
    let mut map = Map::default();
    map.list("nodeSelectorTerms", &selector.node_selector_terms, |x| term(x).into_value());
    map
}

fn term(term: &NodeSelectorTerm) -> Map<'_> {
    let mut map = Map::default();
    map.list("matchExpressions", &term.match_expressions, requirement);
    map.list("matchFields", &term.match_fields, requirement);
    map
}

fn requirement(requirement: &NodeSelectorRequirement) -> Value<'_> {
    let mut map = Map::default();
    map.text("key", &requirement.key);
    map.text("operator", &requirement.operator);
    map.strings("values", &requirement.values);
    map.into_value()
}

fn pod_affinity(affinity: &PodAffinity) -> Map<'_> {
    let mut map = Map::default();
    map.list(REQUIRED, &affinity.required, |term| pod_affinity_term(term).into_value());
    map.list(PREFERRED, &affinity.preferred, |preferred| {
        let mut map = Map::default();
        map.number("weight", Some(preferred.weight));
        map.some("podAffinityTerm", Some(pod_affinity_term(&preferred.term)));
        map.into_value()
    });
    map
}

fn pod_affinity_term(term: &PodAffinityTerm) -> Map<'_> {
    let mut map = Map::default();
    map.some("labelSelector", term.label_selector.as_ref().map(label_selector));
    map.strings("namespaces", &term.namespaces);
    map.some("namespaceSelector", term.namespace_selector.as_ref().map(label_selector));
    map.text("topologyKey", &term.topology_key);
    map.strings("matchLabelKeys", &term.match_label_keys);
    map.strings("mismatchLabelKeys", &term.mismatch_label_keys);
    map
}

fn int_or_percent<'a>(map: &mut Map<'a>, key: &'static str, value: Option<&'a IntOrPercent>) {
    match value {
        Some(IntOrPercent::Int(number)) => map.number(key, Some(*number)),
        Some(IntOrPercent::Percent(text)) => map.put(key, string(text)),
        None => {}
    }
}
