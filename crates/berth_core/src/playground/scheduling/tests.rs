//! What the scheduler does with a queue, attempt by attempt.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec;

use super::*;
use crate::api::{Container, Node, Quantity, ResourceList};
use crate::playground::{Command, Outcome};

fn amounts(cpu: u32) -> ResourceList {
    let cpu = Quantity::parse(&cpu.to_string()).unwrap();
    let pods = Quantity::parse("10").unwrap();
    [("cpu".into(), cpu), ("pods".into(), pods)].into_iter().collect()
}

fn node(name: &str, cpu: u32) -> Object {
    let mut node = Node::default();
    node.metadata.name = name.into();
    node.status.allocatable = amounts(cpu);
    Object::Node(Arc::new(node))
}

fn pod(name: &str, priority: i32, cpu: u32) -> Pod {
    let mut pod = Pod::default();
    pod.metadata.name = name.into();
    pod.metadata.namespace = "default".into();
    pod.spec.scheduler_name = "default-scheduler".into();
    pod.spec.priority = Some(priority);
    let mut container = Container { name: "c".into(), ..Container::default() };
    container.resources.requests = amounts(cpu);
    container.resources.requests.remove("pods");
    pod.spec.containers.push(container);
    pod
}

fn object(pod: Pod) -> Object {
    Object::Pod(Arc::new(pod))
}

fn on(mut pod: Pod, node: &str) -> Object {
    pod.spec.node_name = node.into();
    object(pod)
}

fn load(objects: Vec<Object>) -> Playground {
    Playground::new(objects, Configuration::default()).unwrap()
}

/// A line an attempt.
fn run(playground: &mut Playground, command: Command) -> Vec<String> {
    let Outcome::Ran(run) = playground.apply(command).unwrap().outcome else { panic!("a run") };
    let line = |attempt: &Attempt| {
        let head = format!("{} {}", attempt.pod.name, attempt.number);
        match &attempt.result {
            AttemptResult::Bound { node, ties } => format!("{head}: {node} of {ties}"),
            AttemptResult::Preempting { node, victims, cleared, .. } => {
                let names: Vec<_> = victims.iter().map(|victim| &*victim.pod.name).collect();
                let cleared: Vec<_> = cleared.iter().map(|key| &*key.name).collect();
                format!("{head}: {node} without {names:?}, cleared {cleared:?}")
            }
            AttemptResult::Unschedulable { plugins, lost_nomination, .. } => {
                format!("{head}: {plugins:?} {lost_nomination:?}")
            }
            AttemptResult::Skipped { message } => format!("{head}: {message}"),
        }
    };
    run.attempts.iter().map(line).collect()
}

fn places(playground: &Playground) -> Vec<String> {
    let line = |(place, pod): &(Place, Arc<QueuedPod>)| {
        format!("{place:?} {} {}", pod.pod.metadata.name, pod.attempts)
    };
    playground.queue().iter().map(line).collect()
}

#[test]
fn priority_goes_before_age_and_an_edit_wakes_whom_it_helps() {
    let mut playground = load(vec![
        node("n1", 2),
        object(pod("a", 0, 1)),
        object(pod("b", 5, 1)),
        object(pod("c", 0, 1)),
    ]);
    assert_eq!(places(&playground), ["Active b 0", "Active a 0", "Active c 0"]);
    assert_eq!(run(&mut playground, Command::ScheduleNext), ["b 1: n1 of 1"]);
    assert_eq!(
        run(&mut playground, Command::ScheduleAll),
        ["a 1: n1 of 1", "c 1: [NodeResourcesFit] None"]
    );
    assert_eq!(places(&playground), ["Unschedulable c 1"]);
    assert!(!playground.has_next());
    // Nothing to do is nothing to undo.
    let revision = playground.revision();
    assert!(run(&mut playground, Command::ScheduleAll).is_empty());
    assert_eq!(playground.revision(), revision);
    // A node without room for it does not wake it, one with room does.
    playground.apply(Command::Put(node("small", 0))).unwrap();
    assert_eq!(places(&playground), ["Unschedulable c 1"]);
    playground.apply(Command::Put(node("large", 1))).unwrap();
    assert_eq!(places(&playground), ["Active c 1"]);
    assert_eq!(run(&mut playground, Command::ScheduleAll), ["c 2: large of 1"]);
    for _ in 0..3 {
        assert!(playground.undo());
    }
    assert_eq!(places(&playground), ["Unschedulable c 1"]);
}

