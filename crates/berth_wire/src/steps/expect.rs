//! What is expected of a simulated cluster at a time.

use berth_core::api::{Condition, Kind, ObjectKey, Pod, Workload};
use berth_core::queue::Instant;
use berth_core::simulation::Simulation;
use serde::Deserialize;
use serde_json::{Value, json};

use super::{resolve, seconds};

/// Something that is expected at a time, after everything that happens then.
#[derive(Clone, Debug)]
pub struct Expectation {
    /// When.
    pub at: Instant,
    /// What it is about, as it was written.
    pub name: String,
    of: Of,
    wants: Wants,
}

/// What an expectation is about.
#[derive(Clone, Debug)]
enum Of {
    Object(Kind, ObjectKey),
    /// All pods with a label.
    Label(String, String),
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "camelCase")]
pub(super) struct WrittenExpectation {
    #[serde(deserialize_with = "seconds")]
    at: i64,
    expect: String,
    phase: Option<String>,
    node: Option<String>,
    nominated: Option<String>,
    ready: Option<Value>,
    replicas: Option<i32>,
    condition: Option<String>,
    exists: Option<bool>,
    count: Option<usize>,
}

type Wants = WrittenExpectation;

impl Expectation {
    pub(super) fn new(written: WrittenExpectation) -> Result<Self, String> {
        let of = match written.expect.split_once('=') {
            Some((key, value)) => Of::Label(key.to_owned(), value.to_owned()),
            None => resolve(&written.expect).map(|(kind, key)| Of::Object(kind, key))?,
        };
        let is_of_pods = matches!(of, Of::Label(..) | Of::Object(Kind::Pod, _));
        let is_of_workload = matches!(of, Of::Object(Kind::Workload(_), _));
        let about_pods =
            [&written.phase, &written.node, &written.nominated].iter().any(|word| word.is_some());
        if about_pods && !is_of_pods {
            return Err(format!("{} is no pod", written.expect));
        }
        let is_good = match &written.ready {
            None => true,
            Some(Value::Bool(_)) => is_of_pods,
            Some(ready) => is_of_workload && ready.is_i64(),
        };
        if !is_good {
            return Err("ready is true or false of pods, and a number of workloads".to_owned());
        }
        if written.replicas.is_some() && !is_of_workload {
            return Err(format!("{} has no replicas", written.expect));
        }
        if written.count.is_some() && !matches!(of, Of::Label(..)) {
            return Err("a count is of pods with a label".to_owned());
        }
        let is_of_others = !is_of_pods && !is_of_workload;
        if written.condition.is_some() && is_of_others {
            return Err(format!("the conditions of {} are not known", written.expect));
        }
        Ok(Self { at: Instant(written.at), name: written.expect.clone(), of, wants: written })
    }

    /// The form for programs, with what came of it.
    pub fn to_json(&self, outcome: &Result<(), String>) -> Value {
        let t = self.at.0 as f64 / 1e9;
        match outcome {
            Ok(()) => json!({ "t": t, "expect": self.name, "met": true }),
            Err(error) => json!({ "t": t, "expect": self.name, "met": false, "message": error }),
        }
    }

    /// What is otherwise, if something is.
    pub fn check(&self, simulation: &Simulation) -> Result<(), String> {
        match &self.of {
            Of::Object(kind, key) => self.check_object(*kind, key, simulation),
            Of::Label(key, value) => self.check_label(key, value, simulation),
        }
    }

    fn check_object(
        &self,
        kind: Kind,
        key: &ObjectKey,
        simulation: &Simulation,
    ) -> Result<(), String> {
        let objects = simulation.objects();
        let exists = objects.get(kind, key).is_some();
        match (exists, self.wants.exists) {
            (false, Some(false)) => return Ok(()),
            (false, _) => return Err("it is not there".to_owned()),
            (true, Some(false)) => return Err("it is there".to_owned()),
            (true, _) => {}
        }
        if let Some(pod) = objects.pod(key).filter(|_| kind == Kind::Pod) {
            return self.check_pod(pod);
        }
        if let Kind::Workload(kind) = kind
            && let Some(workload) = objects.workload(kind, key)
        {
            return self.check_workload(workload);
        }
        Ok(())
    }

    fn check_pod(&self, pod: &Pod) -> Result<(), String> {
        let wants = &self.wants;
        same("phase", wants.phase.as_deref(), pod.status.phase.as_str())?;
        same("node", wants.node.as_deref(), &pod.spec.node_name)?;
        same("nominated node", wants.nominated.as_deref(), &pod.status.nominated_node_name)?;
        let ready = wants.ready.as_ref().map(ToString::to_string);
        same("ready", ready.as_deref(), &pod.is_ready().to_string())?;
        self.check_condition(&pod.status.conditions)
    }

    fn check_workload(&self, workload: &Workload) -> Result<(), String> {
        let wants = &self.wants;
        let ready = wants.ready.as_ref().map(ToString::to_string);
        same("ready", ready.as_deref(), &workload.status.ready_replicas.to_string())?;
        let replicas = wants.replicas.map(|replicas| replicas.to_string());
        same("replicas", replicas.as_deref(), &workload.status.replicas.to_string())?;
        self.check_condition(&workload.status.conditions)
    }

    fn check_condition(&self, conditions: &[Condition]) -> Result<(), String> {
        let Some(kind) = &self.wants.condition else { return Ok(()) };
        match Condition::find(conditions, kind) {
            Some(known) if known.status == "True" => Ok(()),
            Some(known) => Err(format!("condition {kind} is {:?}", known.status)),
            None => Err(format!("it has no condition {kind}")),
        }
    }

    fn check_label(&self, key: &str, value: &str, simulation: &Simulation) -> Result<(), String> {
        let has_label =
            |pod: &&std::sync::Arc<Pod>| pod.metadata.labels.get(key).is_some_and(|v| v == value);
        let pods: Vec<_> = simulation.objects().pods().filter(has_label).collect();
        let failures = pods.iter().filter_map(|pod| {
            self.check_pod(pod).err().map(|error| format!("{}: {error}", pod.metadata.name))
        });
        let failures: Vec<String> = failures.collect();
        if let Some(count) = self.wants.count {
            let met = pods.len() - failures.len();
            return if met == count { Ok(()) } else { Err(format!("{met} pods, not {count}")) };
        }
        match (self.wants.exists, pods.is_empty()) {
            (Some(false), true) => Ok(()),
            (Some(false), false) => Err(format!("there are {}", pods.len())),
            (_, true) => Err("there is none".to_owned()),
            (_, false) => failures.into_iter().next().map_or(Ok(()), Err),
        }
    }
}

fn same(what: &str, wanted: Option<&str>, found: &str) -> Result<(), String> {
    match wanted {
        Some(wanted) if wanted != found => Err(format!("{what} is {found:?}, not {wanted:?}")),
        _ => Ok(()),
    }
}
