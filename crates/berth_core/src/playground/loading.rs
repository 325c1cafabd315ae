//! A playground in the making, for those who cannot wait until all of it is there.

use alloc::sync::Arc;
use alloc::vec::{IntoIter, Vec};
use core::iter::Chain;

use super::scheduling::Scheduling;
use super::{Machine, Playground, budgets, profiles};
use crate::api::{Kind, Object};
use crate::cluster::{Cluster, Refresh};
use crate::framework::config::Configuration;
use crate::framework::profile::{Profile, ProfileError};

/// A playground whose objects are loaded step by step.
#[derive(Debug)]
pub struct Loading {
    cluster: Cluster,
    configuration: Configuration,
    profiles: Vec<Profile>,
    machine: Machine,
    stale: budgets::Stale,
    /// What is still to be loaded.
    left: Chain<IntoIter<Object>, IntoIter<Object>>,
}

impl Loading {
    /// Nothing is loaded yet.
    ///
    /// # Errors
    ///
    /// Fails when the configuration cannot be run.
    pub fn new(
        objects: impl IntoIterator<Item = Object>,
        configuration: Configuration,
        machine: Machine,
    ) -> Result<Self, ProfileError> {
        let profiles = profiles(&configuration)?;
        // Pods last: they go to nodes.
        let (pods, others): (Vec<Object>, Vec<Object>) =
            objects.into_iter().partition(|object| object.kind() == Kind::Pod);
        Ok(Self {
            cluster: Cluster::default(),
            configuration,
            profiles,
            machine,
            stale: budgets::Stale::default(),
            left: others.into_iter().chain(pods),
        })
    }

    /// Loads so many objects at most. Returns whether there are more.
    pub fn step(&mut self, most: usize) -> bool {
        for _ in 0..most {
            let Some(object) = self.left.next() else { return false };
            self.cluster.put(&object);
            if object.kind() == Kind::PodDisruptionBudget {
                self.stale.note(&self.cluster, Some(&object));
            }
        }
        true
    }

    /// The playground, with all that is not loaded yet.
    pub fn finish(mut self) -> Playground {
        while self.step(usize::MAX) {}
        let Self { mut cluster, configuration, profiles, machine, mut stale, .. } = self;
        stale.settle(&mut cluster);
        cluster.update_snapshot(Refresh::All);
        let scheduling = Arc::new(Scheduling::new(&mut cluster, &profiles, &configuration));
        Playground {
            cluster,
            scheduling,
            machine,
            configuration: Arc::new(configuration),
            profiles,
            seed: 0,
            done: Vec::new(),
            undone: Vec::new(),
            revision: 0,
            stale,
        }
    }
}
