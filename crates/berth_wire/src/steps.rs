//! What is done to a simulated cluster, and how long things take there, as it is written.
//!
//! docs/simulation.md describes the form. The conformance corpus has the same requests in JSON.

mod expect;
mod pressure;
mod probe;
mod times;

use std::sync::Arc;

use berth_core::api::{Kind, Object, ObjectKey, WorkloadKind};
use berth_core::queue::Instant;
use berth_core::simulation::server::is_namespaced;
use berth_core::simulation::{Command, Kubelet};
use serde::Deserialize;
use serde_json::{Map, Value, json};

use crate::manifest::{Content, Finding, decode, note_template};
use crate::patch::MergePatch;
use crate::tree::{self, write};

pub use expect::Expectation;
use expect::WrittenExpectation;
use pressure::{WrittenEviction, WrittenUsage, usage};
use probe::{Probes, probe};
pub(crate) use times::nanoseconds;
pub use times::parse_time;
use times::seconds;
use times::{WrittenRule, WrittenTimes};

/// Steps, in order of time, and the kubelets that they are for.
#[derive(Clone, Debug, Default)]
pub struct Steps {
    /// How long pods take.
    pub kubelet: Kubelet,
    /// What is done, and when.
    pub commands: Vec<(Instant, Command)>,
    /// What is expected, and when.
    pub expectations: Vec<Expectation>,
}

#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct WrittenSteps {
    kubelet: WrittenKubelet,
    steps: Vec<Value>,
}

/// A request with its time. Exactly one verb is given.
#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "camelCase")]
pub(crate) struct Step {
    #[serde(deserialize_with = "seconds")]
    pub(crate) at: i64,
    create: Option<Value>,
    apply: Option<Value>,
    patch: Option<String>,
    with: Option<Map<String, Value>>,
    delete: Option<String>,
    grace_period_seconds: Option<i64>,
    evict: Option<String>,
    scale: Option<String>,
    replicas: Option<i32>,
    cordon: Option<String>,
    uncordon: Option<String>,
    drain: Option<String>,
    taint: Option<String>,
    taints: Option<Vec<Value>>,
    down: Option<String>,
    up: Option<String>,
    usage: Option<String>,
    memory: Option<Value>,
    disk: Option<Value>,
    logs: Option<Value>,
    inodes: Option<Value>,
    processes: Option<Value>,
    probe: Option<String>,
    container: Option<String>,
    fails: Option<Probes>,
    passes: Option<Probes>,
}

#[derive(Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(crate) struct WrittenKubelet {
    #[serde(flatten)]
    times: WrittenTimes,
    stagger_seconds: f64,
    rules: Vec<WrittenRule>,
    #[serde(flatten)]
    eviction: WrittenEviction,
}

impl TryFrom<WrittenKubelet> for Kubelet {
    type Error = String;

    fn try_from(written: WrittenKubelet) -> Result<Self, String> {
        Ok(Self {
            eviction: written.eviction.settings()?,
            times: written.times.into(),
            stagger: nanoseconds(written.stagger_seconds),
            rules: written.rules.into_iter().map(Into::into).collect(),
            ..Self::default()
        })
    }
}

impl Steps {
    /// Reads steps from YAML or JSON.
    pub fn parse(name: &str, text: &str) -> Result<Self, String> {
        let node = tree::yaml::parse(text).map_err(|error| format!("{name}: {error}"))?;
        let written: WrittenSteps = serde_json::from_str(&write::json(&node))
            .map_err(|error| format!("{name}: {error}"))?;
        let (mut commands, mut expectations) = (Vec::new(), Vec::new());
        for (number, step) in written.steps.into_iter().enumerate() {
            let error = |error| format!("{name}: step {}: {error}", number + 1);
            if step.get("expect").is_some() {
                let written: WrittenExpectation =
                    serde_json::from_value(step).map_err(|wrong| error(wrong.to_string()))?;
                expectations.push(Expectation::new(written).map_err(error)?);
                continue;
            }
            let step: Step =
                serde_json::from_value(step).map_err(|wrong| error(wrong.to_string()))?;
            commands.push((Instant(step.at), step.command().map_err(error)?));
        }
        commands.sort_by_key(|(at, _)| *at);
        expectations.sort_by_key(|expectation| expectation.at);
        let kubelet =
            written.kubelet.try_into().map_err(|error| format!("{name}: kubelet: {error}"))?;
        Ok(Self { kubelet, commands, expectations })
    }
}

