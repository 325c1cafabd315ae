//! Taint eviction: pods that do not tolerate a `NoExecute` taint of their node go, at once or after a while.
//!
//! Mirrors `pkg/controller/tainteviction/{taint_eviction,timed_workers}.go`. Deviation: several pods that go in one instant
//! do so in order of their names, where there any may be first.

use alloc::boxed::Box;
use alloc::format;
use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;

use super::recorder::{Involved, Recorder};
use crate::api::{Condition, Kind, Node, Object, ObjectKey, Pod, Taint, TaintEffect, Toleration};
use crate::apiserver::DeleteOptions;
use crate::collections::Map;
use crate::plugins::taint_toleration::tolerates;
use crate::queue::Instant;
use crate::queue::time::SECOND;
use crate::simulation::objects::as_pod;
use crate::simulation::server::{Action, ApiError, Part};
use crate::simulation::{Change, Context, Controller, WorkItem};

/// A node whose taints changed.
const NODES: u8 = 0;
/// A pod that came, went, was bound or tolerates something else.
const PODS: u8 = 1;
/// A pod whose time has come.
const TIMERS: u8 = 2;

/// So often the deletion of a pod is tried (`retries`).
const ATTEMPTS: u8 = 5;
/// Nanoseconds between two of them.
const BETWEEN_ATTEMPTS: i64 = SECOND / 100;

/// The taint eviction controller.
#[derive(Clone, Debug, Default)]
pub struct TaintEvictionController {
    /// The `NoExecute` taints of each node that has any.
    tainted: Map<String, Vec<Taint>>,
    /// The pods that are to go.
    doomed: Map<ObjectKey, Doom>,
    recorder: Recorder,
}

/// When a pod is to go.
#[derive(Clone, Copy, Debug)]
struct Doom {
    /// When that was settled.
    since: Instant,
    /// The time.
    at: Instant,
    /// How often it was tried.
    attempts: u8,
}

impl Controller for TaintEvictionController {
    fn watches(&self) -> &'static [Kind] {
        &[Kind::Node, Kind::Pod]
    }

    fn observe(&mut self, change: &Change, context: &mut Context<'_>) {
        let old = change.old.as_ref().filter(|_| change.action == Action::Modified);
        match (&change.object, old) {
            (Object::Node(node), Some(Object::Node(old)))
                if no_execute(node) == no_execute(old) => {}
            (Object::Pod(pod), Some(old)) if as_pod(old).is_some_and(|old| same(old, pod)) => {}
            (Object::Node(node), _) => context.queue.add(WorkItem::new(NODES, node.metadata.key())),
            (Object::Pod(pod), _) => context.queue.add(WorkItem::new(PODS, pod.metadata.key())),
            _ => {}
        }
    }

    fn sync(&mut self, item: &WorkItem, context: &mut Context<'_>) -> Result<(), ApiError> {
        match item.queue {
            NODES => self.node_changed(&item.key.name, context),
            PODS => self.pod_changed(&item.key, context),
            _ => self.time_is_up(&item.key, context),
        }
        Ok(())
    }

    fn clone_box(&self) -> Box<dyn Controller> {
        Box::new(self.clone())
    }
}

impl TaintEvictionController {
    /// `handleNodeUpdate`.
    fn node_changed(&mut self, name: &str, context: &mut Context<'_>) {
        let Some(node) = context.cache.node(name) else {
            self.tainted.remove(name);
            return;
        };
        let taints = no_execute(node);
        if taints.is_empty() {
            self.tainted.remove(name);
        } else {
            self.tainted.insert(name.into(), taints.clone());
        }
        if taints.is_empty() && self.doomed.is_empty() {
            return;
        }
        let is_here = |pod: &&Arc<Pod>| pod.spec.node_name == name;
        let pods: Vec<Arc<Pod>> = context.cache.pods().filter(is_here).cloned().collect();
        for pod in pods {
            if taints.is_empty() {
                self.cancel(&pod.metadata.key(), context);
            } else {
                self.judge(&pod, &taints, context);
            }
        }
    }

    /// `handlePodUpdate`.
    fn pod_changed(&mut self, key: &ObjectKey, context: &mut Context<'_>) {
        let Some(pod) = context.cache.pod(key).cloned() else {
            self.cancel(key, context);
            return;
        };
        if let Some(taints) = self.tainted.get(&pod.spec.node_name).cloned() {
            self.judge(&pod, &taints, context);
        }
    }

