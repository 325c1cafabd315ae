//! The disruption controller: how many pods of a budget may be disrupted now, and when it looks.
//!
//! Mirrors `DisruptionController.sync` (`pkg/controller/disruption/disruption.go`). Deviations: pods are taken in the
//! order in which they are given, where the controller takes them in a map's order (it names the first that it can do
//! nothing with); what cannot be in a cluster, a workload or a reference without a UID, is told by its name.

mod controller;

use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt;

use crate::api::field_error::quote;
use crate::api::{
    IntOrPercent, OwnerReference, Pod, PodDisruptionBudget, PodDisruptionBudgetStatus, Selector,
    SelectorError, Time,
};
use crate::apiserver::Moment;
use crate::collections::Map;
use crate::framework::normalize::to_integer;

pub use controller::Disruption;

/// Seconds after which an eviction that was granted counts no more if the pod is still there (`DeletionTimeout`).
const DELETION_TIMEOUT: i64 = 120;

/// What the controller asks about the owners of pods.
pub trait Scales {
    /// The object of a kind and a name.
    fn get(&self, group: &str, kind: &str, namespace: &str, name: &str) -> Option<Scale<'_>>;

    /// How a kind is served; none if it is not.
    fn mapping(&self, group: &str, version: &str, kind: &str) -> Option<Mapping>;
}

/// An object with a number of pods.
#[derive(Clone, Copy, Debug)]
pub struct Scale<'a> {
    /// Its identity.
    pub uid: &'a str,
    /// How many pods it wants.
    pub replicas: i32,
    /// What controls it in turn.
    pub controller: Option<&'a OwnerReference>,
}

/// How the API server serves a kind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mapping {
    /// Plural and group, like `jobs.batch`.
    pub resource: String,
    /// Whether objects of the kind have a number of pods (the subresource `scale`).
    pub has_scale: bool,
}

/// The kinds that every cluster serves and that can own a pod: group, version, kind, plural, whether with a scale.
const BUILT_IN: [(&str, &str, &str, &str, bool); 9] = [
    ("", "v1", "Pod", "pods", false),
    ("", "v1", "Node", "nodes", false),
    ("", "v1", "ReplicationController", "replicationcontrollers", true),
    ("apps", "v1", "ReplicaSet", "replicasets", true),
    ("apps", "v1", "Deployment", "deployments", true),
    ("apps", "v1", "StatefulSet", "statefulsets", true),
    ("apps", "v1", "DaemonSet", "daemonsets", false),
    ("batch", "v1", "Job", "jobs", false),
    ("batch", "v1", "CronJob", "cronjobs", false),
];

impl Mapping {
    /// How a kind of Kubernetes' own is served.
    pub fn built_in(group: &str, version: &str, kind: &str) -> Option<Self> {
        let known = |entry: &&(&str, &str, &str, &str, bool)| {
            (entry.0, entry.1, entry.2) == (group, version, kind)
        };
        let (group, _, _, plural, has_scale) = BUILT_IN.iter().find(known)?;
        Some(Self { resource: resource(plural, group), has_scale: *has_scale })
    }
}

/// A resource as `GroupResource` prints it.
pub fn resource(plural: &str, group: &str) -> String {
    if group.is_empty() { plural.to_owned() } else { format!("{plural}.{group}") }
}

/// What the controller finds about a budget, with what it found it from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sync {
    /// The status from now on.
    pub status: PodDisruptionBudgetStatus,
    /// Whether it is written: not if it stands there already.
    pub updated: bool,
    /// Why it could not be computed. Then nothing may be disrupted, and the rest of the status is what it was.
    pub failure: Option<SyncError>,
    /// The controllers whose numbers of pods were added up, each once. None are asked where `minAvailable` is a number.
    pub controllers: Vec<Counted>,
    /// Names of the pods without a controller, which were not counted.
    pub unmanaged: Vec<String>,
    /// Names of the pods that were to be evicted, but are not being deleted for too long.
    pub overdue: Vec<String>,
    /// When a granted eviction ceases to count, at the earliest: the time to look again.
    pub recheck: Option<Time>,
}

