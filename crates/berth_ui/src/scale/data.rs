//! What the large views show, in numbers: no text is made before it is in sight.

use crate::app::App;
use crate::view::{ClusterView, GaugeView, Verdict};
use berth_core::cluster::{Cluster, NodeInfo};
use berth_core::collections::{Map, sort_by};
use berth_core::explain::Explanation;
use std::rc::Rc;
use yew::AttrValue;

/// A node.
#[derive(Debug)]
pub(super) struct NodeRow {
    /// `metadata.name`.
    pub(super) name: AttrValue,
    /// Index of its column of the board.
    pub(super) zone: usize,
    /// The value of the second key.
    pub(super) group: Option<AttrValue>,
    /// Thousandths of a core: requested, and offered.
    pub(super) cpu: (i64, i64),
    /// Bytes: requested, and offered.
    pub(super) memory: (i64, i64),
    /// How many pods run there.
    pub(super) pods: u32,
    /// What it says about the selected pod.
    pub(super) outcome: Outcome,
    /// The largest skew that the selected pod would make there, and that constraint's limit.
    pub(super) skew: Option<(i64, i64)>,
}

/// What a node says about the selected pod.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Outcome {
    /// No pod is selected.
    NotAsked,
    /// It fits: rank and total.
    Fits(u32, i64),
    /// The plugin that refuses it first.
    Refused(AttrValue),
}

impl NodeRow {
    /// What is free of the cpu, in thousandths of what there is.
    pub(super) fn free_cpu(&self) -> u16 {
        let (used, all) = self.cpu;
        if all <= 0 {
            return 0;
        }
        let free = i128::from(all.saturating_sub(used).max(0)) * 1000 / i128::from(all);
        u16::try_from(free).unwrap_or(1000)
    }
}

/// A column of the board.
#[derive(Debug)]
pub(super) struct Zone {
    /// Its identity.
    pub(super) id: AttrValue,
    /// Its name.
    pub(super) title: AttrValue,
    /// The selected pod's constraints over the column key.
    pub(super) gauges: Vec<GaugeView>,
    /// The node on which the selected pod would do best.
    pub(super) best: Option<AttrValue>,
    /// Its nodes by values of the second key: the value, and where they are among all. One group without a second key.
    pub(super) groups: Vec<(Option<AttrValue>, std::ops::Range<usize>)>,
    /// How many nodes fit the selected pod.
    pub(super) fits: u32,
}

impl Zone {
    /// How many nodes it has.
    pub(super) fn nodes(&self) -> usize {
        self.groups.iter().map(|(_, range)| range.len()).sum()
    }
}

/// All of it.
#[derive(Debug, Default)]
pub(super) struct Data {
    /// The columns.
    pub(super) zones: Vec<Zone>,
    /// The nodes, column by column, group by group, by name.
    pub(super) nodes: Vec<NodeRow>,
    /// How many pods there are.
    pub(super) pods: u32,
    /// How many nodes fit, if a pod is selected.
    pub(super) fits: Option<u32>,
    /// The highest and the lowest total of a node that fits.
    pub(super) totals: Option<(i64, i64)>,
}

impl Data {
    /// The data of the board as it is.
    pub(super) fn of(app: &App, second: Option<&str>) -> Self {
        let view = app.cluster();
        let Some(playground) = app.engine().playground() else { return Self::default() };
        let cluster = playground.cluster();
        let skews = app.engine().explanation().map(Skews::of).unwrap_or_default();
        let mut data = Self { pods: view.pods, ..Self::default() };
        for (index, domain) in view.domains.iter().enumerate() {
            let start = data.nodes.len();
            for card in &domain.nodes {
                let Some(slot) = cluster.node_named(&card.name).and_then(|idx| cluster.node(idx))
                else {
                    continue;
                };
                data.nodes.push(row(
                    slot,
                    card.name.clone(),
                    index,
                    card.verdict.as_ref(),
                    &skews,
                    second,
                ));
            }
            let nodes = data.nodes.get_mut(start..).unwrap_or_default();
            if second.is_some() {
                sort_by(nodes, |a, b| a.group.cmp(&b.group).then_with(|| a.name.cmp(&b.name)));
            }
            let mut groups: Vec<(Option<AttrValue>, std::ops::Range<usize>)> = Vec::new();
            for (at, node) in (start..).zip(&*nodes) {
                match groups.last_mut() {
                    Some((group, range)) if *group == node.group => range.end = at + 1,
                    _ => groups.push((node.group.clone(), at..at + 1)),
                }
            }
            let fits = nodes.iter().filter(|node| matches!(node.outcome, Outcome::Fits(..))).count()
                as u32;
            data.zones.push(Zone {
                id: domain.id(),
                title: domain.title.clone(),
                gauges: domain.gauges.clone(),
                best: domain.best.clone(),
                groups,
                fits,
            });
        }
        for node in &data.nodes {
            match node.outcome {
                Outcome::NotAsked => {}
                Outcome::Refused(_) => {
                    data.fits.get_or_insert(0);
                }
                Outcome::Fits(_, total) => {
                    *data.fits.get_or_insert(0) += 1;
                    let (high, low) = data.totals.unwrap_or((total, total));
                    data.totals = Some((high.max(total), low.min(total)));
                }
            }
        }
        data
    }