    /// Settles when a pod on a tainted node is to go (`processPodOnNode`).
    fn judge(&mut self, pod: &Pod, taints: &[Taint], context: &mut Context<'_>) {
        let key = pod.metadata.key();
        let now = context.now();
        let Some(used) = matching(taints, &pod.spec.tolerations) else {
            self.cancel(&key, context);
            self.doom(&key, now, now, context);
            return;
        };
        let Some(seconds) = shortest(&used) else {
            self.cancel(&key, context);
            return;
        };
        let patience = seconds.saturating_mul(SECOND);
        let mut since = now;
        if let Some(known) = self.doomed.get(&key).filter(|known| known.at > known.since) {
            since = known.since;
            if since < now {
                return;
            }
            self.cancel(&key, context);
        }
        self.doom(&key, since, now.after(patience), context);
    }

    /// `AddWork`: what was settled stays.
    fn doom(&mut self, key: &ObjectKey, since: Instant, at: Instant, context: &mut Context<'_>) {
        if self.doomed.contains_key(key) {
            return;
        }
        self.doomed.insert(key.clone(), Doom { since, at, attempts: 0 });
        let item = WorkItem::new(TIMERS, key.clone());
        if at <= since {
            context.queue.add(item);
        } else {
            context.queue.add_at(at, item);
        }
    }

    /// A pod may stay; if it was to go later, that is said (`cancelWorkWithEvent`).
    fn cancel(&mut self, key: &ObjectKey, context: &mut Context<'_>) {
        if let Some(doom) = self.doomed.remove(key)
            && doom.at > doom.since
        {
            self.tell(key, "Cancelling deletion of", context);
        }
    }

    /// Deletes a pod, if its time has come (`deletePodHandler`).
    fn time_is_up(&mut self, key: &ObjectKey, context: &mut Context<'_>) {
        let Some(doom) = self.doomed.get_mut(key) else { return };
        let now = context.now();
        if doom.at > now {
            context.queue.add_at(doom.at, WorkItem::new(TIMERS, key.clone()));
            return;
        }
        doom.attempts += 1;
        let attempts = doom.attempts;
        if attempts == 1 {
            self.tell(key, "Marking for deletion", context);
        }
        if delete(key, context).is_ok() || attempts == ATTEMPTS {
            self.doomed.remove(key);
        } else {
            let next = now.after(BETWEEN_ATTEMPTS);
            context.queue.add_at(next, WorkItem::new(TIMERS, key.clone()));
        }
    }

    fn tell(&mut self, key: &ObjectKey, what: &str, context: &mut Context<'_>) {
        // The controller knows the pod by its name alone.
        let pod = Involved { kind: Kind::Pod, key: key.clone(), uid: String::new() };
        let message = format!("{what} Pod {key}");
        self.recorder.normal(context.server, pod, "TaintManagerEviction", message);
    }
}

/// Says why a pod goes, and deletes it (`addConditionAndDeletePod`).
fn delete(key: &ObjectKey, context: &mut Context<'_>) -> Result<(), ApiError> {
    context.server.get(Kind::Pod, key)?;
    let now = context.time();
    context.server.patch(Kind::Pod, key, Part::Status, |object| {
        if let Object::Pod(pod) = object {
            let mut target = Condition::new("DisruptionTarget", "True", "DeletionByTaintManager");
            target.message.push_str("Taint manager: deleting due to NoExecute taint");
            Condition::update(&mut Arc::make_mut(pod).status.conditions, target, now);
        }
    })?;
    context.server.delete(Kind::Pod, key, &DeleteOptions::default())
}

fn no_execute(node: &Node) -> Vec<Taint> {
    let taints = node.spec.taints.iter();
    taints.filter(|taint| taint.effect == TaintEffect::NoExecute).cloned().collect()
}

/// Whether a change of a pod bears on its eviction.
fn same(old: &Pod, new: &Pod) -> bool {
    old.spec.tolerations == new.spec.tolerations && old.spec.node_name == new.spec.node_name
}

/// The first toleration that tolerates each taint; none if one is not tolerated (`GetMatchingTolerations`).
fn matching<'t>(taints: &[Taint], tolerations: &'t [Toleration]) -> Option<Vec<&'t Toleration>> {
    let of = |taint| tolerations.iter().find(|toleration| tolerates(toleration, taint));
    taints.iter().map(of).collect()
}

/// For how many seconds all of these hold; none if that is for ever (`getMinTolerationTime`).
fn shortest(used: &[&Toleration]) -> Option<i64> {
    if used.is_empty() {
        return Some(0);
    }
    used.iter().filter_map(|toleration| toleration.toleration_seconds).min().map(|s| s.max(0))
}
