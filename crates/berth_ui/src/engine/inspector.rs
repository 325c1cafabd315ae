//! The inspector's view of a pod.

use super::apps::Apps;
use super::cluster::columns;
use super::edited::edited;
use super::facts::Subject;
use super::order::sorted;
use super::verdict::{reports, verdict};
use super::{filter, selector_text};
use crate::locale::{Locale, Msg};
use crate::view::{
    ConstraintView, Event, Headline, InspectorView, MadeRoom, Overruled, Pair, Request, Verdict,
};
use berth_core::api::{
    NodeInclusionPolicy, ObjectKey, Pod, PreemptionPolicy, TopologySpreadConstraint,
    UnsatisfiableConstraintAction,
};
use berth_core::cluster::{Cluster, PodInfo};
use berth_core::explain::post_filter::PreemptionNode;
use berth_core::explain::{Explanation, NodeReport};
use std::rc::Rc;
use yew::AttrValue;

/// What the inspector's view is made from.
pub(super) struct Inspected<'a> {
    /// The cluster.
    pub(super) cluster: &'a Cluster,
    /// The apps' tiles.
    pub(super) apps: &'a Apps,
    /// The pod.
    pub(super) pod: &'a PodInfo,
    /// The pod as it was opened.
    pub(super) before: Option<&'a Pod>,
    /// Whether it was put on its node without asking the scheduler.
    pub(super) bypassed: bool,
    /// Its explanation.
    pub(super) explanation: &'a Explanation,
    /// Which of the best nodes the scheduler would take.
    pub(super) winner: Option<AttrValue>,
    /// Which of the candidates preemption would take.
    pub(super) picked: Option<&'a PreemptionNode>,
    /// The label key of the board's columns.
    pub(super) key: &'a str,
    /// All label keys of the nodes.
    pub(super) keys: &'a [AttrValue],
    /// The words.
    pub(super) words: &'a Locale,
}

impl Inspected<'_> {
    /// The view.
    pub(super) fn view(&self) -> InspectorView {
        let (pod, explanation) = (&*self.pod.pod, self.explanation);
        let (meta, spec) = (&pod.metadata, &pod.spec);
        InspectorView {
            key: self.pod.key().to_string().into(),
            name: meta.name.clone().into(),
            namespace: meta.namespace.clone().into(),
            app: self.apps.tile(pod),
            node: (!spec.node_name.is_empty()).then(|| spec.node_name.clone().into()),
            headline: self.headline(),
            event: self.event(),
            refusals: refusals(explanation),
            marks: self.marks(),
            bypassed: self.bypassed.then(|| self.overruled()),
            constraints: self.constraints(),
            priority: self.pod.priority(),
            priority_class: spec.priority_class_name.clone().into(),
            classes: self
                .cluster
                .known_priority_classes()
                .iter()
                .map(|class| (class.metadata.name.clone().into(), class.value))
                .collect(),
            preemption: explanation.preemption().map(|found| MadeRoom {
                candidates: found.candidates.len() as u32,
                node: self.picked.map(|picked| picked.name.to_string().into()),
            }),
            never_preempts: spec.preemption_policy == Some(PreemptionPolicy::Never),
            labels: meta
                .labels
                .iter()
                .map(|(key, value)| Pair { key: key.clone().into(), value: value.clone().into() })
                .collect(),
            requests: requests(pod),
            edited: self.before.map(|before| edited(before, pod)).unwrap_or_default(),
            topology_keys: self.keys.into(),
            filter: filter::table(explanation, &self.columns()),
        }
    }

    /// The reports in the order of the board.
    fn columns(&self) -> Vec<(&NodeReport, bool)> {
        let mut list = Vec::new();
        let reports = reports(Some(self.explanation));
        for (_, nodes) in columns(self.cluster, self.key) {
            let first = list.len();
            for (index, node) in nodes.iter().enumerate() {
                if let Some(&report) = reports.get(&*node.name) {
                    list.push((report, index == 0 && first > 0));
                }
            }
        }
        list
    }

    fn headline(&self) -> Headline {
        let explanation = self.explanation;
        Headline {
            feasible: explanation.feasible.len() as u32,
            nodes: explanation.nodes.len() as u32,
            winner: self.winner.clone(),
            tied: explanation.best.len() as u32,
            gated: explanation.pre_enqueue.is_some(),
        }
    }

    fn event(&self) -> Event {
        let explanation = self.explanation;
        let (reason, message) = if let Some(status) = &explanation.pre_enqueue {
            ("SchedulingGated", status.reasons.join(", "))
        } else if let Some(error) = &explanation.error {
            ("FailedScheduling", error.clone())
        } else if let Some(message) = &explanation.message {
            ("FailedScheduling", message.clone())
        } else {
            (
                "Scheduled",
                scheduled(&self.pod.key(), self.winner.as_deref().unwrap_or_default()).to_string(),
            )
        };
        Event { reason: reason.into(), message: message.into() }
    }

    fn marks(&self) -> Rc<[AttrValue]> {
        let marks = berth_wire::manifest::marks(&self.pod.pod.spec);
        let sentence = |mark: &berth_wire::manifest::Mark| {
            let plugins = mark.plugins().join(", ");
            self.words.fill(Msg::MarkLeftOut, &[("what", mark.as_str()), ("plugins", &plugins)])
        };
        marks.iter().map(sentence).collect()
    }

    /// What the scheduler says about the node that the pod is on.
    fn overruled(&self) -> Overruled {
        let pod = &self.pod.pod;
        let subject = Subject { explanation: self.explanation, pod, node: None, words: self.words };
        let found = self.explanation.node(&pod.spec.node_name);
        match found.and_then(|report| verdict(&subject, report)) {
            Some(Verdict::Rejected(rejected)) => Overruled::Refused(rejected.reason),
            _ => Overruled::Allowed,
        }
    }

    fn constraints(&self) -> Rc<[ConstraintView]> {
        let list = &self.pod.pod.spec.topology_spread_constraints;
        let views = list.iter().enumerate();
        views.map(|(index, constraint)| self.constraint(index, constraint)).collect()
    }

    fn constraint(&self, index: usize, constraint: &TopologySpreadConstraint) -> ConstraintView {
        let explanation = self.explanation;
        let spreads = explanation.spread_filter.iter().chain(&explanation.spread_score);
        let found = spreads.into_iter().find(|spread| spread.source == Some(index as u32));
        let matching =
            found.map(|spread| spread.domains.iter().map(|count| count.matching).sum::<i64>());
        ConstraintView {
            topology_key: constraint.topology_key.clone().into(),
            max_skew: constraint.max_skew,
            min_domains: constraint.min_domains,
            hard: constraint.when_unsatisfiable == UnsatisfiableConstraintAction::DoNotSchedule,
            selector: selector_text::write(constraint.label_selector.as_ref()).into(),
            match_label_keys: constraint.match_label_keys.join(",").into(),
            counted: matching.and_then(|count| u32::try_from(count).ok()),
            affinity_honored: constraint.node_affinity_policy != Some(NodeInclusionPolicy::Ignore),
            taints_honored: constraint.node_taints_policy == Some(NodeInclusionPolicy::Honor),
        }
    }
}

