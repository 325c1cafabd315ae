//! Whose pods are whose: who is adopted, and who is let go.
//!
//! Mirrors `pkg/controller/controller_ref_manager.go` and `FilterPodsByOwner` of `controller_utils.go`.

use alloc::borrow::ToOwned;
use alloc::string::{String, ToString};
use alloc::sync::Arc;
use alloc::vec::Vec;

use crate::api::{Kind, Object, ObjectMeta, OwnerReference, Pod, Selector, Workload, WorkloadKind};
use crate::simulation::objects::{as_pod, as_workload};
use crate::simulation::server::{ApiError, Part, metadata_mut};
use crate::simulation::{Context, Objects};

/// A reference to a workload as the controller of what it owns (`NewControllerRef`).
pub(super) fn reference(workload: &Workload) -> OwnerReference {
    OwnerReference {
        api_version: workload.kind.api_version().to_owned(),
        kind: workload.kind.to_string(),
        name: workload.metadata.name.clone(),
        uid: workload.metadata.uid.clone(),
        controller: true,
    }
}

/// Whether an object's controller has this identity (`IsControlledBy`).
pub(super) fn is_controlled_by(object: &ObjectMeta, uid: &str) -> bool {
    object.controller().is_some_and(|owner| owner.uid == uid)
}

/// The workload that a reference means (`resolveControllerRef`).
pub(super) fn resolve<'c>(
    cache: &'c Objects,
    kind: WorkloadKind,
    namespace: &str,
    owner: &OwnerReference,
) -> Option<&'c Arc<Workload>> {
    if owner.kind != kind.as_str() {
        return None;
    }
    let key = crate::api::ObjectKey::new(namespace, owner.name.clone());
    cache.workload(kind, &key).filter(|workload| workload.metadata.uid == owner.uid)
}

/// The workloads of a kind that select an object which has no controller.
pub(super) fn selecting<'c>(
    cache: &'c Objects,
    kind: WorkloadKind,
    object: &ObjectMeta,
) -> impl Iterator<Item = &'c Arc<Workload>> {
    cache.workloads(kind).filter(move |workload| {
        workload.metadata.namespace == object.namespace
            && Selector::from_label_selector(workload.selector.as_ref())
                .is_ok_and(|selector| !selector.is_empty() && selector.matches(&object.labels))
    })
}

/// The pods of a namespace that a workload owns, and if `orphans` those that nobody owns.
pub(super) fn pods_of(cache: &Objects, workload: &Workload, orphans: bool) -> Vec<Arc<Pod>> {
    let metadata = &workload.metadata;
    let is_candidate = |pod: &&Arc<Pod>| match pod.metadata.controller() {
        Some(owner) => {
            owner.uid == metadata.uid
                && owner.name == metadata.name
                && owner.kind == workload.kind.as_str()
        }
        None => orphans,
    };
    cache.pods_in(&metadata.namespace).filter(is_candidate).cloned().collect()
}

/// The pods that are a workload's own, after it adopted those without a controller that it selects, and let go of its
/// own that it does not select (`ClaimPods`). `filter` says more about which are meant.
pub(super) fn claim_pods(
    context: &mut Context<'_>,
    workload: &Workload,
    selector: &Selector,
    pods: Vec<Arc<Pod>>,
    filter: impl Fn(&Pod) -> bool,
    mut wrote: impl FnMut(&Object),
) -> Result<Vec<Arc<Pod>>, ApiError> {
    let mut claimed = Vec::new();
    let mut failure = Ok(());
    for pod in pods {
        let matches = selector.matches(&pod.metadata.labels) && filter(&pod);
        match claim(context, workload, &Object::Pod(Arc::clone(&pod)), matches, &mut wrote) {
            Ok(true) => claimed.push(pod),
            Ok(false) => {}
            Err(error) => failure = failure.and(Err(error)),
        }
    }
    failure.map(|()| claimed)
}

/// The same for a Deployment's ReplicaSets (`ClaimReplicaSets`).
pub(super) fn claim_sets(
    context: &mut Context<'_>,
    deployment: &Workload,
    selector: &Selector,
    sets: Vec<Arc<Workload>>,
) -> Result<Vec<Arc<Workload>>, ApiError> {
    let mut claimed = Vec::new();
    let mut failure = Ok(());
    for set in sets {
        let matches = selector.matches(&set.metadata.labels);
        let object = Object::Workload(Arc::clone(&set));
        match claim(context, deployment, &object, matches, &mut |_| {}) {
            Ok(true) => claimed.push(set),
            Ok(false) => {}
            Err(error) => failure = failure.and(Err(error)),
        }
    }
    failure.map(|()| claimed)
}

/// Whether an object is the workload's own from now on (`ClaimObject`).
fn claim(
    context: &mut Context<'_>,
    workload: &Workload,
    object: &Object,
    matches: bool,
    wrote: &mut impl FnMut(&Object),
) -> Result<bool, ApiError> {
    let is_going = workload.metadata.deletion_timestamp.is_some();
    let is_job = workload.kind == WorkloadKind::Job;
    let written = match object.metadata().controller() {
        Some(owner) if owner.uid != workload.metadata.uid => return Ok(false),
        Some(_) if matches => return Ok(true),
        Some(_) if is_going => return Ok(false),
        Some(owner) => {
            let uid = owner.uid.clone();
            patch_metadata(context, object, |metadata| {
                metadata.owner_references.retain(|owner| owner.uid != uid);
                metadata.job_tracking &= !is_job;
            })
        }
        None if is_going || !matches || object.metadata().deletion_timestamp.is_some() => {
            return Ok(false);
        }
        None => {
            can_adopt(context, workload)?;
            patch_metadata(context, object, |metadata| {
                metadata.owner_references.push(reference(workload));
                metadata.job_tracking |= is_job;
            })
        }
    };
    match written {
        Ok(object) => {
            wrote(&object);
            Ok(is_controlled_by(object.metadata(), &workload.metadata.uid))
        }
        Err(ApiError::NotFound(..)) => Ok(false),
        Err(error) => Err(error),
    }
}

/// Whether the workload is still there, as the API server has it (`RecheckDeletionTimestamp`).
fn can_adopt(context: &mut Context<'_>, workload: &Workload) -> Result<(), ApiError> {
    let (kind, key) = (Kind::Workload(workload.kind), workload.metadata.key());
    let fresh = context.server.get(kind, &key)?;
    let fresh = fresh.metadata();
    if fresh.uid != workload.metadata.uid || fresh.deletion_timestamp.is_some() {
        return Err(ApiError::NotFound(kind, key.name));
    }
    Ok(())
}

fn patch_metadata(
    context: &mut Context<'_>,
    object: &Object,
    change: impl FnOnce(&mut ObjectMeta),
) -> Result<Object, ApiError> {
    let (kind, key) = (object.kind(), object.key());
    let uid: String = object.metadata().uid.clone();
    context.server.patch(kind, &key, Part::Main, |stored| {
        let metadata = metadata_mut(stored);
        // The patch names the object that is meant.
        metadata.uid = uid;
        change(metadata);
    })
}

/// The pod or workload that an update was about, before it.
pub(super) fn old_pod(object: Option<&Object>) -> Option<&Arc<Pod>> {
    object.and_then(as_pod)
}

/// The same for a workload.
pub(super) fn old_workload(object: Option<&Object>) -> Option<&Arc<Workload>> {
    object.and_then(as_workload)
}
