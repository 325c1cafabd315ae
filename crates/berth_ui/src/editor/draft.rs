//! A text that somebody is writing.

use super::check::{self, Checked, Plan, Read};
use super::target::Target;
use super::words::EditorWords;
use crate::app::App;
use berth_core::playground::Command;
use berth_wire::complete::{Completion, Field, Offer, complete, field_at};
use berth_wire::export;

/// Of a longer text nothing is said before it is to be applied.
const MOST_LIVE: usize = 256 << 10;
/// A longer text is for files.
pub(super) const MOST: usize = 2 << 20;

/// The text, and what is said about it.
pub(super) struct Draft {
    pub(super) target: Target,
    /// What it was begun with.
    base: String,
    /// The same, read.
    before: Read,
    pub(super) text: String,
    pub(super) checked: Checked,
    /// Where the caret is, as a byte offset.
    pub(super) caret: usize,
    /// What could stand there, if that is shown.
    pub(super) list: Option<List>,
    /// The field at the caret.
    pub(super) field: Option<Field>,
    /// Whether what it is of is there no more.
    pub(super) gone: bool,
    /// Whether what it is of has changed, which could not be put into the text.
    pub(super) behind: bool,
    /// The revision that it was compared with.
    revision: u32,
    /// The cluster that it is about, counted.
    opening: u32,
}

/// What could stand at the caret.
pub(super) struct List {
    /// Byte offset of what would be replaced.
    pub(super) start: usize,
    pub(super) offers: Vec<Offer>,
    /// Which one is chosen.
    pub(super) at: usize,
}

/// What came of applying a text.
pub(super) enum Applied {
    /// It is in the cluster.
    Done,
    /// There was nothing to change.
    Nothing,
    /// Something is wrong with it.
    Refused,
}

impl Draft {
    /// The text of something; none if it is not there.
    pub(super) fn new(app: &App, target: Target) -> Option<Self> {
        let engine = app.engine();
        let base = target.text(engine)?;
        let before = check::read(engine, &target, &base);
        let mut draft = Self {
            target,
            text: base.clone(),
            base,
            before,
            checked: Checked::default(),
            caret: 0,
            list: None,
            field: None,
            gone: false,
            behind: false,
            revision: engine.revision(),
            opening: engine.openings(),
        };
        draft.check(app);
        Some(draft)
    }

    /// Whether something is written that is not in the cluster.
    pub(super) fn is_dirty(&self) -> bool {
        self.text != self.base
    }

    /// Takes in what has changed elsewhere.
    pub(super) fn follow(&mut self, app: &App) {
        let revision = app.engine().revision();
        if std::mem::replace(&mut self.revision, revision) == revision {
            return;
        }
        let opening = app.engine().openings();
        if std::mem::replace(&mut self.opening, opening) != opening {
            // What was written was of another cluster.
            self.text.clone_from(&self.base);
        }
        self.catch_up(app);
        self.check(app);
    }

    /// Goes on from what it is of as it is now.
    fn catch_up(&mut self, app: &App) {
        let now = self.target.text(app.engine());
        self.gone = now.is_none();
        let Some(now) = now else { return };
        if now != self.base {
            if self.is_dirty() {
                // Everything is compared object by object: what others changed stays.
                let merged = match self.target {
                    Target::Cluster => return,
                    _ => export::merge(&self.base, &now, &self.text),
                };
                self.behind = merged.is_none();
                let Some(merged) = merged else { return };
                self.text = merged;
            } else {
                self.text.clone_from(&now);
            }
            self.list = None;
            self.base = now;
        }
        self.behind = false;
        self.before = check::read(app.engine(), &self.target, &self.base);
    }

    /// Says what is wrong with it.
    fn check(&mut self, app: &App) {
        if self.text.len() > MOST_LIVE && self.is_dirty() {
            self.checked = Checked::default();
            return;
        }
        self.look(app);
    }

    fn look(&mut self, app: &App) {
        let words: EditorWords = app.env().table();
        self.checked = check::check(app.engine(), &self.target, &self.before, &self.text, &words);
    }

