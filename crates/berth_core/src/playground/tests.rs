//! Undo is identity, and what grew by changes is what a rebuild gives.

use crate::collections::Map;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::sync::Arc;
use alloc::vec;
use alloc::vec::Vec;
use core::fmt::Write;

use super::*;
use crate::api::{
    Affinity, Container, ContainerImage, ContainerPort, LabelSelector, Node, ObjectMeta,
    PodAffinity, PodAffinityTerm, Protocol, Quantity, TopologySpreadConstraint,
    UnsatisfiableConstraintAction, WeightedPodAffinityTerm,
};
use crate::cluster::CounterIdx;

/// A linear congruential generator: the same numbers for the same start.
struct Random(u64);

impl Random {
    fn below(&mut self, n: u64) -> u64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % n
    }

    fn chance(&mut self, percent: u64) -> bool {
        self.below(100) < percent
    }
}

fn labels(pairs: &[(&str, String)]) -> Map<String, String> {
    pairs.iter().map(|(key, value)| ((*key).to_string(), value.clone())).collect()
}

fn quantities(pairs: &[(&str, &str)]) -> Map<String, Quantity> {
    pairs.iter().map(|(key, value)| ((*key).into(), Quantity::parse(value).unwrap())).collect()
}

fn node(random: &mut Random) -> Node {
    let name = format!("n{}", random.below(6));
    let mut metadata = ObjectMeta { name: name.clone(), ..ObjectMeta::default() };
    metadata.labels = labels(&[("kubernetes.io/hostname", name)]);
    if random.chance(85) {
        let zone = format!("z{}", random.below(3));
        metadata.labels.insert("topology.kubernetes.io/zone".into(), zone);
    }
    let mut node = Node { metadata, ..Node::default() };
    node.status.allocatable = quantities(&[("cpu", "4"), ("memory", "8Gi"), ("pods", "9")]);
    if random.chance(40) {
        let image = random.below(2);
        // One size for each image: of several, the node that came first decides, and a rebuild
        // does not know which that was.
        node.status.images = vec![ContainerImage {
            names: vec![format!("image-{image}:1")],
            size_bytes: 300_000_000 + 400_000_000 * image as i64,
        }];
    }
    node
}

fn selector(random: &mut Random) -> LabelSelector {
    LabelSelector {
        match_labels: labels(&[("app", format!("a{}", random.below(3)))]),
        match_expressions: Vec::new(),
    }
}

fn term(random: &mut Random) -> PodAffinityTerm {
    let keys = ["kubernetes.io/hostname", "topology.kubernetes.io/zone"];
    PodAffinityTerm {
        label_selector: Some(selector(random)),
        topology_key: keys[random.below(2) as usize].into(),
        ..PodAffinityTerm::default()
    }
}

fn pod(random: &mut Random) -> Pod {
    let mut pod = Pod::default();
    pod.metadata.name = format!("p{}", random.below(20));
    pod.metadata.namespace = if random.chance(80) { "default" } else { "prod" }.into();
    pod.metadata.labels = labels(&[("app", format!("a{}", random.below(3)))]);
    if random.chance(10) {
        pod.metadata.deletion_timestamp = Some(crate::api::Time(1));
    }
    let mut container = Container {
        name: "c".into(),
        image: format!("image-{}:1", random.below(2)),
        ..Container::default()
    };
    let cpu = format!("{}m", 100 * (1 + random.below(40)));
    container.resources.requests = quantities(&[("cpu", &cpu), ("memory", "512Mi")]);
    if random.chance(20) {
        container.ports.push(ContainerPort {
            container_port: 80,
            host_port: 8000 + random.below(3) as i32,
            host_ip: String::new(),
            protocol: Protocol::Tcp,
        });
    }
    pod.spec.containers.push(container);
    pod.spec.scheduler_name = "default-scheduler".into();
    if random.chance(60) {
        pod.spec.node_name = format!("n{}", random.below(7));
    } else if random.chance(20) {
        pod.status.nominated_node_name = format!("n{}", random.below(6));
    }
    if random.chance(50) {
        pod.spec.topology_spread_constraints.push(TopologySpreadConstraint {
            max_skew: 1 + random.below(2) as i32,
            topology_key: "topology.kubernetes.io/zone".into(),
            when_unsatisfiable: UnsatisfiableConstraintAction::ALL[random.below(2) as usize],
            label_selector: Some(selector(random)),
            min_domains: None,
            node_affinity_policy: None,
            node_taints_policy: None,
            match_label_keys: Vec::new(),
        });
    }
    if random.chance(50) {
        let section = PodAffinity {
            required: if random.chance(40) { vec![term(random)] } else { Vec::new() },
            preferred: vec![WeightedPodAffinityTerm { weight: 5, term: term(random) }],
        };
        pod.spec.affinity = Some(if random.chance(50) {
            Affinity { pod_affinity: Some(section), ..Affinity::default() }
        } else {
            Affinity { pod_anti_affinity: Some(section), ..Affinity::default() }
        });
    }
    pod.spec.priority = Some(random.below(3) as i32);
    pod
}