impl Step {
    /// The request.
    pub(crate) fn command(self) -> Result<Command, String> {
        let mut found = self.verbs();
        match (found.next(), found.next()) {
            (Some(_), None) => {}
            (None, _) => return Err("an action that does nothing".to_owned()),
            (Some(one), Some(other)) => return Err(format!("both {one} and {other}")),
        }
        drop(found);
        let grace_period_seconds = self.grace_period_seconds;
        if let Some(object) = self.create {
            return Ok(Command::Create(parse_object(&object)?));
        }
        if let Some(object) = self.apply {
            return Ok(Command::Apply(parse_object(&object)?));
        }
        if let Some(name) = self.patch {
            return Ok(patch(resolve(&name)?, self.with.unwrap_or_default()));
        }
        if let Some(name) = self.delete {
            let (kind, key) = resolve(&name)?;
            return Ok(Command::Delete { kind, key, grace_period_seconds });
        }
        if let Some(name) = self.evict {
            return Ok(Command::Evict { key: resolve(&name)?.1, grace_period_seconds });
        }
        if let Some(name) = self.scale {
            let replicas = json!({ "replicas": self.replicas.unwrap_or(0) });
            return Ok(patch(resolve(&name)?, of_spec(replicas)));
        }
        if let Some(name) = self.cordon {
            return Ok(patch(node(&name), of_spec(json!({ "unschedulable": true }))));
        }
        if let Some(name) = self.uncordon {
            return Ok(patch(node(&name), of_spec(json!({ "unschedulable": null }))));
        }
        if let Some(name) = self.taint {
            let taints = self.taints.unwrap_or_default();
            return Ok(patch(node(&name), of_spec(json!({ "taints": taints }))));
        }
        if let Some(name) = self.drain {
            return Ok(Command::Drain { node: bare(&name), grace_period_seconds });
        }
        if let Some(of) = self.usage {
            let (memory, disk, logs) = (self.memory, self.disk, self.logs);
            let (inodes, processes) = (self.inodes, self.processes);
            return usage(&of, &WrittenUsage { memory, disk, logs, inodes, processes });
        }
        if let Some(of) = self.probe {
            return probe(&of, self.container, self.fails, self.passes);
        }
        let name = |name: Option<String>| name.map(|name| bare(&name)).unwrap_or_default();
        Ok(if self.down.is_some() {
            Command::NodeDown(name(self.down))
        } else {
            Command::NodeUp(name(self.up))
        })
    }

    fn verbs(&self) -> impl Iterator<Item = &'static str> + use<> {
        [
            ("create", self.create.is_some()),
            ("apply", self.apply.is_some()),
            ("patch", self.patch.is_some()),
            ("delete", self.delete.is_some()),
            ("evict", self.evict.is_some()),
            ("scale", self.scale.is_some()),
            ("cordon", self.cordon.is_some()),
            ("uncordon", self.uncordon.is_some()),
            ("taint", self.taint.is_some()),
            ("drain", self.drain.is_some()),
            ("down", self.down.is_some()),
            ("up", self.up.is_some()),
            ("usage", self.usage.is_some()),
            ("probe", self.probe.is_some()),
        ]
        .into_iter()
        .filter_map(|(verb, given)| given.then_some(verb))
    }
}

fn patch((kind, key): (Kind, ObjectKey), with: Map<String, Value>) -> Command {
    Command::Patch { kind, key, patch: Arc::new(MergePatch::from(with)) }
}

fn of_spec(spec: Value) -> Map<String, Value> {
    Map::from_iter([("spec".to_owned(), spec)])
}

/// A node by its name alone, or as `node/NAME`.
fn node(name: &str) -> (Kind, ObjectKey) {
    (Kind::Node, ObjectKey::new("", bare(name)))
}

fn bare(name: &str) -> String {
    name.rsplit_once('/').map_or(name, |(_, name)| name).to_owned()
}

