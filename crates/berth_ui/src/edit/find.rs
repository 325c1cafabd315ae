//! Search: which nodes and pods match a few words.

use berth_core::api::Labels;
use berth_core::cluster::Cluster;
use berth_core::collections::Set;

/// What a search found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Found {
    /// Pods, `namespace/name`.
    pub(super) pods: Set<String>,
    /// Nodes that match themselves or have a pod that does.
    pub(super) nodes: Set<String>,
    /// How many pods do not match.
    pub(super) other_pods: u32,
    /// How many nodes do not.
    pub(super) other_nodes: u32,
}

/// A word of a search: where to look, and for what.
enum Word<'q> {
    Anywhere(&'q str),
    Namespace(&'q str),
    Node(&'q str),
    App(&'q str),
    Label(&'q str, Option<&'q str>),
}

/// The labels that name an app.
const APPS: [&str; 4] = ["app.kubernetes.io/name", "app", "k8s-app", "name"];

fn words(query: &str) -> Vec<Word<'_>> {
    let word = |text| match str::split_once(text, ':') {
        Some(("ns" | "namespace", name)) => Word::Namespace(name),
        Some(("node", name)) => Word::Node(name),
        Some(("app", name)) => Word::App(name),
        Some(("label", key)) => label(key),
        _ if text.contains('=') => label(text),
        _ => Word::Anywhere(text),
    };
    query.split_whitespace().map(word).collect()
}

fn label(text: &str) -> Word<'_> {
    match text.split_once('=') {
        Some((key, value)) => Word::Label(key, Some(value)),
        None => Word::Label(text, None),
    }
}

fn has_label(labels: &Labels, key: &str, value: Option<&str>) -> bool {
    labels
        .get(key)
        .is_some_and(|known| value.is_none_or(|value| value.is_empty() || known == value))
}

fn names(labels: &Labels, part: &str) -> bool {
    labels.values().any(|value| value.contains(part))
}

impl Found {
    /// What matches all words of a query; without words, everything.
    pub(super) fn of(cluster: &Cluster, query: &str) -> Self {
        let words = words(query);
        let mut found = Self::default();
        for (_, info) in cluster.pods() {
            let (metadata, node) = (&info.pod.metadata, &info.pod.spec.node_name);
            let matches = |word: &Word<'_>| match *word {
                Word::Anywhere(part) => {
                    metadata.name.contains(part)
                        || metadata.namespace.contains(part)
                        || node.contains(part)
                        || names(&metadata.labels, part)
                }
                Word::Namespace(name) => metadata.namespace.starts_with(name),
                Word::Node(name) => node.contains(name),
                Word::App(name) => APPS
                    .iter()
                    .any(|key| metadata.labels.get(*key).is_some_and(|value| value.contains(name))),
                Word::Label(key, value) => has_label(&metadata.labels, key, value),
            };
            if words.iter().all(matches) {
                found.pods.insert(info.key().to_string());
                found.nodes.insert(node.clone());
            } else {
                found.other_pods += 1;
            }
        }
        for slot in cluster.node_slots() {
            let Some(node) = &slot.node else { continue };
            let metadata = &node.metadata;
            let matches = |word: &Word<'_>| match *word {
                Word::Anywhere(part) => {
                    metadata.name.contains(part) || names(&metadata.labels, part)
                }
                Word::Node(name) => metadata.name.contains(name),
                Word::Label(key, value) => has_label(&metadata.labels, key, value),
                Word::Namespace(_) | Word::App(_) => false,
            };
            if words.iter().all(matches) {
                found.nodes.insert(metadata.name.clone());
            }
            if !found.nodes.contains(&metadata.name) {
                found.other_nodes += 1;
            }
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::Found;
    use berth_core::api::{Labels, Node, Object, Pod};
    use berth_core::framework::config::Configuration;
    use berth_core::playground::Playground;
    use std::sync::Arc;

    fn found(query: &str) -> String {
        let labels = |key: &str, value: &str| Labels::from([(key.to_owned(), value.to_owned())]);
        let node = |name: &str, zone: &str| {
            let mut node = Node::default();
            node.metadata.name = name.into();
            node.metadata.labels = labels("zone", zone);
            Object::Node(Arc::new(node))
        };
        let pod = |namespace: &str, name: &str, app: &str, node: &str| {
            let mut pod = Pod::default();
            pod.metadata.name = name.into();
            pod.metadata.namespace = namespace.into();
            pod.metadata.labels = labels("app", app);
            pod.spec.node_name = node.into();
            Object::Pod(Arc::new(pod))
        };
        let objects = [
            node("n1", "a"),
            node("n2", "b"),
            pod("shop", "web-1", "web", "n1"),
            pod("shop", "db-1", "db", "n2"),
            pod("ops", "web-9", "proxy", ""),
        ];
        let playground = Playground::new(objects, Configuration::default())
            .expect("the default configuration runs");
        let found = Found::of(playground.cluster(), query);
        let list = |names: Vec<&String>| {
            names
                .iter()
                .filter(|name| !name.is_empty())
                .map(|name| name.as_str())
                .collect::<Vec<_>>()
                .join(" ")
        };
        format!(
            "{} | {} | {}, {}",
            list(found.pods.iter().collect()),
            list(found.nodes.iter().collect()),
            found.other_pods,
            found.other_nodes
        )
    }

    #[test]
    fn every_word_has_to_match() {
        for (query, want) in [
            ("", "ops/web-9 shop/db-1 shop/web-1 | n1 n2 | 0, 0"),
            ("web", "ops/web-9 shop/web-1 | n1 | 1, 1"),
            ("web ns:shop", "shop/web-1 | n1 | 2, 1"),
            ("app:proxy", "ops/web-9 |  | 2, 2"),
            ("node:n2", "shop/db-1 | n2 | 2, 1"),
            ("zone=b", " | n2 | 3, 1"),
            ("label:app", "ops/web-9 shop/db-1 shop/web-1 | n1 n2 | 0, 0"),
            ("nothing", " |  | 3, 2"),
        ] {
            assert_eq!(found(query), want, "{query}");
        }
    }
}