#[test]
fn victims_go_at_once_and_the_nominated_pod_comes_when_it_is_its_turn() {
    let mut playground = load(vec![
        node("n1", 2),
        on(pod("low", 0, 1), "n1"),
        on(pod("other", 1, 1), "n1"),
        object(pod("high", 10, 1)),
        object(pod("late", 0, 1)),
    ]);
    assert_eq!(
        run(&mut playground, Command::ScheduleNext),
        ["high 1: n1 without [\"low\"], cleared []"]
    );
    let high = ObjectKey::new("default", "high");
    let nominated = |playground: &Playground| {
        let idx = playground.cluster().pod_named(&high).unwrap();
        playground.cluster().pod(idx).unwrap().pod.status.nominated_node_name.clone()
    };
    assert_eq!(nominated(&playground), "n1");
    assert!(playground.cluster().pod_named(&ObjectKey::new("default", "low")).is_none());
    // It is woken, but backs off; another pod is tried first, and has to yield.
    assert_eq!(places(&playground), ["Active late 0", "Backoff high 1"]);
    assert_eq!(
        run(&mut playground, Command::ScheduleAll),
        ["late 1: [NodeResourcesFit] None", "high 2: n1 of 1"]
    );
    assert_eq!(nominated(&playground), "");
    assert!(playground.undo() && playground.undo());
    assert_eq!(nominated(&playground), "");
    assert!(playground.cluster().pod_named(&ObjectKey::new("default", "low")).is_some());
}

#[test]
fn a_higher_pod_takes_the_nomination_of_a_lower_one() {
    let mut low = pod("low", 0, 2);
    low.metadata.deletion_timestamp = Some(crate::api::Time(9));
    let mut middle = pod("middle", 5, 2);
    middle.status.nominated_node_name = "n1".into();
    let mut playground = load(vec![
        node("n1", 2),
        node("n2", 1),
        on(low, "n1"),
        on(pod("small", 0, 1), "n2"),
        object(middle),
        object(pod("high", 10, 1)),
    ]);
    // The victim on n1 goes already: taking n1 deletes nobody, so nobody loses a nomination.
    let lines = run(&mut playground, Command::ScheduleNext);
    assert_eq!(lines, ["high 1: n1 without [\"low\"], cleared []"]);
    assert!(
        playground.cluster().pod_named(&ObjectKey::new("default", "low")).is_some(),
        "it is being deleted already"
    );
}

#[test]
fn a_pod_without_nodes_backs_off_after_an_error() {
    let mut playground = load(vec![object(pod("a", 0, 1))]);
    assert_eq!(run(&mut playground, Command::ScheduleAll), ["a 1: [] None"]);
    assert_eq!(places(&playground), ["ErrorBackoff a 1"]);
    assert!(!playground.has_next());
    playground.apply(Command::Put(node("n1", 1))).unwrap();
    assert_eq!(places(&playground), ["Active a 1"]);
    assert_eq!(run(&mut playground, Command::ScheduleAll), ["a 2: n1 of 1"]);
}

#[test]
fn gated_deleted_and_foreign_pods_are_left_out() {
    let mut gated = pod("gated", 0, 1);
    gated.spec.scheduling_gates.push("example.com/wait".into());
    let mut deleted = pod("deleted", 0, 1);
    deleted.metadata.deletion_timestamp = Some(crate::api::Time(9));
    let mut foreign = pod("foreign", 0, 1);
    foreign.spec.scheduler_name = "other".into();
    let objects = vec![node("n1", 9), object(gated.clone()), object(deleted), object(foreign)];
    let mut playground = load(objects);
    assert_eq!(places(&playground), ["Active deleted 0", "Gated gated 0"]);
    assert_eq!(
        run(&mut playground, Command::ScheduleAll),
        ["deleted 1: skip schedule deleting pod: default/deleted"]
    );
    gated.spec.scheduling_gates.clear();
    playground.apply(Command::Put(object(gated))).unwrap();
    assert_eq!(places(&playground), ["Active gated 0"]);
}
