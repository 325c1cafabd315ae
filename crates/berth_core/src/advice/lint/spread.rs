//! Topology spread constraints.

use alloc::format;
use alloc::string::String;

use super::counts::{missing, node_labels, nodes, number, selected, values};
use super::{Desk, Problem};
use crate::api::{
    LabelSelector, Node, NodeInclusionPolicy, Pod, Selector, TopologySpreadConstraint,
    UnsatisfiableConstraintAction,
};
use crate::collections::Map;
use crate::framework::fact::Silent;
use crate::plugins::node_affinity::required_node_affinity;
use crate::plugins::pod_topology_spread::constraint::sources;
use crate::plugins::taint_toleration::untolerated;

/// Labels by which people tell apps apart, the most telling first.
const TELLING: [&str; 4] = ["app.kubernetes.io/name", "app", "k8s-app", "name"];

pub(super) fn lint(desk: &mut Desk<'_>) {
    let all = &desk.pod.spec.topology_spread_constraints;
    for (at, constraint) in all.iter().enumerate() {
        let path = |field: &str| format!("spec.topologySpreadConstraints[{at}]{field}");
        let same = |other: &TopologySpreadConstraint| {
            other.topology_key == constraint.topology_key
                && other.when_unsatisfiable == constraint.when_unsatisfiable
        };
        if all.iter().take(at).any(same) {
            let fix = desk.fixed(|pod| drop(pod.spec.topology_spread_constraints.remove(at)));
            let key = constraint.topology_key.clone();
            desk.note(path(""), Problem::Twice { key }, Some(fix));
        }
        let is_hard = constraint.when_unsatisfiable == UnsatisfiableConstraintAction::DoNotSchedule;
        lint_keys(desk, at, constraint);
        if let (false, Some(value)) = (is_hard, constraint.min_domains) {
            let fix = with(desk, at, |constraint| constraint.min_domains = None);
            desk.note(path(".minDomains"), Problem::MinDomainsSoft { value }, fix);
        }
        if !lint_key(desk, at, constraint, is_hard) {
            continue;
        }
        if lint_selector(desk, at, constraint) && is_hard {
            lint_counts(desk, at, constraint);
        }
    }
}

/// The pod with one constraint changed.
fn with(
    desk: &Desk<'_>,
    at: usize,
    change: impl FnOnce(&mut TopologySpreadConstraint),
) -> Option<Pod> {
    let mut pod = desk.pod.clone();
    change(pod.spec.topology_spread_constraints.get_mut(at)?);
    Some(pod)
}

/// What the constraint comes to, with `matchLabelKeys`.
fn selector(desk: &Desk<'_>, at: usize) -> Option<Selector> {
    let args = &desk.profile.args.pod_topology_spread;
    let action = desk.pod.spec.topology_spread_constraints.get(at)?.when_unsatisfiable;
    let found = sources(desk.cluster, args, desk.info, action).ok()?;
    found.into_iter().find(|source| source.index == Some(at as u32)).map(|source| source.selector)
}

/// `matchLabelKeys`.
fn lint_keys(desk: &mut Desk<'_>, at: usize, constraint: &TopologySpreadConstraint) {
    let keys = &constraint.match_label_keys;
    if keys.is_empty() {
        return;
    }
    let Some(written) = &constraint.label_selector else {
        let fix = telling(desk).and_then(|own| with(desk, at, |of| of.label_selector = Some(own)));
        let path = format!("spec.topologySpreadConstraints[{at}].matchLabelKeys");
        desk.note(path, Problem::KeysWithoutSelector {}, fix);
        return;
    };
    for (i, key) in keys.iter().enumerate() {
        let path = format!("spec.topologySpreadConstraints[{at}].matchLabelKeys[{i}]");
        let fix = with(desk, at, |of| of.match_label_keys.retain(|own| own != key));
        if written.match_labels.contains_key(key)
            || written.match_expressions.iter().any(|of| of.key == *key)
        {
            desk.note(path, Problem::KeyInSelector { key: key.clone() }, fix);
        } else if !desk.pod.metadata.labels.contains_key(key) {
            let pods = selector(desk, at).map_or(0, |selector| counted(desk, &selector));
            desk.note(path, Problem::KeyNotOnPod { key: key.clone(), pods }, fix);
        }
    }
}

/// How many other pods on nodes are selected.
fn counted(desk: &Desk<'_>, selector: &Selector) -> u32 {
    let key = desk.pod.metadata.key();
    let pods = selected(desk.cluster, desk.info.namespace, selector, &key);
    number(pods.filter(|pod| pod.node.is_some()).count())
}

/// `topologyKey`. False if no node has it, so that the rest says nothing.
fn lint_key(
    desk: &mut Desk<'_>,
    at: usize,
    constraint: &TopologySpreadConstraint,
    is_hard: bool,
) -> bool {
    let key = constraint.topology_key.clone();
    let (nodes, of) = missing(desk.cluster, &key);
    if nodes == 0 {
        return of > 0;
    }
    let nowhere = nodes == of;
    let problem = match (is_hard, nowhere) {
        (true, true) => Problem::KeyNowhere { key, nodes },
        (false, true) => Problem::SoftKeyNowhere { key, nodes },
        (false, false) => Problem::SoftKeyMissing { key, nodes, of },
        (true, false) => {
            let own = desk.pod.metadata.key();
            let pods = selector(desk, at).map_or(0, |selector| {
                let selected = selected(desk.cluster, desk.info.namespace, &selector, &own);
                let there = selected.filter_map(|pod| node_labels(desk.cluster, pod));
                number(there.filter(|labels| !labels.contains_key(&key)).count())
            });
            Problem::KeyMissing { key, nodes, of, pods }
        }
    };
    desk.note(format!("spec.topologySpreadConstraints[{at}].topologyKey"), problem, None);
    !nowhere
}

