//! The frame: top bar, tray, board, inspector, dialogs, and the listeners of the whole page.

use super::keys::{self, Key, Region};
use super::{App, Story};
use crate::components::{
    Inspector, InspectorProps, PodChip, action_bar, board, top_bar, tray, zone_switch,
};
use crate::cursor;
use crate::dom;
use crate::drag::{By, Drag, Subject};
use crate::env::Env;
use crate::locale::Msg;
use crate::parts::{Call, Part};
use crate::state::Theme;
use crate::tool::Slot;
use crate::view::FilterDetail;
use berth_core::playground::Command;
use std::rc::Rc;
use wasm_bindgen::JsCast;
use web_sys::Element;
use yew::{
    AttrValue, Callback, Context, ContextProvider, DragEvent, Html, KeyboardEvent, MouseEvent,
    PointerEvent, TargetCast, html,
};

impl App {
    pub(super) fn page(&self, ctx: &Context<Self>) -> Html {
        let state = &self.state;
        let env = &self.env;
        let inspector = InspectorProps {
            panels: self.panels.clone(),
            detail: self.detail(),
            ..InspectorProps::of(state, self.inspector.clone())
        };
        let pointer = matches!(state.drag.by(), Some(By::Pointer(_)));
        html! {
            <ContextProvider<Env> context={env.clone()}>
                <div class="app" ref={self.root.clone()}
                    onpointerdown={self.on_down()} onpointermove={self.on_move()} onpointerup={self.on_up()}
                    onpointercancel={self.on_cancel()} onlostpointercapture={Callback::<PointerEvent>::noop()}
                    onkeydown={self.on_key(ctx)} oncontextmenu={self.on_menu()}
                    ondragover={Callback::from(|event: DragEvent| event.prevent_default())} ondrop={self.on_drop()}>
                    {top_bar(env, &self.cluster, state.theme, self.step(self.engine.next_undo()), self.step(self.engine.next_redo()))}
                    <main class="main">
                        {tray(env, &self.cluster, state)}
                        {self.tool(Slot::Lesson).map_or_else(Html::default, |tool| tool.view(self))}
                        {self.tool(Slot::Strip).map_or_else(|| self.story(), |tool| tool.view(self))}
                        {zone_switch(env, &self.cluster)}
                        {self.tool(Slot::Board).map_or_else(|| board(env, &self.cluster, state), |tool| tool.view(self))}
                        {self.tool(Slot::Foot).filter(|_| state.drag == Drag::Idle).map_or_else(|| action_bar(env, state), |tool| tool.view(self))}
                        {self.tool(Slot::Time).map_or_else(Html::default, |tool| tool.view(self))}
                        <p class="status" role="status" tabindex="0">{state.notice.clone()}</p>
                    </main>
                    {self.tool(Slot::Side).map_or_else(|| html! { <Inspector ..inspector /> }, |tool| tool.view(self))}
                    if pointer { {self.ghost()} }
                    // Always something: the framework compares siblings from the last to the first.
                    {self.tool(Slot::Over).map_or_else(Html::default, |tool| tool.view(self))}
                </div>
            </ContextProvider<Env>>
        }
    }

    /// The opened cell of the Filter matrix, worked out.
    fn detail(&self) -> Option<Rc<FilterDetail>> {
        let (plugin, node) = self.state.cell.as_ref()?;
        self.engine.filter_detail(plugin, node, &self.env.words).map(Rc::new)
    }

    /// What a change is called, if there is one.
    fn step(&self, command: Option<&Command>) -> Option<AttrValue> {
        command.map(|command| self.namer.map(|name| name(&self.env, command)).unwrap_or_default())
    }

    /// What the reader should know before anything else.
    fn story(&self) -> Html {
        if let Some(limit) = self.cluster.sampled {
            let text = self.env.words.fill(Msg::Sampled, &[("n", &limit.to_string())]);
            return html! { <p class="story">{text}</p> };
        }
        let words = &self.env.words;
        match &self.story {
            Story::Opening => html! {
                <p class="story"><strong>{words.text(Msg::StoryWhy)}</strong>{" "}{words.text(Msg::StoryTry)}</p>
            },
            Story::Told(text) if text.is_empty() => Html::default(),
            Story::Told(text) => html! { <p class="story">{text.clone()}</p> },
        }
    }

    fn ghost(&self) -> Html {
        let chip = match self.state.drag.held() {
            Some(Subject::Pod(key)) => Some(match self.cluster.pod(key) {
                Some(pod) => html! { <PodChip pod={Rc::clone(pod)} /> },
                None => html! { <span class="pod">{key.clone()}</span> },
            }),
            Some(Subject::Node(name)) => Some(html! { <span class="pod">{name.clone()}</span> }),
            None => None,
        };
        html! { <div class="ghost" ref={self.ghost.clone()} aria-hidden="true" inert=true>{chip}</div> }
    }

    fn on_down(&self) -> Callback<PointerEvent> {
        let (pointer, send) = (Rc::clone(&self.pointer), self.env.send.clone());
        Callback::from(move |event: PointerEvent| pointer.down(&event, &send))
    }

