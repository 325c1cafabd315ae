//! The form that asks for something at the moment.

use super::asked::ask;
use super::request::{Field, Subject, Verb};
use super::run::{Run, Shared, clock};
use super::{TimeMsg, TimeWords, moment, words};
use crate::app::App;
use crate::components::choice;
use crate::env::Env;
use crate::tool::task;
use std::collections::BTreeMap;
use std::rc::Rc;
use web_sys::{HtmlInputElement, HtmlSelectElement};
use yew::{AttrValue, Callback, Event, Html, InputEvent, SubmitEvent, TargetCast, html};

/// What is filled in.
#[derive(Clone, Debug, Default)]
pub(super) struct Draft {
    verb: Verb,
    subject: Option<Subject>,
    /// What was typed instead of what there is.
    typed: BTreeMap<Field, AttrValue>,
}

impl Draft {
    /// What it is about: what was chosen if it is still there, else the first.
    fn subject(&self, subjects: &[Subject]) -> Option<Subject> {
        let chosen = self.subject.as_ref().filter(|chosen| subjects.contains(chosen));
        chosen.or_else(|| subjects.first()).cloned()
    }
}

const fn name(verb: Verb) -> TimeMsg {
    match verb {
        Verb::AddNode => TimeMsg::ActAddNode,
        Verb::Delete => TimeMsg::ActDelete,
        Verb::Evict => TimeMsg::ActEvict,
        Verb::Drain => TimeMsg::ActDrain,
        Verb::Down => TimeMsg::ActDown,
        Verb::Up => TimeMsg::ActUp,
        Verb::DomainDown => TimeMsg::ActDomainDown,
        Verb::DomainUp => TimeMsg::ActDomainUp,
        Verb::Scale => TimeMsg::ActScale,
        Verb::Rollout => TimeMsg::ActRollout,
    }
}

/// What stands in an empty field.
fn hint(words: &TimeWords, field: Field) -> AttrValue {
    match field {
        Field::Grace => words.text(TimeMsg::ItsOwn),
        _ => AttrValue::default(),
    }
}

/// The fields of a draft, each with what stands in it.
fn filled(run: &Run, subject: &Subject) -> Vec<(Field, AttrValue)> {
    let Draft { verb, typed, .. } = &run.draft;
    let fields = verb.fields(run.timeline.state().objects(), subject);
    let value = |(field, own): (Field, String)| {
        (field, typed.get(&field).cloned().unwrap_or_else(|| own.into()))
    };
    fields.into_iter().map(value).collect()
}

/// The form.
pub(super) fn view(env: &Env, words: &TimeWords, run: &Run, shared: &Shared) -> Html {
    let Draft { verb, .. } = run.draft;
    let subjects = verb.subjects(run.timeline.state().objects());
    let subject = run.draft.subject(&subjects);
    let verbs: Vec<(AttrValue, AttrValue)> =
        Verb::ALL.iter().map(|verb| (words.text(name(*verb)), words.text(name(*verb)))).collect();
    let options: Vec<(AttrValue, AttrValue)> =
        subjects.iter().map(|subject| (subject.text(), subject.text())).collect();
    let onverb = edit(env, shared, |run, at| {
        let verb = Verb::ALL.get(at).copied().unwrap_or_default();
        run.draft = Draft { verb, ..Draft::default() };
    });
    let onsubject = edit(env, shared, |run, at| {
        let subjects = run.draft.verb.subjects(run.timeline.state().objects());
        run.draft.subject = subjects.get(at).cloned();
        run.draft.typed.clear();
    });
    let onsubmit = {
        let (shared, send) = (Rc::clone(shared), env.send.clone());
        Callback::from(move |event: SubmitEvent| {
            event.prevent_default();
            let shared = Rc::clone(&shared);
            send.emit(task(move |app| submit(&shared, app)));
        })
    };
    let chosen = subject.as_ref().map(Subject::text).unwrap_or_default();
    let fields = subject.as_ref().map(|subject| filled(run, subject)).unwrap_or_default();
    html! {
        <form class="act row" aria-label={words.text(TimeMsg::ActTitle)} {onsubmit}>
            {choice(Some(words.text(TimeMsg::ActWhat)), &verbs, &words.text(name(verb)), onverb)}
            {choice(Some(words.text(TimeMsg::ActOn)), &options, &chosen, onsubject)}
            {for fields.into_iter().map(|(field, value)| control(env, words, shared, field, value))}
            <button type="submit" class="btn small line" aria-disabled={subject.is_none().to_string()}>
                {words.text(TimeMsg::Act)}
            </button>
        </form>
    }
}

