//! The product, the scenario's name, and what acts on the whole.

use super::{Shape, icon};
use crate::app::Intent;
use crate::env::Env;
use crate::locale::Msg;
use crate::parts::Call;
use crate::state::{Action, Theme};
use crate::view::ClusterView;
use yew::{AttrValue, Callback, Html, MouseEvent, html};

/// The top bar. `undo` and `redo` are the changes that can be taken back and made again, if there are any: what they are
/// called, where that is known.
pub fn top_bar(
    env: &Env,
    cluster: &ClusterView,
    theme: Theme,
    undo: Option<AttrValue>,
    redo: Option<AttrValue>,
) -> Html {
    let words = &env.words;
    let facts = [
        words.count(Msg::Nodes, cluster.nodes),
        words.count(Msg::Pods, cluster.pods),
        words.text(Msg::Rules),
    ];
    let next = match theme {
        Theme::System => Theme::Dark,
        Theme::Dark => Theme::Light,
        Theme::Light => Theme::System,
    };
    let theme_name = words.text(match theme {
        Theme::System => Msg::ThemeSystem,
        Theme::Light => Msg::ThemeLight,
        Theme::Dark => Msg::ThemeDark,
    });
    html! {
        <header class="top">
            <span class="brand">{icon(Shape::Logo)}<span class="hide-s">{words.text(Msg::Product)}</span></span>
            <div class="title">
                <h1 class="clip">
                    if cluster.name.is_empty() { {words.text(Msg::Untitled)} } else { {cluster.name.clone()} }
                </h1>
                <span class="dimmer hide-m clip">{facts.join(" · ")}</span>
            </div>
            <span class="grow"></span>
            {action(env, Shape::Undo, Msg::Undo, undo, Intent::Undo)}
            {action(env, Shape::Redo, Msg::Redo, redo, Intent::Redo)}
            <span class="sep hide-s"></span>
            <button type="button" class="btn" id="open-rules" title={words.text(Msg::RulesTitle)} aria-label={words.text(Msg::RulesTitle)}
                onclick={env.on(Call::Rules("#open-rules").into())}>
                {icon(Shape::Shield)}<span class="hide-m">{words.text(Msg::RulesTitle)}</span>
            </button>
            {open(env, Shape::Book, Msg::Lessons, Call::Lessons)}
            {open(env, Shape::Import, Msg::Import, Call::Import)}
            {open(env, Shape::Export, Msg::Share, Call::Share)}
            {open(env, Shape::Menu, Msg::Menu, Call::Palette)}
            <span class="sep hide-s"></span>
            <button type="button" class="btn icon-only" aria-label={words.fill(Msg::Theme, &[("theme", &theme_name)])}
                title={theme_name} onclick={env.on(Intent::Do(Action::Theme(next)))}>
                {icon(Shape::Theme)}
            </button>
        </header>
    }
}

/// A button that stays in reach of the keyboard when it has nothing to do.
fn action(env: &Env, shape: Shape, msg: Msg, step: Option<AttrValue>, intent: Intent) -> Html {
    let enabled = step.is_some();
    let text = match step {
        Some(name) if !name.is_empty() => [&*env.words.text(msg), ": ", &name].concat().into(),
        _ => env.words.text(msg),
    };
    let onclick = if enabled { env.on(intent) } else { Callback::<MouseEvent>::noop() };
    html! {
        <button type="button" class="btn icon-only" aria-label={text.clone()} title={text}
            aria-disabled={(!enabled).to_string()} {onclick}>
            {icon(shape)}
        </button>
    }
}

fn open(env: &Env, shape: Shape, msg: Msg, call: Call) -> Html {
    let text = env.words.text(msg);
    html! {
        <button type="button" class="btn" aria-haspopup="dialog" aria-label={text.clone()}
            onclick={env.on(call.into())}>
            {icon(shape)}<span class="hide-s">{text}</span>
        </button>
    }
}

/// A button for the menu of what it is in, which is called so. The editor listens for it.
pub(super) fn menu_button(env: &Env, name: &str) -> Html {
    let label = [name, ": ", &env.words.text(Msg::Menu)].concat();
    html! {
        <button type="button" class="btn small icon-only" data-menu="" tabindex="-1" aria-haspopup="menu" aria-label={label}>
            {icon(Shape::Plus)}
        </button>
    }
}
