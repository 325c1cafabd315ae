//! At the foot of the board: the search, and what can be done with everything that is selected.

use super::commands::{COMMANDS, Command};
use super::find::Found;
use super::menu;
use super::picked;
use super::things::{Sort, Thing};
use super::{Edit, EditMsg, EditWords};
use crate::app::App;
use crate::components::{Shape, icon};
use crate::dom;
use crate::locale::Msg;
use crate::tool::{Slot, Tool, task};
use std::rc::Rc;
use web_sys::{Element, HtmlInputElement};
use yew::{AttrValue, Callback, Html, InputEvent, MouseEvent, TargetCast, html};

/// How many commands have a button of their own.
const BUTTONS: usize = 4;

/// Shows it, or puts it away if there is nothing to say.
pub(super) fn show(edit: &Edit, app: &mut App) {
    let (needed, picking) = {
        let memory = edit.0.borrow();
        (memory.find.is_some() || memory.picking || !memory.picked.is_empty(), memory.picking)
    };
    if let Some(root) = app.root() {
        // A tap selects more for as long as this is there.
        let _ = if picking {
            root.set_attribute("data-picking", "")
        } else {
            root.remove_attribute("data-picking")
        };
        if !needed {
            paint(&root, &[], None);
        }
    }
    if needed {
        app.open(Slot::Foot, Box::new(Foot { edit: edit.clone(), found: None }));
    } else {
        app.close(Slot::Foot);
    }
}

/// Opens the search, with the focus in it.
pub(super) fn search(edit: &Edit, app: &mut App) {
    edit.0.borrow_mut().find.get_or_insert_default();
    show(edit, app);
    app.focus("#find");
}

/// Puts the search away.
fn stop_search(edit: &Edit, app: &mut App) {
    edit.0.borrow_mut().find = None;
    show(edit, app);
    app.focus("[role=\"grid\"] [tabindex=\"0\"]");
}

/// Puts away the search, then the selection.
pub(super) fn escape(edit: &Edit, app: &mut App) {
    let searching = edit.0.borrow().find.is_some();
    if searching { stop_search(edit, app) } else { picked::clear(edit, app) }
}

struct Foot {
    edit: Edit,
    /// What the search found, at which revision, for which words.
    found: Option<(u32, AttrValue, Rc<Found>)>,
}

impl Tool for Foot {
    fn stays(&self, app: &App) -> bool {
        // What is gone is selected no longer.
        let mut memory = self.edit.0.borrow_mut();
        memory.picked.retain(|thing| picked::is_there(app.cluster(), thing));
        memory.find.is_some() || memory.picking || !memory.picked.is_empty()
    }

    fn follow(&mut self, app: &App) {
        let query = self.edit.0.borrow().find.clone().unwrap_or_default();
        let now = (app.engine().revision(), query);
        if self
            .found
            .as_ref()
            .is_some_and(|(revision, query, _)| (*revision, query) == (now.0, &now.1))
        {
            return;
        }
        let (revision, query) = now;
        let playground = app.engine().playground().filter(|_| !query.is_empty());
        self.found = playground.map(|playground| {
            let found = Found::of(playground.cluster(), &query);
            (revision, query, Rc::new(found))
        });
    }

    fn view(&self, app: &App) -> Html {
        let memory = self.edit.0.borrow();
        html! {
            <div class="deck">
                if let Some(query) = &memory.find { {self.finder(app, query)} }
                if memory.picking || !memory.picked.is_empty() { {self.bar(app, &memory.picked)} }
            </div>
        }
    }

    fn drawn(&self, root: &Element) {
        let found = self.found.as_ref().map(|(_, _, found)| &**found);
        paint(root, &self.edit.0.borrow().picked, found);
    }
}

impl Foot {
    fn words(app: &App) -> EditWords {
        app.env().table()
    }

