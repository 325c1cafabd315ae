//! Spread constraints: the chart of the domains, and who was counted.

use super::{LIT, Reader, key, shared, some};
use crate::engine::number::{decimal, signed};
use crate::engine::sorted;
use crate::view::Equation;
use crate::why::view::{DomainView, Lines, Named, SpreadView};
use crate::why::words::WhyMsg;
use berth_core::explain::tally::{Tally, Uncounted};
use berth_core::explain::{DomainCount, SpreadExplanation};
use berth_core::plugins::pod_topology_spread::constraint::LeftOut;
use std::rc::Rc;
use yew::AttrValue;

/// The most rows of a chart.
const ROWS: usize = 40;
/// The most names of domains in a sentence.
const NAMES: usize = 3;

impl Reader<'_> {
    /// The pod's constraints, hard ones first.
    pub(super) fn spreads(&mut self) -> Rc<[SpreadView]> {
        let explanation = self.of.explanation;
        let hard = explanation.spread_filter.iter().map(|spread| self.spread(spread, true));
        let mut list: Vec<SpreadView> = hard.collect();
        list.extend(explanation.spread_score.iter().map(|spread| self.spread(spread, false)));
        list.into()
    }

    fn spread(&mut self, spread: &SpreadExplanation, hard: bool) -> SpreadView {
        let words = self.words;
        let tally = Tally::new(self.of.cluster, &self.of.explanation.pod, spread);
        let own = i64::from(spread.self_match);
        let lines = hard.then(|| self.lines(spread));
        let most = spread.domains.iter().map(|domain| domain.matching.saturating_add(1)).max();
        let limit = lines.as_ref().map_or(0, |lines| lines.limit);
        let shown = shown(spread);
        let domains = shown.iter().map(|domain| self.domain(spread, domain, own, hard)).collect();
        let title = words.count(WhyMsg::Counted, tally.counted.len() as u32);
        let counted = self.pods(title, &tally.counted);
        let left: usize = tally.left_out.iter().map(|(_, pods)| pods.len()).sum();
        let mut left_out_pods = Vec::new();
        for (rule, pods) in &tally.left_out {
            let count = [&words.text(uncounted(*rule)), ": ", &pods.len().to_string()].concat();
            left_out_pods.push(self.pods(count.into(), pods));
        }
        let left_nodes = spread.left_out_nodes.len() as u32;
        SpreadView {
            name: match spread.source {
                Some(index) => words.fill(WhyMsg::Constraint, &[("n", &(index + 1).to_string())]),
                None => words.text(WhyMsg::AddedByProfile),
            },
            fields: fields(spread, hard).into(),
            rule: words.text(if hard { WhyMsg::RuleSpreadHard } else { WhyMsg::RuleSpreadSoft }),
            own: words.text(if own > 0 { WhyMsg::SelfMatch } else { WhyMsg::SelfNoMatch }),
            lines,
            most: most.unwrap_or(1).max(limit),
            note: if hard { self.min_domains(spread) } else { self.weight(spread) },
            domains,
            hidden: spread.domains.len().saturating_sub(ROWS) as u32,
            counted,
            left_out_pods: left_out_pods.into(),
            left_out_pods_title: words.count(WhyMsg::LeftOutPods, left as u32),
            left_out_nodes: self.left_out_nodes(spread),
            left_out_nodes_title: words.count(WhyMsg::LeftOutNodes, left_nodes),
        }
    }

    fn lines(&self, spread: &SpreadExplanation) -> Lines {
        let limit = spread.minimum.saturating_add(spread.max_skew);
        let minimum = signed(spread.minimum);
        let fewest = spread.domains.iter().filter(|domain| domain.matching == spread.minimum);
        let names = some(fewest.map(|domain| domain.value.to_string()), NAMES);
        let minimum_text = if names.is_empty() || spread.too_few_domains {
            self.words.fill(WhyMsg::Minimum, &[("minimum", &minimum)])
        } else {
            let blanks = [("minimum", minimum.as_str()), ("domains", &names)];
            self.words.fill(WhyMsg::MinimumIn, &blanks)
        };
        let sum = [&minimum, " + ", &signed(spread.max_skew), " = ", &signed(limit)].concat();
        let limit_text = self.words.fill(WhyMsg::Limit, &[("limit", &sum)]);
        Lines { minimum: spread.minimum, limit, minimum_text, limit_text }
    }

    /// What `minDomains` does to the minimum.
    fn min_domains(&self, spread: &SpreadExplanation) -> AttrValue {
        let least = spread.domains.iter().map(|domain| domain.matching).min().unwrap_or(0);
        let (needed, there) = (signed(spread.min_domains), spread.domains.len().to_string());
        let blanks = [("needed", needed.as_str()), ("there", &there), ("least", &signed(least))];
        let msg = match (spread.too_few_domains, spread.min_domains) {
            (true, _) => WhyMsg::MinDomainsFewer,
            (false, 1) => WhyMsg::MinDomainsUnset,
            (false, _) => WhyMsg::MinDomainsMet,
        };
        self.words.fill(msg, &blanks)
    }

    /// Where the weight of a soft constraint comes from.
    fn weight(&self, spread: &SpreadExplanation) -> AttrValue {
        let (size, weight) = (spread.size.to_string(), thousandths(spread.weight));
        self.words.fill(WhyMsg::SoftSize, &[("size", &size), ("weight", &weight)])
    }

    fn domain(
        &mut self,
        spread: &SpreadExplanation,
        domain: &DomainCount,
        own: i64,
        hard: bool,
    ) -> DomainView {
        let here = self.node.is_some_and(|node| domain.nodes.contains(&node.name));
        let pods = domain.pods.iter().take(LIT).map(key).collect();
        let nodes = domain.nodes.iter().map(|name| shared(name)).collect();
        let light = self.light(pods, nodes);
        let matching = signed(domain.matching);
        let sum = if hard {
            let skew = domain.matching.saturating_add(own).saturating_sub(spread.minimum);
            let holds = skew <= spread.max_skew;
            let sign = if holds { " ≤ " } else { " > " };
            let terms = [&matching, " + ", &signed(own), " − ", &signed(spread.minimum)].concat();
            let outcome = [&signed(skew), sign, &signed(spread.max_skew)].concat();
            Equation { terms: terms.into(), outcome: outcome.into(), holds }
        } else {
            let skew = spread.max_skew.saturating_sub(1);
            let value = domain.matching as f64 * spread.weight + skew as f64;
            let weight = thousandths(spread.weight);
            let terms = [&matching, " × ", &weight, " + ", &signed(skew)].concat();
            Equation { terms: terms.into(), outcome: thousandths(value).into(), holds: true }
        };
        let value = shared(&domain.value);
        DomainView { value, matching: domain.matching, incoming: own, sum, here, light }
    }

    fn left_out_nodes(&mut self, spread: &SpreadExplanation) -> Rc<[Named]> {
        let rules = [
            (LeftOut::MissingKey, WhyMsg::WithoutLabel),
            (LeftOut::NodeAffinity, WhyMsg::WithoutPolicyAffinity),
            (LeftOut::Taint, WhyMsg::WithoutPolicyTaints),
        ];
        let mut list = Vec::new();
        for (rule, msg) in rules {
            let left = spread.left_out_nodes.iter().filter(|left| left.rule == rule);
            let names: Vec<AttrValue> = left.map(|left| shared(&left.node)).collect();
            if !names.is_empty() {
                let title = [&self.words.text(msg), ": ", &names.len().to_string()].concat();
                list.push(self.nodes(title.into(), names));
            }
        }
        list.into()
    }
}

