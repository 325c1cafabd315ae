//! Counts by label key and value.
//!
//! Mirrors `topologyToMatchedTermCount` of `filtering.go` and `scoreMap` of `scoring.go`.

use alloc::vec::Vec;

use crate::cluster::{Cluster, NodeIdx, TopologyIdx};

/// Sums by topology key and domain.
#[derive(Clone, Debug, Default)]
pub struct Pairs {
    columns: Vec<(TopologyIdx, Vec<i64>)>,
    /// How many pairs have a sum other than 0.
    set: u32,
    /// Whether anything was ever added, be it 0.
    touched: bool,
}

impl Pairs {
    /// Adds to the domain of a node, if the node has the label.
    pub fn add(&mut self, cluster: &Cluster, topology: TopologyIdx, node: NodeIdx, by: i64) {
        let Some(column) = cluster.topology().get(topology) else { return };
        let Some(domain) = column.domain(node) else { return };
        let known = self.columns.iter().position(|(known, _)| *known == topology);
        let at = known.unwrap_or_else(|| {
            self.columns.push((topology, alloc::vec![0; column.values.len()]));
            self.columns.len() - 1
        });
        self.touched = true;
        let Some((_, sums)) = self.columns.get_mut(at) else { return };
        if let Some(sum) = sums.get_mut(domain as usize) {
            let before = *sum;
            *sum = sum.wrapping_add(by);
            match (before == 0, *sum == 0) {
                (true, false) => self.set += 1,
                (false, true) => self.set -= 1,
                _ => {}
            }
        }
    }

    /// Adds a whole column of counts, each times `by`.
    pub fn add_counts(
        &mut self,
        cluster: &Cluster,
        topology: TopologyIdx,
        counts: &[u32],
        by: i64,
    ) {
        for &idx in cluster.order() {
            let count = counts.get(idx.at()).copied().unwrap_or(0);
            if count > 0 {
                self.add(cluster, topology, idx, i64::from(count).wrapping_mul(by));
            }
        }
    }

    /// Sum of a domain.
    pub fn get(&self, topology: TopologyIdx, domain: u32) -> i64 {
        self.columns
            .iter()
            .find(|(known, _)| *known == topology)
            .and_then(|(_, sums)| sums.get(domain as usize))
            .copied()
            .unwrap_or(0)
    }

    /// Whether every sum is 0.
    pub fn is_empty(&self) -> bool {
        self.set == 0
    }

    /// Whether anything was ever added.
    pub fn is_touched(&self) -> bool {
        self.touched
    }

    /// The keys with their sums by domain.
    pub fn columns(&self) -> impl Iterator<Item = (TopologyIdx, &[i64])> {
        self.columns.iter().map(|(topology, sums)| (*topology, &**sums))
    }
}
