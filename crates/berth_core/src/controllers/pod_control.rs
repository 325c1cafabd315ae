//! How controllers make and delete pods, and what they say of it.
//!
//! Mirrors `RealPodControl` of `pkg/controller/controller_utils.go`.

use alloc::format;
use alloc::sync::Arc;

use super::ownership::reference;
use super::recorder::{Involved, Recorder};
use crate::api::{Kind, Object, ObjectKey, ObjectMeta, Pod, Workload};
use crate::apiserver::DeleteOptions;
use crate::simulation::Context;
use crate::simulation::server::ApiError;

/// A workload as what events are about.
pub(super) fn involved(workload: &Workload) -> Involved {
    let metadata = &workload.metadata;
    Involved { kind: Kind::Workload(workload.kind), key: metadata.key(), uid: metadata.uid.clone() }
}

/// A pod from a workload's template, which it owns (`GetPodFromTemplate`).
pub(super) fn from_template(workload: &Workload) -> Pod {
    let metadata = ObjectMeta {
        namespace: workload.metadata.namespace.clone(),
        labels: workload.template.labels.clone(),
        owner_references: alloc::vec![reference(workload)],
        ..ObjectMeta::default()
    };
    Pod { metadata, spec: workload.template.spec.clone(), ..Pod::default() }
}

/// Makes a pod; one without a name gets one that begins with its workload's (`CreatePods`).
pub(super) fn create(
    context: &mut Context<'_>,
    recorder: &mut Recorder,
    workload: &Workload,
    pod: Pod,
) -> Result<Object, ApiError> {
    create_as(context, recorder, workload, pod, &format!("{}-", workload.metadata.name))
}

/// Makes a pod with a name that begins so, if it has none (`CreatePodsWithGenerateName`).
pub(super) fn create_as(
    context: &mut Context<'_>,
    recorder: &mut Recorder,
    workload: &Workload,
    pod: Pod,
    stem: &str,
) -> Result<Object, ApiError> {
    match context.server.create(Object::Pod(Arc::new(pod)), stem) {
        Ok(pod) => {
            let message = format!("Created pod: {}", pod.metadata().name);
            recorder.normal(context.server, involved(workload), "SuccessfulCreate", message);
            Ok(pod)
        }
        Err(error) => {
            let message = format!("Error creating: {error}");
            recorder.warning(context.server, involved(workload), "FailedCreate", message);
            Err(error)
        }
    }
}

/// Deletes a pod (`DeletePod`).
pub(super) fn delete(
    context: &mut Context<'_>,
    recorder: &mut Recorder,
    workload: &Workload,
    pod: &ObjectKey,
) -> Result<(), ApiError> {
    match context.server.delete(Kind::Pod, pod, &DeleteOptions::default()) {
        Ok(()) => {
            let message = format!("Deleted pod: {}", pod.name);
            recorder.normal(context.server, involved(workload), "SuccessfulDelete", message);
            Ok(())
        }
        Err(error @ ApiError::NotFound(..)) => Err(error),
        Err(error) => {
            let message = format!("Error deleting: {error}");
            recorder.warning(context.server, involved(workload), "FailedDelete", message);
            Err(error)
        }
    }
}
