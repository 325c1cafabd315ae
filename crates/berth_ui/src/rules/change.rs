//! Changes of classes and budgets, as commands.

use super::look::limit;
use super::{
    BudgetEdit, ClassEdit, Done, Limit, Mistakes, NEW_BUDGET, NEW_CLASS, RuleChange, RuleEdit,
    StatusField,
};
use super::{RuleMsg, RuleWords};
use crate::engine::{integer, selector_text};
use crate::view::Mistake;
use berth_core::admission::priority::system_classes;
use berth_core::api::field_error::quote;
use berth_core::api::names::dns_subdomain_errors;
use berth_core::api::{
    BadValue, FieldError, FieldErrors, IntOrPercent, Kind, Object, ObjectKey, ObjectMeta,
    PodDisruptionBudget, PreemptionPolicy, PriorityClass, StatusSource, UnhealthyPodEvictionPolicy,
};
use berth_core::playground::{Command, CommandError, Playground};
use std::rc::Rc;
use std::sync::Arc;
use yew::AttrValue;

/// What the API server says, by field where it names one.
enum Refused {
    /// Of what was typed first, or of the one field that is changed.
    Whole(String),
    /// Of the value of a new class.
    Value(String),
    /// Of some of its fields.
    Fields(FieldErrors),
}

impl From<String> for Refused {
    fn from(words: String) -> Self {
        Self::Whole(words)
    }
}

impl From<CommandError> for Refused {
    fn from(error: CommandError) -> Self {
        match error {
            CommandError::Invalid { errors, .. } => Self::Fields(errors),
            other => Self::Whole(other.to_string()),
        }
    }
}

/// Makes a change, whole or not at all.
pub(super) fn change(
    playground: &mut Playground,
    edit: &RuleEdit,
    words: &RuleWords,
) -> Result<Done, Mistakes> {
    let (name, command, said) = match &edit.change {
        RuleChange::Class(name, edit) => {
            let said = match edit {
                ClassEdit::Create(_) => RuleMsg::SayCreated,
                ClassEdit::Delete => RuleMsg::SayDeleted,
                _ => RuleMsg::SayChanged,
            };
            (name, of_class(playground, name, edit), said)
        }
        RuleChange::Budget(key, edit) => {
            let said = match edit {
                BudgetEdit::Create { .. } => RuleMsg::SayCreated,
                BudgetEdit::Delete => RuleMsg::SayDeleted,
                _ => RuleMsg::SayChanged,
            };
            (key, of_budget(playground, key, edit), said)
        }
    };
    let done = command.and_then(|command| match command {
        Some(command) => playground.apply(command).map(drop).map_err(Refused::from),
        None => Ok(()),
    });
    done.map_err(|refused| mistakes(edit, &refused))?;
    let focus = match &edit.change {
        RuleChange::Class(_, ClassEdit::Delete) => Some("#new-class-name"),
        RuleChange::Budget(_, BudgetEdit::Delete) => Some("#new-budget-name"),
        _ => None,
    };
    Ok(Done { say: words.fill(said, &[("what", name)]), focus })
}

/// Each error at the control where what it is about was typed.
fn mistakes(edit: &RuleEdit, refused: &Refused) -> Mistakes {
    let at = |control: &str, typed: &AttrValue, message: String| Mistake {
        control: control.to_owned().into(),
        typed: typed.clone(),
        message: message.into(),
    };
    let controls: &[&str] = match &edit.change {
        RuleChange::Class(_, ClassEdit::Create(_)) => &NEW_CLASS,
        RuleChange::Budget(_, BudgetEdit::Create { .. }) => &NEW_BUDGET,
        _ => {
            let words = match refused {
                Refused::Whole(words) | Refused::Value(words) => words.clone(),
                Refused::Fields(errors) => errors.to_string(),
            };
            return Rc::new([at(&edit.control, &typed(&edit.change), words)]);
        }
    };
    let mut list: Vec<Mistake> = Vec::new();
    let mut say = |index: usize, message: String| {
        if let Some(control) = controls.get(index) {
            list.push(at(control, &AttrValue::default(), message));
        }
    };
    match refused {
        Refused::Whole(words) => say(0, words.clone()),
        Refused::Value(words) => say(1, words.clone()),
        Refused::Fields(errors) => {
            for error in errors.as_slice() {
                let index = match error.field.as_str() {
                    "metadata.name" => 0,
                    "value" => 1,
                    field if field.starts_with("spec.selector") => 1,
                    "spec.minAvailable" => 2,
                    _ => 0,
                };
                say(index, error.to_string());
            }
        }
    }
    // A control shows one message.
    let mut each: Vec<Mistake> = Vec::new();
    for mistake in list {
        match each.iter_mut().find(|known| known.control == mistake.control) {
            Some(known) => {
                known.message = [&*known.message, ", ", &mistake.message].concat().into();
            }
            None => each.push(mistake),
        }
    }
    each.into()
}

