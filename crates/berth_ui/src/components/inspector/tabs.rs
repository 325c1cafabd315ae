//! The two tables behind the verdict.

use crate::app::Intent;
use crate::env::Env;
use crate::locale::Msg;
use crate::state::{Action, Tab};
use crate::view::Headline;
use yew::{Callback, Html, KeyboardEvent, html};

/// The tab list.
pub(super) fn list(env: &Env, open: Tab, headline: &Headline) -> Html {
    let counts =
        [headline.feasible.to_string(), "/".to_owned(), headline.nodes.to_string()].concat();
    let onkeydown = {
        let (send, tab) = (env.send.clone(), open);
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
        let on = open == tab;
        let id = if tab == Tab::Filter { "tab-filter" } else { "tab-score" };
        html! {
            <button type="button" role="tab" {id} aria-selected={on.to_string()}
                aria-controls={on.then_some("tab-panel")} tabindex={if on { "0" } else { "-1" }}
                onclick={env.on(Intent::Do(Action::Tab(tab)))}>{name}{extra}</button>
        }
    };
    html! {
        <div class="tabs" role="tablist" aria-label={env.words.text(Msg::Tables)} {onkeydown}>
            {tab(Tab::Filter, "Filter", html! { <span class="num">{counts}</span> })}
            {tab(Tab::Score, "Score", Html::default())}
        </div>
    }
}
