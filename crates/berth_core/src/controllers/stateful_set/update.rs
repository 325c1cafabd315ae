//! What the controller does about one StatefulSet: pods come in ascending order of their numbers and go in descending
//! order, each once the one before is well. With `Parallel` nobody waits, but for a new template.
//!
//! Mirrors `updateStatefulSet` of `stateful_set_control.go` and `stateful_set_utils.go`. Deviation: a status that somebody
//! else has changed meanwhile is written in the next attempt.

use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::ToString;
use alloc::sync::Arc;
use alloc::vec::Vec;

use super::controller::{StatefulSetController, by_ordinal};
use super::revisions::{REVISION_LABEL, Revision, revision_of};
use crate::api::{Kind, Object, ObjectKey, Pod, PodPhase, Workload, WorkloadStatus};
use crate::apiserver::DeleteOptions;
use crate::controllers::at_once;
use crate::controllers::availability::is_available;
use crate::controllers::pod_control::{from_template, involved};
use crate::controllers::recorder::Recorder;
use crate::simulation::Context;
use crate::simulation::server::{ApiError, Part};

/// The label with the name of a pod.
const NAME_LABEL: &str = "statefulset.kubernetes.io/pod-name";
/// The label with the number of a pod.
const INDEX_LABEL: &str = "apps.kubernetes.io/pod-index";

/// A pod that the set should have, by its number.
enum Replica {
    /// It is there.
    There(Arc<Pod>),
    /// It is to be made.
    Missing(Arc<Pod>),
}

impl Replica {
    const fn there(&self) -> Option<&Arc<Pod>> {
        match self {
            Self::There(pod) => Some(pod),
            Self::Missing(_) => None,
        }
    }

    fn name(&self) -> &str {
        match self {
            Self::There(pod) | Self::Missing(pod) => &pod.metadata.name,
        }
    }
}

/// Whether a controller that goes one step at a time has to wait.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Step {
    Wait,
    GoOn,
}

/// What one round is about.
struct Round<'a> {
    set: &'a Arc<Workload>,
    current: &'a Revision,
    update: &'a Revision,
    /// By number, from the first on.
    replicas: Vec<Replica>,
    /// Those with other numbers, in descending order.
    condemned: Vec<Arc<Pod>>,
    /// The first that is not available.
    unhealthy: Option<&'a str>,
}

impl StatefulSetController {
    /// Takes the next steps and writes the status (`UpdateStatefulSet`).
    pub(super) fn update(
        &mut self,
        set: &Arc<Workload>,
        pods: &[Arc<Pod>],
        context: &mut Context<'_>,
    ) -> Result<WorkloadStatus, ApiError> {
        let (current, update) = self.histories.revisions(set);
        let mut status = WorkloadStatus {
            observed_generation: set.metadata.generation,
            current_revision: current.name.clone(),
            update_revision: update.name.clone(),
            collision_count: Some(set.status.collision_count.unwrap_or(0)),
            ..WorkloadStatus::default()
        };
        let (replicas, condemned) = partition(set, pods, &current, &update);
        let unhealthy = first_unhealthy(set, &replicas, &condemned, context);
        let unhealthy = unhealthy.as_deref();
        let round =
            Round { set, current: &current, update: &update, replicas, condemned, unhealthy };
        let mut outcome = Ok(());
        if set.metadata.deletion_timestamp.is_some() {
            round.count(&mut status, &pods.iter().collect::<Vec<_>>(), context);
        } else {
            outcome = self.steps(&round, &mut status, context);
        }
        let written = self.write_status(set, &mut status, context);
        self.histories.truncate(set, pods, [&current.name, &update.name]);
        outcome.and(written).map(|()| status)
    }

    fn steps(
        &mut self,
        round: &Round<'_>,
        status: &mut WorkloadStatus,
        context: &mut Context<'_>,
    ) -> Result<(), ApiError> {
        let numbers: Vec<usize> = (0..round.replicas.len()).collect();
        let lived = self.each(round, &numbers, context, Self::process_replica);
        let done = match lived {
            Ok(Step::GoOn) => {
                let numbers: Vec<usize> = (0..round.condemned.len()).collect();
                self.each(round, &numbers, context, |this, round, number, context| {
                    round.process_condemned(number, &mut this.recorder, context)
                })
            }
            other => other,
        };
        let there = round.replicas.iter().filter_map(Replica::there);
        let all: Vec<&Arc<Pod>> = there.chain(&round.condemned).collect();
        round.count(status, &all, context);
        if done? == Step::GoOn && round.rolls() {
            round.replace_one(status, &mut self.recorder, context)?;
        }
        Ok(())
    }

