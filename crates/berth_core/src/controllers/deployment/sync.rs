//! What the controller does about one Deployment.
//!
//! Mirrors `syncDeployment` of `deployment_controller.go` and `sync` of `sync.go`.

use alloc::borrow::ToOwned;
use alloc::sync::Arc;
use alloc::vec::Vec;

use super::{DeploymentController, KIND, SETS, revisions, scale};
use crate::api::{LabelSelector, ObjectKey, Selector, Workload};
use crate::controllers::ownership::claim_sets;
use crate::controllers::pod_control::involved;
use crate::simulation::Context;
use crate::simulation::server::ApiError;

/// The ReplicaSets of a Deployment: the one with its template, if it is there, and the others.
pub(super) struct Sets {
    pub(super) new: Option<Arc<Workload>>,
    pub(super) old: Vec<Arc<Workload>>,
}

impl Sets {
    /// All of them, the new one last.
    pub(super) fn all(&self) -> Vec<Arc<Workload>> {
        self.old.iter().chain(&self.new).cloned().collect()
    }
}

impl DeploymentController {
    pub(super) fn sync_deployment(
        &mut self,
        key: &ObjectKey,
        context: &mut Context<'_>,
    ) -> Result<(), ApiError> {
        let Some(deployment) = context.cache.workload(KIND, key) else { return Ok(()) };
        let mut deployment = (**deployment).clone();
        if deployment.selector.as_ref() == Some(&LabelSelector::default()) {
            let words = "This deployment is selecting all pods. A non-empty selector is required.";
            let object = involved(&deployment);
            self.recorder.warning(context.server, object, "SelectingAll", words.to_owned());
            return Ok(());
        }
        let Ok(selector) = Selector::from_label_selector(deployment.selector.as_ref()) else {
            return Ok(());
        };
        let in_namespace = |set: &&Arc<Workload>| set.metadata.namespace == key.namespace;
        let sets = context.cache.workloads(SETS).filter(in_namespace).cloned().collect();
        let mut sets = claim_sets(context, &deployment, &selector, sets)?;
        revisions::by_age(&mut sets);
        if deployment.metadata.deletion_timestamp.is_some() {
            let sets = self.revisions(&mut deployment, &sets, false, context)?;
            return Self::sync_status(&deployment, &sets, context);
        }
        Self::note_pause(&mut deployment, context)?;
        if deployment.control.paused || self.is_scaling(&mut deployment, &sets, context)? {
            return self.sync_scale(&mut deployment, &sets, context);
        }
        if scale::is_rolling(&deployment) {
            self.roll(&mut deployment, &sets, context)
        } else {
            self.recreate(&mut deployment, &sets, context)
        }
    }

    /// Whether the number of pods was changed since its ReplicaSets were last scaled (`isScalingEvent`).
    fn is_scaling(
        &mut self,
        deployment: &mut Workload,
        sets: &[Arc<Workload>],
        context: &mut Context<'_>,
    ) -> Result<bool, ApiError> {
        let sets = self.revisions(deployment, sets, false, context)?;
        Ok(scale::active(&sets.all()).iter().any(|set| {
            revisions::desired(set).is_some_and(|desired| desired != scale::wanted(deployment))
        }))
    }

    /// Scales, and nothing else (`sync`).
    fn sync_scale(
        &mut self,
        deployment: &mut Workload,
        sets: &[Arc<Workload>],
        context: &mut Context<'_>,
    ) -> Result<(), ApiError> {
        let sets = self.revisions(deployment, sets, false, context)?;
        self.scale(deployment, &sets, context)?;
        if deployment.control.paused {
            Self::clean_up(deployment, &sets.old, context)?;
        }
        Self::sync_status(deployment, &sets, context)
    }
}
