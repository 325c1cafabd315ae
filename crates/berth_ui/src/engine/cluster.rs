//! The board's view of a cluster.

use super::MOST_CARDS;
#[cfg(test)]
mod tests;

use super::apps::Apps;
use super::facts::Subject;
use super::number::{Measure, share, short_name};
use super::order::sorted;
use super::verdict::{Reports, outcome, reports, verdict};
use crate::locale::{Locale, Msg};
use crate::view::{
    CapacityView, ClusterView, DomainView, Fate, GaugeView, Lane, NodeCardView, PodChipView,
    Shadow, TaintView, Verdict,
};
use berth_core::api::{Node, ObjectKey, Pod, Selector, Taint};
use berth_core::cluster::{Cluster, NodeInfo, PodInfo};
use berth_core::collections::Set;
use berth_core::explain::post_filter::PreemptionNode;
use berth_core::explain::{Explanation, NodeReport, SpreadExplanation};
use berth_core::framework::fact::Fact;
use berth_core::queue::{Place, QueuedPod};
use std::cmp::Ordering;
use std::rc::Rc;
use std::sync::Arc;
use yew::AttrValue;

/// Labels that commonly name a zone, best first.
const ZONES: [&str; 3] =
    ["topology.kubernetes.io/zone", "failure-domain.beta.kubernetes.io/zone", "zone"];

/// What the board's view is made from.
pub(super) struct Board<'a> {
    /// The cluster.
    pub(super) cluster: &'a Cluster,
    /// The apps' tiles.
    pub(super) apps: &'a Apps,
    /// The selected pod and its explanation.
    pub(super) selected: Option<(&'a PodInfo, &'a Explanation)>,
    /// The dry runs of preemption by that pod, and the candidate that would be taken.
    pub(super) dry_runs: &'a [PreemptionNode],
    /// That candidate.
    pub(super) picked: Option<&'a PreemptionNode>,
    /// Who made room last, if nothing has happened since.
    pub(super) gone: Option<&'a Gone>,
    /// The label key of the columns.
    pub(super) key: &'a str,
    /// The words.
    pub(super) words: &'a Locale,
}

/// Pods that made room.
pub(super) struct Gone {
    /// The revision that this made.
    pub(super) revision: u32,
    /// The pod that they made room for.
    pub(super) pod: ObjectKey,
    /// The node.
    pub(super) node: AttrValue,
    /// Their chips.
    pub(super) chips: Vec<Rc<PodChipView>>,
}

/// The label keys of the nodes, and the one whose values are the columns: the wanted one, else the
/// zone, else none.
pub(super) fn keys(cluster: &Cluster, wanted: Option<&str>) -> (Vec<AttrValue>, String) {
    let mut keys: Vec<&String> = Vec::new();
    for node in nodes(cluster) {
        keys.extend(
            node.metadata.labels.keys().filter(|key| !keys.contains(key)).collect::<Vec<_>>(),
        );
    }
    let keys = sorted(&keys, Ord::cmp);
    let known = |key: &str| keys.iter().any(|known| *known == key);
    let zone = ZONES.iter().copied().find(|zone| known(zone));
    let key = wanted.filter(|key| known(key)).or(zone).unwrap_or_default().to_owned();
    (keys.into_iter().map(|key| key.clone().into()).collect(), key)
}

/// The nodes in the scheduler's order.
pub(super) fn slots(cluster: &Cluster) -> impl Iterator<Item = &NodeInfo> {
    cluster.order().iter().filter_map(|idx| cluster.node(*idx)).filter(|slot| slot.node.is_some())
}

fn nodes(cluster: &Cluster) -> impl Iterator<Item = &Node> {
    slots(cluster).filter_map(|slot| slot.node.as_deref())
}

/// The columns: the values of the key with their nodes, by value; nodes without the label last.
pub(super) fn columns<'a>(
    cluster: &'a Cluster,
    key: &str,
) -> Vec<(Option<&'a str>, Vec<&'a NodeInfo>)> {
    let value = |slot: &&'a NodeInfo| -> Option<&'a str> {
        let labels = slot.node.as_deref().map(|node| &node.metadata.labels);
        labels.and_then(|labels| labels.get(key)).map(String::as_str)
    };
    let slots: Vec<&NodeInfo> = slots(cluster).collect();
    let slots = sorted(&slots, |a, b| {
        let (left, right) = (value(a), value(b));
        left.is_none()
            .cmp(&right.is_none())
            .then_with(|| left.cmp(&right))
            .then_with(|| a.name.cmp(&b.name))
    });
    let mut columns: Vec<(Option<&str>, Vec<&NodeInfo>)> = Vec::new();
    for slot in slots {
        let value = value(&slot);
        match columns.last_mut() {
            Some((known, nodes)) if *known == value => nodes.push(slot),
            _ => columns.push((value, vec![slot])),
        }
    }
    columns
}