/// An object of a kind that is simulated.
fn parse_object(object: &Value) -> Result<Object, String> {
    let text = object.to_string();
    let tree = tree::json::parse(&text).map_err(|error| error.message)?;
    match decode(&tree, None) {
        Ok(decoded) => match decoded.content {
            Content::Object(mut object) => {
                note_template(&mut object, &tree);
                Ok(object)
            }
            Content::Other(other) => Err(format!("{} is not simulated", other.kind)),
            Content::Configuration(_) => Err("a configuration is no object".to_owned()),
        },
        Err(findings) => Err(Finding::fault(findings.iter())
            .or_else(|| findings.first())
            .map(|finding| finding.message.clone())
            .unwrap_or_default()),
    }
}

/// An object by `KIND/NAMESPACE/NAME`, or by `KIND/NAME` in the default namespace or in none. Kinds may be written as
/// `kubectl` takes them: in small letters, in the plural, or by their short names.
pub(crate) fn resolve(name: &str) -> Result<(Kind, ObjectKey), String> {
    let mut parts = name.split('/');
    let unknown = || format!("no such object {name:?}");
    let kind = kind(parts.next().unwrap_or_default()).ok_or_else(unknown)?;
    let (namespace, name) = match (parts.next(), parts.next(), parts.next()) {
        (Some(name), None, None) => ("default", name),
        (Some(namespace), Some(name), None) => (namespace, name),
        _ => return Err(unknown()),
    };
    let namespace = if is_namespaced(kind) { namespace } else { "" };
    Ok((kind, ObjectKey::new(namespace, name)))
}

/// Every kind that can be named, with its plural's ending and its short name.
const KINDS: [(Kind, &str, &str); 12] = [
    (Kind::Pod, "s", "po"),
    (Kind::Node, "s", "no"),
    (Kind::Namespace, "s", "ns"),
    (Kind::PriorityClass, "es", "pc"),
    (Kind::PodDisruptionBudget, "s", "pdb"),
    (Kind::Service, "s", "svc"),
    (Kind::Workload(WorkloadKind::Deployment), "s", "deploy"),
    (Kind::Workload(WorkloadKind::ReplicaSet), "s", "rs"),
    (Kind::Workload(WorkloadKind::ReplicationController), "s", "rc"),
    (Kind::Workload(WorkloadKind::StatefulSet), "s", "sts"),
    (Kind::Workload(WorkloadKind::DaemonSet), "s", "ds"),
    (Kind::Workload(WorkloadKind::Job), "s", "job"),
];

fn kind(word: &str) -> Option<Kind> {
    let word = word.to_ascii_lowercase();
    let is_meant = |(kind, plural, short): &&(Kind, &str, &str)| {
        let name = kind.as_str().to_ascii_lowercase();
        word == name || word == *short || word == format!("{name}{plural}")
    };
    KINDS.iter().find(is_meant).map(|(kind, ..)| *kind)
}

#[cfg(test)]
mod tests {
    use berth_core::api::ProbeKind;
    use berth_core::simulation::{Pods, UsageOf};

    use super::times::MILLISECOND;
    use super::*;

    #[test]
    fn kubectls_words() {
        for (name, kind, key) in [
            ("Pod/default/a", Kind::Pod, "default/a"),
            ("pod/a", Kind::Pod, "default/a"),
            ("po/shop/a", Kind::Pod, "shop/a"),
            ("node/n1", Kind::Node, "n1"),
            ("deployments/web", Kind::Workload(WorkloadKind::Deployment), "default/web"),
            ("deploy/web", Kind::Workload(WorkloadKind::Deployment), "default/web"),
            ("priorityclasses/high", Kind::PriorityClass, "high"),
        ] {
            assert_eq!(resolve(name), Ok((kind, ObjectKey::parse(key))), "{name}");
        }
        for name in ["", "pod", "pod/a/b/c", "thing/a"] {
            assert!(resolve(name).is_err(), "{name}");
        }
    }

