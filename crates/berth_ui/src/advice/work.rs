//! The work behind the panel.

use crate::slices::Sliced;
use berth_core::advice::{Field, Finding, Goal, Limits, More, Search, Strip, lint};
use berth_core::api::{ObjectKey, Pod};
use berth_core::playground::Playground;
use std::sync::Arc;

/// So many sets of edits are tried at most.
const TRIES: u32 = 6_000;
/// So many copies are placed at most.
const COPIES: u32 = 500;

/// What is known about a pod so far.
pub(super) struct Work {
    /// The cluster as it was asked about.
    playground: Playground,
    /// The pod.
    pub(super) key: ObjectKey,
    /// The pod as it was asked about.
    pub(super) pod: Arc<Pod>,
    /// What helps.
    pub(super) search: Search,
    /// Whether the search was stopped by hand.
    pub(super) stopped: bool,
    /// Strips that are still to be made.
    fields: Vec<Field>,
    /// Strips, the last of them perhaps under way.
    pub(super) strips: Vec<Strip>,
    /// Copies, once they are under way.
    pub(super) more: Option<More>,
    /// What is found about it.
    pub(super) findings: Vec<Finding>,
}

impl Work {
    /// Begins; none if there is no such pod, or no profile for it.
    pub(super) fn new(playground: &Playground, key: ObjectKey) -> Option<Self> {
        let mut playground = playground.scratch();
        let findings = lint(&mut playground, &key).ok()?;
        let cluster = playground.cluster();
        let pod = Arc::clone(&cluster.pod(cluster.pod_named(&key)?)?.pod);
        let goal = match &*pod.spec.node_name {
            "" => Goal::Better,
            node => Goal::Leave(node.to_owned()),
        };
        let limits = Limits { tries: TRIES, ..Limits::default() };
        let search = Search::with_goal(&playground, &key, goal, limits).ok()?;
        let constraints = 0..pod.spec.topology_spread_constraints.len() as u32;
        let fields = constraints.flat_map(|at| [Field::MaxSkew(at), Field::MinDomains(at)]);
        let mut fields: Vec<Field> = fields.chain([Field::Priority]).collect();
        fields.reverse();
        let (strips, more) = (Vec::new(), None);
        Some(Self { playground, key, pod, search, stopped: false, fields, strips, more, findings })
    }
}

impl Sliced for Work {
    /// The strips come first, which are few, then the search.
    fn step(&mut self) -> bool {
        if self.strips.last_mut().is_some_and(|strip| strip.step(1)) {
            return true;
        }
        if let Some(field) = self.fields.pop() {
            let strip = Strip::new(&self.playground, &self.key, field);
            self.strips.extend(strip.ok());
            return true;
        }
        let Some(more) = &mut self.more else {
            self.more = More::new(&self.playground, &self.key, COPIES).ok();
            return self.more.is_some();
        };
        if more.step(1) {
            return true;
        }
        !self.stopped && self.search.step(1)
    }
}
