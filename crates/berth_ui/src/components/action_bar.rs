//! What can be done right now, at the foot of the board: while something is held, its keys; after
//! a refused drop, the way round it; with a node selected, moving it.

use super::{Icon, Shape};
use crate::app::Intent;
use crate::drag::{By, Drag, Input, Subject};
use crate::env::{Env, use_env};
use crate::locale::Msg;
use yew::{AttrValue, Html, Properties, component, html};

/// Properties of [`ActionBar`].
#[derive(PartialEq, Properties)]
pub struct ActionBarProps {
    /// The drag machine.
    pub drag: Drag,
    /// The selected node.
    pub node: Option<AttrValue>,
    /// The pod and the node that refused it.
    pub refused: Option<(AttrValue, AttrValue)>,
}

/// The action bar; nothing when nothing is going on.
#[component]
pub fn ActionBar(props: &ActionBarProps) -> Html {
    let env = use_env();
    if let Drag::Held { subject, by, .. } = &props.drag {
        return holding(&env, subject, *by);
    }
    if let Some((pod, node)) = &props.refused {
        return refused(&env, pod, node);
    }
    match &props.node {
        Some(node) => selected(&env, node),
        None => Html::default(),
    }
}

fn holding(env: &Env, subject: &Subject, by: By) -> Html {
    let words = &env.words;
    let name = match subject {
        Subject::Pod(key) => short(key),
        Subject::Node(name) => name.clone(),
    };
    let cancel = env.on(|| Intent::Drag(Input::Abort));
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
    let place = {
        let (pod, node) = (pod.clone(), node.clone());
        env.on(move || Intent::Place { pod: pod.clone(), node: node.clone(), bypass: true })
    };
    let text = env.words.fill(Msg::WasRefused, &[("node", node), ("pod", &short(pod))]);
    html! {
        <div class="hint">
            <Icon shape={Shape::Cross} /><span>{text}</span>
            <button type="button" class="btn small line" onclick={place}>{env.words.text(Msg::PlaceAnyway)}</button>
        </div>
    }
}

fn selected(env: &Env, node: &AttrValue) -> Html {
    let lift = {
        let node = node.clone();
        env.on(move || {
            Intent::Drag(Input::Lift { subject: Subject::Node(node.clone()), by: By::Taps, over: None })
        })
    };
    html! {
        <div class="hint">
            <span><b>{node.clone()}</b></span>
            <button type="button" class="btn small line" onclick={lift}>{env.words.text(Msg::MoveTo)}</button>
            <button type="button" class="btn small icon-only" aria-label={env.words.text(Msg::Close)}
                onclick={env.on(|| Intent::SelectNode(None))}><Icon shape={Shape::Cross} /></button>
        </div>
    }
}

/// The name without its namespace.
fn short(key: &AttrValue) -> AttrValue {
    key.split_once('/').map_or_else(|| key.clone(), |(_, name)| AttrValue::from(name.to_owned()))
}
