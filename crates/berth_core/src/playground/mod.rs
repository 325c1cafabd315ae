//! The engine as a value: a cluster that commands change, and that can be asked why.
//!
//! The log of commands is the state: the same commands from the same start give the same cluster,
//! so undo, links and reports need nothing else.

mod budgets;
pub mod command;
mod loading;
mod machine;
mod moment;
mod scheduling;
#[cfg(test)]
mod tests;
mod validate;

use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;

pub use command::{Applied, Attempt, AttemptResult, Command, CommandError, Outcome, Run, Victim};
pub use loading::Loading;
pub use machine::Machine;

use crate::api::{Kind, Object, ObjectKey, Pod};
use crate::cluster::{Cluster, Inverse, PodInfo, Refresh};
use crate::controllers::disruption::Sync;
use crate::explain::post_filter::PreemptionNode;
use crate::explain::{Explanation, explain, explain_briefly, outcome};
use crate::framework::config::Configuration;
use crate::framework::cycle::{self, Decision};
use crate::framework::fact::Silent;
use crate::framework::profile::{Profile, ProfileError};
use crate::preemption::{self, Preemption};
use scheduling::Scheduling;

/// A cluster under study.
#[derive(Clone, Debug)]
pub struct Playground {
    cluster: Cluster,
    configuration: Arc<Configuration>,
    profiles: Vec<Profile>,
    seed: u64,
    done: Vec<Entry>,
    undone: Vec<Entry>,
    revision: u32,
    scheduling: Arc<Scheduling>,
    machine: Machine,
    /// Budgets to be computed anew before anybody looks.
    stale: budgets::Stale,
}

/// A command with the way back (or, once undone, forth).
#[derive(Clone, Debug)]
struct Entry {
    command: Command,
    steps: Vec<Step>,
}

#[derive(Clone, Debug)]
enum Step {
    Cluster(Inverse),
    Configuration(Arc<Configuration>),
    Seed(u64),
    Scheduling(Arc<Scheduling>),
}

impl Playground {
    /// Loads objects, which are not commands: undo ends here.
    pub fn new(
        objects: impl IntoIterator<Item = Object>,
        configuration: Configuration,
    ) -> Result<Self, ProfileError> {
        Self::with_machine(objects, configuration, Machine::WHOLE)
    }

    /// The same, run by another machine.
    pub fn with_machine(
        objects: impl IntoIterator<Item = Object>,
        configuration: Configuration,
        machine: Machine,
    ) -> Result<Self, ProfileError> {
        let mut loading = Loading::new(objects, configuration, machine)?;
        while loading.step(usize::MAX) {}
        Ok(loading.finish())
    }

    /// A copy to try things on: it has no history, and nobody waits in its queue, so that trying costs little.
    #[must_use]
    pub fn scratch(&self) -> Self {
        Self {
            cluster: self.cluster.clone(),
            configuration: Arc::clone(&self.configuration),
            profiles: self.profiles.clone(),
            seed: self.seed,
            done: Vec::new(),
            undone: Vec::new(),
            revision: 0,
            scheduling: Arc::new(Scheduling::idle(&self.configuration)),
            machine: self.machine,
            stale: self.stale.clone(),
        }
    }

    /// Goes on with another machine.
    pub fn set_machine(&mut self, machine: Machine) {
        self.machine = machine;
    }

    /// The cluster as it stands.
    pub fn cluster(&self) -> &Cluster {
        &self.cluster
    }

    /// The scheduler's configuration.
    pub fn configuration(&self) -> &Configuration {
        &self.configuration
    }

    /// The profile that a pod asks for.
    pub fn profile_of(&self, pod: &Pod) -> Result<&Profile, CommandError> {
        let name = &pod.spec.scheduler_name;
        self.profiles
            .iter()
            .find(|profile| profile.scheduler_name == *name)
            .ok_or_else(|| CommandError::NoProfile(name.clone()))
    }

    /// What the disruption controller would find about a budget now, whatever its status says: how its numbers come
    /// about. None if the budget is not there.
    pub fn sync_budget(&self, key: &ObjectKey) -> Option<Sync> {
        budgets::now(&self.cluster, key)
    }

    /// What decides among nodes with equal totals.
    pub fn seed(&self) -> u64 {
        self.seed
    }

    /// Counts every change, undo and redo included.
    pub fn revision(&self) -> u32 {
        self.revision
    }

