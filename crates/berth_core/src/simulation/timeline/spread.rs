//! How far apart the domains of a constraint are, followed pod by pod.
//!
//! Counts as PodTopologySpread does before a pod is placed (`calPreFilterState` in `filtering.go`): pods of the namespace
//! that match the selector and neither end nor have ended, on nodes that have the labels of all constraints of the kind
//! and that the constraint's policies do not leave out. Constraints that the scheduler's profile adds are not followed.

use alloc::string::{String, ToString};
use alloc::sync::Arc;
use alloc::vec::Vec;

use crate::api::node_selector::RequiredNodeAffinity;
use crate::api::{
    Labels, Node, NodeInclusionPolicy, ObjectKey, Pod, Selector, Taint, TopologySpreadConstraint,
    UnsatisfiableConstraintAction, WorkloadKind,
};
use crate::collections::Map;
use crate::framework::fact::Silent;
use crate::plugins::node_affinity::{has_required, required_node_affinity};
use crate::plugins::pod_topology_spread::constraint::selector_of;
use crate::plugins::taint_toleration::untolerated;
use crate::simulation::Objects;

/// A constraint of the pods of a workload.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SpreadConstraint {
    /// The namespace in which pods are counted.
    pub namespace: String,
    /// Kind and name of the workload whose pods had it first; of pods without one, empty.
    pub workload: String,
    /// The label.
    pub topology_key: String,
    /// The selector in Kubernetes' notation, narrowed by `matchLabelKeys`.
    pub selector: String,
    /// How far a domain may be ahead of the emptiest one.
    pub max_skew: i32,
    /// Whether nodes are refused for it.
    pub is_hard: bool,
    /// With fewer domains than this the least is 0.
    pub min_domains: i64,
}

impl SpreadConstraint {
    /// Whether another counts the same, whoever has it.
    pub fn is_same(&self, other: &Self) -> bool {
        let rest = Self { workload: other.workload.clone(), ..self.clone() };
        rest == *other
    }
}

/// A domain.
#[derive(Clone, Debug)]
pub(super) struct Domain {
    pub(super) value: Arc<str>,
    nodes: u32,
    matching: i64,
}

impl Domain {
    /// The pods that match; none if no node of the domain counts.
    pub(super) fn matching(&self) -> Option<i64> {
        (self.nodes > 0).then_some(self.matching)
    }
}

/// A constraint with the pods that it counts.
#[derive(Clone, Debug)]
pub(super) struct Spread {
    pub(super) about: Arc<SpreadConstraint>,
    rule: Arc<Rule>,
    pub(super) domains: Vec<Domain>,
    /// The domain of each node that counts.
    nodes: Map<String, usize>,
}

/// Which pods and nodes count.
#[derive(Debug)]
struct Rule {
    selector: Selector,
    /// The labels that nodes must have, the constraint's own among them.
    keys: Vec<String>,
    affinity: Option<RequiredNodeAffinity>,
    /// The pod whose tolerations count; none if taints do not.
    tolerant: Option<Arc<Pod>>,
}

impl Rule {
    /// Whether a node counts (`nodeLabelsMatchSpreadConstraints`, `matchNodeInclusionPolicies`).
    fn includes(&self, node: &Node) -> bool {
        let labels = &node.metadata.labels;
        let is_wanted = |affinity: &RequiredNodeAffinity| {
            affinity.matches(labels, &node.metadata.name).unwrap_or(false)
        };
        let is_tolerated = |taints: &[Taint], pod: &Pod| {
            untolerated(taints, &pod.spec.tolerations, &mut Silent).is_none()
        };
        self.keys.iter().all(|key| labels.get(key).is_some())
            && self.affinity.as_ref().is_none_or(is_wanted)
            && self.tolerant.as_ref().is_none_or(|pod| is_tolerated(&node.spec.taints, pod))
    }
}

/// Whether a pod counts at all (`countPodsMatchSelector`; the scheduler does not know pods that have ended).
pub(super) fn is_counted(pod: &Pod) -> bool {
    !pod.spec.node_name.is_empty()
        && pod.metadata.deletion_timestamp.is_none()
        && !pod.status.phase.is_terminal()
}

impl Spread {
    /// The constraints of a pod.
    pub(super) fn of(pod: &Arc<Pod>, objects: &Objects) -> Vec<Self> {
        let own = &pod.spec.topology_spread_constraints;
        let workload = if own.is_empty() { String::new() } else { workload_of(pod, objects) };
        own.iter().filter_map(|constraint| Self::new(constraint, pod, &workload)).collect()
    }

