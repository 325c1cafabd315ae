//! Taints and tolerations, requirements on labels, and host ports, each one by one.

use super::node::table;
use super::{Reader, key, some};
use crate::why::view::{Block, RowView};
use crate::why::words::WhyMsg;
use berth_core::api::{TaintEffect, Toleration, TolerationOperator};
use berth_core::explain::NodeReport;
use berth_core::explain::node_affinity::{RequirementOnNode, TermOnNode, on_node};
use berth_core::framework::fact::Fact;
use berth_core::plugins::taint_toleration::{Mismatch, mismatch};
use yew::AttrValue;

impl Reader<'_> {
    /// Taint by taint, toleration by toleration.
    pub(super) fn taints(&self, report: &NodeReport, blocks: &mut Vec<Block>) {
        let words = self.words;
        let taints =
            report.object.as_ref().map(|node| node.spec.taints.as_slice()).unwrap_or_default();
        let tolerations = &self.of.explanation.object.spec.tolerations;
        if taints.is_empty() {
            blocks.push(Block::Line(words.text(WhyMsg::NoTaints)));
            return;
        }
        let mut rows = Vec::new();
        for taint in taints {
            let hard = taint.effect != TaintEffect::PreferNoSchedule;
            let first = tolerations.iter().find(|toleration| mismatch(toleration, taint).is_none());
            let outcome = match first {
                Some(toleration) => {
                    words.fill(WhyMsg::Tolerated, &[("toleration", &text(toleration))])
                }
                None if hard => words.text(WhyMsg::Untolerated),
                None => words.text(WhyMsg::Prefers),
            };
            let tried = tolerations.iter().filter_map(|toleration| {
                let why = words.text(differs(mismatch(toleration, taint)?));
                Some([&text(toleration), " (", &*why, ")"].concat())
            });
            let mut tried = some(tried, super::NAMES);
            if tolerations.is_empty() {
                tried = words.text(WhyMsg::NoTolerations).to_string();
            }
            rows.push(RowView {
                name: taint.to_string().into(),
                cells: vec![
                    outcome,
                    if first.is_some() { AttrValue::default() } else { tried.into() },
                ],
                holds: hard.then_some(first.is_some()),
                light: None,
            });
        }
        let head = [WhyMsg::Taint, WhyMsg::Outcome, WhyMsg::Compared];
        let head = head.iter().map(|msg| words.text(*msg)).collect();
        blocks.push(table("TaintToleration".into(), head, rows));
    }

    /// nodeSelector label by label, the required terms term by term.
    pub(super) fn node_affinity(
        &self,
        report: &NodeReport,
        facts: &[Fact],
        blocks: &mut Vec<Block>,
    ) {
        let words = self.words;
        let Some(node) = report.object.as_deref() else { return };
        for fact in facts {
            if let Fact::AddedNodeAffinity { matches } = fact {
                let row = RowView {
                    name: words.text(WhyMsg::AddedAffinity),
                    cells: vec![words.text(if *matches {
                        WhyMsg::Passes
                    } else {
                        WhyMsg::Refused
                    })],
                    holds: Some(*matches),
                    light: None,
                };
                blocks.push(table(
                    words.text(WhyMsg::AddedAffinity),
                    vec![words.text(WhyMsg::Requirement), words.text(WhyMsg::OwnNode)],
                    vec![row],
                ));
            }
        }
        let found = on_node(&self.of.explanation.object, node);
        if !found.node_selector.is_empty() {
            blocks.push(self.requirements(words.text(WhyMsg::NodeSelector), &found.node_selector));
        }
        for term in found.terms.iter().flatten() {
            let caption = match term.index {
                Some(index) => words.fill(WhyMsg::Term, &[("n", &(index + 1).to_string())]),
                None => words.text(WhyMsg::TermBad),
            };
            blocks.push(self.requirements(caption, &term.requirements));
        }
        if found.terms.as_ref().is_some_and(|terms| !terms.iter().any(TermOnNode::holds)) {
            blocks.push(Block::Line(words.text(WhyMsg::NoTerm)));
        }
    }

    fn requirements(&self, caption: AttrValue, list: &[RequirementOnNode]) -> Block {
        let words = self.words;
        let mut rows = Vec::new();
        for requirement in list {
            let own = match &requirement.own {
                Some(value) => value.clone().into(),
                None => words.text(WhyMsg::LabelNone),
            };
            rows.push(RowView {
                name: requirement.text.clone().into(),
                cells: vec![own],
                holds: Some(requirement.holds),
                light: None,
            });
        }
        let head = vec![words.text(WhyMsg::Requirement), words.text(WhyMsg::OwnNode)];
        table(caption, head, rows)
    }

    /// Host port by host port, with who holds it.
    pub(super) fn ports(&mut self, facts: &[Fact], blocks: &mut Vec<Block>) {
        let words = self.words;
        let mut rows = Vec::new();
        for fact in facts {
            let Fact::HostPort { ip, protocol, port, free, in_use, .. } = fact else { continue };
            let address = ip.as_deref().map(|ip| [ip, ":"].concat()).unwrap_or_default();
            let holders = in_use.iter().flat_map(|used| &used.pods);
            let pods: Vec<AttrValue> = holders.map(key).collect();
            let held = in_use.iter().map(|used| {
                let address = used.ip.as_deref().unwrap_or("*");
                let pods: Vec<String> = used.pods.iter().map(ToString::to_string).collect();
                [&pods.join(", "), " (", address, "/", used.protocol.as_str(), ")"].concat()
            });
            let held = some(held, super::NAMES);
            let light = (!pods.is_empty()).then(|| self.light(pods, Vec::new()));
            rows.push(RowView {
                name: [&address, &port.to_string(), "/", protocol.as_str()].concat().into(),
                cells: vec![
                    words.text(if *free { WhyMsg::Free } else { WhyMsg::Taken }),
                    held.into(),
                ],
                holds: Some(*free),
                light,
            });
        }
        let head = [WhyMsg::HostPort, WhyMsg::Outcome, WhyMsg::HeldBy];
        let head = head.iter().map(|msg| words.text(*msg)).collect();
        blocks.push(table("NodePorts".into(), head, rows));
    }
}

fn differs(mismatch: Mismatch) -> WhyMsg {
    match mismatch {
        Mismatch::Effect => WhyMsg::DiffersEffect,
        Mismatch::Key => WhyMsg::DiffersKey,
        Mismatch::Value => WhyMsg::DiffersValue,
        Mismatch::Operator => WhyMsg::DiffersOperator,
    }
}

/// `key=value:effect`, with `*` for every key and every effect.
fn text(toleration: &Toleration) -> String {
    let Toleration { key, operator, value, effect, .. } = toleration;
    let key = if key.is_empty() { "*" } else { key };
    let effect = effect.map_or("*", TaintEffect::as_str);
    match operator {
        TolerationOperator::Exists => [key, ":", effect].concat(),
        _ => [key, "=", value, ":", effect].concat(),
    }
}
