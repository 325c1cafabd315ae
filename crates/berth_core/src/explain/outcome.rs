//! What comes of an attempt to schedule a pod.
//!
//! Mirrors `schedulePod` of `pkg/scheduler/schedule_one.go`, and what `handleSchedulingFailure` makes of a diagnosis.

use alloc::boxed::Box;
use alloc::sync::Arc;

use super::post_filter::PreemptionNode;
use super::{Explanation, refusal};
use crate::api::ObjectKey;
use crate::cluster::{Cluster, PodInfo};
use crate::framework::cycle::{self, Decision};
use crate::framework::plugin::{ExtensionPoint, PluginId};
use crate::framework::profile::Profile;
use crate::queue::PluginSet;

/// What an attempt finds.
#[derive(Clone, Debug)]
pub enum Found {
    /// A node.
    Node {
        /// Its name.
        name: Arc<str>,
        /// How many nodes are equally good.
        ties: u32,
    },
    /// No node, and why.
    Nothing(Box<Explanation>),
}

/// Attempts to find a node for a pod that waits; the seed decides among nodes that are equally good.
pub fn attempt(cluster: &mut Cluster, profile: &Profile, pod: &PodInfo, seed: u64) -> Found {
    if let Decision::Filtered(placement) = cycle::decide(cluster, profile, pod)
        && !placement.best.is_empty()
    {
        let ties = placement.best.len() as u32;
        let best = placement.best.get(pick(seed, &pod.key(), ties) as usize);
        if let Some(node) = best.and_then(|idx| cluster.node(*idx)) {
            return Found::Node { name: Arc::clone(&node.name), ties };
        }
    }
    let found = refusal(cluster, profile, pod);
    if let (Some(_), [only]) = (&found.error, &*found.feasible)
        && let Some(node) = found.nodes.get(*only as usize)
    {
        // A single node is not scored, so scoring cannot fail.
        return Found::Node { name: Arc::clone(&node.name), ties: 1 };
    }
    Found::Nothing(Box::new(found))
}

/// The plugins that refused the pod (`Diagnosis.UnschedulablePlugins`); none after an error.
pub fn rejectors(found: &Explanation) -> PluginSet {
    let mut plugins = PluginSet::default();
    if found.error.is_some() {
        return plugins;
    }
    if found.node_names.is_some() {
        plugins.insert(PluginId::NodeAffinity);
    }
    for node in &found.nodes {
        if let Some(plugin) = node.status.as_ref().and_then(|status| status.plugin) {
            plugins.insert(plugin);
        }
    }
    plugins
}

/// What comes of a pod's nomination (`NominatingInfo`).
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Nomination<'e> {
    /// It stays what it is.
    Keep,
    /// It is taken away.
    Clear,
    /// It is this node, one of so many that are equally good.
    To(&'e PreemptionNode, u32),
}

/// What comes of a pod's nomination; the seed decides among candidates that are equally good.
pub fn nomination<'e>(found: &'e Explanation, profile: &Profile, seed: u64) -> Nomination<'e> {
    if found.post_filter.is_none() {
        return Nomination::Clear;
    }
    let Some(preemption) = found.preemption().filter(|found| found.reached) else {
        let none = profile.plugins(ExtensionPoint::PostFilter).is_empty();
        return if none { Nomination::Clear } else { Nomination::Keep };
    };
    match picked(found, seed) {
        Some(candidate) => Nomination::To(candidate, preemption.choice.ties.len() as u32),
        None if preemption.ineligible.is_some() || preemption.error.is_some() => Nomination::Keep,
        None => Nomination::Clear,
    }
}

/// The candidate that the seed picks, of those that kube-scheduler may take to make room for the pod.
pub fn picked(found: &Explanation, seed: u64) -> Option<&PreemptionNode> {
    let preemption = found.preemption()?;
    if !preemption.reached {
        return None;
    }
    let pick = pick(seed, &found.pod, preemption.choice.ties.len() as u32);
    preemption.picked().nth(pick as usize)
}

/// Which of so many that are equally good a seed picks for a pod.
pub fn pick(seed: u64, key: &ObjectKey, ties: u32) -> u32 {
    let text = key.namespace.bytes().chain([b'/']).chain(key.name.bytes());
    let mixed = text.fold(seed, |state, byte| {
        (state ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3).rotate_left(23)
    });
    u32::try_from(mixed % u64::from(ties.max(1))).unwrap_or(0)
}
