//! What node-local plugins said, kept until a node changes.
//!
//! Verdict and raw score of a node-local plugin hang only on the node and on the pod's shape: what
//! it asks for, tolerates, selects and runs. Pods of one shape share a column, and a column takes
//! up again only the nodes that changed since it was last used, so that a change costs what it
//! touches. kube-scheduler has nothing like it; the verdicts are the same because the same plugin
//! bodies make them.

use alloc::sync::Arc;
use alloc::vec::Vec;

use super::cycle::{ScoreState, filter_node, score_node};
use super::fact::Silent;
use super::plugin::{ExtensionPoint, PluginId};
use super::state::{Context, FilterState};
use super::status::Code;
use crate::api::{NodeAffinity, Pod};
use crate::cluster::NodeIdx;
use crate::framework::profile::Profile;

/// Filter plugins that look at nothing but the node.
pub const LOCAL_FILTERS: [PluginId; 6] = [
    PluginId::NodeUnschedulable,
    PluginId::NodeName,
    PluginId::TaintToleration,
    PluginId::NodeAffinity,
    PluginId::NodePorts,
    PluginId::NodeResourcesFit,
];

/// Score plugins whose raw score hangs on nothing but the node.
pub const LOCAL_SCORES: [PluginId; 5] = [
    PluginId::TaintToleration,
    PluginId::NodeAffinity,
    PluginId::NodeResourcesFit,
    PluginId::NodeResourcesBalancedAllocation,
    PluginId::ImageLocality,
];

/// Columns kept at most; beyond that the one that was asked for longest ago goes.
const MOST_COLUMNS: usize = 64;

/// Verdicts of all local filters on a node: two bits each, its code.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Verdicts(u16);

impl Verdicts {
    fn set(&mut self, at: usize, code: Code) {
        let bits = match code {
            Code::Success | Code::Skip => 0,
            Code::Error => 1,
            Code::Unschedulable => 2,
            Code::UnschedulableAndUnresolvable => 3,
        };
        self.0 |= bits << (2 * at);
    }

    fn get(self, at: usize) -> Code {
        match self.0 >> (2 * at) & 3 {
            0 => Code::Success,
            1 => Code::Error,
            2 => Code::Unschedulable,
            _ => Code::UnschedulableAndUnresolvable,
        }
    }
}

/// What local plugins say of every node, for pods of one shape under one profile.
#[derive(Clone, Debug)]
pub struct Columns {
    profile: Profile,
    pod: Arc<Pod>,
    verdicts: Vec<Verdicts>,
    raw: [Vec<i64>; LOCAL_SCORES.len()],
    /// The cluster's generation that the columns stand for.
    generation: u64,
    epoch: u64,
    used: u64,
}

impl Columns {
    /// Whether every local filter lets a node pass.
    pub fn passes(&self, node: NodeIdx) -> bool {
        self.verdicts.get(node.at()).is_some_and(|verdicts| verdicts.0 == 0)
    }

    /// The verdict of a local filter; none for a plugin that is not local.
    pub fn verdict(&self, plugin: PluginId, node: NodeIdx) -> Option<Code> {
        let at = LOCAL_FILTERS.iter().position(|local| *local == plugin)?;
        Some(self.verdicts.get(node.at())?.get(at))
    }

    /// The raw scores of a local plugin by node slot; none for a plugin that is not local.
    pub fn raw(&self, plugin: PluginId) -> Option<&[i64]> {
        let at = LOCAL_SCORES.iter().position(|local| *local == plugin)?;
        self.raw.get(at).map(Vec::as_slice)
    }

    fn look_at(&mut self, cx: &Context<'_>, work: &Work<'_>, idx: NodeIdx) {
        let Some(node) = cx.cluster.node(idx).filter(|node| node.node.is_some()) else { return };
        let mut verdicts = Verdicts::default();
        for &(at, plugin) in &work.filters {
            verdicts.set(at, filter_node(plugin, cx, work.state, idx, node, &mut Silent));
        }
        if let Some(slot) = self.verdicts.get_mut(idx.at()) {
            *slot = verdicts;
        }
        for &(at, plugin) in &work.scores {
            let score = score_node(plugin, cx, work.scoring, idx, node, &mut Silent);
            if let Some(slot) = self.raw.get_mut(at).and_then(|raw| raw.get_mut(idx.at())) {
                *slot = score;
            }
        }
    }
}