    /// Where a node is.
    pub(super) fn position(&self, name: &str) -> Option<usize> {
        self.nodes.iter().position(|node| node.name == name)
    }
}

fn row(
    slot: &NodeInfo,
    name: AttrValue,
    zone: usize,
    verdict: Option<&Verdict>,
    skews: &Skews,
    second: Option<&str>,
) -> NodeRow {
    let labels = slot.node.as_deref().map(|node| &node.metadata.labels);
    let label = |key: &str| labels.and_then(|labels| labels.get(key));
    NodeRow {
        name,
        zone,
        group: second.and_then(label).map(|value| value.clone().into()),
        cpu: (slot.requested.milli_cpu, slot.allocatable.milli_cpu),
        memory: (slot.requested.memory, slot.allocatable.memory),
        pods: slot.pods.len() as u32,
        outcome: match verdict {
            None => Outcome::NotAsked,
            Some(Verdict::Fits(fits)) => Outcome::Fits(fits.rank, fits.total),
            Some(Verdict::Rejected(rejected)) => Outcome::Refused(rejected.plugin.clone()),
        },
        skew: skews.worst(|key| label(key).map(String::as_str)),
    }
}

/// What the selected pod's hard spread constraints come to in each domain.
#[derive(Default)]
struct Skews(Vec<Skew>);

/// The skew that a constraint comes to in each domain of its key.
struct Skew {
    key: Rc<str>,
    limit: i64,
    domains: Map<Rc<str>, i64>,
}

impl Skews {
    fn of(explanation: &Explanation) -> Self {
        let mut all = Vec::new();
        for spread in &explanation.spread_filter {
            let skew = |matching: i64| matching + i64::from(spread.self_match) - spread.minimum;
            let domains =
                spread.domains.iter().map(|count| (Rc::from(&*count.value), skew(count.matching)));
            all.push(Skew {
                key: Rc::from(&*spread.topology_key),
                limit: spread.max_skew,
                domains: domains.collect(),
            });
        }
        Self(all)
    }

    /// The skew that is the furthest above its limit, or the least below.
    fn worst<'a>(&self, label: impl Fn(&str) -> Option<&'a str>) -> Option<(i64, i64)> {
        let here = self
            .0
            .iter()
            .filter_map(|skew| Some((*skew.domains.get(label(&skew.key)?)?, skew.limit)));
        here.max_by_key(|(skew, limit)| skew - limit)
    }
}

/// A pod.
#[derive(Debug)]
pub(super) struct PodRow {
    /// `namespace/name`.
    pub(super) key: AttrValue,
    /// Its node; empty while it waits.
    pub(super) node: AttrValue,
    /// `spec.priority`.
    pub(super) priority: i32,
    /// Thousandths of a core that it requests.
    pub(super) cpu: i64,
    /// Bytes that it requests.
    pub(super) memory: i64,
}

/// Every pod, as they were added.
pub(super) fn pods(cluster: &Cluster) -> Vec<PodRow> {
    let mut rows = Vec::new();
    for (_, info) in cluster.pods() {
        rows.push(PodRow {
            key: info.key().to_string().into(),
            node: info.pod.spec.node_name.clone().into(),
            priority: info.priority(),
            cpu: info.requests.milli_cpu,
            memory: info.requests.memory,
        });
    }
    rows
}

/// Whether a cluster has more nodes than cards are drawn for.
pub(super) fn is_large(view: &ClusterView) -> bool {
    view.nodes > crate::engine::MOST_CARDS
}
