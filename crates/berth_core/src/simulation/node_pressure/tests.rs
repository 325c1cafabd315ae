//! A node that runs short: who goes, when, and what the node is meanwhile.

use alloc::string::ToString;
use alloc::vec;

use super::*;
use crate::api::{Container, Node, ObjectMeta, PodPhase, Toleration, TolerationOperator};
use crate::framework::config::Configuration;
use crate::kubelet::eviction::{Threshold, ThresholdValue};
use crate::simulation::{Command, Event, Parameters, Simulation, What};

const GI: u64 = 1 << 30;

fn quantity(bytes: u64) -> Quantity {
    Quantity::from_value(bytes.cast_signed(), Format::BinarySI)
}

fn node(name: &str) -> Object {
    let metadata = ObjectMeta { name: name.into(), ..ObjectMeta::default() };
    let mut node = Node { metadata, ..Node::default() };
    for (resource, amount) in [("memory", 4 * GI), ("cpu", 4), ("pods", 20)] {
        node.status.capacity.insert(resource.into(), quantity(amount));
    }
    node.status.allocatable.clone_from(&node.status.capacity);
    Object::Node(Arc::new(node))
}

fn pod(name: &str, request: u64) -> Pod {
    let metadata = ObjectMeta { name: name.into(), ..ObjectMeta::default() };
    let mut pod = Pod { metadata, ..Pod::default() };
    let mut container = Container { name: "c".into(), ..Container::default() };
    if request > 0 {
        container.resources.requests.insert("memory".into(), quantity(request));
    }
    pod.spec.containers.push(container);
    pod.spec.node_name = "n1".into();
    pod.spec.termination_grace_period_seconds = Some(30);
    pod
}

fn begin(eviction: Eviction, pods: Vec<Pod>) -> Simulation {
    let mut parameters = Parameters::default();
    parameters.kubelet.eviction = eviction;
    let pods = pods.into_iter().map(|pod| Object::Pod(Arc::new(pod)));
    let simulation = Simulation::new(
        [node("n1")].into_iter().chain(pods),
        &Configuration::default(),
        parameters,
    );
    simulation.expect("profiles can run")
}

fn uses(simulation: &mut Simulation, at: i64, of: UsageOf, memory: u64) {
    let usage = PodStats { memory: Some(memory), ..PodStats::default() };
    simulation.plan(Instant(at * SECOND), Command::Usage { of, usage });
}

fn key(name: &str) -> ObjectKey {
    ObjectKey::new("default", name)
}

/// When each pod failed, in milliseconds.
fn failed(events: &[Event]) -> Vec<(i64, String)> {
    let is_failure =
        |event: &&Event| matches!(event.what, What::Phase { phase: PodPhase::Failed, .. });
    let failed = events.iter().filter(is_failure);
    failed.map(|event| (event.at.0 / 1_000_000, event.key.name.clone())).collect()
}

fn taints(simulation: &Simulation) -> Vec<String> {
    let node = simulation.objects().node("n1").expect("it is there");
    node.spec.taints.iter().map(|taint| taint.key.clone()).collect()
}

#[test]
fn the_greediest_goes_at_the_next_look_and_the_taint_stays_five_minutes() {
    let pods = vec![pod("modest", 2 * GI), pod("greedy", GI), pod("small", 0)];
    let mut simulation = begin(Eviction::default(), pods);
    uses(&mut simulation, 3, UsageOf::Pod(key("modest")), 2 * GI);
    uses(&mut simulation, 12, UsageOf::Pod(key("greedy")), 2 * GI);
    simulation.run_until(Instant(19 * SECOND));
    assert!(taints(&simulation).is_empty());
    simulation.run_until(Instant(25 * SECOND));
    assert_eq!(taints(&simulation), [MEMORY_TAINT]);
    let events = simulation.take_events();
    // The look is at 20 s; the program ends by itself half a second after SIGTERM.
    assert_eq!(failed(&events), [(20_500, "greedy".to_string())]);
    let message = events.iter().find_map(|event| match &event.what {
        What::Reported(report) if report.reason == "Evicted" => Some(report.message.clone()),
        _ => None,
    });
    let words = "The node was low on resource: memory. Threshold quantity: 100Mi, available: 0. Container c was using \
                 2Gi, request is 1Gi, has larger consumption of memory. ";
    assert_eq!(message.as_deref(), Some(words));
    let stored = simulation.objects().pod(&key("greedy")).expect("a failed pod stays");
    let target = Condition::find(&stored.status.conditions, "DisruptionTarget");
    assert_eq!(target.map(|target| &*target.reason), Some("TerminationByKubelet"));
    // Observed last at 20 s.
    simulation.run_until(Instant(319 * SECOND));
    assert_eq!(taints(&simulation), [MEMORY_TAINT]);
    simulation.run_until(Instant(331 * SECOND));
    assert!(taints(&simulation).is_empty());
    assert!(failed(&simulation.take_events()).is_empty());
}

