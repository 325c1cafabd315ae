//! A moment of a simulated cluster as a cluster under study.

use alloc::sync::Arc;

use super::scheduling::Scheduling;
use super::{Loading, Machine, Playground};
use crate::framework::config::Configuration;
use crate::framework::profile::ProfileError;
use crate::simulation::Simulation;

impl Playground {
    /// A simulated cluster as it is now: what the API server has, and the scheduler's queue with every pod at its place.
    ///
    /// # Errors
    ///
    /// Fails when the configuration cannot be run.
    pub fn of_moment(
        simulation: &Simulation,
        configuration: Configuration,
        machine: Machine,
    ) -> Result<Self, ProfileError> {
        let objects = simulation.objects().iter().cloned();
        let scheduler = simulation.scheduler();
        let mut new = Loading::new(objects, configuration, machine)?.finish();
        let queue = scheduler.scheduling_queue().clone();
        new.scheduling = Arc::new(Scheduling::at(queue, simulation.now()));
        new.seed = scheduler.seed();
        Ok(new)
    }
}
