//! Random states, with everything that objects and commands can say.

use std::sync::Arc;

use super::super::State;
use crate::config;
use crate::testing::{Random, random_text};
use crate::tree::yaml;
use berth_core::api::{
    Affinity, Condition, Container, ContainerImage, ContainerPort, ContainerStatus, ExitCodes,
    Hooks, IntOrPercent, JobControl, Kind, LabelSelector, LabelSelectorRequirement, Labels,
    Namespace, Node, NodeAffinity, NodeInclusionPolicy, NodeSelector, NodeSelectorRequirement,
    NodeSelectorTerm, Object, ObjectKey, ObjectMeta, OwnerReference, Pod, PodAffinity,
    PodAffinityTerm, PodDisruptionBudget, PodDisruptionBudgetStatus, PodFailureAction,
    PodFailureRule, PodPhase, PodSpec, PodStatus, PodTemplate, PreStop, PreemptionPolicy,
    PreferredSchedulingTerm, PriorityClass, Probe, ProbeHandler, Protocol, Quantity, ResourceList,
    ResourceRequirements, RestartPolicy, Service, StatusSource, SuccessRule, Taint, TaintEffect,
    Time, Toleration, TolerationOperator, TopologySpreadConstraint, UnhealthyPodEvictionPolicy,
    UnsatisfiableConstraintAction, UpdateStrategy, Volume, VolumeSource, WeightedPodAffinityTerm,
    Workload, WorkloadControl, WorkloadKind, WorkloadStatus,
};
use berth_core::framework::config::Configuration;
use berth_core::playground::Command;

impl Random {
    fn yes(&mut self) -> bool {
        self.below(2) == 0
    }

    fn some<T>(&mut self, make: impl FnOnce(&mut Self) -> T) -> Option<T> {
        self.yes().then(|| make(self))
    }

    fn list<T>(&mut self, mut make: impl FnMut(&mut Self) -> T) -> Vec<T> {
        (0..self.below(3)).map(|_| make(self)).collect()
    }

    fn number(&mut self) -> i32 {
        self.below(2_000) as i32 - 1_000
    }

    /// A text that is not empty.
    fn word(&mut self) -> String {
        let text = random_text(self);
        if text.is_empty() { "web".to_owned() } else { text }
    }

    fn flat(&mut self) -> String {
        self.word().replace('/', "-")
    }
}

pub(super) fn random_state(random: &mut Random) -> State {
    let mut objects = Vec::new();
    for i in 0..random.below(4) {
        objects.push(Object::Node(Arc::new(node(random, &format!("n{i}")))));
    }
    for i in 0..random.below(4) {
        objects.push(Object::Pod(Arc::new(pod(random, &format!("p{i}")))));
    }
    objects.push(budget(random, "b"));
    objects.push(class(random, "c"));
    objects.push(Object::Namespace(Arc::new(Namespace { metadata: metadata(random, "ns") })));
    objects.push(Object::Service(Arc::new(Service {
        metadata: metadata(random, "s"),
        selector: labels(random),
    })));
    for kind in WorkloadKind::ALL {
        objects.push(workload(random, *kind));
    }
    let log = random.list(|random| command(random, 2));
    State {
        name: random_text(random),
        story: random_text(random),
        objects,
        configuration: configuration(random),
        cursor: random.below(log.len() as u64 + 1) as u32,
        log,
        selected: random.some(key),
        columns: random.some(random_text),
        outcome: random.some(|random| random.next() as u32),
    }
}

