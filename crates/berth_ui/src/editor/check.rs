//! What is wrong with a text, and what it would change.

use super::target::Target;
use super::words::{EditorMsg, EditorWords};
use crate::engine::Engine;
use crate::view::{Problem, Severity};
use berth_core::api::{BadValue, FieldError, Kind, Object, ObjectKey};
use berth_core::collections::sort_by;
use berth_core::playground::{Command, CommandError, Playground};
use berth_wire::intake::{Intake, SEED, admit_pod, take_in};
use berth_wire::manifest::{
    self, Complaint, Finding, Report, Source, Stage, id, places, read_checked,
};
use berth_wire::tree::Node;
use berth_wire::validation;
use std::sync::Arc;
use yew::AttrValue;

/// A text, read.
pub(super) struct Read {
    report: Report,
    intake: Intake,
}

/// What a text comes to.
#[derive(Default)]
pub(super) struct Checked {
    /// What there is to say, by place.
    pub(super) problems: Vec<Remark>,
    /// How much there is to say beyond that.
    pub(super) left_out: u32,
    /// What it would change; none if something is wrong with it.
    pub(super) plan: Option<Plan>,
}

/// Something about a place of the text.
pub(super) struct Remark {
    pub(super) problem: Problem,
    /// Byte offset.
    pub(super) offset: usize,
}

/// What a text would change.
#[derive(Default)]
pub(super) struct Plan {
    /// The change; none if there is nothing to change.
    pub(super) command: Option<Command>,
    /// Objects that are put, with the texts that they were written as.
    pub(super) texts: Vec<(Object, Box<str>)>,
}

impl Checked {
    pub(super) fn errors(&self) -> u32 {
        let errors = self.problems.iter().filter(|r| r.problem.severity == Severity::Error);
        errors.count() as u32
    }
}

/// Reads a text of something.
pub(super) fn read(engine: &Engine, target: &Target, text: &str) -> Read {
    let playground = engine.playground();
    let look = |object: &Object, node: &Node<'_>| {
        playground.map(|own| complaints(own, target, object, node)).unwrap_or_default()
    };
    let report = read_checked(&[Source { name: "", text }], &look);
    let whole = *target == Target::Cluster;
    let intake = if whole { take_in(&report, SEED) } else { Intake::default() };
    Read { report, intake }
}

/// What there is to say against an object besides that it cannot be decoded.
fn complaints(
    playground: &Playground,
    target: &Target,
    object: &Object,
    node: &Node<'_>,
) -> Vec<Complaint> {
    let mut list: Vec<Complaint> = Vec::new();
    if let Target::Object(kind, key) = target {
        same(&mut list, object, *kind, key);
    }
    list.extend(validation::errors(object.kind(), node).iter().map(Complaint::from));
    match object {
        Object::PriorityClass(_) | Object::PodDisruptionBudget(_) => {
            match playground.admits(object) {
                Ok(()) => {}
                Err(CommandError::Invalid { errors, .. }) => {
                    list.extend(errors.as_slice().iter().map(Complaint::from));
                }
                Err(other) => {
                    list.push(Complaint { field: String::new(), message: other.to_string() });
                }
            }
        }
        Object::Pod(_) if *target != Target::Cluster => {
            list.extend(admitted(playground, object.clone()).err());
        }
        _ => {}
    }
    list
}

/// What a text of one object may not change: which object it is.
fn same(list: &mut Vec<Complaint>, object: &Object, kind: Kind, key: &ObjectKey) {
    if object.kind() != kind {
        // As `kubectl edit` says it.
        let message = "At least one of apiVersion, kind and name was changed".to_owned();
        list.push(Complaint { field: "kind".to_owned(), message });
    }
    let ObjectKey { namespace, name } = object.key();
    for (field, now, was) in
        [("metadata.name", name, &key.name), ("metadata.namespace", namespace, &key.namespace)]
    {
        if now != *was {
            let error =
                FieldError::invalid(field.into(), BadValue::Text(now), "field is immutable");
            list.push(Complaint::from(&error));
        }
    }
}

/// The object as admission makes it: a pod has the priority of its class. One that has a number and no class keeps it.
fn admitted(playground: &Playground, object: Object) -> Result<Object, Complaint> {
    let Object::Pod(mut pod) = object else { return Ok(object) };
    let spec = &pod.spec;
    if !spec.priority_class_name.is_empty() || spec.priority.is_none() {
        let classes = playground.cluster().known_priority_classes();
        admit_pod(Arc::make_mut(&mut pod), &classes)?;
    }
    // What stands for several fields is not in a text that was made of an object.
    let key = pod.metadata.key();
    let cluster = playground.cluster();
    let before = cluster.pod_named(&key).and_then(|idx| cluster.pod(idx));
    if before.is_some_and(|before| before.pod.spec.needs_node_feature) {
        Arc::make_mut(&mut pod).spec.needs_node_feature = true;
    }
    Ok(Object::Pod(pod))
}

