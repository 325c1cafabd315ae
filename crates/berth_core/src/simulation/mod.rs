//! A cluster in virtual time: what happens when, from admission to the last second.
//!
//! A [`Simulation`] is a value. It holds what is stored in the API server and what every component knows, and goes from
//! one moment to the next: nothing in it reads a clock, so the same start and the same commands give the same history,
//! and a copy goes on as the original would. Time is counted in nanoseconds from second 0, because components hear of
//! each other microseconds later and what happens in between decides who is first.
//!
//! Each actor is named after its counterpart:
//!
//! - [`server`]: the API server;
//! - [`Scheduler`]: kube-scheduler with its queue;
//! - `kubelet`: the kubelets of all nodes;
//! - controllers of kube-controller-manager, each a [`Controller`] in `crate::controllers`;
//! - `node_pressure`: what kubelets do when their nodes run short of something;
//! - `node_lifecycle`: what becomes of a node that is silent;
//! - `garbage_collector`: what a deleted object owned alone goes too.
//!
//! # How to write a controller
//!
//! A controller is a type that implements [`Controller`], listed in [`controllers`]. It never sees the clock move:
//!
//! 1. A write happens in the API server at some instant. Each controller hears of it later ([`watch`] says when), one
//!    write after the other, if its kind is in [`Controller::watches`].
//! 2. Its cache has the write then, and [`Controller::observe`] puts [`WorkItem`]s into its queue, as the real
//!    controller's event handlers do. `change.old` is what the cache had before.
//! 3. It works at once until its queue is empty: [`Controller::sync`] for each item. It reads [`Context::cache`]
//!    (its listers) or, where the real controller asks the API server, [`server::Server::get`]; and it writes through
//!    [`Context::server`]: `create` (with `generate_name`), `update` (with a resource version: optimistic locking),
//!    `patch` (without), `delete`; it reports events through a [`crate::controllers::recorder::Recorder`] of its own.
//!    Each call is carried out at once and gives what the API server answers. Its own writes reach its cache later,
//!    like anybody's.
//! 4. For something to be done later it puts a key in for an instant ([`WorkQueue::add_at`], `AddAfter`). An error makes
//!    the key come again after 5 ms, 10 ms, 20 ms … Times of objects are whole seconds ([`Context::time`]), instants are
//!    not ([`Context::now`]); [`server::Server::instant_of`] goes from one to the other.
//! 5. Several queues (a recheck queue, a queue of timers) are told apart by [`WorkItem::queue`].

mod agenda;
mod command;
mod component;
pub mod controller;
mod drain;
mod event;
mod garbage_collector;
mod kubelet;
mod load;
mod node_lifecycle;
mod node_pressure;
pub mod objects;
mod parameters;
mod scheduler;
pub mod server;
#[cfg(test)]
mod tests;
mod timeline;
mod watch;
pub mod work_queue;

use alloc::boxed::Box;
use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;

pub use agenda::Agenda;
pub use command::{Command, Patch, Pods, UsageOf};
pub use controller::{Context, Controller};
pub use event::{Event, Signal, What};
pub use kubelet::ContainerEnd;
pub use objects::Objects;
pub use parameters::{Eviction, Kubelet, Parameters, Rule, Times};
pub use scheduler::{Attempt, AttemptResult, Scheduler};
pub use server::{Change, Server, Source};
pub use timeline::{Acted, BranchId, Gauge, Sample, SpreadConstraint, Timeline};
pub use work_queue::{WorkItem, WorkQueue};

use crate::api::{Object, ObjectKey, Pod, Time};
use crate::controllers::disruption::Disruption;
use crate::controllers::pod_gc::PodGc;
use crate::controllers::{
    DaemonSetController, DeploymentController, JobController, ReplicaSetController,
    StatefulSetController, TaintEvictionController,
};
use crate::framework::config::Configuration;
use crate::framework::profile::{Profile, ProfileError};
use crate::queue::Instant;
use crate::queue::time::SECOND;
use component::Component;
pub use node_pressure::{MemoryThreshold, Outlook, Ranked, Supposed};
use scheduler::Timer;

/// When the objects come that are there at second 0.
const LOADED: Instant = Instant(-5 * SECOND);
/// A microsecond, in nanoseconds.
const MICROSECOND: i64 = 1_000;

