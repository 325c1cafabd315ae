//! What search finds is right, and nothing smaller is there.

use alloc::format;
use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;

use super::cluster::{Random, ZONE, constraint, node, objects, playground, pod, random};
use super::space::{edits, rebuilt};
use crate::advice::edit::Edit;
use crate::advice::{Ending, Goal, Level, Limits, Proposal, Search, Verdict, commands};
use crate::api::workload::PodTemplate;
use crate::api::{
    Kind, NodeInclusionPolicy, Object, ObjectKey, ObjectMeta, OwnerReference, Taint, TaintEffect,
    Workload, WorkloadKind,
};
use crate::playground::Command;

fn new() -> ObjectKey {
    ObjectKey::new("default", "new")
}

fn search(objects: &[Object], limits: Limits) -> Search {
    Search::new(&playground(objects.to_vec()), &new(), limits).unwrap().run()
}

/// Whether a proposal covers a set: as small, and as good; of the same size and kind no milder value is there.
fn covers(found: &[Proposal], size: usize, level: Level) -> bool {
    found.iter().any(|of| of.edits.len() <= size && of.verdict.level() >= level)
}

/// Whether an edit is proposed, or a milder one of its kind. Of priorities one that a class has is as good.
fn is_listed(found: &[Proposal], edit: &Edit, level: Level) -> bool {
    found.iter().any(|of| {
        let [own] = &*of.edits else { return false };
        let is_mild = own.strength() <= edit.strength() || matches!(own, Edit::Priority { .. });
        own.family() == edit.family() && is_mild && of.verdict.level() >= level
    })
}

/// What is wrong with what search says of one random cluster; none if its pod fits at once.
fn check(seed: u64, pairs: bool) -> Option<Vec<String>> {
    let objects = random(&mut Random(seed));
    let limits = Limits { size: 2, tries: 1_000_000, pairs_for_three: 0 };
    let search = search(&objects, limits);
    if search.progress().ending == Some(Ending::NotNeeded) {
        return None;
    }
    assert_eq!(search.progress().ending, Some(Ending::Complete), "seed {seed}");
    let mut wrong = Vec::new();
    let base = search.base().level();
    let found = search.found();
    for Proposal { edits, verdict, .. } in found {
        let again = rebuilt(&objects, &new(), edits);
        if again != Some((verdict.level(), verdict.victims())) || verdict.level() <= base {
            wrong.push(format!("{seed}: {edits:?} is {again:?}, not {verdict:?}"));
        }
    }
    let space = edits(&objects, &new());
    let level_of = |set: &[Edit]| rebuilt(&objects, &new(), set).filter(|(level, _)| *level > base);
    for (i, edit) in space.iter().enumerate() {
        if let Some((level, _)) = level_of(core::slice::from_ref(edit))
            && !is_listed(found, edit, level)
        {
            wrong.push(format!("{seed}: {edit:?} is {level:?}"));
        }
        if !pairs || covers(found, 1, Level::Fits) {
            continue;
        }
        for other in space.iter().skip(i + 1).filter(|other| other.family() != edit.family()) {
            let pair = [edit.clone(), other.clone()];
            if let Some((level, _)) = level_of(&pair)
                && !covers(found, 2, level)
            {
                wrong.push(format!("{seed}: {pair:?} is {level:?}"));
            }
        }
    }
    Some(wrong)
}

fn check_all(seeds: core::ops::Range<u64>, pairs: bool, at_least: usize) {
    let tested: Vec<Vec<String>> = seeds.filter_map(|seed| check(seed, pairs)).collect();
    let wrong: Vec<&String> = tested.iter().flatten().collect();
    assert!(
        wrong.is_empty(),
        "{} of {}: {:#?}",
        wrong.len(),
        tested.len(),
        wrong.iter().take(20).collect::<Vec<_>>()
    );
    assert!(tested.len() >= at_least, "{} clusters with a pod that does not fit", tested.len());
}

fn names(proposal: &Proposal) -> &[Edit] {
    &proposal.edits
}

/// Two zones with one node each; two web pods in the first, and one more that waits with maxSkew 1 and may only go
/// there, since the other node is tainted.
fn skewed() -> Vec<Object> {
    let mut tainted = node("n2", Some("b"), "4");
    let value = String::new();
    tainted.spec.taints.push(Taint { key: "gpu".into(), value, effect: TaintEffect::NoSchedule });
    let mut waits = pod("new", "web", "500m", "");
    waits.spec.topology_spread_constraints.push(constraint(ZONE, 1, "web"));
    let running = [pod("p1", "web", "500m", "n1"), pod("p2", "web", "500m", "n1")];
    objects([node("n1", Some("a"), "4"), tainted], running.into_iter().chain([waits]))
}

