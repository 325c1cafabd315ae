//! A node: name, badges, resource bars, pods and its verdict.

use super::pod_chip::shadow_chip;
use super::verdict_footer::{Offer, verdict_footer};
use super::{PodChip, Shape, capacity, gauge, icon};
use crate::app::Intent;
use crate::cursor::Cursor;
use crate::drag::{Input, Target};
use crate::env::{Env, use_env};
use crate::locale::Msg;
use crate::view::{NodeCardView, Verdict};
use std::rc::Rc;
use yew::{AttrValue, Callback, Html, MouseEvent, Properties, classes, component, html};

/// Properties of [`NodeCard`].
#[derive(PartialEq, Properties)]
pub struct NodeCardProps {
    /// The node.
    pub node: Rc<NodeCardView>,
    /// Whether the card is one of many: less of it changes its look then, since each change costs.
    pub dense: bool,
    /// The selected pod.
    pub selected: Option<AttrValue>,
    /// The held pod, when it came from this node.
    pub slot: Option<AttrValue>,
    /// Whether a pod is held.
    pub live: bool,
    /// Whether what is held waits for a tap.
    pub tapping: bool,
    /// Whether something is held over this node.
    pub over: bool,
    /// Whether the selected pod was dropped here and refused.
    pub refused: bool,
    /// Whether the node itself is selected or held.
    pub chosen: bool,
    /// Where the Tab key stops, when it is in this row.
    pub cursor: Option<Cursor>,
}

/// A node card: one row of the board's grid.
#[component]
pub fn NodeCard(props: &NodeCardProps) -> Html {
    let env = use_env();
    let node = &props.node;
    let fits = node.verdict.as_ref().map(Verdict::fits);
    let best = matches!(&node.verdict, Some(Verdict::Fits(fits)) if fits.best());
    let classes = classes!(
        "node",
        (best || node.makes_room).then_some("best"),
        props.chosen.then_some("chosen"),
        (props.live && fits == Some(true)).then_some("fit-target"),
        (props.live && fits == Some(false)).then_some(if props.dense {
            "shut"
        } else {
            "no-target"
        }),
        props.over.then_some("over"),
        (props.refused && fits == Some(false)).then_some("refused"),
        props.tapping.then_some("tappable"),
    );
    let name = node.name.clone();
    let head_stop = props.cursor == Some(Cursor::Node(name.clone()));
    let tap = drop_here(&env, props, false);
    let select = {
        let (name, tapping) = (name.clone(), props.tapping);
        let send = env.send.clone();
        Callback::from(move |_: MouseEvent| {
            if !tapping {
                send.emit(Intent::SelectNode(Some(name.clone())));
            }
        })
    };
    html! {
        <div class={classes} role="row" data-drop="node" data-name={name.clone()} onclick={tap}>
            <div class="node-head" role="rowheader" data-lift="node" data-name={name.clone()} onclick={select}
                data-cursor={head_stop.to_string()} tabindex={if head_stop { "0" } else { "-1" }}
                aria-label={label(&env, node)}>
                <h3 class="clip">{name}</h3>
                {badges(&env, node)}
            </div>
            <div class="caps" role="gridcell">
                {for node.capacity.iter().map(capacity)}
            </div>
            if !node.gauges.is_empty() {
                <div class="node-gauges" role="gridcell">
                    {for node.gauges.iter().map(|view| gauge(&env, view, true))}
                </div>
            }
            {pods(&env, props)}
            if node.makes_room && !props.live {
                <div role="gridcell"><div class="say fit">{icon(Shape::Check)}<strong>{env.words.text(Msg::PreemptsHere)}</strong></div></div>
            }
            {footer(&env, props)}
        </div>
    }
}

/// Drops what waits for a tap on this node.
fn drop_here(env: &Env, props: &NodeCardProps, bypass: bool) -> Callback<MouseEvent> {
    let (send, name, tapping) = (env.send.clone(), props.node.name.clone(), props.tapping);
    Callback::from(move |_| {
        if tapping {
            let target = Some(Target::Node(name.clone()));
            send.emit(Intent::Drag(Input::Drop { target, bypass }));
        }
    })
}

fn badges(env: &Env, node: &NodeCardView) -> Html {
    html! {
        <span class="badges">
            {for node.taints.iter().map(|taint| html! {
                <span class="tag" title={taint.full.clone()}>{icon(Shape::Taint)}{taint.short.clone()}</span>
            })}
            if node.cordoned {
                <span class="tag warn">{icon(Shape::Ban)}{env.words.text(Msg::Cordoned)}</span>
            }
        </span>
    }
}

/// The row in words, for those who do not see it.
fn label(env: &Env, node: &NodeCardView) -> String {
    let words = &env.words;
    let mut parts = vec![node.name.to_string()];
    parts.extend(node.capacity.iter().map(|view| {
        let blanks = [
            ("resource", view.resource.as_str()),
            ("used", view.requested.as_str()),
            ("of", view.allocatable.as_str()),
        ];
        words.fill(Msg::CapacityLabel, &blanks).to_string()
    }));
    parts.push(words.count(Msg::Pods, node.pods.len() as u32).to_string());
    parts.extend(node.taints.iter().map(|taint| taint.full.to_string()));
    if node.cordoned {
        parts.push(words.text(Msg::Cordoned).to_string());
    }
    if let Some(verdict) = &node.verdict {
        parts.push(speak(env, verdict).to_string());
    }
    parts.join(", ")
}

/// A verdict in one sentence.
pub fn speak(env: &Env, verdict: &Verdict) -> AttrValue {
    match verdict {
        Verdict::Fits(fits) => {
            let (rank, of, total) =
                (fits.rank.to_string(), fits.of.to_string(), fits.total.to_string());
            env.words.fill(Msg::SayFits, &[("rank", &rank), ("of", &of), ("total", &total)])
        }
        Verdict::Rejected(rejected) => {
            let sum = rejected.equation.as_ref().map(|sum| sum.outcome.clone()).unwrap_or_default();
            env.words.fill(Msg::SayRejected, &[("reason", &rejected.reason), ("sum", &sum)])
        }
    }
}

fn pods(env: &Env, props: &NodeCardProps) -> Html {
    let shadows = &props.node.shadows;
    if props.node.pods.is_empty() && shadows.is_empty() {
        return Html::default();
    }
    html! {
        <div class="pods" role="presentation">
            {for props.node.pods.iter().map(|pod| html! {
                <div class="cell" role="gridcell" key={pod.key.as_str()}>
                    <PodChip pod={Rc::clone(pod)} selected={props.selected.as_ref() == Some(&pod.key)}
                        slot={props.slot.as_ref() == Some(&pod.key)}
                        tab_stop={props.cursor == Some(Cursor::Pod(pod.key.clone()))} />
                </div>
            })}
            {for shadows.iter().map(|shadow| shadow_chip(env, shadow))}
        </div>
    }
}

fn footer(env: &Env, props: &NodeCardProps) -> Html {
    let Some(verdict) = &props.node.verdict else { return Html::default() };
    let offer = if props.refused {
        Offer::Anyway
    } else if props.tapping && props.live {
        Offer::Place
    } else if props.over {
        Offer::Sum
    } else {
        Offer::Nothing
    };
    let (send, name, pod) = (env.send.clone(), props.node.name.clone(), props.selected.clone());
    let place = Callback::from(move |bypass| {
        if let Some(pod) = pod.clone() {
            send.emit(Intent::Place { pod, node: name.clone(), bypass });
        }
    });
    html! {
        <div role="gridcell">{verdict_footer(env, verdict, offer, &place)}</div>
    }
}
