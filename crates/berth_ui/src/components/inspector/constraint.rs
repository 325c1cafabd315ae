//! `topologySpreadConstraints`, field by field.

use crate::app::{Intent, PodEdit};
use crate::components::{Icon, Shape, Stepper};
use crate::env::{Env, use_env};
use crate::locale::Msg;
use crate::view::{ConstraintView, InspectorView};
use std::rc::Rc;
use web_sys::{HtmlInputElement, HtmlSelectElement};
use yew::{AttrValue, Callback, Event, Html, Properties, TargetCast, component, html};

/// Properties of [`Constraints`].
#[derive(PartialEq, Properties)]
pub struct ConstraintsProps {
    /// The pod.
    pub view: Rc<InspectorView>,
}

/// The spread constraints of a pod.
#[component]
pub fn Constraints(props: &ConstraintsProps) -> Html {
    let env = use_env();
    let view = &props.view;
    let add = edit(&env, &view.key, PodEdit::AddConstraint);
    html! {
        <section class="block">
            <h3>{env.words.text(Msg::SpreadConstraints)}<span class="num">{view.constraints.len()}</span>
                <button type="button" class="btn small" onclick={add}><Icon shape={Shape::Plus} small=true />{env.words.text(Msg::Add)}</button>
            </h3>
            {for view.constraints.iter().enumerate().map(|(index, constraint)| rule(&env, view, index, constraint))}
        </section>
    }
}

/// A callback that makes one edit.
fn edit<E>(env: &Env, pod: &AttrValue, edit: PodEdit) -> Callback<E> {
    let pod = pod.clone();
    env.on(move || Intent::Edit { pod: pod.clone(), edit: edit.clone() })
}

/// A callback that makes the edit which a value stands for.
fn with<T: 'static>(env: &Env, pod: &AttrValue, edit: impl Fn(T) -> PodEdit + 'static) -> Callback<T> {
    let (send, pod) = (env.send.clone(), pod.clone());
    Callback::from(move |value| send.emit(Intent::Edit { pod: pod.clone(), edit: edit(value) }))
}

/// The value of the select or input that changed.
pub(super) fn value_of(event: &Event) -> Option<AttrValue> {
    let select = event.target_dyn_into::<HtmlSelectElement>().map(|select| select.value());
    let value = select.or_else(|| event.target_dyn_into::<HtmlInputElement>().map(|input| input.value()));
    value.map(AttrValue::from)
}

fn changed(callback: &Callback<AttrValue>) -> Callback<Event> {
    let callback = callback.clone();
    Callback::from(move |event: Event| {
        if let Some(value) = value_of(&event) {
            callback.emit(value);
        }
    })
}

