//! What the parts of the program bring to the page: tools, each shown in a slot, and tasks, which act on the whole.
//!
//! A part is reached by a [`Call`](crate::parts::Call) and answers it on the application: it changes the cluster, says
//! something, or shows a [`Tool`]. What its controls do later they send as a [`Task`]. The page itself knows neither
//! tools nor tasks, so all their code is fetched with the part.

use crate::app::{App, Intent};
use std::fmt;
use std::rc::Rc;
use web_sys::Element;
use yew::Html;

/// Where a tool is shown. Each slot holds one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Slot {
    /// In the board's place.
    Board,
    /// In the inspector's place.
    Side,
    /// In the inspector, below the constraints.
    Why,
    /// In the inspector, as the panel of the open tab.
    Tab,
    /// Above the board and the story: what leads through them.
    Lesson,
    /// Above the board, in the place of the story.
    Strip,
    /// At the foot of the board, in the place of what can be done right now.
    Foot,
    /// Below the board.
    Time,
    /// Over everything: a dialog, a menu.
    Over,
    /// Nowhere: it only follows what happens.
    Unseen,
}

impl Slot {
    /// How many there are.
    pub const COUNT: usize = Self::Unseen as usize + 1;
}

/// Something that is shown in a slot.
pub trait Tool {
    /// Whether it is still to be shown; asked after everything that happens.
    fn stays(&self, _app: &App) -> bool {
        true
    }

    /// Takes in what has happened; asked before the page is drawn.
    fn follow(&mut self, _app: &App) {}

    /// What it looks like.
    fn view(&self, app: &App) -> Html;

    /// The page has been drawn.
    fn drawn(&self, _root: &Element) {}
}

/// Something to be done on the application.
#[derive(Clone)]
pub struct Task(Rc<dyn Fn(&mut App)>);

impl Task {
    /// Does it.
    pub fn run(&self, app: &mut App) {
        (self.0)(app);
    }
}

impl fmt::Debug for Task {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Task")
    }
}

/// The intent to do something on the application.
pub fn task(run: impl Fn(&mut App) + 'static) -> Intent {
    Intent::Task(Task(Rc::new(run)))
}
