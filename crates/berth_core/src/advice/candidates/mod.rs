//! Edits that may help, from what refused each node.
//!
//! Nothing is guessed: each comes from a fact that refuses a node, or from a node or pod that a count left out. An edit
//! that helps only together with another comes from the explanation that the other leaves behind, so that search asks
//! again after each.

mod affinity;
mod nodes;
mod preemption;
mod spread;

pub(super) use spread::soft;

use alloc::string::ToString;
use alloc::vec::Vec;

use super::edit::Edit;
use crate::api::ObjectKey;
use crate::cluster::Cluster;
use crate::collections::Set;
use crate::explain::{Explanation, NodeReport};
use crate::framework::fact::Fact;
use crate::framework::plugin::PluginId;

/// What edits are derived from.
pub(super) struct Source<'a> {
    pub(super) explanation: &'a Explanation,
    pub(super) cluster: &'a Cluster,
}

/// The edits that may help the pod, without those that the caller does not want on a node.
pub(super) fn candidates(source: &Source<'_>, wanted: &dyn Fn(&NodeReport) -> bool) -> Set<Edit> {
    let mut edits = Set::new();
    let explanation = source.explanation;
    if explanation.pre_enqueue.is_some() {
        edits.insert(Edit::OpenGates);
        return edits;
    }
    let refuses = |status: &crate::framework::status::Status| {
        status.plugin == Some(PluginId::NodeAffinity) && status.code.is_rejected()
    };
    if explanation.node_names.is_some() || explanation.pre_filter.iter().any(refuses) {
        edits.insert(Edit::PreferNodeAffinity);
    }
    for report in explanation.nodes.iter().filter(|report| wanted(report)) {
        of_node(source, report, &mut edits);
    }
    preemption::candidates(source, &mut edits);
    edits
}

/// What refuses a node, with the nominated pods and without.
fn refusals(report: &NodeReport) -> impl Iterator<Item = &Fact> {
    let verdicts = report.verdicts.iter().chain(&report.verdicts_with_nominated);
    let refusing = verdicts.filter(|verdict| !verdict.code.is_success());
    refusing.flat_map(|verdict| &verdict.facts).filter(|fact| fact.reason().is_some())
}

fn of_node(source: &Source<'_>, report: &NodeReport, edits: &mut Set<Edit>) {
    for fact in refusals(report) {
        of_fact(source, report, fact, edits);
    }
    // What the pods that it must yield to take is told with the rest; they themselves may go.
    if report.status.is_some() {
        edits.extend(report.nominated.iter().map(|pod| Edit::Delete { pod: pod.clone() }));
    }
}

fn of_fact(source: &Source<'_>, report: &NodeReport, fact: &Fact, edits: &mut Set<Edit>) {
    match fact {
        Fact::Spread { constraint, domain, .. } => {
            spread::too_skewed(source, *constraint, domain, fact, edits);
        }
        Fact::SpreadKeyMissing { constraint } => {
            spread::missing_key(source, report, *constraint, edits);
        }
        Fact::Affinity { .. }
        | Fact::AffinityFirst { .. }
        | Fact::AntiAffinity { .. }
        | Fact::ExistingAntiAffinity { .. } => affinity::refused(source, report, fact, edits),
        _ => nodes::refused(source, report, fact, edits),
    }
}

/// Everything that stands on a node.
fn pods_on(source: &Source<'_>, report: &NodeReport) -> Vec<ObjectKey> {
    let node = source.cluster.node_named(&report.name).and_then(|idx| source.cluster.node(idx));
    let pods = node.map(|node| node.pods.as_slice()).unwrap_or_default();
    pods.iter().filter_map(|idx| Some(source.cluster.pod(*idx)?.key())).collect()
}

/// Labels that give a node a domain of a key: the values that other nodes have, or its own name where there are none
/// or each node is a domain of its own.
fn labels(source: &Source<'_>, node: &str, key: &str, edits: &mut Set<Edit>) {
    let of = |report: &NodeReport| report.object.as_ref()?.metadata.labels.get(key).cloned();
    let known: Set<_> = source.explanation.nodes.iter().filter_map(of).collect();
    let own = key == crate::plugins::pod_topology_spread::constraint::HOSTNAME || known.is_empty();
    let values = if own { Set::from([node.to_string()]) } else { known };
    for value in values {
        edits.insert(Edit::Label { node: node.to_string(), key: key.to_string(), value });
    }
}
