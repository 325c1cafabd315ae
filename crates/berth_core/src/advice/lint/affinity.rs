//! Node affinity, pod affinity and pod anti-affinity.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::sync::Arc;

use super::counts::{missing, nodes, number, values};
use super::{Desk, Problem};
use crate::advice::edit::Edit;
use crate::api::{Kind, Object, Pod, PodAffinity, PodAffinityTerm};
use crate::cluster::{AffinityTerm, PodInfo};
use crate::playground::Command;
use crate::plugins::inter_pod_affinity::incoming::namespace_labels;
use crate::plugins::node_affinity::{has_required, required_node_affinity};

pub(super) fn lint(desk: &mut Desk<'_>) {
    lint_node(desk);
    let affinity = desk.pod.spec.affinity.as_ref();
    let section = |of: Option<&PodAffinity>| of.map(|of| of.required.clone()).unwrap_or_default();
    let near = section(affinity.and_then(|of| of.pod_affinity.as_ref()));
    for (at, term) in near.iter().enumerate() {
        lint_near(desk, at, term);
    }
    let apart = section(affinity.and_then(|of| of.pod_anti_affinity.as_ref()));
    for (at, term) in apart.iter().enumerate() {
        lint_apart(desk, at, term);
    }
}

fn lint_node(desk: &mut Desk<'_>) {
    if !has_required(desk.pod) {
        return;
    }
    let required = required_node_affinity(desk.pod);
    let matches = |node: &&crate::api::Node| {
        required.matches(&node.metadata.labels, &node.metadata.name).unwrap_or(false)
    };
    let all = desk.cluster.node_count();
    if all > 0 && !nodes(desk.cluster).any(|node| matches(&node)) {
        let selector = !desk.pod.spec.node_selector.is_empty();
        let path = if selector { "spec.nodeSelector" } else { "spec.affinity.nodeAffinity" };
        desk.note(path.to_string(), Problem::NoNode { nodes: all }, None);
    }
}

/// A required term that is only preferred.
fn preferred(desk: &Desk<'_>, edit: Edit) -> Option<Pod> {
    let commands = crate::advice::commands(&[edit], desk.cluster, &desk.pod.metadata.key())?;
    commands.into_iter().find_map(|command| match command {
        Command::Put(object) if object.kind() == Kind::Pod => match object {
            Object::Pod(pod) => Some(Arc::unwrap_or_clone(pod)),
            _ => None,
        },
        _ => None,
    })
}

fn path(section: &str, at: usize, field: &str) -> String {
    let list = "requiredDuringSchedulingIgnoredDuringExecution";
    format!("spec.affinity.{section}.{list}[{at}]{field}")
}

/// Whether a compiled term means a pod.
fn means(desk: &Desk<'_>, term: &AffinityTerm, pod: &PodInfo) -> bool {
    let labels = namespace_labels(desk.cluster, pod);
    term.matches(pod.namespace, &labels, &pod.pod.metadata.labels)
}

/// How many pods a compiled term means, the pod itself left out, and whether it means that.
fn meant(desk: &Desk<'_>, term: &AffinityTerm) -> (u32, bool) {
    let own = desk.info.key();
    let counts = |pod: &&PodInfo| {
        !pod.is_terminating() && !pod.pod.status.phase.is_terminal() && pod.key() != own
    };
    let pods = desk.cluster.pods().map(|(_, pod)| pod).filter(counts);
    (number(pods.filter(|pod| means(desk, term, pod)).count()), means(desk, term, desk.info))
}

fn lint_near(desk: &mut Desk<'_>, at: usize, term: &PodAffinityTerm) {
    let terms = &desk.info.terms.required_affinity;
    let of_all = |pod: &PodInfo| terms.iter().all(|term| means(desk, term, pod));
    let mut standing = desk.cluster.pods().map(|(_, pod)| pod).filter(|pod| pod.node.is_some());
    let nobody = !terms.is_empty() && !of_all(desk.info) && !standing.any(of_all);
    let (lacking, of) = missing(desk.cluster, &term.topology_key);
    if nobody && at == 0 && of > 0 {
        let fix = preferred(desk, Edit::PreferPodAffinity { term: at as u32 });
        let field = path("podAffinity", at, ".labelSelector");
        desk.note(field, Problem::NobodyNear { nodes: of }, fix);
    }
    if lacking > 0 {
        let key = term.topology_key.clone();
        let problem = Problem::NearKeyMissing { key, nodes: lacking, of };
        desk.note(path("podAffinity", at, ".topologyKey"), problem, None);
    }
}

fn lint_apart(desk: &mut Desk<'_>, at: usize, term: &PodAffinityTerm) {
    let section = "podAntiAffinity";
    if term.label_selector.is_none() {
        desk.note(path(section, at, ".labelSelector"), Problem::ApartFromNobody {}, None);
        return;
    }
    let key = term.topology_key.clone();
    let (lacking, of) = missing(desk.cluster, &key);
    if lacking > 0 {
        let problem = Problem::ApartKeyMissing { key: key.clone(), nodes: lacking, of };
        desk.note(path(section, at, ".topologyKey"), problem, None);
    }
    let compiled = desk.info.terms.required_anti_affinity.get(at);
    let found = compiled.map(|term| meant(desk, term));
    let domains = number(values(desk.cluster, &key).len());
    if let Some((others, true)) = found
        && lacking == 0
        && others >= domains
        && of > 0
    {
        let fix = preferred(desk, Edit::PreferPodAntiAffinity { term: at as u32 });
        let problem = Problem::ApartTooMany { key, pods: others + 1, domains };
        desk.note(path(section, at, ""), problem, fix);
    }
}
