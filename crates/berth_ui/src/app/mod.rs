//! The application: it owns the engine and the state, turns what the user wants into commands and
//! actions, and hands views to the components.

mod intent;
mod keys;
mod outcome;
mod page;

pub use intent::{Intent, PodEdit, Source};

use crate::components::Panel;
use crate::cursor::{self, Cursor};
use crate::dom::{self, Listener, pointer::Pointer};
use crate::drag::{By, Drag, Effect, Input, Subject, Target};
use crate::engine::{Ask, Engine};
use crate::env::Env;
use crate::files::Entrance;
use crate::locale::{Locale, Msg};
use crate::parts::{Fetched, NotFetched, Part, Parts};
use crate::state::{Action, AppState, Dialog, Tab};
use crate::view::{ClusterView, InspectorView, RulesView};
use std::cell::Cell;
use std::rc::Rc;
use web_sys::Element;
use yew::{AttrValue, Component, Context, Html, NodeRef, html};

/// The application.
pub struct App {
    env: Env,
    engine: Engine,
    state: AppState,
    sources: Rc<[Source]>,
    /// What the views were made from.
    seen: Option<Seen>,
    cluster: Rc<ClusterView>,
    inspector: Option<Rc<InspectorView>>,
    /// The panel of the open tab, where another part of the program draws it.
    panel: Option<Panel>,
    /// The tab, the node and the row that it shows.
    panel_of: (Tab, Option<AttrValue>, Option<AttrValue>),
    root: NodeRef,
    ghost: NodeRef,
    pointer: Rc<Pointer>,
    /// Whether something is held, for the listener that stops scrolling.
    held: Rc<Cell<bool>>,
    touch: Option<Listener>,
    /// What to focus once the change is drawn.
    focus: Option<&'static str>,
    /// The column to scroll to once the change is drawn.
    show: Option<AttrValue>,
    /// Whether something was opened that should be in sight.
    reveal: bool,
    /// What there is to see in the cluster, if somebody wrote it down.
    story: Option<Html>,
    /// Counts the panels.
    drawn: u32,
    /// Counts the texts that were read; the number of the one that is being read in slices.
    reading: u32,
    turn: Rc<Cell<u32>>,
    parts: Parts,
    /// The priority classes and budgets, while they are shown.
    rules: Option<Rc<RulesView>>,
    /// What asked for them.
    asked: &'static str,
    /// What the scheduler did, at which revision.
    log: Option<(u32, Html)>,
    /// What is to be done once the part is here that it takes.
    waiting: Vec<(Part, Intent)>,
}

/// What the views depend on.
#[derive(PartialEq)]
struct Seen {
    revision: u32,
    selected: Option<AttrValue>,
    columns: Option<AttrValue>,
    rules: bool,
}

/// The Tab stop of the board.
const ON_BOARD: &str = "[role=\"grid\"] [tabindex=\"0\"]";
/// The buttons that let the scheduler work.
const ON_WORK: &str = ".work .btn:last-child";
/// The Tab stop of the tray.
const ON_TRAY: &str = "[data-tray] [tabindex=\"0\"]";

impl Component for App {
    type Message = Intent;
    type Properties = ();

    fn create(ctx: &Context<Self>) -> Self {
        let env = Env { words: Locale::english(), send: ctx.link().callback(|intent| intent) };
        let words = &env.words;
        let story = html! { <><strong>{words.text(Msg::StoryWhy)}</strong>{" "}{words.text(Msg::StoryTry)}</> };
        let mut engine = Engine::default();
        let opened = engine.open_example();
        let mut app = Self {
            env,
            engine,
            state: AppState::default(),
            sources: Rc::new([]),
            seen: None,
            cluster: Rc::default(),
            inspector: None,
            panel: None,
            panel_of: Default::default(),
            root: NodeRef::default(),
            ghost: NodeRef::default(),
            pointer: Rc::default(),
            held: Rc::default(),
            touch: None,
            focus: None,
            show: None,
            reveal: false,
            story: Some(story),
            drawn: 0,
            reading: 0,
            turn: Rc::default(),
            parts: Parts::default(),
            rules: None,
            asked: "",
            log: None,
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
        }
        self.held.set(self.state.drag.held().is_some());
        self.refresh();
        self.draw_panel();
        let opened = |state: &AppState| (state.cell.clone(), state.term.clone(), state.tab);
        self.reveal = opened(&before) != opened(&self.state);
        before != self.state || self.focus.is_some() || self.show.is_some()
    }

    fn view(&self, ctx: &Context<Self>) -> Html {
        self.page(ctx)
    }