/// The controllers of a cluster, each with how many nanoseconds late it hears of pods.
fn controllers(disruption_lag: i64) -> Vec<(Box<dyn Controller>, i64)> {
    alloc::vec![
        (Box::new(Disruption::default()), disruption_lag),
        (Box::new(ReplicaSetController::default()), 3 * MICROSECOND),
        (Box::new(DeploymentController::default()), 4 * MICROSECOND),
        (Box::new(StatefulSetController::default()), 5 * MICROSECOND),
        (Box::new(DaemonSetController::default()), 6 * MICROSECOND),
        (Box::new(JobController::default()), 7 * MICROSECOND),
        (Box::new(TaintEvictionController::default()), 8 * MICROSECOND),
        (Box::new(PodGc::default()), 9 * MICROSECOND),
    ]
}

/// Something that is to happen.
#[derive(Clone, Debug)]
enum Task {
    /// A controller's workers begin.
    Start(usize),
    /// A controller hears of a write.
    Observe(usize, Arc<Change>),
    /// A key comes into a controller's queue.
    Work(usize, WorkItem),
    /// A kubelet does something.
    Kubelet(kubelet::Work),
    /// What this object owned alone goes.
    Collect(String),
    /// The scheduler hears of a write.
    Hear(Arc<Change>),
    /// The scheduler does something by itself.
    Scheduler(Timer),
    /// A user does something.
    Command(Command),
    /// A pod is asked to leave its node.
    Evict(drain::Leaving),
    /// Somebody looks whether a node is silent.
    Look(String),
    /// A kubelet looks whether its node runs short of anything.
    Measure(String),
}

/// A cluster in virtual time.
#[derive(Clone, Debug)]
pub struct Simulation {
    agenda: Agenda<Task>,
    server: Server,
    kubelet: kubelet::Kubelet,
    components: Vec<Component>,
    scheduler: Scheduler,
    events: Vec<Event>,
    attempts: Vec<Attempt>,
    now: Instant,
    /// Counts what happened.
    steps: u64,
}

impl Simulation {
    /// A cluster in which these objects are there at second 0.
    pub fn new(
        objects: impl IntoIterator<Item = Object>,
        configuration: &Configuration,
        parameters: Parameters,
    ) -> Result<Self, ProfileError> {
        let controllers = controllers(parameters.disruption_lag);
        Self::with_controllers(objects, configuration, parameters, controllers)
    }

    fn with_controllers(
        objects: impl IntoIterator<Item = Object>,
        configuration: &Configuration,
        parameters: Parameters,
        controllers: Vec<(Box<dyn Controller>, i64)>,
    ) -> Result<Self, ProfileError> {
        let profiles = configuration.profiles.iter().map(Profile::new);
        let profiles = profiles.collect::<Result<Vec<_>, _>>()?;
        let mut agenda = Agenda::default();
        agenda.insert(Instant::default(), Task::Scheduler(Timer::Start));
        let mut components = Vec::new();
        for (number, (controller, lag)) in controllers.into_iter().enumerate() {
            agenda.insert(Instant::default().after(lag), Task::Start(number));
            components.push(Component::new(controller, lag));
        }
        let Parameters { epoch, seed, kubelet, .. } = parameters;
        let mut new = Self {
            agenda,
            server: Server::new(epoch),
            kubelet: kubelet::Kubelet::new(kubelet),
            components,
            scheduler: Scheduler::new(configuration, profiles, seed),
            events: Vec::new(),
            attempts: Vec::new(),
            now: LOADED,
            steps: 0,
        };
        for object in load::in_order(objects, epoch) {
            new.run_until(new.now);
            new.server.set_now(new.now);
            // One that cannot be there is not there.
            let _ = if load::is_new(&object) {
                new.server.create(object, "")
            } else {
                new.server.load(object)
            };
            new.settle();
            new.now = new.now.after(MICROSECOND);
        }
        new.run_until(Instant(-1));
        new.now = Instant::default();
        // What was before second 0 is nobody's news.
        new.events.clear();
        Ok(new)
    }

    /// The instant that has come.
    pub const fn now(&self) -> Instant {
        self.now
    }