/// A controller with the number of pods that it wants.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Counted {
    /// Its identity, or its kind and name if it has none.
    pub uid: String,
    /// How many pods it wants.
    pub replicas: i32,
}

/// Why a budget's status cannot be computed. `Display` gives the controller's words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SyncError {
    /// The budget's selector cannot be compiled.
    Selector(SelectorError),
    /// An owner's `apiVersion` is not one.
    ApiVersion(String),
    /// The API server does not serve an owner's kind.
    NoKind {
        /// The kind.
        kind: String,
        /// Its group and version.
        version: String,
    },
    /// Objects of the owner's kind have no number of pods.
    NoScale(String),
    /// The owner of the pod of this name is not there.
    NoController(String),
    /// `minAvailable` or `maxUnavailable` is neither a number nor a share: the text, if it ends like a share.
    Share(Option<ShareError>),
}

/// A share that is not a number of percents.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShareError {
    /// The text, with its `%`.
    pub text: String,
    /// Whether it is a number, but too large.
    pub too_large: bool,
}

impl fmt::Display for SyncError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Selector(error) => error.fmt(f),
            Self::ApiVersion(text) => write!(f, "unexpected GroupVersion string: {text}"),
            Self::NoKind { kind, version } => {
                write!(f, "no matches for kind {} in version {}", quote(kind), quote(version))
            }
            Self::NoScale(resource) => {
                write!(f, "{resource} does not implement the scale subresource")
            }
            Self::NoController(pod) => write!(f, "found no controllers for pod {}", quote(pod)),
            Self::Share(error) => {
                f.write_str("invalid value for IntOrString: ")?;
                let Some(ShareError { text, too_large }) = error else {
                    return f.write_str("invalid type: string is not a percentage");
                };
                let digits = text.strip_suffix('%').unwrap_or(text);
                let why = if *too_large { "value out of range" } else { "invalid syntax" };
                write!(
                    f,
                    "invalid value {}: strconv.Atoi: parsing {}: {why}",
                    quote(text),
                    quote(digits)
                )
            }
        }
    }
}

impl core::error::Error for SyncError {}

/// What a budget's status is, by what there is now: pods of the budget's namespace (others are passed over) and their
/// owners. `is_ready` says which pods are healthy, [`Pod::is_ready`] in a cluster.
pub fn sync<'p>(
    budget: &PodDisruptionBudget,
    pods: &mut dyn Iterator<Item = &'p Pod>,
    scales: &dyn Scales,
    now: Moment,
    is_ready: fn(&Pod) -> bool,
) -> Sync {
    let mut found = Sync {
        status: budget.status.clone(),
        updated: true,
        failure: None,
        controllers: Vec::new(),
        unmanaged: Vec::new(),
        overdue: Vec::new(),
        recheck: None,
    };
    if let Err(error) = try_sync(&mut found, budget, pods, scales, now, is_ready) {
        let status = &mut found.status;
        status.disruptions_allowed = 0;
        status.set_condition("False", PodDisruptionBudgetStatus::SYNC_FAILED, error.to_string());
        found.failure = Some(error);
    }
    found
}