/// What a field is filled in with.
fn control(env: &Env, words: &TimeWords, shared: &Shared, field: Field, value: AttrValue) -> Html {
    let put = {
        let (shared, send) = (Rc::clone(shared), env.send.clone());
        move |text: AttrValue| {
            let shared = Rc::clone(&shared);
            send.emit(task(move |_| {
                shared.borrow_mut().draft.typed.insert(field, text.clone());
            }));
        }
    };
    let label = field.name().map_or_else(|| words.text(TimeMsg::LabelOrImage), AttrValue::from);
    if field == Field::MatchLabelKeys {
        let onchange = Callback::from(move |event: Event| {
            let Some(input) = event.target_dyn_into::<HtmlInputElement>() else { return };
            put(input.checked().to_string().into());
        });
        return html! {
            <label class="row field" key={field as u8}>
                <input type="checkbox" checked={value == "true"} {onchange} /><code>{label}</code>
            </label>
        };
    }
    let oninput = Callback::from(move |event: InputEvent| {
        let Some(input) = event.target_dyn_into::<HtmlInputElement>() else { return };
        put(input.value().into());
    });
    if field == Field::Change {
        return html! {
            <input type="text" class="text wide" key={field as u8} aria-label={label.clone()} placeholder={label} {value}
                autocomplete="off" spellcheck="false" {oninput} />
        };
    }
    let width = if matches!(field, Field::MaxSurge | Field::MaxUnavailable | Field::Replicas) {
        "few"
    } else {
        "narrow"
    };
    html! {
        <label class="row field" key={field as u8}>
            <code>{label}</code>
            <input type="text" class={yew::classes!("text", width)} placeholder={hint(words, field)} {value}
                autocomplete="off" spellcheck="false" {oninput} />
        </label>
    }
}

/// A change of a list, by the place that was chosen.
fn edit(env: &Env, shared: &Shared, change: fn(&mut Run, usize)) -> Callback<Event> {
    let (shared, send) = (Rc::clone(shared), env.send.clone());
    Callback::from(move |event: Event| {
        let Some(select) = event.target_dyn_into::<HtmlSelectElement>() else { return };
        let (shared, at) = (Rc::clone(&shared), select.selected_index().max(0) as usize);
        send.emit(task(move |_| change(&mut shared.borrow_mut(), at)));
    })
}

fn submit(shared: &Shared, app: &mut App) {
    let words = words(app);
    let said = {
        let mut run = shared.borrow_mut();
        let verb = run.draft.verb;
        let (requests, about) = {
            let objects = run.timeline.state().objects();
            let Some(subject) = run.draft.subject(&verb.subjects(objects)) else { return };
            let fields = filled(&run, &subject);
            let typed = |field: Field| {
                let found = fields.iter().find(|(known, _)| *known == field);
                found.map(|(_, value)| value.clone()).unwrap_or_default()
            };
            (verb.requests(objects, &subject, &typed), subject.text())
        };
        match requests {
            None => words.text(TimeMsg::NotTyped),
            Some(requests) => {
                let what = AttrValue::from([&*words.text(name(verb)), ": ", &*about].concat());
                let forked = ask(&mut run, what.clone(), requests);
                run.draft.typed.clear();
                let msg = if forked { TimeMsg::SayForked } else { TimeMsg::SayAsked };
                words.fill(msg, &[("what", &what), ("time", &clock(run.timeline.now()))])
            }
        }
    };
    moment::show(shared, app);
    app.tell(said);
}
