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
use alloc::sync::Arc;
use alloc::vec::Vec;

use super::edit::Edit;
use crate::api::ObjectKey;
use crate::cluster::Cluster;
use crate::collections::{Set, sort_by};
use crate::explain::{Explanation, NodeReport};
use crate::framework::fact::Fact;
use crate::framework::plugin::PluginId;

/// What edits are derived from.
pub(super) struct Source<'a> {
    pub(super) explanation: &'a Explanation,
    pub(super) cluster: &'a Cluster,
}

/// Edits as they are found.
#[derive(Default)]
pub(super) struct Edits {
    list: Vec<Edit>,
    /// Domains that refuse many nodes for one reason, which is looked into once.
    known: Set<(Reason, i64, Arc<str>)>,
}

/// A reason that many nodes share: of a constraint, with how far the domain would be ahead, or of a term.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Reason {
    Spread(u32),
    Apart,
    Shunned,
}

impl Edits {
    pub(super) fn insert(&mut self, edit: Edit) {
        self.list.push(edit);
    }

    pub(super) fn extend(&mut self, edits: impl IntoIterator<Item = Edit>) {
        self.list.extend(edits);
    }

    /// Whether a domain's reason comes for the first time.
    fn is_new(&mut self, reason: Reason, number: i64, domain: &Arc<str>) -> bool {
        self.known.insert((reason, number, Arc::clone(domain)))
    }

    /// Each once, the cheapest first.
    pub(super) fn finish(mut self) -> Vec<Edit> {
        sort_by(&mut self.list, |a, b| (a.cost(), a).cmp(&(b.cost(), b)));
        self.list.dedup();
        self.list
    }
}

/// The edits that may help the pod on the nodes that the caller asks about.
pub(super) fn candidates(source: &Source<'_>, wanted: &dyn Fn(&NodeReport) -> bool) -> Edits {
    let mut edits = Edits::default();
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

fn of_node(source: &Source<'_>, report: &NodeReport, edits: &mut Edits) {
    for fact in refusals(report) {
        of_fact(source, report, fact, edits);
    }
    // What the pods that it must yield to take is told with the rest; they themselves may go.
    if report.status.is_some() {
        edits.extend(report.nominated.iter().map(|pod| Edit::Delete { pod: pod.clone() }));
    }
}

fn of_fact(source: &Source<'_>, report: &NodeReport, fact: &Fact, edits: &mut Edits) {
    match fact {
        Fact::Spread { constraint, domain, matching, minimum, .. } => {
            if edits.is_new(Reason::Spread(*constraint), matching - minimum, domain) {
                spread::too_skewed(source, *constraint, domain, fact, edits);
            }
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
fn labels(source: &Source<'_>, node: &str, key: &str, edits: &mut Edits) {
    let of = |report: &NodeReport| report.object.as_ref()?.metadata.labels.get(key).cloned();
    let known: Set<_> = source.explanation.nodes.iter().filter_map(of).collect();
    let own = key == crate::plugins::pod_topology_spread::constraint::HOSTNAME || known.is_empty();
    let values = if own { Set::from([node.to_string()]) } else { known };
    for value in values {
        edits.insert(Edit::Label { node: node.to_string(), key: key.to_string(), value });
    }
}
