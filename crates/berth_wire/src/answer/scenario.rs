//! Questions about scheduling: one pod against a cluster, and clusters that change step by step.
//!
//! Objects are decoded and defaulted, not admitted: no class gives a priority, no budget is
//! computed, no workload makes pods.

use std::collections::BTreeMap;
use std::sync::Arc;

use berth_core::api::{Object, ObjectKey};
use berth_core::cluster::{Cluster, PodInfo, Refresh};
use berth_core::explain::post_filter::PreemptionNode;
use berth_core::explain::{Explanation, NodeReport, PluginScore, explain};
use berth_core::framework::config::Configuration;
use berth_core::framework::profile::Profile;
use berth_core::framework::status::{Code, Status};
use serde_json::{Map, Value, json};

use crate::config;
use crate::explain::to_json;
use crate::manifest::{self, Content, Finding};
use crate::tree::{self, Node, json as tree_json};

/// Answers one scenario, given as JSON.
pub fn answer_scenario(scenario: &str) -> Result<Value, String> {
    let tree = tree_json::parse(scenario).map_err(|error| error.to_string())?;
    let name = tree.get("name").and_then(Node::as_str).unwrap_or_default();
    let answer = match load(&tree).and_then(|loaded| one(loaded, &tree)) {
        Ok(explanation) => whole(&explanation),
        Err(error) => Map::from_iter([("error".to_owned(), Value::from(error))]),
    };
    let mut named = Map::from_iter([("name".to_owned(), Value::from(name))]);
    named.extend(answer);
    Ok(Value::Object(named))
}

/// Explains one scenario, given as JSON, in the form of [`crate::explain`].
pub fn explain_scenario(scenario: &str) -> Result<Value, String> {
    let tree = tree_json::parse(scenario).map_err(|error| error.to_string())?;
    let mut loaded = load(&tree)?;
    let pod = loaded.pod(tree.get("pod").and_then(Node::as_str).unwrap_or_default())?;
    let explanation = explain(&mut loaded.cluster, &loaded.profile, &pod);
    Ok(to_json(&explanation, &loaded.cluster, &loaded.profile))
}

fn one(mut loaded: Loaded, tree: &Node<'_>) -> Result<Explanation, String> {
    let name = tree.get("pod").and_then(Node::as_str).unwrap_or_default();
    let pod = loaded.pod_in_question(name)?;
    Ok(explain(&mut loaded.cluster, &loaded.profile, &pod))
}

/// Answers one sequence, given as JSON: a list with the answer of each step.
pub fn answer_sequence(sequence: &str) -> Result<Value, String> {
    let tree = tree_json::parse(sequence).map_err(|error| error.to_string())?;
    let steps = match tree.get("steps").map(|steps| &steps.value) {
        None | Some(tree::Value::Null) => &[][..],
        Some(tree::Value::Sequence(steps)) => steps,
        Some(_) => return Err("steps: not a list".to_owned()),
    };
    let mut loaded = match load(&tree) {
        Ok(loaded) => loaded,
        Err(error) => return Ok(json!([{ "error": error }])),
    };
    Ok(steps.iter().map(|step| Value::Object(loaded.step(step))).collect())
}

/// A cluster with the profile that the pod asks for.
#[derive(Debug)]
pub(crate) struct Loaded {
    pub(crate) cluster: Cluster,
    pub(crate) profile: Profile,
}

/// Loads a scenario. The pod in question waits, whatever node it names.
pub(crate) fn load(tree: &Node<'_>) -> Result<Loaded, String> {
    let configuration = match tree.get("config") {
        Some(node) if !matches!(node.value, tree::Value::Null) => {
            config::decode(node).map_err(|findings| format!("config: {}", first(&findings)))?
        }
        _ => Configuration::default(),
    };
    let question = ObjectKey::parse(tree.get("pod").and_then(Node::as_str).unwrap_or_default());
    let mut cluster = Cluster::default();
    let mut scheduler_name = None;
    let mut pods = Vec::new();
    for (i, node) in tree.get("objects").map(Node::items).unwrap_or_default().iter().enumerate() {
        match decode(node).map_err(|error| format!("object {i}: {error}"))? {
            Some(Object::Pod(pod)) => pods.push(pod),
            Some(object) => cluster.put(&object),
            None => {}
        }
    }
    for pod in pods {
        if pod.metadata.key() == question {
            scheduler_name = Some(pod.spec.scheduler_name.clone());
            cluster.put_waiting_pod(&pod);
        } else {
            cluster.put_pod(&pod);
        }
    }
    cluster.update_snapshot(Refresh::All);
    Ok(Loaded { cluster, profile: profile(&configuration, scheduler_name.as_deref())? })
}

/// The profile of a name, or the first one.
fn profile(configuration: &Configuration, name: Option<&str>) -> Result<Profile, String> {
    let found = match name {
        None => configuration.profiles.first(),
        Some(name) => configuration.profiles.iter().rfind(|p| p.scheduler_name == name),
    };
    let config = found.ok_or_else(|| {
        format!("profile not found for scheduler name {:?}", name.unwrap_or_default())
    })?;
    Profile::new(config).map_err(|error| error.to_string())
}

