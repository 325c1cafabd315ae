//! Manifests: what `kubectl` prints, and what people write.
//!
//! [`read`] takes whole inputs: files, lists, streams, snapshots; [`Reader`] does the same in slices. A value tree becomes typed objects by hand-written decoders, one file a kind, which note every error instead of
//! stopping at the first. [`decode`] takes one object; defaults of the API server are applied (see [`berth_core::admission::defaults`]),
//! admission is not.

mod affinity;
mod constraint;
mod decoder;
mod finding;
mod hooks;
mod limits;
mod mark;
mod meta;
mod node;
mod path;
mod pod;
mod policy;
mod reader;
mod stored;
mod suggest;
mod template;
mod time;
mod workload;

use std::sync::Arc;

pub use berth_core::admission::defaults;
use berth_core::admission::validation;
use berth_core::api::{
    FieldError, FieldErrors, Object, ObjectKey, ObjectMeta, Pod, PodDisruptionBudget,
    PreemptionPolicy, PriorityClass, UnhealthyPodEvictionPolicy, WorkloadKind,
};
use berth_core::collections::Index;
use berth_core::framework::config::Configuration;

pub(crate) use affinity::node_affinity;
pub(crate) use constraint::{written_constraint, written_toleration};
pub(crate) use decoder::{Cx, PROBE, Wanted};
pub use finding::{Finding, Problem, Severity, Stage};
pub use limits::Entrance;
pub use mark::{Mark, marks};
pub(crate) use node::{node, written_taint};
pub(crate) use path::Path;
pub(crate) use pod::pod;
pub use reader::{
    Check, Complaint, Item, Other, Progress, Reader, Report, Source, read, read_checked,
};
pub(crate) use stored::stored;
pub(crate) use time::parse as parse_time;
pub use time::print as print_time;

use crate::tree::Node;

/// One object, decoded.
#[derive(Clone, Debug)]
pub struct Decoded {
    /// What it is.
    pub content: Content,
    /// Notes and warnings.
    pub findings: Vec<Finding>,
}

/// What a manifest can hold.
#[derive(Clone, Debug)]
pub enum Content {
    /// An object that Berth works with.
    Object(Object),
    /// A scheduler configuration, defaulted and checked.
    Configuration(Box<Configuration>),
    /// An object of another kind: kept for export, otherwise without effect.
    Other(Foreign),
}

/// An object of a kind that Berth does not know.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Foreign {
    /// Its API group and version.
    pub api_version: String,
    /// Its kind.
    pub kind: String,
    /// Namespace and name.
    pub key: ObjectKey,
}

/// Kind, namespace and name: what no other object has in common with it.
pub fn id(object: &Object) -> String {
    format!("{} {}", object.kind().as_str(), object.key())
}

/// Where each object is in a list, by its [`id`].
pub fn places<'a>(objects: impl Iterator<Item = &'a Object>) -> Index {
    let mut places = Index::default();
    for (place, object) in objects.enumerate() {
        places.insert(id(object).into(), place as u32);
    }
    places
}

/// Decodes and defaults one object. Without a kind of its own it has the one that its list gives, as `apiVersion` and
/// `kind`. Errors are everything found, if any of it is an error.
pub fn decode(node: &Node<'_>, listed: Option<(&str, &str)>) -> Result<Decoded, Vec<Finding>> {
    let mut cx = Cx::default();
    let content = content(&mut cx, node, listed);
    let (findings, failed) = cx.finish();
    match content {
        Some(content) if !failed => Ok(Decoded { content, findings }),
        _ => Err(findings),
    }
}

/// Notes Kubernetes' hash of a workload's template, for whom it matters what ReplicaSets are called: it is not computed
/// for everything that is read.
pub fn note_template(object: &mut Object, node: &Node<'_>) {
    let template = node.get("spec").and_then(|spec| spec.get("template"));
    if let (Object::Workload(workload), Some(template)) = (object, template) {
        Arc::make_mut(workload).template.digest = Some(template::digest(template));
    }
}

/// Decodes a pod as it is written: nothing is defaulted, and it need not say its kind.
pub(crate) fn decode_pod(node: &Node<'_>) -> Result<Pod, Vec<Finding>> {
    decode_as(node, pod::pod)
}

/// Decodes a budget and its `unhealthyPodEvictionPolicy`, any text, as they are written.
pub(crate) fn decode_budget(
    node: &Node<'_>,
) -> Result<(PodDisruptionBudget, Option<String>), Vec<Finding>> {
    decode_as(node, policy::budget_as_written)
}

