//! The form that asks for something at the moment.

use super::request::{Verb, fresh_name};
use super::run::{Run, Shared, clock};
use super::{TimeMsg, TimeWords, moment, words};
use crate::app::App;
use crate::components::choice;
use crate::env::Env;
use crate::tool::task;
use berth_core::api::{Kind, ObjectKey};
use std::rc::Rc;
use web_sys::{HtmlInputElement, HtmlSelectElement};
use yew::{AttrValue, Callback, Event, Html, InputEvent, SubmitEvent, TargetCast, html};

/// What is filled in.
#[derive(Clone, Debug, Default)]
pub(super) struct Draft {
    verb: Verb,
    subject: Option<(Kind, ObjectKey)>,
    typed: Option<AttrValue>,
}

impl Draft {
    /// What it is about: what was chosen if it is still there, else the first.
    fn subject(&self, subjects: &[(Kind, ObjectKey)]) -> Option<(Kind, ObjectKey)> {
        let chosen = self.subject.as_ref().filter(|chosen| subjects.contains(chosen));
        chosen.or_else(|| subjects.first()).cloned()
    }

    /// What stands in the field.
    fn typed(&self, run: &Run, subject: Option<&(Kind, ObjectKey)>) -> AttrValue {
        match (&self.typed, self.verb, subject) {
            (Some(typed), ..) => typed.clone(),
            (None, Verb::AddNode, Some((_, like))) => {
                fresh_name(run.timeline.state().objects(), &like.name).into()
            }
            _ => AttrValue::default(),
        }
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
        Verb::Scale => TimeMsg::ActScale,
        Verb::Rollout => TimeMsg::ActRollout,
    }
}

/// What the field takes, with an example; none if there is no field.
fn field(words: &TimeWords, verb: Verb) -> Option<(AttrValue, AttrValue)> {
    Some(match verb {
        Verb::AddNode => ("metadata.name".into(), AttrValue::default()),
        Verb::Delete | Verb::Evict | Verb::Drain => {
            ("gracePeriodSeconds".into(), words.text(TimeMsg::ItsOwn))
        }
        Verb::Down | Verb::Up => return None,
        Verb::Scale => ("replicas".into(), "3".into()),
        Verb::Rollout => (words.text(TimeMsg::LabelOrImage), "version=2".into()),
    })
}

fn written((kind, key): &(Kind, ObjectKey)) -> AttrValue {
    match kind {
        Kind::Node => key.name.clone().into(),
        Kind::Workload(kind) => format!("{} {key}", kind.as_str()).into(),
        _ => key.to_string().into(),
    }
}

/// The form.
pub(super) fn view(env: &Env, words: &TimeWords, run: &Run, shared: &Shared) -> Html {
    let Draft { verb, .. } = run.draft;
    let subjects = verb.subjects(run.timeline.state().objects());
    let subject = run.draft.subject(&subjects);
    let verbs: Vec<(AttrValue, AttrValue)> =
        Verb::ALL.iter().map(|verb| (words.text(name(*verb)), words.text(name(*verb)))).collect();
    let options: Vec<(AttrValue, AttrValue)> =
        subjects.iter().map(|subject| (written(subject), written(subject))).collect();
    let onverb = edit(env, shared, |run, at| {
        let verb = Verb::ALL.get(at).copied().unwrap_or_default();
        run.draft = Draft { verb, ..Draft::default() };
    });
    let onsubject = edit(env, shared, |run, at| {
        let subjects = run.draft.verb.subjects(run.timeline.state().objects());
        run.draft.subject = subjects.get(at).cloned();
        run.draft.typed = None;
    });
    let oninput = {
        let (shared, send) = (Rc::clone(shared), env.send.clone());
        Callback::from(move |event: InputEvent| {
            let Some(input) = event.target_dyn_into::<HtmlInputElement>() else { return };
            let (shared, typed) = (Rc::clone(&shared), AttrValue::from(input.value()));
            send.emit(task(move |_| shared.borrow_mut().draft.typed = Some(typed.clone())));
        })
    };
    let onsubmit = {
        let (shared, send) = (Rc::clone(shared), env.send.clone());
        Callback::from(move |event: SubmitEvent| {
            event.prevent_default();
            let shared = Rc::clone(&shared);
            send.emit(task(move |app| submit(&shared, app)));
        })
    };
    let written = subject.as_ref().map(written).unwrap_or_default();
    html! {
        <form class="act row" aria-label={words.text(TimeMsg::ActTitle)} {onsubmit}>
            {choice(Some(words.text(TimeMsg::ActWhat)), &verbs, &words.text(name(verb)), onverb)}
            {choice(Some(words.text(TimeMsg::ActOn)), &options, &written, onsubject)}
            if let Some((label, hint)) = field(words, verb) {
                <input type="text" class="text narrow" aria-label={label.clone()} placeholder={if hint.is_empty() { label } else { hint }}
                    value={run.draft.typed(run, subject.as_ref())} autocomplete="off" spellcheck="false" {oninput} />
            }
            <button type="submit" class="btn small line" aria-disabled={subject.is_none().to_string()}>
                {words.text(TimeMsg::Act)}
            </button>
        </form>
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
        let (request, about) = {
            let objects = run.timeline.state().objects();
            let Some(subject) = run.draft.subject(&verb.subjects(objects)) else { return };
            let typed = run.draft.typed(&run, Some(&subject));
            (verb.request(objects, &subject, &typed), written(&subject))
        };
        match request {
            None => words.text(TimeMsg::NotTyped),
            Some(request) => {
                let before = run.timeline.current();
                run.timeline.act(request);
                run.draft.typed = None;
                run.looked = None;
                let forked = run.timeline.current() != before;
                let msg = if forked { TimeMsg::SayForked } else { TimeMsg::SayAsked };
                let what = [&*words.text(name(verb)), ": ", &*about].concat();
                words.fill(msg, &[("what", &what), ("time", &clock(run.timeline.now()))])
            }
        }
    };
    moment::show(shared, app);
    app.tell(said);
}
