//! The application: it owns the engine and the state, turns what the user wants into commands and
//! actions, and hands views to the components.

mod desk;
mod intent;
mod keys;
mod outcome;
mod page;

pub use desk::Heading;
pub use intent::{Intent, PodEdit, Source};

use crate::components::Panel;
use crate::cursor::{self, Cursor};
use crate::dom::{self, Listener, pointer::Pointer};
use crate::drag::{By, Drag, Effect, Input, Subject, Target};
use crate::engine::{Ask, Engine, MOST_CARDS};
use crate::env::Env;
use crate::languages::Tongue;
use crate::locale::{Language, Msg};
use crate::parts::{Call, Late, New, NotFetched, Part};
use crate::state::{Action, AppState, Tab};
use crate::tool::{Slot, Tool};
use crate::view::{ClusterView, InspectorView};
use berth_core::playground::Command;
use std::cell::Cell;
use std::rc::Rc;
use web_sys::Element;
use yew::{AttrValue, Component, Context, Html, NodeRef};

/// Says what a change is called.
pub type Namer = fn(&Env, &Command) -> AttrValue;

/// The application.
pub struct App {
    env: Env,
    engine: Engine,
    state: AppState,
    /// What the views were made from.
    seen: Option<Seen>,
    cluster: Rc<ClusterView>,
    inspector: Option<Rc<InspectorView>>,
    /// What the parts of the program have brought, by slot.
    tools: [Option<Box<dyn Tool>>; Slot::COUNT],
    /// The panel of the open tab, and what stands below the constraints, where a tool draws it.
    panels: [Option<Panel>; 2],
    /// The tab, the nodes and the row that the panels were drawn for; none if something else has changed since.
    drawn_for: Option<(Tab, [Option<AttrValue>; 3])>,
    /// Whether a part of the program has done something since the page was drawn.
    touched: bool,
    root: NodeRef,
    ghost: NodeRef,
    pointer: Rc<Pointer>,
    /// Whether something is held, for the listener that stops scrolling.
    held: Rc<Cell<bool>>,
    listeners: Vec<Listener>,
    /// Whether what keeps the state was asked for.
    woken: bool,
    /// What to focus once the change is drawn.
    focus: Option<&'static str>,
    /// The column to scroll to once the change is drawn.
    show: Option<AttrValue>,
    /// Whether something was opened that should be in sight.
    reveal: bool,
    /// What there is to see in the cluster.
    story: Story,
    /// Counts the panels.
    drawn: u32,
    /// The parts of the program that have come.
    parts: [Option<Box<dyn Late>>; Part::COUNT],
    /// Says what a change is called, once the part that has words for it is here.
    namer: Option<Namer>,
    /// What asked for what has the inspector's place.
    asked: &'static str,
    /// What is to be done once the part is here that it takes.
    waiting: Vec<(Part, Intent)>,
}

/// What the views depend on.
#[derive(PartialEq)]
struct Seen {
    revision: u32,
    selected: Option<AttrValue>,
    columns: Option<AttrValue>,
}

/// What there is to see in the cluster.
enum Story {
    /// That of the cluster which the page begins with.
    Opening,
    /// What somebody wrote down; empty for nothing.
    Told(AttrValue),
}

/// The Tab stop of the board.
const ON_BOARD: &str = "[role=\"grid\"] [tabindex=\"0\"], .scale [data-here]";
/// The button that lets the scheduler work until nothing is left to do.
const ON_WORK: &str = ".work .btn:nth-child(3)";
/// Where the browser keeps the language that was chosen.
const LANGUAGE: &str = "berth.language";
/// The Tab stop of the tray.
const ON_TRAY: &str = "[data-tray] [tabindex=\"0\"]";

impl Component for App {
    type Message = Intent;
    type Properties = ();

