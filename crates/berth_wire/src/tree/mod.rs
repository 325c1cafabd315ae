//! A value tree with places: what YAML and JSON have in common.
//!
//! Both front ends ([`json`], [`yaml`]) build the same [`Node`]s, so that everything after them knows one shape. A
//! node remembers where it began as a byte offset, which is all that a good error message needs and costs four bytes;
//! [`Lines`] turns offsets into lines and columns when somebody asks. Text without escapes is borrowed from the input.

pub mod json;
mod lines;
mod place;
mod scalar;
mod stream;
pub mod write;
pub mod yaml;

use std::borrow::Cow;

use berth_core::collections::Map;

pub use lines::{Lines, Position, utf16_offset};
pub use place::place_of;
pub use stream::Stream;

/// A value, and where it began.
#[derive(Clone, Debug, PartialEq)]
pub struct Node<'a> {
    /// Byte offset of the first character.
    pub start: u32,
    /// The value.
    pub value: Value<'a>,
}

/// A value of JSON's data model. YAML is resolved to it as the API server's tools do.
#[derive(Clone, Debug, PartialEq)]
pub enum Value<'a> {
    /// Nothing.
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// A number, as JSON writes it: kept as text, because Kubernetes reads some as decimal fractions.
    Number(Cow<'a, str>),
    /// Text.
    String(Cow<'a, str>),
    /// A list.
    Sequence(Vec<Node<'a>>),
    /// Keys with values, in the order of the input. JSON input may repeat a key.
    Mapping(Vec<Entry<'a>>),
}

/// A key of a mapping with its value.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry<'a> {
    /// Byte offset of the key.
    pub start: u32,
    /// The key.
    pub key: Cow<'a, str>,
    /// The value.
    pub value: Node<'a>,
}

/// A part of a stream of documents. The items of a list come one by one, so that a list of any length need not be in
/// memory as a tree.
#[derive(Clone, Debug, PartialEq)]
pub enum Piece<'a> {
    /// An item of a document that is a list, or of the list under its key `items`.
    Item(Node<'a>),
    /// A whole document, or what is left of it without its items.
    Document(Node<'a>),
}

/// Why a text could not be read at all.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SyntaxError {
    /// Byte offset of the place.
    pub offset: u32,
    /// What is wrong there.
    pub message: String,
}

impl SyntaxError {
    pub(crate) fn new(offset: usize, message: impl Into<String>) -> Self {
        Self { offset: offset32(offset), message: message.into() }
    }
}

impl std::fmt::Display for SyntaxError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for SyntaxError {}

/// Inputs are limited to less than 4 GB long before they get here.
pub(crate) fn offset32(offset: usize) -> u32 {
    u32::try_from(offset).unwrap_or(u32::MAX)
}

impl<'a> Node<'a> {
    /// A node that came from no input.
    pub const fn made(value: Value<'a>) -> Self {
        Self { start: 0, value }
    }

    /// The value of a key, if this is a mapping that has it. A repeated key counts once, with its last value, as in
    /// Go's decoder.
    pub fn get(&self, key: &str) -> Option<&Self> {
        self.entries().iter().rev().find(|entry| entry.key == key).map(|entry| &entry.value)
    }

    /// The items of a sequence; none of anything else.
    pub fn items(&self) -> &[Self] {
        match &self.value {
            Value::Sequence(items) => items,
            _ => &[],
        }
    }

    /// The entries of a mapping; none of anything else.
    pub fn entries(&self) -> &[Entry<'a>] {
        match &self.value {
            Value::Mapping(entries) => entries,
            _ => &[],
        }
    }

    /// The text of a string.
    pub fn as_str(&self) -> Option<&str> {
        match &self.value {
            Value::String(text) => Some(text),
            _ => None,
        }
    }

    /// A truth value.
    pub const fn as_bool(&self) -> Option<bool> {
        match &self.value {
            Value::Bool(value) => Some(*value),
            _ => None,
        }
    }

    /// A whole number.
    pub fn as_i64(&self) -> Option<i64> {
        match &self.value {
            Value::Number(text) => text.parse().ok(),
            _ => None,
        }
    }

    /// A number.
    pub fn as_f64(&self) -> Option<f64> {
        match &self.value {
            Value::Number(text) => text.parse().ok(),
            _ => None,
        }
    }

    /// Whether there is nothing here.
    pub const fn is_null(&self) -> bool {
        matches!(self.value, Value::Null)
    }

    /// JSON's word for the kind of value, as Go's decoder uses it in its errors.
    pub const fn kind(&self) -> &'static str {
        match &self.value {
            Value::Null => "null",
            Value::Bool(_) => "bool",
            Value::Number(_) => "number",
            Value::String(_) => "string",
            Value::Sequence(_) => "array",
            Value::Mapping(_) => "object",
        }
    }

    /// The same tree without borrowing from the input.
    pub fn into_owned(self) -> Node<'static> {
        let value = match self.value {
            Value::Null => Value::Null,
            Value::Bool(value) => Value::Bool(value),
            Value::Number(text) => Value::Number(Cow::Owned(text.into_owned())),
            Value::String(text) => Value::String(Cow::Owned(text.into_owned())),
            Value::Sequence(items) => {
                Value::Sequence(items.into_iter().map(Node::into_owned).collect())
            }
            Value::Mapping(entries) => Value::Mapping(
                entries
                    .into_iter()
                    .map(|entry| Entry {
                        start: entry.start,
                        key: Cow::Owned(entry.key.into_owned()),
                        value: entry.value.into_owned(),
                    })
                    .collect(),
            ),
        };
        Node { start: self.start, value }
    }
}

