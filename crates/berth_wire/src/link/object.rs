//! Objects exactly as they are in memory.
//!
//! A manifest may leave out what the API server fills in; here nothing is filled in, so that what was taken away on
//! purpose stays away.

use std::sync::Arc;

use berth_core::api::{Object, PodSpec, StatusSource};
use berth_core::collections::Set;

use crate::export::{Detail, encode_as};
use crate::manifest::{Finding, Severity, stored};
use crate::tree::Node;

const SCHEDULER: &str = "schedulerName";
const GRACE: &str = "terminationGracePeriodSeconds";

/// An object as a tree.
pub(super) fn write(object: &Object) -> Node<'_> {
    encode_as(object, Detail::Exact)
}

/// An object from a tree, or why it is none.
pub(super) fn read(node: &Node<'_>) -> Result<Object, String> {
    let mut object = stored(node).map_err(|findings| worst(&findings))?;
    match &mut object {
        Object::Pod(pod) => {
            if let Some(spec) = node.get("spec") {
                filled(&mut Arc::make_mut(pod).spec, spec);
            }
        }
        Object::Workload(workload) => {
            let own = &mut Arc::make_mut(workload).template;
            let template = node.get("spec").and_then(|spec| spec.get("template"));
            if let Some(spec) = template.and_then(|template| template.get("spec")) {
                filled(&mut own.spec, spec);
            }
            // What there is of the template is not what was hashed.
            let digest = template.and_then(|template| template.get("digest"));
            own.digest = digest.and_then(Node::as_i64).and_then(|digest| digest.try_into().ok());
        }
        Object::PodDisruptionBudget(budget) if node.get("status").is_some() => {
            Arc::make_mut(budget).status_source = StatusSource::Pinned;
        }
        _ => {}
    }
    if object.metadata().name.is_empty() {
        return Err(format!("a {} has no name", object.kind().as_str()));
    }
    Ok(object)
}

/// Fills in what is left out because it is the usual.
fn filled(spec: &mut PodSpec, node: &Node<'_>) {
    if node.get(SCHEDULER).is_none() {
        "default-scheduler".clone_into(&mut spec.scheduler_name);
    }
    if node.get(GRACE).is_none() {
        spec.termination_grace_period_seconds = Some(30);
    }
}

/// The first error.
pub(super) fn worst(findings: &[Finding]) -> String {
    let error = findings.iter().find(|finding| finding.severity == Severity::Error);
    error.map(|finding| format!("{}: {}", finding.path, finding.message)).unwrap_or_default()
}

/// An object that comes twice.
pub(super) fn repeated(objects: &[Object]) -> Option<String> {
    let mut seen: Set<String> = Set::new();
    let mut ids = objects.iter().map(crate::manifest::id);
    ids.find(|id| !seen.insert(id.clone()))
}