    /// The instant at which a time begins.
    pub const fn instant_of(&self, time: Time) -> Instant {
        self.server.instant_of(time)
    }

    /// What is stored in the API server.
    pub const fn objects(&self) -> &Objects {
        self.server.objects()
    }

    /// The scheduler.
    pub const fn scheduler(&self) -> &Scheduler {
        &self.scheduler
    }

    /// What a node's kubelet would do about its memory now, if so much were used; none if there is no such node.
    pub fn memory_outlook(&self, node: &str, supposed: &Supposed) -> Option<Outlook> {
        let objects = self.server.objects();
        Some(self.kubelet.pressure.outlook(objects.node(node)?, objects, supposed))
    }

    /// The attempts of the scheduler since this was last asked, in order.
    pub fn take_attempts(&mut self) -> Vec<Attempt> {
        core::mem::take(&mut self.attempts)
    }

    /// How the containers of a pod end that is being deleted or evicted, if its kubelet knows.
    pub fn ending(&self, pod: &Pod) -> Option<&[ContainerEnd]> {
        self.kubelet.ending(pod)
    }

    /// What happened since this was last asked, in order.
    pub fn take_events(&mut self) -> Vec<Event> {
        core::mem::take(&mut self.events)
    }

    /// How many things have happened, each of which is a step.
    pub const fn steps(&self) -> u64 {
        self.steps
    }

    /// When the next thing happens.
    pub fn next_at(&self) -> Option<Instant> {
        self.agenda.next_at()
    }

    /// A user asks the API server for something now, after everything else that happens in this instant.
    pub fn act(&mut self, command: &Command) {
        self.steps += 1;
        self.server.set_now(self.now);
        self.send(command);
        self.settle();
    }

    /// What components know is mostly what is stored: lets copies of this share it.
    fn share(&mut self) {
        let Self { components, server, .. } = self;
        for component in components {
            component.share(server.objects());
        }
    }

    fn forget_news(&mut self) {
        self.events.clear();
        self.attempts.clear();
    }

    /// Lets everything happen that happens up to an instant, and in it.
    pub fn run_until(&mut self, end: Instant) {
        while self.agenda.next_at().is_some_and(|next| next <= end) {
            self.step();
        }
        self.now = self.now.max(end);
    }

    /// Lets the next thing happen. False if there is nothing to come.
    pub fn step(&mut self) -> bool {
        let Some((at, task)) = self.agenda.pop() else { return false };
        self.steps += 1;
        self.now = at;
        self.server.set_now(at);
        let Self { components, server, .. } = self;
        match task {
            Task::Start(number) => {
                if let Some(component) = components.get_mut(number) {
                    component.start(server);
                }
            }
            Task::Observe(number, change) => {
                if let Some(component) = components.get_mut(number) {
                    component.observe(&change, server);
                }
            }
            Task::Work(number, item) => {
                if let Some(component) = components.get_mut(number) {
                    component.wake(item, server);
                }
            }
            Task::Kubelet(work) => {
                let agenda = &mut self.agenda;
                self.kubelet.act(&work, server, |at, work| agenda.insert(at, Task::Kubelet(work)));
            }
            Task::Collect(owner) => garbage_collector::collect(&owner, server),
            Task::Hear(change) => self.scheduler.observe(&change, at),
            Task::Scheduler(timer) => self.schedule(timer),
            Task::Command(command) => self.send(&command),
            Task::Evict(leaving) => {
                if let Some(again) = drain::evict(&leaving, server) {
                    self.agenda.insert(again, Task::Evict(leaving));
                }
            }
            Task::Look(node) => {
                node_lifecycle::look(&node, self.kubelet.is_down(&node), server);
            }
            Task::Measure(node) => {
                let agenda = &mut self.agenda;
                let plan = |at, work| agenda.insert(at, Task::Kubelet(work));
                if let Some(again) = self.kubelet.measure(&node, server, plan) {
                    self.agenda.insert(again, Task::Measure(node));
                }
            }
        }
        self.settle();
        true
    }

    /// A user will ask the API server for something. Of one instant, requests come in the order in which they were
    /// planned.
    pub fn plan(&mut self, at: Instant, command: Command) {
        self.agenda.insert(at.max(self.now), Task::Command(command));
    }

