//! The outcome: headline, event, the plugins that refused, and what can be done.

use crate::app::Intent;
use crate::components::{Shape, icon, small_icon};
use crate::drag::{By, Input, Subject};
use crate::env::Env;
use crate::locale::Msg;
use crate::parts::Call;
use crate::state::Tab;
use crate::view::{InspectorView, MadeRoom, Overruled};
use yew::{AttrValue, Html, html};

/// The verdict.
pub(super) fn block(env: &Env, view: &InspectorView) -> Html {
    let fits = view.headline.feasible > 0;
    html! {
        <section class="block verdict" aria-label={env.words.text(Msg::Verdict)}>
            <p class={if fits { "lead c-fit" } else { "lead c-reject" }}>
                {icon(if fits { Shape::Check } else { Shape::Cross })}
                <span>{headline(env, view)}</span>
                <span class="tag">{view.event.reason.clone()}</span>
            </p>
            <p class="event">{view.event.message.clone()}</p>
            {bypassed(env, view)}
            {for view.marks.iter().map(|mark| html! {
                <p class="mark c-warn">{small_icon(Shape::Alert)}<span>{mark.clone()}</span></p>
            })}
            {refusals(env, &view.refusals)}
            {actions(env, view)}
        </section>
    }
}

fn headline(env: &Env, view: &InspectorView) -> AttrValue {
    let (words, headline) = (&env.words, &view.headline);
    if headline.gated {
        return words.text(Msg::HeadlineGated);
    }
    let (feasible, nodes) = (headline.feasible.to_string(), headline.nodes.to_string());
    let room = view.preemption.as_ref().and_then(|found| found.node.clone());
    let winner = headline.winner.clone().or_else(|| room.clone()).unwrap_or_default();
    let tied = headline.tied.to_string();
    let msg = match headline.tied {
        0 if room.is_some() => Msg::HeadlinePreempts,
        0 => Msg::HeadlineNone,
        1 => Msg::HeadlineWins,
        _ => Msg::HeadlineTie,
    };
    words.fill(msg, &[("n", &feasible), ("of", &nodes), ("node", &winner), ("tied", &tied)])
}

fn bypassed(env: &Env, view: &InspectorView) -> Html {
    let (Some(overruled), Some(node)) = (&view.bypassed, &view.node) else {
        return Html::default();
    };
    let text = match overruled {
        Overruled::Allowed => env.words.fill(Msg::BypassedAllowed, &[("node", node)]),
        Overruled::Refused(reason) => {
            env.words.fill(Msg::BypassedRefused, &[("node", node), ("reason", reason)])
        }
    };
    html! { <p class="mark c-warn">{small_icon(Shape::Alert)}<span>{text}</span></p> }
}

/// Buttons that lead to the plugin's first refusal in the Filter matrix.
fn refusals(env: &Env, refusals: &[(AttrValue, u32)]) -> Html {
    if refusals.is_empty() {
        return Html::default();
    }
    html! {
        <ul class="why row">
            <li class="c-reject">{small_icon(Shape::Cross)}<span class="vh">{env.words.text(Msg::RefusedBy)}</span></li>
            {for refusals.iter().map(|(plugin, nodes)| {
                let jump = env.on(Intent::OpenRefusal(plugin.clone()));
                html! {
                    <li key={plugin.as_str()}>
                        <button type="button" class="tag" onclick={jump}>{plugin.clone()}{" "}<b>{*nodes}</b></button>
                    </li>
                }
            })}
        </ul>
    }
}

fn actions(env: &Env, view: &InspectorView) -> Html {
    let subject = Subject::Pod(view.key.clone());
    let lift = env.on(Intent::Drag(Input::Lift { subject, by: By::Taps, over: None }));
    let schedule = env.on(Intent::Schedule(view.key.clone()));
    html! {
        <div class="row actions">
            <button type="button" class="btn line" onclick={lift}>{icon(Shape::Move)}{env.words.text(Msg::MoveTo)}</button>
            <button type="button" class="btn line" id="open-why" onclick={env.on(Call::Why(true).into())}>{env.words.text(Msg::Why)}</button>
            if view.node.is_none() {
                <button type="button" class="btn line" onclick={schedule}>{env.words.text(Msg::Schedule)}</button>
                if view.headline.feasible == 0 {
                    <button type="button" class="btn line" onclick={env.on(Intent::OpenTab(Tab::Advice))}>
                        {env.words.text(Msg::WhatHelps)}
                    </button>
                }
                if let Some(MadeRoom { node: Some(_), .. }) = &view.preemption {
                    <button type="button" class="btn line" onclick={env.on(Intent::Preempt(view.key.clone()))}>
                        {env.words.text(Msg::Preempt)}
                    </button>
                }
            } else {
                {back(env, view)}
            }
        </div>
    }
}

/// Takes the pod off its node again.
fn back(env: &Env, view: &InspectorView) -> Html {
    let release = env.on(Intent::Release(view.key.clone()));
    html! { <button type="button" class="btn line" onclick={release}>{env.words.text(Msg::BackToPending)}</button> }
}
