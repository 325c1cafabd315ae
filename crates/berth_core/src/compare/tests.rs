//! Two playgrounds held against each other, on clusters small enough to work out by hand.

use alloc::boxed::Box;
use alloc::string::{String, ToString};
use alloc::sync::Arc;
use alloc::vec;
use alloc::vec::Vec;

use super::*;
use crate::api::{Container, Node, Object, ObjectKey, Pod, PriorityClass, Quantity};
use crate::framework::config::{Configuration, ScoringStrategyType};
use crate::framework::plugin::PluginId;
use crate::playground::{Command, Playground};

fn amounts(cpu: &str, memory: &str) -> crate::api::ResourceList {
    let pairs = [("cpu", cpu), ("memory", memory), ("pods", "10")];
    pairs.map(|(key, value)| (key.into(), Quantity::parse(value).unwrap())).into_iter().collect()
}

fn node(name: &str) -> Object {
    let mut node = Node::default();
    node.metadata.name = name.into();
    node.status.allocatable = amounts("4", "8Gi");
    Object::Node(Arc::new(node))
}

/// A pod of 1 CPU and 1 Gi.
fn pod(name: &str, on: &str) -> Pod {
    let mut pod = Pod::default();
    pod.metadata.name = name.into();
    pod.metadata.namespace = "default".into();
    let mut container = Container { name: "c".into(), ..Container::default() };
    container.resources.requests = amounts("1", "1Gi");
    container.resources.requests.remove("pods");
    pod.spec.containers.push(container);
    pod.spec.scheduler_name = "default-scheduler".into();
    pod.spec.priority = Some(0);
    pod.spec.node_name = on.into();
    pod
}

fn put(pod: Pod) -> Object {
    Object::Pod(Arc::new(pod))
}

fn key(name: &str) -> ObjectKey {
    ObjectKey::new("default", name)
}

/// An empty node, a node that is half full, and two pods that wait.
fn objects() -> Vec<Object> {
    let mut objects = vec![node("empty"), node("half")];
    for (name, on) in [("old-1", "half"), ("old-2", "half"), ("new-1", ""), ("new-2", "")] {
        objects.push(put(pod(name, on)));
    }
    objects
}

fn most_allocated() -> Configuration {
    let mut configuration = Configuration::default();
    configuration.profiles[0].args.node_resources_fit.scoring_strategy.kind =
        ScoringStrategyType::MostAllocated;
    configuration
}

fn pair(objects: &[Object], second: Configuration) -> [Playground; 2] {
    [Configuration::default(), second]
        .map(|configuration| Playground::new(objects.to_vec(), configuration).unwrap())
}

fn names(names: &[Arc<str>]) -> Vec<&str> {
    names.iter().map(|name| &**name).collect()
}

#[test]
fn another_strategy_turns_the_scores_round() {
    let [mut a, mut b] = pair(&objects(), most_allocated());
    let pod = key("new-1");
    let found = difference(&pod, judge(&mut a, &pod), judge(&mut b, &pod)).unwrap();
    let [first, second] = &found.judgements;
    assert_eq!(first.verdict, Verdict::Fits { nodes: 2 });
    assert!(!found.in_verdict() && found.in_best());
    assert_eq!((names(&first.best), names(&second.best)), (vec!["empty"], vec!["half"]));
    // With the pod, `empty` has 1 of 4 CPUs and 1 of 8 Gi used, `half` 3 of 4 and 3 of 8.
    // LeastAllocated: empty ((4-1)*100/4 + (8-1)*100/8) / 2 = (75 + 87) / 2 = 81,
    //                 half  ((4-3)*100/4 + (8-3)*100/8) / 2 = (25 + 62) / 2 = 43.
    // MostAllocated:  empty (1*100/4 + 1*100/8) / 2 = (25 + 12) / 2 = 18,
    //                 half  (3*100/4 + 3*100/8) / 2 = (75 + 37) / 2 = 56.
    let fit = |weighted: [i64; 2]| PluginDifference {
        plugin: PluginId::NodeResourcesFit,
        weighted: weighted.map(Some),
    };
    let by: Vec<(&str, &[PluginDifference])> =
        found.nodes.iter().map(|node| (&*node.node, &*node.plugins)).collect();
    // 63 fewer goes before 13 more.
    assert_eq!(by, [("empty", &[fit([81, 18])][..]), ("half", &[fit([43, 56])][..])]);
    assert_eq!(fit([81, 18]).by(), -63);
    // Nothing else changes the totals.
    for node in &found.nodes {
        let [Some(first), Some(second)] = node.totals else { panic!("both take it") };
        assert_eq!(second - first, node.plugins[0].by());
    }
}

