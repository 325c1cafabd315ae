//! Goals, looked up in a cluster.

use berth_core::api::{Node, ObjectKey, Pod, PodPhase};
use berth_core::cluster::Cluster;
use berth_core::collections::Map;
use berth_core::explain::Explanation;
use berth_core::playground::Playground;
use berth_core::queue::Instant;
use berth_core::simulation::Event;

use super::{Fact, Goal, Place, PodFact, Pods, PodsFact};

/// How a goal stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct State {
    /// Whether it is met.
    pub met: bool,
    /// What was found.
    pub found: Found,
}

/// What was found of a fact.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Found {
    /// The pod waits.
    Pending,
    /// The pod is not there.
    Gone,
    /// The pod is on this node.
    Node(String),
    /// A number.
    Number(i64),
    /// Nodes or pods.
    Names(Vec<String>),
    /// What Kubernetes says; empty if it says nothing.
    Text(String),
    /// The pod's phase.
    Phase(PodPhase),
    /// When it happened last.
    At(Instant),
}

impl Goal {
    /// How it stands in a cluster. The cluster is as before afterwards.
    pub fn evaluate(&self, playground: &mut Playground) -> State {
        self.evaluate_after(playground, core::iter::empty())
    }

    /// How it stands in a cluster to which this has happened.
    pub(in crate::lesson) fn evaluate_after<'e>(
        &self,
        playground: &mut Playground,
        events: impl Iterator<Item = &'e Event>,
    ) -> State {
        let State { met, found } = match &self.fact {
            Fact::Pod(key, fact) => of_pod(playground.cluster(), key, fact),
            Fact::Pods(pods, fact) => of_pods(playground.cluster(), pods, fact),
            Fact::Nodes(pod, nodes) => names(nodes, fitting(playground, pod)),
            Fact::Best(pod, nodes) => names(nodes, best(playground, pod)),
            Fact::Victims(pod, victims) => {
                let wanted: Vec<String> = victims.iter().map(ObjectKey::to_string).collect();
                names(&wanted, self::victims(playground, pod))
            }
            Fact::Event(pod, text) => {
                let said = event(playground, pod).unwrap_or_default();
                State { met: said.contains(text.as_str()), found: Found::Text(said) }
            }
            Fact::Happened(happened) => happened.evaluate(events),
        };
        State { met: met != self.negated, found }
    }
}

/// The nodes on which a pod fits, by name; none of a pod that is not there.
pub(in crate::lesson) fn fitting(playground: &mut Playground, pod: &ObjectKey) -> Vec<String> {
    of_explanation(playground, pod, |found| sorted(found.feasible_names()))
}

/// The nodes of which the scheduler takes one, by name.
pub(in crate::lesson) fn best(playground: &mut Playground, pod: &ObjectKey) -> Vec<String> {
    of_explanation(playground, pod, |found| sorted(found.best_names()))
}

/// The pods that would go for a pod that fits nowhere, by name.
pub(in crate::lesson) fn victims(playground: &mut Playground, pod: &ObjectKey) -> Vec<String> {
    let Ok(explanation) = playground.explain(pod) else { return Vec::new() };
    let Some(picked) = playground.pick_candidate(&explanation) else { return Vec::new() };
    let pods = picked.victims.iter().filter_map(|victim| picked.lower.get(*victim as usize));
    sorted(pods.map(|pod| pod.metadata.key()))
}

fn of_explanation(
    playground: &mut Playground,
    pod: &ObjectKey,
    of: impl FnOnce(&Explanation) -> Vec<String>,
) -> Vec<String> {
    playground.explain(pod).map(|explanation| of(&explanation)).unwrap_or_default()
}

fn sorted(names: impl Iterator<Item = impl ToString>) -> Vec<String> {
    let mut names: Vec<String> = names.map(|name| name.to_string()).collect();
    names.sort();
    names
}

fn names(wanted: &[String], found: Vec<String>) -> State {
    State { met: sorted(wanted.iter()) == found, found: Found::Names(found) }
}

/// What `kubectl describe` shows of a pod that waits and fits nowhere.
fn event(playground: &mut Playground, key: &ObjectKey) -> Option<String> {
    if !pod_named(playground.cluster(), key)?.spec.node_name.is_empty() {
        return None;
    }
    playground.explain(key).ok()?.message
}

fn pod_named<'c>(cluster: &'c Cluster, key: &ObjectKey) -> Option<&'c Pod> {
    cluster.pod_named(key).and_then(|idx| cluster.pod(idx)).map(|info| &*info.pod)
}