fn command(random: &mut Random) -> Command {
    let pod_key = |random: &mut Random| {
        let namespace = if random.chance(80) { "default" } else { "prod" };
        ObjectKey::new(namespace, format!("p{}", random.below(20)))
    };
    match random.below(12) {
        0 => Command::Put(Object::Node(Arc::new(node(random)))),
        1 if random.chance(40) => {
            Command::Drop(Kind::Node, ObjectKey::new("", format!("n{}", random.below(6))))
        }
        2 => Command::Drop(Kind::Pod, pod_key(random)),
        3 => Command::Return { pod: pod_key(random) },
        4 => Command::Place { pod: pod_key(random), node: format!("n{}", random.below(6)) },
        5 => Command::Schedule { pod: pod_key(random) },
        6 => Command::Preempt { pod: pod_key(random) },
        10 => Command::ScheduleNext,
        11 => Command::ScheduleAll,
        7 => Command::Batch {
            name: "batch".into(),
            commands: vec![
                Command::Put(Object::Pod(Arc::new(pod(random)))),
                Command::Put(Object::Node(Arc::new(node(random)))),
            ],
        },
        _ => Command::Put(Object::Pod(Arc::new(pod(random)))),
    }
}

/// Everything that decisions hang on, as text.
fn dump(cluster: &Cluster) -> String {
    let mut text = String::new();
    let strings = cluster.strings();
    let name = |idx: &crate::cluster::NodeIdx| cluster.node(*idx).map(|n| n.name.to_string());
    writeln!(text, "order {:?}", cluster.order().iter().map(name).collect::<Vec<_>>()).unwrap();
    let nominated: Vec<_> = cluster.nominated().map(|(_, pod)| pod.key()).collect();
    writeln!(text, "nominated {nominated:?}").unwrap();
    let mut slots: Vec<_> = cluster.node_slots().iter().collect();
    slots.retain(|info| info.node.is_some() || !info.pods.is_empty());
    slots.sort_by(|a, b| a.name.cmp(&b.name));
    for info in slots {
        let pods: Vec<_> =
            info.pods.iter().map(|idx| cluster.pod(*idx).map(PodInfo::key)).collect();
        let mut ports: Vec<_> = info.ports.iter().map(|port| (port.protocol, port.port)).collect();
        ports.sort_unstable();
        let images: Vec<_> =
            info.images.iter().map(|i| (strings.get(i.name), i.size, i.nodes)).collect();
        let sums = (info.requested.milli_cpu, info.requested.memory);
        let scored = (info.non_zero_milli_cpu, info.non_zero_memory);
        writeln!(text, "{} {pods:?} {sums:?} {scored:?} {ports:?} {images:?}", info.name).unwrap();
    }
    let mut terms = Vec::new();
    for (role, term, nodes) in cluster.terms().iter() {
        let mut nodes: Vec<_> = nodes.iter().map(|(idx, count)| (name(idx), *count)).collect();
        nodes.sort();
        terms.push(format!("{role:?} {} {nodes:?}", term.selector));
    }
    terms.sort();
    writeln!(text, "{terms:?}").unwrap();
    text
}

/// The queue, as text.
fn queue(playground: &Playground) -> String {
    let mut text = String::new();
    for (place, pod) in playground.queue() {
        let plugins: Vec<_> = pod.unschedulable_plugins.iter().collect();
        let counts = (pod.attempts, pod.unschedulable_count, pod.consecutive_errors);
        let key = pod.pod.metadata.key();
        writeln!(text, "{place:?} {key} {:?} {counts:?} {plugins:?}", pod.timestamp).unwrap();
    }
    text
}

/// The pods that wait for a scheduler that there is.
fn waiting(playground: &Playground) -> Vec<ObjectKey> {
    let pods = playground.cluster().pods();
    let mut waiting = pods.filter(|(_, info)| {
        info.pod.spec.node_name.is_empty() && info.pod.metadata.deletion_timestamp.is_none()
    });
    waiting.by_ref().map(|(_, info)| info.key()).collect()
}

