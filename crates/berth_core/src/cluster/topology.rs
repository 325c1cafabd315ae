//! Topology domains: for each label key in use, which node has which value.

use crate::collections::Map;
use alloc::vec::Vec;

use super::{NodeIdx, StrId, TopologyIdx};

/// No domain: the node does not have the label.
pub const NO_DOMAIN: u32 = u32::MAX;

/// The domains of one label key.
#[derive(Clone, Debug)]
pub struct TopologyColumn {
    /// The label key.
    pub key: StrId,
    /// Values by domain. Domain 0 is the empty value, whether or not a node has it.
    pub values: Vec<StrId>,
    /// Domain by node slot, or `NO_DOMAIN`.
    pub domain_of: Vec<u32>,
    ids: Map<StrId, u32>,
}

impl TopologyColumn {
    /// Domain of a node, if it has the label.
    pub fn domain(&self, node: NodeIdx) -> Option<u32> {
        self.domain_of.get(node.at()).copied().filter(|domain| *domain != NO_DOMAIN)
    }

    fn set(&mut self, node: NodeIdx, value: Option<StrId>) {
        if self.domain_of.len() <= node.at() {
            self.domain_of.resize(node.at() + 1, NO_DOMAIN);
        }
        let domain = value.map_or(NO_DOMAIN, |value| {
            *self.ids.get_or_insert_with(value, || {
                self.values.push(value);
                self.values.len() as u32 - 1
            })
        });
        if let Some(slot) = self.domain_of.get_mut(node.at()) {
            *slot = domain;
        }
    }
}

/// The columns of all label keys that were asked for.
#[derive(Clone, Debug, Default)]
pub struct Topology {
    columns: Vec<TopologyColumn>,
    by_key: Map<StrId, TopologyIdx>,
}

impl Topology {
    /// The column of a key, made now if it is new. `labels` gives each node's value.
    pub fn column_for(
        &mut self,
        key: StrId,
        empty: StrId,
        nodes: u32,
        value_of: impl Fn(NodeIdx) -> Option<StrId>,
    ) -> TopologyIdx {
        if let Some(&idx) = self.by_key.get(&key) {
            return idx;
        }
        let mut column = TopologyColumn {
            key,
            values: alloc::vec![empty],
            domain_of: Vec::new(),
            ids: Map::from([(empty, 0)]),
        };
        for node in (0..nodes).map(NodeIdx) {
            column.set(node, value_of(node));
        }
        let idx = TopologyIdx(self.columns.len() as u32);
        self.columns.push(column);
        self.by_key.insert(key, idx);
        idx
    }

    /// A node's labels changed, or the node came or went.
    pub fn update(&mut self, node: NodeIdx, value_of: impl Fn(StrId) -> Option<StrId>) {
        for column in &mut self.columns {
            let value = value_of(column.key);
            column.set(node, value);
        }
    }

    /// The column of a key that was asked for before.
    pub fn find(&self, key: StrId) -> Option<TopologyIdx> {
        self.by_key.get(&key).copied()
    }

    /// A column.
    pub fn get(&self, idx: TopologyIdx) -> Option<&TopologyColumn> {
        self.columns.get(idx.at())
    }
}
