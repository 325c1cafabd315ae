//! Another number of pods for a workload, with what its controller then makes or deletes.
//!
//! New pods are made by [`crate::controllers::expand`]. Which go is decided as `ActivePodsWithRanks`
//! (`pkg/controller/controller_utils.go`) does it, a StatefulSet's last ones first. Deviations: pods have no restarts and
//! no deletion cost, of times only the order counts and not its magnitude, and a Deployment with several ReplicaSets
//! changes the one with its own template first and not all of them in proportion.

use alloc::format;
use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::cmp::Ordering;

use super::{batch, replacement::owns};
use crate::admission::{forbidden, priority};
use crate::api::{
    BadValue, Condition, FieldError, FieldErrors, Kind, Object, ObjectKey, Pod, PodPhase,
    PriorityClass, Time, Workload, WorkloadKind,
};
use crate::cluster::Cluster;
use crate::collections::sort_by;
use crate::controllers::{expand, names::mix};
use crate::playground::{Command, CommandError, Playground};

/// Names of new pods follow from it.
const SEED: u64 = 0;

/// What gives a workload this many pods at a time. `name` is what the command is called.
pub fn scale(
    playground: &Playground,
    kind: WorkloadKind,
    key: &ObjectKey,
    replicas: i32,
    name: &str,
) -> Result<Command, CommandError> {
    let cluster = playground.cluster();
    let Some(before) = cluster.workload(kind, key) else {
        return Err(CommandError::NotFound(Kind::Workload(kind), key.clone()));
    };
    if replicas < 0 {
        return Err(negative(before, replicas));
    }
    let mut workload = (**before).clone();
    workload.replicas = Some(replicas);
    let mut own = Vec::new();
    if kind == WorkloadKind::Deployment {
        own = sets(cluster, &workload, replicas);
    }
    own.insert(0, workload);
    settle(cluster, own, name)
}

/// What adds a workload, with the pods that its controller makes.
pub fn create(
    playground: &Playground,
    workload: Workload,
    name: &str,
) -> Result<Command, CommandError> {
    settle(playground.cluster(), alloc::vec![workload], name)
}

/// What removes a workload, with everything that it owns.
pub fn remove(playground: &Playground, kind: WorkloadKind, key: &ObjectKey, name: &str) -> Command {
    let cluster = playground.cluster();
    let mut commands = Vec::new();
    let mut own: Vec<&Arc<Workload>> = cluster.workload(kind, key).into_iter().collect();
    if let (WorkloadKind::Deployment, Some(deployment)) = (kind, own.first().copied()) {
        own.extend(sets_of(cluster, deployment));
    }
    for workload in own {
        for (_, info) in cluster.pods().filter(|(_, info)| is_owner(workload, &info.pod)) {
            commands.push(Command::Drop(Kind::Pod, info.key()));
        }
        commands.push(Command::Drop(Kind::Workload(workload.kind), workload.metadata.key()));
    }
    batch(name, commands)
}

fn is_owner(workload: &Workload, pod: &Pod) -> bool {
    pod.metadata.namespace == workload.metadata.namespace
        && pod.metadata.controller().is_some_and(|owner| {
            owner.kind == workload.kind.as_str() && owner.name == workload.metadata.name
        })
}

/// `ValidateNonnegativeField`.
fn negative(workload: &Workload, replicas: i32) -> CommandError {
    let (group, field) = match workload.kind {
        WorkloadKind::Job => ("Job.batch", "spec.parallelism"),
        WorkloadKind::ReplicationController => ("ReplicationController", "spec.replicas"),
        WorkloadKind::ReplicaSet => ("ReplicaSet.apps", "spec.replicas"),
        WorkloadKind::StatefulSet => ("StatefulSet.apps", "spec.replicas"),
        _ => ("Deployment.apps", "spec.replicas"),
    };
    let value = BadValue::Integer(replicas.into());
    let error = FieldError::invalid(field.into(), value, "must be greater than or equal to 0");
    CommandError::Invalid {
        kind: group,
        name: workload.metadata.name.clone(),
        errors: FieldErrors::from(error),
    }
}

/// The ReplicaSets of a Deployment.
fn sets_of<'c>(cluster: &'c Cluster, deployment: &Workload) -> Vec<&'c Arc<Workload>> {
    let mut sets: Vec<&Arc<Workload>> = Vec::new();
    for set in cluster.workloads().values() {
        let owner = set.metadata.controller();
        if set.kind == WorkloadKind::ReplicaSet
            && set.metadata.namespace == deployment.metadata.namespace
            && owner.is_some_and(|owner| {
                owner.kind == deployment.kind.as_str() && owner.name == deployment.metadata.name
            })
        {
            sets.push(set);
        }
    }
    sets
}

/// The ReplicaSets of a Deployment, with so many pods between them: the one with its template first, then the others.
fn sets(cluster: &Cluster, deployment: &Workload, replicas: i32) -> Vec<Workload> {
    let mut sets: Vec<Workload> =
        sets_of(cluster, deployment).into_iter().map(|set| (**set).clone()).collect();
    let template = |workload: &Workload| {
        let mut template = workload.template.clone();
        template.labels.remove("pod-template-hash");
        mix(0, &template)
    };
    let wanted = template(deployment);
    sort_by(&mut sets, |a, b| (template(b) == wanted).cmp(&(template(a) == wanted)));
    let total: i32 = sets.iter().map(|set| set.replicas.unwrap_or(1)).sum();
    let mut more = replicas.saturating_sub(total);
    for set in &mut sets {
        let now = set.replicas.unwrap_or(1);
        let next = now.saturating_add(more).max(0);
        set.replicas = Some(next);
        more -= next - now;
    }
    sets
}

