//! The API server: objects, their versions, and who hears of what.
//!
//! A request is carried out at once, at the instant that the server is told ([`Server::now`]). What it changed is kept
//! as [`Change`]s until the simulation hands them out. Optimistic locking, generations, preconditions, graceful
//! deletion and the Eviction API are as in Kubernetes. Deviations: there are no finalizers; objects are not
//! validated; and a write that changes nothing is none.

mod admission;
mod error;
mod names;

use alloc::format;
use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;

pub use error::{ApiError, Conflict, resource};
use names::{Names, daemon_node};

use super::objects::Objects;
use crate::api::{Condition, Kind, Object, ObjectKey, ObjectMeta, PodPhase, Time, WorkloadKind};
use crate::apiserver::deletion::{Graceful, Moment, before_delete};
use crate::apiserver::{DeleteOptions, evict};
use crate::controllers::generate_selector;
use crate::queue::Instant;
use crate::queue::time::SECOND;

/// One write.
#[derive(Clone, Debug)]
pub struct Change {
    /// When.
    pub at: Instant,
    /// What was done.
    pub action: Action,
    /// The object before; none if it is new.
    pub old: Option<Object>,
    /// The object after, or for one that went, as it was last.
    pub object: Object,
}

/// What a write does to an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    /// The object is new.
    Added,
    /// The object is another now.
    Modified,
    /// The object is gone.
    Deleted,
}

impl Change {
    /// The object that is there from now on.
    pub fn present(&self) -> Option<&Object> {
        (self.action != Action::Deleted).then_some(&self.object)
    }
}

/// An event that a component reports about an object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report {
    /// Who reports it.
    pub source: Source,
    /// The object that it is about.
    pub kind: Kind,
    /// Its namespace and name.
    pub key: ObjectKey,
    /// Whether it is a `Warning`; else it is `Normal`.
    pub warning: bool,
    /// Why, in a word.
    pub reason: &'static str,
    /// What happened.
    pub message: String,
}

/// Who reports an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// A controller.
    Controller,
    /// The kubelet of the pod's node.
    Kubelet,
}

/// Which half of an object a write is about: the other half stays what it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// Everything but the status.
    Main,
    /// The status.
    Status,
}

/// The API server.
#[derive(Clone, Debug, Default)]
pub struct Server {
    objects: Objects,
    names: Names,
    version: u64,
    now: Instant,
    /// The wall clock at second 0.
    epoch: Time,
    changes: Vec<Arc<Change>>,
    reports: Vec<Report>,
    asked: bool,
}

impl Server {
    /// A server without objects; `epoch` is the time at second 0.
    pub fn new(epoch: Time) -> Self {
        Self { epoch, ..Self::default() }
    }

    // ---- time

    /// The instant.
    pub const fn now(&self) -> Instant {
        self.now
    }

    /// The time as objects have it, in whole seconds.
    pub const fn time(&self) -> Time {
        self.time_at(self.now)
    }

    /// The time to the nanosecond.
    pub const fn moment(&self) -> Moment {
        Moment { second: self.time(), nanos: self.now.0.rem_euclid(SECOND) as u32 }
    }

    /// The time at an instant.
    pub const fn time_at(&self, at: Instant) -> Time {
        Time(self.epoch.0.saturating_add(at.0.div_euclid(SECOND)))
    }

    /// The instant at which a time begins.
    pub const fn instant_of(&self, time: Time) -> Instant {
        Instant(time.0.saturating_sub(self.epoch.0).saturating_mul(SECOND))
    }

    pub(crate) const fn set_now(&mut self, now: Instant) {
        self.now = now;
    }

    // ---- reading

    /// Everything that is stored.
    pub const fn objects(&self) -> &Objects {
        &self.objects
    }

    /// An object (a live `Get`).
    pub fn get(&mut self, kind: Kind, key: &ObjectKey) -> Result<Object, ApiError> {
        self.asked = true;
        self.find(kind, key)
    }

    fn find(&self, kind: Kind, key: &ObjectKey) -> Result<Object, ApiError> {
        let found = self.objects.get(kind, key).cloned();
        found.ok_or_else(|| ApiError::NotFound(kind, key.name.clone()))
    }