#[test]
fn what_is_supposed_ranks_pods_as_the_next_look_does() {
    let pods = vec![pod("modest", 2 * GI), pod("greedy", GI), pod("small", 0)];
    let mut simulation = begin(Eviction::default(), pods);
    simulation.run_until(Instant(5 * SECOND));
    let outlook = |simulation: &Simulation, supposed: &Supposed| {
        let outlook = simulation.memory_outlook("n1", supposed).expect("there is such a node");
        let order: Vec<String> = outlook.pods.iter().map(|pod| pod.pod.name.clone()).collect();
        let crossed: Vec<bool> = outlook.thresholds.iter().map(|(_, crossed)| *crossed).collect();
        (outlook.available, order, crossed, outlook.pods)
    };
    let (available, _, crossed, _) = outlook(&simulation, &Supposed::default());
    assert_eq!((available, crossed), ((4 * GI).cast_signed(), vec![false]));
    let used = [("modest", 2 * GI), ("greedy", GI + 1024), ("small", 512)];
    let pods = used.iter().map(|(name, bytes)| (key(name), *bytes)).collect();
    let supposed = Supposed { beside: Some(GI), pods };
    let (available, order, crossed, keys) = outlook(&simulation, &supposed);
    assert_eq!((available, crossed), (0, vec![true]));
    assert_eq!(order, ["greedy", "small", "modest"]);
    let exceeds: Vec<(bool, i64)> = keys.iter().map(|pod| (pod.exceeds, pod.above)).collect();
    assert_eq!(exceeds, [(true, 1024), (true, 512), (false, 0)]);
    // Nothing has come of it; once it is so, the first goes at the next look.
    simulation.run_until(Instant(15 * SECOND));
    assert!(failed(&simulation.take_events()).is_empty());
    for (name, bytes) in used {
        uses(&mut simulation, 16, UsageOf::Pod(key(name)), bytes);
    }
    uses(&mut simulation, 16, UsageOf::Node("n1".into()), GI);
    simulation.run_until(Instant(17 * SECOND));
    assert_eq!(outlook(&simulation, &Supposed::default()).1, order);
    simulation.run_until(Instant(21 * SECOND));
    assert_eq!(failed(&simulation.take_events()), [(20_500, "greedy".to_string())]);
}

#[test]
fn a_soft_threshold_waits_and_reclaims_more() {
    let value = |bytes| ThresholdValue::Quantity(quantity(bytes));
    let mut soft = Threshold::soft(Signal::MemoryAvailable, value(GI), 25);
    soft.min_reclaim = Some(value(GI));
    let eviction = Eviction {
        thresholds: vec![soft],
        max_pod_grace_period_seconds: 20,
        ..Eviction::default()
    };
    let pods = vec![pod("a", 0), pod("b", 0), pod("c", 2 * GI)];
    let mut simulation = begin(eviction, pods);
    for (name, memory) in [("a", 5 * GI / 4), ("b", GI), ("c", 5 * GI / 4)] {
        uses(&mut simulation, 5, UsageOf::Pod(key(name)), memory);
    }
    simulation.run_until(Instant(90 * SECOND));
    // Crossed since 10 s, so ripe at the look at 40 s; 2 GiB have to be free, so b follows a as soon as a is gone.
    let failed = failed(&simulation.take_events());
    assert_eq!(failed, [(40_500, "a".to_string()), (41_500, "b".to_string())]);
}

#[test]
fn a_node_that_is_short_takes_no_pod_of_the_least_class() {
    let mut simulation = begin(Eviction::default(), vec![pod("old", GI)]);
    uses(&mut simulation, 1, UsageOf::Node("n1".into()), 4 * GI);
    let mut tolerant = pod("tolerant", 0);
    tolerant.spec.tolerations.push(Toleration {
        key: MEMORY_TAINT.into(),
        operator: TolerationOperator::Exists,
        value: String::new(),
        effect: None,
        toleration_seconds: None,
    });
    for new in [pod("least", 0), tolerant, pod("better", GI / 4)] {
        let command = Command::Create(Object::Pod(Arc::new(new)));
        simulation.plan(Instant(15 * SECOND), command);
    }
    simulation.run_until(Instant(15 * SECOND + SECOND / 2));
    let failed = failed(&simulation.take_events());
    let names: Vec<&str> = failed.iter().map(|(_, name)| &**name).collect();
    // The old one was evicted for what others use.
    assert_eq!(names, ["old", "least"]);
}

#[test]
fn pods_with_a_label_use_as_much_each() {
    let mut labelled = pod("web", 0);
    labelled.metadata.labels.insert("app".into(), "web".into());
    let mut simulation = begin(Eviction::default(), vec![pod("other", 0), labelled]);
    uses(&mut simulation, 1, UsageOf::Label("app".into(), "web".into()), 4 * GI);
    simulation.run_until(Instant(30 * SECOND));
    assert_eq!(failed(&simulation.take_events()), [(10_500, "web".to_string())]);
}