    fn finder(&self, app: &App, query: &AttrValue) -> Html {
        let words = Self::words(app);
        let send = app.env().send.clone();
        let edit = self.edit.clone();
        let oninput = Callback::from(move |event: InputEvent| {
            if let Some(input) = event.target_dyn_into::<HtmlInputElement>() {
                let (edit, query) = (edit.clone(), AttrValue::from(input.value()));
                send.emit(task(move |_| edit.0.borrow_mut().find = Some(query.clone())));
            }
        });
        let hidden = self.found.as_ref().map(|(_, _, found)| {
            let pods = words.count(EditMsg::PodsDimmed, found.other_pods);
            let nodes = words.count(EditMsg::NodesDimmed, found.other_nodes);
            words.fill(
                EditMsg::Dimmed,
                &[("found", &found.pods.len().to_string()), ("pods", &pods), ("nodes", &nodes)],
            )
        });
        let all = {
            let (edit, found) =
                (self.edit.clone(), self.found.as_ref().map(|(_, _, found)| Rc::clone(found)));
            app.env().on(task(move |app| {
                let Some(found) = &found else { return };
                let things = found.pods.iter().map(|key| Thing::Pod(key.clone().into())).collect();
                picked::only(&edit, app, things);
            }))
        };
        let close = {
            let edit = self.edit.clone();
            app.env().on::<MouseEvent>(task(move |app| stop_search(&edit, app)))
        };
        let escape = {
            let (edit, send) = (self.edit.clone(), app.env().send.clone());
            Callback::from(move |event: yew::KeyboardEvent| {
                if event.key() == "Escape" {
                    event.stop_propagation();
                    let edit = edit.clone();
                    send.emit(task(move |app| stop_search(&edit, app)));
                }
            })
        };
        html! {
            <div class="deck-row" role="search">
                <input type="search" id="find" class="text" aria-label={words.text(EditMsg::Find)} value={query.clone()}
                    placeholder={words.text(EditMsg::FindHint)} autocomplete="off" spellcheck="false" {oninput} onkeydown={escape} />
                <span role="status">{hidden.unwrap_or_default()}</span>
                if self.found.as_ref().is_some_and(|(_, _, found)| !found.pods.is_empty()) {
                    <button type="button" class="btn small line" onclick={all}>{words.text(EditMsg::SelectFound)}</button>
                }
                <button type="button" class="btn small icon-only" aria-label={words.text(EditMsg::StopFind)} onclick={close}>
                    {icon(Shape::Cross)}
                </button>
            </div>
        }
    }

    fn bar(&self, app: &App, picked: &[Thing]) -> Html {
        let words = Self::words(app);
        let count = |sort: Sort| picked.iter().filter(|thing| thing.sort() == sort).count() as u32;
        let (pods, nodes) = (count(Sort::Pod), count(Sort::Node));
        let mut parts: Vec<AttrValue> = Vec::new();
        for (count, msg) in [(nodes, Msg::Nodes), (pods, Msg::Pods)] {
            if count > 0 {
                parts.push(app.env().words.count(msg, count));
            }
        }
        let what = if parts.is_empty() {
            words.text(EditMsg::NothingYet)
        } else {
            parts.join(", ").into()
        };
        let fits = |command: &&Command| {
            command.in_bar && command.takes(picked) && command.hindrance(app, picked).is_none()
        };
        let clear = {
            let edit = self.edit.clone();
            app.env().on::<MouseEvent>(task(move |app| picked::clear(&edit, app)))
        };
        let more = {
            let edit = self.edit.clone();
            let send = app.env().send.clone();
            Callback::from(move |event: MouseEvent| {
                let Some(button) = event.target_dyn_into::<Element>() else { return };
                let at = dom::corner(&button);
                let edit = edit.clone();
                send.emit(task(move |app| {
                    let things = edit.0.borrow().picked.clone();
                    menu::open(&edit, app, &things, at);
                }));
            })
        };
        html! {
            <div class="deck-row" role="toolbar" aria-label={words.text(EditMsg::Selection)}>
                <b role="status">{words.fill(EditMsg::Selected, &[("what", &what)])}</b>
                {for COMMANDS.iter().filter(fits).take(BUTTONS).map(|command| {
                    let (edit, things) = (self.edit.clone(), picked.to_vec());
                    let run = app.env().on::<MouseEvent>(task(move |app| command.perform(&edit, app, &things)));
                    html! { <button type="button" class="btn small line hide-s" onclick={run}>{words.text(command.name)}</button> }
                })}
                if !picked.is_empty() {
                    <button type="button" class="btn small line" aria-haspopup="menu" onclick={more}>{words.text(EditMsg::MoreCommands)}</button>
                }
                <button type="button" class="btn small icon-only" aria-label={words.text(EditMsg::ClearSelection)} onclick={clear}>
                    {icon(Shape::Cross)}
                </button>
            </div>
        }
    }
}

/// Marks what is selected, and what a search has not found, on what is drawn.
fn paint(root: &Element, picked: &[Thing], found: Option<&Found>) {
    dom::each(root, "[data-lift]", |element| {
        let Some(name) = element.get_attribute("data-name") else { return };
        let pod = element.get_attribute("data-lift").as_deref() == Some("pod");
        let is_picked = picked.iter().any(|thing| match thing {
            Thing::Pod(key) => pod && **key == *name,
            Thing::Node(node) => !pod && **node == *name,
            _ => false,
        });
        let is_dim = found
            .is_some_and(|found| !(if pod { &found.pods } else { &found.nodes }).contains(&name));
        dom::mark(element, "data-picked", is_picked);
        dom::mark(element, "data-dim", is_dim);
    });
}
