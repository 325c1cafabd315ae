//! Paths of fields, and values put at them.

use berth_core::api::Kind;

use crate::tree::{Entry, Node, Value};

/// Where a field is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Path(Vec<Part>);

#[derive(Clone, Debug, PartialEq, Eq)]
enum Part {
    Key(String),
    Index(usize),
}

/// What may be written alone of a pod, and where it is.
const SHORT: [(&str, &str); 14] = [
    ("maxSkew", "spec.topologySpreadConstraints[0]"),
    ("minDomains", "spec.topologySpreadConstraints[0]"),
    ("topologyKey", "spec.topologySpreadConstraints[0]"),
    ("whenUnsatisfiable", "spec.topologySpreadConstraints[0]"),
    ("labelSelector", "spec.topologySpreadConstraints[0]"),
    ("matchLabelKeys", "spec.topologySpreadConstraints[0]"),
    ("nodeAffinityPolicy", "spec.topologySpreadConstraints[0]"),
    ("nodeTaintsPolicy", "spec.topologySpreadConstraints[0]"),
    ("priority", "spec"),
    ("priorityClassName", "spec"),
    ("preemptionPolicy", "spec"),
    ("nodeSelector", "spec"),
    ("cpu", "spec.containers[0].resources.requests"),
    ("memory", "spec.containers[0].resources.requests"),
];

impl Path {
    /// Reads a path in an object of a kind.
    pub(super) fn parse(text: &str, kind: Kind) -> Option<Self> {
        let short = SHORT.iter().find(|(name, _)| kind == Kind::Pod && *name == text);
        let whole = short.map(|(name, above)| format!("{above}.{name}"));
        let mut rest = whole.as_deref().unwrap_or(text);
        let mut parts = Vec::new();
        while !rest.is_empty() {
            if let Some(inside) = rest.strip_prefix('[') {
                let (part, after) = inside.split_once(']')?;
                let index = part.parse().map(Part::Index);
                parts.push(index.unwrap_or_else(|_| Part::Key(part.to_owned())));
                rest = after.strip_prefix('.').unwrap_or(after);
            } else {
                let end = rest.find(['.', '[']).unwrap_or(rest.len());
                let (key, after) = rest.split_at_checked(end)?;
                if key.is_empty() {
                    return None;
                }
                parts.push(Part::Key(key.to_owned()));
                rest = after.strip_prefix('.').unwrap_or(after);
            }
        }
        (!parts.is_empty()).then_some(Self(parts))
    }

    /// Whether it is this field of a pod's `spec`.
    pub(super) fn is_of_spec(&self, name: &str) -> bool {
        let parts = [Part::Key("spec".to_owned()), Part::Key(name.to_owned())];
        self.0 == parts
    }

    /// Puts a value there, making the mappings on the way; null takes away what is there. None if a list on the way
    /// has no such item.
    pub(super) fn put<'n>(&self, tree: &mut Node<'n>, value: Node<'n>) -> Option<()> {
        put(&self.0, tree, value)
    }
}

fn put<'n>(path: &[Part], tree: &mut Node<'n>, value: Node<'n>) -> Option<()> {
    let Some((part, rest)) = path.split_first() else {
        *tree = value;
        return Some(());
    };
    let takes_away = rest.is_empty() && value.is_null();
    match (part, &mut tree.value) {
        (Part::Index(index), Value::Sequence(items)) if takes_away => {
            (*index < items.len()).then(|| drop(items.remove(*index)))
        }
        (Part::Index(index), Value::Sequence(items)) => {
            if *index == items.len() {
                items.push(Node::made(Value::Null));
            }
            put(rest, items.get_mut(*index)?, value)
        }
        (Part::Index(0), Value::Null) => {
            let mut items = vec![Node::made(Value::Null)];
            put(rest, items.first_mut()?, value)?;
            tree.value = Value::Sequence(items);
            Some(())
        }
        (Part::Key(key), Value::Mapping(entries)) => {
            let at = entries.iter().position(|entry| entry.key == key.as_str());
            match at {
                Some(at) if takes_away => drop(entries.remove(at)),
                Some(at) => put(rest, &mut entries.get_mut(at)?.value, value)?,
                None if takes_away => {}
                None => {
                    let mut node = Node::made(Value::Null);
                    put(rest, &mut node, value)?;
                    entries.push(Entry { start: 0, key: key.clone().into(), value: node });
                }
            }
            Some(())
        }
        (Part::Key(_), Value::Null) => {
            tree.value = Value::Mapping(Vec::new());
            put(path, tree, value)
        }
        _ => None,
    }
}
