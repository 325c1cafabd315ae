//! The scheduling queue, lane by lane, and what the columns of the board stand for.

use super::choice::plain;
use super::top_bar::menu_button;
use super::{PodChip, Shape, choice, icon, small_icon};
use crate::app::Intent;
use crate::env::Env;
use crate::locale::Msg;
use crate::parts::Call;
use crate::state::{Action, AppState};
use crate::time::Tick;
use crate::view::{ClusterView, Lane, PodChipView};
use std::rc::Rc;
use web_sys::HtmlSelectElement;
use yew::{AttrValue, Callback, Event, Html, TargetCast, html};

/// The tray.
pub fn tray(env: &Env, cluster: &ClusterView, state: &AppState) -> Html {
    let words = &env.words;
    let pending = &cluster.pending;
    // The Tab key stops at the selected pod, or at the first.
    let selected = state.selected.as_ref();
    let stop = pending.iter().find(|pod| selected == Some(&pod.key)).or_else(|| pending.first());
    let stop = stop.map(|pod| &pod.key);
    let mut from = 0;
    let mut lanes: Vec<Html> = Vec::new();
    for &(name, count) in &cluster.lanes {
        let pods = pending.get(from..from + count).unwrap_or_default();
        from += count;
        lanes.push(lane(env, state, name, pods, stop));
    }
    html! {
        <section class="queue" data-drop="queue" aria-label={words.text(Msg::Queue)}>
            if lanes.is_empty() {
                <div class="lane"><h2>{words.text(Msg::Pending)}</h2><p class="dimmer">{words.text(Msg::NothingPending)}</p></div>
            } else {
                <div class="lanes" data-tray="true">{for lanes}</div>
            }
            <div class="row work">
                {menu_button(env, &words.text(Msg::Queue))}
                {work(env, cluster, Shape::Step, Msg::ScheduleNext, false)}
                {work(env, cluster, Shape::Forward, Msg::ScheduleAll, true)}
                {other(env, Shape::Table, Msg::TableView, "T", Call::Scale { table: true })}
                {other(env, Shape::Clock, Msg::SimulateTime, "S", Call::Time(Tick::Open))}
            </div>
            {columns(env, cluster)}
        </section>
    }
}

fn lane(
    env: &Env,
    state: &AppState,
    lane: Lane,
    pods: &[Rc<PodChipView>],
    stop: Option<&AttrValue>,
) -> Html {
    let (shape, msg) = match lane {
        Lane::Active => (Shape::Right, Msg::Active),
        Lane::Backoff => (Shape::Clock, Msg::Backoff),
        Lane::Unschedulable => (Shape::Cross, Msg::Unschedulable),
        Lane::Gated => (Shape::Lock, Msg::Gated),
        Lane::Outside => (Shape::Ban, Msg::NoScheduler),
    };
    let (selected, held) = (state.selected.as_ref(), state.drag.held_pod());
    let name = env.words.text(msg);
    html! {
        <div class="lane" key={name.as_str()}>
            <h2>{small_icon(shape)}{name.clone()}{" "}<span class="num">{pods.len()}</span></h2>
            <ul class="row" aria-label={name}>
                {for pods.iter().map(|pod| html! {
                    <li key={pod.key.as_str()}>
                        <PodChip pod={Rc::clone(pod)} selected={selected == Some(&pod.key)}
                            slot={held == Some(&pod.key)} tab_stop={stop == Some(&pod.key)} />
                    </li>
                })}
            </ul>
        </div>
    }
}

/// A button that lets the scheduler work.
fn work(env: &Env, cluster: &ClusterView, shape: Shape, msg: Msg, all: bool) -> Html {
    let text = env.words.text(msg);
    let onclick = if cluster.has_next { env.on(Call::Run(all).into()) } else { Callback::noop() };
    html! {
        <button type="button" class="btn line" aria-label={text.clone()} title={text.clone()}
            aria-disabled={(!cluster.has_next).to_string()} {onclick}>
            {icon(shape)}<span class="hide-m">{text}</span>
        </button>
    }
}

/// A button that shows the cluster in another way.
fn other(env: &Env, shape: Shape, msg: Msg, key: &'static str, call: Call) -> Html {
    let text = env.words.text(msg);
    html! {
        <button type="button" class="btn line icon-only hide-s" aria-label={text.clone()} title={text} aria-keyshortcuts={key}
            onclick={env.on(Intent::Call(call))}>{icon(shape)}</button>
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
