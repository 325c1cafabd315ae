//! Every word the page says in its own name.
//!
//! A language is a file of `key = text` lines in `web/locales`, and one more for each part of the program that has words
//! of its own; a [`Message`] names a line. English comes with the page and its parts, every other [`Language`] is a part. What Kubernetes says (reasons, events, field and plugin names) is never in
//! these tables.

mod language;
pub(crate) mod messages;
#[cfg(test)]
mod tests;

pub use language::{Language, Plural};
pub use messages::{Msg, RoomMsg, ScoreMsg};
use std::marker::PhantomData;
use std::rc::Rc;
use yew::AttrValue;

/// Something to say.
pub trait Message: Copy {
    /// The name of its table: the English file's, without its ending.
    const TABLE: &'static str;
    /// The English words, a line each.
    const ENGLISH: &'static str;
    /// The keys of the table, in order.
    #[cfg(test)]
    const KEYS: &'static [&'static str];
    /// The line of the table.
    fn place(self) -> usize;
}

/// A table of words. Cloning is cheap.
pub struct Table<M> {
    words: Rc<[AttrValue]>,
    plural: Plural,
    of: PhantomData<M>,
}

/// The page's words.
pub type Locale = Table<Msg>;

/// The Score tab's words.
pub type ScoreWords = Table<ScoreMsg>;

/// The Preemption tab's words.
pub type RoomWords = Table<RoomMsg>;

impl<M> Clone for Table<M> {
    fn clone(&self) -> Self {
        Self { words: Rc::clone(&self.words), plural: self.plural, of: PhantomData }
    }
}

impl<M> PartialEq for Table<M> {
    fn eq(&self, other: &Self) -> bool {
        Rc::ptr_eq(&self.words, &other.words)
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
        Self::read(&Language::ENGLISH)
    }

    /// Reads the table of a language; English where it has none.
    pub fn read(language: &Language) -> Self {
        let own = (language.table)(M::TABLE);
        // All tables have the same keys in the same order.
        let mut own = own.lines().filter_map(|line| Some(line.split_once(" = ")?.1));
        let mut words: Vec<AttrValue> = Vec::new();
        for english in M::ENGLISH.lines() {
            words.push(own.next().unwrap_or(english).to_owned().into());
        }
        Self { words: words.into(), plural: language.plural, of: PhantomData }
    }

    /// The words of a message without blanks.
    pub fn text(&self, msg: M) -> AttrValue {
        self.words.get(msg.place()).cloned().unwrap_or_default()
    }

    /// The words of a message with its `{name}` blanks filled.
    pub fn fill(&self, msg: M, blanks: &[(&str, &str)]) -> AttrValue {
        filled(&self.text(msg), blanks)
    }

    /// The words for a number of things: the message's text has the language's forms, separated by `|`.
    pub fn count(&self, msg: M, count: u32) -> AttrValue {
        self.plural.counted(&self.text(msg), count)
    }
}

fn filled(text: &str, blanks: &[(&str, &str)]) -> AttrValue {
    let mut text = text.to_owned();
    for (name, value) in blanks {
        text = text.replace(&["{", name, "}"].concat(), value);
    }
    text.into()
}

/// What the words of a table come to, in bytes: its lines without their keys.
pub(crate) const fn words_len(table: &str) -> usize {
    let (bytes, mut at, mut length, mut in_key) = (table.as_bytes(), 0, 0, true);
    while at < bytes.len() {
        if !in_key {
            length += 1;
        }
        (at, in_key) = step(bytes, at, in_key);
    }
    length
}

/// The words of a table. Done by the compiler, so that the page does not carry the keys.
pub(crate) const fn words<const N: usize>(table: &str) -> [u8; N] {
    let mut words = [0; N];
    let (bytes, mut at, mut length, mut in_key) = (table.as_bytes(), 0, 0, true);
    while at < bytes.len() && length < N {
        if !in_key {
            words[length] = bytes[at];
            length += 1;
        }
        (at, in_key) = step(bytes, at, in_key);
    }
    words
}

/// The place after a byte of a table, and whether it is in a key: up to the first ` = ` of a line.
const fn step(bytes: &[u8], at: usize, in_key: bool) -> (usize, bool) {
    if !in_key {
        return (at + 1, bytes[at] == b'\n');
    }
    if at + 2 < bytes.len() && bytes[at] == b' ' && bytes[at + 1] == b'=' && bytes[at + 2] == b' ' {
        return (at + 3, false);
    }
    (at + 1, true)
}
