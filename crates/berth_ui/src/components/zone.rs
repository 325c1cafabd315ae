//! One column of the board: its header with the gauges, and its nodes.

use super::top_bar::menu_button;
use super::{NodeCard, gauge};
use crate::app::Intent;
use crate::cursor::Cursor;
use crate::drag::{By, Drag, Input, Target};
use crate::env::Env;
use crate::locale::Msg;
use crate::view::{DomainView, NodeCardView};
use std::rc::Rc;
use yew::{AttrValue, Callback, Html, MouseEvent, classes, html};

/// What a column needs to know of the page.
pub(super) struct ZoneProps {
    /// The column.
    pub(super) domain: Rc<DomainView>,
    /// Whether the cards are small.
    pub(super) dense: bool,
    /// The selected pod.
    pub(super) selected: Option<AttrValue>,
    /// The selected node.
    pub(super) chosen: Option<AttrValue>,
    /// The drag machine.
    pub(super) drag: Drag,
    /// The node that refused the selected pod.
    pub(super) refused: Option<AttrValue>,
    /// Where the Tab key stops on the board.
    pub(super) cursor: Option<Cursor>,
}

/// A column.
pub(super) fn zone(env: &Env, props: &ZoneProps) -> Html {
    let domain = &props.domain;
    let id = domain.id();
    let name = domain.title.clone();
    let over = props.drag.over() == Some(&Target::Zone(id.clone()));
    let stop = props.cursor == Some(Cursor::Zone(id.clone()));
    let classes =
        classes!("zone", over.then_some("over"), domain.nodes.is_empty().then_some("empty"));
    html! {
        <div class={classes} key={id.as_str()} role="rowgroup" aria-label={name.clone()} data-drop="zone" data-name={id.clone()}
            data-scroll="zone">
            <div role="row" class="zone-row" onclick={drop_here(env, props)}>
                <div class="zone-head" role="rowheader" tabindex={if stop { "0" } else { "-1" }}
                    data-cursor={stop.to_string()}>
                    <h2 class="clip">{name.clone()}<span>{env.words.count(Msg::Nodes, domain.nodes.len() as u32)}</span></h2>
                    {menu_button(env, &name)}
                    {for domain.gauges.iter().map(|view| gauge(env, view, false))}
                    {zone_hint(env, props, over)}
                </div>
            </div>
            {for domain.nodes.iter().map(|node| card(props, node))}
        </div>
    }
}

/// What dropping on the column itself would do.
fn zone_hint(env: &Env, props: &ZoneProps, over: bool) -> Html {
    let tapping = props.drag.by() == Some(By::Taps);
    if !over && !tapping {
        return Html::default();
    }
    let words = &env.words;
    let text = if let Some(node) = props.drag.held_node() {
        let here = props.domain.nodes.iter().any(|card| card.name == *node);
        if here || props.domain.value.is_none() {
            return Html::default();
        }
        words.text(Msg::MoveNodeHere)
    } else if let Some(best) = &props.domain.best {
        words.fill(Msg::BestHere, &[("node", best)])
    } else {
        words.text(Msg::NoneFitsHere)
    };
    html! { <p class="zone-hint">{text}</p> }
}

/// Drops what waits for a tap on the column.
fn drop_here(env: &Env, props: &ZoneProps) -> Callback<MouseEvent> {
    let (send, id) = (env.send.clone(), props.domain.id());
    let tapping = props.drag.by() == Some(By::Taps);
    Callback::from(move |_| {
        if tapping {
            let target = Some(Target::Zone(id.clone()));
            send.emit(Intent::Drag(Input::Drop { target, bypass: false }));
        }
    })
}

fn card(props: &ZoneProps, node: &Rc<NodeCardView>) -> Html {
    // Each card gets only what concerns it, so that the others need not be drawn again.
    let holds = |key: &AttrValue| node.pods.iter().any(|pod| pod.key == *key);
    let held = props.drag.held_pod();
    let live = held.is_some();
    let over = props.drag.over() == Some(&Target::Node(node.name.clone()));
    let concerned = live || props.refused.as_ref() == Some(&node.name);
    let cursor = props.cursor.clone().filter(|cursor| match cursor {
        Cursor::Node(name) => *name == node.name,
        Cursor::Pod(key) => holds(key),
        Cursor::Zone(_) => false,
    });
    html! {
        <NodeCard key={node.name.as_str()} node={Rc::clone(node)} dense={props.dense} {live} {over} {cursor}
            selected={props.selected.clone().filter(|key| concerned || holds(key))}
            slot={held.filter(|key| holds(key)).cloned()}
            tapping={props.drag.by() == Some(By::Taps)}
            refused={props.refused.as_ref() == Some(&node.name)}
            chosen={props.chosen.as_ref().or(props.drag.held_node()) == Some(&node.name)} />
    }
}