    fn schedule(&mut self, timer: Timer) {
        let Self { agenda, scheduler, server, .. } = self;
        let told = scheduler.act(timer, server, |at, timer| {
            agenda.insert(at, Task::Scheduler(timer));
        });
        let Some(attempt) = told.attempt else { return };
        if let Some(message) = told.failed {
            self.tell(attempt.pod.clone(), What::FailedScheduling { message });
        }
        // What the attempt wrote comes before what it says of it.
        self.settle();
        for (pod, node, message) in told.preempted {
            self.tell(pod, What::Preempted { node, by: attempt.pod.clone(), message });
        }
        self.attempts.push(attempt);
    }

    fn send(&mut self, command: &Command) {
        if let Err(error) = command.send(&mut self.server) {
            let (kind, key) = command.target();
            let message = alloc::format!("{error}");
            self.tell(key, What::ActionFailed { kind, message });
            return;
        }
        let Self { agenda, kubelet, server, now, .. } = self;
        match command {
            Command::Drain { node, grace_period_seconds } => {
                for leaving in drain::leaving(node, *grace_period_seconds, server) {
                    agenda.insert(*now, Task::Evict(leaving));
                }
            }
            Command::NodeDown(node) if !kubelet.is_down(node) => {
                kubelet.go_down(node);
                agenda.insert(node_lifecycle::found_out(*now), Task::Look(node.clone()));
                self.tell(ObjectKey::new("", node.clone()), What::NodeDown);
            }
            Command::NodeUp(node) if kubelet.is_down(node) => {
                kubelet.come_up(node, server, |at, work| agenda.insert(at, Task::Kubelet(work)));
                agenda.insert(node_lifecycle::next_look(*now), Task::Look(node.clone()));
                self.tell(ObjectKey::new("", node.clone()), What::NodeUp);
            }
            Command::Usage { of, usage } => {
                kubelet.pressure.note(of, usage);
                for node in server.objects().nodes() {
                    let name = &node.metadata.name;
                    if let Some(at) = kubelet.pressure.watch(name, *now) {
                        agenda.insert(at, Task::Measure(name.clone()));
                    }
                }
            }
            Command::Probe { of, container, probe, fails } => {
                let plan = |at, work| agenda.insert(at, Task::Kubelet(work));
                kubelet.note_probe(of, container.as_deref(), *probe, *fails, server, plan);
            }
            _ => {}
        }
    }

    /// Tells everybody what was written.
    fn settle(&mut self) {
        for change in self.server.take_changes() {
            let key = change.object.key();
            let Self { agenda, components, kubelet, scheduler, events, .. } = self;
            if let Some(at) = scheduler.hear(&change) {
                agenda.insert(at, Task::Hear(Arc::clone(&change)));
            }
            event::of_change(&change, |what| {
                events.push(Event { at: change.at, key: key.clone(), what });
            });
            kubelet.observe(&change, |at, work| agenda.insert(at, Task::Kubelet(work)));
            if let (Object::Node(node), server::Action::Added) = (&change.object, change.action)
                && kubelet.pressure.is_used()
                && let Some(at) = kubelet.pressure.watch(&node.metadata.name, change.at)
            {
                agenda.insert(at, Task::Measure(node.metadata.name.clone()));
            }
            if let Some((at, owner)) = garbage_collector::observe(&change) {
                agenda.insert(at, Task::Collect(owner));
            }
            for (number, component) in components.iter_mut().enumerate() {
                if let Some(at) = component.hear(&change) {
                    agenda.insert(at, Task::Observe(number, Arc::clone(&change)));
                }
            }
        }
        for (number, component) in self.components.iter_mut().enumerate() {
            for (at, item) in component.take_later() {
                self.agenda.insert(at.max(self.now), Task::Work(number, item));
            }
        }
        if self.server.take_asked() {
            let Self { agenda, scheduler, .. } = self;
            scheduler.ring(self.now, |at, timer| agenda.insert(at, Task::Scheduler(timer)));
        }
        for report in self.server.take_reports() {
            self.tell(report.key.clone(), What::Reported(report));
        }
        for (key, what) in self.kubelet.told.take() {
            self.tell(key, what);
        }
    }

    fn tell(&mut self, key: ObjectKey, what: What) {
        self.events.push(Event { at: self.now, key, what });
    }
}
