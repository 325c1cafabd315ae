//! The state of an expansion: who owns what, which names are taken, what was made.

use crate::collections::{Map, Set};
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

/// How often a pod is held against a selector at most: beyond that nothing more is adopted. Only inputs made to take
/// long come near.
const MOST_COMPARISONS: u64 = 20_000_000;

/// What an owner reference says of its owner.
type Owner = (WorkloadKind, ObjectKey);

pub(super) struct State {
    seed: u64,
    nodes: Vec<Arc<Node>>,
    /// Pods by namespace and name.
    pods: Map<ObjectKey, Arc<Pod>>,
    /// ReplicaSets by namespace and name, those made included.
    sets: Map<ObjectKey, Arc<Workload>>,
    /// In the order of the input, then as made.
    set_order: Vec<ObjectKey>,
    owned_pods: Map<Owner, Vec<ObjectKey>>,
    owned_sets: Map<Owner, Vec<ObjectKey>>,
    /// Pods of ReplicaSets that are not in the input, by that ReplicaSet.
    pods_of_absent: Map<ObjectKey, Vec<ObjectKey>>,
    /// Pods without a controller, by namespace and label, and by namespace alone (an empty label).
    orphan_pods: Map<(String, String, String), Set<ObjectKey>>,
    /// How many more pods may be held against selectors.
    comparisons_left: u64,
    orphan_sets: Map<String, Set<ObjectKey>>,
    pods_made: u32,
    out: Expansion,
}

/// Who is whose: an identity and the workload that has it.
struct Identities(Map<Owner, String>);

impl Identities {
    /// The workload that a controller reference means, if it is among the objects.
    fn owner(&self, namespace: &str, reference: &OwnerReference) -> Option<Owner> {
        let kind = *WorkloadKind::ALL.iter().find(|kind| kind.as_str() == reference.kind)?;
        let owner = (kind, ObjectKey::new(namespace, reference.name.clone()));
        let uid = self.0.get(&owner)?;
        // Hand-written input often leaves out one of the two.
        (uid.is_empty() || reference.uid.is_empty() || *uid == reference.uid).then_some(owner)
    }
}

impl State {
    pub(super) fn new(objects: &[Object], seed: u64) -> Self {
        let mut state = Self {
            seed,
            nodes: Vec::new(),
            pods: Map::new(),
            sets: Map::new(),
            set_order: Vec::new(),
            owned_pods: Map::new(),
            owned_sets: Map::new(),
            pods_of_absent: Map::new(),
            orphan_pods: Map::new(),
            comparisons_left: MOST_COMPARISONS,
            orphan_sets: Map::new(),
            pods_made: 0,
            out: Expansion::default(),
        };
        let identities = Identities(
            objects
                .iter()
                .filter_map(|object| match object {
                    Object::Workload(workload) => {
                        Some(((workload.kind, object.key()), workload.metadata.uid.clone()))
                    }
                    _ => None,
                })
                .collect(),
        );
        let mut pods = Vec::new();
        for object in objects {
            let key = object.key();
            let controller = object.metadata().controller();
            let owner = controller.map(|reference| identities.owner(&key.namespace, reference));
            match object {
                Object::Node(node) => state.nodes.push(Arc::clone(node)),
                Object::Pod(pod) => {
                    match owner {
                        None => state.add_orphan(&key, &pod.metadata.labels),
                        Some(Some(owner)) => {
                            state.owned_pods.or_default(owner).push(key.clone());
                        }
                        Some(None) => {
                            let set = controller.filter(|owner| owner.kind == "ReplicaSet");
                            if let Some(set) = set {
                                let set = ObjectKey::new(key.namespace.clone(), set.name.clone());
                                state.pods_of_absent.or_default(set).push(key.clone());
                            }
                        }
                    }
                    pods.push((key, Arc::clone(pod)));
                }
                Object::Workload(set) if set.kind == WorkloadKind::ReplicaSet => {
                    match owner {
                        None => {
                            state.orphan_sets.or_default(key.namespace.clone()).insert(key.clone());
                        }
                        Some(Some(owner)) => {
                            state.owned_sets.or_default(owner).push(key.clone());
                        }
                        Some(None) => {}
                    }
                    state.set_order.push(key.clone());
                    state.sets.insert(key, Arc::clone(set));
                }
                _ => {}
            }
        }
        state.pods = pods.into_iter().collect();
        state
    }

