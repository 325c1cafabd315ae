//! Commands to the engine, and what is said and remembered about their outcome.

use super::{App, Intent, ON_BOARD, ON_TRAY, PodEdit, Source, name_of};
use crate::components::speak;
use crate::dom::{self, Opened};
use crate::drag::{Subject, Target};
use crate::engine::Outcome;
use crate::files::{Entrance, Report, Settled};
use crate::locale::Msg;
use crate::rules::RuleEdit;
use crate::state::{Action, Dialog};
use crate::view::{Mistake, Problem, ReportView, Severity, Verdict};
use std::rc::Rc;
use yew::{AttrValue, html};

/// Up to this many bytes are read at once.
const AT_ONCE: usize = 1 << 20;
/// Of more, this many bytes between two frames.
const SLICE: usize = 256 << 10;

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

    /// Changes a field of a pod.
    pub(super) fn edit(&mut self, pod: &AttrValue, edit: &PodEdit) {
        match self.engine.edit(pod, edit, &self.cluster.key) {
            Ok(()) => {
                self.act(Action::Mistakes(Rc::default()));
                self.refresh();
                // The new verdict in one sentence.
                if let Some(view) = &self.inspector {
                    let message = view.event.message.clone();
                    self.act(Action::Say(message));
                }
            }
            Err(message) => {
                let (control, typed) = (edit.control(), edit.value());
                self.act(Action::Say(message.clone()));
                self.act(Action::Mistakes(Rc::new([Mistake { control, typed, message }])));
            }
        }
    }

    /// Lets the scheduler take one pod from the queue, or all.
    pub(super) fn run_queue(&mut self, all: bool) {
        let (Some(rules), Some(playground)) = (self.parts.rules, self.engine.playground_mut())
        else {
            return;
        };
        let ran = (rules.run)(playground, all);
        self.log = ran.log.map(|log| (self.engine.revision(), log));
        self.act(Action::Say(ran.say));
        if ran.pod.is_some() {
            self.act(Action::Select(ran.pod));
        }
    }

    /// Changes a priority class or a budget.
    pub(super) fn change_rule(&mut self, edit: &RuleEdit) {
        let (Some(rules), Some(playground)) = (self.parts.rules, self.engine.playground_mut())
        else {
            return;
        };
        match (rules.change)(playground, edit) {
            Ok(done) => {
                self.act(Action::Mistakes(Rc::default()));
                self.act(Action::Say(done.say));
                self.focus = done.focus.or(self.focus);
            }
            Err(mistakes) => {
                let message = mistakes.first().map(|mistake| mistake.message.clone());
                self.act(Action::Say(message.unwrap_or_default()));
                self.act(Action::Mistakes(mistakes));
            }
        }
    }

    /// Reads opened files.
    pub(super) fn opened(&mut self, files: Vec<Opened>) {
        let mut sources = Vec::new();
        for (name, text) in files {
            let Ok(text) = text else {
                let limit = (Entrance::File.most_bytes() >> 20).to_string();
                let message = self.env.words.fill(Msg::TooLarge, &[("limit", &limit)]);
                self.refuse(name.into(), message);
                return;
            };
            sources.push(Source { name: name.into(), text: text.into() });
        }
        self.read(sources.into(), Entrance::File);
    }

    /// An error about a text as a whole.
    fn refuse(&mut self, source: AttrValue, message: AttrValue) {
        let mut problem = Problem::general(Severity::Error, message);
        problem.source = source;
        let report = ReportView { problems: vec![problem], ..ReportView::default() };
        self.act(Action::Report(Rc::new(report)));
        self.explain_import();
    }

    /// Reads sources: little at once, much in slices with the page drawn in between.
    pub(super) fn read(&mut self, sources: Rc<[Source]>, entrance: Entrance) {
        let Some(files) = self.parts.files else { return };
        let bytes: usize = sources.iter().map(|source| source.text.len()).sum();
        self.reading = self.reading.wrapping_add(1);
        if bytes <= AT_ONCE {
            let mut reader = (files.reader)(&sources, entrance);
            while !reader.step(usize::MAX).finished {}
            let report = reader.finish();
            self.finish_reading(sources, report);
            return;
        }
        let (send, turn) = (self.env.send.clone(), self.reading);
        self.act(Action::Progress(Some(0)));
        let current = Rc::clone(&self.turn);
        current.set(turn);
        dom::spawn(async move {
            let mut reader = (files.reader)(&sources, entrance);
            loop {
                let progress = reader.step(SLICE);
                if progress.finished {
                    break;
                }
                let share = progress.done as u64 * 1000 / progress.total.max(1) as u64;
                send.emit(Intent::Do(Action::Progress(Some(share as u16))));
                dom::breathe().await;
                // Cancelled, or something else is read by now.
                if current.get() != turn {
                    return;
                }
            }
            let report = Rc::new(reader.finish());
            send.emit(Intent::HaveRead(sources, report));
        });
    }

    /// Stops reading.
    pub(super) fn cancel_reading(&mut self) {
        self.turn.set(self.turn.get().wrapping_add(1));
        self.act(Action::Progress(None));
    }

    /// Opens what was read.
    pub(super) fn finish_reading(&mut self, sources: Rc<[Source]>, report: Report) {
        let Some(files) = self.parts.files else { return };
        self.act(Action::Progress(None));
        let words = self.env.words.clone();
        let Settled { heading, mut view, objects } = (files.settle)(&sources, &report, &words);
        let mut opened = false;
        if let Some(objects) = objects {
            match self.engine.open(heading.name, report, objects) {
                Ok(()) => opened = true,
                Err(error) => view.problems.insert(0, Problem::general(Severity::Error, error)),
            }
        }
        let quiet = view.problems.is_empty() && view.notes.is_empty();
        self.sources = sources;
        self.act(Action::Report(Rc::new(view)));
        if opened {
            self.story = (!heading.story.is_empty()).then(|| html! { {heading.story} });
            self.act(Action::Opened(self.engine.revision()));
            self.refresh();
            let first = self.cluster.pending.first().map(|pod| pod.key.clone());
            self.act(Action::Select(heading.pod.or(first)));
            // What had the focus goes with the dialog.
            self.focus = Some(if self.cluster.pending.is_empty() { ON_BOARD } else { ON_TRAY });
            let (nodes, pods) = (
                words.count(Msg::Nodes, self.cluster.nodes),
                words.count(Msg::Pods, self.cluster.pods),
            );
            self.say(Msg::SayImported, &[("nodes", &nodes), ("pods", &pods)]);
        }
        self.act(Action::Dialog(if opened && quiet { Dialog::Closed } else { Dialog::Import }));
    }

    /// Says what a target says about what is held.
    pub(super) fn say_verdict(&mut self, target: &Target) {
        let (place, verdict) = match target {
            Target::Node(name) => {
                let verdict = self.cluster.node(name).and_then(|node| node.verdict.as_ref());
                (
                    name.clone(),
                    verdict.map(|verdict: &Verdict| speak(&self.env, verdict)).unwrap_or_default(),
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
        };
        self.say(Msg::SayAt, &[("place", &place), ("verdict", &verdict)]);
    }
}
