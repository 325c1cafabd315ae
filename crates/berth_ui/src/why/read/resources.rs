//! NodeResourcesFit: what is there, what is used and by whom, what this pod asks for, what is left.

use super::node::table;
use super::{ITEMS, Reader, key};
use crate::engine::number::Measure;
use crate::engine::sorted;
use crate::why::view::{Block, Item, Named, RowView};
use crate::why::words::WhyMsg;
use berth_core::cluster::{PodInfo, Strings};
use berth_core::explain::NodeReport;
use berth_core::framework::fact::Fact;
use yew::AttrValue;

impl Reader<'_> {
    /// The table, and who uses each resource.
    pub(super) fn resources(
        &mut self,
        report: &NodeReport,
        facts: &[Fact],
        blocks: &mut Vec<Block>,
    ) {
        let mut rows = Vec::new();
        let mut lists = Vec::new();
        for fact in facts {
            match fact {
                Fact::Pods { used, capacity } => {
                    let pods = self.users(report, "pods");
                    let light = self.light_of(&pods);
                    rows.push(row("pods", [*capacity, *used, 1], Some(light)));
                }
                Fact::Resource { resource, requested, used, capacity } => {
                    let pods = self.users(report, resource);
                    let light = self.light_of(&pods);
                    rows.push(row(resource, [*capacity, *used, *requested], Some(light)));
                    lists.push(self.list(resource, &pods, light));
                }
                _ => {}
            }
        }
        let words = self.words;
        let head =
            [WhyMsg::Resource, WhyMsg::Allocatable, WhyMsg::Used, WhyMsg::ThisPod, WhyMsg::Left];
        let head = head.iter().map(|msg| words.text(*msg)).collect();
        blocks.push(table(AttrValue::from("NodeResourcesFit"), head, rows));
        blocks.extend(lists.into_iter().map(Block::List));
    }

    /// The node's pods that ask for some of a resource, with how much, the most first. Not the pod in question.
    fn users(&self, report: &NodeReport, resource: &str) -> Vec<(AttrValue, i64)> {
        let cluster = self.of.cluster;
        let node = cluster.node_named(&report.name).and_then(|idx| cluster.node(idx));
        let mut users: Vec<(AttrValue, i64)> = Vec::new();
        for pod in node.into_iter().flat_map(|node| &node.pods) {
            let Some(pod) = cluster.pod(*pod) else { continue };
            let amount = amount(pod, resource, cluster.strings());
            if amount > 0 && pod.key() != self.of.explanation.pod {
                users.push((key(&pod.key()), amount));
            }
        }
        let places: Vec<usize> = (0..users.len()).collect();
        let of = |place: &usize| users.get(*place).map_or(0, |user| user.1);
        let order = sorted(&places, |a, b| of(b).cmp(&of(a)));
        order.into_iter().filter_map(|place| users.get(place).cloned()).collect()
    }

    fn light_of(&mut self, pods: &[(AttrValue, i64)]) -> usize {
        self.light(pods.iter().map(|(pod, _)| pod.clone()).collect(), Vec::new())
    }

    fn list(&self, resource: &str, pods: &[(AttrValue, i64)], light: usize) -> Named {
        let amounts: Vec<i64> = pods.iter().map(|(_, amount)| *amount).collect();
        let unit = Measure::of(resource).unit(&amounts);
        let items = pods.iter().take(ITEMS).map(|(pod, amount)| Item {
            text: [pod, " ", &unit.full(*amount)].concat().into(),
            pod: Some(pod.clone()),
            node: None,
        });
        let title = self.words.count(WhyMsg::UsedBy, pods.len() as u32);
        Named {
            title: title.replace("{resource}", resource).into(),
            light: Some(light),
            items: items.collect(),
            more: pods.len().saturating_sub(ITEMS) as u32,
        }
    }
}

/// What a pod takes of a resource.
fn amount(pod: &PodInfo, resource: &str, strings: &Strings) -> i64 {
    let requests = &pod.requests;
    match resource {
        "pods" => 1,
        "cpu" => requests.milli_cpu,
        "memory" => requests.memory,
        "ephemeral-storage" => requests.ephemeral_storage,
        other => strings.find(other).and_then(|id| requests.scalar(id)).unwrap_or(0),
    }
}

/// A resource: allocatable, used, this pod, left.
fn row(resource: &str, [capacity, used, requested]: [i64; 3], light: Option<usize>) -> RowView {
    let left = capacity.saturating_sub(used).saturating_sub(requested);
    let unit = Measure::of(resource).unit(&[capacity, used, requested, left]);
    let left_text = if left < 0 { unit.full(left) } else { unit.show(left) };
    let cells = [unit.full(capacity), unit.show(used), unit.show(requested), left_text];
    RowView {
        name: resource.to_owned().into(),
        cells: cells.into_iter().map(AttrValue::from).collect(),
        holds: Some(requested <= capacity.wrapping_sub(used)),
        light,
    }
}