fn command(random: &mut Random, depth: u32) -> Command {
    match random.below(if depth == 0 { 10 } else { 11 }) {
        0 => Command::Put(Object::Pod(Arc::new(pod(random, "q")))),
        1 => Command::Put(Object::Node(Arc::new(node(random, "m")))),
        2 => Command::Drop(
            *random.one_of(&[Kind::Pod, Kind::Workload(WorkloadKind::Job)]),
            key(random),
        ),
        3 => Command::Configure(Box::new(configuration(random))),
        4 => Command::Reseed(random.next()),
        5 => Command::Place { pod: key(random), node: random_text(random) },
        6 => Command::Return { pod: key(random) },
        7 => Command::Schedule { pod: key(random) },
        8 => Command::Preempt { pod: key(random) },
        9 if random.yes() => Command::ScheduleAll,
        9 => Command::ScheduleNext,
        _ => Command::Batch {
            name: random_text(random),
            commands: random.list(|random| command(random, depth - 1)),
        },
    }
}

fn key(random: &mut Random) -> ObjectKey {
    let namespace = if random.yes() { random.flat() } else { String::new() };
    ObjectKey::new(namespace, random.flat())
}

fn configuration(random: &mut Random) -> Configuration {
    const TEXTS: [&str; 3] = [
        "podMaxBackoffSeconds: 30\n",
        "profiles: [{schedulerName: a, plugins: {score: {disabled: [{name: ImageLocality}]}}}]\n",
        "profiles: [{pluginConfig: [{name: InterPodAffinity, args: {hardPodAffinityWeight: 5}}]}]\n",
    ];
    if random.yes() {
        return Configuration::default();
    }
    let head = "apiVersion: kubescheduler.config.k8s.io/v1\nkind: KubeSchedulerConfiguration\n";
    let text = [head, *random.one_of(&TEXTS)].concat();
    config::decode(&yaml::parse(&text).unwrap()).unwrap()
}

fn metadata(random: &mut Random, name: &str) -> ObjectMeta {
    ObjectMeta {
        name: name.to_owned(),
        namespace: random_text(random),
        uid: random_text(random),
        generation: random.below(3) as i64,
        resource_version: random_text(random),
        labels: labels(random),
        annotations: Labels::new(),
        creation_timestamp: time(random),
        deletion_timestamp: time(random),
        deletion_grace_period_seconds: random.some(|random| i64::from(random.number())),
        owner_references: random.list(|random| OwnerReference {
            api_version: random_text(random),
            kind: random_text(random),
            name: random_text(random),
            uid: random_text(random),
            controller: random.yes(),
        }),
        job_tracking: random.yes(),
    }
}

fn time(random: &mut Random) -> Option<Time> {
    random.some(|random| Time(random.below(4_000_000_000) as i64))
}

fn labels(random: &mut Random) -> Labels {
    random.list(|random| (random_text(random), random_text(random))).into_iter().collect()
}

fn resources(random: &mut Random) -> ResourceList {
    const AMOUNTS: [&str; 7] = ["500m", "1.5Gi", "12e6", "0", "-3", "1000000000000000000", "0.1n"];
    let pair = |random: &mut Random| {
        let amount: &&str = random.one_of(&AMOUNTS);
        (random_text(random), Quantity::parse(amount).unwrap())
    };
    random.list(pair).into_iter().collect()
}

fn requirements(random: &mut Random) -> ResourceRequirements {
    ResourceRequirements { requests: resources(random), limits: resources(random) }
}

fn selector(random: &mut Random) -> LabelSelector {
    LabelSelector {
        match_labels: labels(random),
        match_expressions: random.list(|random| LabelSelectorRequirement {
            key: random_text(random),
            operator: random_text(random),
            values: random.list(random_text),
        }),
    }
}

fn node(random: &mut Random, name: &str) -> Node {
    let mut node = Node { metadata: metadata(random, name), ..Node::default() };
    node.spec.unschedulable = random.yes();
    node.spec.taints = random.list(|random| Taint {
        key: random_text(random),
        value: random_text(random),
        effect: *random.one_of(&TaintEffect::ALL),
    });
    node.status.capacity = resources(random);
    node.status.allocatable = resources(random);
    node.status.images = random.list(|random| ContainerImage {
        names: random.list(random_text),
        size_bytes: random.below(1 << 40) as i64,
    });
    node
}

fn pod(random: &mut Random, name: &str) -> Pod {
    Pod { metadata: metadata(random, name), spec: spec(random), status: status(random) }
}

