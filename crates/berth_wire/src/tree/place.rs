//! Where a field stands.

use super::Node;

/// The byte offset of a field, by its path as Kubernetes' errors give it: `spec.containers[0].image`,
/// `metadata.labels[app]`. Of a field that is not there, the place of the innermost that is.
pub fn place_of(node: &Node<'_>, path: &str) -> u32 {
    let (mut node, mut place, mut rest) = (node, node.start, path);
    while let Some((step, after)) = first_step(rest) {
        rest = after;
        let found = match step {
            Step::Name(name) => entry(node, name),
            // A key may be a number as well.
            Step::Bracket(text) => {
                let item = text.parse().ok().and_then(|index: usize| node.items().get(index));
                item.map(|item| (item.start, item)).or_else(|| entry(node, text))
            }
        };
        let Some(found) = found else { break };
        (place, node) = found;
    }
    place
}

/// A part of a path.
enum Step<'p> {
    Name(&'p str),
    Bracket(&'p str),
}

fn first_step(path: &str) -> Option<(Step<'_>, &str)> {
    if let Some(inner) = path.strip_prefix('[') {
        let (text, rest) = inner.split_once(']')?;
        return Some((Step::Bracket(text), rest));
    }
    let path = path.strip_prefix('.').unwrap_or(path);
    let end = path.find(['.', '[']).unwrap_or(path.len());
    let (name, rest) = path.split_at(end);
    (!name.is_empty()).then_some((Step::Name(name), rest))
}

/// The last entry of a key counts, as everywhere.
fn entry<'n, 'a>(node: &'n Node<'a>, key: &str) -> Option<(u32, &'n Node<'a>)> {
    let found = node.entries().iter().rev().find(|entry| entry.key == key)?;
    Some((found.start, &found.value))
}

#[cfg(test)]
mod tests {
    use super::place_of;
    use crate::tree::yaml;

    #[test]
    fn fields_are_found_as_far_as_they_are_there() {
        let text = "metadata:\n  labels: {a.b/c: x}\nspec:\n  containers:\n  - name: main\n";
        let node = yaml::parse(text).unwrap();
        for (path, want) in [
            ("metadata.labels[a.b/c]", "a.b/c"),
            ("metadata.name", "metadata"),
            ("spec.containers[0].name", "name"),
            ("spec.containers[0].image", "name: main"),
            ("spec.containers[7].image", "containers"),
            ("nothing", "metadata"),
            ("", "metadata"),
            ("spec.containers[", "containers"),
        ] {
            let place = place_of(&node, path) as usize;
            assert!(text[place..].starts_with(want), "{path}: {}", &text[place..]);
        }
    }
}