    /// Goes through all until one has to wait; or with `Parallel`, in batches that double until one fails (`runForAll`).
    fn each(
        &mut self,
        round: &Round<'_>,
        numbers: &[usize],
        context: &mut Context<'_>,
        mut step: impl FnMut(&mut Self, &Round<'_>, usize, &mut Context<'_>) -> Result<Step, ApiError>,
    ) -> Result<Step, ApiError> {
        if !round.set.control.parallel {
            for number in numbers {
                if step(self, round, *number, context)? == Step::Wait {
                    return Ok(Step::Wait);
                }
            }
            return Ok(Step::GoOn);
        }
        let (mut rest, mut batch) = (numbers, 1);
        while !rest.is_empty() {
            let (now, later) = rest.split_at(batch.min(rest.len()));
            let mut outcome = Ok(());
            for number in at_once(now) {
                outcome = outcome.and(step(self, round, *number, context).map(drop));
            }
            outcome?;
            (rest, batch) = (later, 2 * batch);
        }
        Ok(Step::GoOn)
    }

    /// Makes a pod that is missing, and waits for it to be well (`processReplica`).
    fn process_replica(
        &mut self,
        round: &Round<'_>,
        number: usize,
        context: &mut Context<'_>,
    ) -> Result<Step, ApiError> {
        let set = round.set;
        let wait = if set.control.parallel { Step::GoOn } else { Step::Wait };
        let pod = match round.replicas.get(number) {
            None => return Ok(Step::GoOn),
            Some(Replica::Missing(pod)) => {
                self.create(set, pod, context)?;
                return Ok(wait);
            }
            Some(Replica::There(pod)) => pod,
        };
        if pod.status.phase.is_terminal() {
            if pod.metadata.deletion_timestamp.is_none() {
                delete(set, pod, &mut self.recorder, context)?;
            }
            return Ok(Step::Wait);
        }
        let is_well = pod.metadata.deletion_timestamp.is_none()
            && is_running(pod)
            && is_available(context.server, pod, set.control.min_ready_seconds);
        if !is_well && wait == Step::Wait {
            return Ok(Step::Wait);
        }
        self.keep_identity(set, pod, context)?;
        Ok(Step::GoOn)
    }

    fn create(
        &mut self,
        set: &Arc<Workload>,
        pod: &Arc<Pod>,
        context: &mut Context<'_>,
    ) -> Result<(), ApiError> {
        match context.server.create(Object::Pod(Arc::clone(pod)), "") {
            Ok(created) => {
                self.consistency.wrote(&set.metadata.key(), &set.metadata.uid, &created);
                told(set, pod, "Create", None, &mut self.recorder, context);
                Ok(())
            }
            Err(error) => {
                if !matches!(error, ApiError::AlreadyExists(..)) {
                    told(set, pod, "Create", Some(&error), &mut self.recorder, context);
                }
                Err(error)
            }
        }
    }

    /// A pod that lost the labels that it is known by gets them again (`UpdateStatefulPod`).
    fn keep_identity(
        &mut self,
        set: &Arc<Workload>,
        pod: &Arc<Pod>,
        context: &mut Context<'_>,
    ) -> Result<(), ApiError> {
        if pod.metadata.labels.get(NAME_LABEL) == Some(&pod.metadata.name) {
            return Ok(());
        }
        let mut known = (**pod).clone();
        let number = known.metadata.name.rsplit('-').next().unwrap_or_default().to_owned();
        identify(&mut known, &number);
        match context.server.update(Object::Pod(Arc::new(known)), Part::Main) {
            Ok(written) => {
                self.consistency.wrote(&set.metadata.key(), &set.metadata.uid, &written);
                told(set, pod, "Update", None, &mut self.recorder, context);
                Ok(())
            }
            Err(error) => {
                told(set, pod, "Update", Some(&error), &mut self.recorder, context);
                Err(error)
            }
        }
    }