/// Counts of every live counter, by node name.
fn counts(cluster: &Cluster, of: &mut Cluster) -> String {
    let mut text = String::new();
    for i in 0.. {
        let Some(key) = cluster.counters().key(CounterIdx(i)).cloned() else { break };
        // Texts have other numbers in another cluster.
        let key = translate(cluster, of, key);
        let idx = of.counter_for(key);
        let column = of.counters().by_node(idx);
        let named = of.node_slots().iter().zip(column.iter().chain(core::iter::repeat(&0)));
        let mut named: Vec<_> =
            named.filter(|(_, n)| **n > 0).map(|(i, n)| (&*i.name, *n)).collect();
        named.sort_unstable();
        writeln!(text, "{i} {named:?}").unwrap();
    }
    text
}

fn translate(
    from: &Cluster,
    to: &mut Cluster,
    mut key: crate::cluster::CounterKey,
) -> crate::cluster::CounterKey {
    for (scope, _) in &mut key.parts {
        if let crate::cluster::Scope::Namespaces(names) = scope {
            for name in names.iter_mut() {
                *name = to.intern(from.strings().get(*name));
            }
            names.sort_unstable();
        }
    }
    key
}

/// The same objects, loaded anew in the order in which they stand.
fn rebuilt(cluster: &Cluster) -> Cluster {
    let mut fresh = Cluster::default();
    for &idx in cluster.order() {
        if let Some(node) = cluster.node(idx).and_then(|info| info.node.as_ref()) {
            fresh.put_node(node);
        }
    }
    for idx in cluster.node_slots().iter().flat_map(|info| &info.pods) {
        fresh.put_pod(&cluster.pod(*idx).unwrap().pod);
    }
    let nominated: Vec<_> = cluster.nominated().map(|(idx, _)| idx).collect();
    for idx in &nominated {
        fresh.put_pod(&cluster.pod(*idx).unwrap().pod);
    }
    for (idx, pod) in cluster.pods() {
        if pod.node.is_none() && !nominated.contains(&idx) {
            fresh.put_pod(&pod.pod);
        }
    }
    fresh.update_snapshot(Refresh::All);
    fresh
}

#[test]
fn changes_come_to_what_a_rebuild_gives_and_undo_is_identity() {
    let (mut preempted, mut nominated) = (0, 0);
    for seed in 0..40 {
        let mut random = Random(seed);
        let mut objects: Vec<Object> = Vec::new();
        for _ in 0..5 {
            objects.push(Object::Node(Arc::new(node(&mut random))));
        }
        for _ in 0..12 {
            objects.push(Object::Pod(Arc::new(pod(&mut random))));
        }
        let mut playground = Playground::new(objects, Configuration::default()).unwrap();
        let whole = |playground: &Playground| (dump(playground.cluster()), queue(playground));
        let mut states = vec![whole(&playground)];
        for step in 0..60 {
            let command = command(&mut random);
            let before = playground.revision();
            let applied = playground.apply(command.clone());
            let outcome = applied.as_ref().ok().map(|applied| &applied.outcome);
            preempted += u32::from(matches!(outcome, Some(Outcome::Preempted { .. })));
            if let Some(Outcome::Ran(run)) = outcome {
                assert!(run.at_rest || command == Command::ScheduleNext);
                for attempt in &run.attempts {
                    let result = &attempt.result;
                    nominated += u32::from(matches!(result, AttemptResult::Preempting { .. }));
                }
            }
            let now = whole(&playground);
            if playground.revision() == before {
                assert_eq!(states.last(), Some(&now), "seed {seed}, step {step}: {applied:?}");
                continue;
            }
            let queued: Vec<_> =
                playground.queue().iter().map(|(_, pod)| pod.pod.metadata.key()).collect();
            for key in waiting(&playground) {
                let times = queued.iter().filter(|known| **known == key).count();
                assert_eq!(times, 1, "seed {seed}, step {step}: {command:?}: {key} in {queued:?}");
            }
            let mut fresh = rebuilt(playground.cluster());
            assert_eq!(now.0, dump(&fresh), "seed {seed}, step {step}: {command:?}");
            let mut same = playground.cluster().clone();
            let expected = counts(playground.cluster(), &mut fresh);
            assert_eq!(
                counts(playground.cluster(), &mut same),
                expected,
                "seed {seed}, step {step}"
            );
            states.push(now);
        }
        let last = states.clone();
        while states.len() > 1 {
            states.pop();
            assert!(playground.undo());
            assert_eq!(Some(&whole(&playground)), states.last(), "seed {seed}: undo");
        }
        assert!(!playground.undo());
        for state in &last[1..] {
            assert!(playground.redo());
            assert_eq!(&whole(&playground), state, "seed {seed}: redo");
        }
        assert!(!playground.redo());
    }
    assert!(preempted > 5 && nominated > 20, "{preempted} {nominated}");
}

