//! Pods and pod templates.

use berth_core::api::{
    Container, ContainerPort, ContainerStatus, Pod, PodPhase, PodSpec, PodStatus, PodTemplate,
    PreemptionPolicy, Protocol, ResourceRequirements, RestartPolicy, Time, Volume, VolumeSource,
};

use super::affinity::affinity;
use super::constraint::{toleration, topology_spread_constraint};
use super::decoder::Cx;
use super::hooks::hooks;
use super::meta::{OBJECT, condition, object_meta};
use super::path::Path;
use crate::tree::Node;

pub(crate) fn pod(cx: &mut Cx, at: &Path<'_>, node: &Node<'_>) -> Pod {
    const TYPE: &str = "v1.Pod";
    let mut out = Pod::default();
    for e in cx.fields(at, node, TYPE) {
        let (at, node) = (&at.field(TYPE, &e.key), &e.value);
        match &*e.key {
            "metadata" => out.metadata = object_meta(cx, at, node),
            "spec" => out.spec = spec(cx, at, node),
            "status" => out.status = status(cx, at, node),
            _ => cx.other(at, e, OBJECT),
        }
    }
    out
}

pub(super) fn template(cx: &mut Cx, at: &Path<'_>, node: &Node<'_>) -> PodTemplate {
    const TYPE: &str = "v1.PodTemplateSpec";
    let mut out = PodTemplate::default();
    for e in cx.fields(at, node, TYPE) {
        let (at, node) = (&at.field(TYPE, &e.key), &e.value);
        match &*e.key {
            "metadata" => out.labels = object_meta(cx, at, node).labels,
            "spec" => out.spec = spec(cx, at, node),
            _ => cx.other(at, e, &["metadata", "spec"]),
        }
    }
    out
}

fn spec(cx: &mut Cx, at: &Path<'_>, node: &Node<'_>) -> PodSpec {
    const TYPE: &str = "v1.PodSpec";
    const KNOWN: &[&str] = &[
        "activeDeadlineSeconds",
        "affinity",
        "automountServiceAccountToken",
        "containers",
        "dnsConfig",
        "dnsPolicy",
        "enableServiceLinks",
        "ephemeralContainers",
        "hostAliases",
        "hostIPC",
        "hostNetwork",
        "hostPID",
        "hostUsers",
        "hostname",
        "hostnameOverride",
        "imagePullSecrets",
        "initContainers",
        "nodeName",
        "nodeSelector",
        "os",
        "overhead",
        "preemptionPolicy",
        "priority",
        "priorityClassName",
        "readinessGates",
        "resourceClaims",
        "resources",
        "restartPolicy",
        "runtimeClassName",
        "schedulerName",
        "schedulingGates",
        "schedulingGroup",
        "securityContext",
        "serviceAccount",
        "serviceAccountName",
        "setHostnameAsFQDN",
        "shareProcessNamespace",
        "subdomain",
        "terminationGracePeriodSeconds",
        "tolerations",
        "topologySpreadConstraints",
        "volumes",
    ];
    let mut out = PodSpec::default();
    let mut own_users = false;
    for e in cx.fields(at, node, TYPE) {
        let (at, node) = (&at.field(TYPE, &e.key), &e.value);
        match &*e.key {
            "containers" => {
                out.containers = cx.list(at, node, "[]v1.Container", container);
                out.needs_node_feature |= restarts_all(node);
            }
            "initContainers" => {
                out.init_containers = cx.list(at, node, "[]v1.Container", container);
                out.needs_node_feature |= restarts_all(node);
            }
            "hostUsers" if !node.is_null() => own_users = !cx.boolean(at, node),
            "overhead" => out.overhead = cx.resources(at, node),
            "resources" => out.resources = optional_requirements(cx, at, node),
            "nodeSelector" => out.node_selector = cx.labels(at, node),
            "affinity" => out.affinity = affinity(cx, at, node),
            "topologySpreadConstraints" => {
                out.topology_spread_constraints =
                    cx.list(at, node, "[]v1.TopologySpreadConstraint", topology_spread_constraint);
            }
            "tolerations" => out.tolerations = cx.list(at, node, "[]v1.Toleration", toleration),
            "schedulingGates" => {
                out.scheduling_gates =
                    cx.list(at, node, "[]v1.PodSchedulingGate", |cx, at, node| {
                        text_field(cx, at, node, "v1.PodSchedulingGate", "name", &[])
                    });
            }
            "nodeName" => out.node_name = cx.string(at, node),
            "schedulerName" => out.scheduler_name = cx.string(at, node),
            "priority" => out.priority = cx.int32(at, node),
            "priorityClassName" => out.priority_class_name = cx.string(at, node),
            "preemptionPolicy" => {
                out.preemption_policy =
                    cx.word(at, node, PreemptionPolicy::ALL, PreemptionPolicy::as_str);
            }
            "terminationGracePeriodSeconds" => {
                out.termination_grace_period_seconds = cx.int64(at, node);
            }
            "restartPolicy" => {
                out.restart_policy = restart_policy(cx, at, node).unwrap_or_default();
            }
            "hostNetwork" => out.host_network = cx.boolean(at, node),
            "volumes" => out.volumes = cx.list(at, node, "[]v1.Volume", volume),
            "resourceClaims" => {
                cx.warn(
                    at,
                    e.start,
                    "resource claims are not simulated: DynamicResources would take part",
                );
                out.resource_claims = cx.list(at, node, "[]v1.PodResourceClaim", |cx, at, node| {
                    let known = &["resourceClaimName", "resourceClaimTemplateName"];
                    text_field(cx, at, node, "v1.PodResourceClaim", "name", known)
                });
            }
            _ => cx.other(at, e, KNOWN),
        }
    }
    out.needs_node_feature |= own_users && out.host_network;
    if out.needs_node_feature {
        let message = "features of nodes are not simulated: NodeDeclaredFeatures would take part";
        cx.warn(at, node.start, message);
    }
    out
}

