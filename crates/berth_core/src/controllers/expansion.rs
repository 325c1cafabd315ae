//! The state of an expansion: who owns what, which names are taken, what was made.
//!
//! Everything is found by text, and stands in lists by number.

use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::sync::Arc;
use alloc::vec::Vec;

use super::names::{prefix, suffix, uid};
use super::{Expansion, Line, MOST_PODS, Refusal};
use crate::admission::defaults;
use crate::api::{
    Labels, Node, Object, ObjectKey, ObjectMeta, OwnerReference, Pod, PodSpec, Selector, Workload,
    WorkloadKind,
};
use crate::collections::Index;

/// How often a pod is held against a selector at most: beyond that nothing more is adopted. Only inputs made to take
/// long come near.
const MOST_COMPARISONS: usize = 20_000_000;

#[derive(Debug)]
pub(super) struct State {
    seed: u64,
    nodes: Vec<Arc<Node>>,
    /// Pods, those made included.
    pods: Vec<Arc<Pod>>,
    /// Whether a pod may still find an owner, by number: it has none, or one that is a ReplicaSet outside the input.
    orphan_pods: Vec<bool>,
    /// Whether a ReplicaSet has no controller, by number.
    orphan_sets: Vec<bool>,
    /// ReplicaSets, those made included.
    sets: Vec<Arc<Workload>>,
    /// The number of a pod, or of a workload in the input, by [`name_of`].
    numbers: Index,
    /// Numbers of pods or ReplicaSets by what they have in common (see the functions below), in a list for each group.
    groups: Index,
    members: Vec<Vec<usize>>,
    /// How many more pods may be held against selectors.
    comparisons_left: usize,
    pods_made: u32,
    out: Expansion,
}

/// What no other object has in common with this one.
fn name_of(kind: &str, namespace: &str, name: &str) -> String {
    format!("{kind} {namespace}/{name}")
}

/// Everything that a workload owns.
fn owned_by(workload: &Workload) -> String {
    let ObjectMeta { namespace, name, .. } = &workload.metadata;
    name_of(workload.kind.as_str(), namespace, name)
}

/// Pods that have a label, or all of a namespace if the label is empty.
fn with_label(namespace: &str, key: &str, value: &str) -> String {
    format!("{namespace} {key}={value}")
}

/// The ReplicaSets of a namespace.
fn sets_of(namespace: &str) -> String {
    format!("sets {namespace}")
}

impl State {
    /// Knows the workloads; the objects are still to be added.
    pub(super) fn new(objects: &[Object], seed: u64) -> Self {
        let mut state = Self {
            seed,
            nodes: Vec::new(),
            pods: Vec::new(),
            orphan_pods: Vec::new(),
            orphan_sets: Vec::new(),
            sets: Vec::new(),
            numbers: Index::default(),
            groups: Index::default(),
            members: Vec::new(),
            comparisons_left: MOST_COMPARISONS,
            pods_made: 0,
            out: Expansion::default(),
        };
        for (number, object) in objects.iter().enumerate() {
            if let Object::Workload(workload) = object {
                state.numbers.insert(owned_by(workload).into(), number as u32);
            }
        }
        state
    }

    /// Takes in one of the objects.
    pub(super) fn add(&mut self, object: &Object, objects: &[Object]) {
        match object {
            Object::Node(node) => self.nodes.push(Arc::clone(node)),
            Object::Pod(pod) => self.add_pod(pod, objects),
            Object::Workload(set) if set.kind == WorkloadKind::ReplicaSet => {
                let number = self.sets.len();
                let controller = set.metadata.controller();
                let owner = controller.and_then(|owner| self.owner(&set.metadata, owner, objects));
                if let Some(owner) = owner {
                    self.group(owner, number);
                }
                self.group(sets_of(&set.metadata.namespace), number);
                self.orphan_sets.push(controller.is_none());
                self.sets.push(Arc::clone(set));
            }
            _ => {}
        }
    }

    fn add_pod(&mut self, pod: &Arc<Pod>, objects: &[Object]) {
        let number = self.pods.len();
        let metadata = &pod.metadata;
        let controller = metadata.controller();
        let owner = controller.and_then(|owner| self.owner(metadata, owner, objects));
        let is_orphan = match (controller, owner) {
            (_, Some(owner)) => {
                self.group(owner, number);
                false
            }
            (Some(controller), None) => controller.kind == "ReplicaSet",
            (None, None) => true,
        };
        if is_orphan {
            self.group(with_label(&metadata.namespace, "", ""), number);
            for (key, value) in &metadata.labels {
                self.group(with_label(&metadata.namespace, key, value), number);
            }
        }
        self.numbers
            .insert(name_of("Pod", &metadata.namespace, &metadata.name).into(), number as u32);
        self.orphan_pods.push(is_orphan);
        self.pods.push(Arc::clone(pod));
    }