#[test]
fn what_is_the_same_is_no_difference() {
    let [mut a, mut b] = pair(&objects(), Configuration::default());
    for name in ["new-1", "new-2", "old-1", "gone"] {
        let pod = key(name);
        assert_eq!(difference(&pod, judge(&mut a, &pod), judge(&mut b, &pod)), None, "{name}");
    }
}

#[test]
fn a_weight_alone_changes_its_own_plugin() {
    let mut configuration = Configuration::default();
    let plugins = &mut configuration.profiles[0].plugins.multi_point.enabled;
    let fit = plugins.iter_mut().find(|plugin| plugin.name == "NodeResourcesFit").unwrap();
    fit.weight = 5;
    let [mut a, mut b] = pair(&objects(), configuration);
    let pod = key("new-1");
    let found = difference(&pod, judge(&mut a, &pod), judge(&mut b, &pod)).unwrap();
    assert!(!found.in_verdict() && !found.in_best());
    // 81 and 43, once and five times.
    let weighted: Vec<[Option<i64>; 2]> =
        found.nodes.iter().map(|node| node.plugins[0].weighted).collect();
    assert_eq!(weighted, [[Some(81), Some(405)], [Some(43), Some(215)]]);
}

#[test]
fn a_node_that_one_of_them_takes_comes_first() {
    let objects = objects();
    let [mut a, mut b] = pair(&objects, most_allocated());
    let mut cordoned = Node::default();
    cordoned.metadata.name = "half".into();
    cordoned.status.allocatable = amounts("4", "8Gi");
    cordoned.spec.unschedulable = true;
    b.apply(Command::Put(Object::Node(Arc::new(cordoned)))).unwrap();
    let pod = key("new-1");
    let found = difference(&pod, judge(&mut a, &pod), judge(&mut b, &pod)).unwrap();
    assert!(found.in_verdict());
    let [half, empty] = &*found.nodes else { panic!("both differ") };
    assert_eq!((&*half.node, half.totals[1], half.plugins.len()), ("half", None, 0));
    assert_eq!((&*empty.node, empty.plugins.len()), ("empty", 1));
}

#[test]
fn a_pod_in_one_of_them_alone_is_a_difference() {
    let [mut a, mut b] = pair(&objects(), Configuration::default());
    b.apply(Command::Drop(crate::api::Kind::Pod, key("new-2"))).unwrap();
    let pod = key("new-2");
    let found = difference(&pod, judge(&mut a, &pod), judge(&mut b, &pod)).unwrap();
    assert_eq!(found.judgements[1].verdict, Verdict::Absent);
    assert!(found.judgements[0].scores.len() == 2 && found.nodes.len() == 2);
}

fn finish(playground: &Playground) -> Rehearsal {
    let mut rehearsal = Rehearsal::new(playground);
    while rehearsal.step(1).unwrap() {}
    rehearsal
}

#[test]
fn pods_land_elsewhere_under_another_strategy() {
    let [a, b] = pair(&objects(), most_allocated()).map(|playground| finish(&playground));
    // The second pod finds `empty` with 2 of 4 and 2 of 8: (50 + 75) / 2 = 62, still above 43;
    // and `half` with 4 of 4 and 4 of 8: (100 + 50) / 2 = 75, still above 18.
    let lands = |node: &str| Some(Fate::Lands { node: node.into(), ties: 1 });
    let want: Vec<FateDifference> = ["new-1", "new-2"]
        .map(|name| FateDifference { pod: key(name), fates: [lands("empty"), lands("half")] })
        .into();
    assert_eq!(fate_differences(a.fates(), b.fates()), want);
    assert_eq!(a.sums(), Sums { land: 2, wait: 0, go: 0 });
    assert_eq!(b.attempts(), 2);
}

