//! What differs between two configurations, field by field.

use crate::config::change::scalar;
use berth_core::framework::config::Configuration;
use berth_wire::config::whole;
use berth_wire::tree::{Node, same_data, write};

/// A field that differs.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Setting {
    /// Its path. Items of lists that have a name are called by it.
    pub(super) path: String,
    /// What it is in A and in B; none where there is no such field.
    pub(super) values: [Option<String>; 2],
}

/// The fields that differ.
pub(super) fn differences(a: &Configuration, b: &Configuration) -> Vec<Setting> {
    let mut out = Vec::new();
    walk("", Some(&whole(a)), Some(&whole(b)), &mut out);
    out
}

fn walk(path: &str, a: Option<&Node<'_>>, b: Option<&Node<'_>>, out: &mut Vec<Setting>) {
    let (Some(x), Some(y)) = (a, b) else {
        out.push(Setting { path: path.to_owned(), values: [a, b].map(|node| node.map(shown)) });
        return;
    };
    if same_data(x, y) {
        return;
    }
    let keys = keys(x).into_iter().chain(keys(y));
    let mut seen: Vec<String> = Vec::new();
    let before = out.len();
    for key in keys {
        if !seen.contains(&key) {
            let below = |node| child(node, &key);
            let dot = if path.is_empty() || key.starts_with('[') { "" } else { "." };
            walk(&[path, dot, &key].concat(), below(x), below(y), out);
            seen.push(key);
        }
    }
    // Nothing below differs but the order, or there is nothing below.
    if out.len() == before {
        let order = |node: &Node<'_>| match names(node) {
            Some(names) => names.join(", "),
            None => shown(node),
        };
        out.push(Setting { path: path.to_owned(), values: [Some(order(x)), Some(order(y))] });
    }
}

/// The names of a list's items, if all have one.
fn names(node: &Node<'_>) -> Option<Vec<String>> {
    let items = node.items();
    let name = |item: &Node<'_>| {
        let name = item.get("name").or_else(|| item.get("schedulerName"));
        name.and_then(Node::as_str).map(str::to_owned)
    };
    let names: Option<Vec<String>> = items.iter().map(name).collect();
    names.filter(|names| !names.is_empty())
}

fn keys(node: &Node<'_>) -> Vec<String> {
    if let Some(names) = names(node) {
        return names.into_iter().map(|name| ["[", &name, "]"].concat()).collect();
    }
    let items = (0..node.items().len()).map(|place| ["[", &place.to_string(), "]"].concat());
    items.chain(node.entries().iter().map(|entry| entry.key.to_string())).collect()
}

fn child<'t, 'a>(node: &'t Node<'a>, key: &str) -> Option<&'t Node<'a>> {
    let place = keys(node).iter().position(|own| own == key)?;
    match node.items() {
        [] => node.get(key),
        items => items.get(place),
    }
}

fn shown(node: &Node<'_>) -> String {
    scalar(node).unwrap_or_else(|| write::json(node))
}

#[cfg(test)]
mod tests {
    use super::{Setting, differences};
    use berth_core::framework::config::{Configuration, ScoringStrategyType};

    fn setting(path: &str, a: &str, b: &str) -> Setting {
        let value = |text: &str| (!text.is_empty()).then(|| text.to_owned());
        Setting { path: path.to_owned(), values: [value(a), value(b)] }
    }

    #[test]
    fn fields_are_named_by_plugin_and_profile() {
        let a = Configuration::default();
        let mut b = a.clone();
        assert_eq!(differences(&a, &b), []);
        b.percentage_of_nodes_to_score = Some(30);
        let profile = &mut b.profiles[0];
        profile.args.node_resources_fit.scoring_strategy.kind = ScoringStrategyType::MostAllocated;
        profile.plugins.multi_point.enabled[4].weight = 9;
        let own = "profiles[default-scheduler]";
        assert_eq!(
            differences(&a, &b),
            [
                setting("percentageOfNodesToScore", "0", "30"),
                setting(
                    &format!("{own}.plugins.multiPoint.enabled[TaintToleration].weight"),
                    "3",
                    "9"
                ),
                setting(
                    &format!("{own}.pluginConfig[NodeResourcesFit].args.scoringStrategy.type"),
                    "LeastAllocated",
                    "MostAllocated"
                ),
            ]
        );
    }

    #[test]
    fn an_order_is_a_difference() {
        let a = Configuration::default();
        let mut b = a.clone();
        b.profiles[0].plugins.multi_point.enabled.truncate(3);
        let mut c = b.clone();
        c.profiles[0].plugins.multi_point.enabled.swap(1, 2);
        let path = "profiles[default-scheduler].plugins.multiPoint.enabled";
        assert_eq!(
            differences(&b, &c),
            [setting(
                path,
                "SchedulingGates, PrioritySort, NodeUnschedulable",
                "SchedulingGates, NodeUnschedulable, PrioritySort"
            )]
        );
        let gone = differences(&a, &b);
        assert_eq!(gone.len(), 17, "the default has 20 plugins");
        assert_eq!(
            gone.first(),
            Some(&setting(&format!("{path}[NodeName]"), "{\"name\":\"NodeName\"}", ""))
        );
    }
}
