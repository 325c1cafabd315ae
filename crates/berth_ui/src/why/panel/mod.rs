//! The Why panel.

mod chart;
mod plugin;

use super::lights::Watch;
use super::view::{Named, WhyView};
use super::words::{WhyMsg, WhyWords};
use crate::app::Intent;
use crate::components::{Shape, changed, choice, icon};
use crate::env::{Env, use_env};
use crate::parts::Call;
use crate::state::{Action, Tab};
use std::rc::Rc;
use web_sys::Element;
use yew::{
    AttrValue, Callback, Html, MouseEvent, Properties, classes, component, html, use_effect_with,
    use_node_ref, use_state_eq,
};

/// Properties of [`WhyPanel`].
#[derive(PartialEq, Properties)]
pub struct WhyPanelProps {
    /// What it shows.
    pub view: Rc<WhyView>,
    /// The words.
    pub words: WhyWords,
    /// The look of the pod's app.
    pub app: u8,
}

/// What every piece of the panel needs.
struct Pen<'a> {
    env: &'a Env,
    words: &'a WhyWords,
    /// The look of the pod's app.
    app: u8,
    /// The term that was pressed: it stays lit.
    pinned: Option<usize>,
    /// Presses a term, or lets it go.
    pin: Callback<usize>,
}

impl Pen<'_> {
    /// Whether a term is pressed, for its attribute.
    fn pressed(&self, light: usize) -> &'static str {
        if self.pinned == Some(light) { "true" } else { "false" }
    }

    /// Presses a term when clicked.
    fn press(&self, light: usize) -> Callback<MouseEvent> {
        let pin = self.pin.clone();
        Callback::from(move |_| pin.emit(light))
    }

    /// A term: a button that lights what it came from; its words alone if that is nothing.
    fn term(&self, class: &'static str, light: Option<usize>, words: Html) -> Html {
        match light {
            Some(light) => html! {
                <button type="button" class={classes!("term", class)} data-light={light.to_string()}
                    aria-pressed={self.pressed(light)} onclick={self.press(light)}>{words}</button>
            },
            None => html! { <span {class}>{words}</span> },
        }
    }

    /// A list that can be opened.
    fn named(&self, named: &Named) -> Html {
        html! {
            <details class="named">
                <summary data-light={named.light.map(|light| light.to_string())}>{named.title.clone()}</summary>
                {self.items(named)}
            </details>
        }
    }

    /// What is in a list.
    fn items(&self, named: &Named) -> Html {
        html! {
            <>
                <ul class="items">
                    {for named.items.iter().map(|item| html! {
                        <li class="mono" data-pod={item.pod.clone()} data-node={item.node.clone()}>{item.text.clone()}</li>
                    })}
                </ul>
                if named.more > 0 { <p class="dimmer">{self.words.count(WhyMsg::AndMore, named.more)}</p> }
            </>
        }
    }
}

/// The panel.
#[component]
pub fn WhyPanel(props: &WhyPanelProps) -> Html {
    let env = use_env();
    let root = use_node_ref();
    // Lights are numbered anew when what they belong to changes.
    let pressed = use_state_eq(|| None::<(Rc<WhyView>, usize)>);
    let pinned =
        pressed.as_ref().filter(|(view, _)| Rc::ptr_eq(view, &props.view)).map(|(_, at)| *at);
    let (view, words) = (&props.view, &props.words);
    {
        let (root, view) = (root.clone(), Rc::clone(view));
        use_effect_with((Held(view), pinned), move |(Held(view), pinned)| {
            let panel = root.cast::<Element>();
            let watch =
                panel.and_then(|panel| Watch::new(&panel, Rc::clone(&view.lights), *pinned));
            move || drop(watch)
        });
    }
    // What was asked for is in sight from its beginning.
    use_effect_with(root.clone(), |root| {
        let panel = root.cast::<Element>();
        let body = panel.as_ref().and_then(|panel| panel.closest(".side-body").ok().flatten());
        if let (Some(panel), Some(body)) = (panel, body) {
            let top = |element: &Element| element.get_bounding_client_rect().top();
            body.set_scroll_top(body.scroll_top() + (top(&panel) - top(&body)) as i32);
        }
    });
    let pin = {
        let (pressed, view, words, env) = (pressed, Rc::clone(view), words.clone(), env.clone());
        Callback::from(move |light: usize| {
            let off = pinned == Some(light);
            pressed.set((!off).then(|| (Rc::clone(&view), light)));
            if let Some(light) = view.lights.get(light).filter(|_| !off) {
                let nodes = words.count(WhyMsg::LitNodes, light.nodes.len() as u32);
                let pods = words.count(WhyMsg::LitPods, light.pods.len() as u32);
                let text = words.fill(WhyMsg::Lit, &[("nodes", &nodes), ("pods", &pods)]);
                env.send(Action::Say(text));
            }
        })
    };
    let pen = Pen { env: &env, words, app: props.app, pinned, pin };
    html! {
        <section class="block why-panel" aria-label={words.text(WhyMsg::Why)} ref={root}>
            <h3 id="why-title" tabindex="-1">{words.text(WhyMsg::Why)}
                <button type="button" class="btn small icon-only" aria-label={words.text(WhyMsg::Close)}
                    onclick={env.on(Call::Why(false).into())}>{icon(Shape::Cross)}</button>
            </h3>
            if !view.stopped.is_empty() { <p>{view.stopped.clone()}</p> }
            {phrases(&pen, view)}
            {for view.spreads.iter().map(|spread| chart::spread(&pen, spread))}
            {node(&pen, view)}
        </section>
    }
}

