//! Commands to the engine, and what is said and remembered about their outcome.

use super::{App, name_of};
use crate::components::speak;
use crate::drag::{Subject, Target};
use crate::engine::Outcome;
use crate::locale::Msg;
use crate::state::Action;
use yew::AttrValue;

impl App {
    /// Puts a pod on a node, if the node fits or the scheduler is bypassed.
    pub(super) fn place(&mut self, pod: &AttrValue, node: &AttrValue, bypass: bool) {
        self.finish(pod, |app| app.engine.place(pod, node, bypass, &app.env.words));
    }

    /// Lets the scheduler choose.
    pub(super) fn schedule(&mut self, pod: &AttrValue) {
        self.finish(pod, |app| app.engine.schedule(pod));
    }

    /// Lets others make room for a pod, and follows it there: the button that was pressed is gone.
    pub(super) fn preempt(&mut self, pod: &AttrValue) {
        self.finish(pod, |app| app.engine.preempt(pod));
        self.refresh();
        self.focus_on(&Subject::Pod(pod.clone()));
    }

    /// Puts a pod on the best node of a column.
    pub(super) fn place_in(&mut self, pod: &AttrValue, zone: &AttrValue) {
        let domain = self.cluster.domains.iter().find(|domain| domain.id() == *zone);
        match domain.and_then(|domain| domain.best.clone()) {
            Some(node) => self.place(pod, &node, false),
            None => self.say(Msg::NoneFitsHere, &[]),
        }
    }

    fn finish(&mut self, pod: &AttrValue, command: impl FnOnce(&mut Self) -> Outcome) {
        let outcome = command(self);
        let subject = Subject::Pod(pod.clone());
        let name = name_of(&subject);
        match outcome {
            Outcome::Placed { node, bypassed: true, .. } => {
                self.say(Msg::SayBypassed, &[("pod", name), ("node", &node)]);
            }
            Outcome::Refused { node, rejected } => {
                let sum =
                    rejected.equation.as_ref().map(|sum| sum.outcome.clone()).unwrap_or_default();
                let blanks = [
                    ("pod", name),
                    ("node", node.as_str()),
                    ("reason", &rejected.reason),
                    ("sum", &sum),
                ];
                self.say(Msg::SayRefused, &blanks);
                self.act(Action::Refused(pod.clone(), node));
            }
            Outcome::Preempted { node, victims, event } => {
                let blanks = [("node", &*node), ("victims", &*victims), ("event", &*event)];
                self.say(Msg::SayPreempted, &blanks);
            }
            Outcome::Placed { event, bypassed: false, .. } | Outcome::Unplaced(event) => {
                self.act(Action::Say(event));
            }
        }
        self.act(Action::Select(Some(pod.clone())));
    }

    /// Takes a pod off its node.
    pub(super) fn release(&mut self, pod: &AttrValue) {
        if self.engine.release(pod) {
            let subject = Subject::Pod(pod.clone());
            self.say(Msg::SayReleased, &[("pod", name_of(&subject))]);
        }
    }

    /// Gives a node the label of a column.
    pub(super) fn move_node(&mut self, node: &AttrValue, zone: &AttrValue) {
        let key = self.cluster.key.clone();
        if !zone.is_empty() && self.engine.label_node(node, &key, zone) {
            self.say(Msg::SayMoved, &[("node", node), ("zone", zone)]);
        }
    }

    /// Says what a target says about what is held.
    pub(super) fn say_verdict(&mut self, target: &Target) {
        let (place, verdict) = match target {
            Target::Node(name) => {
                let verdict = self.engine.verdict(name, &self.env.words);
                (
                    name.clone(),
                    verdict.map(|verdict| speak(&self.env, &verdict)).unwrap_or_default(),
                )
            }
            Target::Zone(id) => {
                let domain = self.cluster.domains.iter().find(|domain| domain.id() == *id);
                let best = domain.and_then(|domain| domain.best.clone());
                let words = &self.env.words;
                let verdict = if self.state.drag.held_node().is_some() {
                    words.text(Msg::MoveNodeHere)
                } else {
                    best.map_or_else(
                        || words.text(Msg::NoneFitsHere),
                        |node| words.fill(Msg::BestHere, &[("node", &node)]),
                    )
                };
                (id.clone(), verdict)
            }
            Target::Queue => return,
        };
        self.say(Msg::SayAt, &[("place", &place), ("verdict", &verdict)]);
    }
}
