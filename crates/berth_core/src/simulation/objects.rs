//! Objects by kind and key: what the API server stores, and what each component has heard of it.

use alloc::sync::Arc;
use alloc::vec::Vec;

use crate::api::{
    Kind, Node, Object, ObjectKey, Pod, PodDisruptionBudget, PriorityClass, Workload, WorkloadKind,
};
use crate::collections::Map;

type ByKey = Map<ObjectKey, Object>;

/// Objects by kind and key. A copy shares what does not change afterwards.
#[derive(Clone, Debug, Default)]
pub struct Objects(Map<Kind, Arc<ByKey>>);

impl Objects {
    /// An object.
    pub fn get(&self, kind: Kind, key: &ObjectKey) -> Option<&Object> {
        self.0.get(&kind)?.get(key)
    }

    /// All objects of a kind, in order of namespace and name.
    pub fn of_kind(&self, kind: Kind) -> impl Iterator<Item = &Object> {
        self.0.get(&kind).into_iter().flat_map(|all| all.values())
    }

    /// All objects, by kind and then by key.
    pub fn iter(&self) -> impl Iterator<Item = &Object> {
        self.0.values().flat_map(|all| all.values())
    }

    /// Puts an object in the place of the one of its kind and key, which comes out.
    pub fn insert(&mut self, object: Object) -> Option<Object> {
        let all = self.0.or_default(object.kind());
        Arc::make_mut(all).insert(object.key(), object)
    }

    /// Takes an object out.
    pub fn remove(&mut self, kind: Kind, key: &ObjectKey) -> Option<Object> {
        Arc::make_mut(self.0.get_mut(&kind)?).remove(key)
    }

    /// Shares kinds with others, where they have the same objects.
    pub(super) fn share(&mut self, others: &Self) {
        for (kind, known) in
            self.0.iter().map(|(kind, known)| (*kind, Arc::clone(known))).collect::<Vec<_>>()
        {
            if let Some(other) = others.0.get(&kind)
                && !Arc::ptr_eq(&known, other)
                && known == *other
            {
                self.0.insert(kind, Arc::clone(other));
            }
        }
    }

    /// A pod.
    pub fn pod(&self, key: &ObjectKey) -> Option<&Arc<Pod>> {
        self.get(Kind::Pod, key).and_then(as_pod)
    }

    /// All pods.
    pub fn pods(&self) -> impl Iterator<Item = &Arc<Pod>> {
        self.of_kind(Kind::Pod).filter_map(as_pod)
    }

    /// The pods of a namespace.
    pub fn pods_in<'a>(&'a self, namespace: &'a str) -> impl Iterator<Item = &'a Arc<Pod>> {
        self.pods().filter(move |pod| pod.metadata.namespace == namespace)
    }

    /// A node.
    pub fn node(&self, name: &str) -> Option<&Arc<Node>> {
        match self.get(Kind::Node, &ObjectKey::new("", name)) {
            Some(Object::Node(node)) => Some(node),
            _ => None,
        }
    }

    /// All nodes.
    pub fn nodes(&self) -> impl Iterator<Item = &Arc<Node>> {
        self.of_kind(Kind::Node).filter_map(|object| match object {
            Object::Node(node) => Some(node),
            _ => None,
        })
    }

    /// A disruption budget.
    pub fn budget(&self, key: &ObjectKey) -> Option<&Arc<PodDisruptionBudget>> {
        self.get(Kind::PodDisruptionBudget, key).and_then(as_budget)
    }

    /// All disruption budgets.
    pub fn budgets(&self) -> impl Iterator<Item = &Arc<PodDisruptionBudget>> {
        self.of_kind(Kind::PodDisruptionBudget).filter_map(as_budget)
    }

    /// All priority classes.
    pub fn priority_classes(&self) -> impl Iterator<Item = &Arc<PriorityClass>> + Clone {
        let all = self.0.get(&Kind::PriorityClass).map(|all| &**all);
        all.into_iter().flat_map(Map::iter).filter_map(|(_, object)| match object {
            Object::PriorityClass(class) => Some(class),
            _ => None,
        })
    }

    /// A workload.
    pub fn workload(&self, kind: WorkloadKind, key: &ObjectKey) -> Option<&Arc<Workload>> {
        self.get(Kind::Workload(kind), key).and_then(as_workload)
    }

    /// All workloads of a kind.
    pub fn workloads(&self, kind: WorkloadKind) -> impl Iterator<Item = &Arc<Workload>> {
        self.of_kind(Kind::Workload(kind)).filter_map(as_workload)
    }
}

/// The pod that an object is.
pub fn as_pod(object: &Object) -> Option<&Arc<Pod>> {
    match object {
        Object::Pod(pod) => Some(pod),
        _ => None,
    }
}

/// The budget that an object is.
pub fn as_budget(object: &Object) -> Option<&Arc<PodDisruptionBudget>> {
    match object {
        Object::PodDisruptionBudget(budget) => Some(budget),
        _ => None,
    }
}

/// The workload that an object is.
pub fn as_workload(object: &Object) -> Option<&Arc<Workload>> {
    match object {
        Object::Workload(workload) => Some(workload),
        _ => None,
    }
}
