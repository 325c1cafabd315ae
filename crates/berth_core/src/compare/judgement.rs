//! What a playground says of one pod, and where two differ about it.

use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::cmp::Reverse;

use crate::api::ObjectKey;
use crate::collections::sort_by_key;
use crate::explain::{Explanation, NodeReport};
use crate::framework::plugin::PluginId;
use crate::playground::{CommandError, Playground};

/// What comes of a pod if it is scheduled next.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// There is no such pod.
    Absent,
    /// So many nodes could take it.
    Fits {
        /// How many.
        nodes: u32,
    },
    /// None could, but one can once others are gone.
    Preempts {
        /// The node.
        node: Arc<str>,
        /// Who has to go, the more important first.
        victims: Vec<ObjectKey>,
    },
    /// None can, or the scheduler could not work: Kubernetes' text.
    Refused(String),
    /// It is kept out of the queue: Kubernetes' text.
    Gated(String),
}

/// What a playground says of a pod. One that stands on a node is taken off first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Judgement {
    /// What comes of it.
    pub verdict: Verdict,
    /// The nodes with the highest total, one of which it goes to.
    pub best: Vec<Arc<str>>,
    /// The scores of the nodes that could take it.
    pub scores: Vec<NodeScore>,
}

/// A node's score.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NodeScore {
    /// The node.
    pub node: Arc<str>,
    /// The sum of the weighted scores.
    pub total: i64,
    /// The weighted scores.
    pub plugins: Vec<(PluginId, i64)>,
}

/// Asks a playground about a pod.
pub fn judge(playground: &mut Playground, pod: &ObjectKey) -> Judgement {
    let found = match playground.explain_briefly(pod) {
        Ok(found) => found,
        Err(CommandError::NotFound(..)) => return Judgement::without(Verdict::Absent),
        Err(error) => return Judgement::without(Verdict::Refused(alloc::format!("{error}"))),
    };
    Judgement {
        verdict: verdict(playground, &found),
        best: found.best_names().cloned().collect(),
        scores: found.nodes.iter().filter_map(score).collect(),
    }
}

impl Judgement {
    fn without(verdict: Verdict) -> Self {
        Self { verdict, best: Vec::new(), scores: Vec::new() }
    }

    fn score(&self, node: &str) -> Option<&NodeScore> {
        self.scores.iter().find(|score| *score.node == *node)
    }
}

fn verdict(playground: &Playground, found: &Explanation) -> Verdict {
    if let Some(status) = &found.pre_enqueue {
        return Verdict::Gated(status.reasons.join(", "));
    }
    if let Some(error) = &found.error {
        return Verdict::Refused(error.clone());
    }
    if !found.feasible.is_empty() {
        return Verdict::Fits { nodes: found.feasible.len() as u32 };
    }
    match playground.pick_candidate(found) {
        Some(picked) => Verdict::Preempts {
            node: Arc::clone(&picked.name),
            victims: picked.victims().map(|pod| pod.metadata.key()).collect(),
        },
        None => Verdict::Refused(found.message.clone().unwrap_or_default()),
    }
}

fn score(report: &NodeReport) -> Option<NodeScore> {
    let scores = report.scores.as_ref()?;
    let plugins = scores.plugins.iter().map(|score| (score.plugin, score.weighted)).collect();
    Some(NodeScore { node: Arc::clone(&report.name), total: scores.total, plugins })
}

/// A pod about which two playgrounds differ; of each pair the first playground's comes first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// The pod.
    pub pod: ObjectKey,
    /// What they say.
    pub judgements: [Judgement; 2],
    /// The nodes whose scores differ, those by the most first.
    pub nodes: Vec<NodeDifference>,
}

/// A node whose scores differ.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NodeDifference {
    /// The node.
    pub node: Arc<str>,
    /// The totals; none where it cannot take the pod.
    pub totals: [Option<i64>; 2],
    /// The plugins whose weighted scores differ, those by the most first.
    pub plugins: Vec<PluginDifference>,
}

/// A plugin that scores a node differently.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PluginDifference {
    /// The plugin.
    pub plugin: PluginId,
    /// The weighted scores; none where it does not score.
    pub weighted: [Option<i64>; 2],
}

impl PluginDifference {
    /// By how much the second is above the first.
    pub fn by(&self) -> i64 {
        let [first, second] = self.weighted.map(Option::unwrap_or_default);
        second.saturating_sub(first)
    }
}

impl Difference {
    /// Whether what comes of the pod differs.
    pub fn in_verdict(&self) -> bool {
        let [first, second] = &self.judgements;
        first.verdict != second.verdict
    }

    /// Whether the best nodes differ.
    pub fn in_best(&self) -> bool {
        let [first, second] = &self.judgements;
        first.best != second.best
    }
}

/// Where two judgements about a pod differ; none if they are the same.
pub fn difference(pod: &ObjectKey, first: Judgement, second: Judgement) -> Option<Difference> {
    if first == second {
        return None;
    }
    let mut nodes: Vec<NodeDifference> = Vec::new();
    for score in &first.scores {
        nodes.extend(of_node(&score.node, Some(score), second.score(&score.node)));
    }
    for score in &second.scores {
        if first.score(&score.node).is_none() {
            nodes.extend(of_node(&score.node, None, Some(score)));
        }
    }
    sort_by_key(&mut nodes, |node| {
        let [first, second] = node.totals;
        // A node that only one of them takes comes before all others.
        let by = first.zip(second).map(|(first, second)| first.abs_diff(second));
        (by.is_some(), Reverse(by))
    });
    Some(Difference { pod: pod.clone(), judgements: [first, second], nodes })
}

fn of_node(
    node: &Arc<str>,
    first: Option<&NodeScore>,
    second: Option<&NodeScore>,
) -> Option<NodeDifference> {
    let of = |score: Option<&NodeScore>, plugin: PluginId| {
        let own = score?.plugins.iter().find(|(own, _)| *own == plugin)?;
        Some(own.1)
    };
    let mut plugins: Vec<PluginDifference> = Vec::new();
    for (plugin, _) in first.into_iter().chain(second).flat_map(|score| &score.plugins) {
        if plugins.iter().any(|known| known.plugin == *plugin) {
            continue;
        }
        plugins.push(PluginDifference {
            plugin: *plugin,
            weighted: [of(first, *plugin), of(second, *plugin)],
        });
    }
    // Where only one of them takes the node, there is nothing to hold its scores against.
    if first.is_none() || second.is_none() {
        plugins.clear();
    }
    plugins.retain(|plugin| plugin.by() != 0);
    sort_by_key(&mut plugins, |plugin| Reverse(plugin.by().unsigned_abs()));
    let totals = [first, second].map(|score| score.map(|score| score.total));
    let [a, b] = totals;
    (a != b || !plugins.is_empty()).then(|| NodeDifference {
        node: Arc::clone(node),
        totals,
        plugins,
    })
}
