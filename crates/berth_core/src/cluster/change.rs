//! Changes that can be taken back exactly.
//!
//! Every change gives its inverse, and applying an inverse gives the change again. Exact means
//! also the order of pods on a node and of nodes round the zones: victims and ties hang on it.

use alloc::sync::Arc;
use alloc::vec::Vec;

use super::node_tree::NodeTree;
use super::{Cluster, NodeIdx};
use crate::api::{Kind, Object, ObjectKey, Pod};

/// Where a pod stands in its node's list and in that of nominated pods; beyond the end means last.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct PodPlace {
    pub(super) on_node: usize,
    pub(super) nominated: usize,
}

impl PodPlace {
    pub(super) const LAST: Self = Self { on_node: usize::MAX, nominated: usize::MAX };
}

/// How to take a change back.
#[derive(Clone, Debug)]
pub struct Inverse(State);

/// What stood where the change was made.
#[derive(Clone, Debug)]
enum State {
    Pod(ObjectKey, Option<(Arc<Pod>, bool, PodPlace)>),
    Node(ObjectKey, Option<Object>, NodeTree, Vec<NodeIdx>),
    Other(Kind, ObjectKey, Option<Object>),
}

impl Inverse {
    /// The object that is changed.
    pub fn subject(&self) -> (Kind, &ObjectKey) {
        match &self.0 {
            State::Pod(key, _) => (Kind::Pod, key),
            State::Node(key, ..) => (Kind::Node, key),
            State::Other(kind, key, _) => (*kind, key),
        }
    }
}

impl Cluster {
    /// Adds or replaces an object.
    pub fn change_put(&mut self, object: &Object) -> Inverse {
        let inverse = self.inverse(object.kind(), &object.key());
        self.put(object);
        inverse
    }

    /// Removes an object; none if it is not there.
    pub fn change_drop(&mut self, kind: Kind, key: &ObjectKey) -> Option<Inverse> {
        let inverse = self.inverse(kind, key);
        self.drop_object(kind, key).map(|_| inverse)
    }

    /// Takes a change back, and gives the change itself.
    pub fn revert(&mut self, inverse: Inverse) -> Inverse {
        match inverse.0 {
            State::Pod(key, before) => {
                let again = self.inverse(Kind::Pod, &key);
                match before {
                    Some((pod, bound, place)) => {
                        if let Some(idx) = self.pod_named(&key) {
                            self.take_pod(idx);
                        }
                        self.place_pod(&pod, bound, place);
                    }
                    None => drop(self.drop_pod(&key)),
                }
                again
            }
            State::Node(key, before, tree, order) => {
                let again = self.inverse(Kind::Node, &key);
                self.put_or_drop(Kind::Node, &key, before);
                self.tree = tree;
                self.order = order;
                self.relist = false;
                // How many nodes there are counts for each.
                self.epoch += 1;
                again
            }
            State::Other(kind, key, before) => {
                let again = self.inverse(kind, &key);
                self.put_or_drop(kind, &key, before);
                again
            }
        }
    }

    fn put_or_drop(&mut self, kind: Kind, key: &ObjectKey, before: Option<Object>) {
        match before {
            Some(object) => self.put(&object),
            None => drop(self.drop_object(kind, key)),
        }
    }

    fn inverse(&self, kind: Kind, key: &ObjectKey) -> Inverse {
        Inverse(match kind {
            Kind::Pod => {
                let idx = self.pod_named(key);
                let before = idx.and_then(|idx| {
                    let info = self.pod(idx)?;
                    Some((Arc::clone(&info.pod), info.bound, self.place_of(idx)))
                });
                State::Pod(key.clone(), before)
            }
            Kind::Node => {
                let before = self.get(kind, key);
                State::Node(key.clone(), before, self.tree.clone(), self.order.clone())
            }
            _ => State::Other(kind, key.clone(), self.get(kind, key)),
        })
    }
}