/// `labelSelector`. False if it counts nobody or not the pod, so that the numbers say nothing.
fn lint_selector(desk: &mut Desk<'_>, at: usize, constraint: &TopologySpreadConstraint) -> bool {
    let Some(compiled) = selector(desk, at) else { return false };
    let problem = if constraint.label_selector.is_none() {
        if !constraint.match_label_keys.is_empty() {
            return false;
        }
        Problem::NoSelector { nodes: desk.cluster.node_count() }
    } else if compiled.is_empty() {
        Problem::EmptySelector { pods: counted(desk, &compiled) }
    } else if !compiled.matches(&desk.pod.metadata.labels) {
        Problem::NotSelf { pods: counted(desk, &compiled) }
    } else {
        return true;
    };
    let fix = telling(desk).and_then(|own| with(desk, at, |of| of.label_selector = Some(own)));
    desk.note(format!("spec.topologySpreadConstraints[{at}].labelSelector"), problem, fix);
    false
}

/// A selector of pods like this one: by the label that tells apps apart, or the first that there is.
fn telling(desk: &Desk<'_>) -> Option<LabelSelector> {
    let labels = &desk.pod.metadata.labels;
    let known =
        TELLING.iter().find_map(|key| Some((String::from(*key), labels.get(*key)?.clone())));
    let (key, value) =
        known.or_else(|| labels.iter().next().map(|(key, value)| (key.clone(), value.clone())))?;
    Some(LabelSelector { match_labels: Map::from([(key, value)]), ..LabelSelector::default() })
}

/// The numbers of a hard constraint that works.
fn lint_counts(desk: &mut Desk<'_>, at: usize, constraint: &TopologySpreadConstraint) {
    let path = |field: &str| format!("spec.topologySpreadConstraints[{at}]{field}");
    let Some(compiled) = selector(desk, at) else { return };
    let key = desk.pod.metadata.key();
    let others = selected(desk.cluster, desk.info.namespace, &compiled, &key);
    let pods = number(others.count()).saturating_add(1);
    if constraint.max_skew > 1 && i64::from(constraint.max_skew) >= i64::from(pods) {
        let max_skew = constraint.max_skew;
        desk.note(path(".maxSkew"), Problem::SkewNeverReached { max_skew, pods }, None);
    }
    let domains = number(values(desk.cluster, &constraint.topology_key).len());
    match constraint.min_domains {
        Some(value) if i64::from(value) > i64::from(domains) => {
            let pods = i64::from(domains) * i64::from(constraint.max_skew);
            let fix = with(desk, at, |of| of.min_domains = i32::try_from(domains).ok());
            let problem = Problem::MinDomainsTooMany { value, domains, pods };
            desk.note(path(".minDomains"), problem, fix);
        }
        None if domains == 1 => {
            let (missing, all) = missing(desk.cluster, &constraint.topology_key);
            let (key, nodes) = (constraint.topology_key.clone(), all - missing);
            desk.note(path(".topologyKey"), Problem::OneDomain { key, nodes }, None);
        }
        _ => {}
    }
    lint_taints(desk, at, constraint, &compiled);
}

/// Domains that count although taints keep the pod off all their nodes.
fn lint_taints(
    desk: &mut Desk<'_>,
    at: usize,
    constraint: &TopologySpreadConstraint,
    compiled: &Selector,
) {
    if constraint.node_taints_policy == Some(NodeInclusionPolicy::Honor) {
        return;
    }
    let required = required_node_affinity(desk.pod);
    let ignores_affinity = constraint.node_affinity_policy == Some(NodeInclusionPolicy::Ignore);
    let counts = |node: &&Node| {
        let (labels, name) = (&node.metadata.labels, &node.metadata.name);
        ignores_affinity || required.matches(labels, name).unwrap_or(false)
    };
    // By domain: whether the pod may go there, and the matching pods.
    let mut domains: Map<&String, (bool, u32)> = Map::new();
    for node in nodes(desk.cluster).filter(counts) {
        let Some(value) = node.metadata.labels.get(&constraint.topology_key) else { continue };
        let tolerations = &desk.pod.spec.tolerations;
        let usable = untolerated(&node.spec.taints, tolerations, &mut Silent).is_none();
        domains.or_default(value).0 |= usable;
    }
    let own = desk.pod.metadata.key();
    for pod in selected(desk.cluster, desk.info.namespace, compiled, &own) {
        let labels = node_labels(desk.cluster, pod);
        let value = labels.and_then(|labels| labels.get(&constraint.topology_key));
        if let Some((_, pods)) = value.and_then(|value| domains.get_mut(value)) {
            *pods += 1;
        }
    }
    let of_kind = |kind: bool| domains.values().filter(move |of| of.0 == kind).map(|of| of.1);
    let Some(fewest) = of_kind(false).min() else { return };
    // They keep the others down only if they have the fewest pods.
    if of_kind(true).min().is_none_or(|others| others < fewest) {
        return;
    }
    let (count, of) = (number(of_kind(false).count()), number(domains.len()));
    let max_skew = constraint.max_skew;
    let problem = Problem::UnusableDomains { domains: count, of, fewest, max_skew };
    let fix = with(desk, at, |of| of.node_taints_policy = Some(NodeInclusionPolicy::Honor));
    desk.note(format!("spec.topologySpreadConstraints[{at}].nodeTaintsPolicy"), problem, fix);
}
