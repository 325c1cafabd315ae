//! YAML of anything, edited: a part of the program that is fetched when it is first needed, see [`crate::parts`].
//!
//! * [`target`] is what can be edited, and makes the text of it.
//! * [`draft`] is a text that somebody writes, [`check`] says what is wrong with it and what it would change.
//! * [`view`] is the editor itself, a text area with marks behind it; [`keys`] is what its keys do, [`help`] what fields are for.
//!
//! What is offered while somebody writes comes from the decoders (`berth_wire::complete`).

mod check;
mod draft;
mod help;
mod keys;
mod target;
#[cfg(test)]
mod tests;
mod view;
mod words;

pub use target::Target;
pub use words::{EditorMsg, EditorWords};

use crate::app::App;
use crate::dom;
use crate::parts::{Call, Late, late};
use crate::state::{Action, Sheet, Tab};
use crate::tool::{Slot, Tool};
use berth_core::playground::Machine;
use draft::Draft;
use std::cell::{Cell, RefCell};
use std::rc::Rc;
use web_sys::Element;
use yew::Html;

late!(editor, |app| {
    app.style(include_str!("../../../../web/styles/late/problems.css"));
    app.style(include_str!("../../../../web/styles/late/editor.css"));
    // What the API server has against classes and budgets.
    app.engine_mut().run_by(Machine::WHOLE);
    Box::new(Editor::default())
});

/// A text that is shared by what draws it and what its controls do.
type Shared = Rc<RefCell<Draft>>;

/// This part, with the texts that were left unfinished.
#[derive(Clone, Default)]
struct Editor(Rc<RefCell<Vec<Shared>>>);

impl Late for Editor {
    fn call(&mut self, app: &mut App, call: Call) {
        match call {
            Call::Tab(_) => {
                // On a phone there would be room for two lines.
                app.act(Action::Sheet(Sheet::Full));
                let fresh = Cell::new(true);
                app.open(Slot::Tab, Box::new(OfPod { part: self.clone(), draft: None, fresh }));
            }
            Call::Yaml(target, asked) => {
                if let Some(draft) = self.draft(app, target) {
                    app.open_side(asked, Box::new(Beside { draft, fresh: Cell::new(true) }));
                    app.focus("#yaml-text");
                }
            }
            _ => {}
        }
    }
}

impl Editor {
    /// The unfinished text of something, else the text as it is now.
    fn draft(&self, app: &App, target: Target) -> Option<Shared> {
        let mut drafts = self.0.borrow_mut();
        drafts.retain(|draft| Rc::strong_count(draft) > 1 || draft.borrow().is_dirty());
        if let Some(found) = drafts.iter().find(|draft| draft.borrow().target == target) {
            return Some(Rc::clone(found));
        }
        let draft = Rc::new(RefCell::new(Draft::new(app, target)?));
        drafts.push(Rc::clone(&draft));
        Some(draft)
    }
}

/// The selected pod, in its tab.
struct OfPod {
    part: Editor,
    draft: Option<Shared>,
    /// Whether it was not drawn yet.
    fresh: Cell<bool>,
}

impl Tool for OfPod {
    fn follow(&mut self, app: &App) {
        let target = match app.state() {
            state if state.tab == Tab::Yaml => state.selected.as_deref().map(Target::pod),
            _ => None,
        };
        let same = self
            .draft
            .as_ref()
            .is_some_and(|draft| Some(&draft.borrow().target) == target.as_ref());
        if !same {
            self.draft = target.and_then(|target| self.part.draft(app, target));
        }
        if let Some(draft) = &self.draft {
            draft.borrow_mut().follow(app);
        }
    }

    fn view(&self, app: &App) -> Html {
        self.draft.as_ref().map_or_else(Html::default, |draft| view::panel(app, draft))
    }

    fn drawn(&self, root: &Element) {
        if let Some(draft) = &self.draft {
            view::place(root, &draft.borrow());
            if self.fresh.replace(false) {
                dom::to_top(root, ".yaml");
            }
        }
    }
}

/// Anything, in the inspector's place.
struct Beside {
    draft: Shared,
    /// Whether it was not drawn yet.
    fresh: Cell<bool>,
}

impl Tool for Beside {
    fn follow(&mut self, app: &App) {
        self.draft.borrow_mut().follow(app);
    }

    fn view(&self, app: &App) -> Html {
        view::beside(app, &self.draft)
    }

    fn drawn(&self, root: &Element) {
        let draft = self.draft.borrow();
        view::place(root, &draft);
        if self.fresh.replace(false) {
            // Browsers begin at the end.
            let before = draft.text.get(..draft.caret).unwrap_or_default();
            dom::to_end_of(root, "#yaml-text", before);
        }
    }
}
