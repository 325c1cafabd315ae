//! Which texts stay, and what the others become.

use super::kind::{ADDRESS, Kind};

/// Values of Kubernetes' own labels that say nothing about whose cluster it is, and words that stay everywhere.
const VALUES: &[&str] =
    &["", "true", "false", "linux", "windows", "amd64", "arm64", "arm", "s390x", "ppc64le"];
/// Namespaces that every cluster has.
const NAMESPACES: &[&str] = &["default", "kube-system", "kube-public", "kube-node-lease"];
/// Makers of devices, whose names say nothing about whose cluster it is.
const MAKERS: &[&str] = &["nvidia.com", "amd.com", "intel.com"];
/// Kinds that own pods in every cluster.
const OWNERS: &[&str] = &[
    "Deployment",
    "ReplicaSet",
    "StatefulSet",
    "DaemonSet",
    "Job",
    "CronJob",
    "ReplicationController",
    "Node",
    "Pod",
];

/// Whether a text stays as it is.
pub(super) fn is_kept(kind: Kind<'_>, text: &str) -> bool {
    if text.is_empty() {
        return true;
    }
    match kind {
        Kind::Key => is_kubernetes(text),
        Kind::Group => is_kubernetes(text) || MAKERS.contains(&text),
        // A resource is called together with its group.
        Kind::Resource | Kind::Image => false,
        Kind::Scheduler => text == "default-scheduler",
        Kind::Class => text.starts_with("system-"),
        Kind::Owner => OWNERS.contains(&text),
        Kind::Plugin => crate::config::is_in_tree(text) || text == "*",
        Kind::Address => matches!(text, "0.0.0.0" | "::" | "127.0.0.1"),
        _ => VALUES.contains(&text) || NAMESPACES.contains(&text) || text.starts_with("system-"),
    }
}

/// Whether a key, or the domain of one, is Kubernetes' own: it has one of its domains.
fn is_kubernetes(key: &str) -> bool {
    let domain = key.split_once('/').map_or(key, |(domain, _)| domain);
    let within = |of: &str| {
        domain.strip_suffix(of).is_some_and(|rest| rest.is_empty() || rest.ends_with('.'))
    };
    (key.contains('/') || domain.contains('.')) && (within("kubernetes.io") || within("k8s.io"))
        // Keys without a domain that Kubernetes' controllers write.
        || matches!(key, "pod-template-hash" | "controller-revision-hash" | "pod-template-generation")
        || (!key.contains('/') && is_condition(key))
}

/// Types of conditions of pods and budgets.
fn is_condition(key: &str) -> bool {
    matches!(
        key,
        "PodScheduled"
            | "Ready"
            | "ContainersReady"
            | "Initialized"
            | "DisruptionTarget"
            | "DisruptionAllowed"
            | "PodReadyToStartContainers"
            | "PodResizePending"
            | "PodResizeInProgress"
    )
}

/// The pseudonym of the name with this number, of as many as have so many digits.
pub(super) fn pseudonym(prefix: &'static str, number: usize, digits: usize) -> String {
    match prefix {
        ADDRESS => format!("192.0.{}.{}", 2 + number / 250, number % 250 + 1),
        "group" => format!("group-{number:0digits$}.example"),
        "image" => format!("image-{number:0digits$}:1"),
        "Plugin" | "Owner" => format!("{prefix}{number:0digits$}"),
        _ => format!("{prefix}-{number:0digits$}"),
    }
}