    /// Something was typed.
    pub(super) fn write(&mut self, app: &App, text: &str, caret: usize) {
        let longer = text.len() > self.text.len();
        text.clone_into(&mut self.text);
        self.check(app);
        self.list = None;
        self.move_to(caret);
        if longer {
            self.offer(false);
        }
    }

    /// The caret was moved.
    pub(super) fn move_to(&mut self, caret: usize) {
        if self.list.as_ref().is_some_and(|list| caret < list.start || caret != self.caret) {
            self.list = None;
        }
        self.caret = caret;
        self.field = field_at(&self.text, caret);
    }

    /// Shows what could stand at the caret. Unasked, only once there is a beginning of it, or of a value that has words.
    pub(super) fn offer(&mut self, asked: bool) {
        let found = complete(&self.text, self.caret);
        let Some(Completion { start, offers }) = found else { return };
        let begun = self.caret > start;
        let is_word = matches!(offers.first(), Some(Offer::Word(_)));
        if !offers.is_empty() && (asked || begun || is_word) {
            self.list = Some(List { start, offers, at: 0 });
        }
    }

    /// Chooses the next offer, or the one before.
    pub(super) fn choose(&mut self, forward: bool) {
        if let Some(list) = &mut self.list {
            let count = list.offers.len();
            list.at = (list.at + if forward { 1 } else { count - 1 }) % count.max(1);
        }
    }

    /// What taking an offer writes, and from where to the caret it replaces.
    pub(super) fn take(&mut self, index: usize) -> Option<(usize, String)> {
        let List { start, offers, .. } = self.list.take()?;
        let text = match offers.get(index)? {
            Offer::Word(word) => word.clone(),
            Offer::Field(field) => self.written(start, field),
        };
        Some((start, text))
    }

    /// A field as it is begun.
    fn written(&self, start: usize, field: &Field) -> String {
        let rest = self.text.get(self.caret..).unwrap_or_default();
        if rest.starts_with(':') {
            return field.name.clone();
        }
        let before = self.text.get(..start).unwrap_or_default();
        let line = before.rsplit('\n').next().unwrap_or_default();
        let deeper = "\n".to_owned() + &" ".repeat(line.len() + 2);
        let goes_on = match &*field.type_name {
            "map[string]string" | "v1.ResourceList" => &*deeper,
            list if list.starts_with("[]") => &[&deeper, "- "].concat(),
            "v1.Time" => " ",
            inner if inner.starts_with("v1.") => &*deeper,
            _ => " ",
        };
        [&field.name, ":", goes_on].concat()
    }

    /// How far a new line after the caret is indented.
    pub(super) fn indent(&self) -> usize {
        let before = self.text.get(..self.caret).unwrap_or_default();
        let line = before.rsplit('\n').next().unwrap_or_default();
        let inner = line.trim_start_matches([' ', '-']);
        let column = if inner.is_empty() { 0 } else { line.len() - inner.len() };
        column + if inner.trim_end().ends_with(':') { 2 } else { 0 }
    }

    /// Makes what is written true, whole or not at all.
    pub(super) fn apply(&mut self, app: &mut App) -> Applied {
        self.list = None;
        if self.behind {
            self.catch_up(app);
        }
        self.look(app);
        let Some(Plan { command, texts }) = self.checked.plan.take() else {
            return Applied::Refused;
        };
        let outcome = match (command, app.engine_mut().playground_mut()) {
            (Some(command), Some(playground)) => carry_out(playground, command),
            _ => Ok(false),
        };
        match outcome {
            Ok(changed) => {
                for (object, text) in texts {
                    app.engine_mut().keep_text(object, text);
                }
                self.discard(app);
                if changed { Applied::Done } else { Applied::Nothing }
            }
            Err(message) => {
                self.checked.say(message.into());
                Applied::Refused
            }
        }
    }

    /// Goes back to what is true.
    pub(super) fn discard(&mut self, app: &App) {
        self.text.clone_from(&self.base);
        self.catch_up(app);
        self.check(app);
        self.revision = app.engine().revision();
        self.caret = self.caret.min(self.text.len());
        self.field = None;
        self.list = None;
    }
}

fn carry_out(
    playground: &mut berth_core::playground::Playground,
    command: Command,
) -> Result<bool, String> {
    playground.apply(command).map(|_| true).map_err(|error| error.to_string())
}