fn try_sync<'p>(
    found: &mut Sync,
    budget: &PodDisruptionBudget,
    pods: &mut dyn Iterator<Item = &'p Pod>,
    scales: &dyn Scales,
    now: Moment,
    is_ready: fn(&Pod) -> bool,
) -> Result<(), SyncError> {
    let selector =
        Selector::from_label_selector(budget.selector.as_ref()).map_err(SyncError::Selector)?;
    let namespace = &budget.metadata.namespace;
    let mut selected: Vec<&Pod> = Vec::new();
    for pod in pods {
        if pod.metadata.namespace == *namespace && selector.matches(&pod.metadata.labels) {
            selected.push(pod);
        }
    }
    let (expected, desired) = expected(found, budget, &selected, scales)?;
    let disrupted = still_disrupted(found, &budget.status.disrupted_pods, &selected, now);
    let healthy = healthy(&selected, &disrupted, now, is_ready);
    let spare = healthy.wrapping_sub(desired);
    let status = &mut found.status;
    status.current_healthy = healthy;
    status.desired_healthy = desired;
    status.expected_pods = expected;
    status.disruptions_allowed = if expected > 0 && spare > 0 { spare } else { 0 };
    status.disrupted_pods = disrupted;
    status.observed_generation = budget.metadata.generation;
    found.updated = *status != budget.status || !status.has_condition();
    if found.updated {
        status.update_condition();
    }
    Ok(())
}

/// How many pods there should be, and how many of them healthy at least (`getExpectedPodCount`).
fn expected(
    found: &mut Sync,
    budget: &PodDisruptionBudget,
    pods: &[&Pod],
    scales: &dyn Scales,
) -> Result<(i32, i32), SyncError> {
    match (&budget.max_unavailable, &budget.min_available) {
        (Some(most), _) => {
            let expected = expected_scale(found, pods, scales)?;
            let desired = expected.wrapping_sub(scaled(most, expected)?);
            Ok((expected, desired.max(0)))
        }
        (None, Some(IntOrPercent::Int(least))) => Ok((pods.len() as i32, *least)),
        (None, Some(least)) => {
            let expected = expected_scale(found, pods, scales)?;
            Ok((expected, scaled(least, expected)?))
        }
        (None, None) => Ok((0, 0)),
    }
}

/// A number, or a share of the total, rounded up (`GetScaledValueFromIntOrPercent`).
fn scaled(value: &IntOrPercent, total: i32) -> Result<i32, SyncError> {
    let text = match value {
        IntOrPercent::Int(number) => return Ok(*number),
        IntOrPercent::Percent(text) => text,
    };
    let digits = text.strip_suffix('%').ok_or(SyncError::Share(None))?;
    let percent: i64 = digits.parse().map_err(|_| {
        let bare = digits.strip_prefix(['+', '-']).unwrap_or(digits);
        let too_large = !bare.is_empty() && bare.bytes().all(|byte| byte.is_ascii_digit());
        SyncError::Share(Some(ShareError { text: text.clone(), too_large }))
    })?;
    Ok(to_integer(libm::ceil(percent as f64 * f64::from(total) / 100.0)) as i32)
}

/// The sum of what the controllers of the pods want, each counted once (`getExpectedScale`).
fn expected_scale(found: &mut Sync, pods: &[&Pod], scales: &dyn Scales) -> Result<i32, SyncError> {
    let mut sum = 0_i32;
    for pod in pods {
        let metadata = &pod.metadata;
        let Some(owner) = metadata.controller() else {
            found.unmanaged.push(metadata.name.clone());
            continue;
        };
        let known = |uid: &str| found.controllers.iter().any(|counted| counted.uid == uid);
        if !owner.uid.is_empty() && known(&owner.uid) {
            continue;
        }
        let counted = find(owner, &metadata.namespace, scales)?;
        let counted = counted.ok_or_else(|| SyncError::NoController(metadata.name.clone()))?;
        if !known(&counted.uid) {
            sum = sum.wrapping_add(counted.replicas);
            found.controllers.push(counted);
        }
    }
    Ok(sum)
}