    // ---- writing

    /// Stores an object that is new. If it has no name it gets one that begins with `generate_name`.
    pub fn create(&mut self, object: Object, generate_name: &str) -> Result<Object, ApiError> {
        self.store(object, generate_name, false)
    }

    /// Stores an object as it is there already: with its identity, its age and its status, if it has them.
    pub(super) fn load(&mut self, object: Object) -> Result<Object, ApiError> {
        self.store(object, "", true)
    }

    fn store(
        &mut self,
        mut object: Object,
        generate_name: &str,
        loaded: bool,
    ) -> Result<Object, ApiError> {
        self.asked = true;
        let kind = object.kind();
        if object.metadata().name.is_empty() && !generate_name.is_empty() {
            let node = match &object {
                Object::Pod(pod) => daemon_node(pod).map(|node| format!("{generate_name}{node}")),
                _ => None,
            };
            metadata_mut(&mut object).name =
                node.unwrap_or_else(|| self.names.generate(generate_name));
        }
        let metadata = metadata_mut(&mut object);
        if is_namespaced(kind) && metadata.namespace.is_empty() {
            metadata.namespace.push_str("default");
        }
        let key = metadata.key();
        if self.objects.get(kind, &key).is_some() {
            return Err(ApiError::AlreadyExists(kind, key.name));
        }
        if !loaded || metadata.uid.is_empty() {
            metadata.uid = self.names.uid();
        }
        let now = Time(self.epoch.0.saturating_add(self.now.0.div_euclid(SECOND)));
        if !loaded || metadata.creation_timestamp.is_none() {
            metadata.creation_timestamp = Some(now);
        }
        metadata.generation = 1;
        if let Object::Pod(pod) = &mut object {
            let classes = self.objects.priority_classes().map(|class| &**class);
            admission::admit_pod(Arc::make_mut(pod), loaded, classes, now)?;
        }
        if let Object::Workload(job) = &mut object
            && job.kind == WorkloadKind::Job
        {
            let job = Arc::make_mut(job);
            let uid = job.metadata.uid.clone();
            generate_selector(job, &uid);
        }
        Ok(self.emit(Action::Added, object, None))
    }

    /// Writes an object, or its status. If `object` has a resource version it has to be the stored one.
    pub fn update(&mut self, object: Object, part: Part) -> Result<Object, ApiError> {
        self.asked = true;
        let (kind, key) = (object.kind(), object.key());
        let old = self.find(kind, &key)?;
        let (stored, given) = (old.metadata(), object.metadata());
        if !given.resource_version.is_empty() && given.resource_version != stored.resource_version {
            return Err(ApiError::Conflict(kind, key.name, Conflict::Modified));
        }
        if !given.uid.is_empty() && given.uid != stored.uid {
            let conflict = Conflict::Uid(given.uid.clone(), stored.uid.clone());
            return Err(ApiError::Conflict(kind, key.name, conflict));
        }
        let mut new = match part {
            Part::Main => {
                let mut new = object;
                copy_status(&mut new, &old);
                keep_identity(&mut new, &old);
                new
            }
            Part::Status => {
                let mut new = old.clone();
                copy_status(&mut new, &object);
                new
            }
        };
        if new == old {
            return Ok(old);
        }
        if part == Part::Main && spec_differs(&new, &old) {
            metadata_mut(&mut new).generation += 1;
        }
        let written = self.emit(Action::Modified, new, Some(old));
        let metadata = written.metadata();
        let is_free = metadata.deletion_timestamp.is_some()
            && !metadata.job_tracking
            && metadata.deletion_grace_period_seconds.unwrap_or(0) == 0;
        if is_free {
            // Only the finalizer was in the way.
            self.emit(Action::Deleted, written.clone(), Some(written.clone()));
        }
        Ok(written)
    }

    /// Changes an object as it is stored, or its status, whatever version it has (a patch).
    pub fn patch(
        &mut self,
        kind: Kind,
        key: &ObjectKey,
        part: Part,
        change: impl FnOnce(&mut Object),
    ) -> Result<Object, ApiError> {
        self.asked = true;
        let mut object = self.find(kind, key)?;
        change(&mut object);
        metadata_mut(&mut object).resource_version.clear();
        self.update(object, part)
    }