    fn rendered(&mut self, _ctx: &Context<Self>, first: bool) {
        let Some(root) = self.root.cast::<Element>() else { return };
        if first {
            let held = Rc::clone(&self.held);
            self.touch = Some(dom::pointer::hold_still(&root, move || held.get()));
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
        page::theme(&root, self.state.theme);
    }
}

impl App {
    fn act(&mut self, action: Action) {
        self.state = std::mem::take(&mut self.state).reduce(action);
    }

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
            rules: self.state.dialog == Dialog::Rules,
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
        self.rules = self
            .parts
            .rules
            .filter(|_| now.rules)
            .and_then(|rules| Some(Rc::new((rules.view)(self.engine.playground()?))));
        self.cluster = Rc::new(cluster);
        self.inspector = inspector.map(Rc::new);
        self.seen = Some(Seen { selected: self.state.selected.clone(), ..now });
        self.panel = None;
    }

    /// Draws the open tab, where another part of the program does that, if it is not drawn as it is to be.
    fn draw_panel(&mut self) {
        let state = &self.state;
        let wanted = (state.tab, state.scored.clone(), state.term.clone());
        if self.panel.is_some() && self.panel_of == wanted {
            return;
        }
        self.panel = None;
        if let Some(part) = self.parts.tables
            && let Some(explained) = self.engine.explained(&self.env.words)
            && let Some(html) = (part.panel)(&self.env, &explained, state)
        {
            self.drawn = self.drawn.wrapping_add(1);
            self.panel = Some(Panel { html, number: self.drawn });
        }
        self.panel_of = wanted;
    }

    /// Does what is wanted, as soon as the part of the program that can do it is here.
    fn handle(&mut self, intent: Intent) {
        match intent.needs() {
            Some(part) if !self.parts.has(part) => self.fetch(part, intent),
            _ => self.carry_out(intent),
        }
    }

    /// Keeps what is wanted until the part that it takes has come.
    fn fetch(&mut self, part: Part, intent: Intent) {
        let asked = self.waiting.iter().any(|(other, _)| *other == part);
        self.waiting.push((part, intent));
        if asked {
            return;
        }
        self.say(Msg::SayFetching, &[]);
        let send = self.env.send.clone();
        dom::spawn(async move { send.emit(Intent::Fetched(part, part.fetch().await)) });
    }

    /// Does what waited for a part, or forgets it.
    fn fetched(&mut self, part: Part, fetched: Result<Fetched, NotFetched>) {
        match fetched {
            Ok(fetched) => {
                self.parts.add(fetched);
                if let Fetched::Rules(rules) = fetched {
                    self.engine.run_by(rules.machine);
                }
                self.act(Action::Say(AttrValue::default()));
            }
            Err(NotFetched) => self.say(Msg::SayNotFetched, &[]),
        }
        for (needed, intent) in std::mem::take(&mut self.waiting) {
            if needed != part {
                self.waiting.push((needed, intent));
            } else if self.parts.has(part) {
                self.carry_out(intent);
            }
        }
    }

    fn carry_out(&mut self, intent: Intent) {
        match intent {
            Intent::Fetched(part, fetched) => self.fetched(part, fetched),
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
            Intent::Edit { pod, edit } => self.edit(&pod, &edit),
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
            Intent::Paste(text) => {
                self.read(Rc::new([Source { name: AttrValue::default(), text }]), Entrance::Paste);
            }
            Intent::HaveRead(sources, report) => {
                let report = Rc::unwrap_or_clone(report);
                self.finish_reading(sources, report);
            }
            Intent::OpenRules(from) => {
                self.asked = from;
                self.act(Action::Dialog(Dialog::Rules));
                self.focus = Some("#rules-title");
            }
            Intent::CloseRules => {
                self.act(Action::Dialog(Dialog::Closed));
                self.focus = Some(self.asked);
            }
            Intent::Rule(edit) => self.change_rule(&edit),
            Intent::Run(all) => self.run_queue(all),
            Intent::CloseLog => {
                self.log = None;
                self.focus = Some(ON_WORK);
            }
            Intent::CancelReading => self.cancel_reading(),
            Intent::Files(files) => {
                let send = self.env.send.clone();
                let limit = Entrance::File.most_bytes() as u64;
                dom::read_files(&files, limit, move |read| {
                    send.emit(Intent::Opened(read));
                });
            }
            Intent::Opened(files) => self.opened(files),
            Intent::OpenRefusal(plugin) => self.open_refusal(&plugin),
            Intent::OpenTab(tab) => {
                self.act(Action::Tab(tab));
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
            (Subject::Node(node), Target::Zone(zone)) => self.move_node(node, zone),
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
                self.act(Action::Cursor(Cursor::Pod(key.clone())));
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

    /// Opens the import dialog, where what was read is explained.
    fn explain_import(&mut self) {
        self.act(Action::Dialog(Dialog::Import));
    }
}

/// The name to speak of.
fn name_of(subject: &Subject) -> &str {
    match subject {
        Subject::Pod(key) => key.split_once('/').map_or(key.as_str(), |(_, name)| name),
        Subject::Node(name) => name,
    }
}
