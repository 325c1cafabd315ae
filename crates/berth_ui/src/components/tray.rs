//! Pods that wait for a node, and what the columns of the board stand for.

use super::choice::plain;
use super::{PodChip, choice};
use crate::app::Intent;
use crate::env::Env;
use crate::locale::Msg;
use crate::state::{Action, AppState};
use crate::view::ClusterView;
use std::rc::Rc;
use web_sys::HtmlSelectElement;
use yew::{Callback, Event, Html, TargetCast, html};

/// The tray.
pub fn tray(env: &Env, cluster: &ClusterView, state: &AppState) -> Html {
    let words = &env.words;
    let (selected, held) = (state.selected.as_ref(), state.drag.held_pod());
    let pending = &cluster.pending;
    // The Tab key stops at the selected pod, or at the first.
    let stop = pending
        .iter()
        .find(|pod| selected == Some(&pod.key))
        .or_else(|| pending.first())
        .map(|pod| pod.key.clone());
    html! {
        <section class="queue" aria-label={words.text(Msg::Queue)}>
            <div class="lane">
                <h2>{words.text(Msg::Pending)}{" "}<span class="num">{pending.len()}</span></h2>
                if pending.is_empty() {
                    <p class="dimmer">{words.text(Msg::NothingPending)}</p>
                } else {
                    <ul class="row" data-tray="true">
                        {for pending.iter().map(|pod| html! {
                            <li key={pod.key.as_str()}>
                                <PodChip pod={Rc::clone(pod)} selected={selected == Some(&pod.key)}
                                    slot={held == Some(&pod.key)}
                                    tab_stop={stop.as_ref() == Some(&pod.key)} />
                            </li>
                        })}
                    </ul>
                }
            </div>
            {columns(env, cluster)}
        </section>
    }
}

fn columns(env: &Env, cluster: &ClusterView) -> Html {
    if cluster.keys.is_empty() {
        return Html::default();
    }
    let send = env.send.clone();
    let onchange = Callback::from(move |event: Event| {
        if let Some(select) = event.target_dyn_into::<HtmlSelectElement>() {
            send.emit(Intent::Do(Action::Columns(select.value().into())));
        }
    });
    html! {
        <label class="columns">
            <span>{env.words.text(Msg::Columns)}</span>
            {choice(None, &plain(&cluster.keys), &cluster.key, onchange)}
        </label>
    }
}