    fn new(constraint: &TopologySpreadConstraint, pod: &Arc<Pod>, workload: &str) -> Option<Self> {
        let selector = selector_of(constraint, &pod.metadata.labels).ok()?;
        let hard = UnsatisfiableConstraintAction::DoNotSchedule;
        let is_hard = constraint.when_unsatisfiable == hard;
        let honors =
            |policy: Option<NodeInclusionPolicy>| policy == Some(NodeInclusionPolicy::Honor);
        let by_affinity = constraint.node_affinity_policy != Some(NodeInclusionPolicy::Ignore);
        let keys = pod.spec.topology_spread_constraints.iter();
        let keys = keys.filter(|other| other.when_unsatisfiable == constraint.when_unsatisfiable);
        let about = SpreadConstraint {
            namespace: pod.metadata.namespace.clone(),
            workload: workload.into(),
            topology_key: constraint.topology_key.clone(),
            selector: selector.to_string(),
            max_skew: constraint.max_skew,
            is_hard,
            min_domains: i64::from(constraint.min_domains.unwrap_or(1)),
        };
        let rule = Rule {
            // A selector of everything counts no pod at all.
            selector: if selector.is_empty() { Selector::nothing() } else { selector },
            keys: keys.map(|constraint| constraint.topology_key.clone()).collect(),
            affinity: (by_affinity && has_required(pod)).then(|| required_node_affinity(pod)),
            tolerant: honors(constraint.node_taints_policy).then(|| Arc::clone(pod)),
        };
        let (about, rule) = (Arc::new(about), Arc::new(rule));
        Some(Self { about, rule, domains: Vec::new(), nodes: Map::new() })
    }

    /// Whether it counts pods with such labels.
    pub(super) fn matches(&self, namespace: &str, labels: &Labels) -> bool {
        self.about.namespace == namespace && self.rule.selector.matches(labels)
    }

    /// Forgets all pods, and takes the nodes as they are.
    pub(super) fn restart(&mut self, objects: &Objects) {
        for domain in &mut self.domains {
            (domain.nodes, domain.matching) = (0, 0);
        }
        self.nodes.clear();
        for node in objects.nodes().filter(|node| self.rule.includes(node)) {
            let Some(value) = node.metadata.labels.get(&self.about.topology_key) else { continue };
            let known = self.domains.iter().position(|domain| *domain.value == **value);
            let place = known.unwrap_or(self.domains.len());
            if known.is_none() {
                let value = Arc::from(value.as_str());
                self.domains.push(Domain { value, nodes: 0, matching: 0 });
            }
            if let Some(domain) = self.domains.get_mut(place) {
                domain.nodes += 1;
            }
            self.nodes.insert(node.metadata.name.clone(), place);
        }
    }

    /// Whether a node counts now as it counted.
    pub(super) fn knows(&self, name: &str, objects: &Objects) -> bool {
        let node = objects.node(name).filter(|node| self.rule.includes(node));
        let value = node.and_then(|node| node.metadata.labels.get(&self.about.topology_key));
        let known = self.nodes.get(name).and_then(|place| self.domains.get(*place));
        value.map(String::as_str) == known.map(|domain| &*domain.value)
    }

    /// So many more pods are on a node; gives the domain, if it counts.
    pub(super) fn add(&mut self, node: &str, by: i64) -> Option<&Domain> {
        let domain = self.domains.get_mut(*self.nodes.get(node)?)?;
        domain.matching += by;
        Some(domain)
    }

    /// How far the fullest domain is ahead of the least; none if there is no domain.
    pub(super) fn skew(&self) -> Option<i64> {
        let counts = || self.domains.iter().filter_map(Domain::matching);
        let (least, most) = (counts().min()?, counts().max()?);
        let is_short = self.about.is_hard && (counts().count() as i64) < self.about.min_domains;
        Some(most - if is_short { 0 } else { least })
    }
}

/// Kind and name of the workload that a pod belongs to: of a ReplicaSet, its Deployment.
fn workload_of(pod: &Pod, objects: &Objects) -> String {
    let Some(owner) = pod.metadata.controller() else { return String::new() };
    let key = ObjectKey::new(pod.metadata.namespace.as_str(), owner.name.clone());
    let set = objects.workload(WorkloadKind::ReplicaSet, &key);
    let owner = match set.filter(|_| owner.kind == WorkloadKind::ReplicaSet.as_str()) {
        Some(set) => set.metadata.controller().unwrap_or(owner),
        None => owner,
    };
    [&*owner.kind, "/", &*owner.name].concat()
}
