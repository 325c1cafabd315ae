//! The input of a history.

use std::collections::BTreeSet;
use std::sync::Arc;

use berth_core::admission::defaults;
use berth_core::api::{Kind, Namespace, Object, ObjectKey, ObjectMeta, Time, WorkloadKind};
use berth_core::framework::config::Configuration;
use berth_core::queue::Instant;
use berth_core::simulation::server::is_namespaced;
use berth_core::simulation::{Command, Kubelet, Parameters, Rule, Simulation, Times};
use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Map, Value, json};

use crate::answer::scenario::{decode, first};
use crate::patch::MergePatch;
use crate::{config, manifest, tree};

/// Second 0: the reference's clock begins ten seconds earlier, with the year 2000.
const EPOCH: Time = Time(946_684_810);
const MILLISECOND: i64 = 1_000_000;

/// A cluster with everything that is to be done to it.
pub(super) struct Input {
    pub(super) name: String,
    pub(super) simulation: Simulation,
    pub(super) until: Instant,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Written<'a> {
    #[serde(default)]
    name: String,
    #[serde(borrow, default)]
    config: Option<&'a RawValue>,
    #[serde(borrow, default)]
    objects: Vec<&'a RawValue>,
    #[serde(borrow, default)]
    actions: Vec<Action<'a>>,
    until: f64,
    #[serde(default)]
    kubelet: WrittenKubelet,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Action<'a> {
    at: f64,
    #[serde(borrow, default)]
    create: Option<&'a RawValue>,
    #[serde(borrow, default)]
    apply: Option<&'a RawValue>,
    #[serde(default)]
    patch: Option<String>,
    #[serde(default)]
    with: Option<Map<String, Value>>,
    #[serde(default)]
    delete: Option<String>,
    #[serde(default)]
    grace_period_seconds: Option<i64>,
    #[serde(default)]
    evict: Option<String>,
    #[serde(default)]
    scale: Option<String>,
    #[serde(default)]
    replicas: Option<i32>,
}

