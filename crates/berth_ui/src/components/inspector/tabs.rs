//! The tables behind the verdict.

use crate::app::Intent;
use crate::env::Env;
use crate::locale::Msg;
use crate::state::Tab;
use crate::view::InspectorView;
use yew::{AttrValue, Callback, Html, KeyboardEvent, html};

/// The tabs, each with its identity and its name; one that has none is named in the page's own words.
const TABS: [(Tab, &str, &str); 5] = [
    (Tab::Filter, "tab-filter", "Filter"),
    (Tab::Score, "tab-score", "Score"),
    (Tab::Advice, "tab-advice", ""),
    (Tab::Yaml, "tab-yaml", "YAML"),
    (Tab::Preemption, "tab-preemption", "Preemption"),
];

/// The tab list.
pub(super) fn list(env: &Env, open: Tab, view: &InspectorView) -> Html {
    let headline = &view.headline;
    let tabs = if view.preemption.is_some() { &TABS[..] } else { &TABS[..4] };
    let at = tabs.iter().position(|(tab, ..)| *tab == open).unwrap_or(0);
    let onkeydown = {
        let send = env.send.clone();
        Callback::from(move |event: KeyboardEvent| {
            let step = match event.key().as_str() {
                "ArrowLeft" => tabs.len() - 1,
                "ArrowRight" => 1,
                _ => return,
            };
            event.prevent_default();
            event.stop_propagation();
            if let Some((tab, ..)) = tabs.get((at + step) % tabs.len()) {
                send.emit(Intent::OpenTab(*tab));
            }
        })
    };
    html! {
        <div class="tabs" role="tablist" aria-label={env.words.text(Msg::Tables)} {onkeydown}>
            {for tabs.iter().map(|(tab, id, name)| {
                let on = open == *tab;
                let count = match (tab, &view.preemption) {
                    (Tab::Filter, _) => {
                        [&headline.feasible.to_string(), "/", &headline.nodes.to_string()].concat()
                    }
                    (Tab::Preemption, Some(found)) => found.candidates.to_string(),
                    _ => String::new(),
                };
                html! {
                    <button type="button" role="tab" id={*id} aria-selected={on.to_string()}
                        aria-controls={on.then_some("tab-panel")} tabindex={if on { "0" } else { "-1" }}
                        onclick={env.on(Intent::OpenTab(*tab))}>{
                            if name.is_empty() { env.words.text(Msg::Advice) } else { AttrValue::Static(name) }
                        }<span class="num">{count}</span></button>
                }
            })}
        </div>
    }
}
