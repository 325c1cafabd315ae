//! What the scheduler does with a queue, attempt by attempt.

use alloc::boxed::Box;
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
fn nominations_are_set_kept_and_lost() {
    let going = |mut pod: Pod| {
        pod.metadata.deletion_timestamp = Some(crate::api::Time(9));
        pod
    };
    let nominated = |mut pod: Pod, node: &str| {
        pod.status.nominated_node_name = node.into();
        pod
    };
    // Nobody is deleted where the only victim goes already, so nobody loses a nomination.
    let mut playground = load(vec![
        node("n1", 2),
        on(going(pod("going", 0, 2)), "n1"),
        object(nominated(pod("low", 5, 2), "n1")),
        object(pod("high", 10, 2)),
    ]);
    let lines = run(&mut playground, Command::ScheduleNext);
    assert_eq!(lines, ["high 1: n1 without [\"going\"], cleared []"]);
    // The lower one finds nobody below itself now that it has to yield, and no victim: it is not nominated any more.
    let lines = run(&mut playground, Command::ScheduleNext);
    assert_eq!(lines, ["low 1: [NodeResourcesFit] Some(\"n1\")"]);
    // What it lost is news to itself as well: it is tried again at once.
    assert_eq!(places(&playground), ["Backoff low 1", "Unschedulable high 1"]);
    let lines = run(&mut playground, Command::ScheduleAll);
    assert_eq!(lines, ["low 2: [NodeResourcesFit] None"]);
    // Once the victim is gone the one that is nominated comes.
    playground.apply(Command::Drop(Kind::Pod, ObjectKey::new("default", "going"))).unwrap();
    assert_eq!(
        run(&mut playground, Command::ScheduleAll),
        ["high 2: n1 of 1", "low 3: [NodeResourcesFit] None"]
    );
    // Where a victim is deleted (of two without a start time Go's sort takes the later one for more important), a lower pod that was to have its room looks elsewhere at once.
    let mut playground = load(vec![
        node("n1", 2),
        on(pod("victim", 0, 1), "n1"),
        on(going(pod("going", 0, 1)), "n1"),
        object(nominated(pod("low", 5, 2), "n1")),
        object(pod("high", 10, 2)),
    ]);
    let lines = run(&mut playground, Command::ScheduleNext);
    assert_eq!(lines, ["high 1: n1 without [\"going\", \"victim\"], cleared [\"low\"]"]);
    // A pod that may not preempt keeps its nomination.
    let mut never = nominated(pod("never", 0, 2), "n1");
    never.spec.preemption_policy = Some(crate::api::PreemptionPolicy::Never);
    let objects = vec![node("n1", 2), on(pod("other", 0, 1), "n1"), object(never)];
    assert_eq!(run(&mut load(objects), Command::ScheduleAll), ["never 1: [NodeResourcesFit] None"]);
}

#[test]
fn a_configuration_starts_the_scheduler_anew() {
    let mut playground = load(vec![node("n1", 0), object(pod("b", 0, 1)), object(pod("a", 0, 1))]);
    run(&mut playground, Command::ScheduleAll);
    assert_eq!(places(&playground), ["Unschedulable b 1", "Unschedulable a 1"]);
    playground.apply(Command::Configure(Box::default())).unwrap();
    assert_eq!(places(&playground), ["Active b 0", "Active a 0"]);
    assert!(playground.undo());
    assert_eq!(places(&playground), ["Unschedulable b 1", "Unschedulable a 1"]);
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
