//! Changes of the configuration, as commands: whole or not at all.

use super::Shown;
use crate::app::{App, Intent};
use crate::state::Action;
use crate::tool::task;
use crate::view::Mistake;
use berth_core::framework::config::Configuration;
use berth_core::playground::{Command, Playground};
use berth_wire::config::edit::{Step, edited, find};
use berth_wire::config::whole;
use berth_wire::manifest::{Finding, Severity};
use berth_wire::tree::{Node, Value};
use std::cell::RefCell;
use std::rc::Rc;
use yew::AttrValue;

/// A change that a control asks for.
#[derive(Clone, Debug, Default)]
pub(super) struct Edit {
    /// The control, by its id: the path of its field where it has one.
    pub(super) control: String,
    /// What was typed there.
    pub(super) typed: AttrValue,
    /// What the change is called.
    pub(super) name: AttrValue,
    /// The change.
    pub(super) steps: Vec<Step>,
    /// The control that has the focus afterwards, where this one goes or moves.
    pub(super) focus: Option<String>,
    /// The profile that is shown afterwards, if another.
    pub(super) profile: Option<usize>,
}

/// The intent to make a change.
pub(super) fn intent(shown: &Rc<RefCell<Shown>>, edit: Edit) -> Intent {
    let shown = Rc::clone(shown);
    task(move |app| change(app, &shown, &edit))
}

fn change(app: &mut App, shown: &RefCell<Shown>, edit: &Edit) {
    let Some(now) = app.engine().playground().map(Playground::configuration) else { return };
    let refused = match edited(now, &edit.steps) {
        Err(findings) => mistakes(edit, &findings, &whole(now)),
        Ok(new) => {
            let Err(words) = configure(app, new, &edit.name) else {
                let mut shown = shown.borrow_mut();
                shown.focus.clone_from(&edit.focus);
                shown.profile = edit.profile.unwrap_or(shown.profile);
                return;
            };
            Rc::new([at(&edit.control, edit.typed.clone(), words)])
        }
    };
    let message = refused.first().map(|mistake| mistake.message.clone());
    app.tell(message.unwrap_or_default());
    app.act(Action::Mistakes(refused));
}

/// Replaces the configuration as one step of this name, if it is another. The error is kube-scheduler's.
pub(super) fn configure(app: &mut App, new: Configuration, name: &str) -> Result<(), String> {
    let Some(playground) = app.engine_mut().playground_mut() else { return Ok(()) };
    if *playground.configuration() != new {
        let commands = vec![Command::Configure(Box::new(new))];
        let batch = Command::Batch { name: name.to_owned(), commands };
        playground.apply(batch).map_err(|error| error.to_string())?;
    }
    app.act(Action::Mistakes(Rc::default()));
    app.tell(name.to_owned().into());
    Ok(())
}

fn at(control: &str, typed: AttrValue, message: String) -> Mistake {
    Mistake { control: control.to_owned().into(), typed, message: message.into() }
}

/// What is wrong, at the fields that it is about. What has no field is said where the change was asked for, which keeps
/// what was typed in any case.
fn mistakes(edit: &Edit, findings: &[Finding], tree: &Node<'_>) -> Rc<[Mistake]> {
    let mut list: Vec<Mistake> = Vec::new();
    let errors = findings.iter().filter(|finding| finding.severity == Severity::Error);
    let add = |list: &mut Vec<Mistake>, control: &str, typed: AttrValue, message: String| {
        // A control shows one message.
        match list.iter_mut().find(|known| known.control == control) {
            Some(known) => known.message = [&*known.message, ", ", &message].concat().into(),
            None => list.push(at(control, typed, message)),
        }
    };
    for finding in errors {
        let there = find(tree, &finding.path).and_then(scalar);
        match there.filter(|_| finding.path != edit.control) {
            Some(typed) => add(&mut list, &finding.path, typed.into(), finding.to_string()),
            None => add(&mut list, &edit.control, edit.typed.clone(), finding.to_string()),
        }
    }
    if Mistake::at(&list, &edit.control).is_none()
        && let Some(first) = list.first()
    {
        list.insert(0, at(&edit.control, edit.typed.clone(), first.message.to_string()));
    }
    list.into()
}

/// The text of a single value.
pub(super) fn scalar(node: &Node<'_>) -> Option<String> {
    match &node.value {
        Value::Bool(value) => Some(value.to_string()),
        Value::Number(text) | Value::String(text) => Some(text.clone().into_owned()),
        Value::Null | Value::Sequence(_) | Value::Mapping(_) => None,
    }
}
