//! Works out what the scheduler answers from an explanation's JSON alone.
//!
//! This uses nothing of the engine: it is the arithmetic of `docs/explanations.md`, written down a
//! second time. What the explanation says came out of it is taken away first, so that only inputs
//! are left: who is where, what is asked for, what is counted.

mod filter;
mod labels;
mod requests;
mod score;

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

/// Results, wherever they stand.
const RESULTS: [&str; 22] = [
    "allowed",
    "best",
    "code",
    "equation",
    "feasible",
    "free",
    "matchingTerm",
    "message",
    "normalization",
    "normalized",
    "preEnqueue",
    "preFilter",
    "preFilterNodes",
    "rank",
    "raw",
    "reasons",
    "scaled",
    "selectorMatches",
    "skipped",
    "status",
    "tolerated",
    "weighted",
];

/// An explanation's answer in the shape of the vectors.
///
/// # Panics
/// If the explanation lacks something that a sum needs.
pub fn answer(explanation: &Value) -> Value {
    let doc = strip(explanation, false);
    let pod = field(&doc, "pod");
    let gates = strings(pod, "schedulingGates");
    let asked = strings(field(&doc, "profile"), "preEnqueue").contains(&"SchedulingGates");
    if asked && !gates.is_empty() {
        let reason = format!("waiting for scheduling gates: [{}]", gates.join(" "));
        return json!({ "preEnqueue": status(Some("SchedulingGates"), &Verdict::hopeless(reason)) });
    }
    let nodes = list(&doc, "nodes");
    if nodes.is_empty() {
        return json!({ "message": "no nodes available to schedule pods" });
    }
    let names: Vec<&str> = nodes.iter().map(|node| text(node, "name")).collect();
    let plugins = filter::plugins(&doc);
    let mut answer = json!({
        "nodeOrder": names,
        "preFilter": filter::pre_filter(&doc),
        "preFilterNodes": filter::named_nodes(&doc),
        "filter": matrix(&doc, &plugins),
    });
    let (reported, feasible) = filter_nodes(&doc, &plugins);
    let mut put = |key: &str, value: Value| {
        answer.as_object_mut().expect("an answer is an object").insert(key.to_owned(), value);
    };
    if feasible.is_empty() {
        put("message", message(&doc, names.len(), &reported).into());
        put("status", json!(reported));
        return answer;
    }
    put("status", json!(reported));
    let scores = score::all(&doc, &feasible);
    let totals: Vec<i64> = (0..feasible.len()).map(|i| scores.total(i)).collect();
    let highest = totals.iter().max();
    let best = feasible.iter().zip(&totals).filter(|(_, total)| Some(*total) == highest);
    put("best", best.map(|(node, _)| text(node, "name")).collect());
    put("feasible", feasible.iter().map(|node| text(node, "name")).collect());
    put("skippedScore", json!(scores.skipped));
    let scored: Map<String, Value> = feasible
        .iter()
        .enumerate()
        .map(|(i, node)| (text(node, "name").to_owned(), scores.of_node(i)))
        .collect();
    put("scores", scored.into());
    answer
}

/// Only what sums begin with. Filters are run twice where pods are nominated to a node; what is
/// counted then has no lists of its own, so those facts stay.
fn strip(value: &Value, keep: bool) -> Value {
    match value {
        Value::Object(fields) => fields
            .iter()
            .filter(|(key, value)| keep || !is_result(key, value))
            .map(|(key, value)| {
                (key.clone(), strip(value, keep || key == "verdictsWithNominatedPods"))
            })
            .collect::<Map<_, _>>()
            .into(),
        Value::Array(items) => items.iter().map(|item| strip(item, keep)).collect(),
        other => other.clone(),
    }
}

/// The profile's lists of plugins are inputs; statuses are results.
fn is_result(key: &str, value: &Value) -> bool {
    let names = value.as_array().is_some_and(|items| items.iter().all(Value::is_string));
    RESULTS.contains(&key) && !(matches!(key, "preEnqueue" | "preFilter") && names)
}

fn matrix(doc: &Value, plugins: &[&str]) -> Map<String, Value> {
    let mut matrix = Map::new();
    for node in list(doc, "nodes") {
        let rejections: Map<String, Value> = plugins
            .iter()
            .filter_map(|plugin| {
                let verdict = filter::verdict(doc, node, plugin, filter::Pass::Plain)?;
                Some(((*plugin).to_owned(), status(None, &verdict)))
            })
            .collect();
        matrix.insert(text(node, "name").to_owned(), rejections.into());
    }
    matrix
}

