//! Score: raw, normalized and weighted scores, and totals.

use std::collections::BTreeSet;

use serde_json::{Map, Value, json};

use super::filter::{Pass, included, near, nodes_of, pods, used};
use super::labels::{domain, has_all_keys, taint, term_matches, tolerated};
use super::{field, flag, list, number, requests, strings, text};

/// What one plugin gives the feasible nodes.
struct Column<'a> {
    plugin: &'a str,
    weight: i64,
    raw: Vec<i64>,
    normalized: Vec<i64>,
}

/// All scores.
pub(super) struct Scores<'a> {
    columns: Vec<Column<'a>>,
    /// Plugins that had nothing to score.
    pub(super) skipped: Vec<&'a str>,
}

impl Scores<'_> {
    /// Sum of the weighted scores of a feasible node.
    pub(super) fn total(&self, at: usize) -> i64 {
        self.columns.iter().map(|column| column.normalized[at] * column.weight).sum()
    }

    /// A feasible node's scores in the shape of the vectors.
    pub(super) fn of_node(&self, at: usize) -> Value {
        let each = |score: &dyn Fn(&Column<'_>) -> i64| -> Map<String, Value> {
            let columns = self.columns.iter();
            columns.map(|column| (column.plugin.to_owned(), score(column).into())).collect()
        };
        json!({
            "raw": each(&|column| column.raw[at]),
            "normalized": each(&|column| column.normalized[at]),
            "weighted": each(&|column| column.normalized[at] * column.weight),
            "total": self.total(at),
        })
    }
}

/// Scores the feasible nodes.
pub(super) fn all<'a>(doc: &'a Value, feasible: &[&Value]) -> Scores<'a> {
    check_spread(doc, feasible);
    let mut scores = Scores { columns: Vec::new(), skipped: Vec::new() };
    for scorer in list(field(doc, "profile"), "score") {
        let (plugin, weight) = (text(scorer, "plugin"), number(scorer, "weight"));
        let prepares = strings(field(doc, "profile"), "preScore").contains(&plugin);
        if prepares && has_nothing_to_score(doc, plugin) {
            scores.skipped.push(plugin);
            continue;
        }
        let raw: Vec<i64> = feasible.iter().map(|node| raw(doc, node, plugin)).collect();
        let normalized = normalized(doc, feasible, plugin, &raw);
        scores.columns.push(Column { plugin, weight, raw, normalized });
    }
    scores
}

fn has_nothing_to_score(doc: &Value, plugin: &str) -> bool {
    match plugin {
        "NodeAffinity" => {
            let affinity = field(doc, "nodeAffinity");
            list(affinity, "preferred").is_empty() && list(affinity, "addedPreferred").is_empty()
        }
        "NodeResourcesBalancedAllocation" => {
            let requests = list(field(doc, "scoredRequests"), plugin);
            requests.iter().all(|request| number(request, "amount") == 0)
        }
        "PodTopologySpread" => list(doc, "spreadScore").is_empty(),
        "InterPodAffinity" => {
            let own = |term: &Value| {
                matches!(text(term, "role"), "preferredAffinity" | "preferredAntiAffinity")
            };
            let args = field(field(field(doc, "profile"), "args"), plugin);
            let only_own = flag(args, "ignorePreferredTermsOfExistingPods");
            let nobody =
                |term: &&Value| list(term, "pods").iter().all(|pod| field(pod, "domain").is_null());
            (only_own && !list(doc, "podAffinity").iter().any(own))
                || weighted_terms(doc).all(|term| nobody(&term))
        }
        other => other == "VolumeBinding",
    }
}

fn raw(doc: &Value, node: &Value, plugin: &str) -> i64 {
    match plugin {
        "TaintToleration" => {
            let applies = |toleration: &&Value| {
                matches!(field(toleration, "effect").as_str(), None | Some("PreferNoSchedule"))
            };
            let tolerations = || list(field(doc, "pod"), "tolerations").iter().filter(applies);
            let taints = list(node, "taints").iter().map(taint);
            let soft = taints.filter(|taint| taint.2 == "PreferNoSchedule");
            count(soft.filter(|taint| !tolerated(tolerations(), *taint)))
        }
        "NodeAffinity" => {
            let affinity = field(doc, "nodeAffinity");
            let terms = list(affinity, "preferred").iter().chain(list(affinity, "addedPreferred"));
            terms.filter(|t| term_matches(t, node)).map(|term| number(term, "weight")).sum()
        }
        "NodeResourcesFit" => fit(doc, node),
        "NodeResourcesBalancedAllocation" => balanced(doc, node),
        "ImageLocality" => images(facts(node, plugin)),
        "PodTopologySpread" => spread(doc, node),
        "InterPodAffinity" => {
            weighted_terms(doc).map(|term| number(term, "weight") * near(term, node)).sum()
        }
        "DynamicResources" => 0,
        other => panic!("no plugin {other:?}"),
    }
}

