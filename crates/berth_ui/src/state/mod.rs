//! Everything the page remembers besides the cluster, and every way it changes.
//!
//! Pure: [`AppState::reduce`] is a function of the state and an action. The engine lives outside
//! and is known here by its revision only.

#[cfg(test)]
mod tests;

use crate::cursor::Cursor;
use crate::drag::Drag;
use crate::view::Mistake;
use std::rc::Rc;
use yew::AttrValue;

/// The state.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct AppState {
    /// The engine's revision that the views were made from.
    pub revision: u32,
    /// The selected pod, `namespace/name`.
    pub selected: Option<AttrValue>,
    /// The selected node.
    pub node: Option<AttrValue>,
    /// The drag machine.
    pub drag: Drag,
    /// A drop that was refused: the pod and the node whose sum stays on screen.
    pub refused: Option<(AttrValue, AttrValue)>,
    /// Where the keyboard is on the board.
    pub cursor: Option<Cursor>,
    /// The label key chosen for the columns.
    pub columns: Option<AttrValue>,
    /// Whether something else has the inspector's place.
    pub side: bool,
    /// The colour scheme.
    pub theme: Theme,
    /// The inspector's tab.
    pub tab: Tab,
    /// The opened cell of the Filter matrix: plugin and node.
    pub cell: Option<(AttrValue, AttrValue)>,
    /// The node whose scores are worked out below the bars.
    pub scored: Option<AttrValue>,
    /// The opened row of the Score table.
    pub term: Option<AttrValue>,
    /// Whether the plugins that skipped are listed.
    pub skipped: bool,
    /// How far the inspector is pulled up on a phone.
    pub sheet: Sheet,
    /// The values that were refused last, each at its field.
    pub mistakes: Rc<[Mistake]>,
    /// Whether letters mean nothing.
    pub letters_off: bool,
    /// The last thing that happened, for the status line.
    pub notice: AttrValue,
}

/// The colour schemes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Theme {
    /// The system's.
    #[default]
    System,
    /// Light.
    Light,
    /// Dark.
    Dark,
}

impl Theme {
    /// The value of `data-theme`; nothing follows the system.
    pub fn attribute(self) -> Option<&'static str> {
        match self {
            Self::System => None,
            Self::Light => Some("light"),
            Self::Dark => Some("dark"),
        }
    }
}

/// The inspector's tabs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Tab {
    /// The Filter matrix.
    #[default]
    Filter,
    /// The Score table.
    Score,
    /// Who would have to go.
    Preemption,
    /// What would change the outcome.
    Advice,
    /// The pod as a manifest.
    Yaml,
}

/// The inspector's height on a phone.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Sheet {
    /// The verdict only.
    #[default]
    Peek,
    /// Half the screen.
    Half,
    /// All of it.
    Full,
}

impl Sheet {
    /// The next height, round and round.
    #[must_use]
    pub fn next(self) -> Self {
        match self {
            Self::Peek => Self::Half,
            Self::Half => Self::Full,
            Self::Full => Self::Peek,
        }
    }
}

/// The changes.
#[derive(Clone, Debug, PartialEq)]
pub enum Action {
    /// The cluster changed.
    Revised(u32),
    /// Another cluster was opened.
    Opened(u32),
    /// A pod was selected, or none.
    Select(Option<AttrValue>),
    /// A node was selected, or none.
    SelectNode(Option<AttrValue>),
    /// The drag machine moved on.
    Drag(Drag),
    /// A pod was dropped on a node that refuses it.
    Refused(AttrValue, AttrValue),
    /// The keyboard moved.
    Cursor(Cursor),
    /// Other columns.
    Columns(AttrValue),
    /// Something else has the inspector's place, or gives it back.
    Side(bool),
    /// Another colour scheme.
    Theme(Theme),
    /// Another tab.
    Tab(Tab),
    /// A cell of the Filter matrix was opened or closed.
    Cell(Option<(AttrValue, AttrValue)>),
    /// A score bar was selected.
    Scored(AttrValue),
    /// A row of the Score table was opened or closed.
    Term(AttrValue),
    /// The list of skipped plugins was opened or closed.
    Skipped,
    /// The sheet was pulled.
    Sheet(Sheet),
    /// Values were refused, or taken: then there are none.
    Mistakes(Rc<[Mistake]>),
    /// Whether letters mean nothing from now on.
    LettersOff(bool),
    /// Something to say.
    Say(AttrValue),
}

impl AppState {
    /// The state after an action.
    #[must_use]
    pub fn reduce(mut self, action: Action) -> Self {
        match action {
            Action::Revised(revision) => {
                self.refused = None;
                self.mistakes = Rc::default();
                self.revision = revision;
            }
            Action::Opened(revision) => {
                let Self { theme, tab, letters_off, .. } = self;
                return Self { revision, theme, tab, letters_off, ..Self::default() };
            }
            Action::Select(pod) => {
                if self.selected != pod {
                    self.refused = None;
                    self.mistakes = Rc::default();
                    self.cell = None;
                    self.scored = None;
                    self.term = None;
                }
                // The inspector has its place back.
                if pod.is_some() {
                    self.side = false;
                }
                self.node = None;
                self.selected = pod;
            }
            Action::SelectNode(node) => {
                self.node = node;
            }
            Action::Drag(drag) => {
                // What a drop left on screen goes when the next one begins.
                if drag.held().is_some() {
                    self.refused = None;
                }
                if let Some(pod) =
                    drag.held_pod().filter(|pod| self.selected.as_ref() != Some(*pod))
                {
                    self = self.reduce(Action::Select(Some(pod.clone())));
                }
                self.drag = drag;
            }
            Action::Refused(pod, node) => self.refused = Some((pod, node)),
            Action::Cursor(cursor) => self.cursor = Some(cursor),
            Action::Columns(key) => self.columns = Some(key),
            Action::Side(taken) => self.side = taken,
            Action::Theme(theme) => self.theme = theme,
            Action::Tab(tab) => self.tab = tab,
            Action::Cell(cell) => self.cell = if self.cell == cell { None } else { cell },
            Action::Scored(node) => self.scored = Some(node),
            Action::Term(plugin) => {
                self.term = if self.term.as_ref() == Some(&plugin) { None } else { Some(plugin) };
            }
            Action::Skipped => self.skipped = !self.skipped,
            Action::Sheet(sheet) => self.sheet = sheet,
            Action::Mistakes(mistakes) => self.mistakes = mistakes,
            Action::LettersOff(off) => self.letters_off = off,
            Action::Say(text) => self.notice = text,
        }
        self
    }
}