/// What puts workloads and makes their pods as many as they want.
fn settle(cluster: &Cluster, own: Vec<Workload>, name: &str) -> Result<Command, CommandError> {
    let mut commands = Vec::new();
    let mut objects: Vec<Object> = Vec::new();
    for workload in own {
        let object = Object::Workload(Arc::new(workload));
        if cluster.get(object.kind(), &object.key()).as_ref() != Some(&object) {
            commands.push(Command::Put(object.clone()));
        }
        objects.push(object);
    }
    let workloads: Vec<Arc<Workload>> = objects.iter().filter_map(as_workload).collect();
    for (_, info) in cluster.pods() {
        if workloads
            .iter()
            .any(|workload| workload.metadata.namespace == info.pod.metadata.namespace)
        {
            objects.push(Object::Pod(Arc::clone(&info.pod)));
        }
    }
    for workload in &workloads {
        for pod in excess(cluster, workload) {
            commands.push(Command::Drop(Kind::Pod, pod.metadata.key()));
        }
    }
    let classes = cluster.known_priority_classes();
    let expansion = expand(&objects, SEED);
    for object in expansion.adopted.into_iter().chain(expansion.created) {
        commands.push(Command::Put(admitted(object, &classes)?));
    }
    Ok(batch(name, commands))
}

fn as_workload(object: &Object) -> Option<Arc<Workload>> {
    match object {
        Object::Workload(workload) => Some(Arc::clone(workload)),
        _ => None,
    }
}

/// A pod with the priority of its class.
fn admitted(object: Object, classes: &[Arc<PriorityClass>]) -> Result<Object, CommandError> {
    let Object::Pod(pod) = &object else { return Ok(object) };
    if pod.spec.priority.is_some() {
        return Ok(object);
    }
    let mut pod = (**pod).clone();
    priority::admit(&mut pod.spec, classes.iter().map(|class| &**class))
        .map_err(|error| CommandError::Forbidden(forbidden("pods", &pod.metadata.name, &error)))?;
    Ok(Object::Pod(Arc::new(pod)))
}

/// The pods that a workload has too many of, in the order in which they go.
fn excess(cluster: &Cluster, workload: &Workload) -> Vec<Arc<Pod>> {
    let Some(replicas) = workload.replicas else { return Vec::new() };
    let mut own: Vec<Arc<Pod>> = Vec::new();
    for (_, info) in cluster.pods().filter(|(_, info)| owns(workload, &info.pod)) {
        own.push(Arc::clone(&info.pod));
    }
    match workload.kind {
        WorkloadKind::Deployment | WorkloadKind::DaemonSet => Vec::new(),
        WorkloadKind::StatefulSet => {
            let first = i64::from(workload.first_ordinal.max(0));
            own.retain(|pod| {
                let ordinal = ordinal(&pod.metadata.name);
                ordinal.is_some_and(|ordinal| {
                    ordinal < first || ordinal >= first + i64::from(replicas)
                })
            });
            sort_by(&mut own, |a, b| ordinal(&b.metadata.name).cmp(&ordinal(&a.metadata.name)));
            own
        }
        _ => {
            let crowd = |pod: &Pod| {
                own.iter().filter(|other| other.spec.node_name == pod.spec.node_name).count()
            };
            let crowds: Vec<usize> = own.iter().map(|pod| crowd(pod)).collect();
            let ranked = workload.kind != WorkloadKind::Job;
            let mut order: Vec<(Arc<Pod>, usize)> = own.into_iter().zip(crowds).collect();
            sort_by(&mut order, |a, b| sooner(a, b, ranked));
            let many = order.len().saturating_sub(replicas.max(0).unsigned_abs() as usize);
            order.into_iter().take(many).map(|(pod, _)| pod).collect()
        }
    }
}

/// The number at the end of a StatefulSet's pod.
fn ordinal(name: &str) -> Option<i64> {
    name.rsplit_once('-').and_then(|(_, number)| number.parse().ok())
}

/// Which of two pods goes sooner. `ranked` is whether pods that share their node go before others.
fn sooner(a: &(Arc<Pod>, usize), b: &(Arc<Pod>, usize), ranked: bool) -> Ordering {
    let assigned = |pod: &Pod| !pod.spec.node_name.is_empty();
    let (left, right) = (&*a.0, &*b.0);
    assigned(left)
        .cmp(&assigned(right))
        .then(phase(left).cmp(&phase(right)))
        .then(left.is_ready().cmp(&right.is_ready()))
        .then(if ranked { b.1.cmp(&a.1) } else { Ordering::Equal })
        .then_with(|| younger(ready_since(left), ready_since(right)))
        .then_with(|| younger(left.metadata.creation_timestamp, right.metadata.creation_timestamp))
        .then_with(|| left.metadata.uid.cmp(&right.metadata.uid))
        .then_with(|| names(left).cmp(&names(right)))
}

/// The later comes first, and one without a time before all others (`afterOrZero`).
fn younger(a: Option<Time>, b: Option<Time>) -> Ordering {
    match (a, b) {
        (Some(a), Some(b)) => b.cmp(&a),
        (a, b) => a.is_some().cmp(&b.is_some()),
    }
}

fn ready_since(pod: &Pod) -> Option<Time> {
    Condition::find(&pod.status.conditions, "Ready")
        .filter(|ready| ready.status == "True")?
        .last_transition_time
}

/// `podPhaseToOrdinal`: a phase that is not in the table counts as 0.
fn phase(pod: &Pod) -> u8 {
    match pod.status.phase {
        PodPhase::Unknown => 1,
        PodPhase::Running => 2,
        _ => 0,
    }
}

fn names(pod: &Pod) -> String {
    format!("{}/{}", pod.metadata.namespace, pod.metadata.name)
}
