//! Priority and labels.

use super::form::Form;
use crate::app::PodEdit;
use crate::components::{Entry, Shape, changed, choice, entry, small_icon};
use crate::locale::Msg;
use crate::parts::Call;
use crate::view::Mistake;
use std::rc::Rc;
use web_sys::{FormData, HtmlFormElement, SubmitEvent};
use yew::{AttrValue, Callback, Html, TargetCast, html};

/// `priority`, `priorityClassName` and `preemptionPolicy`.
pub(super) fn priority(form: &Form<'_>) -> Html {
    let view = form.view;
    let number = form.text(
        PodEdit::Priority,
        "priority".into(),
        view.priority.to_string().into(),
        "0",
        "text mono narrow",
    );
    html! {
        <section class="block">
            <h3>{form.env.words.text(Msg::Priority)}
                <button type="button" class="btn small" id="edit-rules"
                    onclick={form.env.on(Call::Rules("#edit-rules").into())}>{form.env.words.text(Msg::RulesTitle)}</button>
            </h3>
            <div class="field">
                <span class="row">{class(form)}{number}</span>
                {form.segments("preemptionPolicy", [("PreemptLowerPriority", false), ("Never", true)],
                    view.never_preempts, PodEdit::NeverPreempts)}
                {for ["priorityClassName", "priority", "preemptionPolicy"].map(|control| form.remarks(control))}
                {without_class(form)}
            </div>
        </section>
    }
}

/// The choice of a PriorityClass.
fn class(form: &Form<'_>) -> Html {
    let view = form.view;
    let class = |(name, value): &(AttrValue, i32)| {
        (name.clone(), AttrValue::from([name, " ", &value.to_string()].concat()))
    };
    let mut classes: Vec<_> = view.classes.iter().map(class).collect();
    classes.insert(0, (AttrValue::default(), "–".into()));
    if !classes.iter().any(|(name, _)| *name == view.priority_class) {
        classes.insert(1, (view.priority_class.clone(), view.priority_class.clone()));
    }
    let change = changed(form.with(PodEdit::PriorityClass));
    choice(Some("priorityClassName".into()), &classes, &view.priority_class, change)
}

/// The way round a class that forbids a priority or a policy.
fn without_class(form: &Form<'_>) -> Html {
    if form.view.priority_class.is_empty() {
        return Html::default();
    }
    let typed = |control: &str| Mistake::at(form.mistakes, control).map(|mistake| &mistake.typed);
    let edit = match (typed("priority"), typed("preemptionPolicy")) {
        (Some(number), _) => PodEdit::Priority(number.clone()),
        (None, Some(policy)) => PodEdit::NeverPreempts(policy == "Never"),
        (None, None) => return Html::default(),
    };
    let onclick = form.edit(PodEdit::WithoutClass(Rc::new(edit)));
    html! {
        <button type="button" class="btn small line" {onclick}>{form.env.words.text(Msg::WithoutClass)}</button>
    }
}

/// `metadata.labels`.
pub(super) fn labels(form: &Form<'_>) -> Html {
    let (words, view) = (&form.env.words, form.view);
    html! {
        <section class="block">
            <h3>{words.text(Msg::Labels)}<span class="num">{view.labels.len()}</span></h3>
            <ul class="pairs">
                {for view.labels.iter().map(|label| {
                    let remove = form.edit(PodEdit::Unlabel(label.key.clone()));
                    html! {
                        <li class="tag mono" key={label.key.as_str()}>
                            <span class="clip">{label.key.clone()}{"="}{label.value.clone()}</span>
                            <button type="button" class="bare-x" onclick={remove}
                                aria-label={words.fill(Msg::Remove, &[("what", &label.key)])}>{small_icon(Shape::Cross)}</button>
                        </li>
                    }
                })}
            </ul>
            {new_label(form)}
            <div class="ctl">{form.remarks("labels")}</div>
        </section>
    }
}

fn new_label(form: &Form<'_>) -> Html {
    let (send, pod) = (form.env.send.clone(), form.view.key.clone());
    let onsubmit = Callback::from(move |event: SubmitEvent| {
        event.prevent_default();
        let Some(form) = event.target_dyn_into::<HtmlFormElement>() else { return };
        let text =
            FormData::new_with_form(&form).ok().and_then(|data| data.get("labels").as_string());
        if let Some(text) = text.filter(|text| !text.trim().is_empty()) {
            let edit = PodEdit::Label(text.into());
            send.emit(Call::Field(pod.clone(), edit).into());
        }
    });
    let text = Entry {
        control: "labels".into(),
        label: form.env.words.text(Msg::NewLabel),
        value: Some(AttrValue::default()),
        hint: "key=value",
        class: "text mono",
        change: Callback::noop(),
    };
    html! {
        <form class="row" {onsubmit}>
            {entry(form.mistakes, text)}
            <button type="submit" class="btn small">{small_icon(Shape::Plus)}{form.env.words.text(Msg::Add)}</button>
        </form>
    }
}