fn rule(env: &Env, view: &InspectorView, index: usize, constraint: &ConstraintView) -> Html {
    let (words, pod) = (&env.words, &view.key);
    let key = changed(&with(env, pod, move |value| PodEdit::TopologyKey(index, value)));
    let skew = with(env, pod, move |value: Option<i32>| PodEdit::MaxSkew(index, value.unwrap_or(1)));
    let domains = with(env, pod, move |value| PodEdit::MinDomains(index, value));
    let selector = changed(&with(env, pod, move |value| PodEdit::Selector(index, value)));
    let keys = changed(&with(env, pod, move |value| PodEdit::MatchLabelKeys(index, value)));
    let remove = edit(env, pod, PodEdit::RemoveConstraint(index));
    let listed = view.topology_keys.contains(&constraint.topology_key);
    let title = words.fill(Msg::ConstraintTitle, &[("n", &(index + 1).to_string())]);
    html! {
        <fieldset class="rule" key={index}>
            <legend class="vh">{title.clone()}</legend>
            <div class="line">
                <span class="field-name">{"topologyKey"}</span>
                <span class="row">
                    <select class="pick" aria-label="topologyKey" onchange={key}>
                        if !listed { <option value={constraint.topology_key.clone()} selected=true>{constraint.topology_key.clone()}</option> }
                        {for view.topology_keys.iter().map(|key| html! {
                            <option value={key.clone()} selected={*key == constraint.topology_key}>{key.clone()}</option>
                        })}
                    </select>
                    <button type="button" class="btn small icon-only" onclick={remove}
                        aria-label={words.fill(Msg::Remove, &[("what", &title)])}><Icon shape={Shape::Cross} small=true /></button>
                </span>
            </div>
            <div class="line">
                <span class="field-name">{"maxSkew"}</span>
                <span class="row">
                    <Stepper name="maxSkew" value={Some(constraint.max_skew)} change={skew} />
                    {was(env, pod, index, constraint)}
                </span>
            </div>
            <div class="line">
                <span class="field-name">{"minDomains"}</span>
                <span class="row">
                    <Stepper name="minDomains" value={constraint.min_domains} optional=true change={domains} />
                    if constraint.min_domains.is_none() { <span class="note">{words.text(Msg::UnsetCountsAsOne)}</span> }
                </span>
            </div>
            <div class="line">
                <span class="field-name">{"whenUnsatisfiable"}</span>
                {segments(env, pod, "whenUnsatisfiable", [("DoNotSchedule", true), ("ScheduleAnyway", false)], constraint.hard,
                    move |hard| PodEdit::WhenUnsatisfiable(index, hard))}
            </div>
            <div class="line">
                <span class="field-name">{"labelSelector"}</span>
                <span class="row">
                    <input class="text mono" type="text" aria-label="labelSelector" value={constraint.selector.clone()}
                        spellcheck="false" autocomplete="off" placeholder="app=web" onchange={selector} />
                    <span class="note">{words.count(Msg::PodsMatch, constraint.matching)}</span>
                </span>
            </div>
            <div class="line">
                <span class="field-name">{"matchLabelKeys"}</span>
                <input class="text mono" type="text" aria-label="matchLabelKeys" value={constraint.match_label_keys.clone()}
                    spellcheck="false" autocomplete="off" placeholder="–" onchange={keys} />
            </div>
            <div class="line">
                <span class="field-name">{"nodeAffinityPolicy"}</span>
                {segments(env, pod, "nodeAffinityPolicy", [("Honor", true), ("Ignore", false)], constraint.affinity_honored,
                    move |honor| PodEdit::AffinityPolicy(index, honor))}
            </div>
            <div class="line">
                <span class="field-name">{"nodeTaintsPolicy"}</span>
                {segments(env, pod, "nodeTaintsPolicy", [("Honor", true), ("Ignore", false)], constraint.taints_honored,
                    move |honor| PodEdit::TaintsPolicy(index, honor))}
            </div>
        </fieldset>
    }
}

/// That `maxSkew` was edited, and the way back.
fn was(env: &Env, pod: &AttrValue, index: usize, constraint: &ConstraintView) -> Html {
    let Some(before) = constraint.was_max_skew else { return Html::default() };
    let revert = edit(env, pod, PodEdit::MaxSkew(index, before));
    html! {
        <button type="button" class="was" onclick={revert}>
            {env.words.fill(Msg::EditedWas, &[("value", &before.to_string())])}<Icon shape={Shape::Undo} small=true />
        </button>
    }
}

/// Two values side by side.
pub(super) fn segments(
    env: &Env,
    pod: &AttrValue,
    name: &'static str,
    options: [(&'static str, bool); 2],
    current: bool,
    make: impl Fn(bool) -> PodEdit + Clone + 'static,
) -> Html {
    html! {
        <span class="seg" role="group" aria-label={name}>
            {for options.into_iter().map(|(text, value)| {
                let onclick = edit(env, pod, make.clone()(value));
                html! {
                    <button type="button" aria-pressed={(value == current).to_string()} {onclick}>{text}</button>
                }
            })}
        </span>
    }
}
