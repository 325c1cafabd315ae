//! A pod: tile, name, priority and what is special about it.

use super::{Shape, small_icon, tile};
use crate::app::Intent;
use crate::env::{Env, use_env};
use crate::locale::{Locale, Msg};
use crate::view::{Fate, PodChipView, Shadow};
use std::rc::Rc;
use yew::{Html, Properties, classes, component, html};

/// Properties of [`PodChip`].
#[derive(PartialEq, Properties)]
pub struct PodChipProps {
    /// The pod.
    pub pod: Rc<PodChipView>,
    /// Whether it is the selected one.
    #[prop_or_default]
    pub selected: bool,
    /// Whether it is held, so that only its slot is left here.
    #[prop_or_default]
    pub slot: bool,
    /// Whether the Tab key stops here.
    #[prop_or_default]
    pub tab_stop: bool,
}

/// A pod.
#[component]
pub fn PodChip(props: &PodChipProps) -> Html {
    let env = use_env();
    let pod = &props.pod;
    let words = &env.words;
    let mut label = label(words, pod);
    for (applies, msg) in [
        (pod.protected, Msg::PodProtected),
        (pod.terminating, Msg::PodTerminating),
        (pod.marked, Msg::PodMarked),
        (pod.fate == Fate::Goes, Msg::PodGoes),
        (pod.fate == Fate::MayGo, Msg::PodMayGo),
    ] {
        if applies {
            label.push_str(", ");
            label.push_str(&words.text(msg));
        }
    }
    if pod.gates > 0 {
        label.push_str(", ");
        label.push_str(&words.count(Msg::Gates, pod.gates));
    }
    let classes = classes!(
        "pod",
        props.selected.then_some("sel"),
        props.slot.then_some("slot"),
        pod.terminating.then_some("term"),
        match pod.fate {
            Fate::Stays => None,
            Fate::MayGo => Some("maybe"),
            Fate::Goes => Some("victim"),
            Fate::Came => Some("came"),
        }
    );
    let pick = env.on(Intent::Select(Some(pod.key.clone())));
    html! {
        <button type="button" class={classes} data-lift="pod" data-name={pod.key.clone()}
            title={label} aria-pressed={if props.selected { "true" } else { "false" }}
            tabindex={if props.tab_stop { "0" } else { "-1" }} onclick={pick}>
            {tile(&pod.app)}
            <span class="name">{pod.name.clone()}</span>
            if pod.marked { {small_icon(Shape::Alert)} }
            if pod.protected { {small_icon(Shape::Shield)} }
            if pod.gates > 0 { {small_icon(Shape::Lock)} }
            <span class="prio">{pod.priority}</span>
        </button>
    }
}

/// A pod that is not there, or not yet.
pub(super) fn shadow_chip(env: &Env, shadow: &Shadow) -> Html {
    let (pod, words) = (&shadow.pod, &env.words);
    let (class, msg) = if shadow.gone {
        ("pod slot gone", Msg::PodGone)
    } else {
        ("pod slot nominated", Msg::PodNominated)
    };
    let label = [&label(words, pod), ", ", &*words.text(msg)].concat();
    html! {
        <div class="cell" role="gridcell" title={label} key={[class, &pod.key].concat()}>
            <span {class}>
                {tile(&pod.app)}
                <span class="name">{pod.name.clone()}</span><span class="prio">{pod.priority}</span>
            </span>
        </div>
    }
}

/// The chip in words. An attribute, not hidden text: a thousand hidden elements cost every frame.
fn label(words: &Locale, pod: &PodChipView) -> String {
    [&*pod.key, &*words.text(Msg::PodPriority), &pod.priority.to_string()].concat()
}