fn count(items: impl Iterator) -> i64 {
    i64::try_from(items.count()).expect("a small number")
}

fn facts<'a>(node: &'a Value, plugin: &str) -> &'a [Value] {
    let mut plugins = list(field(node, "scores"), "plugins").iter();
    let score = plugins.find(|score| text(score, "plugin") == plugin);
    list(score.unwrap_or_else(|| panic!("no score of {plugin}")), "facts")
}

/// Terms that count for the score.
fn weighted_terms(doc: &Value) -> impl Iterator<Item = &Value> {
    list(doc, "podAffinity").iter().filter(|term| number(term, "weight") != 0)
}

/// For each resource of a plugin: what pods and pod ask for together, what the pods ask for, and
/// what the node has.
fn shares<'a>(doc: &'a Value, node: &'a Value, plugin: &str, kind: &str) -> Vec<Share<'a>> {
    let args = field(field(field(doc, "profile"), "args"), plugin);
    let counted = list(field(doc, "scoredRequests"), plugin);
    let facts = facts(node, plugin);
    let facts = facts.iter().filter(|fact| text(fact, "kind") == kind);
    let specs = list(args, "resources");
    assert_eq!(specs.len(), counted.len());
    let fit = plugin == "NodeResourcesFit";
    let asked = requests::total(doc, fit);
    let resized = flag(field(field(doc, "pod"), "requests"), "resized");
    let share = |((spec, request), fact): ((&'a Value, &'a Value), &'a Value)| {
        let name = text(spec, "name");
        assert!(name == text(request, "resource") && name == text(fact, "resource"));
        let scored = fit && matches!(name, "cpu" | "memory");
        let list = if scored { "scoredRequests" } else { "requests" };
        let known = asked.get(name).copied().unwrap_or(0);
        assert!((resized && !fit) || known == number(request, "amount"), "{name}: {known}");
        let capacity = number(fact, "capacity");
        let allocated = used(node, name, list, Pass::Plain);
        let requested = allocated + number(request, "amount");
        assert!(capacity == 0 || requested == number(fact, "requested"), "{fact}");
        Share { spec, requested, allocated, capacity }
    };
    specs.iter().zip(counted).zip(facts).map(share).collect()
}

struct Share<'a> {
    spec: &'a Value,
    requested: i64,
    allocated: i64,
    capacity: i64,
}

fn fit(doc: &Value, node: &Value) -> i64 {
    let args = field(field(field(doc, "profile"), "args"), "NodeResourcesFit");
    let strategy = text(args, "strategy");
    let (mut sum, mut weights) = (0, 0);
    for Share { spec, requested, capacity, .. } in
        shares(doc, node, "NodeResourcesFit", "resourceScore")
    {
        if capacity == 0 {
            continue;
        }
        let weight = number(spec, "weight");
        let score = match strategy {
            "LeastAllocated" => (capacity - requested).max(0).wrapping_mul(100) / capacity,
            "MostAllocated" => requested.min(capacity).wrapping_mul(100) / capacity,
            "RequestedToCapacityRatio" => {
                curve(list(args, "shape"), requested.min(capacity).wrapping_mul(100) / capacity)
            }
            other => panic!("no strategy {other:?}"),
        };
        if strategy != "RequestedToCapacityRatio" || score > 0 {
            sum += score * weight;
            weights += weight;
        }
    }
    match (weights, strategy) {
        (0, _) => 0,
        (_, "RequestedToCapacityRatio") => (sum as f64 / weights as f64).round() as i64,
        _ => sum / weights,
    }
}

/// A curve at a utilization: straight between points, flat outside them.
fn curve(shape: &[Value], at: i64) -> i64 {
    let point = |point: &Value| (number(point, "utilization"), number(point, "score") * 10);
    let points: Vec<(i64, i64)> = shape.iter().map(point).collect();
    match points.iter().position(|(x, _)| at <= *x) {
        None => points.last().expect("a curve has points").1,
        Some(0) => points[0].1,
        Some(i) => {
            let ((x0, y0), (x1, y1)) = (points[i - 1], points[i]);
            y0 + (y1 - y0) * (at - x0) / (x1 - x0)
        }
    }
}

fn balanced(doc: &Value, node: &Value) -> i64 {
    let shares = shares(doc, node, "NodeResourcesBalancedAllocation", "balancedShare");
    let shares: Vec<&Share<'_>> = shares.iter().filter(|share| share.capacity != 0).collect();
    let evenness = |amount: &dyn Fn(&Share<'_>) -> i64| {
        let fractions: Vec<f64> = shares
            .iter()
            .map(|share| (amount(share) as f64 / share.capacity as f64).min(1.0))
            .collect();
        ((1.0 - deviation(&fractions)) * 100.0) as i64
    };
    50 + (50 + evenness(&|share| share.requested) - evenness(&|share| share.allocated)) / 2
}