/// The event of a pod that found its node.
pub(super) fn scheduled(key: &ObjectKey, node: &str) -> AttrValue {
    ["Successfully assigned ", &key.to_string(), " to ", node].concat().into()
}

/// How many nodes each plugin refused first, in the order the plugins run.
fn refusals(explanation: &Explanation) -> Rc<[(AttrValue, u32)]> {
    let mut counts: Vec<(&'static str, u32)> = Vec::new();
    let statuses = explanation.nodes.iter().filter_map(|report| report.status.as_ref());
    for plugin in statuses.filter_map(|status| status.plugin) {
        match counts.iter_mut().find(|(name, _)| *name == plugin.name()) {
            Some((_, count)) => *count += 1,
            None => counts.push((plugin.name(), 1)),
        }
    }
    sorted(&counts, |a, b| b.1.cmp(&a.1))
        .into_iter()
        .map(|(name, count)| (name.into(), count))
        .collect()
}

/// The requests that scheduling counts. A single plain container's can be edited; cpu and memory are
/// offered even when they are not set.
fn requests(pod: &Pod) -> Rc<[Request]> {
    use berth_core::cluster::requests::{RequestOptions, pod_requests};
    let spec = &pod.spec;
    let plain = spec.containers.len() == 1
        && spec.init_containers.is_empty()
        && spec.overhead.is_empty()
        && spec.resources.is_none();
    let options = RequestOptions {
        status: false,
        pod_level: true,
        missing_milli_cpu: None,
        missing_memory: None,
    };
    let list = pod_requests(pod, options);
    let mut names: Vec<&str> = list.keys().map(String::as_str).collect();
    if plain {
        names.extend(["cpu", "memory"].into_iter().filter(|name| !list.contains_key(*name)));
        names = sorted(&names, Ord::cmp);
    }
    let quantity = |name: &str| list.get(name).map(ToString::to_string).unwrap_or_default();
    names
        .iter()
        .map(|name| Request {
            resource: (*name).to_owned().into(),
            quantity: quantity(name).into(),
            editable: plain,
        })
        .collect()
}