/// What a text comes to that was begun with `before`. What was wrong then is no reason to refuse what is written now.
pub(super) fn check(
    engine: &Engine,
    target: &Target,
    before: &Read,
    text: &str,
    words: &EditorWords,
) -> Checked {
    let now = read(engine, target, text);
    let mut checked = Checked::default();
    for problem in &now.report.problems {
        let offset = problem.position.offset as usize;
        let mut remark = Remark { problem: Problem::from(problem), offset };
        if *target != Target::Cluster {
            // There is but one.
            remark.problem.object = AttrValue::default();
        }
        let known = problem.finding.stage == Stage::Validation
            && before.report.problems.iter().any(|old| is_same(old, problem));
        if known && remark.problem.severity == Severity::Error {
            remark.problem.severity = Severity::Warning;
            let blanks = [("error", remark.problem.message.as_str())];
            remark.problem.message = words.fill(EditorMsg::Before, &blanks);
        }
        checked.problems.push(remark);
    }
    checked.left_out = now.report.problems_left_out;
    let Some(playground) = engine.playground() else { return checked };
    if checked.errors() == 0 {
        let plan = match target {
            Target::Object(..) => one(playground, before, &now),
            Target::Cluster => Ok(all(playground, before, &now, words)),
            Target::Configuration => configuration(playground, &now),
        };
        match plan {
            Ok(plan) => checked.plan = Some(plan),
            Err(Wrong::Count) => checked.say(words.text(EditorMsg::OneObject)),
            Err(Wrong::Refused(message)) => checked.say(message.into()),
        }
        refusals(&mut checked, before, &now);
    }
    sort_by(&mut checked.problems, |a, b| a.offset.cmp(&b.offset));
    checked
}

impl Checked {
    /// Says that the whole text is wrong.
    pub(super) fn say(&mut self, message: AttrValue) {
        let mut problem = Problem::general(Severity::Error, message);
        (problem.line, problem.column) = (1, 1);
        self.problems.insert(0, Remark { problem, offset: 0 });
        self.plan = None;
    }
}

fn is_same(a: &manifest::Problem, b: &manifest::Problem) -> bool {
    let Finding { path, message, .. } = &a.finding;
    a.object == b.object && *path == b.finding.path && *message == b.finding.message
}

/// Why there is no plan.
enum Wrong {
    /// It is not one object.
    Count,
    /// The words of admission.
    Refused(String),
}

/// The change that a text of one object makes.
fn one(playground: &Playground, before: &Read, now: &Read) -> Result<Plan, Wrong> {
    let ([item], []) = (&*now.report.items, &*now.report.others) else { return Err(Wrong::Count) };
    if before.report.items.first().is_some_and(|old| old.text == item.text) {
        return Ok(Plan::default());
    }
    let object = admitted(playground, item.object.clone())
        .map_err(|refused| Wrong::Refused(refused.message))?;
    let texts = vec![(object.clone(), item.text.clone())];
    Ok(Plan { command: Some(Command::Put(object)), texts })
}

fn configuration(playground: &Playground, now: &Read) -> Result<Plan, Wrong> {
    let Report { configuration, items, others, .. } = &now.report;
    match configuration {
        Some(new) if items.is_empty() && others.is_empty() => {
            let differs = *new != *playground.configuration();
            let command = differs.then(|| Command::Configure(Box::new(new.clone())));
            Ok(Plan { command, texts: Vec::new() })
        }
        _ => Err(Wrong::Count),
    }
}

/// The change that a text of everything makes: what differs from the text that it was begun with.
fn all(playground: &Playground, before: &Read, now: &Read, words: &EditorWords) -> Plan {
    let (old, new) = (&before.intake.objects, &now.intake.objects);
    let (old_places, new_places) = (places(old.iter()), places(new.iter()));
    let (mut objects, mut pods, mut gone) = (Vec::new(), Vec::new(), Vec::new());
    let mut plan = Plan::default();
    for (place, object) in new.iter().enumerate() {
        let was = old_places.get(&id(object)).map(|place| place as usize);
        let text = now.report.items.get(place).map(|item| &item.text);
        let old_text = was.and_then(|was| before.report.items.get(was)).map(|item| &item.text);
        if was.and_then(|was| old.get(was)) == Some(object) && text == old_text {
            continue;
        }
        // Whoever is refused was said.
        let object = admitted(playground, object.clone()).unwrap_or_else(|_| object.clone());
        plan.texts.extend(text.map(|text| (object.clone(), text.clone())));
        let list = if object.kind() == Kind::Pod { &mut pods } else { &mut objects };
        list.push(Command::Put(object));
    }
    let mut commands: Vec<Command> = Vec::new();
    for object in old.iter().filter(|object| new_places.get(&id(object)).is_none()) {
        let list = if object.kind() == Kind::Pod { &mut commands } else { &mut gone };
        list.push(Command::Drop(object.kind(), object.key()));
    }
    // Pods go before their nodes, and come after them.
    commands.append(&mut gone);
    commands.append(&mut objects);
    commands.append(&mut pods);
    if let Some(new) = &now.report.configuration
        && before.report.configuration.as_ref() != Some(new)
    {
        commands.push(Command::Configure(Box::new(new.clone())));
    }
    let name = words.text(EditorMsg::EditCluster).to_string();
    plan.command = (!commands.is_empty()).then_some(Command::Batch { name, commands });
    plan
}

/// What admission has against pods that are written now.
fn refusals(checked: &mut Checked, before: &Read, now: &Read) {
    let known = |pod: &ObjectKey| before.intake.refused.iter().any(|refused| refused.pod == *pod);
    for refused in now.intake.refused.iter().filter(|refused| !known(&refused.pod)) {
        checked.say(refused.words.clone().into());
    }
}