    fn on_move(&self) -> Callback<PointerEvent> {
        let (pointer, send) = (Rc::clone(&self.pointer), self.env.send.clone());
        let (held, ghost) = (Rc::clone(&self.held), self.ghost.clone());
        Callback::from(move |event: PointerEvent| pointer.moved(&event, held.get(), &ghost, &send))
    }

    fn on_up(&self) -> Callback<PointerEvent> {
        let (pointer, send) = (Rc::clone(&self.pointer), self.env.send.clone());
        let held = Rc::clone(&self.held);
        Callback::from(move |event: PointerEvent| pointer.up(&event, held.get(), &send))
    }

    fn on_cancel(&self) -> Callback<PointerEvent> {
        let (pointer, send) = (Rc::clone(&self.pointer), self.env.send.clone());
        Callback::from(move |_: PointerEvent| pointer.cancel(&send))
    }

    /// A finger that rests would open a menu over what it picks up.
    fn on_menu(&self) -> Callback<MouseEvent> {
        let held = Rc::clone(&self.held);
        Callback::from(move |event: MouseEvent| {
            if held.get() {
                event.prevent_default();
            }
        })
    }

    fn on_drop(&self) -> Callback<DragEvent> {
        let send = self.env.send.clone();
        Callback::from(move |event: DragEvent| {
            event.prevent_default();
            let files = event.data_transfer().and_then(|data| data.files());
            if let Some(files) = files.filter(|files| files.length() > 0) {
                send.emit(Call::Files(files).into());
            }
        })
    }

    fn on_key(&self, ctx: &Context<Self>) -> Callback<KeyboardEvent> {
        let (mut state, send) = (self.state.clone(), ctx.link().callback(|intent| intent));
        // What is written while the palette is still to come is for it.
        state.letters_off |= self.waiting.iter().any(|(part, _)| *part == Part::Edit);
        let cursor = cursor::resolve(&self.cluster, self.state.cursor.as_ref());
        Callback::from(move |event: KeyboardEvent| {
            let key = event.key();
            let key = Key {
                name: &key,
                ctrl: event.ctrl_key() || event.meta_key(),
                shift: event.shift_key(),
                alt: event.alt_key(),
            };
            let region = region(&event);
            if matches!(region, Region::Tray(_)) && matches!(key.name, "ArrowLeft" | "ArrowRight") {
                walk_tray(&event, key.name == "ArrowRight");
                return;
            }
            if dom::walk_table(&event) {
                event.prevent_default();
                return;
            }
            if let Some(intent) = keys::intent(&state, cursor.as_ref(), &region, key) {
                event.prevent_default();
                send.emit(intent);
            }
        })
    }
}

/// Where the focus is.
fn region(event: &KeyboardEvent) -> Region {
    if dom::is_typing(event) {
        return Region::Field;
    }
    let Some(target) = event.target_dyn_into::<Element>() else { return Region::Page };
    let inside = |selector: &str| target.closest(selector).ok().flatten();
    // The buttons in a card's footer keep their own keys.
    let own = target.tag_name() == "BUTTON" && !target.class_list().contains("pod");
    if inside("[role=\"grid\"]").is_some() && !own {
        return Region::Board;
    }
    let pod = inside("[data-tray]").and_then(|_| target.get_attribute("data-name"));
    pod.map_or(Region::Page, |pod| Region::Tray(pod.into()))
}

/// Moves the focus to the next or previous pod of the tray, from lane to lane.
fn walk_tray(event: &KeyboardEvent, forward: bool) {
    let Some(target) = event.target_dyn_into::<Element>() else { return };
    let beside = |element: &Element| {
        if forward { element.next_element_sibling() } else { element.previous_element_sibling() }
    };
    let item = target.closest("li").ok().flatten();
    let next = item.as_ref().and_then(beside).or_else(|| {
        let lane = item?.closest(".lane").ok().flatten()?;
        let pods = if forward { "li" } else { "li:last-child" };
        beside(&lane)?.query_selector(pods).ok().flatten()
    });
    if let Some(chip) = next.and_then(|next| next.first_element_child()) {
        event.prevent_default();
        dom::focus_at(&chip);
    }
}

/// Sets the colour scheme and the language on the element that holds the page.
pub(super) fn dress(root: &Element, theme: Theme, language: &str) {
    let host = root.get_root_node();
    let host = match host.dyn_ref::<web_sys::ShadowRoot>() {
        Some(shadow) => Some(shadow.host()),
        None => root.owner_document().and_then(|document| document.document_element()),
    };
    let Some(host) = host else { return };
    for (name, value) in [("data-theme", theme.attribute()), ("lang", Some(language))] {
        // To set what is set already would style every element anew.
        if host.get_attribute(name).as_deref() == value {
            continue;
        }
        // Neither fails: the names are valid attribute names.
        let _ = match value {
            Some(value) => host.set_attribute(name, value),
            None => host.remove_attribute(name),
        };
    }
}