    /// The commands so far, oldest first.
    pub fn log(&self) -> impl DoubleEndedIterator<Item = &Command> {
        self.done.iter().map(|entry| &entry.command)
    }

    /// The commands so far, then those that were taken back, in the order in which they would be done again.
    pub fn whole_log(&self) -> impl Iterator<Item = &Command> {
        self.log().chain(self.undone.iter().rev().map(|entry| &entry.command))
    }

    /// The command that `undo` would take back.
    pub fn next_undo(&self) -> Option<&Command> {
        self.done.last().map(|entry| &entry.command)
    }

    /// The command that `redo` would do again.
    pub fn next_redo(&self) -> Option<&Command> {
        self.undone.last().map(|entry| &entry.command)
    }

    /// Carries out a command, whole or not at all.
    pub fn apply(&mut self, command: Command) -> Result<Applied, CommandError> {
        let mut steps = Vec::new();
        let scheduling = Arc::clone(&self.scheduling);
        if !command.schedules() {
            self.pass_time();
        }
        let outcome = self.run(&command, &mut steps);
        if !Arc::ptr_eq(&scheduling, &self.scheduling) {
            steps.push(Step::Scheduling(scheduling));
        }
        match outcome {
            // The scheduler found no node, or no pod: there is nothing to undo.
            Ok(outcome) if steps.is_empty() => Ok(Applied { revision: self.revision, outcome }),
            Ok(outcome) => {
                self.done.push(Entry { command, steps });
                self.undone.clear();
                Ok(Applied { revision: self.changed(), outcome })
            }
            Err(error) => {
                self.revert(steps);
                self.settle();
                Err(error)
            }
        }
    }

    /// Whether the API server would take an object, as far as the machine looks at that.
    pub fn admits(&self, object: &Object) -> Result<(), CommandError> {
        (self.machine.admit)(&self.cluster, object)
    }

    /// Takes the last command back. False if there is none.
    pub fn undo(&mut self) -> bool {
        let Some(Entry { command, steps }) = self.done.pop() else { return false };
        let steps = self.revert(steps);
        self.undone.push(Entry { command, steps });
        self.changed();
        true
    }

    /// Does the last command that was taken back again. False if there is none.
    pub fn redo(&mut self) -> bool {
        let Some(Entry { command, steps }) = self.undone.pop() else { return false };
        let steps = self.revert(steps);
        self.done.push(Entry { command, steps });
        self.changed();
        true
    }

    /// Why a pod goes where it goes. A pod that stands on a node is taken out first: the answer is
    /// where it could go now.
    pub fn explain(&mut self, key: &ObjectKey) -> Result<Explanation, CommandError> {
        self.with_waiting(key, explain)
    }

    /// As `explain`, with the steps of those dry runs that are looked at first: see [`explain_briefly`].
    pub fn explain_briefly(&mut self, key: &ObjectKey) -> Result<Explanation, CommandError> {
        self.with_waiting(key, explain_briefly)
    }

    /// Where a pod could go, without the reasons. As `explain` otherwise.
    pub fn decide(&mut self, key: &ObjectKey) -> Result<Decision, CommandError> {
        self.with_waiting(key, self.machine.decide)
    }

    /// Whom a pod that fits nowhere would preempt, without the steps. `None` if it fits somewhere,
    /// cannot be filtered, or its profile does not preempt. As `explain` otherwise.
    pub fn preempt(&mut self, key: &ObjectKey) -> Result<Option<Preemption<Silent>>, CommandError> {
        self.with_waiting(key, |cluster, profile, pod| {
            let Decision::Filtered(placement) = cycle::decide(cluster, profile, pod) else {
                return None;
            };
            if !placement.feasible.is_empty() {
                return None;
            }
            preemption::decide(cluster, profile, pod, &placement.rejected)
        })
    }

    /// Asks about a pod as it waits: one that stands on a node is taken off for the time.
    pub(crate) fn with_waiting<T>(
        &mut self,
        key: &ObjectKey,
        ask: impl FnOnce(&mut Cluster, &Profile, &PodInfo) -> T,
    ) -> Result<T, CommandError> {
        let pod = Arc::clone(&self.pod(key)?.pod);
        let profile = self.profile_of(&pod)?.clone();
        if pod.spec.node_name.is_empty() {
            let info = self.pod(key)?.clone();
            return Ok(ask(&mut self.cluster, &profile, &info));
        }
        let mut waiting = (*pod).clone();
        waiting.spec.node_name.clear();
        let inverse = self.cluster.change_put(&Object::Pod(Arc::new(waiting)));
        self.cluster.update_snapshot(Refresh::All);
        let info = self.pod(key)?.clone();
        let answer = ask(&mut self.cluster, &profile, &info);
        self.cluster.revert(inverse);
        self.cluster.update_snapshot(Refresh::All);
        Ok(answer)
    }

