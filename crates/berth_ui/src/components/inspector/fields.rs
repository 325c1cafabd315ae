//! Priority and labels.

use super::constraint::{segments, value_of};
use crate::app::{Intent, PodEdit};
use crate::components::{Shape, choice, small_icon};
use crate::env::Env;
use crate::locale::Msg;
use crate::view::InspectorView;
use web_sys::{FormData, HtmlFormElement, SubmitEvent};
use yew::{AttrValue, Callback, Event, Html, TargetCast, html};

/// `priority`, `priorityClassName` and `preemptionPolicy`.
pub(super) fn priority(env: &Env, view: &InspectorView) -> Html {
    let number = {
        let (send, pod) = (env.send.clone(), view.key.clone());
        Callback::from(move |event: Event| {
            if let Some(priority) = value_of(&event).and_then(|value| value.trim().parse().ok()) {
                send.emit(Intent::Edit { pod: pod.clone(), edit: PodEdit::Priority(priority) });
            }
        })
    };
    html! {
        <section class="block">
            <h3>{env.words.text(Msg::Priority)}</h3>
            <div class="field">
                <span class="row">
                    {class(env, view)}
                    <input class="text mono narrow" type="text" inputmode="numeric" aria-label="priority" autocomplete="off"
                        value={view.priority.to_string()} onchange={number} />
                </span>
                {segments(env, &view.key, "preemptionPolicy", [("PreemptLowerPriority", false), ("Never", true)],
                    view.never_preempts, PodEdit::NeverPreempts)}
            </div>
        </section>
    }
}

/// The choice of a PriorityClass, where the cluster has any.
fn class(env: &Env, view: &InspectorView) -> Html {
    if view.classes.is_empty() {
        return Html::default();
    }
    let (send, pod) = (env.send.clone(), view.key.clone());
    let onchange = Callback::from(move |event: Event| {
        if let Some(name) = value_of(&event) {
            send.emit(Intent::Edit { pod: pod.clone(), edit: PodEdit::PriorityClass(name) });
        }
    });
    let class = |(name, value): &(AttrValue, i32)| {
        (name.clone(), AttrValue::from([name, " ", &value.to_string()].concat()))
    };
    let mut classes: Vec<_> = view.classes.iter().map(class).collect();
    if !view.classes.iter().any(|(name, _)| *name == view.priority_class) {
        classes.insert(0, (view.priority_class.clone(), "–".into()));
    }
    choice(Some("priorityClassName".into()), &classes, &view.priority_class, onchange)
}

/// `metadata.labels`.
pub(super) fn labels(env: &Env, view: &InspectorView) -> Html {
    let words = &env.words;
    html! {
        <section class="block">
            <h3>{words.text(Msg::Labels)}<span class="num">{view.labels.len()}</span></h3>
            <ul class="pairs">
                {for view.labels.iter().map(|label| {
                    let edit = PodEdit::Label(label.key.clone(), None);
                    let remove = env.on(Intent::Edit { pod: view.key.clone(), edit });
                    html! {
                        <li class="tag mono" key={label.key.as_str()}>
                            <span class="clip">{label.key.clone()}{"="}{label.value.clone()}</span>
                            <button type="button" class="bare-x" onclick={remove}
                                aria-label={words.fill(Msg::Remove, &[("what", &label.key)])}>{small_icon(Shape::Cross)}</button>
                        </li>
                    }
                })}
            </ul>
            {new_label(env, view)}
        </section>
    }
}

fn new_label(env: &Env, view: &InspectorView) -> Html {
    let (send, pod) = (env.send.clone(), view.key.clone());
    let onsubmit = Callback::from(move |event: SubmitEvent| {
        event.prevent_default();
        let Some(form) = event.target_dyn_into::<HtmlFormElement>() else { return };
        let text =
            FormData::new_with_form(&form).ok().and_then(|data| data.get("label").as_string());
        if let Some((key, value)) = text.as_deref().and_then(|text| text.trim().split_once('=')) {
            let edit = PodEdit::Label(key.to_owned().into(), Some(value.to_owned().into()));
            send.emit(Intent::Edit { pod: pod.clone(), edit });
            form.reset();
        }
    });
    html! {
        <form class="row" {onsubmit}>
            <input class="text mono" type="text" name="label" placeholder="key=value" spellcheck="false"
                autocomplete="off" aria-label={env.words.text(Msg::NewLabel)} />
            <button type="submit" class="btn small">{small_icon(Shape::Plus)}{env.words.text(Msg::Add)}</button>
        </form>
    }
}