/// Whether the end of one of these containers restarts all.
fn restarts_all(containers: &Node<'_>) -> bool {
    let action =
        |rule: &Node<'_>| rule.get("action").and_then(Node::as_str) == Some("RestartAllContainers");
    let rules = |container: &Node<'_>| {
        container.get("restartPolicyRules").is_some_and(|rules| rules.items().iter().any(action))
    };
    containers.items().iter().any(rules)
}

/// The one text of a struct that matters; other known fields are skipped.
fn text_field(
    cx: &mut Cx,
    at: &Path<'_>,
    node: &Node<'_>,
    strukt: &'static str,
    field: &str,
    others: &[&str],
) -> String {
    let mut text = String::new();
    for e in cx.fields(at, node, strukt) {
        let at = &at.field(strukt, &e.key);
        if e.key == field {
            text = cx.string(at, &e.value);
        } else if !others.contains(&&*e.key) {
            let known: Vec<&str> = others.iter().copied().chain([field]).collect();
            cx.other(at, e, &known);
        }
    }
    text
}

fn status(cx: &mut Cx, at: &Path<'_>, node: &Node<'_>) -> PodStatus {
    const TYPE: &str = "v1.PodStatus";
    const KNOWN: &[&str] = &[
        "allocatedResources",
        "conditions",
        "containerStatuses",
        "ephemeralContainerStatuses",
        "extendedResourceClaimStatus",
        "hostIP",
        "hostIPs",
        "initContainerStatuses",
        "message",
        "nodeAllocatableResourceClaimStatuses",
        "nominatedNodeName",
        "observedGeneration",
        "phase",
        "podIP",
        "podIPs",
        "qosClass",
        "reason",
        "resize",
        "resourceClaimStatuses",
        "resources",
        "startTime",
    ];
    let mut out = PodStatus::default();
    for e in cx.fields(at, node, TYPE) {
        let (at, node) = (&at.field(TYPE, &e.key), &e.value);
        match &*e.key {
            "phase" => {
                out.phase = cx.word(at, node, PodPhase::ALL, PodPhase::as_str).unwrap_or_default();
            }
            "nominatedNodeName" => out.nominated_node_name = cx.string(at, node),
            "startTime" => out.start_time = cx.time(at, node),
            "conditions" => out.conditions = cx.list(at, node, "[]v1.PodCondition", condition),
            "containerStatuses" | "initContainerStatuses" => {
                out.container_statuses.extend(cx.list(
                    at,
                    node,
                    "[]v1.ContainerStatus",
                    container_status,
                ));
            }
            "resources" => out.resources = optional_requirements(cx, at, node),
            "allocatedResources" => out.allocated_resources = cx.resources(at, node),
            _ => cx.other(at, e, KNOWN),
        }
    }
    out
}

