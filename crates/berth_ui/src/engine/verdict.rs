//! What a node says about a pod.

use super::facts::Subject;
use crate::locale::Msg;
use crate::view::{Fits, Rejected, Verdict};
use berth_core::collections::Map;
use berth_core::explain::{Explanation, NodeReport};
use berth_core::framework::fact::Fact;
use berth_core::framework::plugin::PluginId;
use std::rc::Rc;
use yew::AttrValue;

/// The verdict of one node; nothing when no node was asked.
pub(super) fn verdict(subject: &Subject<'_>, report: &NodeReport) -> Option<Verdict> {
    let outcome = outcome(subject.explanation, report)?;
    if outcome.fits() {
        return Some(outcome);
    }
    let Some(status) = &report.status else {
        // The node that the pod is nominated to fits, so no other was asked.
        return Some(Verdict::Rejected(Rejected {
            plugin: AttrValue::default(),
            reason: subject.words.text(Msg::NotAsked),
            equation: None,
            sum: Rc::new([]),
        }));
    };
    let plugin = status.plugin;
    let worked = refusing(report, plugin).and_then(|fact| subject.worked(fact, false));
    let mut reason = status.reasons.join(", ");
    if !report.status_facts.is_empty() {
        let names: Vec<&str> = report.nominated.iter().map(|key| key.name.as_str()).collect();
        let counting = subject.words.fill(Msg::CountingNominated, &[("pods", &names.join(", "))]);
        reason = [&reason, ", ", counting.as_str()].concat();
    }
    let (equation, sum) = match worked {
        Some(worked) => (Some(worked.equation), worked.sum),
        None => (None, Rc::from([])),
    };
    let plugin = plugin.map_or("", PluginId::name).into();
    Some(Verdict::Rejected(Rejected { plugin, reason: reason.into(), equation, sum }))
}

/// The fact that the reported failure was found from.
fn refusing(report: &NodeReport, plugin: Option<PluginId>) -> Option<&Fact> {
    let own = report.verdicts.iter().find(|verdict| Some(verdict.plugin) == plugin);
    let facts = if report.status_facts.is_empty() { &own?.facts } else { &report.status_facts };
    facts.iter().find(|fact| fact.reason().is_some())
}

/// The same without words: whether the node fits, and what refuses it.
pub(super) fn outcome(explanation: &Explanation, report: &NodeReport) -> Option<Verdict> {
    if explanation.pre_enqueue.is_some() || explanation.error.is_some() {
        return None;
    }
    let Some(scores) = &report.scores else {
        let plugin = report.status.as_ref().and_then(|status| status.plugin);
        return Some(Verdict::Rejected(Rejected {
            plugin: plugin.map_or("", PluginId::name).into(),
            reason: AttrValue::default(),
            equation: None,
            sum: Rc::default(),
        }));
    };
    Some(Verdict::Fits(Fits {
        rank: scores.rank,
        of: explanation.feasible.len() as u32,
        total: scores.total,
        tied: if scores.rank == 1 { explanation.best.len() as u32 } else { 0 },
    }))
}

/// The reports by their nodes' names.
pub(super) type Reports<'a> = Map<&'a str, &'a NodeReport>;

/// The reports of an explanation.
pub(super) fn reports(explanation: Option<&Explanation>) -> Reports<'_> {
    let reports = explanation.into_iter().flat_map(|explanation| &explanation.nodes);
    reports.map(|report| (&*report.name, report)).collect()
}
