//! Every word the page says in its own name.
//!
//! A language is one file of `key = text` lines in `web/locales`; [`Msg`] names the keys. What
//! Kubernetes says (reasons, events, field and plugin names) is never in these tables.

mod messages;
#[cfg(test)]
mod tests;

pub use messages::Msg;
use std::rc::Rc;
use yew::AttrValue;

const ENGLISH: &str = include_str!("../../../../web/locales/en.txt");

/// A table of words. Cloning is cheap.
#[derive(Clone)]
pub struct Locale(Rc<[AttrValue]>);

impl PartialEq for Locale {
    fn eq(&self, other: &Self) -> bool {
        Rc::ptr_eq(&self.0, &other.0)
    }
}

impl Locale {
    /// English, which every other language falls back to.
    pub fn english() -> Self {
        thread_local!(static TABLE: Locale = Locale::read(ENGLISH));
        TABLE.with(Clone::clone)
    }

    /// Reads a table. A key that is missing shows as itself.
    fn read(table: &'static str) -> Self {
        let text = |key: &str| entries(table).find(|(name, _)| *name == key).map(|(_, text)| text);
        Self(
            Msg::ALL
                .iter()
                .map(|msg| AttrValue::from(text(msg.key()).unwrap_or(msg.key())))
                .collect(),
        )
    }

    /// The words of a message without blanks.
    pub fn text(&self, msg: Msg) -> AttrValue {
        self.0.get(msg as usize).cloned().unwrap_or_default()
    }

    /// The words of a message with its `{name}` blanks filled.
    pub fn fill(&self, msg: Msg, blanks: &[(&str, &str)]) -> AttrValue {
        let mut text = self.text(msg).to_string();
        for (name, value) in blanks {
            text = text.replace(&["{", name, "}"].concat(), value);
        }
        text.into()
    }

    /// The words for a number of things: the message's text is `one|other`.
    pub fn count(&self, msg: Msg, count: u32) -> AttrValue {
        let text = self.text(msg);
        let (one, other) = text.split_once('|').unwrap_or((&text, &text));
        let form = if count == 1 { one } else { other };
        form.replace("{n}", &count.to_string()).into()
    }
}

/// The entries of a table.
fn entries(table: &str) -> impl Iterator<Item = (&str, &str)> {
    table.lines().filter_map(|line| line.split_once(" = "))
}