    /// The places where a pod without a controller is found.
    fn orphan_places(key: &ObjectKey, labels: &Labels) -> Vec<(String, String, String)> {
        let all =
            [("", "")].into_iter().chain(labels.iter().map(|(key, value)| (&**key, &**value)));
        all.map(|(label, value)| (key.namespace.clone(), label.to_owned(), value.to_owned()))
            .collect()
    }

    fn add_orphan(&mut self, key: &ObjectKey, labels: &Labels) {
        for place in Self::orphan_places(key, labels) {
            self.orphan_pods.or_default(place).insert(key.clone());
        }
    }

    fn remove_orphan(&mut self, key: &ObjectKey, labels: &Labels) {
        for place in Self::orphan_places(key, labels) {
            if let Some(orphans) = self.orphan_pods.get_mut(&place) {
                orphans.remove(key);
            }
        }
    }

    pub(super) const fn seed(&self) -> u64 {
        self.seed
    }

    pub(super) fn nodes(&self) -> Vec<Arc<Node>> {
        self.nodes.clone()
    }

    /// All ReplicaSets, those made included.
    pub(super) fn replica_sets(&self) -> Vec<Arc<Workload>> {
        self.set_order.iter().filter_map(|key| self.sets.get(key)).map(Arc::clone).collect()
    }

    pub(super) fn pod(&self, key: &ObjectKey) -> Option<&Pod> {
        self.pods.get(key).map(|pod| &**pod)
    }

    pub(super) fn finish(self) -> Expansion {
        self.out
    }

