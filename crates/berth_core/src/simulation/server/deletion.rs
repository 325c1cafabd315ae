//! How the deletion of a pod begins.
//!
//! Mirrors `rest.BeforeDelete` (`k8s.io/apiserver/pkg/registry/rest/delete.go`) with the pod strategy's
//! `CheckGracefulDelete`.

use alloc::sync::Arc;

use crate::api::{Pod, Time};

/// What becomes of a request to delete a pod.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Begun {
    /// It is gone.
    Now,
    /// It is being deleted already, and will not go sooner.
    Pending,
    /// It is to be gone after so many seconds.
    Graceful(Arc<Pod>, i64),
}

/// Deletes a pod, with so many seconds of grace if somebody asked for them.
pub(super) fn begin(pod: &Pod, asked: Option<i64>, now: Time) -> Begun {
    let asked = asked.map(|seconds| if seconds < 0 { 1 } else { seconds });
    let mut pod = pod.clone();
    let metadata = &mut pod.metadata;
    let Some(end) = metadata.deletion_timestamp else {
        let own = pod.spec.termination_grace_period_seconds;
        let at_once = pod.spec.node_name.is_empty() || pod.status.phase.is_terminal();
        let mut grace = if at_once { 0 } else { asked.or(own).unwrap_or(0) };
        if grace < 0 {
            grace = 1;
        }
        metadata.deletion_timestamp = Some(Time(now.0.saturating_add(grace)));
        metadata.deletion_grace_period_seconds = Some(grace);
        if metadata.generation > 0 {
            metadata.generation += 1;
        }
        return Begun::Graceful(Arc::new(pod), grace);
    };
    let before = metadata.deletion_grace_period_seconds.unwrap_or(0);
    let before = if before < 0 { 1 } else { before };
    if before == 0 {
        return Begun::Now;
    }
    let Some(mut grace) = asked.filter(|asked| *asked < before) else { return Begun::Pending };
    let mut end = Time(end.0.saturating_sub(before).saturating_add(grace));
    if end < now {
        end = now;
        if grace != 0 {
            grace = 1;
        }
    }
    metadata.deletion_timestamp = Some(end);
    metadata.deletion_grace_period_seconds = Some(grace);
    Begun::Graceful(Arc::new(pod), grace)
}
