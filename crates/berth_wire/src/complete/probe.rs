//! Asking the decoders what they want at a place.

use super::spot::{Spot, Step};
use crate::manifest::{PROBE, Wanted, home, probe};
use crate::tree::{Entry, Node, Value};

/// A field of the API.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Field {
    /// Its name.
    pub name: String,
    /// Go's type of the struct that it is in, without the package: `TopologySpreadConstraint`.
    pub strukt: String,
    /// Go's type of its value: `int32`, `[]v1.Container`. Empty if scheduling does not read it, and it is only kept.
    pub type_name: String,
    /// The words that its value can be, where they are known.
    pub words: Vec<String>,
}

impl Field {
    /// Whether anything here reads it.
    pub fn is_read(&self) -> bool {
        !self.type_name.is_empty()
    }
}

/// The fields of the mapping at a place.
pub(super) fn fields(spot: &Spot<'_>) -> Vec<Field> {
    let Wanted { strukt, fields, .. } = ask(spot, PROBE, Value::Null);
    let field = |name: String| {
        let Wanted { type_name, words, .. } = ask(spot, &name, text(PROBE));
        let type_name = match &*name {
            // The decoder takes them before it knows what to decode.
            "apiVersion" | "kind" if spot.path.is_empty() => "string".to_owned(),
            _ => type_name,
        };
        Field { strukt: strukt.clone(), type_name, words, name }
    };
    fields.into_iter().map(field).collect()
}

/// The words that a field at a place can have; of a truth value, both.
pub(super) fn words(spot: &Spot<'_>, key: &str) -> Vec<String> {
    let Wanted { type_name, words, .. } = ask(spot, key, text(PROBE));
    if type_name == "bool" { vec!["false".to_owned(), "true".to_owned()] } else { words }
}

/// The fields of a kind's objects: those on the way given, each of which is entered, and may be a list.
pub fn fields_of(kind: &str, way: &[&str]) -> Vec<Field> {
    let mut path = Vec::new();
    for key in way {
        match key.strip_suffix("[]") {
            Some(key) => path.extend([Step::Field { key, name: None }, Step::Item]),
            None => path.push(Step::Field { key, name: None }),
        }
    }
    fields(&Spot {
        version: home(kind),
        kind: Some(kind),
        path,
        here: super::Here::Key { others: Vec::new() },
        start: 0,
        written: "",
        word: "",
    })
}

fn text(text: &str) -> Value<'_> {
    Value::String(text.into())
}

fn entry<'a>(key: &'a str, value: Value<'a>) -> Entry<'a> {
    Entry { start: 0, key: key.into(), value: Node::made(value) }
}

/// An object with nothing but a key and a value at a place: what its decoder wants there.
fn ask(spot: &Spot<'_>, key: &str, value: Value<'_>) -> Wanted {
    let (Some(version), Some(kind)) = (spot.version.or_else(|| home(spot.kind?)), spot.kind) else {
        return Wanted::default();
    };
    let mut value = Value::Mapping(vec![entry(key, value)]);
    for step in spot.path.iter().rev() {
        value = match step {
            Step::Item => Value::Sequence(vec![Node::made(value)]),
            Step::Field { key, name } => {
                let name = name.map(|name| entry("name", text(name)));
                Value::Mapping(name.into_iter().chain([entry(key, value)]).collect())
            }
        };
    }
    let Value::Mapping(own) = value else { return Wanted::default() };
    let head = [entry("apiVersion", text(version)), entry("kind", text(kind))];
    probe(&Node::made(Value::Mapping(head.into_iter().chain(own).collect())))
}
