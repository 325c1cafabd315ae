//! What a spread constraint refuses.

use alloc::string::ToString;

use super::nodes::{unlike, untolerated};
use super::{Edits, Source, labels};
use crate::advice::edit::Edit;
use crate::api::{NodeInclusionPolicy, TaintEffect};
use crate::explain::{LeftOutNode, NodeReport, SpreadExplanation};
use crate::framework::fact::{Fact, Silent};
use crate::plugins::pod_topology_spread::constraint::LeftOut;
use crate::plugins::taint_toleration::untolerated as first_untolerated;

fn find<'a>(source: &Source<'a>, constraint: u32) -> Option<&'a SpreadExplanation> {
    source.explanation.spread_filter.iter().find(|found| found.index == constraint)
}

/// The node's domain would be too far ahead.
pub(super) fn too_skewed(
    source: &Source<'_>,
    constraint: u32,
    domain: &str,
    fact: &Fact,
    edits: &mut Edits,
) {
    let Some(found) = find(source, constraint) else { return };
    if let (Some(constraint), Fact::Spread { matching, self_match, minimum, .. }) =
        (found.source, fact)
    {
        if let Ok(to) = i32::try_from(matching + self_match - minimum) {
            edits.insert(Edit::MaxSkew { constraint, to });
        }
        edits.insert(Edit::ScheduleAnyway { constraint });
        policies(found, constraint, edits);
        if found.too_few_domains {
            let domains = i32::try_from(found.domains.len()).ok().filter(|domains| *domains > 0);
            edits.insert(Edit::MinDomains { constraint, to: domains });
        }
    }
    let counted = found.domains.iter().find(|count| *count.value == *domain);
    for pod in counted.map(|count| count.pods.as_slice()).unwrap_or_default() {
        edits.insert(Edit::Delete { pod: pod.clone() });
    }
    for left_out in &found.left_out_nodes {
        count_again(source, left_out, edits);
    }
}

fn policies(found: &SpreadExplanation, constraint: u32, edits: &mut Edits) {
    let other = |policy| match policy {
        NodeInclusionPolicy::Honor => NodeInclusionPolicy::Ignore,
        NodeInclusionPolicy::Ignore => NodeInclusionPolicy::Honor,
    };
    let to = other(found.node_affinity_policy);
    edits.insert(Edit::NodeAffinityPolicy { constraint, to });
    let to = other(found.node_taints_policy);
    edits.insert(Edit::NodeTaintsPolicy { constraint, to });
}

/// A node that is left out would bring a domain, or pods to one: what leaves it out may go.
fn count_again(source: &Source<'_>, left_out: &LeftOutNode, edits: &mut Edits) {
    let Some(report) = source.explanation.node(&left_out.node) else { return };
    match left_out.rule {
        LeftOut::MissingKey => {
            for found in &source.explanation.spread_filter {
                let of = report.object.as_ref().map(|node| &node.metadata.labels);
                if of.is_some_and(|labels| !labels.contains_key(&*found.topology_key)) {
                    labels(source, &report.name, &found.topology_key, edits);
                }
            }
        }
        LeftOut::NodeAffinity => unlike(source, report, edits),
        LeftOut::Taint => {
            let taints = report.object.as_ref().map(|node| node.spec.taints.as_slice());
            let tolerations = &source.explanation.object.spec.tolerations;
            let first = first_untolerated(taints.unwrap_or_default(), tolerations, &mut Silent);
            if let Some(index) = first {
                untolerated(report, index, edits);
            }
        }
    }
}

/// The node has no domain.
pub(super) fn missing_key(
    source: &Source<'_>,
    report: &NodeReport,
    constraint: u32,
    edits: &mut Edits,
) {
    let Some(found) = find(source, constraint) else { return };
    labels(source, &report.name, &found.topology_key, edits);
    if let Some(constraint) = found.source {
        edits.insert(Edit::ScheduleAnyway { constraint });
    }
}

/// What makes a soft constraint weigh differently.
pub(in crate::advice) fn soft(source: &Source<'_>, edits: &mut Edits) {
    for found in &source.explanation.spread_score {
        let Some(constraint) = found.source else { continue };
        edits.insert(Edit::DoNotSchedule { constraint });
        for to in (1..=5).filter(|to| i64::from(*to) != found.max_skew) {
            edits.insert(Edit::MaxSkew { constraint, to });
        }
    }
    for report in &source.explanation.nodes {
        let taints = report.object.as_ref().map(|node| node.spec.taints.as_slice());
        for taint in taints.unwrap_or_default() {
            if taint.effect == TaintEffect::PreferNoSchedule {
                edits.insert(Edit::tolerate(taint));
                let (node, key) = (report.name.to_string(), taint.key.clone());
                edits.insert(Edit::DropTaint { node, key, effect: taint.effect });
            }
        }
    }
}