impl Board<'_> {
    /// The whole view, without the name and the limits that the playground knows.
    pub(super) fn view(
        &self,
        keys: Vec<AttrValue>,
        queue: &[(Place, Arc<QueuedPod>)],
    ) -> ClusterView {
        let columns = columns(self.cluster, self.key);
        let reports = reports(self.selected.map(|(_, explanation)| explanation));
        let (pending, lanes) = waiting(self.cluster, queue);
        ClusterView {
            name: AttrValue::default(),
            nodes: self.cluster.node_count(),
            pods: self.cluster.pods().count() as u32,
            key: self.key.to_owned().into(),
            keys: keys.into(),
            domains: columns
                .iter()
                .map(|(value, nodes)| Rc::new(self.domain(*value, nodes, &reports)))
                .collect(),
            pending: pending.iter().map(|pod| Rc::new(self.chip(pod))).collect(),
            lanes,
            has_next: false,
            sampled: None,
        }
    }

    fn domain(
        &self,
        value: Option<&str>,
        slots: &[&NodeInfo],
        reports: &Reports<'_>,
    ) -> DomainView {
        let whole = self.cluster.node_count() <= MOST_CARDS;
        let card = |slot: &&NodeInfo| {
            let report = reports.get(&*slot.name).copied();
            Rc::new(if whole { self.whole(slot, report) } else { self.brief(slot, report) })
        };
        let nodes: Vec<Rc<NodeCardView>> = slots.iter().map(card).collect();
        let rank = |node: &Rc<NodeCardView>| match &node.verdict {
            Some(Verdict::Fits(fits)) => Some(fits.rank),
            _ => None,
        };
        let best = nodes.iter().filter(|node| rank(node).is_some()).min_by_key(|node| rank(node));
        let title = match value {
            Some(value) => value.to_owned().into(),
            None if self.key.is_empty() => self.words.text(Msg::AllNodes),
            None => self.words.text(Msg::Unlabelled),
        };
        DomainView {
            value: value.map(|value| value.to_owned().into()),
            title,
            gauges: value
                .map(|value| self.gauges(|key| key == self.key, |_| Some(value)))
                .unwrap_or_default(),
            best: best.map(|node| node.name.clone()),
            nodes,
        }
    }

    /// One gauge per hard constraint over a key that `wanted` takes, in the domain of that key.
    fn gauges<'v>(
        &self,
        wanted: impl Fn(&str) -> bool,
        value: impl Fn(&str) -> Option<&'v str>,
    ) -> Vec<GaugeView> {
        let Some((pod, explanation)) = self.selected else { return Vec::new() };
        let app = self.apps.tile(&pod.pod).style;
        let spreads =
            explanation.spread_filter.iter().filter(|spread| wanted(&spread.topology_key));
        spreads.filter_map(|spread| gauge(spread, value(&spread.topology_key)?, app)).collect()
    }

    /// The card of a node.
    pub(super) fn card(&self, slot: &NodeInfo) -> NodeCardView {
        self.whole(slot, self.selected.and_then(|(_, explanation)| explanation.node(&slot.name)))
    }

    /// No card: only whether the node takes the selected pod, and what refuses.
    fn brief(&self, slot: &NodeInfo, report: Option<&NodeReport>) -> NodeCardView {
        NodeCardView {
            name: slot.name.to_string().into(),
            verdict: self
                .selected
                .zip(report)
                .and_then(|((_, explanation), report)| outcome(explanation, report)),
            ..NodeCardView::default()
        }
    }

    fn whole(&self, slot: &NodeInfo, report: Option<&NodeReport>) -> NodeCardView {
        let node = slot.node.as_deref();
        let verdict = self.selected.zip(report).and_then(|((pod, explanation), report)| {
            verdict(&Subject { explanation, pod: &pod.pod, node, words: self.words }, report)
        });
        let label =
            |key: &str| node.and_then(|node| node.metadata.labels.get(key)).map(String::as_str);
        let pods: Vec<&PodInfo> =
            slot.pods.iter().filter_map(|idx| self.cluster.pod(*idx)).collect();
        let pods = sorted(&pods, |a, b| by_name(a, b));
        let run = self.dry_runs.iter().find(|run| run.name == slot.name);
        NodeCardView {
            name: slot.name.to_string().into(),
            cordoned: node.is_some_and(|node| node.spec.unschedulable),
            taints: taints(slot),
            capacity: self.capacity(slot, report),
            pods: pods.into_iter().map(|pod| Rc::new(self.placed(pod, run))).collect(),
            shadows: self.shadows(slot),
            makes_room: self.picked.is_some_and(|picked| picked.name == slot.name),
            gauges: self.gauges(|key| key != self.key, label),
            verdict,
        }
    }

    /// A pod on its node, with what preemption there would mean for it.
    fn placed(&self, info: &PodInfo, run: Option<&PreemptionNode>) -> PodChipView {
        let mut chip = self.chip(info);
        if self.gone.is_some_and(|gone| gone.pod == info.key()) {
            chip.fate = Fate::Came;
        } else if let Some(run) = run
            && goes(run, info)
        {
            let here = self.picked.is_some_and(|picked| picked.node == run.node);
            chip.fate = if here { Fate::Goes } else { Fate::MayGo };
        }
        chip
    }

    /// Pods nominated to a node, and those that just went from it.
    fn shadows(&self, slot: &NodeInfo) -> Vec<Shadow> {
        let mut shadows = Vec::new();
        for (_, info) in self.cluster.nominated_to(&slot.name) {
            if info.pod.spec.node_name.is_empty() {
                shadows.push(Shadow { pod: Rc::new(self.chip(info)), gone: false });
            }
        }
        if let Some(gone) = self.gone.filter(|gone| *gone.node == *slot.name) {
            for pod in &gone.chips {
                shadows.push(Shadow { pod: Rc::clone(pod), gone: true });
            }
        }
        shadows
    }

    /// Bars for cpu, memory, and whatever else the node offers that pods ask for by name.
    fn capacity(&self, slot: &NodeInfo, report: Option<&NodeReport>) -> Vec<CapacityView> {
        let (offers, takes) = (&slot.allocatable, &slot.requested);
        let mut list = vec![
            ("cpu", takes.milli_cpu, offers.milli_cpu),
            ("memory", takes.memory, offers.memory),
        ];
        for (id, capacity) in offers.scalars.iter().filter(|(_, capacity)| *capacity > 0) {
            let name = self.cluster.strings().get(*id);
            list.push((name, takes.scalar(*id).unwrap_or(0), *capacity));
        }
        let listed = |(_, _, capacity): &(&str, i64, i64)| *capacity > 0;
        list.into_iter()
            .filter(listed)
            .map(|(name, used, capacity)| bar(name, used, capacity, report))
            .collect()
    }

    fn chip(&self, info: &PodInfo) -> PodChipView {
        chip(self.cluster, self.apps, info)
    }
}