fn status(random: &mut Random) -> PodStatus {
    PodStatus {
        phase: *random.one_of(PodPhase::ALL),
        nominated_node_name: random_text(random),
        start_time: time(random),
        conditions: conditions(random),
        container_statuses: random.list(|random| ContainerStatus {
            name: random_text(random),
            resources: random.some(requirements),
            allocated_resources: resources(random),
            exit_code: random.some(Random::number),
            finished_at: time(random),
            restart_count: random.number(),
        }),
        resources: random.some(requirements),
        allocated_resources: resources(random),
    }
}

fn conditions(random: &mut Random) -> Vec<Condition> {
    random.list(|random| Condition {
        kind: random_text(random),
        status: random_text(random),
        reason: random_text(random),
        message: random_text(random),
        last_transition_time: time(random),
    })
}

fn spec(random: &mut Random) -> PodSpec {
    let containers = random.list(container);
    let host_network = random.yes();
    PodSpec {
        // A container or the node's network says it.
        needs_node_feature: random.yes() && (host_network || !containers.is_empty()),
        containers,
        init_containers: random.list(container),
        overhead: resources(random),
        resources: random.some(requirements),
        node_selector: labels(random),
        affinity: random.some(|random| Affinity {
            node_affinity: random.some(node_affinity),
            pod_affinity: random.some(pod_affinity),
            pod_anti_affinity: random.some(pod_affinity),
        }),
        topology_spread_constraints: random.list(spread),
        tolerations: random.list(|random| Toleration {
            key: random_text(random),
            operator: *random.one_of(TolerationOperator::ALL),
            value: random_text(random),
            effect: random.some(|random| *random.one_of(&TaintEffect::ALL)),
            toleration_seconds: random.some(|random| i64::from(random.number())),
        }),
        scheduling_gates: random.list(random_text),
        node_name: random_text(random),
        scheduler_name: random.one_of(&["", "default-scheduler", "other"]).to_string(),
        priority: random.some(Random::number),
        priority_class_name: random_text(random),
        preemption_policy: random.some(|random| *random.one_of(PreemptionPolicy::ALL)),
        termination_grace_period_seconds: *random.one_of(&[None, Some(30), Some(0)]),
        restart_policy: *random.one_of(RestartPolicy::ALL),
        host_network,
        volumes: random.list(volume),
        resource_claims: random.list(random_text),
    }
}

fn container(random: &mut Random) -> Container {
    Container {
        name: random_text(random),
        image: random_text(random),
        resources: requirements(random),
        ports: random.list(|random| ContainerPort {
            container_port: random.number(),
            host_port: random.number(),
            host_ip: random_text(random),
            protocol: *random.one_of(Protocol::ALL),
        }),
        restart_policy: random.some(|random| *random.one_of(RestartPolicy::ALL)),
        hooks: random.some(hooks).filter(|hooks| *hooks != Hooks::default()).map(Arc::new),
    }
}

fn hooks(random: &mut Random) -> Hooks {
    let pre_stop = [PreStop::Sleep(i64::from(random.number())), PreStop::Exec, PreStop::HttpGet];
    Hooks {
        pre_stop: random.some(|random| *random.one_of(&pre_stop)),
        startup_probe: random.some(probe),
        liveness_probe: random.some(probe),
        readiness_probe: random.some(probe),
    }
}

fn probe(random: &mut Random) -> Probe {
    use ProbeHandler::{Exec, Grpc, HttpGet, TcpSocket};
    // Only the delay may be 0.
    let mut number = || 1 + random.number().rem_euclid(100);
    Probe {
        initial_delay_seconds: number(),
        period_seconds: number(),
        success_threshold: number(),
        failure_threshold: number(),
        handler: *random.one_of(&[Exec, Grpc, HttpGet, TcpSocket]),
        termination_grace_period_seconds: random.some(|random| i64::from(random.number())),
    }
}