    fn pod(&self, key: &ObjectKey) -> Result<&PodInfo, CommandError> {
        self.cluster
            .pod_named(key)
            .and_then(|idx| self.cluster.pod(idx))
            .ok_or_else(|| CommandError::NotFound(Kind::Pod, key.clone()))
    }

    fn changed(&mut self) -> u32 {
        self.settle();
        self.revision += 1;
        self.revision
    }

    /// Brings what is derived from the objects up to date.
    fn settle(&mut self) {
        self.stale.settle(&mut self.cluster);
        self.cluster.update_snapshot(Refresh::All);
    }

    /// Adds or replaces an object.
    fn put(&mut self, object: &Object, steps: &mut Vec<Step>) {
        let before = self.cluster.get(object.kind(), &object.key());
        self.stale.note(&self.cluster, before.as_ref());
        steps.push(Step::Cluster(self.cluster.change_put(object)));
        self.stale.note(&self.cluster, Some(object));
        self.notify(before.as_ref(), Some(object));
    }

    /// Removes an object.
    fn remove(
        &mut self,
        kind: Kind,
        key: &ObjectKey,
        steps: &mut Vec<Step>,
    ) -> Result<(), CommandError> {
        let before = self.cluster.get(kind, key);
        self.stale.note(&self.cluster, before.as_ref());
        let inverse = self.cluster.change_drop(kind, key);
        let inverse = inverse.ok_or_else(|| CommandError::NotFound(kind, key.clone()))?;
        steps.push(Step::Cluster(inverse));
        self.notify(before.as_ref(), None);
        Ok(())
    }

    /// Takes a change of the cluster back, and gives the change itself.
    fn take_back(&mut self, inverse: Inverse) -> Inverse {
        let (kind, key) = inverse.subject();
        let (kind, key) = (kind, key.clone());
        let before = self.cluster.get(kind, &key);
        self.stale.note(&self.cluster, before.as_ref());
        let again = self.cluster.revert(inverse);
        let after = self.cluster.get(kind, &key);
        self.stale.note(&self.cluster, after.as_ref());
        again
    }

    /// Takes steps back, last first; what comes out does them again when taken back in turn.
    fn revert(&mut self, steps: Vec<Step>) -> Vec<Step> {
        steps
            .into_iter()
            .rev()
            .map(|step| match step {
                Step::Cluster(inverse) => Step::Cluster(self.take_back(inverse)),
                Step::Configuration(before) => {
                    // It was in use before, so its profiles can run.
                    self.profiles = profiles(&before).unwrap_or_default();
                    Step::Configuration(core::mem::replace(&mut self.configuration, before))
                }
                Step::Seed(before) => Step::Seed(core::mem::replace(&mut self.seed, before)),
                Step::Scheduling(before) => {
                    Step::Scheduling(core::mem::replace(&mut self.scheduling, before))
                }
            })
            .collect()
    }

    fn run(&mut self, command: &Command, steps: &mut Vec<Step>) -> Result<Outcome, CommandError> {
        match command {
            Command::Put(object) => {
                (self.machine.admit)(&self.cluster, object)?;
                self.put(object, steps);
                Ok(Outcome::Changed)
            }
            Command::Drop(kind, key) => {
                self.remove(*kind, key, steps)?;
                Ok(Outcome::Changed)
            }
            Command::Configure(configuration) => {
                self.profiles = profiles(configuration).map_err(CommandError::Profile)?;
                let before = core::mem::replace(
                    &mut self.configuration,
                    Arc::new((**configuration).clone()),
                );
                steps.push(Step::Configuration(before));
                // The scheduler starts anew.
                let new = Scheduling::new(&mut self.cluster, &self.profiles, configuration);
                self.scheduling = Arc::new(new);
                Ok(Outcome::Changed)
            }
            Command::Reseed(seed) => {
                steps.push(Step::Seed(core::mem::replace(&mut self.seed, *seed)));
                Ok(Outcome::Changed)
            }
            Command::Place { pod, node } => self.place(pod, node, steps),
            Command::Return { pod } => {
                let mut waiting = (*self.pod(pod)?.pod).clone();
                waiting.spec.node_name.clear();
                self.put(&Object::Pod(Arc::new(waiting)), steps);
                Ok(Outcome::Changed)
            }
            Command::Schedule { pod } => self.schedule(pod, steps),
            Command::Preempt { pod } => self.make_room(pod, steps),
            Command::ScheduleNext => {
                Ok(Outcome::Ran((self.machine.schedule_queue)(self, Some(1), steps)?))
            }
            Command::ScheduleAll => {
                Ok(Outcome::Ran((self.machine.schedule_queue)(self, None, steps)?))
            }
            Command::Batch { commands, .. } => {
                let mut outcome = Outcome::Changed;
                for command in commands {
                    outcome = self.run(command, steps)?;
                    self.settle();
                }
                Ok(outcome)
            }
        }
    }

