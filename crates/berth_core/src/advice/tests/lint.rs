//! Each finding, triggered and not.

use alloc::format;
use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec;
use alloc::vec::Vec;

use super::cluster::{
    HOSTNAME, ZONE, budget, class, constraint, labels, near, node, objects, playground, pod, select,
};
use crate::advice::{Finding, Problem, Severity, lint};
use crate::api::{
    Affinity, IntOrPercent, Kind, LabelSelector, NodeInclusionPolicy, Object, ObjectKey, Pod,
    PreemptionPolicy, Taint, TaintEffect, UnsatisfiableConstraintAction,
};
use crate::collections::Set;

fn new() -> ObjectKey {
    ObjectKey::new("default", "new")
}

fn findings(objects: &[Object]) -> Vec<Finding> {
    lint(&mut playground(objects.to_vec()), &new()).unwrap()
}

/// Two zones with a node each, a web pod in each, and one more that waits and spreads over zones.
fn fine() -> Vec<Object> {
    let mut waits = pod("new", "web", "500m", "");
    waits.spec.topology_spread_constraints.push(constraint(ZONE, 1, "web"));
    let nodes = [node("n1", Some("a"), "4"), node("n2", Some("b"), "4")];
    let running = ["n1", "n2"].map(|node| pod(&format!("on-{node}"), "web", "500m", node));
    objects(nodes, running.into_iter().chain([waits]))
}

/// The same with the waiting pod changed.
fn with(change: impl FnOnce(&mut Pod)) -> Vec<Object> {
    let mut all = fine();
    for object in &mut all {
        if let Object::Pod(pod) = object
            && pod.metadata.name == "new"
        {
            change(Arc::make_mut(pod));
            break;
        }
    }
    all
}

/// The same with the first node changed.
fn with_node(change: impl FnOnce(&mut crate::api::Node)) -> Vec<Object> {
    let mut all = fine();
    if let Some(Object::Node(node)) = all.first_mut() {
        change(Arc::make_mut(node));
    }
    all
}

fn with_object(object: Object) -> Vec<Object> {
    let mut all = fine();
    all.push(object);
    all
}

fn anti(key: &str) -> impl FnOnce(&mut Pod) {
    let section = Some(near("web", key));
    move |pod| {
        pod.spec.affinity = Some(Affinity { pod_anti_affinity: section, ..Affinity::default() });
    }
}

fn taint(node: &mut crate::api::Node) {
    let (key, value) = ("gpu".into(), String::new());
    node.spec.taints.push(Taint { key, value, effect: TaintEffect::NoSchedule });
}

fn default_class(name: &str, value: i32) -> Object {
    let mut class = class(name, value);
    class.global_default = true;
    Object::PriorityClass(Arc::new(class))
}

