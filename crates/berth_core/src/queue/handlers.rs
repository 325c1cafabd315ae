//! What changes of objects mean to the queue.
//!
//! Mirrors `pkg/scheduler/eventhandlers.go`. The scheduler does not watch pods that are over: such a pod is one
//! that went. An update that the API server would refuse is a pod deleted, and another created.

use alloc::sync::Arc;
use alloc::vec::Vec;

use super::event::{ActionType, Event, node_changes, pod_changes};
use super::{Scene, SchedulingQueue};
use crate::api::{Node, Object, Pod};
use crate::cluster::PodInfo;

impl SchedulingQueue {
    /// An object came, changed or went; the cluster has what it is now.
    pub fn handle(&mut self, scene: &mut Scene<'_>, old: Option<&Object>, new: Option<&Object>) {
        match (old, new) {
            (Some(Object::Node(_)), _) | (_, Some(Object::Node(_))) => {
                self.node_changed(scene, old.and_then(node), new.and_then(node));
            }
            (Some(Object::Pod(_)), _) | (_, Some(Object::Pod(_))) => {
                self.pod_changed(scene, old.and_then(watched_pod), new.and_then(watched_pod));
            }
            _ => {}
        }
    }

    fn node_changed(
        &mut self,
        scene: &mut Scene<'_>,
        old: Option<&Arc<Node>>,
        new: Option<&Arc<Node>>,
    ) {
        if self.is_deaf() {
            return;
        }
        let actions = match (old, new) {
            (Some(old), Some(new)) => node_changes(old, new),
            (None, _) => alloc::vec![ActionType::ADD],
            (_, None) => alloc::vec![ActionType::DELETE],
        };
        for action in actions {
            let event = Event::Node { action, old: old.cloned(), new: new.cloned() };
            self.move_all(scene, &event, None);
        }
    }

    fn pod_changed(
        &mut self,
        scene: &mut Scene<'_>,
        old: Option<&Arc<Pod>>,
        new: Option<&Arc<Pod>>,
    ) {
        match (old, new) {
            (Some(old), Some(new)) if is_update(old, new) => self.pod_updated(scene, old, new),
            (old, new) => {
                if let Some(old) = old {
                    self.pod_deleted(scene, old);
                }
                if let Some(new) = new {
                    self.pod_added(scene, new);
                }
            }
        }
    }

    fn pod_added(&mut self, scene: &mut Scene<'_>, pod: &Arc<Pod>) {
        if is_assigned(pod) {
            self.pod_event(scene, ActionType::ADD, None, Some(pod), None);
        } else if scene.profile(pod).is_some() {
            self.add(scene, pod);
        }
    }

    fn pod_deleted(&mut self, scene: &mut Scene<'_>, pod: &Arc<Pod>) {
        if is_assigned(pod) {
            self.pod_event(scene, ActionType::DELETE, Some(pod), None, None);
            return;
        }
        self.delete(&pod.metadata.key());
        if !pod.status.nominated_node_name.is_empty() {
            self.nomination_lost(scene, pod);
        }
    }

    fn pod_updated(&mut self, scene: &mut Scene<'_>, old: &Arc<Pod>, new: &Arc<Pod>) {
        if !is_assigned(old) && is_assigned(new) {
            self.pod_event(scene, ActionType::ADD, None, Some(new), None);
            self.delete(&old.metadata.key());
            return;
        }
        if !is_assigned(old) && scene.profile(old).is_none() {
            return;
        }
        let (was, is) = (derive(scene, old), derive(scene, new));
        let mut events = Vec::new();
        for action in pod_changes(&was, &is) {
            let (old, new) = (Some(Arc::clone(&was)), Some(Arc::clone(&is)));
            events.push(Event::Pod { action, old, new });
        }
        if is_assigned(old) {
            for event in &events {
                self.move_all(scene, event, None);
            }
            return;
        }
        self.update(scene, new, &events);
        let nominated = &old.status.nominated_node_name;
        if !nominated.is_empty() && *nominated != new.status.nominated_node_name {
            self.nomination_lost(scene, old);
        }
    }

    /// A pod goes from the node that it was nominated to: pods that need not yield to it had counted it there.
    fn nomination_lost(&mut self, scene: &mut Scene<'_>, pod: &Arc<Pod>) {
        self.pod_event(scene, ActionType::DELETE, Some(pod), None, Some(pod.priority()));
    }

    fn pod_event(
        &mut self,
        scene: &mut Scene<'_>,
        action: ActionType,
        old: Option<&Arc<Pod>>,
        new: Option<&Arc<Pod>>,
        concerns: Option<i32>,
    ) {
        if self.is_deaf() {
            return;
        }
        let old = old.map(|pod| derive(scene, pod));
        let new = new.map(|pod| derive(scene, pod));
        self.move_all(scene, &Event::Pod { action, old, new }, concerns);
    }
}

fn derive(scene: &mut Scene<'_>, pod: &Arc<Pod>) -> Arc<PodInfo> {
    Arc::new(scene.cluster.derive(pod))
}

fn node(object: &Object) -> Option<&Arc<Node>> {
    match object {
        Object::Node(node) => Some(node),
        _ => None,
    }
}

fn watched_pod(object: &Object) -> Option<&Arc<Pod>> {
    match object {
        Object::Pod(pod) if !pod.status.phase.is_terminal() => Some(pod),
        _ => None,
    }
}

fn is_assigned(pod: &Pod) -> bool {
    !pod.spec.node_name.is_empty()
}

/// Whether the API server would take `new` for an update of `old`: it is bound at most, gets tolerations, loses
/// gates, is resized or gets other images.
fn is_update(old: &Pod, new: &Pod) -> bool {
    if old.metadata.uid != new.metadata.uid
        || (is_assigned(old) && old.spec.node_name != new.spec.node_name)
        || !new.spec.scheduling_gates.iter().all(|gate| old.spec.scheduling_gates.contains(gate))
        || !old.spec.tolerations.iter().all(|known| new.spec.tolerations.contains(known))
    {
        return false;
    }
    let mut same = new.spec.clone();
    same.node_name.clone_from(&old.spec.node_name);
    same.scheduling_gates.clone_from(&old.spec.scheduling_gates);
    same.tolerations.clone_from(&old.spec.tolerations);
    same.resources.clone_from(&old.spec.resources);
    let before = old.spec.init_containers.iter().chain(&old.spec.containers);
    for (now, before) in same.init_containers.iter_mut().chain(&mut same.containers).zip(before) {
        now.resources.clone_from(&before.resources);
        now.image.clone_from(&before.image);
    }
    same == old.spec
}