/// What was typed for a field.
fn typed(change: &RuleChange) -> AttrValue {
    match change {
        RuleChange::Class(_, ClassEdit::Anew(edit)) => {
            typed(&RuleChange::Class(AttrValue::default(), (**edit).clone()))
        }
        RuleChange::Class(_, ClassEdit::Value(text) | ClassEdit::Description(text))
        | RuleChange::Budget(
            _,
            BudgetEdit::Limit(_, text) | BudgetEdit::Selector(text) | BudgetEdit::Status(_, text),
        ) => text.clone(),
        RuleChange::Class(_, ClassEdit::NeverPreempts(never)) => policy(*never).as_str().into(),
        _ => AttrValue::default(),
    }
}

fn policy(never: bool) -> PreemptionPolicy {
    if never { PreemptionPolicy::Never } else { PreemptionPolicy::PreemptLowerPriority }
}

fn exists(resource: &str, name: &str) -> Refused {
    Refused::Whole([resource, " ", &quote(name), " already exists"].concat())
}

/// The command for a change of a class; none if there is nothing to change.
fn of_class(
    playground: &Playground,
    name: &str,
    edit: &ClassEdit,
) -> Result<Option<Command>, Refused> {
    let classes = playground.cluster().priority_classes();
    let put = |class: PriorityClass| Command::Put(Object::PriorityClass(Arc::new(class)));
    let gone = || Command::Drop(Kind::PriorityClass, ObjectKey::new(String::new(), name));
    if let ClassEdit::Create(value) = edit {
        let system = system_classes();
        if classes.contains_key(name) || system.iter().any(|own| own.metadata.name == name) {
            return Err(exists("priorityclasses.scheduling.k8s.io", name));
        }
        let metadata = ObjectMeta { name: name.to_owned(), ..ObjectMeta::default() };
        let class = PriorityClass {
            metadata,
            value: integer(value).map_err(Refused::Value)?,
            preemption_policy: Some(policy(false)),
            ..PriorityClass::default()
        };
        return Ok(Some(put(class)));
    }
    let Some(before) = classes.get(name) else { return Ok(None) };
    let mut class = PriorityClass::clone(before);
    let command = match edit {
        ClassEdit::Create(_) | ClassEdit::Delete => gone(),
        ClassEdit::Anew(edit) => {
            field(&mut class, edit)?;
            batch("recreate", vec![gone(), put(class)])
        }
        ClassEdit::DefaultInstead => {
            let others = classes.values().filter(|other| other.global_default);
            let mut commands = Vec::new();
            for other in others {
                commands.push(put(PriorityClass { global_default: false, ..(**other).clone() }));
            }
            class.global_default = true;
            commands.push(put(class));
            batch("default", commands)
        }
        edit => {
            field(&mut class, edit)?;
            if class == **before {
                return Ok(None);
            }
            put(class)
        }
    };
    Ok(Some(command))
}

fn batch(name: &str, commands: Vec<Command>) -> Command {
    Command::Batch { name: name.to_owned(), commands }
}

fn field(class: &mut PriorityClass, edit: &ClassEdit) -> Result<(), Refused> {
    match edit {
        ClassEdit::Value(text) => class.value = integer(text)?,
        ClassEdit::NeverPreempts(never) => class.preemption_policy = Some(policy(*never)),
        ClassEdit::GlobalDefault(default) => class.global_default = *default,
        ClassEdit::Description(text) => text.trim().clone_into(&mut class.description),
        _ => {}
    }
    Ok(())
}