    /// The active pods that may find an owner and that a workload's selector selects.
    fn candidates(&mut self, workload: &Workload, selector: &Selector) -> Vec<usize> {
        // Every label that has to match narrows the search; the first will do.
        let label = workload.selector.as_ref().and_then(|s| s.match_labels.iter().next());
        let (key, value) = label.map_or(("", ""), |(key, value)| (key, value));
        let all = self.members(&with_label(&workload.metadata.namespace, key, value));
        let all = all.get(..self.comparisons_left).unwrap_or(all);
        let compared = all.len();
        let is_candidate = |number: &usize| {
            self.orphan_pods.get(*number) == Some(&true)
                && self.pods.get(*number).is_some_and(|pod| {
                    super::is_active(pod) && selector.matches(&pod.metadata.labels)
                })
        };
        let candidates = all.iter().copied().filter(is_candidate).collect();
        self.comparisons_left -= compared;
        candidates
    }

    fn group(&mut self, group: String, number: usize) {
        let place = self.groups.get(&group).unwrap_or_else(|| {
            let place = self.members.len() as u32;
            self.groups.insert(group.into(), place);
            self.members.push(Vec::new());
            place
        });
        if let Some(members) = self.members.get_mut(place as usize) {
            members.push(number);
        }
    }

    fn members(&self, group: &str) -> &[usize] {
        let place = self.groups.get(group).map(|place| place as usize);
        place.and_then(|place| self.members.get(place)).map(Vec::as_slice).unwrap_or_default()
    }

    /// The workload that a controller reference means, if it is among the objects.
    fn owner(
        &self,
        metadata: &ObjectMeta,
        owner: &OwnerReference,
        objects: &[Object],
    ) -> Option<String> {
        let name = name_of(&owner.kind, &metadata.namespace, &owner.name);
        let Some(Object::Workload(workload)) = objects.get(self.numbers.get(&name)? as usize)
        else {
            return None;
        };
        // Hand-written input often leaves out one of the two.
        let uid = &workload.metadata.uid;
        (uid.is_empty() || owner.uid.is_empty() || *uid == owner.uid).then_some(name)
    }

    pub(super) const fn seed(&self) -> u64 {
        self.seed
    }

    pub(super) fn nodes(&self) -> Vec<Arc<Node>> {
        self.nodes.clone()
    }

    /// All ReplicaSets, those made included.
    pub(super) fn replica_sets(&self) -> Vec<Arc<Workload>> {
        self.sets.clone()
    }

    pub(super) fn has_pod(&self, key: &ObjectKey) -> bool {
        self.numbers.get(&name_of("Pod", &key.namespace, &key.name)).is_some()
    }

    pub(super) fn finish(self) -> Expansion {
        self.out
    }

    /// A workload's identity: its own, or one made for it.
    pub(super) fn uid(&self, workload: &Workload) -> String {
        if workload.metadata.uid.is_empty() {
            uid(self.seed, &owned_by(workload))
        } else {
            workload.metadata.uid.clone()
        }
    }

    fn reference(&self, workload: &Workload) -> OwnerReference {
        OwnerReference {
            api_version: workload.kind.api_version().to_owned(),
            kind: workload.kind.to_string(),
            name: workload.metadata.name.clone(),
            uid: self.uid(workload),
            controller: true,
        }
    }

    /// The compiled selector, or a line that says why there is none. An empty selector is refused as well: it would
    /// select everything.
    pub(super) fn selector(&mut self, workload: &Workload, labels: &Labels) -> Option<Selector> {
        let refused = match Selector::from_label_selector(workload.selector.as_ref()) {
            Err(error) => Refusal::Selector(error.to_string()),
            Ok(selector) if selector.is_nothing() || selector.is_empty() => {
                Refusal::Selector("Required value".to_owned())
            }
            Ok(selector) if !selector.matches(labels) => Refusal::Template,
            Ok(selector) => return Some(selector),
        };
        self.line(workload, 0, 0, 0, Some(refused));
        None
    }

    pub(super) fn line(
        &mut self,
        workload: &Workload,
        adopted: u32,
        created: u32,
        excess: u32,
        refused: Option<Refusal>,
    ) {
        let (kind, key) = (workload.kind, workload.metadata.key());
        self.out.lines.push(Line { kind, key, adopted, created, excess, refused });
    }

    /// The pods that are a workload's own, after it took on the active ones without a controller that its selector
    /// selects.
    pub(super) fn own_pods(&mut self, workload: &Workload, selector: &Selector) -> Vec<Arc<Pod>> {
        let owner = owned_by(workload);
        let reference = self.reference(workload);
        for number in self.candidates(workload, selector) {
            let (Some(pod), Some(orphan)) =
                (self.pods.get_mut(number), self.orphan_pods.get_mut(number))
            else {
                continue;
            };
            if pod.metadata.controller().is_none() {
                *orphan = false;
                Arc::make_mut(pod).metadata.owner_references.push(reference.clone());
                self.out.adopted.push(Object::Pod(Arc::clone(pod)));
                self.group(owner.clone(), number);
            }
        }
        self.members(&owner).iter().filter_map(|number| self.pods.get(*number).cloned()).collect()
    }

