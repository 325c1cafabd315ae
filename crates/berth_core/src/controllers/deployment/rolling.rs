//! Rolling updates: new pods come as old ones go.
//!
//! Mirrors `pkg/controller/deployment/rolling.go`.

use alloc::sync::Arc;
use alloc::vec::Vec;

use super::scale::{active, available, max_unavailable, new_replicas, size_of, wanted};
use super::status::is_complete;
use super::sync::Sets;
use super::{DeploymentController, revisions};
use crate::api::Workload;
use crate::simulation::Context;
use crate::simulation::server::ApiError;

impl DeploymentController {
    /// The next step of a rolling update (`rolloutRolling`).
    pub(super) fn roll(
        &mut self,
        deployment: &mut Workload,
        sets: &[Arc<Workload>],
        context: &mut Context<'_>,
    ) -> Result<(), ApiError> {
        let sets = self.revisions(deployment, sets, true, context)?;
        let Some(new) = sets.new.clone() else { return Ok(()) };
        if self.grow_new(deployment, &new, &sets, context)? {
            return Self::sync_rollout_status(deployment, &sets, context);
        }
        if self.shrink_old(deployment, &new, &sets, context) {
            return Self::sync_rollout_status(deployment, &sets, context);
        }
        if is_complete(deployment, &deployment.status) {
            Self::clean_up(deployment, &sets.old, context)?;
        }
        Self::sync_rollout_status(deployment, &sets, context)
    }

    /// Makes the new ReplicaSet as large as it may be (`reconcileNewReplicaSet`).
    fn grow_new(
        &mut self,
        deployment: &Workload,
        new: &Arc<Workload>,
        sets: &Sets,
        context: &mut Context<'_>,
    ) -> Result<bool, ApiError> {
        let (all, size) = (wanted(deployment), wanted(new));
        if size == all {
            return Ok(false);
        }
        let next = if size > all { all } else { new_replicas(deployment, &sets.old, size) };
        Ok(self.scale_set(new, next, deployment, false, context)?.0)
    }

    /// Makes the old ReplicaSets as small as they may be; an error there is no reason to try again at once
    /// (`reconcileOldReplicaSets`).
    fn shrink_old(
        &mut self,
        deployment: &Workload,
        new: &Arc<Workload>,
        sets: &Sets,
        context: &mut Context<'_>,
    ) -> bool {
        let mut old = active(&sets.old);
        if size_of(&old) == 0 {
            return false;
        }
        let least = wanted(deployment) - max_unavailable(deployment);
        let not_yet = wanted(new) - new.status.available_replicas;
        let most = size_of(&sets.all()) - least - not_yet;
        if most <= 0 {
            return false;
        }
        revisions::by_age(&mut old);
        let Ok(unhealthy) = self.shrink_unhealthy(deployment, &mut old, most, context) else {
            return false;
        };
        let healthy = available(&old) + new.status.available_replicas;
        match self.shrink_healthy(deployment, &old, healthy - least, context) {
            Ok(healthy) => unhealthy + healthy > 0,
            Err(_) => false,
        }
    }

    /// First pods go that are not available anyway (`cleanupUnhealthyReplicas`).
    fn shrink_unhealthy(
        &mut self,
        deployment: &Workload,
        old: &mut Vec<Arc<Workload>>,
        most: i32,
        context: &mut Context<'_>,
    ) -> Result<i32, ApiError> {
        let mut gone = 0;
        for set in old {
            let size = wanted(set);
            let unhealthy = size - set.status.available_replicas;
            if gone >= most {
                break;
            }
            if size == 0 || unhealthy == 0 {
                continue;
            }
            let count = unhealthy.min(most - gone);
            if count < 0 {
                // More pods are available than there should be: the real controller gives up here.
                return Err(ApiError::BadRequest(alloc::string::String::new()));
            }
            *set = self.scale_set(set, size - count, deployment, false, context)?.1;
            gone += count;
        }
        Ok(gone)
    }

    /// Then as many as there are too many available (`scaleDownOldReplicaSetsForRollingUpdate`).
    fn shrink_healthy(
        &mut self,
        deployment: &Workload,
        old: &[Arc<Workload>],
        most: i32,
        context: &mut Context<'_>,
    ) -> Result<i32, ApiError> {
        let mut gone = 0;
        for set in old {
            if gone >= most {
                break;
            }
            let size = wanted(set);
            if size == 0 {
                continue;
            }
            let count = size.min(most - gone);
            self.scale_set(set, size - count, deployment, false, context)?;
            gone += count;
        }
        Ok(gone)
    }
}