fn container_status(cx: &mut Cx, at: &Path<'_>, node: &Node<'_>) -> ContainerStatus {
    const TYPE: &str = "v1.ContainerStatus";
    const KNOWN: &[&str] = &[
        "allocatedResources",
        "allocatedResourcesStatus",
        "containerID",
        "image",
        "imageID",
        "lastState",
        "name",
        "ready",
        "resources",
        "restartCount",
        "started",
        "state",
        "stopSignal",
        "user",
        "volumeMounts",
    ];
    let mut out = ContainerStatus::default();
    for e in cx.fields(at, node, TYPE) {
        let (at, node) = (&at.field(TYPE, &e.key), &e.value);
        match &*e.key {
            "name" => out.name = cx.string(at, node),
            "resources" => out.resources = optional_requirements(cx, at, node),
            "allocatedResources" => out.allocated_resources = cx.resources(at, node),
            "restartCount" => out.restart_count = cx.int32(at, node).unwrap_or_default(),
            "state" => (out.exit_code, out.finished_at) = end(cx, at, node),
            _ => cx.other(at, e, KNOWN),
        }
    }
    out
}

/// The exit code of a container that has ended, and when that was.
fn end(cx: &mut Cx, at: &Path<'_>, node: &Node<'_>) -> (Option<i32>, Option<Time>) {
    const TYPE: &str = "v1.ContainerState";
    const END: &str = "v1.ContainerStateTerminated";
    const KNOWN: &[&str] =
        &["containerID", "exitCode", "finishedAt", "message", "reason", "signal", "startedAt"];
    let mut end = (None, None);
    for e in cx.fields(at, node, TYPE) {
        let (at, node) = (&at.field(TYPE, &e.key), &e.value);
        match &*e.key {
            "terminated" if !node.is_null() => {
                for e in cx.fields(at, node, END) {
                    let (at, node) = (&at.field(END, &e.key), &e.value);
                    match &*e.key {
                        "exitCode" => end.0 = cx.int32(at, node),
                        "finishedAt" => end.1 = cx.time(at, node),
                        _ => cx.other(at, e, KNOWN),
                    }
                }
            }
            _ => cx.other(at, e, &["running", "terminated", "waiting"]),
        }
    }
    end
}

fn optional_requirements(
    cx: &mut Cx,
    at: &Path<'_>,
    node: &Node<'_>,
) -> Option<ResourceRequirements> {
    (!node.is_null()).then(|| requirements(cx, at, node))
}

fn container(cx: &mut Cx, at: &Path<'_>, node: &Node<'_>) -> Container {
    const TYPE: &str = "v1.Container";
    const KNOWN: &[&str] = &[
        "args",
        "command",
        "env",
        "envFrom",
        "image",
        "imagePullPolicy",
        "lifecycle",
        "livenessProbe",
        "name",
        "ports",
        "readinessProbe",
        "resizePolicy",
        "resources",
        "restartPolicy",
        "restartPolicyRules",
        "securityContext",
        "startupProbe",
        "stdin",
        "stdinOnce",
        "terminationMessagePath",
        "terminationMessagePolicy",
        "tty",
        "volumeDevices",
        "volumeMounts",
        "workingDir",
    ];
    let mut out = Container::default();
    for e in cx.fields(at, node, TYPE) {
        let (at, node) = (&at.field(TYPE, &e.key), &e.value);
        match &*e.key {
            "name" => out.name = cx.string(at, node),
            "image" => out.image = cx.string(at, node),
            "resources" => out.resources = requirements(cx, at, node),
            "ports" => out.ports = cx.list(at, node, "[]v1.ContainerPort", port),
            "restartPolicy" => out.restart_policy = restart_policy(cx, at, node),
            _ => cx.other(at, e, KNOWN),
        }
    }
    out.hooks = hooks(node);
    out
}

fn restart_policy(cx: &mut Cx, at: &Path<'_>, node: &Node<'_>) -> Option<RestartPolicy> {
    cx.word(at, node, RestartPolicy::ALL, RestartPolicy::as_str)
}

