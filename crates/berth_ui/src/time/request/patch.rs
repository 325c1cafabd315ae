//! Changes of workloads.

use berth_core::api::{IntOrPercent, Object, Workload};
use berth_core::simulation::Patch;
use std::sync::Arc;

/// The label by which a Deployment tells the pods of its revisions apart.
const REVISION: &str = "pod-template-hash";

/// Another number of pods.
#[derive(Debug)]
pub(super) struct Scale(pub(super) i32);

impl Patch for Scale {
    fn apply(&self, object: &Object) -> Result<Object, String> {
        Ok(changed(object, |workload| workload.replicas = Some(self.0)))
    }
}

/// Another template, and how pods are replaced by its pods.
#[derive(Debug)]
pub(super) struct Rollout {
    /// `key=value` is a label of its pods, anything else the image of the first container; or nothing.
    pub(super) change: String,
    /// `maxSurge` and `maxUnavailable`.
    pub(super) strategy: Option<(IntOrPercent, IntOrPercent)>,
    /// Whether its constraints count the pods of their own revision alone.
    pub(super) narrows: Option<bool>,
}

impl Patch for Rollout {
    fn apply(&self, object: &Object) -> Result<Object, String> {
        Ok(changed(object, |workload| {
            if let Some((surge, unavailable)) = &self.strategy {
                let strategy = workload.update_strategy.get_or_insert_default();
                strategy.max_surge = Some(surge.clone());
                strategy.max_unavailable = Some(unavailable.clone());
            }
            if self.change.is_empty() && self.narrows.is_none() {
                return;
            }
            let template = &mut workload.template;
            template.digest = None;
            if let Some(narrows) = self.narrows {
                for constraint in &mut template.spec.topology_spread_constraints {
                    constraint.match_label_keys.retain(|key| key != REVISION);
                    if narrows {
                        constraint.match_label_keys.push(REVISION.to_owned());
                    }
                }
            }
            match self.change.split_once('=') {
                Some((key, value)) => {
                    template.labels.insert(key.trim().into(), value.trim().into());
                }
                None if self.change.is_empty() => {}
                None => {
                    if let Some(container) = template.spec.containers.first_mut() {
                        container.image.clone_from(&self.change);
                    }
                }
            }
        }))
    }
}

/// Whether all constraints of a workload's pods count the pods of their own revision alone.
pub(super) fn is_narrowed(workload: &Workload) -> bool {
    let mut constraints = workload.template.spec.topology_spread_constraints.iter();
    constraints.all(|constraint| constraint.match_label_keys.iter().any(|key| key == REVISION))
}

fn changed(object: &Object, change: impl FnOnce(&mut Workload)) -> Object {
    let mut object = object.clone();
    if let Object::Workload(workload) = &mut object {
        change(Arc::make_mut(workload));
    }
    object
}
