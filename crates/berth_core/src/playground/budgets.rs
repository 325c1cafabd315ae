//! Budgets whose status follows the pods: what the disruption controller would have written by now.
//!
//! A status that was given ([`StatusSource::Pinned`]) stays. Any other is computed when a budget comes, and again
//! whenever a pod or a workload changes that it hangs on. It is a function of the objects alone: the controller would
//! keep what it computed before where it fails, and remember evictions. Nothing runs here that would start a pod, so a
//! pod on a node of which nobody says whether it is ready counts as ready.

use alloc::sync::Arc;

use crate::api::{
    Condition, Object, ObjectKey, OwnerReference, Pod, PodDisruptionBudgetStatus, Selector,
    StatusSource, Time, WorkloadKind,
};
use crate::cluster::Cluster;
use crate::collections::Set;
use crate::controllers::disruption::{Mapping, Scale, Scales, Sync, sync};

/// The budgets to be computed anew.
#[derive(Clone, Debug, Default)]
pub(super) struct Stale(Set<ObjectKey>);

impl Stale {
    /// Notes which statuses hang on an object that came, or is about to go.
    pub(super) fn note(&mut self, cluster: &Cluster, object: Option<&Object>) {
        let (namespace, pod) = match object {
            Some(Object::Pod(pod)) => (&pod.metadata.namespace, Some(pod)),
            Some(Object::Workload(workload)) => (&workload.metadata.namespace, None),
            Some(Object::PodDisruptionBudget(budget)) => {
                self.0.insert(budget.metadata.key());
                return;
            }
            _ => return,
        };
        for (key, budget) in cluster.budgets() {
            let hangs = key.namespace == *namespace
                && budget.status_source == StatusSource::Computed
                && pod.is_none_or(|pod| {
                    Selector::from_label_selector(budget.selector.as_ref())
                        .is_ok_and(|selector| selector.matches(&pod.metadata.labels))
                });
            if hangs {
                self.0.insert(key.clone());
            }
        }
    }

    /// Computes what was noted.
    pub(super) fn settle(&mut self, cluster: &mut Cluster) {
        for key in core::mem::take(&mut self.0).iter() {
            let Some(found) = now(cluster, key) else { continue };
            let Some(budget) = cluster.budgets().get(key) else { continue };
            if budget.status_source == StatusSource::Computed && budget.status != found.status {
                let mut budget = (**budget).clone();
                budget.status = found.status;
                cluster.put(&Object::PodDisruptionBudget(Arc::new(budget)));
            }
        }
    }
}

/// What the controller finds about a budget now, whatever its status says; none if the budget is not there.
pub(super) fn now(cluster: &Cluster, key: &ObjectKey) -> Option<Sync> {
    let mut budget = (**cluster.budgets().get(key)?).clone();
    budget.status = PodDisruptionBudgetStatus::default();
    let mut pods = cluster.pods().map(|(_, info)| &*info.pod);
    Some(sync(&budget, &mut pods, &Owners(cluster), Time::default().into(), is_ready))
}

fn is_ready(pod: &Pod) -> bool {
    let told = Condition::find(&pod.status.conditions, "Ready");
    !pod.spec.node_name.is_empty()
        && told.map_or(!pod.status.phase.is_terminal(), |ready| ready.status == "True")
}

/// The workloads of a cluster.
struct Owners<'c>(&'c Cluster);

impl Scales for Owners<'_> {
    fn get(&self, group: &str, kind: &str, namespace: &str, name: &str) -> Option<Scale<'_>> {
        let of_group = |kind: &WorkloadKind| {
            kind.api_version().rsplit_once('/').map_or("", |(group, _)| group) == group
        };
        let kind = WorkloadKind::ALL.iter().find(|known| known.as_str() == kind)?;
        let key = ObjectKey::new(namespace, name);
        let workload = self.0.workload(*kind, &key).filter(|_| of_group(kind))?;
        let controller: Option<&OwnerReference> = workload.metadata.controller();
        // `SetDefaults`: one, if nothing is said.
        let replicas = workload.replicas.unwrap_or(1);
        Some(Scale { uid: &workload.metadata.uid, replicas, controller })
    }

    fn mapping(&self, group: &str, version: &str, kind: &str) -> Option<Mapping> {
        Mapping::built_in(group, version, kind)
    }
}

#[cfg(test)]
mod tests;