    /// A workload's identity: its own, or one made for it.
    pub(super) fn uid(&self, workload: &Workload) -> String {
        let metadata = &workload.metadata;
        if metadata.uid.is_empty() {
            uid(self.seed, &(workload.kind.as_str(), &*metadata.namespace, &*metadata.name))
        } else {
            metadata.uid.clone()
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

    /// The active pods that are a workload's own, after it took on those without a controller that its selector
    /// selects.
    pub(super) fn own_pods(&mut self, workload: &Workload, selector: &Selector) -> Vec<Arc<Pod>> {
        let owner = (workload.kind, workload.metadata.key());
        let namespace = &workload.metadata.namespace;
        // Every label that has to match narrows the search; the first will do.
        let label =
            workload.selector.as_ref().and_then(|selector| selector.match_labels.iter().next());
        let (key, value) = label.map_or(("", ""), |(key, value)| (key, value));
        let place = (namespace.clone(), key.to_owned(), value.to_owned());
        let candidates = self.orphan_pods.get(&place).into_iter().flatten();
        let most = usize::try_from(self.comparisons_left).unwrap_or(usize::MAX);
        let mut compared = 0;
        let selected: Vec<ObjectKey> = candidates
            .take(most)
            .filter(|key| {
                compared += 1;
                let pod = self.pods.get(*key);
                pod.is_some_and(|pod| {
                    super::is_active(pod) && selector.matches(&pod.metadata.labels)
                })
            })
            .cloned()
            .collect();
        self.comparisons_left -= compared;
        for key in selected {
            let reference = self.reference(workload);
            if let Some(pod) = self.pods.get_mut(&key) {
                let labels = pod.metadata.labels.clone();
                Arc::make_mut(pod).metadata.owner_references.push(reference);
                self.out.adopted.push(Object::Pod(Arc::clone(pod)));
                self.remove_orphan(&key, &labels);
            }
            self.owned_pods.or_default(owner.clone()).push(key);
        }
        let own = self.owned_pods.get(&owner).into_iter().flatten();
        own.filter_map(|key| self.pods.get(key)).map(Arc::clone).collect()
    }

    /// The ReplicaSets that are a Deployment's own, after it took on those that its selector selects.
    pub(super) fn own_sets(
        &mut self,
        deployment: &Workload,
        selector: &Selector,
    ) -> Vec<Arc<Workload>> {
        let owner = (deployment.kind, deployment.metadata.key());
        let namespace = &deployment.metadata.namespace;
        let candidates = self.orphan_sets.get(namespace).into_iter().flatten();
        let selected: Vec<ObjectKey> = candidates
            .filter(|key| {
                self.sets.get(*key).is_some_and(|set| selector.matches(&set.metadata.labels))
            })
            .cloned()
            .collect();
        for key in selected {
            let reference = self.reference(deployment);
            if let Some(set) = self.sets.get_mut(&key) {
                Arc::make_mut(set).metadata.owner_references.push(reference);
                self.out.adopted.push(Object::Workload(Arc::clone(set)));
            }
            if let Some(orphans) = self.orphan_sets.get_mut(namespace) {
                orphans.remove(&key);
            }
            self.owned_sets.or_default(owner.clone()).push(key);
        }
        let own = self.owned_sets.get(&owner).into_iter().flatten();
        own.filter_map(|key| self.sets.get(key)).map(Arc::clone).collect()
    }

    /// The ReplicaSets that are not in the input but have active pods there that a selector selects: name and pods of
    /// each. From now on the pods count as theirs, so that the sets have to be made.
    pub(super) fn absent_sets(
        &mut self,
        namespace: &str,
        selector: &Selector,
    ) -> Vec<(ObjectKey, Vec<Arc<Pod>>)> {
        let mut out = Vec::new();
        let here = self.pods_of_absent.iter().skip_while(|(key, _)| *key.namespace < *namespace);
        for (set, keys) in here.take_while(|(set, _)| set.namespace == namespace) {
            let pods = || {
                keys.iter().filter_map(|key| self.pods.get(key)).filter(|pod| super::is_active(pod))
            };
            if pods().any(|pod| selector.matches(&pod.metadata.labels)) {
                out.push((set.clone(), pods().cloned().collect()));
            }
        }
        for (set, _) in &out {
            if let Some(keys) = self.pods_of_absent.remove(set) {
                self.owned_pods.insert((WorkloadKind::ReplicaSet, set.clone()), keys);
            }
        }
        out
    }

    /// Makes a Deployment's ReplicaSet.
    pub(super) fn make_set(&mut self, deployment: &Workload, mut set: Workload) {
        set.metadata.namespace.clone_from(&deployment.metadata.namespace);
        set.metadata.owner_references = alloc::vec![self.reference(deployment)];
        let key = set.metadata.key();
        let set = Arc::new(set);
        self.out.created.push(Object::Workload(Arc::clone(&set)));
        self.set_order.push(key.clone());
        self.sets.insert(key, set);
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
            let name = format!("{prefix}{suffix}");
            if !self.pods.contains_key(&ObjectKey::new(namespace, name.clone())) {
                return name;
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
        let mut pod = Pod {
            metadata: ObjectMeta {
                uid: uid(self.seed, &("Pod", &*namespace, &*name)),
                name,
                namespace,
                labels,
                owner_references: alloc::vec![self.reference(workload)],
                ..ObjectMeta::default()
            },
            spec,
            ..Pod::default()
        };
        defaults::pod(&mut pod);
        let pod = Arc::new(pod);
        self.pods_made += 1;
        self.out.created.push(Object::Pod(Arc::clone(&pod)));
        self.pods.insert(pod.metadata.key(), pod);
    }
}
