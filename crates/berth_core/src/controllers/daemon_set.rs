//! DaemonSets: a pod on every node that is fit for it.

mod controller;
mod rolling;

pub use controller::DaemonSetController;

use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec;
use alloc::vec::Vec;

use super::expansion::State;
use super::is_active;
use super::names::template_hash;
use crate::api::node_selector::RequiredNodeAffinity;
use crate::api::{
    Node, NodeSelector, NodeSelectorRequirement, NodeSelectorTerm, Pod, PodSpec, TaintEffect,
    Toleration, TolerationOperator, Workload,
};
use crate::collections::Set;
use crate::plugins::taint_toleration::tolerates;

/// Gives a DaemonSet a pod for every node that it should run on.
pub(super) fn daemon_set(state: &mut State, set: &Workload) {
    let Some(selector) = state.selector(set, &set.template.labels) else { return };
    let own = state.own_pods(set, &selector);
    let served: Set<&str> =
        own.iter().filter(|pod| is_active(pod)).filter_map(|pod| target(pod)).collect();
    let adopted = own.len() as u32;
    let mut spec = set.template.spec.clone();
    add_tolerations(&mut spec);
    let should: Vec<Arc<Node>> =
        state.nodes().into_iter().filter(|node| should_run(&spec, node).0).collect();
    let missing: Vec<&Arc<Node>> =
        should.iter().filter(|node| !served.contains(&*node.metadata.name)).collect();
    let count = missing.len() as u32;
    if !state.may_make(set, adopted, count) {
        return;
    }
    let hash = template_hash(state.seed(), &set.template);
    for (index, node) in missing.into_iter().enumerate() {
        let mut labels = set.template.labels.clone();
        labels.insert("controller-revision-hash".to_owned(), hash.clone());
        labels.insert("pod-template-generation".to_owned(), "1".to_owned());
        let mut spec = spec.clone();
        pin(&mut spec, &node.metadata.name);
        let stem = format!("{}-", set.metadata.name);
        let name = state.generate_name(&set.metadata.namespace, &stem, index as u32);
        state.make_pod(set, name, labels, spec);
    }
    state.line(set, adopted, count, 0, None);
}

/// Whether a pod should be started on a node, and whether one that is there may stay (`NodeShouldRunDaemonPod`). The
/// spec has the tolerations of daemon pods.
fn should_run(spec: &PodSpec, node: &Node) -> (bool, bool) {
    let name = &*node.metadata.name;
    let affinity = spec.affinity.as_ref().and_then(|affinity| affinity.node_affinity.as_ref());
    let required = affinity.and_then(|affinity| affinity.required.as_ref());
    let fits = (spec.node_name.is_empty() || spec.node_name == name)
        && RequiredNodeAffinity::new(&spec.node_selector, required)
            .matches(&node.metadata.labels, name)
            .unwrap_or(false);
    let tolerates_all = |effects: &[TaintEffect]| {
        let mut taints = node.spec.taints.iter().filter(|taint| effects.contains(&taint.effect));
        taints.all(|taint| spec.tolerations.iter().any(|toleration| tolerates(toleration, taint)))
    };
    let stays = fits && tolerates_all(&[TaintEffect::NoExecute]);
    (stays && tolerates_all(&[TaintEffect::NoSchedule]), stays)
}

/// The node that a daemon pod runs on or is meant for (`GetTargetNodeName`).
fn target(pod: &Pod) -> Option<&str> {
    if !pod.spec.node_name.is_empty() {
        return Some(&pod.spec.node_name);
    }
    let required = pod.spec.affinity.as_ref()?.node_affinity.as_ref()?.required.as_ref()?;
    let fields = required.node_selector_terms.iter().flat_map(|term| &term.match_fields);
    let mut names = fields.filter(|field| field.key == "metadata.name" && field.operator == "In");
    names.find_map(|field| match &field.values[..] {
        [name] => Some(name.as_str()),
        _ => None,
    })
}

/// `ReplaceDaemonSetPodNodeNameNodeAffinity`: the pod's own required terms give way.
fn pin(spec: &mut PodSpec, node: &str) {
    let requirement = NodeSelectorRequirement {
        key: "metadata.name".to_owned(),
        operator: "In".to_owned(),
        values: vec![node.to_owned()],
    };
    let term = NodeSelectorTerm { match_fields: vec![requirement], ..NodeSelectorTerm::default() };
    let affinity = spec.affinity.get_or_insert_default().node_affinity.get_or_insert_default();
    affinity.required = Some(NodeSelector { node_selector_terms: vec![term] });
}

/// `AddOrUpdateDaemonPodTolerations`.
fn add_tolerations(spec: &mut PodSpec) {
    use TaintEffect::{NoExecute, NoSchedule};
    let always = [
        ("not-ready", NoExecute),
        ("unreachable", NoExecute),
        ("disk-pressure", NoSchedule),
        ("memory-pressure", NoSchedule),
        ("pid-pressure", NoSchedule),
        ("unschedulable", NoSchedule),
    ];
    let on_host = spec.host_network.then_some(("network-unavailable", NoSchedule));
    for (key, effect) in always.into_iter().chain(on_host) {
        let toleration = Toleration {
            key: format!("node.kubernetes.io/{key}"),
            operator: TolerationOperator::Exists,
            value: String::new(),
            effect: Some(effect),
            toleration_seconds: None,
        };
        // One that differs in its seconds alone is replaced.
        let same = spec.tolerations.iter_mut().find(|other| {
            other.key == toleration.key
                && other.effect == toleration.effect
                && other.operator == toleration.operator
                && other.value == toleration.value
        });
        match same {
            Some(other) => *other = toleration,
            None => spec.tolerations.push(toleration),
        }
    }
}
