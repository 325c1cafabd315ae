//! What the controller says beyond the status: the corpus compares the status alone.

use alloc::string::ToString;
use alloc::vec;

use super::*;
use crate::api::{Condition, LabelSelector, ObjectMeta};

/// A ReplicaSet `web` that wants 5, of a Deployment `web` that wants 7, and a StatefulSet `db` that wants 3.
struct Three {
    set_owner: OwnerReference,
    has_uids: bool,
}

impl Scales for Three {
    fn get(&self, group: &str, kind: &str, _: &str, name: &str) -> Option<Scale<'_>> {
        let (uid, replicas, controller) = match (group, kind, name) {
            ("apps", "ReplicaSet", "web") => ("rs", 5, Some(&self.set_owner)),
            ("apps", "Deployment", "web") => ("deploy", 7, None),
            ("apps", "StatefulSet", "db") => ("sts", 3, None),
            _ => return None,
        };
        let uid = if self.has_uids { uid } else { "" };
        Some(Scale { uid, replicas, controller })
    }

    fn mapping(&self, group: &str, version: &str, kind: &str) -> Option<Mapping> {
        Mapping::built_in(group, version, kind)
    }
}

fn owner(kind: &str, name: &str, uid: &str) -> OwnerReference {
    OwnerReference {
        api_version: "apps/v1".into(),
        kind: kind.into(),
        name: name.into(),
        uid: uid.into(),
        controller: true,
    }
}

fn pod(name: &str, owner: Option<OwnerReference>) -> Pod {
    let ready = Condition { kind: "Ready".into(), status: "True".into(), ..Condition::default() };
    let mut pod = Pod {
        metadata: ObjectMeta { name: name.into(), ..ObjectMeta::default() },
        ..Pod::default()
    };
    pod.metadata.owner_references.extend(owner);
    pod.status.conditions.push(ready);
    pod
}

fn budget(max_unavailable: &str) -> PodDisruptionBudget {
    PodDisruptionBudget {
        selector: Some(LabelSelector::default()),
        max_unavailable: Some(IntOrPercent::Percent(max_unavailable.into())),
        ..PodDisruptionBudget::default()
    }
}

const NOW: Time = Time(1000);

#[test]
fn every_controller_is_counted_once() {
    for has_uids in [true, false] {
        let uid = |uid: &'static str| if has_uids { uid } else { "" };
        let scales = Three { set_owner: owner("Deployment", "web", uid("deploy")), has_uids };
        let pods = [
            pod("a", Some(owner("ReplicaSet", "web", uid("rs")))),
            pod("b", Some(owner("ReplicaSet", "web", uid("rs")))),
            pod("c", Some(owner("StatefulSet", "db", uid("sts")))),
            pod("d", None),
        ];
        let found = sync(&budget("25%"), &mut pods.iter(), &scales, NOW.into(), Pod::is_ready);
        assert_eq!(found.failure, None);
        assert_eq!(found.unmanaged, ["d"]);
        let counted: Vec<(&str, i32)> =
            found.controllers.iter().map(|c| (&*c.uid, c.replicas)).collect();
        let names = if has_uids { ["deploy", "sts"] } else { ["Deployment web", "StatefulSet db"] };
        assert_eq!(counted, [(names[0], 7), (names[1], 3)]);
        // 7 + 3 wanted; a quarter of 10 is 3 rounded up, so 7 have to be healthy, and 4 are.
        let status = &found.status;
        assert_eq!((status.expected_pods, status.desired_healthy), (10, 7));
        assert_eq!((status.current_healthy, status.disruptions_allowed), (4, 0));
    }
}

#[test]
fn what_is_computed_stands_until_something_changes() {
    let scales = Three { set_owner: owner("Deployment", "web", "deploy"), has_uids: true };
    let pods = [pod("a", Some(owner("StatefulSet", "db", "sts")))];
    let mut budget = budget("100%");
    budget.metadata.generation = 4;
    let first = sync(&budget, &mut pods.iter(), &scales, NOW.into(), Pod::is_ready);
    assert!(first.updated);
    assert_eq!(first.status.disruptions_allowed, 1);
    assert_eq!(first.status.observed_generation, 4);
    budget.status = first.status;
    assert!(!sync(&budget, &mut pods.iter(), &scales, NOW.into(), Pod::is_ready).updated);
    assert!(sync(&budget, &mut [].iter(), &scales, NOW.into(), Pod::is_ready).updated);
}

#[test]
fn a_granted_eviction_counts_for_two_minutes() {
    let scales = Three { set_owner: owner("Deployment", "web", "deploy"), has_uids: true };
    let pods = ["a", "b"].map(|name| pod(name, Some(owner("StatefulSet", "db", "sts"))));
    // (when a and b were granted, how many are healthy, which still count, when to look again)
    for (granted, healthy, counting, recheck) in [
        ([1000, 990], 0, vec!["a", "b"], Some(1110)),
        ([1000, 881], 0, vec!["a", "b"], Some(1001)),
        // At its very end an eviction is still written down, but the pod is healthy again.
        ([1000, 880], 1, vec!["a", "b"], Some(1000)),
        ([879, 879], 2, vec![], None),
    ] {
        let mut budget = budget("1%");
        let granted = [("a", granted[0]), ("b", granted[1]), ("gone", 1000)];
        budget.status.disrupted_pods =
            granted.into_iter().map(|(pod, time)| (pod.to_string(), Time(time))).collect();
        let found = sync(&budget, &mut pods.iter(), &scales, NOW.into(), Pod::is_ready);
        assert_eq!(found.status.current_healthy, healthy);
        let kept: Vec<&str> = found.status.disrupted_pods.keys().map(|pod| &**pod).collect();
        assert_eq!(kept, counting);
        assert_eq!(found.recheck, recheck.map(Time));
    }
}

#[test]
fn a_failure_leaves_the_rest_and_allows_nothing() {
    let scales = Three { set_owner: owner("Deployment", "web", "deploy"), has_uids: true };
    let pods = [pod("a", Some(owner("StatefulSet", "gone", "x")))];
    let mut budget = budget("50%");
    budget.status.disruptions_allowed = 3;
    budget.status.current_healthy = 9;
    let found = sync(&budget, &mut pods.iter(), &scales, NOW.into(), Pod::is_ready);
    assert_eq!(found.failure, Some(SyncError::NoController("a".into())));
    assert_eq!((found.status.disruptions_allowed, found.status.current_healthy), (0, 9));
    assert_eq!(found.status.conditions[0].reason, "SyncFailed");
}