#[derive(Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct WrittenKubelet {
    #[serde(flatten)]
    times: WrittenTimes,
    stagger_seconds: f64,
    rules: Vec<WrittenRule>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct WrittenRule {
    label: String,
    #[serde(flatten)]
    times: WrittenTimes,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct WrittenTimes {
    #[serde(rename = "startSeconds")]
    start: Option<f64>,
    #[serde(rename = "exitSeconds")]
    exit: Option<f64>,
    #[serde(rename = "runSeconds")]
    run: Option<f64>,
}

/// Seconds, to the millisecond, in nanoseconds.
fn nanoseconds(seconds: f64) -> i64 {
    (seconds * 1000.0).round() as i64 * MILLISECOND
}

impl From<WrittenTimes> for Times {
    fn from(written: WrittenTimes) -> Self {
        Self {
            start: written.start.map(nanoseconds),
            exit: written.exit.map(nanoseconds),
            run: written.run.map(nanoseconds),
        }
    }
}

impl From<WrittenKubelet> for Kubelet {
    fn from(written: WrittenKubelet) -> Self {
        let rule = |rule: WrittenRule| {
            let (key, value) = rule.label.split_once('=').unwrap_or((&rule.label, ""));
            Rule { key: key.to_owned(), value: value.to_owned(), times: rule.times.into() }
        };
        Self {
            times: written.times.into(),
            stagger: nanoseconds(written.stagger_seconds),
            rules: written.rules.into_iter().map(rule).collect(),
        }
    }
}

/// Reads an input, and has the simulation at second 0.
pub(super) fn load(text: &str) -> Result<Input, String> {
    let written: Written<'_> =
        serde_json::from_str(text).map_err(|error| format!("bad input: {error}"))?;
    if !(written.until > 0.0 && written.until <= 86_400.0) {
        return Err("until must be between 0 and 86400 seconds".to_owned());
    }
    let configuration = match written.config.filter(|config| config.get() != "null") {
        Some(config) => {
            let tree = tree::json::parse(config.get()).map_err(|error| error.message)?;
            config::decode(&tree).map_err(|findings| format!("config: {}", first(&findings)))?
        }
        None => Configuration::default(),
    };
    let mut objects = Vec::new();
    for (place, object) in written.objects.iter().enumerate() {
        objects.extend(parse(object.get()).map_err(|error| format!("object {place}: {error}"))?);
    }
    let until = Instant(nanoseconds(written.until));
    let mut commands = Vec::new();
    for action in written.actions {
        let at = Instant(nanoseconds(action.at));
        if at <= until {
            commands.push((at, command(action).map_err(|error| format!("action: {error}"))?));
        }
    }
    commands.sort_by_key(|(at, _)| *at);
    add_namespaces(&mut objects, &commands);
    let parameters =
        Parameters { epoch: EPOCH, kubelet: written.kubelet.into(), ..Parameters::default() };
    let mut simulation = Simulation::new(objects, &configuration, parameters)
        .map_err(|error| format!("config: {error}"))?;
    let mut last = Instant(i64::MIN);
    for (at, command) in commands {
        // Requests are sent one after the other.
        last = at.max(last.after(1));
        simulation.plan(last, command);
    }
    Ok(Input { name: written.name, simulation, until })
}

fn parse(text: &str) -> Result<Option<Object>, String> {
    let tree = tree::json::parse(text).map_err(|error| error.message)?;
    let mut object = decode(&tree)?;
    if let Some(object) = &mut object {
        manifest::note_template(object, &tree);
    }
    Ok(object)
}

fn command(action: Action<'_>) -> Result<Command, String> {
    let grace_period_seconds = action.grace_period_seconds;
    let object = |text: &RawValue| {
        parse(text.get())?.ok_or_else(|| "an object that is not simulated".to_owned())
    };
    if let Some(text) = action.create {
        return Ok(Command::Create(object(text)?));
    }
    if let Some(text) = action.apply {
        return Ok(Command::Apply(object(text)?));
    }
    if let Some(name) = action.patch {
        let (kind, key) = resolve(&name)?;
        let patch = Arc::new(MergePatch::from(action.with.unwrap_or_default()));
        return Ok(Command::Patch { kind, key, patch });
    }
    if let Some(name) = action.delete {
        let (kind, key) = resolve(&name)?;
        return Ok(Command::Delete { kind, key, grace_period_seconds });
    }
    if let Some(name) = action.evict {
        return Ok(Command::Evict { key: resolve(&name)?.1, grace_period_seconds });
    }
    if let Some(name) = action.scale {
        let (kind, key) = resolve(&name)?;
        let replicas = json!({ "replicas": action.replicas.unwrap_or(0) });
        let patch = Arc::new(MergePatch::from(Map::from_iter([("spec".to_owned(), replicas)])));
        return Ok(Command::Patch { kind, key, patch });
    }
    Err("an action that does nothing".to_owned())
}

/// An object by `Kind/namespace/name`, or by `Kind/name` in the default namespace or in none.
fn resolve(name: &str) -> Result<(Kind, ObjectKey), String> {
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

fn kind(word: &str) -> Option<Kind> {
    const PLAIN: [Kind; 6] = [
        Kind::Pod,
        Kind::Node,
        Kind::Namespace,
        Kind::PriorityClass,
        Kind::PodDisruptionBudget,
        Kind::Service,
    ];
    let workloads = WorkloadKind::ALL.iter().map(|kind| Kind::Workload(*kind));
    PLAIN.into_iter().chain(workloads).find(|kind| kind.as_str() == word)
}

/// Adds the namespaces of objects that are created later: they are there from the start.
fn add_namespaces(objects: &mut Vec<Object>, commands: &[(Instant, Command)]) {
    let mut known: BTreeSet<String> = BTreeSet::new();
    for object in &*objects {
        let metadata = object.metadata();
        let name =
            if object.kind() == Kind::Namespace { &metadata.name } else { &metadata.namespace };
        known.insert(name.clone());
    }
    for (_, command) in commands {
        let (Command::Create(object) | Command::Apply(object)) = command else { continue };
        let name = &object.metadata().namespace;
        if is_namespaced(object.kind())
            && !["", "default", "kube-system"].contains(&&**name)
            && known.insert(name.clone())
        {
            let metadata = ObjectMeta { name: name.clone(), ..ObjectMeta::default() };
            let mut namespace = Namespace { metadata };
            defaults::namespace(&mut namespace);
            objects.push(Object::Namespace(Arc::new(namespace)));
        }
    }
}