/// The clusters with what is found in each, and where.
#[expect(clippy::too_many_lines, reason = "one table")]
fn table() -> Vec<(Vec<Object>, Problem, &'static str)> {
    const FIRST: &str = "spec.topologySpreadConstraints[0]";
    let soft = UnsatisfiableConstraintAction::ScheduleAnyway;
    let spread = |pod: &mut Pod, change: &dyn Fn(&mut crate::api::TopologySpreadConstraint)| {
        change(&mut pod.spec.topology_spread_constraints[0]);
    };
    let zone = || String::from(ZONE);
    let at = |field: &'static str| -> &'static str {
        match field {
            "" => FIRST,
            "labelSelector" => "spec.topologySpreadConstraints[0].labelSelector",
            "topologyKey" => "spec.topologySpreadConstraints[0].topologyKey",
            "minDomains" => "spec.topologySpreadConstraints[0].minDomains",
            "maxSkew" => "spec.topologySpreadConstraints[0].maxSkew",
            "nodeTaintsPolicy" => "spec.topologySpreadConstraints[0].nodeTaintsPolicy",
            "matchLabelKeys" => "spec.topologySpreadConstraints[0].matchLabelKeys",
            _ => "spec.topologySpreadConstraints[0].matchLabelKeys[0]",
        }
    };
    let keys = |key: &'static str| {
        move |pod: &mut Pod| {
            pod.spec.topology_spread_constraints[0].match_label_keys = vec![key.into()];
        }
    };
    let mut second = budget("b2", "web");
    second.max_unavailable = Some(IntOrPercent::Int(1));
    let mut first = second.clone();
    first.metadata.name = "b1".into();
    let mut two_budgets = with_object(Object::PodDisruptionBudget(Arc::new(first)));
    two_budgets.push(Object::PodDisruptionBudget(Arc::new(second)));
    let mut two_defaults = with_object(default_class("low", 0));
    two_defaults.push(default_class("more", 7));
    vec![
        (
            with(|pod| spread(pod, &|of| of.label_selector = None)),
            Problem::NoSelector { nodes: 2 },
            at("labelSelector"),
        ),
        (
            with(|pod| spread(pod, &|of| of.label_selector = Some(LabelSelector::default()))),
            // Both pods of the namespace that run.
            Problem::EmptySelector { pods: 2 },
            at("labelSelector"),
        ),
        (
            with(|pod| pod.metadata.labels = labels(&[("app", "other")])),
            Problem::NotSelf { pods: 2 },
            at("labelSelector"),
        ),
        (
            with(|pod| spread(pod, &|of| of.topology_key = "rack".into())),
            Problem::KeyNowhere { key: "rack".into(), nodes: 2 },
            at("topologyKey"),
        ),
        (
            with(|pod| {
                spread(pod, &|of| {
                    of.topology_key = "rack".into();
                    of.when_unsatisfiable = soft;
                });
            }),
            Problem::SoftKeyNowhere { key: "rack".into(), nodes: 2 },
            at("topologyKey"),
        ),
        (
            with_node(|node| drop(node.metadata.labels.remove(ZONE))),
            Problem::KeyMissing { key: zone(), nodes: 1, of: 2, pods: 1 },
            at("topologyKey"),
        ),
        (
            {
                let mut all = with(|pod| spread(pod, &|of| of.when_unsatisfiable = soft));
                if let Some(Object::Node(node)) = all.first_mut() {
                    Arc::make_mut(node).metadata.labels.remove(ZONE);
                }
                all
            },
            Problem::SoftKeyMissing { key: zone(), nodes: 1, of: 2 },
            at("topologyKey"),
        ),
        (
            with(|pod| {
                spread(pod, &|of| {
                    of.when_unsatisfiable = soft;
                    of.min_domains = Some(2);
                });
            }),
            Problem::MinDomainsSoft { value: 2 },
            at("minDomains"),
        ),
        (
            with(|pod| spread(pod, &|of| of.min_domains = Some(3))),
            // 2 domains × maxSkew 1.
            Problem::MinDomainsTooMany { value: 3, domains: 2, pods: 2 },
            at("minDomains"),
        ),
        (
            with(|pod| {
                keys("app")(pod);
                pod.spec.topology_spread_constraints[0].label_selector = None;
            }),
            Problem::KeysWithoutSelector {},
            at("matchLabelKeys"),
        ),
        (with(keys("app")), Problem::KeyInSelector { key: "app".into() }, at("key")),
        (
            with(keys("pod-template-hash")),
            Problem::KeyNotOnPod { key: "pod-template-hash".into(), pods: 2 },
            at("key"),
        ),
        (
            with(|pod| {
                let again = pod.spec.topology_spread_constraints[0].clone();
                pod.spec.topology_spread_constraints.push(again);
            }),
            Problem::Twice { key: zone() },
            "spec.topologySpreadConstraints[1]",
        ),
        (
            with(|pod| spread(pod, &|of| of.max_skew = 3)),
            Problem::SkewNeverReached { max_skew: 3, pods: 3 },
            at("maxSkew"),
        ),
        (
            with_node(|node| drop(node.metadata.labels.insert(ZONE.into(), "b".into()))),
            Problem::OneDomain { key: zone(), nodes: 2 },
            at("topologyKey"),
        ),
        (
            with_node(taint),
            // One pod in either zone: zone a, tainted, keeps zone b at 2.
            Problem::UnusableDomains { domains: 1, of: 2, fewest: 1, max_skew: 1 },
            at("nodeTaintsPolicy"),
        ),
        (
            with(|pod| {
                let section = Some(near("db", ZONE));
                pod.spec.affinity = Some(Affinity { pod_affinity: section, ..Affinity::default() });
            }),
            Problem::NobodyNear { nodes: 2 },
            "spec.affinity.podAffinity.requiredDuringSchedulingIgnoredDuringExecution[0].labelSelector",
        ),
        (
            with(|pod| {
                let section = Some(near("web", "rack"));
                pod.spec.affinity = Some(Affinity { pod_affinity: section, ..Affinity::default() });
            }),
            Problem::NearKeyMissing { key: "rack".into(), nodes: 2, of: 2 },
            "spec.affinity.podAffinity.requiredDuringSchedulingIgnoredDuringExecution[0].topologyKey",
        ),
        (
            with(|pod| {
                let mut section = near("web", ZONE);
                section.required[0].label_selector = None;
                let section = Some(section);
                let affinity = Affinity { pod_anti_affinity: section, ..Affinity::default() };
                pod.spec.affinity = Some(affinity);
            }),
            Problem::ApartFromNobody {},
            "spec.affinity.podAntiAffinity.requiredDuringSchedulingIgnoredDuringExecution[0].labelSelector",
        ),
        (
            with(anti("rack")),
            Problem::ApartKeyMissing { key: "rack".into(), nodes: 2, of: 2 },
            "spec.affinity.podAntiAffinity.requiredDuringSchedulingIgnoredDuringExecution[0].topologyKey",
        ),
        (
            with(anti(HOSTNAME)),
            Problem::ApartTooMany { key: HOSTNAME.into(), pods: 3, domains: 2 },
            "spec.affinity.podAntiAffinity.requiredDuringSchedulingIgnoredDuringExecution[0]",
        ),
        (
            with(|pod| pod.spec.node_selector = labels(&[("disk", "ssd")])),
            Problem::NoNode { nodes: 2 },
            "spec.nodeSelector",
        ),
        (
            with(|pod| pod.spec.priority_class_name = "gone".into()),
            Problem::ClassMissing { class: "gone".into() },
            "spec.priorityClassName",
        ),
        (
            with(|pod| pod.spec.priority = Some(5)),
            Problem::PriorityDiffers { given: 5, computed: 0 },
            "spec.priority",
        ),
        (
            with(|pod| {
                pod.spec.priority = Some(5);
                pod.spec.preemption_policy = Some(PreemptionPolicy::Never);
            }),
            Problem::NeverPreempts { pods: 2 },
            "spec.preemptionPolicy",
        ),
        (
            with(|pod| pod.spec.priority = Some(-1)),
            Problem::BelowDefault { priority: -1, default: 0, pods: 2 },
            "spec.priority",
        ),
        (
            two_defaults,
            Problem::SecondDefault { value: 7, taken: "low".into(), taken_value: 0 },
            "globalDefault",
        ),
        (
            with_object(default_class("more", 7)),
            Problem::DefaultNotTaken { value: 7, pods: 3 },
            "globalDefault",
        ),
        (two_budgets, Problem::OverlappingBudgets { budgets: 2, pods: 3 }, "metadata.labels"),
        (
            with_object(Object::PodDisruptionBudget(Arc::new(budget("b", "web")))),
            Problem::BudgetNever { pods: 3 },
            "spec.maxUnavailable",
        ),
    ]
}