#[test]
fn the_light_machine_places_pods_as_the_whole_one_does() {
    for seed in 200..220 {
        let mut random = Random(seed);
        let nodes = (0..5).map(|_| Object::Node(Arc::new(node(&mut random))));
        let mut objects: Vec<Object> = nodes.collect();
        for _ in 0..15 {
            objects.push(Object::Pod(Arc::new(pod(&mut random))));
        }
        let with = |machine| {
            Playground::with_machine(objects.clone(), Configuration::default(), machine).unwrap()
        };
        let (mut whole, mut light) = (with(Machine::WHOLE), with(Machine::LIGHT));
        let keys: Vec<_> = whole.cluster().pods().map(|(_, pod)| pod.key()).collect();
        let nodes: Vec<Arc<str>> =
            whole.cluster().node_slots().iter().map(|info| Arc::clone(&info.name)).collect();
        for (i, key) in keys.into_iter().enumerate() {
            let node = nodes[i % nodes.len()].to_string();
            for command in [
                Command::Schedule { pod: key.clone() },
                Command::Place { pod: key.clone(), node },
                Command::Schedule { pod: key },
            ] {
                let applied = whole.apply(command.clone());
                assert_eq!(applied, light.apply(command.clone()), "seed {seed}: {command:?}");
            }
        }
        assert_eq!(dump(whole.cluster()), dump(light.cluster()));
        assert_eq!(light.apply(Command::ScheduleAll), Err(CommandError::NoQueue));
        light.set_machine(Machine::WHOLE);
        assert_eq!(whole.apply(Command::ScheduleAll), light.apply(Command::ScheduleAll));
    }
}

#[test]
fn explaining_changes_nothing_and_agrees_with_deciding() {
    for seed in 100..130 {
        let mut random = Random(seed);
        let mut objects: Vec<Object> = Vec::new();
        for _ in 0..6 {
            objects.push(Object::Node(Arc::new(node(&mut random))));
        }
        for _ in 0..25 {
            objects.push(Object::Pod(Arc::new(pod(&mut random))));
        }
        let mut playground = Playground::new(objects, Configuration::default()).unwrap();
        let before = dump(playground.cluster());
        let keys: Vec<_> = playground.cluster().pods().map(|(_, pod)| pod.key()).collect();
        for key in keys {
            let explanation = playground.explain(&key).unwrap();
            let Decision::Filtered(placement) = playground.decide(&key).unwrap() else {
                panic!("seed {seed}: {key}: {explanation:?}");
            };
            let names = |list: &[crate::cluster::NodeIdx]| -> Vec<_> {
                let name = |idx: &_| Arc::clone(&playground.cluster().node(*idx).unwrap().name);
                list.iter().map(name).collect()
            };
            let feasible: Vec<_> = explanation.feasible_names().cloned().collect();
            let best: Vec<_> = explanation.best_names().cloned().collect();
            assert_eq!(names(&placement.feasible), feasible, "seed {seed}: {key}");
            assert_eq!(names(&placement.best), best, "seed {seed}: {key}");
            for (idx, verdict) in &placement.rejected {
                let node = playground.cluster().node(*idx).unwrap();
                let status = explanation.node(&node.name).and_then(|n| n.status.as_ref()).unwrap();
                assert_eq!((status.plugin, status.code), (Some(verdict.plugin), verdict.code));
            }
        }
        assert_eq!(before, dump(playground.cluster()), "seed {seed}");
    }
}

#[test]
fn a_batch_is_carried_out_whole_or_not_at_all() {
    let mut random = Random(7);
    let nodes = (0..3).map(|_| Object::Node(Arc::new(node(&mut random))));
    let mut playground = Playground::new(nodes, Configuration::default()).unwrap();
    let before = dump(playground.cluster());
    let commands = vec![
        Command::Put(Object::Pod(Arc::new(pod(&mut random)))),
        Command::Drop(Kind::Pod, ObjectKey::new("default", "nobody")),
    ];
    let error = playground.apply(Command::Batch { name: String::new(), commands }).unwrap_err();
    assert_eq!(error.to_string(), "Pod \"default/nobody\" not found");
    assert_eq!(before, dump(playground.cluster()));
    assert!(playground.next_undo().is_none());
}

