//! Snapshots of kube-scheduler-simulator (`simulator/snapshot`), with its result annotations on the pods
//! (`simulator/scheduler/plugin/{annotation,resultstore}`).
//!
//! A result is a JSON object as text, whose values are texts. Results of points at which Berth runs nothing (Reserve,
//! Permit, PreBind, Bind) are left out. Kinds that a snapshot has no list for are left out.

use berth_core::api::{Object, ObjectKey};
use berth_core::collections::Map;
use berth_core::explain::Explanation;
use berth_core::framework::plugin::PluginId;
use berth_core::framework::status::Status;
use berth_core::playground::Playground;

use crate::config;
use crate::export;
use crate::manifest::Report;
use crate::tree::{Entry, Node, Value, json, write};

/// What the keys of result annotations begin with.
const PREFIX: &str = "kube-scheduler-simulator.sigs.k8s.io/";

/// The list of a snapshot for each kind.
const LISTS: [(&str, &str); 7] = [
    ("Pod", "pods"),
    ("Node", "nodes"),
    ("PersistentVolume", "pvs"),
    ("PersistentVolumeClaim", "pvcs"),
    ("StorageClass", "storageClasses"),
    ("PriorityClass", "priorityClasses"),
    ("Namespace", "namespaces"),
];

/// A snapshot of the objects as they are now, each pod with what the scheduler says of it.
pub fn snapshot(report: &Report, objects: &[Object], playground: &mut Playground) -> String {
    let texts = export::texts(report, objects);
    let mut lists: Map<&str, Vec<Node<'_>>> = Map::new();
    for (_, list) in LISTS {
        lists.insert(list, Vec::new());
    }
    for text in &texts {
        let Ok(mut node) = json::parse(text) else { continue };
        let kind = node.get("kind").and_then(Node::as_str).unwrap_or_default();
        let Some((kind, list)) = LISTS.into_iter().find(|(known, _)| *known == kind) else {
            continue;
        };
        let name = |key| {
            let metadata = node.get("metadata")?;
            metadata.get(key).and_then(Node::as_str).map(str::to_owned)
        };
        let (namespace, name) = (name("namespace"), name("name").unwrap_or_default());
        if is_everywhere(kind, &name) {
            continue;
        }
        if kind == "Pod" {
            let namespace = namespace.unwrap_or_else(|| "default".to_owned());
            annotate(&mut node, results(playground, &ObjectKey::new(namespace, name)));
        }
        lists.or_default(list).push(node);
    }
    let mut entries: Vec<Entry<'_>> =
        lists.into_iter().map(|(list, items)| entry(list, Value::Sequence(items))).collect();
    let configuration = config::encode(playground.configuration()).into_owned();
    entries.push(entry("schedulerConfig", configuration.value));
    write::json_pretty(&Node::made(Value::Mapping(entries)))
}

/// What every cluster has, and a snapshot therefore not.
fn is_everywhere(kind: &str, name: &str) -> bool {
    match kind {
        "PriorityClass" => name.starts_with("system-"),
        "Namespace" => name == "default" || name.starts_with("kube-"),
        _ => false,
    }
}

fn entry<'a>(key: &str, value: Value<'a>) -> Entry<'a> {
    Entry { start: 0, key: key.to_owned().into(), value: Node::made(value) }
}

/// The result annotations of a pod, as it would be scheduled now.
fn results(playground: &mut Playground, key: &ObjectKey) -> Vec<(String, String)> {
    let Ok(explanation) = playground.explain(key) else { return Vec::new() };
    if explanation.pre_enqueue.is_some() {
        return Vec::new();
    }
    let nominated = playground.pick_candidate(&explanation).map(|node| node.name.to_string());
    let cluster = playground.cluster();
    let bound = cluster.pod_named(key).and_then(|idx| cluster.pod(idx));
    let bound = bound.map(|info| info.pod.spec.node_name.clone()).filter(|name| !name.is_empty());
    let ties = explanation.best.len() as u32;
    let best = explanation.best_names().nth(playground.pick(key, ties) as usize);
    let selected = bound.or_else(|| best.map(ToString::to_string)).unwrap_or_default();
    let named = |name: &str, value: String| ([PREFIX, name].concat(), value);
    vec![
        named("prefilter-result-status", object(&pre_filter(&explanation))),
        named("prefilter-result", pre_filter_nodes(&explanation)),
        named("filter-result", objects(&filter(&explanation))),
        named("postfilter-result", objects(&post_filter(&explanation, nominated.as_deref()))),
        named("prescore-result", object(&pre_score(&explanation))),
        named("score-result", objects(&scores(&explanation, |score| score.raw))),
        named("finalscore-result", objects(&scores(&explanation, |score| score.weighted))),
        named("selected-node", selected),
    ]
}