/// A pod's chip.
pub(super) fn chip(cluster: &Cluster, apps: &Apps, info: &PodInfo) -> PodChipView {
    let pod = &info.pod;
    PodChipView {
        key: info.key().to_string().into(),
        name: pod.metadata.name.clone().into(),
        app: apps.tile(pod),
        priority: info.priority(),
        protected: protected(cluster, pod),
        terminating: info.is_terminating(),
        marked: !berth_wire::manifest::marks(&pod.spec).is_empty(),
        gates: pod.spec.scheduling_gates.len() as u32,
        fate: Fate::Stays,
    }
}

/// Whether a pod is among those that would have to go from a node.
fn goes(run: &PreemptionNode, info: &PodInfo) -> bool {
    run.victims().any(|pod| Arc::ptr_eq(pod, &info.pod))
}

/// Pods without a node with their lanes: as they are in the queue, then those that are in none.
pub(super) fn waiting<'a>(
    cluster: &'a Cluster,
    queue: &[(Place, Arc<QueuedPod>)],
) -> (Vec<&'a PodInfo>, Vec<(Lane, usize)>) {
    let mut pods: Vec<&PodInfo> = Vec::new();
    let mut lanes: Vec<(Lane, usize)> = Vec::new();
    let mut add = |lane: Lane, pod: &'a PodInfo| {
        pods.push(pod);
        match lanes.last_mut() {
            Some((last, count)) if *last == lane => *count += 1,
            _ => lanes.push((lane, 1)),
        }
    };
    let mut queued: Set<ObjectKey> = Set::new();
    for (place, pod) in queue {
        let key = pod.pod.metadata.key();
        let lane = match place {
            Place::Active => Lane::Active,
            Place::Backoff | Place::ErrorBackoff => Lane::Backoff,
            Place::Unschedulable => Lane::Unschedulable,
            Place::Gated => Lane::Gated,
        };
        if let Some(pod) = cluster.pod_named(&key).and_then(|idx| cluster.pod(idx)) {
            add(lane, pod);
        }
        queued.insert(key);
    }
    let waits = |pod: &&PodInfo| {
        let status = &pod.pod.status;
        pod.pod.spec.node_name.is_empty()
            && !status.phase.is_terminal()
            && !queued.contains(&pod.key())
    };
    let others: Vec<&PodInfo> = cluster.pods().map(|(_, pod)| pod).filter(waits).collect();
    for pod in sorted(&others, |a, b| by_name(a, b)) {
        add(Lane::Outside, pod);
    }
    (pods, lanes)
}