/// A view that is the same only if it is the very same.
struct Held(Rc<WhyView>);

impl PartialEq for Held {
    fn eq(&self, other: &Self) -> bool {
        Rc::ptr_eq(&self.0, &other.0)
    }
}

/// The event's message: each part that speaks of nodes is a button.
fn phrases(pen: &Pen<'_>, view: &WhyView) -> Html {
    let words = pen.words;
    if !view.fits.is_empty() {
        return html! {
            <div class="why-part">
                <p>{view.fits.clone()}</p>
                <button type="button" class="btn small line" onclick={pen.env.on(Intent::OpenTab(Tab::Score))}>
                    {words.text(WhyMsg::ScoreTab)}</button>
            </div>
        };
    }
    if view.phrases.is_empty() {
        return Html::default();
    }
    let pressed = view.phrases.iter().filter_map(|phrase| phrase.about.as_ref());
    let pressed = pressed.into_iter().find(|about| pen.pinned == Some(about.light));
    html! {
        <div class="why-part">
            <h4>{words.text(WhyMsg::Event)}</h4>
            <p class="words mono">
                {for view.phrases.iter().map(|phrase| match &phrase.about {
                    Some(about) => pen.term("phrase", Some(about.light), html! { {phrase.text.clone()} }),
                    None => html! { <span>{phrase.text.clone()}</span> },
                })}
            </p>
            <p class="says" aria-live="polite">
                if let Some(about) = pressed {
                    {about.says.clone()}{" "}
                    <button type="button" class="link" onclick={pen.env.on(Intent::SelectNode(Some(about.first.clone())))}>
                        {words.fill(WhyMsg::LookAt, &[("node", &about.first)])}</button>
                } else {
                    <span class="dimmer">{words.text(WhyMsg::EventHint)}</span>
                }
            </p>
        </div>
    }
}

/// The chosen node.
fn node(pen: &Pen<'_>, view: &WhyView) -> Html {
    let words = pen.words;
    let Some(node) = &view.node else {
        return html! { <p class="dimmer">{words.text(WhyMsg::NoNode)}</p> };
    };
    let options: Vec<(AttrValue, AttrValue)> =
        view.nodes.iter().map(|name| (name.clone(), name.clone())).collect();
    let change = {
        let send = pen.env.send.clone();
        changed(Callback::from(move |name| send.emit(Intent::SelectNode(Some(name)))))
    };
    html! {
        <div class="why-part">
            <h4>{words.text(WhyMsg::PluginsOn)}
                {choice(Some(words.text(WhyMsg::Node)), &options, &node.name, change)}
            </h4>
            <p class={if node.fits { "c-fit" } else { "c-reject" }} data-node={node.name.clone()}>
                {icon(if node.fits { Shape::Check } else { Shape::Cross })}<span>{node.verdict.clone()}</span></p>
            {for node.plugins.iter().map(|why| plugin::plugin(pen, &node.name, why))}
            if !node.skipped.is_empty() { <p class="dimmer">{node.skipped.clone()}</p> }
        </div>
    }
}
