//! Building trees: a mapping that leaves out what is empty.

use std::borrow::Cow;

use berth_core::api::{Labels, ResourceList, Time};

use crate::tree::{Entry, Node, Value};

/// A mapping in the making.
#[derive(Debug, Default)]
pub(crate) struct Map<'a>(Vec<Entry<'a>>);

impl<'a> Map<'a> {
    pub(crate) fn put(&mut self, key: &'static str, value: Value<'a>) {
        self.0.push(Entry { start: 0, key: Cow::Borrowed(key), value: Node::made(value) });
    }

    /// A text, unless it is empty.
    pub(crate) fn text(&mut self, key: &'static str, text: &'a str) {
        if !text.is_empty() {
            self.put(key, string(text));
        }
    }

    /// A word of the API, if it is not the default.
    pub(crate) fn word(&mut self, key: &'static str, word: Option<&'static str>) {
        if let Some(word) = word {
            self.put(key, string(word));
        }
    }

    pub(crate) fn number(&mut self, key: &'static str, number: Option<impl Into<i64>>) {
        if let Some(number) = number {
            self.put(key, Value::Number(number.into().to_string().into()));
        }
    }

    /// Truth; untruth is the default everywhere.
    pub(crate) fn flag(&mut self, key: &'static str, flag: bool) {
        if flag {
            self.put(key, Value::Bool(true));
        }
    }

    pub(crate) fn time(&mut self, key: &'static str, time: Option<Time>) {
        if let Some(time) = time {
            self.put(key, Value::String(crate::manifest::print_time(time).into()));
        }
    }

    /// A mapping, unless it is empty.
    pub(crate) fn map(&mut self, key: &'static str, map: Map<'a>) {
        if !map.0.is_empty() {
            self.put(key, map.into_value());
        }
    }

    /// A mapping that means something even if it is empty.
    pub(crate) fn some(&mut self, key: &'static str, map: Option<Map<'a>>) {
        if let Some(map) = map {
            self.put(key, map.into_value());
        }
    }

    /// A list, unless it is empty.
    pub(crate) fn list<T>(
        &mut self,
        key: &'static str,
        items: &'a [T],
        item: impl Fn(&'a T) -> Value<'a>,
    ) {
        if !items.is_empty() {
            self.put(key, Value::Sequence(items.iter().map(|x| Node::made(item(x))).collect()));
        }
    }

    pub(crate) fn strings(&mut self, key: &'static str, items: &'a [String]) {
        self.list(key, items, |item| string(item));
    }

    pub(crate) fn labels(&mut self, key: &'static str, labels: &'a Labels) {
        let pairs = labels.iter().map(|(key, value)| (&**key, string(value)));
        self.map(key, pairs.collect());
    }

    pub(crate) fn resources(&mut self, key: &'static str, list: &'a ResourceList) {
        let pairs = list
            .iter()
            .map(|(name, quantity)| (&**name, Value::String(quantity.to_string().into())));
        self.map(key, pairs.collect());
    }

    pub(crate) fn into_value(self) -> Value<'a> {
        Value::Mapping(self.0)
    }
}

impl<'a> FromIterator<(&'a str, Value<'a>)> for Map<'a> {
    fn from_iter<I: IntoIterator<Item = (&'a str, Value<'a>)>>(pairs: I) -> Self {
        Self(
            pairs
                .into_iter()
                .map(|(key, value)| Entry { start: 0, key: key.into(), value: Node::made(value) })
                .collect(),
        )
    }
}

pub(crate) fn string(text: &str) -> Value<'_> {
    Value::String(Cow::Borrowed(text))
}