#[test]
fn the_cheapest_edit_comes_first_and_one_batch_carries_it_out() {
    let objects = skewed();
    let search = search(&objects, Limits::default());
    assert_eq!(search.base(), &Verdict::Refused);
    let constraint = 0;
    let found: Vec<&[Edit]> = search.found().iter().map(names).collect();
    // 2 + 1 − 0 = 3 in zone a. With the tainted node left out zone a alone counts: 2 + 1 − 2 = 1.
    let honor = Edit::NodeTaintsPolicy { constraint, to: NodeInclusionPolicy::Honor };
    assert_eq!(found[0], [honor]);
    assert_eq!(found[1], [Edit::MaxSkew { constraint, to: 3 }]);
    assert!(found.contains(&&[Edit::ScheduleAnyway { constraint }][..]));
    // Neither of the two pods in the zone is enough alone.
    assert!(found.iter().all(|edits| !matches!(edits, [Edit::Delete { .. }])), "{found:?}");
    let mut playground = playground(objects);
    let before = playground.clone();
    let command = search.command(&search.found()[1], "maxSkew 3".into()).unwrap();
    playground.apply(command).unwrap();
    let explanation = playground.explain(&new()).unwrap();
    assert_eq!(explanation.best_names().map(|name| &**name).collect::<Vec<_>>(), ["n1"]);
    assert_eq!(playground.log().count(), 1);
    assert!(playground.undo());
    for key in ["new", "p1", "p2"] {
        let key = ObjectKey::new("default", key);
        assert_eq!(
            playground.cluster().get(Kind::Pod, &key),
            before.cluster().get(Kind::Pod, &key)
        );
    }
}

#[test]
fn search_goes_on_in_steps_and_ends_the_same() {
    let objects = skewed();
    let whole = search(&objects, Limits::default());
    let mut sliced = Search::new(&playground(objects), &new(), Limits::default()).unwrap();
    let mut steps = 0;
    while sliced.step(1) {
        steps += 1;
    }
    assert!(steps > 5, "{steps}");
    assert_eq!(sliced.found(), whole.found());
    assert_eq!(sliced.progress(), whole.progress());
}

#[test]
fn too_few_tries_end_it_and_say_so() {
    let limits = Limits { tries: 2, ..Limits::default() };
    let search = search(&skewed(), limits);
    assert_eq!(search.progress().ending, Some(Ending::Limit));
    assert_eq!(search.progress().tried, 2);
}

#[test]
fn three_edits_are_found_where_two_do_not_suffice() {
    // One node, cordoned and tainted twice; tolerating all three is no single wish of the pod.
    let mut only = node("n1", Some("a"), "4");
    only.spec.unschedulable = true;
    for key in ["one", "two"] {
        let (key, value) = (key.into(), String::new());
        only.spec.taints.push(Taint { key, value, effect: TaintEffect::NoSchedule });
    }
    let found = search(&objects([only], [pod("new", "web", "1", "")]), Limits::default());
    assert!(found.found().iter().all(|proposal| proposal.edits.len() == 3));
    // One and two are tolerated or dropped, and the node is uncordoned.
    assert_eq!(found.found().len(), 4);
}

#[test]
fn a_deleted_replica_is_not_made_again() {
    let owner = |kind: &str, name: &str| OwnerReference {
        kind: kind.into(),
        name: name.into(),
        controller: true,
        ..OwnerReference::default()
    };
    let mut running = pod("p1", "db", "3", "n1");
    running.metadata.owner_references.push(owner("StatefulSet", "db"));
    let workload = Workload {
        kind: WorkloadKind::StatefulSet,
        metadata: ObjectMeta {
            name: "db".into(),
            namespace: "default".into(),
            ..ObjectMeta::default()
        },
        replicas: Some(1),
        completions: None,
        indexed: false,
        suspended: false,
        first_ordinal: 0,
        selector: None,
        template: PodTemplate::default(),
        update_strategy: None,
        control: Arc::default(),
        status: Arc::default(),
    };
    let mut all = objects([node("n1", None, "4")], [running, pod("new", "web", "2", "")]);
    all.push(Object::Workload(Arc::new(workload)));
    let mut playground = playground(all);
    let delete = Edit::Delete { pod: ObjectKey::new("default", "p1") };
    let commands = commands(&[delete], playground.cluster(), &new()).unwrap();
    playground.apply(Command::Batch { name: String::new(), commands }).unwrap();
    let key = ObjectKey::new("default", "db");
    let left = playground.cluster().workload(WorkloadKind::StatefulSet, &key).unwrap();
    assert_eq!(left.replicas, Some(0));
    assert!(playground.cluster().pod_named(&ObjectKey::new("default", "p1")).is_none());
}

#[test]
fn a_placed_pod_leaves_its_node_for_another() {
    // n1 is the emptier one, so the pod stays; cordoned it would go.
    let running = [pod("new", "web", "1", "n1"), pod("p1", "db", "2", "n2")];
    let playground = playground(objects([node("n1", None, "4"), node("n2", None, "4")], running));
    let goal = Goal::Leave("n1".into());
    let search = Search::with_goal(&playground, &new(), goal, Limits::default()).unwrap().run();
    assert!(search.found().iter().any(|of| of.edits == [Edit::Cordon { node: "n1".into() }]));
    for proposal in search.found() {
        let Verdict::Fits { best, .. } = &proposal.verdict else { panic!("{proposal:?}") };
        assert!(best.iter().all(|name| **name != *"n1"), "{proposal:?}");
    }
    let elsewhere = Goal::Leave("n2".into());
    let none = Search::with_goal(&playground, &new(), elsewhere, Limits::default()).unwrap().run();
    assert_eq!(none.progress().ending, Some(Ending::NotNeeded));
}

#[test]
fn brute_force_finds_no_single_edit_more() {
    check_all(0..1600, false, 900);
}

#[test]
fn brute_force_finds_no_smaller_pair() {
    check_all(5000..5300, true, 150);
}
