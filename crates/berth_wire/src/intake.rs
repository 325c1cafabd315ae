//! From what came in to what the engine works on.
//!
//! The answers to scenarios take objects as they are; the page and `berth explain` do what a cluster would have done
//! by now: workloads have their pods, and pods have their priority.

use std::sync::Arc;

use berth_core::admission::{forbidden, priority};
use berth_core::api::{Object, ObjectKey, Pod, PriorityClass};
use berth_core::controllers::{Expander, Expansion, Line, Refusal};

use crate::manifest::{Complaint, Report, id, places};

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
    let mut taking = Taking::new(report, seed);
    while taking.step(usize::MAX) {}
    taking.finish()
}

/// An intake in the making, for those who cannot wait for it.
#[derive(Debug)]
pub struct Taking {
    intake: Intake,
    /// Workloads are expanded first.
    expander: Option<Expander>,
    /// Pods get their priority from these then.
    classes: Vec<Arc<PriorityClass>>,
    /// How many objects were looked at for that.
    admitted: usize,
}

impl Taking {
    /// Nothing is done yet.
    pub fn new(report: &Report, seed: u64) -> Self {
        let objects: Vec<Object> = report.items.iter().map(|item| item.object.clone()).collect();
        let expander = Some(Expander::new(&objects, seed));
        let intake = Intake { given: objects.len(), objects, ..Intake::default() };
        Self { intake, expander, classes: Vec::new(), admitted: 0 }
    }

    /// Looks at so many objects at most. Returns whether there is more to do.
    pub fn step(&mut self, most: usize) -> bool {
        let Self { intake, expander, classes, admitted } = self;
        if let Some(expanding) = expander
            && expanding.step(&intake.objects, most)
        {
            return true;
        }
        if let Some(expander) = expander.take() {
            let expansion = expander.finish(&intake.objects);
            intake.add(expansion);
            *classes = known_classes(&intake.objects);
            return true;
        }
        let left = intake.objects.get_mut(*admitted..).unwrap_or_default();
        for object in left.iter_mut().take(most) {
            *admitted += 1;
            intake.refused.extend(admit(object, classes));
        }
        *admitted < intake.objects.len()
    }

    /// The objects, after all that is still to be done.
    pub fn finish(mut self) -> Intake {
        while self.step(usize::MAX) {}
        self.intake
    }
}

impl Intake {
    /// Takes what workloads made.
    fn add(&mut self, expansion: Expansion) {
        let Expansion { created, adopted, lines } = expansion;
        if !adopted.is_empty() {
            let places = places(self.objects.iter());
            for new in adopted {
                let place = places.get(&id(&new));
                if let Some(old) = place.and_then(|place| self.objects.get_mut(place as usize)) {
                    *old = new;
                }
            }
        }
        self.objects.extend(created);
        self.lines = lines;
    }
}

/// The classes that pods get their priority from.
fn known_classes(objects: &[Object]) -> Vec<Arc<PriorityClass>> {
    let given = objects.iter().filter_map(|object| match object {
        Object::PriorityClass(class) => Some(Arc::clone(class)),
        _ => None,
    });
    priority::with_system_classes(given.collect())
}

/// Gives a pod without a priority the one of its class, unless the API server would refuse it.
fn admit(object: &mut Object, classes: &[Arc<PriorityClass>]) -> Option<RefusedPod> {
    let Object::Pod(pod) = object else { return None };
    if pod.spec.priority.is_some() {
        return None;
    }
    let refused = admit_pod(Arc::make_mut(pod), classes).err()?;
    Some(RefusedPod { pod: pod.metadata.key(), words: refused.message })
}

/// Gives a pod the priority of its class, or says in the API server's words why it is refused, and for which field.
pub fn admit_pod(pod: &mut Pod, classes: &[Arc<PriorityClass>]) -> Result<(), Complaint> {
    priority::admit(&mut pod.spec, classes.iter().map(|class| &**class)).map_err(|error| {
        let message = forbidden("pods", &pod.metadata.name, &error);
        Complaint { field: error.field().to_owned(), message }
    })
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
