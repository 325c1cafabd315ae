//! Putting a change into a tree that has more in it than the change knows of.

use crate::tree::{Entry, Keys, Node, Value, same_data};

/// `source` with everything that differs between `old` and `new` changed. `old` is what Berth understood of `source`:
/// what it did not understand stays as it is.
pub(super) fn overlay<'a>(source: Node<'a>, old: &Node<'_>, new: &Node<'a>) -> Node<'a> {
    if same_data(old, new) {
        return source;
    }
    let Node { start, value } = source;
    let value = match (value, &new.value) {
        (Value::Mapping(entries), Value::Mapping(changed)) => {
            Value::Mapping(mapping(entries, old, changed))
        }
        (Value::Sequence(items), Value::Sequence(changed)) if items.len() == old.items().len() => {
            Value::Sequence(sequence(items, old.items(), changed))
        }
        (_, changed) => changed.clone(),
    };
    Node { start, value }
}

fn mapping<'a>(entries: Vec<Entry<'a>>, old: &Node<'_>, new: &[Entry<'a>]) -> Vec<Entry<'a>> {
    let nothing = Node::made(Value::Null);
    let (old_keys, new_keys) = (Keys::new(old.entries()), Keys::new(new));
    let before = |key: &str| old.entries().get(old_keys.place(key)?).map(|entry| &entry.value);
    let mut written = vec![false; new.len()];
    let mut out = Vec::with_capacity(entries.len());
    for Entry { start, key, value } in entries {
        let place = new_keys.place(&key);
        if let Some(written) = place.and_then(|place| written.get_mut(place)) {
            *written = true;
        }
        let value = match (before(&key), place.and_then(|place| new.get(place))) {
            (before, Some(after)) => overlay(value, before.unwrap_or(&nothing), &after.value),
            (Some(_), None) => continue,
            (None, None) => value,
        };
        out.push(Entry { start, key, value });
    }
    // What is left is new, unless it was there before without a word in the source: a default.
    for (entry, written) in new.iter().zip(written) {
        if !written && !before(&entry.key).is_some_and(|before| same_data(before, &entry.value)) {
            out.push(entry.clone());
        }
    }
    out
}

/// Whether an item is the same as another.
type Same = fn(&Node<'_>, &Node<'_>) -> bool;

/// Items keep what is unknown of them if they are still there: unchanged, under the same name, or, if the list is as
/// long as before, in the same place.
fn sequence<'a>(items: Vec<Node<'a>>, old: &[Node<'_>], new: &[Node<'a>]) -> Vec<Node<'a>> {
    let same_length = old.len() == new.len();
    let mut rest: Vec<Option<Node<'a>>> = items.into_iter().map(Some).collect();
    let mut out: Vec<Option<Node<'a>>> = new.iter().map(|_| None).collect();
    let passes: [(bool, Same); 3] =
        [(true, same_data), (true, same_name), (same_length, |_, _| true)];
    for (pass, (applies, same)) in passes.into_iter().enumerate() {
        for (i, (slot, changed)) in out.iter_mut().zip(new).enumerate() {
            if slot.is_some() || !applies {
                continue;
            }
            let found = (0..old.len()).filter(|at| pass < 2 || *at == i).find(|at| {
                rest.get(*at).is_some_and(Option::is_some)
                    && old.get(*at).is_some_and(|before| same(before, changed))
            });
            if let Some(at) = found
                && let (Some(source), Some(before)) =
                    (rest.get_mut(at).and_then(Option::take), old.get(at))
            {
                *slot = Some(overlay(source, before, changed));
            }
        }
    }
    out.into_iter()
        .zip(new)
        .map(|(slot, changed)| slot.unwrap_or_else(|| changed.clone()))
        .collect()
}

/// Whether two items have the same name: items of most lists of the API have one.
fn same_name(a: &Node<'_>, b: &Node<'_>) -> bool {
    fn name<'n>(node: &'n Node<'_>) -> Option<&'n str> {
        node.get("name").and_then(Node::as_str)
    }
    name(a).is_some() && name(a) == name(b)
}
