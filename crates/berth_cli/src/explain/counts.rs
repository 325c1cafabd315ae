//! The counts behind topology spread: domains, and what was left out.

use berth_core::explain::{Explanation, LeftOutNode, PodRule, SpreadExplanation};
use berth_core::plugins::pod_topology_spread::constraint::LeftOut;

use crate::lines::fold;

/// How many pods of a domain are named.
const NAMED: usize = 5;
/// How many domains are shown.
const MOST_DOMAINS: usize = 50;

/// A paragraph for each constraint.
pub(super) fn lines(explanation: &Explanation, width: usize) -> Vec<String> {
    let hard = explanation.spread_filter.iter().map(|spread| (spread, true));
    let soft = explanation.spread_score.iter().map(|spread| (spread, false));
    hard.chain(soft).flat_map(|(spread, hard)| constraint(spread, hard, width)).collect()
}

fn constraint(spread: &SpreadExplanation, hard: bool, width: usize) -> Vec<String> {
    let SpreadExplanation { topology_key, max_skew, .. } = spread;
    let kind = if hard { "DoNotSchedule" } else { "ScheduleAnyway" };
    let source = if spread.source.is_none() { ", a default" } else { "" };
    let counted = if spread.compiled.is_nothing() {
        "no pods".to_owned()
    } else if spread.compiled.is_empty() {
        "an empty selector, so no pods".to_owned()
    } else {
        spread.selector.clone()
    };
    let mut lines =
        vec![format!("  {topology_key}, maxSkew {max_skew}, {kind}{source}; counts {counted}")];
    for domain in spread.domains.iter().take(MOST_DOMAINS) {
        let mut pods: Vec<String> =
            domain.pods.iter().take(NAMED).map(ToString::to_string).collect();
        if domain.pods.len() > NAMED {
            pods.push(format!("{} more", domain.pods.len() - NAMED));
        }
        let pods = if pods.is_empty() { String::new() } else { [": ", &pods.join(", ")].concat() };
        let text = format!("    {topology_key}={} {}{pods}", domain.value, domain.matching);
        lines.extend(fold(&text, 6, width));
    }
    if spread.domains.len() > MOST_DOMAINS {
        let rest = spread.domains.len() - MOST_DOMAINS;
        lines.push(format!("    … and {rest} more: --json has all"));
    }
    if hard {
        let why = if spread.too_few_domains {
            let (there, wanted) = (spread.domains.len(), spread.min_domains);
            format!(": {there} domains are fewer than minDomains {wanted}")
        } else {
            String::new()
        };
        lines.push(format!("    minimum {}{why}", spread.minimum));
    } else {
        let what = if &**topology_key == "kubernetes.io/hostname" { "nodes" } else { "domains" };
        lines.push(format!(
            "    {} {what}: ln({} + 2) = {:.3}",
            spread.size, spread.size, spread.weight
        ));
    }
    for (rule, why) in [
        (LeftOut::MissingKey, "lack a label of the constraints"),
        (LeftOut::NodeAffinity, "are not for this pod (nodeAffinityPolicy: Honor)"),
        (LeftOut::Taint, "have a taint that is not tolerated (nodeTaintsPolicy: Honor)"),
    ] {
        let of_rule = |left_out: &&LeftOutNode| left_out.rule == rule;
        let nodes = spread.left_out_nodes.iter().filter(of_rule).map(|l| l.node.to_string());
        lines.extend(left_out("nodes", &nodes.collect::<Vec<_>>(), why, width));
    }
    for (rule, why) in [
        (PodRule::Namespace, "are in another namespace"),
        (PodRule::Terminating, "are being deleted"),
        (PodRule::EmptySelector, "are selected by nothing in particular"),
    ] {
        let pods =
            spread.left_out_pods.iter().filter(|l| l.rule == rule).map(|l| l.pod.to_string());
        lines.extend(left_out("pods", &pods.collect::<Vec<_>>(), why, width));
    }
    lines
}

fn left_out(what: &str, names: &[String], why: &str, width: usize) -> Vec<String> {
    if names.is_empty() {
        return Vec::new();
    }
    let shown = names.iter().take(NAMED).map(String::as_str).collect::<Vec<_>>().join(", ");
    let more = match names.len() {
        all if all > NAMED => format!(" and {} more", all - NAMED),
        _ => String::new(),
    };
    fold(&format!("    left out, {what} that {why}: {shown}{more}"), 6, width)
}
