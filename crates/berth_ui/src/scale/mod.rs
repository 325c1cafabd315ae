//! Clusters that are too large for cards, and tables of any cluster: the part of the program that takes the board's place
//! when there are many nodes or a table is asked for. See [`crate::parts`].
//!
//! Up to [`MOST_ROWS`] nodes are rows in their columns, more are cells of a heat map; cells and rows open the real card.

mod data;
mod draw;
mod heat;
mod table;
mod tables;
#[cfg(test)]
mod tests;
mod words;

pub use words::{ScaleMsg, ScaleWords};

use crate::app::{App, Intent};
use crate::cursor::Cursor;
use crate::parts::{Call, Late, late};
use crate::state::Action;
use crate::tool::{Slot, Tool, task};
use berth_core::playground::Playground;
use data::{Data, is_large};
use draw::Drawing;
use heat::Metric;
use std::cell::RefCell;
use std::rc::Rc;
use table::Source;
use yew::{AttrValue, Html, html};

/// Where the keyboard is on the board, whoever draws it.
const ON_BOARD: &str = "[role=\"grid\"] [tabindex=\"0\"], .scale [data-here]";
/// Up to so many nodes are rows.
const MOST_ROWS: usize = 300;

late!(scale, |app| {
    app.style(include_str!("../../../../web/styles/late/scale.css"));
    Box::new(Scale { shown: Rc::default() })
});

/// This part.
struct Scale {
    shown: Rc<RefCell<Shown>>,
}

impl Late for Scale {
    fn call(&mut self, app: &mut App, call: Call) {
        let Call::Scale { table } = call else { return };
        {
            let mut shown = self.shown.borrow_mut();
            let there = std::mem::replace(&mut shown.there, true);
            if table {
                shown.look =
                    if there && shown.look != Look::Board { Look::Board } else { Look::Nodes };
            }
        }
        if table {
            app.focus(ON_BOARD);
        }
        if app.has_tool(Slot::Board) {
            return;
        }
        let tool =
            View { shown: Rc::clone(&self.shown), seen: None, data: Rc::default(), source: None };
        app.open(Slot::Board, Box::new(tool));
    }
}

/// What is shown.
#[derive(Default)]
pub(super) struct Shown {
    /// Whether this part has the board's place.
    there: bool,
    look: Look,
    metric: Metric,
    /// The second label key.
    second: Option<AttrValue>,
    /// The node whose card is open.
    open: Option<AttrValue>,
}

/// The ways to look at a cluster.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Look {
    /// Columns of nodes: cards, rows or cells.
    #[default]
    Board,
    /// A table of nodes.
    Nodes,
    /// A table of pods.
    Pods,
}

/// What the data was made from.
#[derive(PartialEq)]
struct Seen {
    revision: u32,
    selected: Option<AttrValue>,
    key: AttrValue,
    second: Option<AttrValue>,
    look: Look,
    words: crate::locale::Locale,
}

/// The view, in the board's place.
struct View {
    shown: Rc<RefCell<Shown>>,
    seen: Option<Seen>,
    data: Rc<Data>,
    source: Option<Rc<dyn Source>>,
}

/// The intent to open a node's card, or to close it.
pub(super) fn open_card(shown: &Rc<RefCell<Shown>>, node: Option<AttrValue>) -> Intent {
    let shown = Rc::clone(shown);
    task(move |app| {
        let mut shown = shown.borrow_mut();
        shown.open = if shown.open == node { None } else { node.clone() };
        if let Some(name) = &shown.open {
            app.act(Action::Cursor(Cursor::Node(name.clone())));
        }
    })
}

impl Tool for View {
    fn stays(&self, app: &App) -> bool {
        let mut shown = self.shown.borrow_mut();
        shown.there = is_large(app.cluster()) || shown.look != Look::Board;
        shown.there
    }

    fn follow(&mut self, app: &App) {
        let shown = self.shown.borrow();
        let now = Seen {
            revision: app.engine().revision(),
            selected: app.state().selected.clone(),
            key: app.cluster().key.clone(),
            second: shown.second.clone(),
            look: shown.look,
            words: app.env().words.clone(),
        };
        if self.seen.as_ref() == Some(&now) {
            return;
        }
        self.data = Rc::new(Data::of(app, shown.second.as_deref()));
        let words: ScaleWords = app.env().table();
        self.source = match shown.look {
            Look::Board => None,
            Look::Nodes => Some(Rc::new(tables::Nodes {
                data: Rc::clone(&self.data),
                env: app.env().clone(),
                words,
                key: now.key.clone(),
                second: shown.second.clone(),
                shown: Rc::clone(&self.shown),
                columns: tables::columns(&self.data, &now.key, shown.second.is_some()),
            })),
            Look::Pods => {
                let cluster = app.engine().playground().map(Playground::cluster);
                Some(Rc::new(tables::Pods {
                    rows: cluster.map(data::pods).unwrap_or_default(),
                    words,
                }))
            }
        };
        self.seen = Some(now);
    }

    fn view(&self, app: &App) -> Html {
        let shown = self.shown.borrow();
        let words: ScaleWords = app.env().table();
        let drawing = Drawing { app, env: app.env(), words: &words, view: self, shown: &shown };
        let content = match &self.source {
            Some(source) => drawing.table(source),
            None => drawing.columns(),
        };
        html! {
            <div class="canvas scale" onkeydown={drawing.keys()}>
                {drawing.bar()}
                {content}
                {drawing.card()}
            </div>
        }
    }
}