type Texts = Map<String, String>;

fn name(plugin: PluginId) -> String {
    plugin.name().to_owned()
}

fn said(status: &Status) -> String {
    status.reasons.join(", ")
}

fn pre_filter(explanation: &Explanation) -> Texts {
    let mut out = Texts::new();
    for plugin in &explanation.filters {
        out.insert(name(*plugin), "success".to_owned());
    }
    for status in &explanation.pre_filter {
        if let Some(plugin) = status.plugin {
            out.insert(name(plugin), said(status));
        }
    }
    out
}

/// The only nodes that PreFilter lets through; NodeAffinity alone names any.
fn pre_filter_nodes(explanation: &Explanation) -> String {
    let Some(names) = &explanation.node_names else { return "{}".to_owned() };
    let names = names.iter().map(|name| Node::made(Value::String(name.as_str().into()))).collect();
    write::json(&Node::made(Value::Mapping(vec![entry("NodeAffinity", Value::Sequence(names))])))
}

/// Up to the first plugin that refuses a node, as the scheduler runs them.
fn filter(explanation: &Explanation) -> Map<String, Texts> {
    let mut out = Map::new();
    for node in &explanation.nodes {
        let mut plugins = Texts::new();
        for verdict in &node.verdicts {
            let passed = verdict.code.is_success();
            let text = if passed { "passed".to_owned() } else { verdict.reasons.join(", ") };
            plugins.insert(name(verdict.plugin), text);
            if !passed {
                break;
            }
        }
        out.insert(node.name.to_string(), plugins);
    }
    out
}

fn post_filter(explanation: &Explanation, nominated: Option<&str>) -> Map<String, Texts> {
    let mut out = Map::new();
    if !explanation.feasible.is_empty() {
        return out;
    }
    for node in &explanation.nodes {
        let mut plugins = Texts::new();
        if nominated == Some(&*node.name) {
            plugins.insert("DefaultPreemption".to_owned(), "preemption victim".to_owned());
        }
        out.insert(node.name.to_string(), plugins);
    }
    out
}

/// With one node that fits, the scheduler scores none.
fn is_scored(explanation: &Explanation) -> bool {
    explanation.feasible.len() > 1
}

fn pre_score(explanation: &Explanation) -> Texts {
    let mut out = Texts::new();
    if is_scored(explanation) {
        for scorer in explanation.scorers.iter().filter(|scorer| !scorer.skipped) {
            out.insert(name(scorer.plugin), "success".to_owned());
        }
    }
    out
}

fn scores(
    explanation: &Explanation,
    of: fn(&berth_core::explain::PluginScore) -> i64,
) -> Map<String, Texts> {
    let mut out = Map::new();
    if !is_scored(explanation) {
        return out;
    }
    for node in &explanation.nodes {
        let Some(scores) = &node.scores else { continue };
        let plugins =
            scores.plugins.iter().map(|score| (name(score.plugin), of(score).to_string()));
        out.insert(node.name.to_string(), plugins.collect());
    }
    out
}

fn mapping(texts: &Texts) -> Value<'_> {
    let entries = texts.iter().map(|(key, text)| entry(key, Value::String(text.as_str().into())));
    Value::Mapping(entries.collect())
}

fn object(texts: &Texts) -> String {
    write::json(&Node::made(mapping(texts)))
}

fn objects(all: &Map<String, Texts>) -> String {
    let entries = all.iter().map(|(key, texts)| entry(key, mapping(texts))).collect();
    write::json(&Node::made(Value::Mapping(entries)))
}

/// Puts annotations on an object, in the place of those of the same name.
fn annotate(node: &mut Node<'_>, annotations: Vec<(String, String)>) {
    let Some(own) = within(node, "metadata").and_then(|metadata| within(metadata, "annotations"))
    else {
        return;
    };
    let Value::Mapping(entries) = &mut own.value else { return };
    for (key, value) in annotations {
        entries.retain(|entry| entry.key != key);
        entries.push(entry(&key, Value::String(value.into())));
    }
}

/// The mapping under a key, made if it is missing.
fn within<'n, 'a>(node: &'n mut Node<'a>, key: &str) -> Option<&'n mut Node<'a>> {
    let Value::Mapping(entries) = &mut node.value else { return None };
    let place = entries.iter().position(|entry| entry.key == key).unwrap_or_else(|| {
        entries.push(entry(key, Value::Mapping(Vec::new())));
        entries.len() - 1
    });
    entries.get_mut(place).map(|entry| &mut entry.value)
}

