//! What the API server would refuse to keep.

use super::CommandError;
use crate::admission::{forbidden, priority, validation};
use crate::api::{
    FieldErrors, Object, PodDisruptionBudget, PreemptionPolicy, PriorityClass,
    UnhealthyPodEvictionPolicy,
};
use crate::cluster::Cluster;

/// Whether an object may be put: classes and budgets are validated as the API server does it. Pods, nodes and
/// workloads are taken as they are.
pub(super) fn validate(cluster: &Cluster, object: &Object) -> Result<(), CommandError> {
    match object {
        Object::PriorityClass(class) => priority_class(cluster, class),
        Object::PodDisruptionBudget(budget) => pod_disruption_budget(budget),
        _ => Ok(()),
    }
}

fn priority_class(cluster: &Cluster, class: &PriorityClass) -> Result<(), CommandError> {
    let name = &class.metadata.name;
    let policy = |class: &PriorityClass| {
        class.preemption_policy.unwrap_or(PreemptionPolicy::PreemptLowerPriority).as_str()
    };
    let old = cluster.priority_classes().get(name);
    let errors = match old {
        None => validation::priority_class(class, policy(class)),
        Some(old) => validation::priority_class_update((class, policy(class)), (old, policy(old))),
    };
    FieldErrors::check(errors).map_err(|errors| CommandError::Invalid {
        kind: "PriorityClass.scheduling.k8s.io",
        name: name.clone(),
        errors,
    })?;
    let classes = cluster.priority_classes().values().map(|class| &**class);
    priority::admit_class(class, old.is_some(), classes).map_err(|error| {
        CommandError::Forbidden(forbidden("priorityclasses.scheduling.k8s.io", name, &error))
    })
}

fn pod_disruption_budget(budget: &PodDisruptionBudget) -> Result<(), CommandError> {
    let policy = budget.unhealthy_pod_eviction_policy.map(UnhealthyPodEvictionPolicy::as_str);
    let errors = validation::pod_disruption_budget(budget, policy);
    FieldErrors::check(errors).map_err(|errors| CommandError::Invalid {
        kind: "PodDisruptionBudget.policy",
        name: budget.metadata.name.clone(),
        errors,
    })
}