    /// Puts a pod on a node, whether or not the scheduler would.
    fn place(
        &mut self,
        key: &ObjectKey,
        node: &str,
        steps: &mut Vec<Step>,
    ) -> Result<Outcome, CommandError> {
        let there = self
            .cluster
            .node_named(node)
            .filter(|idx| self.cluster.node(*idx).is_some_and(|info| info.node.is_some()));
        let there = there.ok_or_else(|| {
            CommandError::NotFound(Kind::Node, ObjectKey::new(String::new(), node))
        })?;
        let fits = match self.decide(key)? {
            Decision::Filtered(placement) => placement.feasible.contains(&there),
            _ => false,
        };
        self.bind(key, node, steps)?;
        Ok(Outcome::Placed { node: node.into(), bypassed: !fits, ties: 1 })
    }

    /// Lets the scheduler choose; among equals the seed decides.
    fn schedule(
        &mut self,
        key: &ObjectKey,
        steps: &mut Vec<Step>,
    ) -> Result<Outcome, CommandError> {
        let Decision::Filtered(placement) = self.decide(key)? else {
            return Ok(Outcome::NotPlaced);
        };
        let ties = placement.best.len() as u32;
        let pick = self.pick(key, ties);
        let node = placement.best.get(pick as usize).and_then(|idx| self.cluster.node(*idx));
        let Some(node) = node.map(|node| Arc::clone(&node.name)) else {
            return Ok(Outcome::NotPlaced);
        };
        self.bind(key, &node, steps)?;
        Ok(Outcome::Placed { node: (*node).into(), bypassed: false, ties })
    }

    /// Lets the scheduler preempt; among equal candidates the seed decides.
    fn make_room(
        &mut self,
        key: &ObjectKey,
        steps: &mut Vec<Step>,
    ) -> Result<Outcome, CommandError> {
        let explanation = self.explain_briefly(key)?;
        let Some(picked) = self.pick_candidate(&explanation) else {
            return Ok(Outcome::NotPlaced);
        };
        let mut victims = Vec::with_capacity(picked.victims.len());
        for pod in picked.victims() {
            let victim = pod.metadata.key();
            self.remove(Kind::Pod, &victim, steps)?;
            victims.push(victim);
        }
        for lower in &picked.cleared {
            self.nominate(lower, "", steps)?;
        }
        self.bind(key, &picked.name, steps)?;
        let ties = explanation.preemption().map_or(1, |found| found.choice.ties.len() as u32);
        Ok(Outcome::Preempted { node: (*picked.name).into(), victims, ties })
    }

    /// The candidate that the seed picks, of those that kube-scheduler may take to make room for
    /// the pod.
    pub fn pick_candidate<'a>(&self, explanation: &'a Explanation) -> Option<&'a PreemptionNode> {
        outcome::picked(explanation, self.seed)
    }

    /// Which of so many equal nodes the seed picks for a pod.
    pub fn pick(&self, key: &ObjectKey, ties: u32) -> u32 {
        outcome::pick(self.seed, key, ties)
    }

    fn bind(
        &mut self,
        key: &ObjectKey,
        node: &str,
        steps: &mut Vec<Step>,
    ) -> Result<(), CommandError> {
        let mut bound = (*self.pod(key)?.pod).clone();
        bound.spec.node_name = node.into();
        bound.status.nominated_node_name.clear();
        self.put(&Object::Pod(Arc::new(bound)), steps);
        Ok(())
    }
}

fn profiles(configuration: &Configuration) -> Result<Vec<Profile>, ProfileError> {
    configuration.profiles.iter().map(Profile::new).collect()
}
