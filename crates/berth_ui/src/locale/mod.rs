//! Every word the page says in its own name.
//!
//! A language is a file of `key = text` lines in `web/locales`, and one more for each part of the program that has words
//! of its own; a [`Message`] names a line. What Kubernetes says (reasons, events, field and plugin names) is never in
//! these tables.

pub(crate) mod messages;
#[cfg(test)]
mod tests;

pub use messages::{Msg, RoomMsg};
use std::marker::PhantomData;
use std::rc::Rc;
use yew::AttrValue;

/// Something to say.
pub trait Message: Copy {
    /// The English table.
    const ENGLISH: &'static str;
    /// The keys of the table, in order.
    #[cfg(test)]
    const KEYS: &'static [&'static str];
    /// The line of the table.
    fn place(self) -> usize;
}

/// A table of words. Cloning is cheap.
pub struct Table<M>(Rc<[AttrValue]>, PhantomData<M>);

/// The page's words.
pub type Locale = Table<Msg>;

/// The Preemption tab's words.
pub type RoomWords = Table<RoomMsg>;

impl<M> Clone for Table<M> {
    fn clone(&self) -> Self {
        Self(Rc::clone(&self.0), PhantomData)
    }
}

impl<M> PartialEq for Table<M> {
    fn eq(&self, other: &Self) -> bool {
        Rc::ptr_eq(&self.0, &other.0)
    }
}

impl Locale {
    /// English, which every other language falls back to.
    pub fn english() -> Self {
        thread_local!(static TABLE: Locale = Locale::read_english());
        TABLE.with(Clone::clone)
    }
}

impl<M: Message> Table<M> {
    /// Reads the English table.
    pub fn read_english() -> Self {
        Self(entries(M::ENGLISH).map(|(_, text)| text.into()).collect(), PhantomData)
    }

    /// The words of a message without blanks.
    pub fn text(&self, msg: M) -> AttrValue {
        self.0.get(msg.place()).cloned().unwrap_or_default()
    }

    /// The words of a message with its `{name}` blanks filled.
    pub fn fill(&self, msg: M, blanks: &[(&str, &str)]) -> AttrValue {
        filled(&self.text(msg), blanks)
    }

    /// The words for a number of things: the message's text is `one|other`.
    pub fn count(&self, msg: M, count: u32) -> AttrValue {
        counted(&self.text(msg), count)
    }
}

fn filled(text: &str, blanks: &[(&str, &str)]) -> AttrValue {
    let mut text = text.to_owned();
    for (name, value) in blanks {
        text = text.replace(&["{", name, "}"].concat(), value);
    }
    text.into()
}

fn counted(text: &str, count: u32) -> AttrValue {
    let (one, other) = text.split_once('|').unwrap_or((text, text));
    let form = if count == 1 { one } else { other };
    form.replace("{n}", &count.to_string()).into()
}

/// The entries of a table.
fn entries(table: &'static str) -> impl Iterator<Item = (&'static str, &'static str)> {
    table.lines().filter_map(|line| line.split_once(" = "))
}
