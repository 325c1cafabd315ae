//! The order of nodes: round the zones, one node of each at a time.
//!
//! Mirrors `pkg/scheduler/backend/cache/node_tree.go` and `GetZoneKey` of
//! `k8s.io/component-helpers/node/topology`.

use alloc::string::String;
use alloc::vec::Vec;

use super::NodeIdx;
use crate::api::Node;

/// Nodes by zone, zones in the order in which they appeared.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NodeTree {
    zones: Vec<(String, Vec<NodeIdx>)>,
}

/// Region and zone of a node, as the tree tells zones apart.
pub fn zone_key(node: &Node) -> String {
    let label = |beta: &str, current: &str| {
        let labels = &node.metadata.labels;
        labels.get(beta).or_else(|| labels.get(current)).map_or("", String::as_str)
    };
    let zone = label("failure-domain.beta.kubernetes.io/zone", "topology.kubernetes.io/zone");
    let region = label("failure-domain.beta.kubernetes.io/region", "topology.kubernetes.io/region");
    if region.is_empty() && zone.is_empty() {
        return String::new();
    }
    alloc::format!("{region}:\0:{zone}")
}

impl NodeTree {
    /// Adds a node at the end of its zone.
    pub fn add(&mut self, zone: &str, node: NodeIdx) {
        match self.zones.iter_mut().find(|(known, _)| known == zone) {
            Some((_, nodes)) if nodes.contains(&node) => {}
            Some((_, nodes)) => nodes.push(node),
            None => self.zones.push((zone.into(), alloc::vec![node])),
        }
    }

    /// Removes a node, and its zone if it was the last there.
    pub fn remove(&mut self, zone: &str, node: NodeIdx) {
        if let Some((_, nodes)) = self.zones.iter_mut().find(|(known, _)| known == zone) {
            nodes.retain(|known| *known != node);
        }
        self.zones.retain(|(_, nodes)| !nodes.is_empty());
    }

    /// All nodes, round the zones.
    pub fn list(&self) -> Vec<NodeIdx> {
        let longest = self.zones.iter().map(|(_, nodes)| nodes.len()).max().unwrap_or(0);
        (0..longest)
            .flat_map(|i| self.zones.iter().filter_map(move |(_, nodes)| nodes.get(i).copied()))
            .collect()
    }
}
