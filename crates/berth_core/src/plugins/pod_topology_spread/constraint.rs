//! Constraints, compiled, and which nodes they look at.
//!
//! Mirrors `common.go` and `getConstraints` of `plugin.go`.

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;

use super::default_selector::default_selector;
use crate::api::node_selector::RequiredNodeAffinity;
use crate::api::{
    Labels, NodeInclusionPolicy, Selector, TopologySpreadConstraint, UnsatisfiableConstraintAction,
};
use crate::cluster::{Cluster, CounterIdx, CounterKey, NodeInfo, PodInfo, Scope, TopologyIdx};
use crate::framework::config::{PodTopologySpreadArgs, PodTopologySpreadDefaulting};
use crate::framework::fact::Silent;
use crate::plugins::node_affinity::{has_required, required_node_affinity};
use crate::plugins::taint_toleration::untolerated;

/// The label that tells single nodes apart.
pub const HOSTNAME: &str = "kubernetes.io/hostname";
const ZONE: &str = "topology.kubernetes.io/zone";

/// A constraint of the pod or the profile, compiled.
#[derive(Clone, Debug)]
pub struct Constraint {
    /// Index among the pod's constraints of the same kind.
    pub index: u32,
    /// Index in `spec.topologySpreadConstraints`; none for one that the profile adds.
    pub source: Option<u32>,
    /// How far a domain may be ahead.
    pub max_skew: i64,
    /// The label.
    pub topology_key: Arc<str>,
    /// Its domains.
    pub topology: TopologyIdx,
    /// Which pods count.
    pub selector: Selector,
    /// How many of them there are on each node.
    pub counter: CounterIdx,
    /// With fewer domains than this the minimum is 0.
    pub min_domains: i64,
    /// Whether nodes that the pod's affinity excludes are left out.
    pub node_affinity_policy: NodeInclusionPolicy,
    /// Whether nodes with untolerated taints are left out.
    pub node_taints_policy: NodeInclusionPolicy,
}

impl Constraint {
    /// Whether the domains are single nodes.
    pub fn is_hostname(&self) -> bool {
        &*self.topology_key == HOSTNAME
    }
}

/// Why a constraint does not look at a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LeftOut {
    /// The node lacks the label of one of the constraints.
    MissingKey,
    /// `nodeAffinityPolicy: Honor`, and the pod's affinity excludes the node.
    NodeAffinity,
    /// `nodeTaintsPolicy: Honor`, and the pod does not tolerate a taint.
    Taint,
}

/// Tells which nodes constraints look at.
#[derive(Clone, Debug)]
pub struct Inclusion {
    affinity: Option<RequiredNodeAffinity>,
}

impl Inclusion {
    /// For a pod.
    pub fn new(pod: &PodInfo) -> Self {
        Self { affinity: has_required(&pod.pod).then(|| required_node_affinity(&pod.pod)) }
    }

    /// Why a constraint leaves a node out by its policies, if it does (`matchNodeInclusionPolicies`).
    pub fn left_out(
        &self,
        constraint: &Constraint,
        pod: &PodInfo,
        node: &NodeInfo,
    ) -> Option<LeftOut> {
        if constraint.node_affinity_policy == NodeInclusionPolicy::Honor
            && let Some(affinity) = &self.affinity
        {
            let empty = Labels::new();
            let labels = node.api_labels().unwrap_or(&empty);
            // Errors count as no match, as they do in kube-scheduler.
            if !affinity.matches(labels, &node.name).unwrap_or(false) {
                return Some(LeftOut::NodeAffinity);
            }
        }
        if constraint.node_taints_policy == NodeInclusionPolicy::Honor
            && untolerated(node.taints(), &pod.pod.spec.tolerations, &mut Silent).is_some()
        {
            return Some(LeftOut::Taint);
        }
        None
    }
}

/// A constraint as it was written, with the selector that it comes to.
#[derive(Clone, Debug)]
pub struct Source<'a> {
    /// The constraint.
    pub constraint: Cow<'a, TopologySpreadConstraint>,
    /// Index in `spec.topologySpreadConstraints`; none for one that the profile adds.
    pub index: Option<u32>,
    /// Which pods count.
    pub selector: Selector,
}