#[test]
fn nothing_is_found_where_nothing_is_wrong() {
    assert_eq!(findings(&fine()), []);
}

#[test]
fn every_problem_is_found_with_its_numbers() {
    let table = table();
    for (objects, problem, path) in &table {
        let found = findings(objects);
        let same = found.iter().find(|finding| finding.problem == *problem);
        assert_eq!(same.map(|finding| &*finding.path), Some(*path), "{problem:?} in {found:#?}");
    }
    let found: Set<&str> = table.iter().map(|(_, problem, _)| problem.code()).collect();
    let all: Set<&str> = Problem::CODES.iter().copied().collect();
    assert_eq!(found, all);
}

#[test]
fn a_fix_takes_the_problem_away() {
    let mut fixes = 0;
    for (objects, problem, _) in table() {
        let mut playground = playground(objects);
        let found = lint(&mut playground, &new()).unwrap();
        let finding = found.iter().find(|finding| finding.problem == problem).unwrap();
        let Some(command) = finding.command("fix".into()) else { continue };
        playground.apply(command).unwrap();
        let left = lint(&mut playground, &new()).unwrap();
        let same = left
            .iter()
            .any(|left| left.problem.code() == problem.code() && left.object == finding.object);
        assert!(!same, "{problem:?}: {left:#?}");
        fixes += 1;
    }
    assert!(fixes >= 12, "{fixes}");
}

#[test]
fn the_worst_comes_first() {
    let objects = with(|pod| {
        pod.spec.topology_spread_constraints[0].max_skew = 3;
        pod.spec.priority_class_name = "gone".into();
        pod.spec.topology_spread_constraints.push(constraint("rack", 1, "none"));
    });
    let found: Vec<Severity> = findings(&objects).iter().map(Finding::severity).collect();
    assert!(found.windows(2).all(|two| two[0] >= two[1]), "{found:?}");
    assert_eq!(found.first(), Some(&Severity::Error));
}

#[test]
fn what_is_tolerated_or_honored_is_no_trap() {
    let mut all = with_node(taint);
    for object in &mut all {
        if let Object::Pod(pod) = object {
            let pod = Arc::make_mut(pod);
            for constraint in &mut pod.spec.topology_spread_constraints {
                constraint.node_taints_policy = Some(NodeInclusionPolicy::Honor);
            }
        }
    }
    assert_eq!(findings(&all), []);
    let selector = Some(select(&[("app", "db")]));
    let mut other = budget("b", "web");
    other.selector = selector;
    assert_eq!(findings(&with_object(Object::PodDisruptionBudget(Arc::new(other)))), []);
    let found = findings(&with_object(Object::PodDisruptionBudget(Arc::new(budget("b", "web")))));
    assert!(found.iter().all(|finding| finding.kind == Kind::PodDisruptionBudget));
}