/// The domains that a chart has room for: all, or those with the fewest pods.
fn shown(spread: &SpreadExplanation) -> Vec<&DomainCount> {
    let all: Vec<&DomainCount> = spread.domains.iter().collect();
    if all.len() <= ROWS {
        return all;
    }
    let mut first = sorted(&all, |a, b| a.matching.cmp(&b.matching));
    first.truncate(ROWS);
    first
}

/// A number with three decimals: enough to redo a sum by hand.
fn thousandths(value: f64) -> String {
    decimal((value * 1000.0) as i128, 1000)
}

fn fields(spread: &SpreadExplanation, hard: bool) -> String {
    let when = if hard { "DoNotSchedule" } else { "ScheduleAnyway" };
    let selector = if spread.selector.is_empty() { "{}" } else { &spread.selector };
    let skew = signed(spread.max_skew);
    [&spread.topology_key, " · maxSkew ", &skew, " · ", when, " · ", selector].concat()
}

fn uncounted(rule: Uncounted) -> WhyMsg {
    match rule {
        Uncounted::Over => WhyMsg::UncountedOver,
        Uncounted::NoNode => WhyMsg::UncountedNoNode,
        Uncounted::Selector => WhyMsg::UncountedSelector,
        Uncounted::Namespace => WhyMsg::UncountedNamespace,
        Uncounted::EmptySelector => WhyMsg::UncountedEmptySelector,
        Uncounted::Terminating => WhyMsg::UncountedTerminating,
        Uncounted::MissingKey => WhyMsg::UncountedMissingKey,
        Uncounted::NodeAffinityPolicy => WhyMsg::UncountedNodeAffinity,
        Uncounted::NodeTaintsPolicy => WhyMsg::UncountedNodeTaints,
        Uncounted::NotScored => WhyMsg::UncountedNotScored,
    }
}