    /// The ReplicaSets that are a Deployment's own, after it took on those that its selector selects.
    pub(super) fn own_sets(
        &mut self,
        deployment: &Workload,
        selector: &Selector,
    ) -> Vec<Arc<Workload>> {
        let candidates = self.members(&sets_of(&deployment.metadata.namespace)).to_vec();
        let owner = owned_by(deployment);
        let reference = self.reference(deployment);
        for number in candidates {
            let (Some(set), Some(orphan)) =
                (self.sets.get_mut(number), self.orphan_sets.get_mut(number))
            else {
                continue;
            };
            if *orphan && selector.matches(&set.metadata.labels) {
                *orphan = false;
                Arc::make_mut(set).metadata.owner_references.push(reference.clone());
                self.out.adopted.push(Object::Workload(Arc::clone(set)));
                self.group(owner.clone(), number);
            }
        }
        self.members(&owner).iter().filter_map(|number| self.sets.get(*number).cloned()).collect()
    }

    /// The ReplicaSets that are not in the input but have active pods there that a selector selects: the name and the
    /// pods of each. From now on the pods count as theirs, so that the sets have to be made.
    pub(super) fn absent_sets(
        &mut self,
        deployment: &Workload,
        selector: &Selector,
    ) -> Vec<(String, Vec<Arc<Pod>>)> {
        let mut out = Vec::<(String, Vec<Arc<Pod>>)>::new();
        for number in self.candidates(deployment, selector) {
            let Some(pod) = self.pods.get(number).cloned() else { continue };
            let Some(set) = pod.metadata.controller().map(|owner| owner.name.clone()) else {
                continue;
            };
            if let Some(orphan) = self.orphan_pods.get_mut(number) {
                *orphan = false;
            }
            self.group(name_of("ReplicaSet", &deployment.metadata.namespace, &set), number);
            match out.iter_mut().find(|(name, _)| *name == set) {
                Some((_, pods)) => pods.push(pod),
                None => out.push((set, alloc::vec![pod])),
            }
        }
        out
    }

    /// Makes a Deployment's ReplicaSet.
    pub(super) fn make_set(&mut self, deployment: &Workload, mut set: Workload) {
        set.metadata.namespace.clone_from(&deployment.metadata.namespace);
        set.metadata.owner_references = alloc::vec![self.reference(deployment)];
        let set = Arc::new(set);
        self.out.created.push(Object::Workload(Arc::clone(&set)));
        self.orphan_sets.push(false);
        self.sets.push(set);
    }

    /// Whether so many more pods may be made; if not, a line says so.
    pub(super) fn may_make(&mut self, workload: &Workload, adopted: u32, pods: u32) -> bool {
        let fits = self.pods_made.checked_add(pods).is_some_and(|sum| sum <= MOST_PODS);
        if !fits {
            self.line(workload, adopted, 0, 0, Some(Refusal::TooMany));
        }
        fits
    }

    /// A name of its own for pod number `index` of a workload: the stem and five letters.
    pub(super) fn generate_name(&self, namespace: &str, stem: &str, index: u32) -> String {
        let prefix = prefix(stem);
        let mut attempt = 0_u32;
        loop {
            let suffix = suffix(self.seed, &(namespace, stem, index, attempt));
            let key = ObjectKey::new(namespace, format!("{prefix}{suffix}"));
            if !self.has_pod(&key) {
                return key.name;
            }
            attempt += 1;
        }
    }

    /// Makes a pod as the API server keeps it: with an owner and defaults, waiting.
    pub(super) fn make_pod(
        &mut self,
        workload: &Workload,
        name: String,
        labels: Labels,
        spec: PodSpec,
    ) {
        let namespace = workload.metadata.namespace.clone();
        let id = name_of("Pod", &namespace, &name);
        let mut pod = Pod {
            metadata: ObjectMeta {
                uid: uid(self.seed, &id),
                name,
                namespace,
                labels,
                owner_references: alloc::vec![self.reference(workload)],
                ..ObjectMeta::default()
            },
            spec,
            ..Pod::default()
        };
        if workload.kind == WorkloadKind::Job {
            super::job::note_on_pod(&mut pod.metadata);
        }
        defaults::pod(&mut pod);
        let pod = Arc::new(pod);
        self.pods_made += 1;
        self.out.created.push(Object::Pod(Arc::clone(&pod)));
        self.numbers.insert(id.into(), self.pods.len() as u32);
        self.orphan_pods.push(false);
        self.pods.push(pod);
    }
}