/// The constraints of one kind: the pod's own, or else the profile's (`getConstraints`).
pub fn sources<'a>(
    cluster: &Cluster,
    args: &'a PodTopologySpreadArgs,
    pod: &'a PodInfo,
    action: UnsatisfiableConstraintAction,
) -> Result<Vec<Source<'a>>, String> {
    let own = &pod.pod.spec.topology_spread_constraints;
    let mut found = Vec::new();
    for (i, constraint) in own.iter().enumerate() {
        if constraint.when_unsatisfiable == action {
            let selector = selector_of(constraint, &pod.pod.metadata.labels).map_err(|error| {
                let hard = action == UnsatisfiableConstraintAction::DoNotSchedule;
                let kind = if hard { "hard" } else { "soft" };
                alloc::format!("obtaining pod's {kind} topology spread constraints: {error}")
            })?;
            let constraint = Cow::Borrowed(constraint);
            found.push(Source { constraint, index: Some(i as u32), selector });
        }
    }
    if !own.is_empty() {
        return Ok(found);
    }
    let defaults: Vec<Cow<'a, TopologySpreadConstraint>> = match &args.defaulting {
        PodTopologySpreadDefaulting::List(list) => list.iter().map(Cow::Borrowed).collect(),
        PodTopologySpreadDefaulting::System => system_defaults().map(Cow::Owned).into(),
    };
    let mut selector = None;
    for constraint in defaults {
        if constraint.when_unsatisfiable == action {
            let selector = selector.get_or_insert_with(|| default_selector(cluster, &pod.pod));
            if !selector.is_empty() {
                found.push(Source { constraint, index: None, selector: selector.clone() });
            }
        }
    }
    Ok(found)
}

/// Compiles the constraints of one kind.
pub fn constraints(
    cluster: &mut Cluster,
    args: &PodTopologySpreadArgs,
    pod: &PodInfo,
    action: UnsatisfiableConstraintAction,
) -> Result<Vec<Constraint>, String> {
    let mut compiled = Vec::new();
    for Source { constraint, index, selector } in sources(cluster, args, pod, action)? {
        let key = cluster.intern(&constraint.topology_key);
        let counter = cluster.counter_for(CounterKey {
            // A selector of everything counts no pod at all (`countPodsMatchSelector`).
            parts: alloc::vec![(
                Scope::Namespaces(alloc::vec![pod.namespace]),
                if selector.is_empty() { Selector::nothing() } else { selector.clone() },
            )],
            terminating: false,
        });
        compiled.push(Constraint {
            index: compiled.len() as u32,
            source: index,
            max_skew: i64::from(constraint.max_skew),
            topology_key: Arc::from(constraint.topology_key.as_str()),
            topology: cluster.topology_for(key),
            selector,
            counter,
            min_domains: i64::from(constraint.min_domains.unwrap_or(1)),
            node_affinity_policy: constraint
                .node_affinity_policy
                .unwrap_or(NodeInclusionPolicy::Honor),
            node_taints_policy: constraint
                .node_taints_policy
                .unwrap_or(NodeInclusionPolicy::Ignore),
        });
    }
    Ok(compiled)
}

/// What pods without constraints get unless the profile says otherwise.
pub fn system_defaults() -> [TopologySpreadConstraint; 2] {
    let soft = |topology_key: &str, max_skew| TopologySpreadConstraint {
        max_skew,
        topology_key: topology_key.into(),
        when_unsatisfiable: UnsatisfiableConstraintAction::ScheduleAnyway,
        label_selector: None,
        min_domains: None,
        node_affinity_policy: None,
        node_taints_policy: None,
        match_label_keys: Vec::new(),
    };
    [soft(HOSTNAME, 3), soft(ZONE, 5)]
}

/// The constraint's selector, narrowed to the pod's own values of `matchLabelKeys`.
pub(crate) fn selector_of(
    constraint: &TopologySpreadConstraint,
    labels: &Labels,
) -> Result<Selector, String> {
    let selector = Selector::from_label_selector(constraint.label_selector.as_ref())
        .map_err(|error| alloc::format!("{error}"))?;
    let narrowing: Labels = constraint
        .match_label_keys
        .iter()
        .filter_map(|key| Some((key.clone(), labels.get(key)?.clone())))
        .collect();
    if narrowing.is_empty() || selector.is_nothing() {
        return Ok(selector);
    }
    let mut merged = Selector::from_set(&narrowing);
    for requirement in selector.requirements() {
        merged.add(requirement.clone());
    }
    Ok(merged)
}