    /// Writes the status if it is another (`updateStatefulSetStatus`).
    fn write_status(
        &mut self,
        set: &Arc<Workload>,
        status: &mut WorkloadStatus,
        context: &mut Context<'_>,
    ) -> Result<(), ApiError> {
        let all = wanted(set);
        if is_rolling(set)
            && status.updated_replicas == all
            && status.ready_replicas == all
            && status.replicas == all
        {
            status.current_replicas = status.updated_replicas;
            status.current_revision.clone_from(&status.update_revision);
        }
        let known = &set.status;
        let same = |status: &WorkloadStatus| {
            let observed_generation = known.observed_generation;
            let collision_count = known.collision_count;
            **known == WorkloadStatus { observed_generation, collision_count, ..status.clone() }
        };
        if status.observed_generation <= known.observed_generation && same(status) {
            return Ok(());
        }
        let mut updated = (**set).clone();
        updated.status = Arc::new(status.clone());
        let written = context.server.update(Object::Workload(Arc::new(updated)), Part::Status)?;
        self.consistency.wrote(&set.metadata.key(), &set.metadata.uid, &written);
        Ok(())
    }
}

impl Round<'_> {
    fn available(&self, pod: &Pod, context: &Context<'_>) -> bool {
        is_available(context.server, pod, self.set.control.min_ready_seconds)
    }

    /// Counts pods (`updateStatus`).
    fn count(&self, status: &mut WorkloadStatus, pods: &[&Arc<Pod>], context: &Context<'_>) {
        let count = |is: &dyn Fn(&Pod) -> bool| pods.iter().filter(|pod| is(pod)).count() as i32;
        let stays = |pod: &Pod| pod.metadata.deletion_timestamp.is_none();
        status.replicas = pods.len() as i32;
        status.ready_replicas = count(&is_running);
        status.available_replicas = count(&|pod| is_running(pod) && self.available(pod, context));
        status.current_replicas = count(&|pod| stays(pod) && revision_of(pod) == self.current.name);
        status.updated_replicas = count(&|pod| stays(pod) && revision_of(pod) == self.update.name);
    }

    /// Deletes a pod that is too many (`processCondemned`).
    fn process_condemned(
        &self,
        number: usize,
        recorder: &mut Recorder,
        context: &mut Context<'_>,
    ) -> Result<Step, ApiError> {
        let Some(pod) = self.condemned.get(number) else { return Ok(Step::GoOn) };
        if pod.metadata.deletion_timestamp.is_some() {
            return Ok(if self.set.control.parallel { Step::GoOn } else { Step::Wait });
        }
        let is_well = is_running(pod) && self.available(pod, context);
        let is_first = self.unhealthy == Some(&*pod.metadata.name);
        if self.set.control.parallel || is_well || is_first {
            delete(self.set, pod, recorder, context)?;
        }
        Ok(Step::Wait)
    }

    fn rolls(&self) -> bool {
        let strategy = self.set.update_strategy.as_ref();
        strategy.is_none_or(|strategy| strategy.kind != "OnDelete")
    }

    /// Deletes the last pod of another template, if all after it are well.
    fn replace_one(
        &self,
        status: &mut WorkloadStatus,
        recorder: &mut Recorder,
        context: &mut Context<'_>,
    ) -> Result<(), ApiError> {
        let least = usize::try_from(partition_of(self.set)).unwrap_or(0);
        for replica in self.replicas.iter().skip(least).rev() {
            // One that was just made is of the right template, but not well yet.
            let Some(pod) = replica.there() else {
                let Replica::Missing(pod) = replica else { continue };
                if revision_of(pod) == self.update.name {
                    return Ok(());
                }
                delete(self.set, pod, recorder, context)?;
                status.current_replicas -= 1;
                return Ok(());
            };
            let stays = pod.metadata.deletion_timestamp.is_none();
            if revision_of(pod) != self.update.name && stays {
                delete(self.set, pod, recorder, context)?;
                status.current_replicas -= 1;
                return Ok(());
            }
            if !stays || !self.available(pod, context) {
                return Ok(());
            }
        }
        Ok(())
    }
}

/// The pods that the set should have, by number, and those that it should not, in descending order.
fn partition(
    set: &Arc<Workload>,
    pods: &[Arc<Pod>],
    current: &Revision,
    update: &Revision,
) -> (Vec<Replica>, Vec<Arc<Pod>>) {
    let first = set.first_ordinal;
    let end = first.saturating_add(wanted(set));
    let (inside, outside): (Vec<_>, Vec<_>) =
        by_ordinal(set, pods).into_iter().partition(|(number, _)| (first..end).contains(number));
    let mut inside = inside.into_iter().peekable();
    let replicas = (first..end).map(|number| match inside.next_if(|(next, _)| *next == number) {
        Some((_, pod)) => Replica::There(pod),
        None => Replica::Missing(Arc::new(new_pod(set, number, current, update))),
    });
    (replicas.collect(), outside.into_iter().rev().map(|(_, pod)| pod).collect())
}

