//! How many pods each ReplicaSet gets.
//!
//! Mirrors `scale`, `scaleReplicaSet` and `cleanupDeployment` of `sync.go` and the arithmetic of `deployment_util.go`.

use alloc::format;
use alloc::sync::Arc;
use alloc::vec::Vec;

use super::sync::Sets;
use super::{DeploymentController, SETS, revisions};
use crate::api::{Kind, UpdateStrategy, Workload};
use crate::apiserver::DeleteOptions;
use crate::controllers::pod_control::involved;
use crate::controllers::share;
use crate::simulation::Context;
use crate::simulation::server::ApiError;

impl DeploymentController {
    /// Scales in proportion to what is there (`scale`).
    pub(super) fn scale(
        &mut self,
        deployment: &Workload,
        sets: &Sets,
        context: &mut Context<'_>,
    ) -> Result<(), ApiError> {
        if sets.new.is_none() && sets.old.is_empty() {
            return Ok(());
        }
        if let Some(only) = active_or_latest(sets) {
            return self.scale_set(&only, wanted(deployment), deployment, false, context).map(drop);
        }
        if is_saturated(deployment, sets.new.as_deref()) {
            for old in active(&sets.old) {
                self.scale_set(&old, 0, deployment, false, context)?;
            }
            return Ok(());
        }
        if !is_rolling(deployment) {
            return Ok(());
        }
        for (set, size) in proportions(deployment, active(&sets.all())) {
            self.scale_set(&set, size, deployment, true, context)?;
        }
        Ok(())
    }

    /// Sets the size of a ReplicaSet, or with `force` just notes what the Deployment wants. Says whether the size
    /// changed, and gives the ReplicaSet as it is then (`scaleReplicaSet`).
    pub(super) fn scale_set(
        &mut self,
        set: &Arc<Workload>,
        size: i32,
        deployment: &Workload,
        force: bool,
        context: &mut Context<'_>,
    ) -> Result<(bool, Arc<Workload>), ApiError> {
        let before = wanted(set);
        if !force && before == size {
            return Ok((false, Arc::clone(set)));
        }
        let mut scaled = (**set).clone();
        scaled.replicas = Some(size);
        let noted = revisions::note_replicas(&mut scaled, deployment);
        if before == size && !noted {
            return Ok((false, Arc::clone(set)));
        }
        let written = revisions::update(scaled, context)?;
        if before != size {
            self.tell_scaled(deployment, &set.metadata.name, before, size, context);
        }
        Ok((before != size, written))
    }

    pub(super) fn tell_scaled(
        &mut self,
        deployment: &Workload,
        set: &str,
        before: i32,
        size: i32,
        context: &mut Context<'_>,
    ) {
        let way = if before < size { "up" } else { "down" };
        let words = format!("Scaled {way} replica set {set} from {before} to {size}");
        self.recorder.normal(context.server, involved(deployment), "ScalingReplicaSet", words);
    }

