//! Counts of pods by node, kept alive between scheduling cycles.
//!
//! A counter answers "how many pods of this kind are on that node" for one kind of pod that some
//! constraint asks about. It is filled once from all pods and then follows every pod that comes
//! or goes, so that a cycle reads columns instead of pods.

use crate::collections::Map;
use alloc::sync::Arc;
use alloc::vec::Vec;

use super::{CounterIdx, LabelSetId, NodeIdx, PodInfo, StrId};
use crate::api::{Labels, Selector};

/// In which namespaces pods are counted.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Scope {
    /// In every namespace.
    All,
    /// In these, in order of number.
    Namespaces(Vec<StrId>),
}

impl Scope {
    /// Whether pods of that namespace are counted.
    pub fn contains(&self, namespace: StrId) -> bool {
        match self {
            Self::All => true,
            Self::Namespaces(names) => names.binary_search(&namespace).is_ok(),
        }
    }
}

/// Which pods are counted: those that match every part.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct CounterKey {
    /// Namespaces and labels that a pod must match, all of them.
    pub parts: Vec<(Scope, Selector)>,
    /// Whether pods that are being deleted count.
    pub terminating: bool,
}

impl CounterKey {
    /// Every pod that a selector selects, wherever and however it is.
    pub fn any(selector: &Selector) -> Self {
        Self { parts: alloc::vec![(Scope::All, selector.clone())], terminating: true }
    }

    /// Whether a pod counts.
    pub fn matches(&self, pod: &PodInfo) -> bool {
        (self.terminating || !pod.is_terminating())
            && self.parts.iter().all(|(scope, selector)| {
                scope.contains(pod.namespace) && selector.matches(&pod.pod.metadata.labels)
            })
    }
}

#[derive(Clone, Debug)]
struct Counter {
    key: Arc<CounterKey>,
    by_node: Vec<u32>,
    /// Whether the selectors match a set of labels: 0 not known, 1 no, 2 yes.
    known: Vec<u8>,
    /// The cycle that last asked for it.
    used: u64,
}

impl Counter {
    fn matches(&mut self, pod: &PodInfo) -> bool {
        if !self.key.terminating && pod.is_terminating() {
            return false;
        }
        if !self.key.parts.iter().all(|(scope, _)| scope.contains(pod.namespace)) {
            return false;
        }
        self.matches_labels(pod.labels, &pod.pod.metadata.labels)
    }

    fn matches_labels(&mut self, id: LabelSetId, labels: &Labels) -> bool {
        if self.known.len() <= id.at() {
            self.known.resize(id.at() + 1, 0);
        }
        let key = &self.key;
        let Some(slot) = self.known.get_mut(id.at()) else { return false };
        if *slot == 0 {
            let yes = key.parts.iter().all(|(_, selector)| selector.matches(labels));
            *slot = if yes { 2 } else { 1 };
        }
        *slot == 2
    }

    fn change(&mut self, node: NodeIdx, by: i32) {
        if self.by_node.len() <= node.at() {
            self.by_node.resize(node.at() + 1, 0);
        }
        if let Some(count) = self.by_node.get_mut(node.at()) {
            *count = count.saturating_add_signed(by);
        }
    }
}

/// Counters kept at most; beyond that the one that was asked for longest ago goes.
const MOST_COUNTERS: usize = 512;

/// All live counters.
#[derive(Clone, Debug, Default)]
pub struct Counters {
    list: Vec<Counter>,
    by_key: Map<Arc<CounterKey>, CounterIdx>,
    clock: u64,
}

impl Counters {
    /// A scheduling cycle begins: counters asked for from now on stay until it ends.
    pub fn begin_cycle(&mut self) {
        self.clock += 1;
    }

    /// The counter of a key, filled from `pods` if it is new.
    pub fn counter_for<'a>(
        &mut self,
        key: CounterKey,
        nodes: u32,
        pods: impl Iterator<Item = &'a PodInfo>,
    ) -> CounterIdx {
        if let Some(&idx) = self.by_key.get(&key) {
            if let Some(counter) = self.list.get_mut(idx.at()) {
                counter.used = self.clock;
            }
            return idx;
        }
        let key = Arc::new(key);
        let mut counter = Counter {
            key: Arc::clone(&key),
            by_node: alloc::vec![0; nodes as usize],
            known: Vec::new(),
            used: self.clock,
        };
        for pod in pods {
            if let Some(node) = pod.node
                && counter.matches(pod)
            {
                counter.change(node, 1);
            }
        }
        let idx = self.place(counter);
        self.by_key.insert(key, idx);
        idx
    }

    fn place(&mut self, counter: Counter) -> CounterIdx {
        let oldest = self
            .list
            .iter()
            .enumerate()
            .filter(|(_, known)| known.used < self.clock)
            .min_by_key(|(_, known)| known.used)
            .map(|(i, _)| i);
        match oldest {
            Some(i) if self.list.len() >= MOST_COUNTERS => {
                if let Some(slot) = self.list.get_mut(i) {
                    self.by_key.remove(&slot.key);
                    *slot = counter;
                }
                CounterIdx(i as u32)
            }
            _ => {
                self.list.push(counter);
                CounterIdx(self.list.len() as u32 - 1)
            }
        }
    }

    /// A pod came to (`by` 1) or left (`by` −1) a node.
    pub fn pod_changed(&mut self, pod: &PodInfo, node: NodeIdx, by: i32) {
        for counter in &mut self.list {
            if counter.matches(pod) {
                counter.change(node, by);
            }
        }
    }

    /// The counter of a key, if it is there.
    pub fn find(&self, key: &CounterKey) -> Option<CounterIdx> {
        self.by_key.get(key).copied()
    }

    /// The counts by node slot; slots beyond the end have none.
    pub fn by_node(&self, idx: CounterIdx) -> &[u32] {
        self.list.get(idx.at()).map_or(&[], |counter| &counter.by_node)
    }

    /// Which pods a counter counts.
    pub fn key(&self, idx: CounterIdx) -> Option<&CounterKey> {
        self.list.get(idx.at()).map(|counter| &*counter.key)
    }

    /// Whether a counter counts a pod.
    pub fn matches(&self, idx: CounterIdx, pod: &PodInfo) -> bool {
        self.key(idx).is_some_and(|key| key.matches(pod))
    }
}