/// The name of the first pod that is not available: of those that should be there, then of the others.
fn first_unhealthy(
    set: &Workload,
    replicas: &[Replica],
    condemned: &[Arc<Pod>],
    context: &Context<'_>,
) -> Option<alloc::string::String> {
    let is_unhealthy = |pod: &Pod| {
        pod.metadata.deletion_timestamp.is_some()
            || !is_available(context.server, pod, set.control.min_ready_seconds)
    };
    let replica =
        replicas.iter().find(|replica| replica.there().is_none_or(|pod| is_unhealthy(pod)));
    let other = || condemned.iter().rev().find(|pod| is_unhealthy(pod));
    let name = replica.map(Replica::name).or_else(|| Some(&*other()?.metadata.name));
    name.map(ToOwned::to_owned)
}

/// A pod of the revision that its number is to have (`newVersionedStatefulSetPod`).
fn new_pod(set: &Arc<Workload>, number: i32, current: &Revision, update: &Revision) -> Pod {
    let stays = is_rolling(set) && number < set.first_ordinal.saturating_add(partition_of(set));
    let revision = if stays { current } else { update };
    let template = (*revision.template).clone();
    let mut pod = from_template(&Workload { template, ..(**set).clone() });
    pod.metadata.name = format!("{}-{number}", set.metadata.name);
    identify(&mut pod, &number.to_string());
    pod.metadata.labels.insert(REVISION_LABEL.to_owned(), revision.name.clone());
    pod
}

/// The labels that a pod is known by (`updateIdentity`).
fn identify(pod: &mut Pod, number: &str) {
    let labels = &mut pod.metadata.labels;
    labels.insert(NAME_LABEL.to_owned(), pod.metadata.name.clone());
    labels.insert(INDEX_LABEL.to_owned(), number.to_owned());
}

fn delete(
    set: &Arc<Workload>,
    pod: &Pod,
    recorder: &mut Recorder,
    context: &mut Context<'_>,
) -> Result<(), ApiError> {
    let key: ObjectKey = pod.metadata.key();
    match context.server.delete(Kind::Pod, &key, &DeleteOptions::default()) {
        Ok(()) | Err(ApiError::NotFound(..)) => {
            told(set, pod, "Delete", None, recorder, context);
            Ok(())
        }
        Err(error) => {
            told(set, pod, "Delete", Some(&error), recorder, context);
            Err(error)
        }
    }
}

/// Reports what was done with a pod (`recordPodEvent`).
fn told(
    set: &Workload,
    pod: &Pod,
    verb: &str,
    error: Option<&ApiError>,
    recorder: &mut Recorder,
    context: &mut Context<'_>,
) {
    let what = format!("{verb} Pod {} in StatefulSet {}", pod.metadata.name, set.metadata.name);
    let (reason, message) = match (verb, error) {
        ("Create", None) => ("SuccessfulCreate", format!("{what} successful")),
        ("Update", None) => ("SuccessfulUpdate", format!("{what} successful")),
        (_, None) => ("SuccessfulDelete", format!("{what} successful")),
        ("Create", Some(error)) => ("FailedCreate", format!("{what} failed error: {error}")),
        ("Update", Some(error)) => ("FailedUpdate", format!("{what} failed error: {error}")),
        (_, Some(error)) => ("FailedDelete", format!("{what} failed error: {error}")),
    };
    if error.is_some() {
        recorder.warning(context.server, involved(set), reason, message);
    } else {
        recorder.normal(context.server, involved(set), reason, message);
    }
}

fn is_running(pod: &Pod) -> bool {
    pod.status.phase == PodPhase::Running && pod.is_ready()
}

fn is_rolling(set: &Workload) -> bool {
    set.update_strategy.as_ref().is_none_or(|strategy| strategy.kind == "RollingUpdate")
}

fn partition_of(set: &Workload) -> i32 {
    set.update_strategy.as_ref().map_or(0, |strategy| strategy.partition)
}

fn wanted(set: &Workload) -> i32 {
    set.replicas.unwrap_or(1)
}
