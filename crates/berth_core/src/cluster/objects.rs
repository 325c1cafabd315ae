//! A cluster's objects as they would be given to it.

use alloc::sync::Arc;
use alloc::vec::Vec;

use super::Cluster;
use crate::admission::priority;
use crate::api::{Object, PriorityClass};

impl Cluster {
    /// All objects but nodes and pods, kind by kind in the order of their keys. In which order those two come hangs on
    /// what the list is for.
    pub fn objects_beside_nodes_and_pods(&self) -> impl Iterator<Item = Object> {
        (self.namespaces().values().cloned().map(Object::Namespace))
            .chain(self.priority_classes().values().cloned().map(Object::PriorityClass))
            .chain(self.budgets().values().cloned().map(Object::PodDisruptionBudget))
            .chain(self.services().values().cloned().map(Object::Service))
            .chain(self.workloads().values().cloned().map(Object::Workload))
    }

    /// The classes that a pod can have: those of the cluster by name, then those of the system that it does not have
    /// itself.
    pub fn known_priority_classes(&self) -> Vec<Arc<PriorityClass>> {
        priority::with_system_classes(self.priority_classes().values().cloned().collect())
    }
}