/// Kinds that bear only on pods with claims or disks, about which nothing is answered.
const OF_VOLUMES: [&str; 4] =
    ["PersistentVolume", "PersistentVolumeClaim", "StorageClass", "CSINode"];

/// An object; none if it can bear on no answer.
pub(super) fn decode(node: &Node<'_>) -> Result<Option<Object>, String> {
    let decoded = manifest::decode(node, None).map_err(|findings| first(&findings))?;
    match decoded.content {
        Content::Object(object) => Ok(Some(object)),
        Content::Other(other) if OF_VOLUMES.contains(&&*other.kind) => Ok(None),
        Content::Configuration(_) => Err("unsupported object KubeSchedulerConfiguration".into()),
        Content::Other(other) => Err(format!("unsupported object {}", other.kind)),
    }
}

pub(super) fn first(findings: &[Finding]) -> String {
    let error = findings.iter().find(|f| f.severity == manifest::Severity::Error);
    error.or(findings.first()).map(ToString::to_string).unwrap_or_default()
}

impl Loaded {
    fn pod(&self, name: &str) -> Result<PodInfo, String> {
        let idx = self.cluster.pod_named(&ObjectKey::parse(name));
        let pod = idx.and_then(|idx| self.cluster.pod(idx)).cloned();
        pod.ok_or_else(|| format!("no pod {name:?}"))
    }

    /// A pod about which nothing has to be left out.
    fn pod_in_question(&self, name: &str) -> Result<PodInfo, String> {
        let pod = self.pod(name)?;
        match manifest::marks(&pod.pod.spec).first() {
            None => Ok(pod),
            Some(mark) => Err(format!(
                "pod {name:?}: {} is not simulated, which concerns {}",
                mark.as_str(),
                mark.plugins().join(", ")
            )),
        }
    }

    fn step(&mut self, step: &Node<'_>) -> Map<String, Value> {
        let text = |key: &str| step.get(key).and_then(Node::as_str).filter(|s| !s.is_empty());
        let mut answer = Map::new();
        let outcome = if let Some(name) = text("schedule") {
            self.schedule(name, &mut answer)
        } else if let Some(name) = text("delete") {
            let gone = self.cluster.drop_pod(&ObjectKey::parse(name));
            gone.map(drop).ok_or_else(|| format!("no pod {name:?}"))
        } else if let Some(name) = text("dropNode") {
            let gone = self.cluster.drop_node(name);
            gone.map(drop).ok_or_else(|| format!("node {name} is not found"))
        } else if let Some(node) = step.get("node") {
            match decode(node) {
                Ok(Some(object @ Object::Node(_))) => {
                    self.cluster.put(&object);
                    Ok(())
                }
                Ok(_) => Err("not a node".to_owned()),
                Err(error) => Err(error),
            }
        } else {
            Ok(())
        };
        self.cluster.update_snapshot(Refresh::Changed);
        if let Err(error) = outcome {
            answer.insert("error".into(), error.into());
        }
        answer
    }

    /// Schedules a pod and binds it to the first of the best nodes, if any.
    fn schedule(&mut self, name: &str, answer: &mut Map<String, Value>) -> Result<(), String> {
        let pod = self.pod_in_question(name)?;
        let explanation = explain(&mut self.cluster, &self.profile, &pod);
        answer.insert("pod".into(), name.into());
        if let Some(error) = error(&explanation) {
            answer.insert("error".into(), error.clone().into());
        }
        if let Some(gate) = &explanation.pre_enqueue {
            answer.insert("status".into(), json!({ "": status(gate) }));
        }
        let mut all = whole(&explanation);
        for key in ["feasible", "best", "message", "status"] {
            if let Some(value) = all.remove(key) {
                answer.insert(key.into(), value);
            }
        }
        if explanation.feasible.len() > 1 {
            let total =
                |node: &NodeReport| Some((node.name.to_string(), node.scores.as_ref()?.total));
            let totals: BTreeMap<_, _> = explanation.nodes.iter().filter_map(total).collect();
            answer.insert("totals".into(), json!(totals));
        }
        if let Some(node) = explanation.best_names().min() {
            answer.insert("bound".into(), Value::from(&**node));
            let mut bound = (*pod.pod).clone();
            bound.spec.node_name = node.to_string();
            self.cluster.put_pod(&Arc::new(bound));
        }
        Ok(())
    }
}

fn status(status: &Status) -> Value {
    let mut value = Map::new();
    if let Some(plugin) = status.plugin {
        value.insert("plugin".into(), plugin.name().into());
    }
    value.insert("code".into(), status.code.as_str().into());
    if !status.reasons.is_empty() {
        value.insert("reasons".into(), json!(status.reasons));
    }
    Value::Object(value)
}