/// The local plugins that have something to do for the pod, with their places.
struct Work<'a> {
    filters: Vec<(usize, PluginId)>,
    scores: Vec<(usize, PluginId)>,
    state: &'a FilterState,
    scoring: &'a ScoreState,
}

/// Columns by shape.
#[derive(Clone, Debug, Default)]
pub struct Memo {
    columns: Vec<Columns>,
    clock: u64,
}

impl Memo {
    /// The columns for a pod, up to date.
    pub fn columns(
        &mut self,
        cx: &Context<'_>,
        filters: &[PluginId],
        state: &FilterState,
        scoring: &ScoreState,
    ) -> Option<&Columns> {
        self.clock += 1;
        let known = self.columns.iter().position(|columns| {
            same_shape(&columns.pod, &cx.pod.pod) && columns.profile == *cx.profile
        });
        let at = known.unwrap_or_else(|| self.place(cx));
        let columns = self.columns.get_mut(at)?;
        columns.used = self.clock;
        let scores = cx.profile.plugins(ExtensionPoint::Score);
        let of = |local: &[PluginId], running: &[PluginId]| -> Vec<(usize, PluginId)> {
            let runs = |(_, plugin): &(usize, PluginId)| running.contains(plugin);
            local.iter().copied().enumerate().filter(runs).collect()
        };
        let work = Work {
            filters: of(&LOCAL_FILTERS, filters),
            scores: of(&LOCAL_SCORES, scores),
            state,
            scoring,
        };
        let nodes = cx.cluster.node_slots().len();
        columns.verdicts.resize(nodes, Verdicts::default());
        for raw in &mut columns.raw {
            raw.resize(nodes, 0);
        }
        let changed = cx.cluster.changed_since(columns.generation);
        match changed {
            Some(changed) if columns.epoch == cx.cluster.epoch() => {
                for &idx in changed {
                    columns.look_at(cx, &work, idx);
                }
            }
            _ => {
                for idx in (0..nodes as u32).map(NodeIdx) {
                    columns.look_at(cx, &work, idx);
                }
            }
        }
        columns.generation = cx.cluster.generation();
        columns.epoch = cx.cluster.epoch();
        Some(columns)
    }

    fn place(&mut self, cx: &Context<'_>) -> usize {
        let columns = Columns {
            profile: cx.profile.clone(),
            pod: Arc::clone(&cx.pod.pod),
            verdicts: Vec::new(),
            raw: Default::default(),
            generation: 0,
            // No cluster is at this epoch, so every node is looked at first.
            epoch: u64::MAX,
            used: self.clock,
        };
        let oldest = self.columns.iter().enumerate().min_by_key(|(_, known)| known.used);
        match oldest.map(|(at, _)| at) {
            Some(at) if self.columns.len() >= MOST_COLUMNS => {
                if let Some(slot) = self.columns.get_mut(at) {
                    *slot = columns;
                }
                at
            }
            _ => {
                self.columns.push(columns);
                self.columns.len() - 1
            }
        }
    }
}

/// Whether node-local plugins cannot tell two pods apart.
fn same_shape(a: &Arc<Pod>, b: &Arc<Pod>) -> bool {
    fn node_affinity(pod: &Pod) -> Option<&NodeAffinity> {
        pod.spec.affinity.as_ref()?.node_affinity.as_ref()
    }
    let (x, y) = (&a.spec, &b.spec);
    Arc::ptr_eq(a, b)
        || (x.containers == y.containers
            && x.init_containers == y.init_containers
            && x.overhead == y.overhead
            && x.resources == y.resources
            && x.node_selector == y.node_selector
            && node_affinity(a) == node_affinity(b)
            && x.tolerations == y.tolerations
            && x.node_name == y.node_name
            && x.volumes == y.volumes
            && a.status.container_statuses == b.status.container_statuses
            && a.status.resources == b.status.resources
            && a.status.allocated_resources == b.status.allocated_resources
            && a.status.conditions == b.status.conditions)
}
