//! The two tables behind the verdict.

use crate::app::Intent;
use crate::env::use_env;
use crate::locale::Msg;
use crate::state::{Action, Tab};
use yew::{Callback, Html, KeyboardEvent, Properties, component, html};

/// Properties of [`Tabs`].
#[derive(PartialEq, Properties)]
pub struct TabsProps {
    /// The open one.
    pub tab: Tab,
    /// Nodes that passed Filter.
    pub feasible: u32,
    /// All nodes.
    pub nodes: u32,
}

/// The tab list.
#[component]
pub fn Tabs(props: &TabsProps) -> Html {
    let env = use_env();
    let counts = [props.feasible.to_string(), "/".to_owned(), props.nodes.to_string()].concat();
    let onkeydown = {
        let (send, tab) = (env.send.clone(), props.tab);
        Callback::from(move |event: KeyboardEvent| {
            if matches!(event.key().as_str(), "ArrowLeft" | "ArrowRight") {
                event.prevent_default();
                event.stop_propagation();
                let other = if tab == Tab::Filter { Tab::Score } else { Tab::Filter };
                send.emit(Intent::OpenTab(other));
            }
        })
    };
    let tab = |tab: Tab, name: &'static str, extra: Html| {
        let on = props.tab == tab;
        let id = if tab == Tab::Filter { "tab-filter" } else { "tab-score" };
        html! {
            <button type="button" role="tab" {id} aria-selected={on.to_string()}
                aria-controls={on.then_some("tab-panel")} tabindex={if on { "0" } else { "-1" }}
                onclick={env.on(move || Intent::Do(Action::Tab(tab)))}>{name}{extra}</button>
        }
    };
    html! {
        <div class="tabs" role="tablist" aria-label={env.words.text(Msg::Tables)} {onkeydown}>
            {tab(Tab::Filter, "Filter", html! { <span class="num">{counts}</span> })}
            {tab(Tab::Score, "Score", Html::default())}
        </div>
    }
}