/// Decodes a class and its preemption policy, any text, as they are written; without a policy it has the default.
pub(crate) fn decode_priority_class(
    node: &Node<'_>,
) -> Result<(PriorityClass, String), Vec<Finding>> {
    decode_as(node, policy::class_as_written)
}

/// Decodes the metadata of any object.
pub(crate) fn decode_metadata(node: &Node<'_>) -> Result<ObjectMeta, Vec<Finding>> {
    decode_as(node, meta::object_meta)
}

fn decode_as<T>(
    node: &Node<'_>,
    decoder: fn(&mut Cx, &Path<'_>, &Node<'_>) -> T,
) -> Result<T, Vec<Finding>> {
    let mut cx = Cx::default();
    let object = decoder(&mut cx, &Path::Root, node);
    match cx.finish() {
        (_, false) => Ok(object),
        (findings, true) => Err(findings),
    }
}

/// Kind and version of an object, as far as it says.
pub(crate) fn type_of<'n>(node: &'n Node<'_>) -> (Option<&'n str>, Option<&'n str>) {
    let text = |key| node.get(key).and_then(Node::as_str).filter(|text| !text.is_empty());
    (text("apiVersion"), text("kind"))
}

fn content(cx: &mut Cx, node: &Node<'_>, listed: Option<(&str, &str)>) -> Option<Content> {
    let at = &Path::Root;
    if !matches!(node.value, crate::tree::Value::Mapping(_)) {
        cx.error(at, node, format!("not a Kubernetes object, but {}", article(node.kind())));
        return None;
    }
    let (version, kind) = type_of(node);
    let (version, kind) = match (version, kind, listed) {
        (Some(version), Some(kind), _) | (_, None, Some((version, kind))) => (version, kind),
        (None, Some(kind), Some((version, listed))) if kind == listed => (version, kind),
        (_, None, None) => {
            cx.error(at, node, "Object 'Kind' is missing");
            return None;
        }
        (None, Some(_), _) => {
            cx.error(at, node, "Object 'apiVersion' is missing");
            return None;
        }
    };
    let object = match (version, kind) {
        ("v1", "Node") => {
            let mut object = node::node(cx, at, node);
            defaults::node_status(&mut object.status);
            Object::Node(Arc::new(object))
        }
        ("v1", "Pod") => {
            let mut object = pod::pod(cx, at, node);
            in_namespace(&mut object.metadata.namespace);
            defaults::pod(&mut object);
            Object::Pod(Arc::new(object))
        }
        ("v1", "Namespace") => {
            let mut object = node::namespace(cx, at, node);
            defaults::namespace(&mut object);
            Object::Namespace(Arc::new(object))
        }
        ("scheduling.k8s.io/v1", "PriorityClass") => {
            let object = policy::priority_class(cx, at, node);
            let policy = object.preemption_policy.map(PreemptionPolicy::as_str);
            let errors = validation::priority_class(&object, policy.unwrap_or_default());
            invalid(cx, node, errors);
            Object::PriorityClass(Arc::new(object))
        }
        ("policy/v1", "PodDisruptionBudget") => {
            let mut object = policy::pod_disruption_budget(cx, at, node);
            in_namespace(&mut object.metadata.namespace);
            let policy = object.unhealthy_pod_eviction_policy;
            let policy = policy.map(UnhealthyPodEvictionPolicy::as_str);
            invalid(cx, node, validation::pod_disruption_budget(&object, policy));
            Object::PodDisruptionBudget(Arc::new(object))
        }
        ("v1", "Service") => {
            let mut object = policy::service(cx, at, node);
            in_namespace(&mut object.metadata.namespace);
            Object::Service(Arc::new(object))
        }
        ("kubescheduler.config.k8s.io/v1", "KubeSchedulerConfiguration") => {
            let configuration = crate::config::configuration(cx, at, node);
            return Some(Content::Configuration(Box::new(configuration)));
        }
        _ => match workload_kind(version, kind) {
            Some(workload_kind) => {
                let mut object = workload::workload(cx, at, node, workload_kind);
                in_namespace(&mut object.metadata.namespace);
                defaults::pod_spec(&mut object.template.spec);
                Object::Workload(Arc::new(object))
            }
            None => return foreign(cx, node, version, kind),
        },
    };
    if object.metadata().name.is_empty() && !cx.failed() {
        let why = "name or generateName is required";
        cx.invalid(at, node, &FieldError::required("metadata.name".to_owned(), why));
    }
    Some(Content::Object(object))
}

/// Notes what the API server has against an object that could be decoded.
fn invalid(cx: &mut Cx, node: &Node<'_>, errors: Vec<FieldError>) {
    if let (false, Err(errors)) = (cx.failed(), FieldErrors::check(errors)) {
        cx.field_errors(&Path::Root, node, errors);
    }
}

