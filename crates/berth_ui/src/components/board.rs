//! The board: a grid of nodes in columns.

use super::Zone;
use crate::cursor::{self, Cursor};
use crate::drag::Drag;
use crate::env::use_env;
use crate::locale::Msg;
use crate::view::ClusterView;
use std::rc::Rc;
use yew::{AttrValue, Html, Properties, component, html};

/// Properties of [`Board`].
#[derive(PartialEq, Properties)]
pub struct BoardProps {
    /// The cluster.
    pub cluster: Rc<ClusterView>,
    /// The selected pod.
    pub selected: Option<AttrValue>,
    /// The selected node.
    pub chosen: Option<AttrValue>,
    /// The drag machine.
    pub drag: Drag,
    /// The pod and the node that refused it.
    pub refused: Option<(AttrValue, AttrValue)>,
    /// Where the keyboard was.
    pub cursor: Option<Cursor>,
}

/// The board.
#[component]
pub fn Board(props: &BoardProps) -> Html {
    let env = use_env();
    let cluster = &props.cluster;
    let cursor = cursor::resolve(cluster, props.cursor.as_ref());
    let refused = props.refused.as_ref().filter(|(pod, _)| props.selected.as_ref() == Some(pod));
    if cluster.nodes == 0 {
        return html! { <div class="canvas bare"><p class="dim">{env.words.text(Msg::NoNodes)}</p></div> };
    }
    html! {
        <div class="canvas" role="grid" aria-label={env.words.text(Msg::Board)} data-scroll="board"
            data-dense={(cluster.nodes > 30).to_string()}>
            {for cluster.domains.iter().map(|domain| html! {
                <Zone key={domain.id().as_str()} domain={Rc::clone(domain)} selected={props.selected.clone()}
                    chosen={props.chosen.clone()} drag={props.drag.clone()}
                    refused={refused.map(|(_, node)| node.clone())} cursor={cursor.clone()} />
            })}
        </div>
    }
}
