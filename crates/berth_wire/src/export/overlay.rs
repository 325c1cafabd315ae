//! Putting a change into a tree that has more in it than the change knows of.

use crate::tree::{Entry, Node, Value, same_data};

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

fn mapping<'a>(mut entries: Vec<Entry<'a>>, old: &Node<'_>, new: &[Entry<'a>]) -> Vec<Entry<'a>> {
    let nothing = Node::made(Value::Null);
    entries.retain(|entry| {
        old.get(&entry.key).is_none() || new.iter().any(|changed| changed.key == entry.key)
    });
    for changed in new {
        let before = old.get(&changed.key);
        if before.is_some_and(|before| same_data(before, &changed.value)) {
            continue;
        }
        match entries.iter_mut().find(|entry| entry.key == changed.key) {
            Some(entry) => {
                let source = std::mem::replace(&mut entry.value, Node::made(Value::Null));
                entry.value = overlay(source, before.unwrap_or(&nothing), &changed.value);
            }
            None => entries.push(changed.clone()),
        }
    }
    entries
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
