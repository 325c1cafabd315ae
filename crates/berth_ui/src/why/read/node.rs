//! What every plugin says about one node.

use super::{Reader, shared};
use crate::engine::Subject;
use crate::engine::number::signed;
use crate::view::Equation;
use crate::why::view::{Block, NodeWhy, PluginWhy, RowView, TableView};
use crate::why::words::WhyMsg;
use berth_core::explain::{NodeReport, PluginVerdict};
use berth_core::framework::fact::Fact;
use berth_core::framework::plugin::PluginId;
use berth_core::framework::status::{Code, Status};
use std::rc::Rc;
use yew::AttrValue;

impl<'a> Reader<'a> {
    /// The chosen node, plugin by plugin.
    pub(super) fn node_why(&mut self) -> Option<NodeWhy> {
        let report = self.node?;
        let explanation = self.of.explanation;
        let mut plugins: Vec<PluginWhy> = Vec::new();
        for status in explanation.pre_filter.iter().filter(|status| status.code.is_rejected()) {
            plugins.push(self.before(status));
        }
        plugins.extend(self.named(report));
        for (index, verdict) in report.verdicts.iter().enumerate() {
            plugins.push(self.plugin(report, index, verdict));
        }
        let skipped = explanation.pre_filter.iter().filter(|status| status.code == Code::Skip);
        let skipped: Vec<&str> =
            skipped.filter_map(|status| status.plugin).map(PluginId::name).collect();
        let skipped = match skipped.as_slice() {
            [] => AttrValue::default(),
            names => self.words.fill(WhyMsg::Skipped, &[("plugins", &names.join(", "))]),
        };
        Some(NodeWhy {
            name: shared(&report.name),
            verdict: self.verdict(report),
            fits: report.is_feasible(),
            plugins: plugins.into(),
            skipped,
        })
    }

    fn verdict(&self, report: &NodeReport) -> AttrValue {
        let (words, node) = (self.words, &*report.name);
        match (&report.scores, &report.status) {
            (Some(scores), _) => {
                let (rank, of) =
                    (scores.rank.to_string(), self.of.explanation.feasible.len().to_string());
                let total = scores.total.to_string();
                let blanks =
                    [("node", node), ("rank", rank.as_str()), ("of", &of), ("total", &total)];
                words.fill(WhyMsg::NodeFits, &blanks)
            }
            (None, Some(status)) => {
                let plugin = status.plugin.map_or("PreFilter", PluginId::name);
                words.fill(WhyMsg::NodeRefused, &[("node", node), ("plugin", plugin)])
            }
            (None, None) => words.fill(WhyMsg::NodeNotAsked, &[("node", node)]),
        }
    }

    /// A plugin that refused every node before any was looked at.
    fn before(&self, status: &Status) -> PluginWhy {
        let plugin = status.plugin;
        PluginWhy {
            plugin: [plugin.map_or("", PluginId::name), " (PreFilter)"].concat().into(),
            passes: false,
            reached: true,
            rule: plugin.map(|plugin| self.words.text(rule(plugin))).unwrap_or_default(),
            reason: status.reasons.join(", ").into(),
            blocks: Rc::new([]),
        }
    }

    /// The nodes that PreFilter lets through, if it names any.
    fn named(&self, report: &NodeReport) -> Option<PluginWhy> {
        let names = self.of.explanation.node_names.as_ref()?;
        let passes = names.iter().any(|name| **name == *report.name);
        let list = super::some(names.iter().cloned(), super::NAMES);
        let reasons =
            report.status.as_ref().filter(|_| !passes).map(|status| status.reasons.join(", "));
        Some(PluginWhy {
            plugin: "NodeAffinity (PreFilter)".into(),
            passes,
            reached: true,
            rule: self.words.text(WhyMsg::RuleNodeAffinity),
            reason: reasons.unwrap_or_default().into(),
            blocks: Rc::new([Block::Line(self.words.fill(WhyMsg::OnlyNamed, &[("nodes", &list)]))]),
        })
    }