#[cfg(test)]
mod tests {
    use super::snapshot;
    use crate::intake::{SEED, take_in};
    use crate::manifest::{Source, read};
    use berth_core::playground::Playground;
    use serde_json::Value;

    const CLUSTER: &str = "
apiVersion: v1
kind: Node
metadata: {name: node1}
status: {allocatable: {cpu: '1', pods: '9'}}
---
apiVersion: v1
kind: Node
metadata: {name: node2}
status: {allocatable: {cpu: '4', pods: '9'}}
---
apiVersion: v1
kind: Node
metadata: {name: node3}
spec: {unschedulable: true}
status: {allocatable: {cpu: '4', pods: '9'}}
---
apiVersion: v1
kind: Namespace
metadata: {name: default}
---
apiVersion: v1
kind: StorageClass
metadata: {name: fast}
---
apiVersion: v1
kind: Service
metadata: {name: left-out}
---
apiVersion: v1
kind: Pod
metadata: {name: small, annotations: {team: us}}
spec: {containers: [{name: c, env: [{name: A, value: b}], resources: {requests: {cpu: 100m}}}]}
---
apiVersion: v1
kind: Pod
metadata: {name: large}
spec: {containers: [{name: c, resources: {requests: {cpu: '9'}}}]}
---
apiVersion: kubescheduler.config.k8s.io/v1
kind: KubeSchedulerConfiguration
percentageOfNodesToScore: 30
";

    fn taken() -> Value {
        let report = read(&[Source { name: "", text: CLUSTER }]);
        let objects = take_in(&report, SEED).objects;
        let configuration = report.configuration.clone().unwrap();
        let mut playground = Playground::new(objects.clone(), configuration).unwrap();
        serde_json::from_str(&snapshot(&report, &objects, &mut playground)).unwrap()
    }

    fn result(snapshot: &Value, pod: usize, name: &str) -> Value {
        let key = format!("kube-scheduler-simulator.sigs.k8s.io/{name}");
        let text = snapshot["pods"][pod]["metadata"]["annotations"][&key].as_str().unwrap();
        serde_json::from_str(text).unwrap_or_else(|_| Value::String(text.to_owned()))
    }

    #[test]
    fn a_snapshot_has_its_lists_and_whole_objects() {
        let snapshot = taken();
        let count = |list: &str| snapshot[list].as_array().map(Vec::len);
        assert_eq!((count("nodes"), count("pods")), (Some(3), Some(2)));
        // What every cluster has is not in it.
        assert_eq!((count("namespaces"), count("storageClasses")), (Some(0), Some(1)));
        assert_eq!(snapshot["schedulerConfig"]["percentageOfNodesToScore"], 30);
        assert_eq!(snapshot["pods"][0]["spec"]["containers"][0]["env"][0]["value"], "b");
        assert_eq!(snapshot["pods"][0]["metadata"]["annotations"]["team"], "us");
    }

    #[test]
    fn pods_carry_their_results() {
        let snapshot = taken();
        let filter = result(&snapshot, 0, "filter-result");
        assert_eq!(filter["node1"]["NodeResourcesFit"], "passed");
        assert_eq!(filter["node3"]["NodeUnschedulable"], "node(s) were unschedulable");
        assert_eq!(filter["node3"].get("NodeResourcesFit"), None, "it is not asked any more");
        let raw = result(&snapshot, 0, "score-result");
        assert_eq!(
            (&raw["node1"]["NodeResourcesFit"], &raw["node2"]["NodeResourcesFit"]),
            (&"90".into(), &"97".into())
        );
        let last = result(&snapshot, 0, "finalscore-result");
        assert!(last["node2"]["TaintToleration"] == "300", "{last}");
        assert_eq!(result(&snapshot, 0, "selected-node"), "node2");
        assert_eq!(result(&snapshot, 1, "selected-node"), "");
        assert_eq!(
            result(&snapshot, 1, "filter-result")["node2"]["NodeResourcesFit"],
            "Insufficient cpu"
        );
        assert_eq!(result(&snapshot, 1, "score-result"), serde_json::json!({}));
    }

    #[test]
    fn it_reads_back_as_it_was() {
        let text = taken().to_string();
        let report = read(&[Source { name: "", text: &text }]);
        assert!(!report.has_errors(), "{:?}", report.problems);
        assert_eq!(report.items.len(), 5);
        assert_eq!(report.configuration.unwrap().percentage_of_nodes_to_score, Some(30));
    }
}