/// A scenario's answer, without its name; empty parts are left out.
fn whole(explanation: &Explanation) -> Map<String, Value> {
    let mut answer = Map::new();
    let mut put = |key: &str, value: Value| {
        let empty = match &value {
            Value::Array(list) => list.is_empty(),
            Value::Object(map) => map.is_empty(),
            _ => false,
        };
        if !empty {
            answer.insert(key.to_owned(), value);
        }
    };
    if let Some(error) = error(explanation) {
        put("error", error.clone().into());
    }
    if let Some(gate) = &explanation.pre_enqueue {
        put("preEnqueue", status(gate));
        return answer;
    }
    let nodes = &explanation.nodes;
    put("nodeOrder", nodes.iter().map(|node| &*node.name).collect());
    let pre_filter = explanation.pre_filter.iter().filter_map(|found| {
        let bare = Status { plugin: None, ..found.clone() };
        Some((found.plugin?.name().to_owned(), status(&bare)))
    });
    put("preFilter", Value::Object(pre_filter.collect()));
    if let Some(names) = &explanation.node_names {
        put("preFilterNodes", json!(names));
    }
    let rejections = nodes.iter().map(|node| (node.name.to_string(), rejections(node)));
    let rejections = rejections.filter(|(_, map)| !map.is_empty());
    put("filter", Value::Object(rejections.map(|(name, map)| (name, map.into())).collect()));
    let reported = nodes
        .iter()
        .filter_map(|node| Some((node.name.to_string(), status(node.status.as_ref()?))));
    put("status", Value::Object(reported.collect()));
    put("feasible", explanation.feasible_names().map(|name| &**name).collect());
    let skipped = explanation.scorers.iter().filter(|scorer| scorer.skipped);
    put("skippedScore", skipped.map(|scorer| scorer.plugin.name()).collect());
    let scored = nodes.iter().filter_map(|node| Some((node.name.to_string(), scores(node)?)));
    put("scores", Value::Object(scored.collect()));
    let mut best: Vec<&str> = explanation.best_names().map(|name| &**name).collect();
    best.sort_unstable();
    put("best", json!(best));
    let found = preemption(explanation);
    // The oracle asks PostFilter only where that has no effect: not if a victim would go.
    let asked = found.as_ref().is_some_and(|found| found.get("candidates").is_none());
    let head = explanation.filter_message.as_ref().filter(|_| !asked);
    if let Some(found) = found {
        put("preemption", found);
    }
    if let Some(text) = head.or(explanation.message.as_ref()) {
        put("message", text.clone().into());
    }
    answer
}
/// Go's text of what went wrong, in a dry run too.
fn error(explanation: &Explanation) -> Option<&String> {
    explanation.error.as_ref().or_else(|| explanation.preemption()?.error.as_ref())
}

/// What DefaultPreemption finds; its message is that of PostFilter as a whole.
fn preemption(explanation: &Explanation) -> Option<Value> {
    let post_filter = explanation.post_filter.as_ref()?;
    let found = explanation.preemption()?;
    let mut out = Map::new();
    out.insert("eligible".into(), found.ineligible.is_none().into());
    let candidates: Vec<Value> = found.candidates().map(candidate).collect();
    if candidates.is_empty() {
        out.insert("message".into(), post_filter.message.clone().into());
    } else {
        out.insert("candidates".into(), candidates.into());
        let mut picked: Vec<&str> = found.picked().map(|node| &*node.name).collect();
        picked.sort_unstable();
        out.insert("picked".into(), json!(picked));
    }
    let refused = found.nodes.iter();
    let refused: Map<_, _> = refused
        .filter_map(|node| Some((node.name.to_string(), status(node.status.as_ref()?))))
        .collect();
    if !refused.is_empty() {
        out.insert("nodeStatuses".into(), refused.into());
    }
    Some(out.into())
}

fn candidate(node: &PreemptionNode) -> Value {
    let victims: Vec<String> = node.victims().map(|pod| pod.metadata.key().to_string()).collect();
    json!({ "node": &*node.name, "victims": victims, "pdbViolations": node.violations })
}

fn rejections(node: &NodeReport) -> Map<String, Value> {
    let rejected = node.verdicts.iter().filter(|verdict| verdict.code != Code::Success);
    rejected
        .map(|verdict| {
            let bare =
                Status { plugin: None, code: verdict.code, reasons: verdict.reasons.clone() };
            (verdict.plugin.name().to_owned(), status(&bare))
        })
        .collect()
}

fn scores(node: &NodeReport) -> Option<Value> {
    let scores = node.scores.as_ref()?;
    let column = |score: &dyn Fn(&PluginScore) -> i64| -> Value {
        let entries = scores.plugins.iter().map(|p| (p.plugin.name().to_owned(), score(p).into()));
        Value::Object(entries.collect())
    };
    Some(json!({
        "raw": column(&|p| p.raw),
        "normalized": column(&|p| p.normalized),
        "weighted": column(&|p| p.weighted),
        "total": scores.total,
    }))
}

#[cfg(test)]
mod tests;