    fn plugin(
        &mut self,
        report: &'a NodeReport,
        index: usize,
        verdict: &'a PluginVerdict,
    ) -> PluginWhy {
        let status = report.status.as_ref();
        let own = status.filter(|status| status.plugin == Some(verdict.plugin));
        let nominated = own.is_some() && !report.status_facts.is_empty();
        let refused = status.and_then(|status| {
            report.verdicts.iter().position(|verdict| Some(verdict.plugin) == status.plugin)
        });
        let reached = match status {
            Some(_) => refused.is_some_and(|refused| index <= refused),
            None => report.scores.is_some(),
        };
        let (facts, reasons) = match own.filter(|_| nominated) {
            Some(status) => (&report.status_facts, &status.reasons),
            None => (&verdict.facts, &verdict.reasons),
        };
        let mut blocks = Vec::new();
        if nominated {
            let names = report.nominated.iter().map(ToString::to_string);
            let names = super::some(names, super::NAMES);
            blocks
                .push(Block::Line(self.words.fill(WhyMsg::CountingNominated, &[("pods", &names)])));
        }
        match verdict.plugin {
            PluginId::TaintToleration => self.taints(report, &mut blocks),
            PluginId::NodeAffinity => self.node_affinity(report, facts, &mut blocks),
            PluginId::NodePorts => self.ports(facts, &mut blocks),
            PluginId::NodeResourcesFit => self.resources(report, facts, &mut blocks),
            PluginId::PodTopologySpread => self.spread_on(facts, &mut blocks),
            PluginId::InterPodAffinity => self.pod_affinity(report, facts, &mut blocks),
            PluginId::NodeName => {
                let wanted = self.of.explanation.object.spec.node_name.as_str();
                let wanted = if wanted.is_empty() { "–" } else { wanted };
                blocks.push(Block::Line(["spec.nodeName: ", wanted].concat().into()));
            }
            PluginId::NodeUnschedulable => {
                let cordoned = report.object.as_ref().is_some_and(|node| node.spec.unschedulable);
                let value = if cordoned { "true" } else { "false" };
                blocks.push(Block::Line(["spec.unschedulable: ", value].concat().into()));
                self.said(report, facts, &mut blocks);
            }
            _ => {}
        }
        PluginWhy {
            plugin: verdict.plugin.name().into(),
            passes: verdict.code.is_success() && !nominated,
            reached,
            rule: self.words.text(rule(verdict.plugin)),
            reason: reasons.join(", ").into(),
            blocks: blocks.into(),
        }
    }

    /// What the facts say in a sentence each.
    fn said(&self, report: &NodeReport, facts: &[Fact], blocks: &mut Vec<Block>) {
        let subject = self.subject(report);
        blocks.extend(facts.iter().filter_map(|fact| subject.words(fact)).map(Block::Line));
    }

    /// What facts are about.
    pub(super) fn subject<'s>(&'s self, report: &'s NodeReport) -> Subject<'s> {
        Subject {
            explanation: self.of.explanation,
            pod: &self.of.explanation.object,
            node: report.object.as_deref(),
            words: self.of.words,
        }
    }

    /// The sums of the constraints for the node's domains.
    fn spread_on(&mut self, facts: &[Fact], blocks: &mut Vec<Block>) {
        let explanation = self.of.explanation;
        for fact in facts {
            let find =
                |index: u32| explanation.spread_filter.iter().find(|spread| spread.index == index);
            match fact {
                Fact::SpreadKeyMissing { constraint } => {
                    let key = find(*constraint).map_or("", |spread| &spread.topology_key);
                    blocks.push(Block::Line(self.words.fill(WhyMsg::NotScored, &[("key", key)])));
                }
                Fact::Spread { constraint, domain, .. } => {
                    let found = find(*constraint);
                    let domains = found.into_iter().flat_map(|spread| &spread.domains);
                    let here = domains.into_iter().find(|count| count.value == *domain);
                    let light = here.map(|count| {
                        let pods = count.pods.iter().map(super::key).collect();
                        let nodes = count.nodes.iter().map(|name| shared(name)).collect();
                        self.light(pods, nodes)
                    });
                    let key = found.map_or("", |spread| &spread.topology_key);
                    blocks.push(Block::Sum { equation: equation(fact, key), light });
                }
                _ => {}
            }
        }
        if !facts.is_empty() {
            blocks.push(Block::Line(self.words.text(WhyMsg::SeeChart)));
        }
    }
}

/// `zone=a: 2 + 1 − 1 = 2 > maxSkew 1`.
fn equation(fact: &Fact, key: &str) -> Equation {
    let Fact::Spread { domain, matching, self_match, minimum, max_skew, .. } = fact else {
        return Equation {
            terms: AttrValue::default(),
            outcome: AttrValue::default(),
            holds: true,
        };
    };
    let skew = matching.wrapping_add(*self_match).wrapping_sub(*minimum);
    let holds = skew <= *max_skew;
    let sign = if holds { " ≤ " } else { " > " };
    let own = [" + ", &signed(*self_match), " − ", &signed(*minimum)].concat();
    let terms = [key, "=", domain, ": ", &signed(*matching), &own].concat();
    let outcome = [&signed(skew), sign, "maxSkew ", &signed(*max_skew)].concat();
    Equation { terms: terms.into(), outcome: outcome.into(), holds }
}

/// A plugin's rule in one sentence.
fn rule(plugin: PluginId) -> WhyMsg {
    match plugin {
        PluginId::NodeUnschedulable => WhyMsg::RuleNodeUnschedulable,
        PluginId::NodeName => WhyMsg::RuleNodeName,
        PluginId::TaintToleration => WhyMsg::RuleTaintToleration,
        PluginId::NodeAffinity => WhyMsg::RuleNodeAffinity,
        PluginId::NodePorts => WhyMsg::RuleNodePorts,
        PluginId::NodeResourcesFit => WhyMsg::RuleNodeResourcesFit,
        PluginId::PodTopologySpread => WhyMsg::RuleSpreadHard,
        PluginId::InterPodAffinity => WhyMsg::RuleInterPodAffinity,
        _ => WhyMsg::RuleOther,
    }
}

/// A table.
pub(super) fn table(caption: AttrValue, head: Vec<AttrValue>, rows: Vec<RowView>) -> Block {
    Block::Table(TableView { caption, head: head.into(), rows: rows.into() })
}
