//! Every pod of a cluster as a spread constraint sees it: counted, or not counted by exactly one rule.
//!
//! An explanation itself lists only pods that the selector selects. The rest is worked out here, when somebody asks.

use alloc::sync::Arc;
use alloc::vec::Vec;

use super::{PodRule, SpreadExplanation};
use crate::api::{ObjectKey, Pod};
use crate::cluster::{Cluster, PodInfo};
use crate::collections::sort_by;
use crate::plugins::pod_topology_spread::constraint::LeftOut;

/// Why a constraint does not count a pod. Of several reasons the first in this order is given.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Uncounted {
    /// It is over: it has succeeded or failed.
    Over,
    /// It stands on no node of the cluster.
    NoNode,
    /// The selector does not select it.
    Selector,
    /// It is in another namespace.
    Namespace,
    /// The selector is empty, and an empty selector counts nobody.
    EmptySelector,
    /// It is being deleted.
    Terminating,
    /// Its node lacks the label of one of the constraints.
    MissingKey,
    /// Its node is excluded by the pod's affinity, and `nodeAffinityPolicy` honours that.
    NodeAffinityPolicy,
    /// Its node has a taint that the pod does not tolerate, and `nodeTaintsPolicy` honours that.
    NodeTaintsPolicy,
    /// No node of its domain passed Filter, so that the domain is not scored (soft constraints only).
    NotScored,
}

impl Uncounted {
    /// Every rule, in order.
    pub const ALL: [Self; 10] = [
        Self::Over,
        Self::NoNode,
        Self::Selector,
        Self::Namespace,
        Self::EmptySelector,
        Self::Terminating,
        Self::MissingKey,
        Self::NodeAffinityPolicy,
        Self::NodeTaintsPolicy,
        Self::NotScored,
    ];
}

impl From<LeftOut> for Uncounted {
    fn from(rule: LeftOut) -> Self {
        match rule {
            LeftOut::MissingKey => Self::MissingKey,
            LeftOut::NodeAffinity => Self::NodeAffinityPolicy,
            LeftOut::Taint => Self::NodeTaintsPolicy,
        }
    }
}

impl From<PodRule> for Uncounted {
    fn from(rule: PodRule) -> Self {
        match rule {
            PodRule::Namespace => Self::Namespace,
            PodRule::Terminating => Self::Terminating,
            PodRule::EmptySelector => Self::EmptySelector,
            PodRule::Node(rule) => rule.into(),
        }
    }
}

/// The pods of a cluster as a constraint sees them, without the pod in question.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Tally<'c> {
    /// The pods that are counted.
    pub counted: Vec<&'c Pod>,
    /// The others by rule, in the rules' order; only rules that leave somebody out.
    pub left_out: Vec<(Uncounted, Vec<&'c Pod>)>,
}

impl<'c> Tally<'c> {
    /// Tells the pods of the cluster that an explanation was made from by one of its constraints.
    pub fn new(cluster: &'c Cluster, asked: &ObjectKey, spread: &SpreadExplanation) -> Self {
        let mut known: Vec<(&ObjectKey, Option<Uncounted>)> = Vec::new();
        for domain in &spread.domains {
            known.extend(domain.pods.iter().map(|pod| (pod, None)));
        }
        known.extend(spread.left_out_pods.iter().map(|left| (&left.pod, Some(left.rule.into()))));
        sort_by(&mut known, |a, b| a.0.cmp(b.0));
        let mut tally = Self::default();
        let mut left_out: Vec<Vec<&Pod>> = alloc::vec![Vec::new(); Uncounted::ALL.len()];
        let namespace = cluster.strings().find(&asked.namespace);
        for (_, pod) in cluster.pods() {
            let metadata = &pod.pod.metadata;
            let key = (&*metadata.namespace, &*metadata.name);
            if key == (&*asked.namespace, &*asked.name) {
                continue;
            }
            let found =
                known.binary_search_by(|(known, _)| (&*known.namespace, &*known.name).cmp(&key));
            let rule = match found.ok().and_then(|at| known.get(at)) {
                Some((_, rule)) => *rule,
                None => Some(unlisted(cluster, spread, pod, Some(pod.namespace) == namespace)),
            };
            match rule {
                None => tally.counted.push(&pod.pod),
                Some(rule) => {
                    if let Some(list) = left_out.get_mut(rule as usize) {
                        list.push(&pod.pod);
                    }
                }
            }
        }
        for (rule, pods) in Uncounted::ALL.into_iter().zip(left_out) {
            if !pods.is_empty() {
                tally.left_out.push((rule, pods));
            }
        }
        tally
    }
}

/// Why a pod is not counted that the explanation does not list.
fn unlisted(
    cluster: &Cluster,
    spread: &SpreadExplanation,
    pod: &PodInfo,
    same_namespace: bool,
) -> Uncounted {
    if pod.pod.status.phase.is_terminal() {
        return Uncounted::Over;
    }
    let node = pod.node.and_then(|idx| cluster.node(idx)).filter(|node| node.node.is_some());
    let Some(node) = node else { return Uncounted::NoNode };
    if !spread.compiled.matches(&pod.pod.metadata.labels) {
        return Uncounted::Selector;
    }
    if !same_namespace {
        return Uncounted::Namespace;
    }
    if spread.compiled.is_empty() {
        return Uncounted::EmptySelector;
    }
    if pod.is_terminating() {
        return Uncounted::Terminating;
    }
    let node: &Arc<str> = &node.name;
    let left = spread.left_out_nodes.iter().find(|left| left.node == *node);
    left.map_or(Uncounted::NotScored, |left| left.rule.into())
}