    /// Deletes an object; a pod gets its grace period first.
    pub fn delete(
        &mut self,
        kind: Kind,
        key: &ObjectKey,
        options: &DeleteOptions,
    ) -> Result<(), ApiError> {
        self.asked = true;
        let old = self.find(kind, key)?;
        let Object::Pod(pod) = &old else {
            self.emit(Action::Deleted, old.clone(), Some(old));
            return Ok(());
        };
        let mut options = options.clone();
        let mut marked = (**pod).clone();
        match before_delete(&mut marked, &mut options, self.moment()).map_err(ApiError::Deletion)? {
            Graceful::Pending => {}
            Graceful::No if marked.metadata.job_tracking => {
                let now = self.time();
                marked.metadata.deletion_timestamp.get_or_insert(now);
                marked.metadata.deletion_grace_period_seconds = Some(0);
                self.emit(Action::Modified, Object::Pod(Arc::new(marked)), Some(old));
            }
            Graceful::No => {
                self.emit(Action::Deleted, old.clone(), Some(old));
            }
            Graceful::Yes => {
                // This is written down even when the grace period is none.
                let marked = self.emit(Action::Modified, Object::Pod(Arc::new(marked)), Some(old));
                if options.grace_period_seconds == Some(0) && !marked.metadata().job_tracking {
                    self.emit(Action::Deleted, marked.clone(), Some(marked));
                }
            }
        }
        Ok(())
    }

    /// Puts a pod on a node (`BindingREST`).
    pub fn bind(&mut self, key: &ObjectKey, uid: &str, node: &str) -> Result<(), ApiError> {
        self.asked = true;
        let old = self.find(Kind::Pod, key)?;
        let Object::Pod(pod) = &old else { return Ok(()) };
        let conflict = |words: String| {
            let conflict = Conflict::Binding(words);
            Err(ApiError::Conflict(Kind::Pod, key.name.clone(), conflict))
        };
        let name = &key.name;
        if pod.metadata.uid != uid {
            let found = &pod.metadata.uid;
            return conflict(format!(
                "precondition failed: UID in precondition: {uid}, UID in object meta: {found}"
            ));
        }
        if pod.metadata.deletion_timestamp.is_some() {
            return conflict(format!("pod {name} is being deleted, cannot be assigned to a host"));
        }
        if !pod.spec.node_name.is_empty() {
            let there = &pod.spec.node_name;
            return conflict(format!("pod {name} is already assigned to node \"{there}\""));
        }
        if !pod.spec.scheduling_gates.is_empty() {
            return conflict(format!("pod {name} has non-empty .spec.schedulingGates"));
        }
        let mut bound = (**pod).clone();
        bound.spec.node_name = node.into();
        bound.status.nominated_node_name.clear();
        let scheduled = Condition::new("PodScheduled", "True", "");
        Condition::update(&mut bound.status.conditions, scheduled, self.time());
        self.emit(Action::Modified, Object::Pod(Arc::new(bound)), Some(old));
        Ok(())
    }

    /// Evicts a pod, if its budget allows it.
    pub fn evict(&mut self, key: &ObjectKey, options: &DeleteOptions) -> Result<(), ApiError> {
        let Object::Pod(pod) = self.get(Kind::Pod, key)? else { return Ok(()) };
        let evicted = {
            let mut budgets = self.objects.budgets().map(|budget| &**budget);
            evict(&pod, &mut budgets, options, self.time())
        };
        if let Some(charge) = evicted.charge {
            self.patch(Kind::PodDisruptionBudget, &charge.budget, Part::Status, |object| {
                if let Object::PodDisruptionBudget(budget) = object {
                    Arc::make_mut(budget).status = charge.status;
                }
            })?;
        }
        if evicted.marked {
            let now = self.time();
            self.patch(Kind::Pod, key, Part::Status, |object| {
                if let Object::Pod(pod) = object {
                    let mut target =
                        Condition::new("DisruptionTarget", "True", "EvictionByEvictionAPI");
                    target.message.push_str("Eviction API: evicting");
                    Condition::update(&mut Arc::make_mut(pod).status.conditions, target, now);
                }
            })?;
        }
        let deletion = evicted.outcome.map_err(ApiError::Eviction)?;
        let options = DeleteOptions {
            grace_period_seconds: deletion.grace_period_seconds,
            ..DeleteOptions::default()
        };
        self.delete(Kind::Pod, key, &options)
    }