/// The first plugin that refuses every node beforehand, and why.
fn rejection(doc: &Value) -> Option<(&str, String)> {
    let mut plugins = strings(field(doc, "profile"), "preFilter").into_iter();
    plugins.find_map(|plugin| Some((plugin, filter::rejection(doc, plugin)?)))
}

/// What is reported of each node, and the nodes that can take the pod.
fn filter_nodes<'a>(
    doc: &'a Value,
    plugins: &[&str],
) -> (BTreeMap<&'a str, Value>, Vec<&'a Value>) {
    let nodes = list(doc, "nodes");
    let named = filter::named_nodes(doc);
    let mut reported = BTreeMap::new();
    if let Some((plugin, reason)) = rejection(doc) {
        let verdict = Verdict::hopeless(reason);
        let rejected = |node| (text(node, "name"), status(Some(plugin), &verdict));
        return (nodes.iter().map(rejected).collect(), Vec::new());
    }
    let looked_at = |node: &Value| {
        named.as_ref().is_none_or(|names| names.contains(&text(node, "name").to_owned()))
    };
    for node in nodes.iter().filter(|node| !looked_at(node)) {
        let verdict = Verdict::hopeless("node(s) didn't satisfy plugin(s) [NodeAffinity]");
        reported.insert(text(node, "name"), status(None, &verdict));
    }
    let failure = |node| filter::first_failure(doc, node, plugins);
    let nominated = text(field(doc, "pod"), "nominatedNodeName");
    let nominated = nodes.iter().find(|node| text(node, "name") == nominated);
    if let Some(node) = nominated.filter(|node| failure(node).is_none()) {
        return (reported, vec![node]);
    }
    let mut feasible = Vec::new();
    for node in nodes.iter().filter(|node| looked_at(node)) {
        match failure(node) {
            None => feasible.push(node),
            Some((plugin, verdict)) => {
                reported.insert(text(node, "name"), status(Some(plugin), &verdict));
            }
        }
    }
    (reported, feasible)
}

/// The event's text, up to what preemption adds: each reason with the number of nodes, as text in
/// order.
fn message(doc: &Value, nodes: usize, reported: &BTreeMap<&str, Value>) -> String {
    if let Some((_, reason)) = rejection(doc) {
        return format!("0/{nodes} nodes are available: {reason}.");
    }
    let mut counts: BTreeMap<&str, u32> = BTreeMap::new();
    for reason in reported.values().flat_map(|status| strings(status, "reasons")) {
        *counts.entry(reason).or_default() += 1;
    }
    let mut parts: Vec<String> =
        counts.iter().map(|(reason, count)| format!("{count} {reason}")).collect();
    parts.sort();
    format!("0/{nodes} nodes are available: {}.", parts.join(", "))
}

/// A refusal.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Verdict {
    code: Code,
    reasons: Vec<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Code {
    Unschedulable,
    /// Removing pods cannot help either.
    UnschedulableAndUnresolvable,
    /// The plugin could not work.
    Error,
}

impl Verdict {
    fn hopeless(reason: impl Into<String>) -> Self {
        Self { code: Code::UnschedulableAndUnresolvable, reasons: vec![reason.into()] }
    }

    fn unschedulable(reason: impl Into<String>) -> Self {
        Self { code: Code::Unschedulable, reasons: vec![reason.into()] }
    }
}

fn status(plugin: Option<&str>, verdict: &Verdict) -> Value {
    json!({ "plugin": plugin, "code": format!("{:?}", verdict.code), "reasons": verdict.reasons })
}

fn field<'a>(value: &'a Value, key: &str) -> &'a Value {
    value.get(key).unwrap_or_else(|| panic!("no {key:?} in {value}"))
}

fn text<'a>(value: &'a Value, key: &str) -> &'a str {
    field(value, key).as_str().unwrap_or_else(|| panic!("{key:?} is no text in {value}"))
}

fn number(value: &Value, key: &str) -> i64 {
    field(value, key).as_i64().unwrap_or_else(|| panic!("{key:?} is no number in {value}"))
}

fn flag(value: &Value, key: &str) -> bool {
    field(value, key).as_bool().unwrap_or_else(|| panic!("{key:?} is no truth in {value}"))
}

fn list<'a>(value: &'a Value, key: &str) -> &'a [Value] {
    field(value, key).as_array().unwrap_or_else(|| panic!("{key:?} is no list in {value}"))
}

fn strings<'a>(value: &'a Value, key: &str) -> Vec<&'a str> {
    let one = |item: &'a Value| item.as_str().unwrap_or_else(|| panic!("{item} is no text"));
    list(value, key).iter().map(one).collect()
}