fn volume(random: &mut Random) -> Volume {
    let source = match random.below(5) {
        0 => VolumeSource::PersistentVolumeClaim(random_text(random)),
        1 => VolumeSource::Ephemeral,
        2 => VolumeSource::Image(random_text(random)),
        3 => VolumeSource::Disk("csi".to_owned()),
        _ => VolumeSource::Other("hostPath".to_owned()),
    };
    Volume { name: random_text(random), source }
}

fn spread(random: &mut Random) -> TopologySpreadConstraint {
    TopologySpreadConstraint {
        max_skew: random.number(),
        topology_key: random_text(random),
        when_unsatisfiable: *random.one_of(UnsatisfiableConstraintAction::ALL),
        label_selector: random.some(selector),
        min_domains: random.some(Random::number),
        node_affinity_policy: random.some(|random| *random.one_of(NodeInclusionPolicy::ALL)),
        node_taints_policy: random.some(|random| *random.one_of(NodeInclusionPolicy::ALL)),
        match_label_keys: random.list(random_text),
    }
}

fn node_affinity(random: &mut Random) -> NodeAffinity {
    NodeAffinity {
        required: random.some(|random| NodeSelector { node_selector_terms: random.list(term) }),
        preferred: random.list(|random| PreferredSchedulingTerm {
            weight: random.number(),
            preference: term(random),
        }),
    }
}

fn term(random: &mut Random) -> NodeSelectorTerm {
    let requirement = |random: &mut Random| NodeSelectorRequirement {
        key: random_text(random),
        operator: random_text(random),
        values: random.list(random_text),
    };
    NodeSelectorTerm {
        match_expressions: random.list(requirement),
        match_fields: random.list(requirement),
    }
}

fn pod_affinity(random: &mut Random) -> PodAffinity {
    PodAffinity {
        required: random.list(affinity_term),
        preferred: random.list(|random| WeightedPodAffinityTerm {
            weight: random.number(),
            term: affinity_term(random),
        }),
    }
}

fn affinity_term(random: &mut Random) -> PodAffinityTerm {
    PodAffinityTerm {
        label_selector: random.some(selector),
        namespaces: random.list(random_text),
        namespace_selector: random.some(selector),
        topology_key: random_text(random),
        match_label_keys: random.list(random_text),
        mismatch_label_keys: random.list(random_text),
    }
}

fn int_or_percent(random: &mut Random) -> IntOrPercent {
    match random.below(2) {
        0 => IntOrPercent::Int(random.number()),
        _ => IntOrPercent::Percent("50%".to_owned()),
    }
}

pub(super) fn budget(random: &mut Random, name: &str) -> Object {
    let pinned = random.yes();
    let status = PodDisruptionBudgetStatus {
        disruptions_allowed: random.number(),
        current_healthy: random.number(),
        desired_healthy: random.number(),
        expected_pods: random.number(),
        disrupted_pods: random
            .list(|random| (random_text(random), Time(random.below(9) as i64)))
            .into_iter()
            .collect(),
        observed_generation: random.below(3) as i64,
        conditions: conditions(random),
    };
    Object::PodDisruptionBudget(Arc::new(PodDisruptionBudget {
        metadata: metadata(random, name),
        selector: random.some(selector),
        min_available: random.some(int_or_percent),
        max_unavailable: random.some(int_or_percent),
        unhealthy_pod_eviction_policy: random
            .some(|random| *random.one_of(UnhealthyPodEvictionPolicy::ALL)),
        status,
        status_source: if pinned { StatusSource::Pinned } else { StatusSource::Computed },
    }))
}

fn class(random: &mut Random, name: &str) -> Object {
    Object::PriorityClass(Arc::new(PriorityClass {
        metadata: metadata(random, name),
        value: random.number(),
        global_default: random.yes(),
        preemption_policy: random.some(|random| *random.one_of(PreemptionPolicy::ALL)),
        description: random_text(random),
    }))
}

