//! Makes what the Why panel shows from an explanation. Nothing is computed here: numbers become words.

mod affinity;
mod node;
mod resources;
mod spread;
mod tables;

use super::view::{Item, Light, Named, PhraseAbout, PhraseView, WhyView};
use super::words::{WhyMsg, WhyWords};
use crate::engine::Explained;
use berth_core::api::{ObjectKey, Pod};
use berth_core::explain::NodeReport;
use berth_core::framework::plugin::PluginId;
use std::rc::Rc;
use yew::AttrValue;

/// The most nodes to choose from.
const NODES: usize = 200;
/// The most that a list shows.
const ITEMS: usize = 60;
/// The most pods of a list that light up: more are not drawn at once, which is on sixty nodes with at most 110 each.
const LIT: usize = 6_600;
/// The most names in a sentence.
const NAMES: usize = 4;

/// What the view is made from.
pub(super) struct Reader<'a> {
    /// The explanation and the cluster that it is about.
    of: &'a Explained<'a>,
    /// The words.
    words: &'a WhyWords,
    /// The node that was chosen, if it is known.
    node: Option<&'a NodeReport>,
    /// What terms light up.
    lights: Vec<Light>,
}

/// The view. `chosen` is the node that is selected on the board.
pub(super) fn view(of: &Explained<'_>, words: &WhyWords, chosen: Option<&AttrValue>) -> WhyView {
    let explanation = of.explanation;
    let named = chosen.and_then(|name| explanation.node(name));
    let node = named.or_else(|| first(of));
    let mut reader = Reader { of, words, node, lights: Vec::new() };
    let stopped = match (&explanation.pre_enqueue, &explanation.error) {
        (Some(gate), _) => words.fill(WhyMsg::Gated, &[("reason", &gate.reasons.join(", "))]),
        (None, Some(error)) => error.clone().into(),
        (None, None) => AttrValue::default(),
    };
    let fits = match node.filter(|_| !explanation.best.is_empty()) {
        Some(_) => {
            let names = some(explanation.best_names().map(ToString::to_string), NAMES);
            let count = explanation.feasible.len().to_string();
            words.fill(WhyMsg::Assigned, &[("node", &names), ("n", &count)])
        }
        None => AttrValue::default(),
    };
    let phrases = reader.phrases();
    let spreads = reader.spreads();
    let node = reader.node_why();
    let nodes = explanation.nodes.iter().map(|report| shared(&report.name));
    let mut nodes: Vec<AttrValue> = nodes.take(NODES).collect();
    if let Some(chosen) = node.as_ref().filter(|node| !nodes.contains(&node.name)) {
        nodes.insert(0, chosen.name.clone());
    }
    WhyView {
        stopped,
        fits,
        phrases,
        spreads,
        nodes: nodes.into(),
        node,
        lights: reader.lights.into(),
    }
}

/// The node that is looked at while none is chosen: the best, where preemption would make room, or the first that is
/// refused.
fn first<'a>(of: &'a Explained<'_>) -> Option<&'a NodeReport> {
    let explanation = of.explanation;
    let best = explanation.best.first().copied();
    let index = best.or_else(|| of.picked.map(|picked| picked.node));
    let refused = || explanation.nodes.iter().find(|report| report.status.is_some());
    match index {
        Some(index) => explanation.nodes.get(index as usize),
        None => refused().or_else(|| explanation.nodes.first()),
    }
}

impl Reader<'_> {
    /// Keeps what a term lights up, and says where.
    fn light(&mut self, pods: Vec<AttrValue>, nodes: Vec<AttrValue>) -> usize {
        self.lights.push(Light { pods, nodes });
        self.lights.len() - 1
    }

    /// A list of pods.
    fn pods(&mut self, title: AttrValue, pods: &[&Pod]) -> Named {
        let key = |pod: &&Pod| key(&pod.metadata.key());
        let items = pods.iter().take(ITEMS).map(key).map(|key| Item {
            text: key.clone(),
            pod: Some(key),
            node: None,
        });
        let (items, more) = (items.collect(), pods.len().saturating_sub(ITEMS) as u32);
        let keys = pods.iter().take(LIT).map(key).collect();
        Named { title, items, more, light: Some(self.light(keys, Vec::new())) }
    }

    /// A list of nodes.
    fn nodes(&mut self, title: AttrValue, names: Vec<AttrValue>) -> Named {
        let items = names.iter().take(ITEMS).map(|name| Item {
            text: name.clone(),
            pod: None,
            node: Some(name.clone()),
        });
        let (items, more) = (items.collect(), names.len().saturating_sub(ITEMS) as u32);
        Named { title, items, more, light: Some(self.light(Vec::new(), names)) }
    }

    /// The event's message in parts.
    fn phrases(&mut self) -> Rc<[PhraseView]> {
        let explanation = self.of.explanation;
        let mut list: Vec<PhraseView> = Vec::new();
        for phrase in explanation.phrases() {
            let about = phrase.about.and_then(|about| {
                let reports =
                    about.nodes.iter().filter_map(|index| explanation.nodes.get(*index as usize));
                let names: Vec<AttrValue> = reports.map(|report| shared(&report.name)).collect();
                let first = names.first()?.clone();
                let nodes = some(names.iter().map(ToString::to_string), NAMES);
                let says = if about.preemption {
                    self.words.fill(WhyMsg::EventPreemption, &[("nodes", &nodes)])
                } else {
                    let plugins: Vec<&str> =
                        about.plugins.iter().copied().map(PluginId::name).collect();
                    let plugins = if plugins.is_empty() {
                        "PreFilter".to_owned()
                    } else {
                        plugins.join(", ")
                    };
                    self.words.fill(WhyMsg::EventNodes, &[("plugins", &plugins), ("nodes", &nodes)])
                };
                Some(PhraseAbout { light: self.light(Vec::new(), names), says, first })
            });
            match list.last_mut() {
                // A comma or a full stop goes with what it follows, all else that is no part stands together.
                Some(PhraseView { text, about: before })
                    if about.is_none() && (before.is_none() || phrase.text.len() <= 2) =>
                {
                    *text = [text.as_str(), &phrase.text].concat().into();
                }
                _ => list.push(PhraseView { text: phrase.text.into(), about }),
            }
        }
        list.into()
    }
}

/// A shared text as the page holds it.
fn shared(text: &str) -> AttrValue {
    text.to_owned().into()
}

/// A pod's key as the board has it.
fn key(key: &ObjectKey) -> AttrValue {
    key.to_string().into()
}

/// The first of a list, and how many more there are.
fn some(items: impl Iterator<Item = String>, most: usize) -> String {
    let mut list: Vec<String> = items.collect();
    let more = list.len().saturating_sub(most);
    list.truncate(most);
    if more > 0 {
        list.push(["+ ", &more.to_string()].concat());
    }
    list.join(", ")
}

#[cfg(test)]
mod tests;
