//! What a link leaves out of a state.
//!
//! Objects in memory have no more than Berth reads; text for people, and what only the API server compares, goes as
//! well. Identities (`uid`) become short: all that counts of them is which are the same.

use std::sync::Arc;

use berth_core::api::{
    Object, ObjectMeta, PodDisruptionBudgetStatus, PreemptionPolicy, StatusSource,
};
use berth_core::collections::Map;
use berth_core::playground::Command;

use super::State;

impl State {
    /// Takes away what the scheduler does not read: descriptions, messages of pods' conditions, resource versions,
    /// annotations but for numbers that controllers count with, status that follows from the rest. Doing it again
    /// changes nothing.
    pub fn strip(&mut self) {
        let mut uids = Uids::default();
        for object in &mut self.objects {
            uids.strip(object);
        }
        for command in &mut self.log {
            uids.strip_command(command);
        }
    }
}

/// Whether the value of an annotation is a number, or several: what Berth reads of them is.
fn is_number(value: &str) -> bool {
    value.len() <= 100 && value.bytes().all(|byte| byte.is_ascii_digit() || b"-,".contains(&byte))
}

/// The identities so far, with their numbers.
#[derive(Default)]
struct Uids(Map<String, usize>);

impl Uids {
    fn strip_command(&mut self, command: &mut Command) {
        match command {
            Command::Put(object) => self.strip(object),
            Command::Batch { commands, .. } => {
                for command in commands {
                    self.strip_command(command);
                }
            }
            _ => {}
        }
    }

    fn strip(&mut self, object: &mut Object) {
        match object {
            Object::Node(node) => self.metadata(&mut Arc::make_mut(node).metadata),
            Object::Namespace(namespace) => self.metadata(&mut Arc::make_mut(namespace).metadata),
            Object::Service(service) => self.metadata(&mut Arc::make_mut(service).metadata),
            Object::Workload(workload) => {
                let workload = Arc::make_mut(workload);
                self.metadata(&mut workload.metadata);
                workload.status = Arc::default();
            }
            Object::Pod(pod) => {
                let pod = Arc::make_mut(pod);
                self.metadata(&mut pod.metadata);
                for condition in &mut pod.status.conditions {
                    condition.message.clear();
                }
            }
            Object::PriorityClass(class) => {
                let class = Arc::make_mut(class);
                self.metadata(&mut class.metadata);
                class.description.clear();
                class.preemption_policy.get_or_insert(PreemptionPolicy::PreemptLowerPriority);
            }
            Object::PodDisruptionBudget(budget) => {
                let budget = Arc::make_mut(budget);
                self.metadata(&mut budget.metadata);
                if budget.status_source == StatusSource::Computed {
                    budget.status = PodDisruptionBudgetStatus::default();
                }
            }
        }
    }

    fn metadata(&mut self, metadata: &mut ObjectMeta) {
        metadata.resource_version.clear();
        metadata.annotations.retain(|_, value| is_number(value));
        self.shorten(&mut metadata.uid);
        for owner in &mut metadata.owner_references {
            self.shorten(&mut owner.uid);
        }
    }

    fn shorten(&mut self, uid: &mut String) {
        if uid.is_empty() {
            return;
        }
        let next = self.0.len() + 1;
        let number = *self.0.get_or_insert_with(std::mem::take(uid), || next);
        *uid = number.to_string();
    }
}