    /// Deletes the oldest ReplicaSets without pods that are more than the Deployment keeps (`cleanupDeployment`).
    pub(super) fn clean_up(
        deployment: &Workload,
        old: &[Arc<Workload>],
        context: &mut Context<'_>,
    ) -> Result<(), ApiError> {
        let Some(limit) = deployment.control.revision_history_limit else { return Ok(()) };
        let is_alive = |set: &&Arc<Workload>| set.metadata.deletion_timestamp.is_none();
        let mut sets: Vec<_> = old.iter().filter(is_alive).collect();
        let excess = sets.len().saturating_sub(usize::try_from(limit).unwrap_or(0));
        sets.sort_by(|a, b| {
            let by_revision = revisions::number(a).cmp(&revisions::number(b));
            by_revision.then_with(|| revisions::age_order(a, b))
        });
        for set in sets.into_iter().take(excess) {
            let is_empty = set.status.replicas == 0 && wanted(set) == 0;
            if !is_empty || set.metadata.generation > set.status.observed_generation {
                continue;
            }
            let kind = Kind::Workload(SETS);
            match context.server.delete(kind, &set.metadata.key(), &DeleteOptions::default()) {
                Ok(()) | Err(ApiError::NotFound(..)) => {}
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }
}

/// How many pods a Deployment or ReplicaSet should have.
pub(super) fn wanted(workload: &Workload) -> i32 {
    workload.replicas.unwrap_or(1)
}

/// Whether old pods make way one after the other.
pub(super) fn is_rolling(deployment: &Workload) -> bool {
    deployment.update_strategy.as_ref().is_none_or(|strategy| strategy.kind == "RollingUpdate")
}

/// The ReplicaSets that should have pods (`FilterActiveReplicaSets`).
pub(super) fn active(sets: &[Arc<Workload>]) -> Vec<Arc<Workload>> {
    sets.iter().filter(|set| wanted(set) > 0).cloned().collect()
}

/// How many pods they should have.
pub(super) fn size_of(sets: &[Arc<Workload>]) -> i32 {
    sets.iter().map(|set| wanted(set)).sum()
}

/// How many of their pods are available.
pub(super) fn available(sets: &[Arc<Workload>]) -> i32 {
    sets.iter().map(|set| set.status.available_replicas).sum()
}

/// The only ReplicaSet with pods, or if there is none, the newest. None if several have pods (`FindActiveOrLatest`).
fn active_or_latest(sets: &Sets) -> Option<Arc<Workload>> {
    let mut old = sets.old.clone();
    old.sort_by(|a, b| revisions::age_order(b, a));
    let mut all = active(&old);
    all.extend(sets.new.iter().filter(|set| wanted(set) > 0).cloned());
    match &all[..] {
        [] => sets.new.clone().or_else(|| old.first().cloned()),
        [only] => Some(Arc::clone(only)),
        _ => None,
    }
}

/// Whether the new ReplicaSet has all the pods, and all of them are available (`IsSaturated`).
fn is_saturated(deployment: &Workload, new: Option<&Workload>) -> bool {
    let all = wanted(deployment);
    new.is_some_and(|new| {
        wanted(new) == all
            && revisions::desired(new) == Some(all)
            && new.status.available_replicas == all
    })
}

/// What each ReplicaSet gets of the pods that come or go; the largest gets what is left.
fn proportions(deployment: &Workload, mut sets: Vec<Arc<Workload>>) -> Vec<(Arc<Workload>, i32)> {
    let all = wanted(deployment);
    let allowed = if all > 0 { all.saturating_add(max_surge(deployment)) } else { 0 };
    let to_add = allowed - size_of(&sets);
    let by_size = |a: &Arc<Workload>, b: &Arc<Workload>| wanted(b).cmp(&wanted(a));
    match to_add {
        // Of ReplicaSets of one size the newer grows first, and the older shrinks first.
        1.. => sets.sort_by(|a, b| by_size(a, b).then_with(|| revisions::age_order(b, a))),
        ..=-1 => sets.sort_by(|a, b| by_size(a, b).then_with(|| revisions::age_order(a, b))),
        0 => {}
    }
    let mut added = 0;
    let mut sized: Vec<(Arc<Workload>, i32)> = Vec::new();
    for set in sets {
        let share = proportion(&set, deployment, to_add, added);
        let size = wanted(&set) + share;
        added += share;
        sized.push((set, size));
    }
    if let Some((_, size)) = sized.first_mut().filter(|_| to_add != 0) {
        *size = (*size + to_add - added).max(0);
    }
    sized
}

/// `GetReplicaSetProportion`.
fn proportion(set: &Workload, deployment: &Workload, to_add: i32, added: i32) -> i32 {
    if wanted(set) == 0 || to_add == 0 || to_add == added {
        return 0;
    }
    let share = fraction(set, deployment);
    let allowed = to_add - added;
    if to_add > 0 { share.min(allowed) } else { share.max(allowed) }
}

/// `getReplicaSetFraction`.
fn fraction(set: &Workload, deployment: &Workload) -> i32 {
    let (size, all) = (wanted(set), wanted(deployment));
    if all == 0 {
        return -size;
    }
    let most = all.saturating_add(max_surge(deployment));
    let noted = revisions::most(set).filter(|noted| *noted != 0);
    let before = noted.unwrap_or(deployment.status.replicas);
    if before == 0 {
        return 0;
    }
    let new = f64::from(size.wrapping_mul(most)) / f64::from(before);
    // `integer.RoundToInt32`: halves go away from zero.
    let half = if new < 0.0 { -0.5 } else { 0.5 };
    (new + half) as i32 - size
}

/// Pods that a Deployment may have above what it wants (`MaxSurge`).
pub(super) fn max_surge(deployment: &Workload) -> i32 {
    fenceposts(deployment).0
}

/// Pods that a Deployment may lack (`MaxUnavailable`).
pub(super) fn max_unavailable(deployment: &Workload) -> i32 {
    if wanted(deployment) == 0 { 0 } else { fenceposts(deployment).1.min(wanted(deployment)) }
}

/// Both, for a Deployment that rolls; there is always one that is not 0 (`ResolveFenceposts`).
fn fenceposts(deployment: &Workload) -> (i32, i32) {
    if !is_rolling(deployment) {
        return (0, 0);
    }
    let default = UpdateStrategy::default();
    let strategy = deployment.update_strategy.as_ref().unwrap_or(&default);
    let all = wanted(deployment);
    let surge = share(strategy.max_surge.as_ref(), all, true);
    let unavailable = share(strategy.max_unavailable.as_ref(), all, false);
    if surge == 0 && unavailable == 0 { (0, 1) } else { (surge, unavailable) }
}

/// How many pods the new ReplicaSet should have, which has `size` now (`NewRSNewReplicas`).
pub(super) fn new_replicas(deployment: &Workload, others: &[Arc<Workload>], size: i32) -> i32 {
    let all = wanted(deployment);
    if !is_rolling(deployment) {
        return all;
    }
    let surge = deployment.update_strategy.as_ref().and_then(|s| s.max_surge.as_ref());
    let most = all.saturating_add(share(surge, all, true));
    let now = size_of(others) + size;
    if now >= most { size } else { size + (most - now).min(all - size) }
}
