//! The application as the parts of the program see it that are fetched later: what they may read, and what they may do.

use super::{App, Namer, ON_BOARD, ON_TRAY, Story};
use crate::dom;
use crate::engine::Engine;
use crate::env::Env;
use crate::locale::{Language, Locale, Msg};
use crate::state::{Action, AppState};
use crate::tool::{Slot, Tool};
use crate::view::{ClusterView, InspectorView};
use std::rc::Rc;
use web_sys::Element;
use yew::AttrValue;

/// What an input says of itself.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Heading {
    /// What the cluster is called.
    pub name: AttrValue,
    /// The pod that it is about, `namespace/name`.
    pub pod: Option<AttrValue>,
    /// What there is to see.
    pub story: AttrValue,
}

impl App {
    /// The words, and the way to say what the user wants.
    pub fn env(&self) -> &Env {
        &self.env
    }

    /// What the page remembers besides the cluster.
    pub fn state(&self) -> &AppState {
        &self.state
    }

    /// The engine.
    pub fn engine(&self) -> &Engine {
        &self.engine
    }

    /// The engine, to give it a command. The views follow once the call or the task is over.
    pub fn engine_mut(&mut self) -> &mut Engine {
        &mut self.engine
    }

    /// What somebody wrote down about the cluster; may be empty.
    pub fn story_text(&self) -> AttrValue {
        match &self.story {
            Story::Opening => AttrValue::default(),
            Story::Told(text) => text.clone(),
        }
    }

    /// The board as it is drawn.
    pub fn cluster(&self) -> &Rc<ClusterView> {
        &self.cluster
    }

    /// The inspector as it is drawn, if a pod is selected.
    pub fn inspector(&self) -> Option<&Rc<InspectorView>> {
        self.inspector.as_ref()
    }

    /// The element that holds the page, once it is drawn.
    pub fn root(&self) -> Option<Element> {
        self.root.cast()
    }

    /// Changes what the page remembers.
    pub fn act(&mut self, action: Action) {
        self.state = std::mem::take(&mut self.state).reduce(action);
    }

    /// Speaks another language from now on.
    pub fn speak(&mut self, language: Language) {
        dom::remember(super::LANGUAGE, language.tag);
        self.env.words = Locale::read(&language);
        self.env.language = language;
        if let Story::Opening = self.story {
            self.engine.rename(self.env.words.text(Msg::Example));
        }
        self.seen = None;
        self.refresh();
        self.touch();
    }

    /// Calls the cluster something else.
    pub fn rename(&mut self, name: AttrValue) {
        self.engine.rename(name);
        self.seen = None;
        self.refresh();
        self.touch();
    }

    /// Says something in the status line.
    pub fn tell(&mut self, text: AttrValue) {
        self.act(Action::Say(text));
    }

    /// Focuses the first element that matches, once the change is drawn.
    pub fn focus(&mut self, selector: &'static str) {
        self.focus = Some(selector);
    }

    /// From now on changes have names.
    pub fn name_by(&mut self, namer: Namer) {
        self.namer = Some(namer);
    }

    /// Adds the style sheet of a part to the page.
    pub fn style(&self, css: &str) {
        // A browser that cannot take it shows the part without its looks.
        let _ = self.root.cast::<Element>().and_then(|root| dom::adopt(&root, css));
    }

    /// Saves a text as a file.
    pub fn save(&self, name: &str, text: &str) {
        // A browser that saves no files says so itself.
        let _ = self.root.cast::<Element>().and_then(|root| dom::save(&root, name, text));
    }

    /// Shows a tool in a slot, in the place of what is there.
    pub fn open(&mut self, slot: Slot, tool: Box<dyn Tool>) {
        if slot == Slot::Side {
            self.act(Action::Side(true));
        }
        if let Some(place) = self.tools.get_mut(slot as usize) {
            *place = Some(tool);
        }
        self.touch();
    }

    /// The same in the inspector's place; what matches `asked` has the focus again once that is given back.
    pub fn open_side(&mut self, asked: &'static str, tool: Box<dyn Tool>) {
        self.asked = asked;
        self.open(Slot::Side, tool);
    }

    /// Puts away what a slot shows.
    pub fn close(&mut self, slot: Slot) {
        let was = self.tools.get_mut(slot as usize).and_then(Option::take);
        if was.is_some() {
            if slot == Slot::Side {
                self.act(Action::Side(false));
            }
            self.touch();
        }
    }

    /// The focus goes where the scheduler is let work.
    pub fn focus_on_work(&mut self) {
        self.focus = Some(super::ON_WORK);
    }

    /// Makes the views anew, where what follows needs them.
    pub fn renew(&mut self) {
        self.refresh();
    }

    /// Shows a cluster that the engine has just opened, and the pod that it is about.
    pub fn opened(&mut self, heading: Heading) {
        let pod = heading.pod.or_else(|| self.engine.first_waiting());
        self.opened_with(heading.story, pod);
    }

    /// The same with this pod selected, or none.
    pub fn opened_with(&mut self, story: AttrValue, pod: Option<AttrValue>) {
        self.story = Story::Told(story);
        self.act(Action::Opened(self.engine.revision()));
        // Before the views are made, which takes long of a large cluster.
        self.act(Action::Select(pod));
        self.refresh();
        // What had the focus goes with what was open.
        self.focus = Some(if self.cluster.pending.is_empty() { ON_BOARD } else { ON_TRAY });
        let words = self.env.words.clone();
        let nodes = words.count(Msg::Nodes, self.cluster.nodes);
        let pods = words.count(Msg::Pods, self.cluster.pods);
        self.say(Msg::SayImported, &[("nodes", &nodes), ("pods", &pods)]);
    }

    /// Whether a slot shows a tool.
    pub fn has_tool(&self, slot: Slot) -> bool {
        self.tool(slot).is_some()
    }

    /// What a slot shows.
    pub(super) fn tool(&self, slot: Slot) -> Option<&dyn Tool> {
        self.tools.get(slot as usize)?.as_deref()
    }

    /// What tools show is to be drawn anew.
    pub(super) fn touch(&mut self) {
        self.touched = true;
        self.drawn_for = None;
    }
}
