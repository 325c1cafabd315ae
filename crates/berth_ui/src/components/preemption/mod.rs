//! The Preemption tab: what came out of it, the candidates with their steps, what they were compared by, and the nodes
//! that preemption does not help on.

mod criteria;
mod steps;

use super::icon::{Shape, icon};
use super::{equation_chip, tile};
use crate::locale::{RoomMsg, RoomWords};
use crate::view::{Candidate, OtherNode, PodMark, PreemptionView, Refusal};
use std::rc::Rc;
use yew::{
    AttrValue, Callback, Html, MouseEvent, Properties, classes, component, html, use_state_eq,
};

/// Properties of [`PreemptionPanel`].
#[derive(PartialEq, Properties)]
pub struct PreemptionPanelProps {
    /// What it shows.
    pub view: Rc<PreemptionView>,
    /// The words.
    pub words: RoomWords,
}

/// The panel of the Preemption tab.
#[component]
pub fn PreemptionPanel(props: &PreemptionPanelProps) -> Html {
    // Until something is opened or closed by hand, the chosen candidate is open.
    let by_hand = use_state_eq(|| None::<Option<AttrValue>>);
    let (words, view) = (&props.words, &props.view);
    let chosen = view.candidates.iter().find(|candidate| candidate.chosen);
    let open = match &*by_hand {
        Some(open) => open.clone(),
        None => chosen.map(|candidate| candidate.node.clone()),
    };
    let toggle = |node: &AttrValue| {
        let (by_hand, node) = (by_hand.clone(), node.clone());
        let close = open.as_ref() == Some(&node);
        Callback::from(move |_: MouseEvent| by_hand.set(Some((!close).then(|| node.clone()))))
    };
    let others = view.others.len() as u32 + view.others_hidden;
    html! {
        <div class="panel" role="tabpanel" id="tab-panel" aria-labelledby="tab-preemption">
            <div class="room">
                {for view.outcome.iter().map(|line| html! { <p>{line.clone()}</p> })}
            </div>
            if !view.candidates.is_empty() {
                <p class="cap-line">
                    <span>{words.count(RoomMsg::RoomCandidates, view.candidates.len() as u32 + view.hidden)}</span>
                    <span>{words.text(RoomMsg::RoomVictims)}</span>
                </p>
                <ul class="cand">
                    {for view.candidates.iter().map(|candidate| {
                        let open = open.as_ref() == Some(&candidate.node);
                        line(words, candidate, open, toggle(&candidate.node))
                    })}
                </ul>
                if view.hidden > 0 { <p class="foot dimmer">{words.count(RoomMsg::RoomHidden, view.hidden)}</p> }
            }
            if view.candidates.len() > 1 { {criteria::table(words, view)} }
            if others > 0 {
                <h3 class="cap-line"><span>{words.count(RoomMsg::RoomOthers, others)}</span></h3>
                <dl class="others">{for view.others.iter().map(other)}</dl>
                if view.others_hidden > 0 { <p class="foot dimmer">{words.count(RoomMsg::RoomHidden, view.others_hidden)}</p> }
            }
        </div>
    }
}

fn line(
    words: &RoomWords,
    candidate: &Candidate,
    open: bool,
    onclick: Callback<MouseEvent>,
) -> Html {
    let count = candidate.victims.len() as u32;
    html! {
        <li key={candidate.node.as_str()} class={classes!(candidate.chosen.then_some("win"))}>
            <button type="button" class="top-row" aria-expanded={open.to_string()} {onclick}>
                {icon(if open { Shape::Down } else { Shape::Right })}
                <span class="mono clip">{candidate.node.clone()}</span>
                <span class="names clip">{names(&candidate.victims)}</span>
                <span class="num">
                    if candidate.chosen {
                        {words.text(RoomMsg::RoomChosen)}
                    } else {
                        {words.count(RoomMsg::RoomVictimCount, count)}
                        if candidate.violations > 0 { {", "}{words.count(RoomMsg::RoomBreaks, candidate.violations)} }
                    }
                </span>
            </button>
            if open { {steps::list(words, candidate)} }
        </li>
    }
}

/// Names of pods that go, struck through.
fn names(pods: &[PodMark]) -> Html {
    let names = pods.iter().enumerate().map(|(index, pod)| {
        html! { <>if index > 0 { {", "} }<s>{pod.name.clone()}</s></> }
    });
    html! { {for names} }
}

/// A pod as on the board, to be looked at only.
fn mark(words: &RoomWords, pod: &PodMark, class: &'static str) -> Html {
    html! {
        <span class={classes!("pod", class)}>
            {tile(&pod.app)}<span class="name">{pod.name.clone()}</span>
            <span class="vh">{words.text(RoomMsg::RoomPriority)}{" "}</span><span class="prio">{pod.priority}</span>
        </span>
    }
}

/// What a plugin holds against a pod.
fn refusal(refusal: &Refusal) -> Html {
    html! {
        <>
            {for refusal.equations.iter().map(|view| html! { <span>{equation_chip(view)}</span> })}
            {for refusal.facts.iter().map(|fact| html! { <span class="fact">{fact.clone()}</span> })}
        </>
    }
}

fn other(node: &OtherNode) -> Html {
    let more = node.refusal.reason != node.reason && !node.refusal.reason.is_empty();
    html! {
        <div key={node.node.as_str()}>
            <dt class="mono clip">{node.node.clone()}</dt>
            <dd>
                <span class="c-reject">{node.reason.clone()}</span>
                <span class="dim">{node.why.clone()}if more { {" "}{node.refusal.reason.clone()} }</span>
                {refusal(&node.refusal)}
            </dd>
        </div>
    }
}