/// A node that is full, and a pod that outranks those on it.
fn crowded() -> Vec<Object> {
    let mut objects = vec![node("only")];
    for name in ["low-1", "low-2", "low-3", "low-4"] {
        objects.push(put(pod(name, "only")));
    }
    let mut high = pod("high", "");
    high.spec.priority = Some(10);
    objects.push(put(high));
    objects
}

#[test]
fn without_preemption_nobody_goes() {
    let mut configuration = Configuration::default();
    configuration.profiles[0]
        .plugins
        .multi_point
        .enabled
        .retain(|plugin| plugin.name != "DefaultPreemption");
    let [a, b] = pair(&crowded(), configuration).map(|playground| finish(&playground));
    // One of the four makes room: 4 CPUs are requested, and 1 is wanted.
    assert_eq!(a.sums(), Sums { land: 1, wait: 0, go: 1 });
    assert_eq!(b.sums(), Sums { land: 0, wait: 1, go: 0 });
    let differences = fate_differences(a.fates(), b.fates());
    let [high, low] = &*differences else { panic!("{differences:?}") };
    let Some(Fate::Waits { message }) = &high.fates[1] else { panic!("it waits") };
    assert!(message.starts_with("0/1 nodes are available: 1 Insufficient cpu."), "{message}");
    assert_eq!(low.fates, [Some(Fate::Goes { preemptor: key("high") }), None]);
}

#[test]
fn a_rehearsal_does_what_the_scheduler_does() {
    for objects in [objects(), crowded()] {
        let mut playground = Playground::new(objects, Configuration::default()).unwrap();
        let rehearsal = finish(&playground);
        assert_eq!(playground.log().count(), 0, "it is a copy");
        playground.apply(Command::ScheduleAll).unwrap();
        for (pod, fate) in rehearsal.fates() {
            let found = playground.cluster().pod_named(pod);
            let found = found.and_then(|idx| playground.cluster().pod(idx));
            let at: Option<String> = found.map(|info| info.pod.spec.node_name.clone());
            let want = match fate {
                Fate::Lands { node, .. } => Some(node.clone()),
                Fate::Waits { .. } => Some(String::new()),
                Fate::Goes { .. } => None,
            };
            assert_eq!(at, want, "{pod}");
        }
    }
}

/// Everything, to compare by.
fn state(playground: &Playground) -> (Vec<Object>, Configuration, u64) {
    let cluster = playground.cluster();
    let mut all: Vec<Object> = Vec::new();
    all.extend(cluster.node_slots().iter().filter_map(|slot| slot.node.clone()).map(Object::Node));
    all.extend(cluster.priority_classes().values().cloned().map(Object::PriorityClass));
    all.extend(cluster.pods_by_age().map(|info| Object::Pod(Arc::clone(&info.pod))));
    crate::collections::sort_by_key(&mut all, |object| (object.kind(), object.key()));
    (all, playground.configuration().clone(), playground.seed())
}

#[test]
fn what_was_comes_back_as_one_step() {
    let class = |value: i32| {
        let mut class = PriorityClass { value, global_default: true, ..PriorityClass::default() };
        class.metadata.name = ["class-", &value.to_string()].concat();
        Object::PriorityClass(Arc::new(class))
    };
    let mut objects = objects();
    objects.push(class(1));
    let then = Playground::new(objects, Configuration::default()).unwrap();
    let mut now = then.clone();
    let changes = [
        Command::Drop(crate::api::Kind::Node, ObjectKey::new("", "half")),
        Command::Drop(crate::api::Kind::PriorityClass, ObjectKey::new("", "class-1")),
        Command::Put(class(2)),
        Command::Put(put(pod("more", "empty"))),
        Command::ScheduleAll,
        Command::Configure(Box::new(most_allocated())),
        Command::Reseed(7),
    ];
    for change in changes {
        now.apply(change).unwrap();
    }
    let before = state(&now);
    assert_ne!(before, state(&then));
    let commands = restore(&now, &then);
    now.apply(Command::Batch { name: "back".into(), commands }).unwrap();
    assert_eq!(state(&now), state(&then));
    assert!(restore(&now, &then).is_empty());
    assert!(now.undo());
    assert_eq!(state(&now), before);
}