    /// Reports an event about an object.
    pub fn report(&mut self, report: Report) {
        self.asked = true;
        self.reports.push(report);
    }

    // ---- for the simulation

    /// What was written since this was last asked, in order.
    pub(super) fn take_changes(&mut self) -> Vec<Arc<Change>> {
        core::mem::take(&mut self.changes)
    }

    /// What was reported since this was last asked, in order.
    pub(crate) fn take_reports(&mut self) -> Vec<Report> {
        core::mem::take(&mut self.reports)
    }

    /// Whether there was any request since this was last asked.
    pub const fn take_asked(&mut self) -> bool {
        core::mem::replace(&mut self.asked, false)
    }

    fn emit(&mut self, action: Action, mut object: Object, old: Option<Object>) -> Object {
        self.version += 1;
        metadata_mut(&mut object).resource_version = format!("{}", self.version);
        if action == Action::Deleted {
            self.objects.remove(object.kind(), &object.key());
        } else {
            self.objects.insert(object.clone());
        }
        let change = Change { at: self.now, action, old, object: object.clone() };
        self.changes.push(Arc::new(change));
        object
    }
}

/// Whether objects of a kind are in a namespace.
pub const fn is_namespaced(kind: Kind) -> bool {
    !matches!(kind, Kind::Node | Kind::Namespace | Kind::PriorityClass)
}

/// An object's metadata, to be changed.
pub fn metadata_mut(object: &mut Object) -> &mut ObjectMeta {
    match object {
        Object::Node(object) => &mut Arc::make_mut(object).metadata,
        Object::Pod(object) => &mut Arc::make_mut(object).metadata,
        Object::Namespace(object) => &mut Arc::make_mut(object).metadata,
        Object::PriorityClass(object) => &mut Arc::make_mut(object).metadata,
        Object::PodDisruptionBudget(object) => &mut Arc::make_mut(object).metadata,
        Object::Service(object) => &mut Arc::make_mut(object).metadata,
        Object::Workload(object) => &mut Arc::make_mut(object).metadata,
    }
}

/// Gives an object the status of another of its kind.
fn copy_status(to: &mut Object, from: &Object) {
    match (to, from) {
        (Object::Node(to), Object::Node(from)) if to.status != from.status => {
            Arc::make_mut(to).status.clone_from(&from.status);
        }
        (Object::Pod(to), Object::Pod(from)) if to.status != from.status => {
            Arc::make_mut(to).status.clone_from(&from.status);
        }
        (Object::PodDisruptionBudget(to), Object::PodDisruptionBudget(from))
            if to.status != from.status =>
        {
            Arc::make_mut(to).status.clone_from(&from.status);
        }
        (Object::Workload(to), Object::Workload(from)) if to.status != from.status => {
            Arc::make_mut(to).status = Arc::clone(&from.status);
        }
        _ => {}
    }
}

/// What no update changes of an object's metadata.
fn keep_identity(new: &mut Object, old: &Object) {
    let old = old.metadata();
    let new = metadata_mut(new);
    new.uid.clone_from(&old.uid);
    new.creation_timestamp = old.creation_timestamp;
    new.deletion_timestamp = old.deletion_timestamp;
    new.deletion_grace_period_seconds = old.deletion_grace_period_seconds;
    new.generation = old.generation;
    new.resource_version.clone_from(&old.resource_version);
}

/// Whether more differs than metadata and status.
fn spec_differs(new: &Object, old: &Object) -> bool {
    let mut same = new.clone();
    metadata_mut(&mut same).clone_from(old.metadata());
    copy_status(&mut same, old);
    same != *old
}

/// Whether a pod has ended or has not begun, so that nothing of it runs.
pub(super) const fn runs_nothing(phase: PodPhase) -> bool {
    matches!(phase, PodPhase::Pending | PodPhase::Succeeded | PodPhase::Failed)
}