fn of_pod(cluster: &Cluster, key: &ObjectKey, fact: &PodFact) -> State {
    let Some(pod) = pod_named(cluster, key) else {
        return State { met: *fact == PodFact::Gone, found: Found::Gone };
    };
    let node = &pod.spec.node_name;
    let mut found = if node.is_empty() { Found::Pending } else { Found::Node(node.clone()) };
    let met = match fact {
        PodFact::Pending => node.is_empty(),
        PodFact::Gone => false,
        PodFact::Scheduled(place) => {
            !node.is_empty() && place.as_ref().is_none_or(|place| is_at(cluster, node, place))
        }
        PodFact::Nominated(place) => {
            let node = &pod.status.nominated_node_name;
            if !node.is_empty() {
                found = Found::Node(node.clone());
            }
            !node.is_empty() && place.as_ref().is_none_or(|place| is_at(cluster, node, place))
        }
        PodFact::Terminating => pod.metadata.deletion_timestamp.is_some(),
        PodFact::Phase(phase) => {
            found = Found::Phase(pod.status.phase);
            pod.status.phase == *phase
        }
        PodFact::Priority(comparison) => {
            let priority = i64::from(pod.spec.priority.unwrap_or(0));
            return number(comparison.holds(priority), priority);
        }
    };
    State { met, found }
}

fn of_pods(cluster: &Cluster, pods: &Pods, fact: &PodsFact) -> State {
    let meant: Vec<&Pod> =
        cluster.pods().map(|(_, info)| &*info.pod).filter(|pod| pods.select(pod)).collect();
    let count = |of: &dyn Fn(&str) -> bool| {
        meant.iter().filter(|pod| of(&pod.spec.node_name)).count() as i64
    };
    let (comparison, found) = match fact {
        PodsFact::Count(comparison) => (comparison, count(&|_| true)),
        PodsFact::Pending(comparison) => (comparison, count(&str::is_empty)),
        PodsFact::On(place, comparison) => {
            (comparison, count(&|node| !node.is_empty() && is_at(cluster, node, place)))
        }
        PodsFact::Skew(comparison, key) => (comparison, skew(cluster, &meant, key)),
    };
    number(comparison.holds(found), found)
}

fn number(met: bool, found: i64) -> State {
    State { met, found: Found::Number(found) }
}

impl Pods {
    fn select(&self, pod: &Pod) -> bool {
        let metadata = &pod.metadata;
        metadata.deletion_timestamp.is_none()
            && self.namespace.as_ref().is_none_or(|namespace| *namespace == metadata.namespace)
            && self.labels.iter().all(|(key, value)| metadata.labels.get(key) == Some(value))
    }
}

/// The most pods in one domain of a label, less the fewest. Nodes without the label do not count.
fn skew(cluster: &Cluster, pods: &[&Pod], key: &str) -> i64 {
    let key = label_key(cluster, key);
    let mut counts: Map<&str, i64> = Map::new();
    for node in nodes(cluster) {
        let Some(domain) = node.metadata.labels.get(key) else { continue };
        let on = pods.iter().filter(|pod| pod.spec.node_name == node.metadata.name).count() as i64;
        let before = counts.get(domain.as_str()).copied().unwrap_or(0);
        counts.insert(domain, before + on);
    }
    let most = counts.values().copied().max().unwrap_or(0);
    most - counts.values().copied().min().unwrap_or(0)
}

fn is_at(cluster: &Cluster, name: &str, place: &Place) -> bool {
    match place {
        Place::Node(node) => node == name,
        Place::Label(key, value) => {
            let key = label_key(cluster, key);
            let node = nodes(cluster).find(|node| node.metadata.name == name);
            node.is_some_and(|node| node.metadata.labels.get(key) == Some(value))
        }
    }
}

fn nodes(cluster: &Cluster) -> impl Iterator<Item = &Node> {
    let slots = cluster.order().iter().filter_map(|idx| cluster.node(*idx));
    slots.filter_map(|slot| slot.node.as_deref())
}

/// The label that a word means: itself if a node has it, else the well-known one.
fn label_key<'k>(cluster: &Cluster, word: &'k str) -> &'k str {
    if nodes(cluster).any(|node| node.metadata.labels.contains_key(word)) {
        return word;
    }
    match word {
        "zone" => "topology.kubernetes.io/zone",
        "region" => "topology.kubernetes.io/region",
        "hostname" => "kubernetes.io/hostname",
        other => other,
    }
}