    fn create(ctx: &Context<Self>) -> Self {
        let env = Env::english(ctx.link().callback(|intent| intent));
        let language = dom::remembered(LANGUAGE).or_else(dom::language);
        match language.as_deref().and_then(Tongue::of) {
            None | Some(Tongue::English) => {}
            Some(tongue) => env.send(Call::Speak(tongue)),
        }
        let mut engine = Engine::default();
        // Who follows a link is not shown something else.
        let opened = if dom::has_link() { Ok(()) } else { engine.open_example(&env.words) };
        let mut app = Self {
            env,
            engine,
            state: AppState {
                letters_off: dom::remembered("letters").as_deref() == Some("off"),
                ..AppState::default()
            },
            seen: None,
            cluster: Rc::default(),
            inspector: None,
            tools: Default::default(),
            panels: Default::default(),
            drawn_for: None,
            touched: false,
            root: NodeRef::default(),
            ghost: NodeRef::default(),
            pointer: Rc::default(),
            held: Rc::default(),
            listeners: Vec::new(),
            woken: false,
            focus: None,
            show: None,
            reveal: false,
            story: Story::Opening,
            drawn: 0,
            parts: Default::default(),
            namer: None,
            asked: "",
            waiting: Vec::new(),
        };
        if let Err(error) = opened {
            app.act(Action::Say(error));
        }
        app.refresh();
        let first = app.cluster.pending.first().map(|pod| pod.key.clone());
        app.act(Action::Select(first));
        app.refresh();
        app
    }

    fn update(&mut self, _ctx: &Context<Self>, intent: Intent) -> bool {
        let (before, revision) = (self.state.clone(), self.engine.revision());
        self.handle(intent);
        if self.engine.revision() != revision {
            self.act(Action::Revised(self.engine.revision()));
            self.wake();
            // Undo names what it takes back.
            if self.namer.is_none() {
                self.load(Part::Edit);
            }
        }
        self.held.set(self.state.drag.held().is_some());
        self.refresh();
        self.settle_tools();
        self.draw_panels();
        let opened = |state: &AppState| (state.cell.clone(), state.term.clone(), state.tab);
        self.reveal = opened(&before) != opened(&self.state);
        let touched = std::mem::take(&mut self.touched);
        touched || before != self.state || self.focus.is_some() || self.show.is_some()
    }

    fn view(&self, ctx: &Context<Self>) -> Html {
        self.page(ctx)
    }

    fn rendered(&mut self, _ctx: &Context<Self>, first: bool) {
        let Some(root) = self.root.cast::<Element>() else { return };
        if first {
            let held = Rc::clone(&self.held);
            self.listeners = dom::hand_over(&root, &self.env.send);
            self.listeners.push(dom::pointer::hold_still(&root, move || held.get()));
            self.listeners.extend(dom::on_link(self.env.on(Call::Wake.into())));
            if dom::has_link() || dom::remembered(dom::KEPT).is_some() {
                self.wake();
            }
        }
        for tool in self.tools.iter().flatten() {
            tool.drawn(&root);
        }
        if let Some(selector) = self.focus.take() {
            dom::focus(&root, selector);
        }
        if let Some(zone) = self.show.take() {
            dom::show(&root, "[data-drop=zone]", &zone);
        }
        if std::mem::take(&mut self.reveal) {
            dom::reveal(&root, ".detail, .tbl .open");
        }
        if matches!(self.state.drag.by(), Some(By::Pointer(_))) {
            self.pointer.place(&self.ghost);
        }
        page::dress(&root, self.state.theme, self.env.language.tag);
    }
}

impl App {
    fn say(&mut self, msg: Msg, blanks: &[(&str, &str)]) {
        let text = self.env.words.fill(msg, blanks);
        self.act(Action::Say(text));
    }