/// Where each key of a mapping stands. Of a repeated one the last place counts, as in Go's decoder.
pub(crate) struct Keys<'e>(Map<&'e str, usize>);

impl<'e> Keys<'e> {
    pub(crate) fn new(entries: &'e [Entry<'_>]) -> Self {
        Self(entries.iter().enumerate().map(|(place, entry)| (&*entry.key, place)).collect())
    }

    pub(crate) fn place(&self, key: &str) -> Option<usize> {
        self.0.get(key).copied()
    }

    /// How many different keys there are.
    pub(crate) fn count(&self) -> usize {
        self.0.len()
    }
}

/// Whether two trees hold the same data: places and the order of keys do not count.
pub fn same_data(a: &Node<'_>, b: &Node<'_>) -> bool {
    match (&a.value, &b.value) {
        (Value::Sequence(x), Value::Sequence(y)) => {
            x.len() == y.len() && x.iter().zip(y).all(|(x, y)| same_data(x, y))
        }
        (Value::Mapping(x), Value::Mapping(y)) => {
            let keys = Keys::new(y);
            let other = |entry: &Entry<'_>| y.get(keys.place(&entry.key)?);
            x.len() == y.len()
                && x.iter().all(|entry| {
                    other(entry).is_some_and(|other| same_data(&entry.value, &other.value))
                })
        }
        (x, y) => x == y,
    }
}

/// The places of keys that a mapping has again further down, in the whole tree.
pub fn repeated_keys(node: &Node<'_>) -> Vec<(u32, String)> {
    let mut found = Vec::new();
    let mut rest = vec![node];
    while let Some(node) = rest.pop() {
        rest.extend(node.items().iter().rev());
        rest.extend(node.entries().iter().rev().map(|entry| &entry.value));
        found.extend(own_repeated_keys(node).map(|(start, key)| (start, key.to_owned())));
    }
    found
}

/// The keys that a mapping has again further down, without looking deeper.
pub(crate) fn own_repeated_keys<'n>(node: &'n Node<'_>) -> impl Iterator<Item = (u32, &'n str)> {
    let entries = node.entries();
    // Most mappings are small and have no such key.
    let few = entries.len() <= 16;
    let repeats = |i: usize, key: &str| entries.iter().take(i).any(|other| other.key == key);
    let keys = (!few).then(|| Keys::new(entries)).filter(|keys| keys.count() < entries.len());
    entries.iter().enumerate().filter_map(move |(i, entry)| {
        let again = match &keys {
            Some(keys) => keys.place(&entry.key) != Some(i),
            None => few && repeats(i, &entry.key),
        };
        again.then_some((entry.start, &*entry.key))
    })
}
