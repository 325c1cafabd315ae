//! How many copies of a pod still fit, where, and what stops the next.
//!
//! Copies are scheduled one after another on a copy of the cluster, each where the scheduler would put it, until the
//! first that no node can take. Nobody is preempted for them. A pod that waits is not counted as placed: the first
//! copy stands for it.

use alloc::boxed::Box;
use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;

use crate::api::{Object, ObjectKey, Pod};
use crate::collections::Map;
use crate::explain::Explanation;
use crate::framework::cycle::{Decision, decide};
use crate::playground::{Command, CommandError, Playground};

/// What stops the next copy.
#[derive(Clone, Debug, PartialEq)]
pub enum Stop {
    /// No node can take it: why.
    Refused(Box<Explanation>),
    /// As many fit as were asked about: there may be room for more.
    Limit,
}

/// Copies under way.
#[derive(Clone, Debug)]
pub struct More {
    scratch: Playground,
    template: Pod,
    limit: u32,
    count: u32,
    by_node: Map<Arc<str>, u32>,
    stop: Option<Stop>,
    /// How many names were tried.
    names: u32,
}

impl More {
    /// Begins to place copies of a pod, so many at most.
    pub fn new(playground: &Playground, key: &ObjectKey, limit: u32) -> Result<Self, CommandError> {
        let mut scratch = playground.scratch();
        let mut template = scratch.with_waiting(key, |_, _, info| (*info.pod).clone())?;
        template.metadata.uid.clear();
        template.metadata.deletion_timestamp = None;
        template.status = crate::api::PodStatus::default();
        Ok(Self { scratch, template, limit, count: 0, by_node: Map::new(), stop: None, names: 0 })
    }

    /// Goes on: places so many copies at most. False once it is known what stops the next.
    pub fn step(&mut self, copies: u32) -> bool {
        for _ in 0..copies {
            if self.stop.is_some() {
                return false;
            }
            if self.count >= self.limit {
                self.stop = Some(Stop::Limit);
            } else {
                self.place();
            }
        }
        self.stop.is_none()
    }

    /// Goes on to the end.
    #[must_use]
    pub fn run(mut self) -> Self {
        while self.step(u32::MAX) {}
        self
    }

    /// How many copies were placed so far.
    pub fn count(&self) -> u32 {
        self.count
    }

    /// How many of them are on each node that has any, by name.
    pub fn by_node(&self) -> &Map<Arc<str>, u32> {
        &self.by_node
    }

    /// How many of them are in each domain of a label; nodes without it are none's.
    pub fn by_domain(&self, key: &str) -> Map<String, u32> {
        let cluster = self.scratch.cluster();
        let mut sums = Map::new();
        for (node, count) in &self.by_node {
            let labels = cluster.node_named(node).and_then(|idx| cluster.node(idx)?.api_labels());
            if let Some(value) = labels.and_then(|labels| labels.get(key)) {
                *sums.or_default(value.clone()) += count;
            }
        }
        sums
    }

    /// What stops the next, once it is known.
    pub fn stop(&self) -> Option<&Stop> {
        self.stop.as_ref()
    }

    fn place(&mut self) {
        let mut copy = self.template.clone();
        copy.metadata.name = self.name();
        let key = copy.metadata.key();
        let put = Command::Put(Object::Pod(Arc::new(copy)));
        let node = self.scratch.apply(put).and_then(|_| self.choose(&key));
        let bound = match node {
            Ok(Some(node)) => {
                let place = Command::Put(Object::Pod(Arc::new(self.bound(&key, &node))));
                self.scratch.apply(place).is_ok().then_some(node)
            }
            _ => None,
        };
        if let Some(node) = bound {
            self.count += 1;
            *self.by_node.or_default(node) += 1;
            return;
        }
        self.stop = Some(match self.scratch.explain(&key) {
            Ok(explanation) => Stop::Refused(Box::new(explanation)),
            // The pod was asked about when this began, so that it has a profile.
            Err(_) => Stop::Limit,
        });
    }

    /// Where the scheduler puts the pod.
    fn choose(&mut self, key: &ObjectKey) -> Result<Option<Arc<str>>, CommandError> {
        let best = self.scratch.with_waiting(key, |cluster, profile, pod| {
            let Decision::Filtered(placement) = decide(cluster, profile, pod) else {
                return Vec::new();
            };
            let best = placement.best.iter();
            best.filter_map(|idx| Some(Arc::clone(&cluster.node(*idx)?.name))).collect()
        })?;
        let pick = self.scratch.pick(key, best.len() as u32) as usize;
        Ok(best.into_iter().nth(pick))
    }

    fn bound(&self, key: &ObjectKey, node: &str) -> Pod {
        let mut pod = self.template.clone();
        pod.metadata.name.clone_from(&key.name);
        pod.spec.node_name = node.into();
        pod
    }

    /// A name that no pod has.
    fn name(&mut self) -> String {
        loop {
            self.names += 1;
            let name = alloc::format!("{}-{}", self.template.metadata.name, self.names);
            let key = ObjectKey::new(self.template.metadata.namespace.clone(), name);
            if self.scratch.cluster().pod_named(&key).is_none() {
                return key.name;
            }
        }
    }
}