fn requirements(cx: &mut Cx, at: &Path<'_>, node: &Node<'_>) -> ResourceRequirements {
    const TYPE: &str = "v1.ResourceRequirements";
    let mut out = ResourceRequirements::default();
    for e in cx.fields(at, node, TYPE) {
        let (at, node) = (&at.field(TYPE, &e.key), &e.value);
        match &*e.key {
            "requests" => out.requests = cx.resources(at, node),
            "limits" => out.limits = cx.resources(at, node),
            _ => cx.other(at, e, &["requests", "limits", "claims"]),
        }
    }
    out
}

fn port(cx: &mut Cx, at: &Path<'_>, node: &Node<'_>) -> ContainerPort {
    const TYPE: &str = "v1.ContainerPort";
    const KNOWN: &[&str] = &["name", "hostPort", "containerPort", "protocol", "hostIP"];
    let mut out = ContainerPort {
        container_port: 0,
        host_port: 0,
        host_ip: String::new(),
        protocol: Protocol::Tcp,
    };
    for e in cx.fields(at, node, TYPE) {
        let (at, node) = (&at.field(TYPE, &e.key), &e.value);
        match &*e.key {
            "containerPort" => out.container_port = cx.int32(at, node).unwrap_or_default(),
            "hostPort" => out.host_port = cx.int32(at, node).unwrap_or_default(),
            "hostIP" => out.host_ip = cx.string(at, node),
            "protocol" => {
                out.protocol =
                    cx.word(at, node, Protocol::ALL, Protocol::as_str).unwrap_or(Protocol::Tcp);
            }
            _ => cx.other(at, e, KNOWN),
        }
    }
    out
}

/// Sources that a volume plugin of the scheduler looks at.
const DISKS: &[&str] =
    &["awsElasticBlockStore", "azureDisk", "cinder", "csi", "gcePersistentDisk", "iscsi", "rbd"];

/// Sources that none of them looks at.
const OTHER_SOURCES: &[&str] = &[
    "azureFile",
    "cephfs",
    "configMap",
    "downwardAPI",
    "emptyDir",
    "fc",
    "flexVolume",
    "flocker",
    "gitRepo",
    "glusterfs",
    "hostPath",
    "nfs",
    "photonPersistentDisk",
    "portworxVolume",
    "projected",
    "quobyte",
    "scaleIO",
    "secret",
    "storageos",
    "vsphereVolume",
];

fn volume(cx: &mut Cx, at: &Path<'_>, node: &Node<'_>) -> Volume {
    const TYPE: &str = "v1.Volume";
    // Without a source it is an empty directory.
    let mut out =
        Volume { name: String::new(), source: VolumeSource::Other("emptyDir".to_owned()) };
    for e in cx.fields(at, node, TYPE) {
        let (at, node) = (&at.field(TYPE, &e.key), &e.value);
        match &*e.key {
            "name" => out.name = cx.string(at, node),
            _ if node.is_null() => {}
            "persistentVolumeClaim" => {
                cx.warn(
                    at,
                    e.start,
                    "persistent volumes are not simulated: VolumeBinding, VolumeZone, NodeVolumeLimits and \
                     VolumeRestrictions could refuse nodes that Berth accepts",
                );
                out.source = VolumeSource::PersistentVolumeClaim(text_field(
                    cx,
                    at,
                    node,
                    "v1.PersistentVolumeClaimVolumeSource",
                    "claimName",
                    &["readOnly"],
                ));
            }
            "ephemeral" => {
                cx.warn(
                    at,
                    e.start,
                    "the claim of an ephemeral volume is not simulated: VolumeBinding could refuse nodes that \
                     Berth accepts",
                );
                out.source = VolumeSource::Ephemeral;
            }
            "image" => {
                out.source = VolumeSource::Image(text_field(
                    cx,
                    at,
                    node,
                    "v1.ImageVolumeSource",
                    "reference",
                    &["pullPolicy"],
                ));
            }
            name if DISKS.contains(&name) => {
                cx.warn(
                    at,
                    e.start,
                    "disks are not simulated: VolumeRestrictions and NodeVolumeLimits could refuse nodes that \
                     Berth accepts",
                );
                out.source = VolumeSource::Disk(name.to_owned());
            }
            name if OTHER_SOURCES.contains(&name) => {
                out.source = VolumeSource::Other(name.to_owned());
            }
            _ => {
                let mut known = vec!["name", "persistentVolumeClaim", "ephemeral", "image"];
                known.extend(DISKS);
                known.extend(OTHER_SOURCES);
                cx.other(at, e, &known);
            }
        }
    }
    out
}