/// The controller that decides how many such pods there are: the owner, or the Deployment of a ReplicaSet.
fn find(
    owner: &OwnerReference,
    namespace: &str,
    scales: &dyn Scales,
) -> Result<Option<Counted>, SyncError> {
    let (group, version) = group_version(&owner.api_version)?;
    let named = |group: &str, owner: &OwnerReference| {
        let scale = scales.get(group, &owner.kind, namespace, &owner.name);
        scale.filter(|scale| is_same(scale.uid, &owner.uid))
    };
    let count = |scale: Scale<'_>, owner: &OwnerReference| {
        let uid = if scale.uid.is_empty() {
            format!("{} {}", owner.kind, owner.name)
        } else {
            scale.uid.to_owned()
        };
        Counted { uid, replicas: scale.replicas }
    };
    let of_apps = matches!(group, "apps" | "extensions");
    match &*owner.kind {
        "ReplicaSet" if of_apps => {
            if let Some(set) = named("apps", owner) {
                let Some(above) = set.controller else { return Ok(Some(count(set, owner))) };
                let (group, _) = group_version(&above.api_version)?;
                if above.kind != "Deployment" {
                    return Ok(Some(count(set, owner)));
                }
                if matches!(group, "apps" | "extensions")
                    && let Some(scale) = named("apps", above)
                {
                    return Ok(Some(count(scale, above)));
                }
            }
        }
        "StatefulSet" if group == "apps" => {
            if let Some(set) = named("apps", owner) {
                return Ok(Some(count(set, owner)));
            }
        }
        "ReplicationController" if group.is_empty() => {
            if let Some(controller) = named("", owner) {
                return Ok(Some(count(controller, owner)));
            }
        }
        _ => {}
    }
    // Anything else with a scale, `getScaleController`.
    let mapping = scales.mapping(group, version, &owner.kind).ok_or_else(|| {
        let version =
            if group.is_empty() { version.to_owned() } else { format!("{group}/{version}") };
        SyncError::NoKind { kind: owner.kind.clone(), version }
    })?;
    if !mapping.has_scale {
        return Err(SyncError::NoScale(mapping.resource));
    }
    Ok(named(group, owner).map(|scale| count(scale, owner)))
}

/// Whether a reference means the object that has its name. Where one of the two has no identity the name must do.
fn is_same(uid: &str, wanted: &str) -> bool {
    uid == wanted || uid.is_empty() || wanted.is_empty()
}

/// `ParseGroupVersion`.
fn group_version(text: &str) -> Result<(&str, &str), SyncError> {
    match text.split_once('/') {
        None => Ok(("", text)),
        Some((_, version)) if version.contains('/') => Err(SyncError::ApiVersion(text.to_owned())),
        Some(both) => Ok(both),
    }
}

/// The granted evictions that still count (`buildDisruptedPodMap`).
fn still_disrupted(
    found: &mut Sync,
    disrupted: &Map<String, Time>,
    pods: &[&Pod],
    now: Moment,
) -> Map<String, Time> {
    let mut out = Map::new();
    for pod in pods {
        let metadata = &pod.metadata;
        let Some(time) = disrupted.get(&metadata.name) else { continue };
        let end = Time(time.0.saturating_add(DELETION_TIMEOUT));
        if metadata.deletion_timestamp.is_some() {
            continue;
        }
        if Moment::from(end) < now {
            found.overdue.push(metadata.name.clone());
        } else {
            if found.recheck.is_none_or(|recheck| end < recheck) {
                found.recheck = Some(end);
            }
            out.insert(metadata.name.clone(), *time);
        }
    }
    out
}

/// How many pods are healthy and stay for all that is known (`countHealthyPods`).
fn healthy(
    pods: &[&Pod],
    disrupted: &Map<String, Time>,
    now: Moment,
    is_ready: fn(&Pod) -> bool,
) -> i32 {
    let mut count = 0;
    for pod in pods {
        let time = disrupted.get(&pod.metadata.name);
        let leaves = pod.metadata.deletion_timestamp.is_some()
            || time.is_some_and(|time| time.0.saturating_add(DELETION_TIMEOUT) > now.second.0);
        if !leaves && is_ready(pod) {
            count += 1;
        }
    }
    count
}

#[cfg(test)]
mod tests;
