//! Recreation: all old pods go before the first new one comes.
//!
//! Mirrors `pkg/controller/deployment/recreate.go`.

use alloc::sync::Arc;

use super::DeploymentController;
use super::scale::{active, wanted};
use super::status::is_complete;
use super::sync::Sets;
use crate::api::Workload;
use crate::controllers::ownership::pods_of;
use crate::simulation::Context;
use crate::simulation::server::ApiError;

impl DeploymentController {
    /// The next step of a recreation (`rolloutRecreate`).
    pub(super) fn recreate(
        &mut self,
        deployment: &mut Workload,
        own: &[Arc<Workload>],
        context: &mut Context<'_>,
    ) -> Result<(), ApiError> {
        let mut sets = self.revisions(deployment, own, false, context)?;
        let mut scaled = false;
        for old in active(&sets.old) {
            scaled |= self.scale_set(&old, 0, deployment, false, context)?.0;
        }
        if scaled || old_pods_run(&sets, own, context) {
            return Self::sync_rollout_status(deployment, &sets, context);
        }
        if sets.new.is_none() {
            sets = self.revisions(deployment, own, true, context)?;
        }
        if let Some(new) = &sets.new {
            self.scale_set(new, wanted(deployment), deployment, false, context)?;
        }
        if is_complete(deployment, &deployment.status) {
            Self::clean_up(deployment, &sets.old, context)?;
        }
        Self::sync_rollout_status(deployment, &sets, context)
    }
}

/// Whether pods of another template are there that have not ended (`oldPodsRunning`).
fn old_pods_run(sets: &Sets, own: &[Arc<Workload>], context: &Context<'_>) -> bool {
    if sets.old.iter().any(|set| set.status.replicas > 0) {
        return true;
    }
    let new = sets.new.as_ref().map(|set| &set.metadata.uid);
    own.iter().filter(|set| new != Some(&set.metadata.uid)).any(|set| {
        pods_of(context.cache, set, false).iter().any(|pod| !pod.status.phase.is_terminal())
    })
}
