//! A lesson in time as a question for the reference.

use berth_core::api::{Kind, Object};
use berth_core::queue::time::SECOND;
use serde_json::{Map, Value, json};

use super::{Request, Unbegun, course};
use crate::lesson::{Lesson, Step};
use crate::manifest::Report;
use crate::steps::resolve;

impl Lesson {
    /// What `oracle history` is asked about the start, or about the solution. None if the lesson is not in time; an error
    /// for what the reference has no actor for.
    pub fn question(&self, report: &Report, solved: bool) -> Option<Result<Value, String>> {
        let time = self.time.as_ref()?;
        let requests = time.requests(solved);
        let actions: Result<Vec<Value>, String> = requests.into_iter().map(action).collect();
        let ask = |actions: Vec<Value>| {
            let (objects, _) = course::start(report, self.before(solved))?;
            let text = |now: &Object| of_text(&course::written(report, now));
            let mut input = json!({
                "name": self.history_name(solved),
                "objects": objects.iter().map(text).collect::<Vec<Value>>(),
                "until": seconds(time.until.0),
                "kubelet": of_text(&time.kubelet_text),
            });
            // The reference says nothing of a list that is empty.
            if !actions.is_empty() {
                input["actions"] = Value::Array(actions);
            }
            if let Some(configuration) = &report.configuration_text {
                input["config"] = of_text(configuration);
            }
            Ok(input)
        };
        Some(actions.and_then(|actions| ask(actions).map_err(|error: Unbegun| error.to_string())))
    }

    /// What is done on the board before time begins.
    pub(super) fn before(&self, solved: bool) -> &[Step] {
        if solved { &self.solution } else { &[] }
    }

    fn history_name(&self, solved: bool) -> String {
        format!("{} {}", self.id, if solved { "solution" } else { "start" })
    }
}

fn of_text(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_default()
}

fn seconds(nanoseconds: i64) -> Value {
    let whole = nanoseconds / SECOND;
    if whole * SECOND == nanoseconds { whole.into() } else { (nanoseconds as f64 / 1e9).into() }
}

/// A request as the reference takes it.
fn action(request: &Request) -> Result<Value, String> {
    let mut written: Map<String, Value> = serde_json::from_str(&request.text).unwrap_or_default();
    written.insert("at".to_owned(), seconds(request.at.0));
    for verb in ["down", "up", "drain", "usage"] {
        if written.contains_key(verb) {
            return Err(format!("the reference knows no {verb}"));
        }
    }
    for verb in ["patch", "delete", "evict", "scale"] {
        if let Some(Value::String(name)) = written.get_mut(verb) {
            let (kind, key) = resolve(name)?;
            *name = format!("{}/{key}", kind.as_str());
        }
    }
    for (verb, field) in [("cordon", json!(true)), ("uncordon", json!(null))] {
        if let Some(Value::String(node)) = written.remove(verb) {
            change(&mut written, &node, "unschedulable", &field);
        }
    }
    if let Some(Value::String(node)) = written.remove("taint") {
        let taints = written.remove("taints").unwrap_or_else(|| json!([]));
        change(&mut written, &node, "taints", &taints);
    }
    Ok(Value::Object(written))
}

fn change(written: &mut Map<String, Value>, node: &str, field: &str, value: &Value) {
    let name = node.rsplit('/').next().unwrap_or_default();
    written.insert("patch".to_owned(), format!("{}/{name}", Kind::Node.as_str()).into());
    written.insert("with".to_owned(), json!({ "spec": { field: value } }));
}
