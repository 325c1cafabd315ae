//! What can be done right now, at the foot of the board: while something is held, its keys; after
//! a refused drop, the way round it; with a node selected, moving it.

use super::{Shape, icon};
use crate::app::Intent;
use crate::drag::{By, Drag, Input, Subject};
use crate::env::Env;
use crate::locale::Msg;
use crate::state::AppState;
use yew::{AttrValue, Html, html};

/// The action bar; nothing when nothing is going on.
pub fn action_bar(env: &Env, state: &AppState) -> Html {
    if let Drag::Held { subject, by, .. } = &state.drag {
        return holding(env, subject, *by);
    }
    if let Some((pod, node)) = &state.refused {
        return refused(env, pod, node);
    }
    state.node.as_ref().map_or_else(Html::default, |node| selected(env, node))
}

fn holding(env: &Env, subject: &Subject, by: By) -> Html {
    let words = &env.words;
    let name = match subject {
        Subject::Pod(key) => short(key),
        Subject::Node(name) => name.clone(),
    };
    let cancel = env.on(Intent::Drag(Input::Abort));
    html! {
        <div class="hint">
            <span>{words.text(Msg::Moving)}{" "}<b>{name}</b></span>
            if by == By::Taps {
                <span>{words.text(if matches!(subject, Subject::Pod(_)) { Msg::TapNode } else { Msg::TapZone })}</span>
                <button type="button" class="btn small line" onclick={cancel}>{words.text(Msg::Cancel)}</button>
            } else {
                if by == By::Keys {
                    <span class="row"><kbd>{"←"}</kbd><kbd>{"→"}</kbd>{words.text(Msg::KeyZone)}</span>
                    <span class="row"><kbd>{"↑"}</kbd><kbd>{"↓"}</kbd>{words.text(Msg::KeyNode)}</span>
                    <span class="row"><kbd>{"Enter"}</kbd>{words.text(Msg::KeyDrop)}</span>
                } else if matches!(subject, Subject::Pod(_)) {
                    <span class="row"><kbd>{"Alt"}</kbd>{words.text(Msg::KeyBypass)}</span>
                }
                <span class="row"><kbd>{"Esc"}</kbd>{words.text(Msg::KeyCancel)}</span>
            }
        </div>
    }
}

fn refused(env: &Env, pod: &AttrValue, node: &AttrValue) -> Html {
    let place = env.on(Intent::Place { pod: pod.clone(), node: node.clone(), bypass: true });
    let text = env.words.fill(Msg::WasRefused, &[("node", node), ("pod", &short(pod))]);
    html! {
        <div class="hint">
            {icon(Shape::Cross)}<span>{text}</span>
            <button type="button" class="btn small line" onclick={place}>{env.words.text(Msg::PlaceAnyway)}</button>
        </div>
    }
}

fn selected(env: &Env, node: &AttrValue) -> Html {
    let subject = Subject::Node(node.clone());
    let lift = env.on(Intent::Drag(Input::Lift { subject, by: By::Taps, over: None }));
    html! {
        <div class="hint">
            <span><b>{node.clone()}</b></span>
            <button type="button" class="btn small line" onclick={lift}>{env.words.text(Msg::MoveTo)}</button>
            <button type="button" class="btn small icon-only" aria-label={env.words.text(Msg::Close)}
                onclick={env.on(Intent::SelectNode(None))}>{icon(Shape::Cross)}</button>
        </div>
    }
}

/// The name without its namespace.
fn short(key: &AttrValue) -> AttrValue {
    key.split_once('/').map_or_else(|| key.clone(), |(_, name)| AttrValue::from(name.to_owned()))
}