fn by_name(a: &PodInfo, b: &PodInfo) -> Ordering {
    let (a, b) = (&a.pod.metadata, &b.pod.metadata);
    a.namespace.cmp(&b.namespace).then_with(|| a.name.cmp(&b.name))
}

fn gauge(spread: &SpreadExplanation, value: &str, app: u8) -> Option<GaugeView> {
    let count = spread.domains.iter().find(|count| *count.value == *value)?;
    let incoming = i64::from(spread.self_match);
    let skew = count.matching + incoming - spread.minimum;
    Some(GaugeView {
        key: spread.topology_key.to_string().into(),
        matching: count.matching,
        incoming,
        min: spread.minimum,
        min_forced: spread.too_few_domains,
        skew,
        max_skew: spread.max_skew,
        within: skew <= spread.max_skew,
        app,
    })
}

/// The taints, without the one that every cordoned node has: the card says that in a word.
fn taints(slot: &NodeInfo) -> Vec<TaintView> {
    let cordoned = slot.node.as_deref().is_some_and(|node| node.spec.unschedulable);
    let shown = |taint: &&Taint| !cordoned || taint.key != "node.kubernetes.io/unschedulable";
    slot.taints().iter().filter(shown).map(taint).collect()
}

fn taint(taint: &Taint) -> TaintView {
    let short = taint.key.rsplit('/').next().unwrap_or(&taint.key);
    TaintView { short: short.to_owned().into(), full: taint.to_string().into() }
}

fn bar(name: &str, used: i64, capacity: i64, report: Option<&NodeReport>) -> CapacityView {
    // With a pod selected, the numbers are those that the plugin compared: the pod itself is not
    // among what is used.
    let facts =
        report.into_iter().flat_map(|report| &report.verdicts).flat_map(|verdict| &verdict.facts);
    let compared = facts.into_iter().find_map(|fact| match fact {
        Fact::Resource { resource, requested, used, .. } if **resource == *name => {
            Some((*used, *requested))
        }
        _ => None,
    });
    let (used, adds) = compared.unwrap_or((used, 0));
    let unit = Measure::of(name).unit(&[used, capacity]);
    let free = capacity.saturating_sub(used).max(0);
    let width = share(used, capacity);
    let added = share(adds.min(free), capacity);
    // What does not fit shows as far as the bar has room for it, and always a little.
    let over = if adds > free { (1000 - width - added).max(60) } else { 0 };
    CapacityView {
        resource: short_name(name).into_owned().into(),
        requested: unit.show(used).into(),
        allocatable: unit.full(capacity).into(),
        used: width.min(1000 - over),
        adds: if over > 0 { 0 } else { added },
        over,
    }
}

/// Whether a budget of the pod's namespace selects it.
fn protected(cluster: &Cluster, pod: &Pod) -> bool {
    cluster.budgets().values().any(|budget| {
        budget.metadata.namespace == pod.metadata.namespace
            && Selector::from_label_selector(budget.selector.as_ref())
                .is_ok_and(|selector| selector.matches(&pod.metadata.labels))
    })
}