/// A pod that asks for so many cores, on a node or, with `*`, nominated to it.
fn asking(name: &str, priority: i32, cores: &str, place: &str) -> Object {
    let mut pod = Pod::default();
    pod.metadata.name = name.into();
    pod.metadata.namespace = "default".into();
    pod.spec.priority = Some(priority);
    pod.spec.scheduler_name = "default-scheduler".into();
    let mut container = Container::default();
    container.resources.requests = quantities(&[("cpu", cores)]);
    pod.spec.containers = vec![container];
    match place.strip_prefix('*') {
        Some(node) => pod.status.nominated_node_name = node.into(),
        None => pod.spec.node_name = place.into(),
    }
    Object::Pod(Arc::new(pod))
}

#[test]
fn preempting_makes_room_at_once_and_is_taken_back_at_once() {
    let mut n = Node::default();
    n.metadata.name = "n".into();
    n.status.allocatable = quantities(&[("cpu", "4"), ("pods", "9")]);
    let objects = [
        Object::Node(Arc::new(n)),
        asking("kept", 5, "1", "n"),
        asking("low", 0, "1", "n"),
        asking("lower", -1, "1", "n"),
        asking("even", 10, "1", "n"),
        asking("waits", 1, "1m", "*n"),
        asking("high", 10, "2", ""),
        asking("vast", 10, "9", ""),
    ];
    let mut playground = Playground::new(objects, Configuration::default()).unwrap();
    let before = dump(playground.cluster());
    let key = |name: &str| ObjectKey::new("default", name);
    // Of 4 cores 4 are taken; with high's 2 there is room for even and one more: kept, the more important.
    let applied = playground.apply(Command::Preempt { pod: key("high") }).unwrap();
    let victims = vec![key("low"), key("lower")];
    assert_eq!(applied.outcome, Outcome::Preempted { node: "n".into(), victims, ties: 1 });
    let find = |playground: &Playground, name: &str| {
        let cluster = playground.cluster();
        Some(Arc::clone(&cluster.pod(cluster.pod_named(&key(name))?)?.pod))
    };
    assert_eq!(find(&playground, "high").unwrap().spec.node_name, "n");
    assert_eq!(find(&playground, "waits").unwrap().status.nominated_node_name, "");
    assert!(find(&playground, "kept").is_some());
    assert!(find(&playground, "low").is_none() && find(&playground, "lower").is_none());
    // What it did, the scheduler would do: high fits where it stands.
    let explanation = playground.explain(&key("high")).unwrap();
    assert_eq!(explanation.feasible_names().map(|name| &**name).collect::<Vec<_>>(), ["n"]);
    assert!(playground.undo());
    assert_eq!(before, dump(playground.cluster()));
    // Nobody can make room for 9 cores.
    let applied = playground.apply(Command::Preempt { pod: key("vast") }).unwrap();
    assert_eq!(applied.outcome, Outcome::NotPlaced);
    assert!(playground.next_undo().is_none());
}

#[test]
fn a_brief_explanation_lacks_the_steps_of_late_candidates_only() {
    let mut objects = vec![asking("high", 10, "1", "")];
    for index in 0..50 {
        let mut node = Node::default();
        node.metadata.name = alloc::format!("n{index:02}");
        node.status.allocatable = quantities(&[("cpu", "1"), ("pods", "9")]);
        // Of the last five the victim is the more important, so that they are the last to be chosen.
        let priority = i32::from(index >= 45);
        objects.push(asking(&alloc::format!("low-{index}"), priority, "1", &node.metadata.name));
        objects.push(Object::Node(Arc::new(node)));
    }
    let mut playground = Playground::new(objects, Configuration::default()).unwrap();
    let key = ObjectKey::new("default", "high");
    let whole = playground.explain(&key).unwrap();
    let mut brief = playground.explain_briefly(&key).unwrap();
    let nodes = &brief.preemption().unwrap().nodes;
    let with_steps: Vec<bool> = nodes.iter().map(|node| !node.put_back.is_empty()).collect();
    // Steps are kept for forty.
    assert_eq!(with_steps, (0..50).map(|index| index < 40).collect::<Vec<_>>());
    assert!(whole.preemption().unwrap().nodes.iter().all(|node| !node.put_back.is_empty()));
    // Nothing else differs.
    let found = brief.post_filter.as_mut().and_then(|found| found.preemption.as_mut()).unwrap();
    for (node, of) in found.nodes.iter_mut().zip(&whole.preemption().unwrap().nodes).skip(40) {
        node.charges.clone_from(&of.charges);
        node.put_back.clone_from(&of.put_back);
    }
    assert_eq!(brief, whole);
}