    /// Makes the views anew from the engine, if what they show has changed.
    fn refresh(&mut self) {
        let now = Seen {
            revision: self.engine.revision(),
            selected: self.state.selected.clone(),
            columns: self.state.columns.clone(),
        };
        if self.seen.as_ref() == Some(&now) {
            return;
        }
        let ask =
            Ask { selected: self.state.selected.clone(), columns: self.state.columns.clone() };
        let (cluster, inspector) = self.engine.views(&ask, &self.env.words);
        // A selected pod may be gone.
        if inspector.is_none() && self.state.selected.is_some() {
            self.act(Action::Select(None));
        }
        self.cluster = Rc::new(cluster);
        self.inspector = inspector.map(Rc::new);
        self.seen = Some(Seen { selected: self.state.selected.clone(), ..now });
        self.drawn_for = None;
        if self.cluster.nodes > MOST_CARDS && !self.has_tool(Slot::Board) {
            self.env.send(Intent::Call(Call::Scale { table: false }));
        }
    }

    /// Puts away the tools that are to be shown no more, and lets the others take in what has happened.
    fn settle_tools(&mut self) {
        if !self.state.side {
            self.close(Slot::Side);
        }
        for slot in 0..Slot::COUNT {
            let Some(mut tool) = self.tools.get_mut(slot).and_then(Option::take) else { continue };
            if tool.stays(self) {
                tool.follow(self);
                if let Some(place) = self.tools.get_mut(slot) {
                    *place = Some(tool);
                }
            } else {
                self.touched = true;
            }
        }
    }

    /// Draws what tools show in the inspector, if it is not drawn as it is to be.
    fn draw_panels(&mut self) {
        let state = &self.state;
        let chosen = [&state.scored, &state.term, &state.node].map(Clone::clone);
        let wanted = Some((state.tab, chosen));
        if self.drawn_for == wanted {
            return;
        }
        self.drawn = self.drawn.wrapping_add(1);
        self.panels = [Slot::Tab, Slot::Why].map(|slot| {
            self.tool(slot).map(|tool| Panel { html: tool.view(self), number: self.drawn })
        });
        self.drawn_for = wanted;
    }

    /// Does what is wanted, as soon as the part of the program that can do it is here.
    fn handle(&mut self, intent: Intent) {
        match intent.needs() {
            Some(part) if !self.has(part) => self.fetch(part, intent),
            _ => self.carry_out(intent),
        }
    }

    /// Has the part fetched that opens links and keeps the state, once.
    fn wake(&mut self) {
        if !std::mem::replace(&mut self.woken, true) {
            self.env.send(Call::Wake);
        }
    }

    /// Keeps what is wanted until the part that it takes has come.
    fn fetch(&mut self, part: Part, intent: Intent) {
        let asked = self.waiting.iter().any(|(other, _)| *other == part);
        self.waiting.push((part, intent));
        if asked {
            return;
        }
        // What was just said of a change stays.
        if !matches!(self.waiting.last(), Some((_, Intent::Call(Call::Wake)))) {
            self.say(Msg::SayFetching, &[]);
        }
        self.load(part);
    }

    /// Fetches a part.
    fn load(&self, part: Part) {
        let send = self.env.send.clone();
        dom::spawn(async move { send.emit(Intent::Fetched(part, part.fetch().await)) });
    }

    /// Does what waited for a part, or forgets it.
    fn fetched(&mut self, part: Part, fetched: Result<New, NotFetched>) {
        let asked = self.waiting.iter().any(|(needed, _)| *needed == part);
        match fetched {
            Ok(new) => {
                if !self.has(part) {
                    let late = new(self);
                    self.return_part(part, late);
                    self.touch();
                }
                if self.state.notice == self.env.words.text(Msg::SayFetching) {
                    self.act(Action::Say(AttrValue::default()));
                }
            }
            Err(NotFetched) if asked => self.say(Msg::SayNotFetched, &[]),
            Err(NotFetched) => {}
        }
        for (needed, intent) in std::mem::take(&mut self.waiting) {
            if needed != part {
                self.waiting.push((needed, intent));
            } else if self.has(part) {
                self.carry_out(intent);
            }
        }
    }

    fn has(&self, part: Part) -> bool {
        self.parts.get(part as usize).is_some_and(Option::is_some)
    }

    fn return_part(&mut self, part: Part, late: Box<dyn Late>) {
        if let Some(place) = self.parts.get_mut(part as usize) {
            *place = Some(late);
        }
    }

