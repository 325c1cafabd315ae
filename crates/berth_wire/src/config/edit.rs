//! Changes of a configuration, field by field, as a form makes them.
//!
//! A change is made on the tree of the [`whole`] configuration and then decoded like any other, so that what is wrong
//! with it is said in kube-scheduler's words, at the path of the field.

use std::borrow::Cow;

use berth_core::framework::config::{Configuration, default_plugins};

use super::{decode, whole};
use crate::manifest::Finding;
use crate::tree::{Entry, Node, Value};

/// One step of a change. Paths are written as errors write them: `profiles[0].schedulerName`.
#[derive(Clone, Debug, PartialEq)]
pub enum Step {
    /// The field has this value from now on; it need not have had one.
    Set(String, Node<'static>),
    /// The field, or the item of a list, is gone.
    Remove(String),
    /// The list has one more item, here or at its end; if there is no list there is one now.
    Insert(String, usize, Node<'static>),
    /// An item of the list comes to another place.
    Move(String, usize, usize),
}

/// The configuration after a change, or everything that is wrong with it.
pub fn edited(
    configuration: &Configuration,
    steps: &[Step],
) -> Result<Configuration, Vec<Finding>> {
    let mut tree = whole(configuration).into_owned();
    for step in steps {
        take(&mut tree, step);
    }
    decode(&tree).map(settled)
}

/// The same configuration, with what `multiPoint` switches off said by name: those of the default plugins that it has
/// not.
#[must_use]
fn settled(mut configuration: Configuration) -> Configuration {
    for profile in &mut configuration.profiles {
        let set = &mut profile.plugins.multi_point;
        set.disabled.clear();
        for plugin in default_plugins().multi_point.enabled {
            if !set.enabled.iter().any(|own| own.name == plugin.name) {
                set.disabled.push(plugin.name);
            }
        }
    }
    configuration
}

fn take(tree: &mut Node<'static>, step: &Step) {
    match step {
        Step::Set(path, value) => {
            if let Some(node) = reach(tree, path) {
                *node = value.clone();
            }
        }
        Step::Remove(path) => remove(tree, path),
        Step::Insert(path, index, value) => {
            let Some(node) = reach(tree, path) else { return };
            if !matches!(node.value, Value::Sequence(_)) {
                node.value = Value::Sequence(Vec::new());
            }
            if let Value::Sequence(items) = &mut node.value {
                items.insert((*index).min(items.len()), value.clone());
            }
        }
        Step::Move(path, from, to) => {
            if let Some(Value::Sequence(items)) = reach(tree, path).map(|node| &mut node.value)
                && *from < items.len()
            {
                let item = items.remove(*from);
                items.insert((*to).min(items.len()), item);
            }
        }
    }
}

/// A step down a path.
enum Down<'p> {
    Key(&'p str),
    Index(usize),
}

fn downs(path: &str) -> impl Iterator<Item = Down<'_>> {
    path.split(['.', '[']).map(|piece| {
        let index = piece.strip_suffix(']').and_then(|digits| digits.parse().ok());
        index.map_or(Down::Key(piece), Down::Index)
    })
}

/// The value at a path. What is missing on the way is made.
fn reach<'t>(tree: &'t mut Node<'static>, path: &str) -> Option<&'t mut Node<'static>> {
    let mut node = tree;
    for down in downs(path) {
        node = match (down, &mut node.value) {
            (Down::Index(index), Value::Sequence(items)) => items.get_mut(index)?,
            (Down::Key(key), value) => {
                if !matches!(value, Value::Mapping(_)) {
                    *value = Value::Mapping(Vec::new());
                }
                let Value::Mapping(entries) = value else { return None };
                let place = entries.iter().position(|entry| entry.key == key);
                let place = place.unwrap_or_else(|| {
                    let value = Node::made(Value::Null);
                    entries.push(Entry { start: 0, key: Cow::Owned(key.to_owned()), value });
                    entries.len() - 1
                });
                &mut entries.get_mut(place)?.value
            }
            _ => return None,
        };
    }
    Some(node)
}

fn remove(tree: &mut Node<'static>, path: &str) {
    let cut = path.rfind(['.', '[']).unwrap_or(0);
    let (up, last) = path.split_at(cut);
    let holder = if up.is_empty() { Some(tree) } else { reach(tree, up) };
    let Some(holder) = holder else { return };
    match (downs(last.trim_start_matches(['.', '['])).next(), &mut holder.value) {
        (Some(Down::Index(index)), Value::Sequence(items)) if index < items.len() => {
            items.remove(index);
        }
        (Some(Down::Key(key)), Value::Mapping(entries)) => entries.retain(|own| own.key != key),
        _ => {}
    }
}

/// The value at a path, if there is one.
pub fn find<'t, 'a>(tree: &'t Node<'a>, path: &str) -> Option<&'t Node<'a>> {
    downs(path).try_fold(tree, |node, down| match down {
        Down::Key(key) => node.get(key),
        Down::Index(index) => node.items().get(index),
    })
}

/// A text.
pub fn text(text: &str) -> Node<'static> {
    Node::made(Value::String(Cow::Owned(text.to_owned())))
}

/// What was typed where a whole number is wanted: a number if it is one, else the text, which the decoder refuses;
/// nothing if nothing was typed.
pub fn number(typed: &str) -> Node<'static> {
    let typed = typed.trim();
    let digits = typed.strip_prefix('-').unwrap_or(typed);
    let is_number = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    Node::made(match typed {
        "" => Value::Null,
        _ if is_number => Value::Number(Cow::Owned(typed.to_owned())),
        _ => return text(typed),
    })
}

/// Keys with values.
pub fn mapping<const N: usize>(pairs: [(&'static str, Node<'static>); N]) -> Node<'static> {
    let entry = |(key, value)| Entry { start: 0, key: Cow::Borrowed(key), value };
    Node::made(Value::Mapping(pairs.into_iter().map(entry).collect()))
}

#[cfg(test)]
mod tests;
