//! On a phone, where the columns stand below each other: a way to each of them, with its verdict.

use super::gauge::squares;
use crate::app::Intent;
use crate::env::Env;
use crate::locale::Msg;
use crate::view::{ClusterView, DomainView, GaugeView};
use yew::{AttrValue, Html, html};

/// The most columns that fit side by side.
const MOST: usize = 4;

/// The switch; nothing when there is nothing to switch.
pub fn zone_switch(env: &Env, cluster: &ClusterView) -> Html {
    if !(2..=MOST).contains(&cluster.domains.len()) {
        return Html::default();
    }
    html! {
        <nav class="jump only-s" aria-label={env.words.text(Msg::Columns)}>
            {for cluster.domains.iter().map(|domain| button(env, domain))}
        </nav>
    }
}

fn button(env: &Env, domain: &DomainView) -> Html {
    let show = env.on(Intent::Show(domain.id()));
    html! {
        <button type="button" onclick={show}>
            <b class="clip">{domain.title.clone()}</b>
            if let Some(view) = domain.gauges.first() {
                {squares(view)}
                <span class={if view.within { "num c-fit" } else { "num c-reject" }}>{outcome(view)}</span>
            }
        </button>
    }
}

/// `2 > 1`.
fn outcome(view: &GaugeView) -> AttrValue {
    let sign = if view.within { " ≤ " } else { " > " };
    [&view.skew.to_string(), sign, &view.max_skew.to_string()].concat().into()
}