fn workload_kind(version: &str, kind: &str) -> Option<WorkloadKind> {
    let found = WorkloadKind::ALL.iter().copied().find(|candidate| candidate.as_str() == kind)?;
    (version == found.api_version()).then_some(found)
}

/// Where a kind that Berth knows lives.
const HOMES: &[(&str, &str)] = &[
    ("Node", "v1"),
    ("Pod", "v1"),
    ("Namespace", "v1"),
    ("Service", "v1"),
    ("ReplicationController", "v1"),
    ("PriorityClass", "scheduling.k8s.io/v1"),
    ("PodDisruptionBudget", "policy/v1"),
    ("Deployment", "apps/v1"),
    ("ReplicaSet", "apps/v1"),
    ("StatefulSet", "apps/v1"),
    ("DaemonSet", "apps/v1"),
    ("Job", "batch/v1"),
    ("KubeSchedulerConfiguration", "kubescheduler.config.k8s.io/v1"),
];

/// The kinds that Berth knows, each with the version under which it does.
pub(crate) fn kinds() -> impl Iterator<Item = (&'static str, &'static str)> {
    HOMES.iter().copied()
}

/// What the decoders want where a tree has [`PROBE`].
pub(crate) fn probe(node: &Node<'_>) -> Wanted {
    let mut cx = Cx::probing();
    if let Some(Content::Object(Object::Pod(_))) = content(&mut cx, node, None) {
        crate::validation::read_pod(&mut cx, node);
    }
    cx.wanted()
}

/// The version under which Berth knows a kind.
pub(crate) fn home(kind: &str) -> Option<&'static str> {
    HOMES.iter().find(|(known, _)| *known == kind).map(|(_, version)| *version)
}

/// Kinds that bear on scheduling and are not simulated.
const NOT_SIMULATED: &[(&str, &str)] = &[
    ("PersistentVolume", "volumes are not simulated: the volume plugins decide nothing"),
    ("PersistentVolumeClaim", "volumes are not simulated: the volume plugins decide nothing"),
    ("StorageClass", "volumes are not simulated: the volume plugins decide nothing"),
    ("CSINode", "volumes are not simulated: no node has a volume limit"),
    ("CSIDriver", "volumes are not simulated: the volume plugins decide nothing"),
    ("CSIStorageCapacity", "volumes are not simulated: the volume plugins decide nothing"),
    ("ResourceClaim", "resource claims are not simulated: DynamicResources decides nothing"),
    (
        "ResourceClaimTemplate",
        "resource claims are not simulated: DynamicResources decides nothing",
    ),
    ("ResourceSlice", "resource claims are not simulated: DynamicResources decides nothing"),
    ("DeviceClass", "resource claims are not simulated: DynamicResources decides nothing"),
    ("CronJob", "CronJobs are not simulated: it makes no pods"),
    ("LimitRange", "LimitRanges are not simulated: pods get no defaults from it"),
    ("ResourceQuota", "ResourceQuotas are not simulated: no pod is refused"),
    ("RuntimeClass", "RuntimeClasses are not simulated: pods get no overhead from it"),
];

fn foreign(cx: &mut Cx, node: &Node<'_>, version: &str, kind: &str) -> Option<Content> {
    let at = &Path::Root;
    if let Some(home) = home(kind)
        && let Some(place) = node.get("apiVersion")
    {
        // The same kind of another group, like Knative's Service, is not the one that Berth knows.
        if group(home) == group(version) || version.starts_with("extensions/") {
            let message = format!(
                "no kind {kind:?} is registered for version {version:?}; Berth reads {home}"
            );
            cx.error(at, place, message);
            return None;
        }
    }
    let metadata = |key| {
        node.get("metadata").and_then(|m| m.get(key)).and_then(Node::as_str).unwrap_or_default()
    };
    if let Some((_, message)) = NOT_SIMULATED.iter().find(|(known, _)| *known == kind) {
        cx.warn(at, node.start, *message);
    }
    let key = ObjectKey::new(metadata("namespace"), metadata("name"));
    Some(Content::Other(Foreign { api_version: version.to_owned(), kind: kind.to_owned(), key }))
}

fn group(version: &str) -> &str {
    version.split_once('/').map_or("", |(group, _)| group)
}

fn in_namespace(namespace: &mut String) {
    if namespace.is_empty() {
        "default".clone_into(namespace);
    }
}

fn article(kind: &str) -> String {
    if matches!(kind, "array" | "object") { format!("an {kind}") } else { format!("a {kind}") }
}

#[cfg(test)]
mod hostile;
#[cfg(test)]
mod tests;
