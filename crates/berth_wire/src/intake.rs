//! From what came in to what the engine works on.
//!
//! The answers to scenarios take objects as they are; the page and `berth explain` do what a cluster would have done
//! by now: workloads have their pods, and pods have their priority.

use std::sync::Arc;

use berth_core::admission::{forbidden, priority};
use berth_core::api::{Object, ObjectKey, Pod, PriorityClass};
use berth_core::collections::Index;
use berth_core::controllers::{Expansion, Line, Refusal, expand};

use crate::manifest::{Report, id};

/// The objects of an input, ready to be scheduled.
#[derive(Clone, Debug, Default)]
pub struct Intake {
    /// The objects of the input in their order, then those that workloads made.
    pub objects: Vec<Object>,
    /// How many of them came in.
    pub given: usize,
    /// What became of the workloads.
    pub lines: Vec<Line>,
    /// Pods that the API server would refuse. They wait or run all the same, with priority 0.
    pub refused: Vec<RefusedPod>,
}

/// A pod that the API server would refuse.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RefusedPod {
    /// The pod.
    pub pod: ObjectKey,
    /// The API server's words.
    pub words: String,
}

/// The seed that names follow from unless somebody asks for others.
pub const SEED: u64 = 0;

/// Expands the workloads of an input and gives its pods their priority. Names and hashes follow from the seed.
pub fn take_in(report: &Report, seed: u64) -> Intake {
    let mut objects: Vec<Object> = report.items.iter().map(|item| item.object.clone()).collect();
    let given = objects.len();
    let Expansion { created, adopted, lines } = expand(&objects, seed);
    if !adopted.is_empty() {
        let mut places = Index::default();
        for (place, object) in objects.iter().enumerate() {
            places.insert(id(object).into(), place as u32);
        }
        for new in adopted {
            let place = places.get(&id(&new));
            if let Some(old) = place.and_then(|place| objects.get_mut(place as usize)) {
                *old = new;
            }
        }
    }
    objects.extend(created);
    let refused = admit(&mut objects);
    Intake { objects, given, lines, refused }
}

/// Gives every pod without a priority the one of its class.
fn admit(objects: &mut [Object]) -> Vec<RefusedPod> {
    let given = objects.iter().filter_map(|object| match object {
        Object::PriorityClass(class) => Some(Arc::clone(class)),
        _ => None,
    });
    // Every cluster has the system's; what came in goes first.
    let classes: Vec<Arc<PriorityClass>> =
        given.chain(priority::system_classes().map(Arc::new)).collect();
    let mut refused = Vec::new();
    for object in objects {
        if let Object::Pod(pod) = object
            && pod.spec.priority.is_none()
            && let Err(words) = admit_pod(Arc::make_mut(pod), &classes)
        {
            refused.push(RefusedPod { pod: pod.metadata.key(), words });
        }
    }
    refused
}

/// Gives a pod the priority of its class, or says in the API server's words why it is refused.
pub fn admit_pod(pod: &mut Pod, classes: &[Arc<PriorityClass>]) -> Result<(), String> {
    priority::admit(&mut pod.spec, classes.iter().map(|class| &**class))
        .map_err(|error| forbidden("pods", &pod.metadata.name, &error))
}

/// A line about a workload, for people: `Deployment default/web: adopted 5, created 0`.
pub fn describe(line: &Line) -> String {
    let mut text = format!("{} {}: ", line.kind, line.key);
    let outcome = match &line.refused {
        None => format!("adopted {}, created {}", line.adopted, line.created),
        Some(Refusal::Selector(error)) => {
            format!("makes no pods: its selector is not valid: {error}")
        }
        Some(Refusal::Template) => {
            "makes no pods: `selector` does not match template `labels`".to_owned()
        }
        Some(Refusal::TooMany) => {
            format!("adopted {}, and makes no pods: it asks for too many", line.adopted)
        }
    };
    text += &outcome;
    if line.excess > 0 {
        text += ", ";
        text += &line.excess.to_string();
        text += " more than it wants";
    }
    text
}

#[cfg(test)]
mod tests;