/// A workload as the API server defaults it.
fn workload(random: &mut Random, kind: WorkloadKind) -> Object {
    let numbers = |random: &mut Random| random.some(int_or_percent);
    let controller = kind == WorkloadKind::ReplicationController;
    let job = kind == WorkloadKind::Job;
    let mut match_labels = labels(random);
    match_labels.insert("app".to_owned(), "web".to_owned());
    let selector = LabelSelector { match_labels, ..selector(random) };
    let mut workload = Workload {
        kind,
        metadata: metadata(random, "w"),
        replicas: (kind != WorkloadKind::DaemonSet).then(|| random.number()),
        completions: if job { random.some(Random::number) } else { None },
        indexed: job && random.yes(),
        suspended: job && random.yes(),
        first_ordinal: if kind == WorkloadKind::StatefulSet { random.number() } else { 0 },
        selector: Some(LabelSelector {
            match_expressions: if controller { Vec::new() } else { selector.match_expressions },
            match_labels: selector.match_labels,
        }),
        template: PodTemplate {
            labels: labels(random),
            spec: spec(random),
            digest: random.some(|random| random.next() as u32),
        },
        update_strategy: None,
        control: Arc::new(control(random, kind)),
        status: Arc::new(WorkloadStatus {
            replicas: random.number(),
            conditions: conditions(random),
            ..WorkloadStatus::default()
        }),
    };
    let revision = random.below(9).to_string();
    workload.metadata.annotations.insert("deployment.kubernetes.io/revision".to_owned(), revision);
    workload.metadata.labels.insert("some".to_owned(), "label".to_owned());
    let (surge, unavailable) = match kind {
        WorkloadKind::Deployment | WorkloadKind::DaemonSet => {
            (Some(IntOrPercent::Int(1)), Some(IntOrPercent::Int(2)))
        }
        WorkloadKind::StatefulSet => (None, numbers(random)),
        _ => return Object::Workload(Arc::new(workload)),
    };
    workload.update_strategy = Some(UpdateStrategy {
        kind: "RollingUpdate".to_owned(),
        partition: random.number(),
        max_surge: surge,
        max_unavailable: unavailable,
    });
    Object::Workload(Arc::new(workload))
}

/// What a kind's controller reads, defaulted.
fn control(random: &mut Random, kind: WorkloadKind) -> WorkloadControl {
    let mut control = WorkloadControl {
        min_ready_seconds: if kind == WorkloadKind::Job { 0 } else { random.number() },
        ..WorkloadControl::default()
    };
    match kind {
        WorkloadKind::Deployment => {
            control.paused = random.yes();
            control.revision_history_limit = Some(random.number());
            control.progress_deadline_seconds = Some(random.number());
        }
        WorkloadKind::StatefulSet => {
            control.revision_history_limit = Some(random.number());
            control.parallel = random.yes();
        }
        WorkloadKind::DaemonSet => control.revision_history_limit = Some(random.number()),
        WorkloadKind::Job => {
            let conditions = vec![(random.word(), random.word())];
            let action = *random.one_of(PodFailureAction::ALL);
            control.job = JobControl {
                backoff_limit: random.some(Random::number),
                active_deadline_seconds: random.some(|random| i64::from(random.number())),
                replace_failed_only: random.yes(),
                pod_failure_policy: vec![PodFailureRule {
                    action,
                    on_exit_codes: random.some(|random| ExitCodes {
                        container: random.some(Random::word),
                        others: random.yes(),
                        values: random.list(Random::number),
                    }),
                    on_pod_conditions: conditions,
                }],
                backoff_limit_per_index: random.some(Random::number),
                max_failed_indexes: random.some(Random::number),
                success_policy: random.list(|random| SuccessRule {
                    succeeded_indexes: random.some(|random| random.below(9).to_string()),
                    succeeded_count: random.some(Random::number),
                }),
                ttl_seconds_after_finished: random.some(Random::number),
            };
        }
        WorkloadKind::ReplicaSet | WorkloadKind::ReplicationController => {}
    }
    control
}