    /// Asks a part of the program that has come for something.
    fn call(&mut self, call: Call) {
        let Some(part) = call.part() else {
            if let Call::Speak(Tongue::English) = call {
                self.speak(Language::ENGLISH);
            }
            return;
        };
        let Some(mut late) = self.parts.get_mut(part as usize).and_then(Option::take) else {
            return;
        };
        late.call(self, call);
        self.return_part(part, late);
        self.touch();
    }

    fn carry_out(&mut self, intent: Intent) {
        match intent {
            Intent::Fetched(part, fetched) => self.fetched(part, fetched),
            Intent::Call(call) => self.call(call),
            Intent::Task(task) => {
                task.run(self);
                self.touch();
            }
            Intent::CloseSide => {
                self.act(Action::Side(false));
                self.focus = Some(self.asked);
            }
            Intent::Do(action) => self.act(action),
            Intent::Select(pod) => self.select(pod),
            Intent::SelectNode(node) => {
                if self.state.drag.held().is_none() {
                    if let Some(name) = &node {
                        self.act(Action::Cursor(Cursor::Node(name.clone())));
                    }
                    self.act(Action::SelectNode(node));
                }
            }
            Intent::Drag(input) => self.drag(input),
            Intent::Place { pod, node, bypass } => {
                self.act(Action::Drag(Drag::Idle));
                self.place(&pod, &node, bypass);
            }
            Intent::Schedule(pod) => self.schedule(&pod),
            Intent::Preempt(pod) => self.preempt(&pod),
            Intent::Release(pod) => self.release(&pod),
            Intent::Undo => {
                if self.engine.undo() {
                    self.say(Msg::SayUndone, &[]);
                }
            }
            Intent::Redo => {
                if self.engine.redo() {
                    self.say(Msg::SayRedone, &[]);
                }
            }
            Intent::OpenRefusal(plugin) => self.open_refusal(&plugin),
            Intent::OpenTab(tab) => {
                self.act(Action::Tab(tab));
                self.call(Call::Tab(tab));
                self.focus = Some("[role=\"tab\"][tabindex=\"0\"]");
            }
            Intent::Walk(step) => {
                if let Some(at) = cursor::resolve(&self.cluster, self.state.cursor.as_ref()) {
                    self.go(cursor::walk(&self.cluster, &at, step));
                }
            }
            Intent::NextFitting(down) => {
                if let Some(at) = cursor::resolve(&self.cluster, self.state.cursor.as_ref()) {
                    self.go(cursor::next_fitting(&self.cluster, &at, down));
                }
            }
            Intent::Show(zone) => self.show = Some(zone),
            Intent::Why => {
                let at = cursor::resolve(&self.cluster, self.state.cursor.as_ref());
                if let Some(target) = at.and_then(|at| at.target(&self.cluster)) {
                    self.say_verdict(&target);
                }
            }
        }
    }

    fn select(&mut self, pod: Option<AttrValue>) {
        if self.pointer.swallows_click() {
            return;
        }
        match self.state.drag.held_pod() {
            // A second tap on what is held puts it back; on another pod, its node is the target.
            Some(held) if pod.as_ref() == Some(held) => self.drag(Input::Abort),
            Some(_) => {}
            None => {
                if let Some(key) = pod
                    .clone()
                    .filter(|key| !self.cluster.pending.iter().any(|pod| pod.key == *key))
                {
                    self.act(Action::Cursor(Cursor::Pod(key)));
                }
                self.act(Action::Select(pod));
            }
        }
    }

    /// Moves the keyboard's place, and what is held with it.
    fn go(&mut self, to: Cursor) {
        if self.state.drag.by() == Some(By::Keys)
            && let Some(target) = to.target(&self.cluster)
        {
            self.drag(Input::Aim(target));
        }
        self.act(Action::Cursor(to));
        self.focus = Some(ON_BOARD);
    }

