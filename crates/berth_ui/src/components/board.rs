//! The board: a grid of nodes in columns.

use super::zone::{ZoneProps, zone};
use crate::cursor;
use crate::engine::MOST_CARDS;
use crate::env::Env;
use crate::locale::Msg;
use crate::parts::Call;
use crate::state::AppState;
use crate::view::ClusterView;
use std::rc::Rc;
use yew::{Html, html};

/// The board.
pub fn board(env: &Env, cluster: &ClusterView, state: &AppState) -> Html {
    let cursor = cursor::resolve(cluster, state.cursor.as_ref());
    let refused = state.refused.as_ref().filter(|(pod, _)| state.selected.as_ref() == Some(pod));
    if cluster.nodes > MOST_CARDS {
        // Another part of the program is on its way.
        return html! { <div class="canvas bare"></div> };
    }
    if cluster.nodes == 0 {
        let import = env.on(Call::Import.into());
        return html! {
            <div class="canvas bare">
                <p class="dim">{env.words.text(Msg::NoNodes)}</p>
                <button type="button" class="btn line" onclick={import}>{env.words.text(Msg::Import)}</button>
            </div>
        };
    }
    let dense = cluster.nodes > 30;
    let zones = cluster.domains.iter().map(|domain| {
        let props = ZoneProps {
            domain: Rc::clone(domain),
            dense,
            selected: state.selected.clone(),
            chosen: state.node.clone(),
            drag: state.drag.clone(),
            refused: refused.map(|(_, node)| node.clone()),
            cursor: cursor.clone(),
        };
        zone(env, &props)
    });
    html! {
        <div class="canvas" role="grid" aria-label={env.words.text(Msg::Board)} data-scroll="board"
            data-dense={dense.to_string()}>
            {for zones}
        </div>
    }
}
