//! Which images are on how many nodes.
//!
//! Mirrors `addNodeImageStates` and `removeNodeImageStates` of `pkg/scheduler/backend/cache/cache.go`:
//! an image keeps the size that the first node reported for as long as any node has it.

use crate::collections::{Map, Set};
use alloc::vec::Vec;

use super::node_info::ImageState;
use super::{NodeIdx, StrId, Strings};
use crate::api::Node;

/// Images by name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Images {
    by_name: Map<StrId, (i64, Set<NodeIdx>)>,
}

impl Images {
    /// A node with its images came.
    pub fn add(&mut self, idx: NodeIdx, node: &Node, strings: &mut Strings) {
        for image in &node.status.images {
            for name in &image.names {
                let entry = self
                    .by_name
                    .get_or_insert_with(strings.intern(name), || (image.size_bytes, Set::new()));
                entry.1.insert(idx);
            }
        }
    }

    /// A node with its images went.
    pub fn remove(&mut self, idx: NodeIdx, node: &Node, strings: &Strings) {
        for name in node.status.images.iter().flat_map(|image| &image.names) {
            let Some(name) = strings.find(name) else { continue };
            if let Some((_, nodes)) = self.by_name.get_mut(&name) {
                nodes.remove(&idx);
                if nodes.is_empty() {
                    self.by_name.remove(&name);
                }
            }
        }
    }

    /// The images of a node as they stand now, each name once.
    pub fn of_node(&self, node: &Node, strings: &Strings) -> Vec<ImageState> {
        let mut states: Vec<ImageState> = Vec::new();
        for name in node.status.images.iter().flat_map(|image| &image.names) {
            let Some(id) = strings.find(name) else { continue };
            if let Some((size, nodes)) = self.by_name.get(&id)
                && !states.iter().any(|state| state.name == id)
            {
                states.push(ImageState { name: id, size: *size, nodes: nodes.len() as i64 });
            }
        }
        states
    }
}