    fn drag(&mut self, input: Input) {
        let (drag, effect) = std::mem::take(&mut self.state.drag).step(input);
        self.act(Action::Drag(drag));
        match effect {
            Effect::None => {}
            Effect::Lifted(subject) => self.lifted(&subject),
            Effect::Aimed(_, target) => {
                if let Some(target) = target {
                    self.say_verdict(&target);
                }
            }
            Effect::Dropped { subject, target, bypass } => {
                self.pointer.forget();
                self.dropped(&subject, &target, bypass);
            }
            Effect::Returned(subject) => {
                self.pointer.forget();
                self.say(Msg::SayCancelled, &[("what", name_of(&subject))]);
                self.focus_on(&subject);
            }
        }
    }

    fn lifted(&mut self, subject: &Subject) {
        self.say(Msg::SayHeld, &[("what", name_of(subject))]);
        if self.state.drag.by() != Some(By::Keys) {
            return;
        }
        // The views must know the pod before its best node can be found.
        self.refresh();
        let target = match subject {
            Subject::Pod(_) => {
                let best = self.inspector.as_ref().and_then(|view| view.headline.winner.clone());
                best.map(Cursor::Node).or_else(|| cursor::start(&self.cluster))
            }
            Subject::Node(name) => {
                self.cluster.domain_of(name).map(|domain| Cursor::Zone(domain.id()))
            }
        };
        if let Some(target) = target {
            self.go(target);
        }
    }

    fn dropped(&mut self, subject: &Subject, target: &Target, bypass: bool) {
        match (subject, target) {
            (Subject::Pod(pod), Target::Node(node)) => self.place(pod, node, bypass),
            (Subject::Pod(pod), Target::Zone(zone)) => self.place_in(pod, zone),
            (Subject::Pod(pod), Target::Queue) => self.release(pod),
            (Subject::Node(node), Target::Zone(zone)) => self.move_node(node, zone),
            (Subject::Node(_), Target::Queue) => {}
            (Subject::Node(node), Target::Node(beside)) => {
                if let Some(zone) = self.cluster.domain_of(beside).map(|domain| domain.id()) {
                    self.move_node(node, &zone);
                }
            }
        }
        self.refresh();
        self.focus_on(subject);
    }

    /// Moves the focus to a pod or node, where it is now.
    fn focus_on(&mut self, subject: &Subject) {
        match subject {
            Subject::Pod(key) if self.cluster.pending.iter().any(|pod| pod.key == *key) => {
                self.focus = Some(ON_TRAY);
            }
            Subject::Pod(key) => {
                // Where pods are not drawn, its node stands for it.
                let node = self.inspector.as_ref().and_then(|view| view.node.clone());
                let drawn = self.cluster.nodes <= MOST_CARDS;
                let at =
                    node.filter(|_| !drawn).map_or_else(|| Cursor::Pod(key.clone()), Cursor::Node);
                self.act(Action::Cursor(at));
                self.focus = Some(ON_BOARD);
            }
            Subject::Node(name) => {
                self.act(Action::Cursor(Cursor::Node(name.clone())));
                self.focus = Some(ON_BOARD);
            }
        }
    }

    fn open_refusal(&mut self, plugin: &AttrValue) {
        let Some(view) = &self.inspector else { return };
        let table = &view.filter;
        let row = table.rows.iter().find(|row| row.plugin == *plugin);
        let column =
            row.and_then(|row| row.cells.iter().position(|cell| cell.reached && !cell.passes));
        if let Some(node) =
            column.and_then(|index| table.columns.get(index)).map(|column| column.node.clone())
        {
            let cell = Some((plugin.clone(), node));
            self.act(Action::Tab(Tab::Filter));
            if self.state.cell != cell {
                self.act(Action::Cell(cell));
            }
            self.focus = Some(".mx td.cur button");
        }
    }
}

/// The name to speak of.
fn name_of(subject: &Subject) -> &str {
    match subject {
        Subject::Pod(key) => key.split_once('/').map_or(key.as_str(), |(_, name)| name),
        Subject::Node(name) => name,
    }
}