    #[test]
    fn steps_come_in_order_of_time() {
        let text = "\
kubelet: {startSeconds: 2, rules: [{label: app=web, exitSeconds: 10}]}
steps:
- {at: 1m30s, drain: n1}
- {at: 5, scale: deploy/web, replicas: 3}
- {at: 0.5s, delete: pod/a, gracePeriodSeconds: 0}
- {at: 7, taint: node/n1, taints: [{key: a, effect: NoExecute}]}
";
        let steps = Steps::parse("steps.yaml", text).expect("they are good");
        let times: Vec<i64> = steps.commands.iter().map(|(at, _)| at.0 / MILLISECOND).collect();
        assert_eq!(times, [500, 5_000, 7_000, 90_000]);
        assert_eq!(steps.kubelet.times.start(), 2_000 * MILLISECOND);
        assert!(matches!(&steps.commands[3].1, Command::Drain { node, .. } if node == "n1"));
        let of = |text: &str| match &Steps::parse("steps", text).expect(text).commands[0].1 {
            Command::Usage { of, usage } => (of.clone(), usage.memory),
            other => panic!("{other:?}"),
        };
        let node = UsageOf::Node("n1".to_owned());
        assert_eq!(of("steps: [{at: 1, usage: n1, memory: 1Ki}]"), (node, Some(1024)));
        let label = UsageOf::Label("app".to_owned(), "web".to_owned());
        assert_eq!(of("steps: [{at: 1, usage: app=web, memory: 7}]"), (label, Some(7)));
        let pod = UsageOf::Pod(ObjectKey::new("default", "a"));
        assert_eq!(of("steps: [{at: 1, usage: pod/a}]"), (pod, None));
    }

    #[test]
    fn probes_fail_and_pass() {
        let of = |text: &str| match &Steps::parse("steps", text).expect(text).commands[0].1 {
            Command::Probe { of, container, probe, fails } => {
                (of.clone(), container.clone(), *probe, *fails)
            }
            other => panic!("{other:?}"),
        };
        let pod = Pods::One(ObjectKey::new("default", "a"));
        let written = "steps: [{at: 1, probe: pod/a, fails: liveness}]";
        assert_eq!(of(written), (pod, None, ProbeKind::Liveness, true));
        let label = Pods::Label("app".to_owned(), "web".to_owned());
        let written = "steps: [{at: 1, probe: app=web, container: main, passes: readiness}]";
        assert_eq!(of(written), (label, Some("main".to_owned()), ProbeKind::Readiness, false));
    }

    #[test]
    fn what_is_wrong_is_said() {
        for (text, words) in [
            ("steps: [{at: 1}]", "step 1: an action that does nothing"),
            ("steps: [{at: 1, probe: pod/a}]", "step 1: a probe either fails or passes"),
            ("steps: [{at: 1, probe: n/a, fails: startup}]", "step 1: no such object"),
            ("steps: [{at: 1, probe: no/a, fails: startup}]", "step 1: no/a has no probes"),
            ("steps: [{at: 1, up: a, down: a}]", "step 1: both down and up"),
            ("steps: [{at: 1, delete: thing/a}]", "step 1: no such object \"thing/a\""),
            ("steps: [{at: soon, up: a}]", "soon"),
            ("steps: [{at: 1, lift: a}]", "unknown field `lift`"),
            ("steps: [{at: 1, create: {kind: Pod}}]", "step 1: "),
            ("steps: [{at: 1, usage: svc/a}]", "step 1: svc/a uses nothing"),
            ("steps: [{at: 1, usage: n1, memory: lots}]", "step 1: \"lots\""),
            ("kubelet: {evictionHard: {cpu: 1}}", "invalid type"),
            ("kubelet: {evictionHard: {cpu: '1'}}", "kubelet: no such eviction signal"),
            ("steps: [{at: 1, expect: node/a, phase: Running}]", "step 1: node/a is no pod"),
            ("steps: [{at: 1, expect: pod/a, ready: 3}]", "step 1: ready is true or false"),
            ("steps: [{at: 1, expect: pod/a, colour: red}]", "step 1: unknown field `colour`"),
        ] {
            let error = Steps::parse("s", text).expect_err(text);
            assert!(error.starts_with("s: ") && error.contains(words), "{text}: {error}");
        }
    }
}