fn deviation(fractions: &[f64]) -> f64 {
    match fractions {
        [] | [_] => 0.0,
        [a, b] => ((a - b) / 2.0).abs(),
        more => {
            let mean = more.iter().sum::<f64>() / more.len() as f64;
            let squares: f64 = more.iter().map(|f| (f - mean) * (f - mean)).sum();
            (squares / more.len() as f64).sqrt()
        }
    }
}

fn images(facts: &[Value]) -> i64 {
    const MB: i64 = 1024 * 1024;
    let (mut sum, mut containers) = (0, 0);
    for fact in facts {
        if text(fact, "kind") == "image" {
            let share = number(fact, "nodes") as f64 / number(fact, "allNodes") as f64;
            sum += (number(fact, "size") as f64 * share) as i64;
        } else {
            containers += number(fact, "containers");
        }
    }
    let (least, most) = (23 * MB, 1000 * MB * containers);
    100 * (sum.min(most).max(least) - least) / (most - least)
}

/// Domains are those of the feasible nodes that have the labels; each counts all nodes in it that
/// the policies let in. For the hostname they are the feasible nodes, whatever the policies say.
fn check_spread(doc: &Value, feasible: &[&Value]) {
    let constraints = list(doc, "spreadScore");
    for constraint in constraints {
        let key = text(constraint, "topologyKey");
        let value = |node| domain(node, key).unwrap_or("");
        let scored = || feasible.iter().filter(|node| has_all_keys(constraints, node));
        let domains: BTreeSet<&str> = scored().map(|node| value(node)).collect();
        let nodes: BTreeSet<&str> = if key == "kubernetes.io/hostname" {
            scored().map(|node| text(node, "name")).collect()
        } else {
            let all = list(doc, "nodes").iter().filter(|node| has_all_keys(constraints, node));
            let here = all.filter(|node| domains.contains(value(node)));
            here.filter(|node| included(doc, constraint, node)).map(|n| text(n, "name")).collect()
        };
        assert_eq!(nodes, nodes_of(constraint), "{constraint}");
        let listed = list(constraint, "domains").iter().map(|domain| text(domain, "value"));
        assert_eq!(domains, listed.collect(), "{constraint}");
    }
}

fn spread(doc: &Value, node: &Value) -> i64 {
    let constraints = list(doc, "spreadScore");
    if !has_all_keys(constraints, node) {
        return 0;
    }
    let mut sum = 0.0;
    for constraint in constraints {
        let key = text(constraint, "topologyKey");
        let Some(value) = domain(node, key) else { continue };
        let domains = list(constraint, "domains");
        // Each node is a domain of its own for the hostname.
        let is_mine = |domain: &&Value| {
            text(domain, "value") == value
                && (key != "kubernetes.io/hostname"
                    || list(domain, "nodes").contains(field(node, "name")))
        };
        let matching = pods(domains.iter().find(is_mine).expect("the domain of a scored node"));
        let weight = libm::log((domains.len() + 2) as f64);
        sum += matching as f64 * weight + (number(constraint, "maxSkew") - 1) as f64;
    }
    sum.round() as i64
}

fn normalized(doc: &Value, feasible: &[&Value], plugin: &str, raw: &[i64]) -> Vec<i64> {
    let highest = raw.iter().copied().max().unwrap_or(0);
    let lowest = raw.iter().copied().min().unwrap_or(0);
    let each = |score: &dyn Fn(i64) -> i64| raw.iter().map(|raw| score(*raw)).collect();
    match plugin {
        "TaintToleration" if highest == 0 => each(&|_| 100),
        "TaintToleration" => each(&|raw| 100 - 100 * raw / highest),
        "NodeAffinity" if highest == 0 => each(&|raw| raw),
        "NodeAffinity" => each(&|raw| 100 * raw / highest),
        "InterPodAffinity" if highest == lowest => each(&|_| 0),
        "InterPodAffinity" => {
            let range = (highest - lowest) as f64;
            each(&|raw| (100.0 * ((raw - lowest) as f64 / range)) as i64)
        }
        "PodTopologySpread" => {
            let constraints = list(doc, "spreadScore");
            let counts: Vec<bool> =
                feasible.iter().map(|node| has_all_keys(constraints, node)).collect();
            let counted =
                || raw.iter().zip(&counts).filter(|(_, counts)| **counts).map(|(raw, _)| *raw);
            let (highest, lowest) = (counted().max().unwrap_or(0), counted().min().unwrap_or(0));
            let score = |(raw, counts): (&i64, &bool)| match (counts, highest) {
                (false, _) => 0,
                (true, 0) => 100,
                (true, _) => 100 * (highest + lowest - raw) / highest,
            };
            raw.iter().zip(&counts).map(score).collect()
        }
        _ => raw.to_vec(),
    }
}