/// The command for a change of a budget; none if there is nothing to change.
fn of_budget(
    playground: &Playground,
    key: &str,
    edit: &BudgetEdit,
) -> Result<Option<Command>, Refused> {
    let key = ObjectKey::parse(key);
    let budgets = playground.cluster().budgets();
    let put = |budget: PodDisruptionBudget| {
        Some(Command::Put(Object::PodDisruptionBudget(Arc::new(budget))))
    };
    if let BudgetEdit::Create { selector, least } = edit {
        if budgets.contains_key(&key) {
            return Err(exists("poddisruptionbudgets.policy", &key.name));
        }
        return Ok(put(create(key, selector, least)?));
    }
    let Some(before) = budgets.get(&key) else { return Ok(None) };
    if *edit == BudgetEdit::Delete {
        return Ok(Some(Command::Drop(Kind::PodDisruptionBudget, key)));
    }
    let mut budget = PodDisruptionBudget::clone(before);
    match edit {
        BudgetEdit::Create { .. } | BudgetEdit::Delete => {}
        BudgetEdit::Limit(kind, text) => {
            let value = share(text);
            (budget.min_available, budget.max_unavailable) = match kind {
                Limit::MinAvailable => (value, None),
                Limit::MaxUnavailable => (None, value),
            };
        }
        BudgetEdit::Selector(text) => budget.selector = selector_text::parse(text),
        BudgetEdit::AlwaysAllow(true) => {
            budget.unhealthy_pod_eviction_policy = Some(UnhealthyPodEvictionPolicy::AlwaysAllow);
        }
        BudgetEdit::AlwaysAllow(false) => budget.unhealthy_pod_eviction_policy = None,
        BudgetEdit::Pinned(pinned) => {
            budget.status_source =
                if *pinned { StatusSource::Pinned } else { StatusSource::Computed };
        }
        BudgetEdit::Status(field, text) => status(&mut budget, *field, text)?,
    }
    // `PrepareForUpdate`: another spec is another generation.
    let spec = |budget: &PodDisruptionBudget| {
        let policy = budget.unhealthy_pod_eviction_policy;
        (limit(budget).0, limit(budget).1.cloned(), budget.selector.clone(), policy)
    };
    if spec(&budget) != spec(before) {
        budget.metadata.generation = budget.metadata.generation.wrapping_add(1);
    }
    Ok(if budget == **before { None } else { put(budget) })
}

fn create(key: ObjectKey, selector: &str, least: &str) -> Result<PodDisruptionBudget, Refused> {
    let ObjectKey { namespace, name } = key;
    let field = || "metadata.name".to_owned();
    let mut errors = Vec::new();
    if name.is_empty() {
        errors.push(FieldError::required(field(), "name or generateName is required"));
    } else {
        for complaint in dns_subdomain_errors(&name) {
            errors.push(FieldError::invalid(field(), BadValue::Text(name.clone()), &complaint));
        }
    }
    FieldErrors::check(errors).map_err(Refused::Fields)?;
    let metadata = ObjectMeta { namespace, name, generation: 1, ..ObjectMeta::default() };
    Ok(PodDisruptionBudget {
        metadata,
        selector: selector_text::parse(selector),
        min_available: share(least),
        ..PodDisruptionBudget::default()
    })
}

/// A number, else a share, which may be none: the API server says so.
fn share(text: &str) -> Option<IntOrPercent> {
    let text = text.trim();
    if text.is_empty() {
        return None;
    }
    Some(text.parse().map_or_else(|_| IntOrPercent::Percent(text.to_owned()), IntOrPercent::Int))
}

/// Sets a number of the status (`ValidatePodDisruptionBudgetStatusUpdate`).
fn status(budget: &mut PodDisruptionBudget, field: StatusField, text: &str) -> Result<(), Refused> {
    let number = integer(text)?;
    if number < 0 {
        let path = ["status.", field.as_str()].concat();
        let value = BadValue::Integer(number.into());
        let error = FieldError::invalid(path, value, "must be greater than or equal to 0");
        return Err(Refused::Fields(error.into()));
    }
    let status = &mut budget.status;
    match field {
        StatusField::Expected => status.expected_pods = number,
        StatusField::Desired => status.desired_healthy = number,
        StatusField::Healthy => status.current_healthy = number,
        StatusField::Allowed => {
            status.disruptions_allowed = number;
            status.update_condition();
        }
    }
    Ok(())
}
