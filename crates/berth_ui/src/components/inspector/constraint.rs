//! `topologySpreadConstraints`, field by field.

use crate::app::{Intent, PodEdit};
use crate::components::choice::plain;
use crate::components::{Shape, Stepper, choice, small_icon, stepper};
use crate::env::Env;
use crate::locale::Msg;
use crate::view::{ConstraintView, InspectorView};
use web_sys::{HtmlInputElement, HtmlSelectElement};
use yew::{AttrValue, Callback, Event, Html, TargetCast, html};

/// The spread constraints of a pod.
pub(super) fn block(env: &Env, view: &InspectorView) -> Html {
    let add = edit(env, &view.key, PodEdit::AddConstraint);
    html! {
        <section class="block">
            <h3>{env.words.text(Msg::SpreadConstraints)}<span class="num">{view.constraints.len()}</span>
                <button type="button" class="btn small" onclick={add}>{small_icon(Shape::Plus)}{env.words.text(Msg::Add)}</button>
            </h3>
            {for view.constraints.iter().enumerate().map(|(index, constraint)| rule(env, view, index, constraint))}
        </section>
    }
}

/// A callback that makes one edit.
fn edit<E: 'static>(env: &Env, pod: &AttrValue, edit: PodEdit) -> Callback<E> {
    env.on(Intent::Edit { pod: pod.clone(), edit })
}

/// A callback that makes the edit which a value stands for.
fn with<T: 'static>(
    env: &Env,
    pod: &AttrValue,
    edit: impl Fn(T) -> PodEdit + 'static,
) -> Callback<T> {
    let (send, pod) = (env.send.clone(), pod.clone());
    Callback::from(move |value| send.emit(Intent::Edit { pod: pod.clone(), edit: edit(value) }))
}

/// The value of the select or input that changed.
pub(super) fn value_of(event: &Event) -> Option<AttrValue> {
    let select = event.target_dyn_into::<HtmlSelectElement>().map(|select| select.value());
    let value =
        select.or_else(|| event.target_dyn_into::<HtmlInputElement>().map(|input| input.value()));
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

/// One constraint; the second and later ones are folded to a line.
fn rule(env: &Env, view: &InspectorView, index: usize, constraint: &ConstraintView) -> Html {
    let title = env.words.fill(Msg::ConstraintTitle, &[("n", &(index + 1).to_string())]);
    let fields = fields(env, view, index, constraint, &title);
    if index == 0 {
        return html! { <fieldset class="rule" key={index}><legend class="vh">{title}</legend>{fields}</fieldset> };
    }
    let when = if constraint.hard { "DoNotSchedule" } else { "ScheduleAnyway" };
    html! {
        <details class="rule" key={index}>
            <summary class="mono">
                {constraint.topology_key.clone()}{" · maxSkew "}{constraint.max_skew}{" · "}{when}
            </summary>
            {fields}
        </details>
    }
}

fn fields(
    env: &Env,
    view: &InspectorView,
    index: usize,
    constraint: &ConstraintView,
    title: &str,
) -> Html {
    let (words, pod) = (&env.words, &view.key);
    let key = changed(&with(env, pod, move |value| PodEdit::TopologyKey(index, value)));
    let skew =
        with(env, pod, move |value: Option<i32>| PodEdit::MaxSkew(index, value.unwrap_or(1)));
    let domains = with(env, pod, move |value| PodEdit::MinDomains(index, value));
    let selector = changed(&with(env, pod, move |value| PodEdit::Selector(index, value)));
    let remove = edit(env, pod, PodEdit::RemoveConstraint(index));
    let skew = Stepper {
        name: "maxSkew",
        value: Some(constraint.max_skew),
        optional: false,
        change: skew,
    };
    let domains = Stepper {
        name: "minDomains",
        value: constraint.min_domains,
        optional: true,
        change: domains,
    };
    let removal = words.fill(Msg::Remove, &[("what", title)]);
    html! {
        <>
            {line("topologyKey", html! {
                <span class="row">
                    {topology_key(view, constraint, key)}
                    <button type="button" class="btn small icon-only" onclick={remove} aria-label={removal}>
                        {small_icon(Shape::Cross)}
                    </button>
                </span>
            })}
            {line("maxSkew", html! {
                <span class="row">{stepper(env, &skew)}{was(env, pod, index, constraint)}</span>
            })}
            {line("minDomains", html! {
                <span class="row">
                    {stepper(env, &domains)}
                    if constraint.min_domains.is_none() {
                        <span class="note">{words.text(Msg::UnsetCountsAsOne)}</span>
                    }
                </span>
            })}
            {line("whenUnsatisfiable", segments(env, pod, "whenUnsatisfiable",
                [("DoNotSchedule", true), ("ScheduleAnyway", false)], constraint.hard,
                move |hard| PodEdit::WhenUnsatisfiable(index, hard)))}
            {line("labelSelector", html! {
                <span class="row">
                    <input class="text" type="text" aria-label="labelSelector" value={constraint.selector.clone()}
                        spellcheck="false" autocomplete="off" placeholder="app=web" onchange={selector} />
                    if let Some(counted) = constraint.counted {
                        <span class="note">{words.count(Msg::PodsMatch, counted)}</span>
                    }
                </span>
            })}
            {match_label_keys(env, pod, index, constraint)}
            {line("nodeAffinityPolicy", segments(env, pod, "nodeAffinityPolicy", POLICIES,
                constraint.affinity_honored, move |honor| PodEdit::AffinityPolicy(index, honor)))}
            {line("nodeTaintsPolicy", segments(env, pod, "nodeTaintsPolicy", POLICIES,
                constraint.taints_honored, move |honor| PodEdit::TaintsPolicy(index, honor)))}
        </>
    }
}

const POLICIES: [(&str, bool); 2] = [("Honor", true), ("Ignore", false)];

/// A field's name and its control.
fn line(name: &'static str, control: Html) -> Html {
    html! { <div class="line"><span class="field-name">{name}</span>{control}</div> }
}

fn topology_key(
    view: &InspectorView,
    constraint: &ConstraintView,
    onchange: Callback<Event>,
) -> Html {
    let own = &constraint.topology_key;
    let mut keys = plain(&view.topology_keys);
    if !view.topology_keys.contains(own) {
        keys.insert(0, (own.clone(), own.clone()));
    }
    choice(Some("topologyKey".into()), &keys, own, onchange)
}

/// `matchLabelKeys`, where the constraint has any.
fn match_label_keys(env: &Env, pod: &AttrValue, index: usize, constraint: &ConstraintView) -> Html {
    if constraint.match_label_keys.is_empty() {
        return Html::default();
    }
    let keys = changed(&with(env, pod, move |value| PodEdit::MatchLabelKeys(index, value)));
    line(
        "matchLabelKeys",
        html! {
            <input class="text" type="text" aria-label="matchLabelKeys" value={constraint.match_label_keys.clone()}
                spellcheck="false" autocomplete="off" onchange={keys} />
        },
    )
}

/// That `maxSkew` was edited, and the way back.
fn was(env: &Env, pod: &AttrValue, index: usize, constraint: &ConstraintView) -> Html {
    let Some(before) = constraint.was_max_skew else { return Html::default() };
    let revert = edit(env, pod, PodEdit::MaxSkew(index, before));
    html! {
        <button type="button" class="was" onclick={revert}>
            {env.words.fill(Msg::EditedWas, &[("value", &before.to_string())])}{small_icon(Shape::Undo)}
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
