//! An event's message in its parts, each with the nodes it speaks of.

use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::{Explanation, PreemptionExplanation};
use crate::collections::{Map, sort_by};
use crate::framework::plugin::PluginId;
use crate::framework::status::{Code, Status};
use crate::preemption::NOT_HELPFUL;

/// What preemption's words begin with.
const SPEAKS: &str = "preemption: ";

/// A part of a message. All parts joined are the message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Phrase {
    /// The words.
    pub text: String,
    /// What they speak of; none for what only holds the others together.
    pub about: Option<About>,
}

/// What a part of a message speaks of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct About {
    /// Indices of the nodes among the explanation's.
    pub nodes: Vec<u32>,
    /// The plugins that say so, each once, in the order of their nodes.
    pub plugins: Vec<PluginId>,
    /// Whether preemption speaks, not Filter.
    pub preemption: bool,
}

/// Nodes and plugins by reason.
#[derive(Default)]
struct Reasons<'a>(Map<&'a str, About>);

impl<'a> Reasons<'a> {
    fn add(&mut self, reason: &'a str, node: u32, plugin: Option<PluginId>, preemption: bool) {
        let nothing = About { nodes: Vec::new(), plugins: Vec::new(), preemption };
        let about = self.0.or_insert(reason, nothing);
        about.nodes.push(node);
        if let Some(plugin) = plugin.filter(|plugin| !about.plugins.contains(plugin)) {
            about.plugins.push(plugin);
        }
    }

    /// As `message::Reasons::message` puts it.
    fn phrases(self, all: usize, phrases: &mut Vec<Phrase>) {
        let mut parts: Vec<Phrase> = Vec::new();
        for (reason, about) in self.0 {
            let text = alloc::format!("{} {reason}", about.nodes.len());
            parts.push(Phrase { text, about: Some(about) });
        }
        sort_by(&mut parts, |a, b| a.text.cmp(&b.text));
        list(alloc::format!("0/{all} nodes are available:"), parts, phrases);
    }
}

/// A head, parts with commas between them, and a full stop.
fn list(head: String, parts: Vec<Phrase>, phrases: &mut Vec<Phrase>) {
    let several = !parts.is_empty();
    phrases.push(plain(head));
    for (i, part) in parts.into_iter().enumerate() {
        phrases.push(plain(if i == 0 { " " } else { ", " }));
        phrases.push(part);
    }
    if several {
        phrases.push(plain("."));
    }
}

fn plain(text: impl Into<String>) -> Phrase {
    Phrase { text: text.into(), about: None }
}

impl Explanation {
    /// The message in parts; none if there is no message.
    pub fn phrases(&self) -> Vec<Phrase> {
        let Some(message) = &self.message else { return Vec::new() };
        let mut phrases = Vec::new();
        if self.nodes.is_empty() {
            return alloc::vec![plain(message.as_str())];
        }
        self.filter_phrases(&mut phrases);
        let rest = self.post_filter.as_ref().map_or("", |found| &found.message);
        if !rest.is_empty() {
            phrases.push(plain(" "));
            self.post_filter_phrases(rest, &mut phrases);
        }
        phrases
    }

    fn filter_phrases(&self, phrases: &mut Vec<Phrase>) {
        let all = self.nodes.len();
        let rejects = |status: &&Status| status.code == Code::UnschedulableAndUnresolvable;
        if let Some(status) = self.pre_filter.iter().find(rejects) {
            let about = About {
                nodes: (0..all as u32).collect(),
                plugins: status.plugin.into_iter().collect(),
                preemption: false,
            };
            let text = status.reasons.join(", ");
            let part = Phrase { text, about: Some(about) };
            list(alloc::format!("0/{all} nodes are available:"), alloc::vec![part], phrases);
            return;
        }
        let mut reasons = Reasons::default();
        for (index, node) in (0..).zip(&self.nodes) {
            let Some(status) = &node.status else { continue };
            for reason in &status.reasons {
                reasons.add(reason, index, status.plugin, false);
            }
        }
        reasons.phrases(all, phrases);
    }

    fn post_filter_phrases(&self, message: &str, phrases: &mut Vec<Phrase>) {
        let found = self.post_filter.as_ref().and_then(|found| found.preemption.as_ref());
        let at = message.find(SPEAKS).map(|at| message.split_at(at + SPEAKS.len()));
        match (at, found) {
            (Some((before, rest)), Some(found))
                if found.ineligible.is_none() && found.error.is_none() =>
            {
                phrases.push(plain(before));
                let from = phrases.len();
                self.preemption_phrases(found, phrases);
                // Another plugin may have the last word.
                let said: usize = phrases.iter().skip(from).map(|phrase| phrase.text.len()).sum();
                if let Some(after) = rest.get(said..).filter(|after| !after.is_empty()) {
                    phrases.push(plain(after));
                }
            }
            _ => phrases.push(plain(message.to_string())),
        }
    }

    fn preemption_phrases(&self, found: &PreemptionExplanation, phrases: &mut Vec<Phrase>) {
        let mut reasons = Reasons::default();
        for run in &found.nodes {
            let Some(status) = &run.status else { continue };
            for reason in &status.reasons {
                reasons.add(reason, run.node, status.plugin, true);
            }
        }
        for (index, node) in (0..).zip(&self.nodes) {
            if !found.nodes.iter().any(|run| run.node == index) {
                let plugin = node.status.as_ref().and_then(|status| status.plugin);
                reasons.add(NOT_HELPFUL, index, plugin, true);
            }
        }
        reasons.phrases(self.nodes.len(), phrases);
    }
}
