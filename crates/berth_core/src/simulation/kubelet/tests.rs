//! When pods end, and what becomes of containers whose probes fail.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec;

use super::*;
use crate::api::{Condition, Container, Hooks, Node, ObjectMeta, PreStop, Probe};
use crate::framework::config::Configuration;
use crate::simulation::{Command, Parameters as All, Rule, Simulation, Times, What as Told};

fn container(name: &str, hooks: Hooks) -> Container {
    let hooks = (hooks != Hooks::default()).then(|| Arc::new(hooks));
    Container { name: name.into(), hooks, ..Container::default() }
}

fn sidecar(name: &str) -> Container {
    let restart_policy = Some(RestartPolicy::Always);
    Container { restart_policy, ..container(name, Hooks::default()) }
}

fn pod(containers: Vec<Container>) -> Pod {
    let labels = [("app".to_string(), "a".to_string())].into_iter().collect();
    let metadata = ObjectMeta { name: "a".into(), labels, ..ObjectMeta::default() };
    let mut pod = Pod { metadata, ..Pod::default() };
    pod.spec.containers = containers;
    pod.spec.node_name = "n".into();
    pod.spec.termination_grace_period_seconds = Some(30);
    pod
}

fn key() -> ObjectKey {
    ObjectKey::new("default", "a")
}

/// A pod on a node; `times` are those of its containers with these names, empty for all.
fn begin(pod: Pod, times: &[(&str, Times)]) -> Simulation {
    let metadata = ObjectMeta { name: "n".into(), ..ObjectMeta::default() };
    let node = Object::Node(Arc::new(Node { metadata, ..Node::default() }));
    let rule = |(container, times): &(&str, Times)| Rule {
        key: "app".into(),
        value: "a".into(),
        container: (*container).into(),
        times: *times,
    };
    let rules = times.iter().map(rule).collect();
    let parameters =
        All { kubelet: Parameters { rules, ..Parameters::default() }, ..All::default() };
    Simulation::new([node, Object::Pod(Arc::new(pod))], &Configuration::default(), parameters)
        .expect("profiles can run")
}

fn exits(seconds: i64) -> Times {
    Times { exit: Some(seconds * SECOND), ..Times::default() }
}

fn delete(grace_period_seconds: Option<i64>) -> Command {
    Command::Delete { kind: Kind::Pod, key: key(), grace_period_seconds }
}

fn probe(probe: ProbeKind, fails: bool) -> Command {
    Command::Probe { of: Pods::One(key()), container: None, probe, fails }
}

/// What is told up to a second, each with its second.
fn told(simulation: &mut Simulation, steps: &[(i64, Command)], until: i64) -> Vec<String> {
    for (at, command) in steps {
        simulation.plan(Instant(at * SECOND), command.clone());
    }
    simulation.run_until(Instant(until * SECOND + SECOND / 2));
    let line = |event: crate::simulation::Event| {
        let what = match event.what {
            Told::Reported(report) => format!("{}: {}", report.reason, report.message),
            Told::Signal { container, signal, grace } => {
                format!("{} {container} {grace}", signal.as_str())
            }
            Told::ActionFailed { message, .. } => message,
            Told::Deleting { .. } => "deleting".into(),
            Told::Deleted { .. } => "gone".into(),
            other => format!("{other:?}"),
        };
        format!("{} {what}", event.at.0 / SECOND)
    };
    simulation.take_events().into_iter().map(line).collect()
}

fn sleeps(seconds: i64) -> Hooks {
    Hooks { pre_stop: Some(PreStop::Sleep(seconds)), ..Hooks::default() }
}

#[test]
fn a_hook_takes_from_the_grace_period() {
    let mut simulation = begin(pod(vec![container("main", sleeps(10))]), &[("", exits(60))]);
    let got = told(&mut simulation, &[(5, delete(None))], 20);
    let begun = ["5 deleting", "5 Killing: Stopping container main", "15 SIGTERM main 20"];
    assert_eq!(got, begun);
    let pod = Arc::clone(simulation.objects().pod(&key()).expect("it is there"));
    let [end] = simulation.ending(&pod).expect("it ends") else { panic!("it has one container") };
    assert_eq!([end.since, end.sigterm, end.sigkill].map(|at| at.0 / SECOND), [5, 15, 35]);
    assert_eq!(told(&mut simulation, &[], 60), ["35 SIGKILL main 20", "35 gone"]);
    assert!(simulation.ending(&pod).is_none());
}

#[test]
fn a_hook_that_never_ends_leaves_two_seconds() {
    let hook = Hooks { pre_stop: Some(PreStop::Exec), ..Hooks::default() };
    let never = Times { pre_stop: Some(i64::MAX), ..exits(1) };
    let mut simulation = begin(pod(vec![container("main", hook)]), &[("", never)]);
    let got = told(&mut simulation, &[(5, delete(None))], 60);
    let want = ["35 SIGTERM main 2", "36 FailedPreStopHook: PreStopHook failed", "36 gone"];
    assert_eq!(got.get(2..).unwrap_or_default(), want);
}

#[test]
fn sidecars_go_last_and_in_reverse() {
    let mut pod = pod(vec![container("main", Hooks::default())]);
    pod.spec.init_containers = vec![sidecar("proxy"), sidecar("logs")];
    let times = [("", exits(1)), ("main", exits(3)), ("logs", exits(40))];
    let got = told(&mut begin(pod, &times), &[(5, delete(Some(10)))], 60);
    let signals: Vec<_> = got.iter().filter(|line| line.contains(" SIG")).collect();
    assert_eq!(signals, ["8 SIGTERM logs 7", "15 SIGKILL logs 7", "15 SIGTERM proxy 2"]);
    assert_eq!(got.last().map(|line| &**line), Some("16 gone"));
}

#[test]
fn less_time_than_before_is_not_heard_of() {
    let mut simulation = begin(pod(vec![container("main", sleeps(20))]), &[("", exits(60))]);
    let steps = [(5, delete(None)), (10, delete(Some(12)))];
    let got = told(&mut simulation, &steps, 60);
    // 5 + 20 for the hook, 30 − 20 for the program.
    let want = ["25 SIGTERM main 10", "35 SIGKILL main 10", "35 gone"];
    assert_eq!(got.get(got.len().saturating_sub(3)..).unwrap_or_default(), want);
    // Without any grace the API server forgets the pod at once.
    let mut simulation = begin(pod(vec![container("main", sleeps(1))]), &[("", exits(60))]);
    let got = told(&mut simulation, &[(5, delete(None)), (10, delete(Some(0)))], 60);
    assert_eq!(got.last().map(|line| &**line), Some("10 gone"));
}

#[test]
fn a_second_is_not_enough_for_a_program() {
    let mut simulation = begin(pod(vec![container("main", Hooks::default())]), &[("", exits(9))]);
    let got = told(&mut simulation, &[(5, delete(Some(1)))], 60);
    assert_eq!(got.last().map(|line| &**line), Some("7 gone"));
}

#[test]
fn a_container_that_is_not_alive_is_started_again_with_its_probes_grace() {
    let liveness =
        Probe { termination_grace_period_seconds: Some(4), period_seconds: 5, ..Probe::default() };
    let hooks = Hooks { liveness_probe: Some(liveness), ..Hooks::default() };
    let mut simulation = begin(pod(vec![container("main", hooks)]), &[("", exits(90))]);
    let fails = (11, probe(ProbeKind::Liveness, true));
    let passes = (26, probe(ProbeKind::Liveness, false));
    let got = told(&mut simulation, &[fails, passes], 100);
    let want = [
        "15 Unhealthy: Liveness probe failed: ",
        "20 Unhealthy: Liveness probe failed: ",
        "25 Unhealthy: Liveness probe failed: ",
        "25 Killing: Container main failed liveness probe, will be restarted",
        "29 SIGKILL main 4",
    ];
    assert_eq!(got, want);
    let pod = simulation.objects().pod(&key()).expect("it is there");
    assert!(pod.is_ready());
    let counts: Vec<_> = pod.status.container_statuses.iter().map(|c| c.restart_count).collect();
    assert_eq!(counts, [1]);
}

#[test]
fn the_grace_of_a_deletion_beats_the_probes() {
    let liveness = Probe { termination_grace_period_seconds: Some(60), ..Probe::default() };
    let hooks = Hooks { liveness_probe: Some(liveness), ..Hooks::default() };
    let mut simulation = begin(pod(vec![container("main", hooks)]), &[("", exits(90))]);
    let steps = [(15, probe(ProbeKind::Liveness, true)), (45, delete(Some(8)))];
    let got = told(&mut simulation, &steps, 100);
    assert_eq!(got.last().map(|line| &**line), Some("53 gone"), "{got:?}");
}

#[test]
fn a_pod_that_is_not_restarted_fails_with_its_probe() {
    let hooks = Hooks { liveness_probe: Some(Probe::default()), ..Hooks::default() };
    let mut pod = pod(vec![container("main", hooks)]);
    pod.spec.restart_policy = RestartPolicy::Never;
    let mut simulation = begin(pod, &[]);
    let got = told(&mut simulation, &[(15, probe(ProbeKind::Liveness, true))], 100);
    assert!(got.contains(&"40 Killing: Container main failed liveness probe".into()), "{got:?}");
    let status = &simulation.objects().pod(&key()).expect("it is there").status;
    assert_eq!(status.phase, PodPhase::Failed);
    let codes: Vec<_> = status.container_statuses.iter().map(|known| known.exit_code).collect();
    assert_eq!(codes, [Some(TERMINATED)]);
}

#[test]
fn a_container_that_keeps_failing_waits_longer_and_longer() {
    let startup = Probe { period_seconds: 1, failure_threshold: 1, ..Probe::default() };
    let hooks = Hooks { startup_probe: Some(startup), ..Hooks::default() };
    let mut pod = pod(vec![container("main", hooks)]);
    let mut simulation = begin(pod.clone(), &[("", exits(0))]);
    // One that is new, where the other has run for a while.
    pod.metadata.namespace = "default".into();
    simulation.act(&delete(Some(0)));
    simulation.act(&Command::Create(Object::Pod(Arc::new(pod))));
    let of = Pods::Label("app".into(), "a".into());
    let (container, probe, fails) = (None, ProbeKind::Startup, true);
    simulation.act(&Command::Probe { of, container, probe, fails });
    simulation.run_until(Instant(900 * SECOND));
    let starts = |event: crate::simulation::Event| match event.what {
        Told::Reported(report) if report.reason == "Killing" => Some(event.at.0 / SECOND),
        _ => None,
    };
    let killed: Vec<i64> = simulation.take_events().into_iter().filter_map(starts).collect();
    let gaps: Vec<i64> =
        killed.windows(2).filter_map(|pair| Some(pair.get(1)? - pair.first()?)).collect();
    // A second to start each time, and the waits between. At five minutes each second wait is none: the end before is
    // longer ago than the wait, which does not grow any more.
    assert_eq!(gaps, [1, 1, 11, 21, 41, 81, 161, 301, 1]);
}

#[test]
fn a_pod_is_ready_while_its_probe_passes() {
    let readiness = Probe { period_seconds: 5, failure_threshold: 2, ..Probe::default() };
    let hooks = Hooks { readiness_probe: Some(readiness), ..Hooks::default() };
    let mut simulation = begin(pod(vec![container("main", hooks)]), &[]);
    let steps = [(11, ProbeKind::Readiness, true), (31, ProbeKind::Readiness, false)];
    for (at, kind, fails) in steps {
        simulation.plan(Instant(at * SECOND), probe(kind, fails));
    }
    let mut ready = Vec::new();
    for second in [14, 19, 21, 34, 36] {
        simulation.run_until(Instant(second * SECOND));
        let pod = simulation.objects().pod(&key()).expect("it is there");
        let reason = Condition::find(&pod.status.conditions, "Ready").map(|c| c.reason.clone());
        ready.push((second, pod.is_ready(), reason.unwrap_or_default()));
    }
    let not = || "ContainersNotReady".to_string();
    let yes = String::new;
    let want = [
        (14, true, yes()),
        (19, true, yes()),
        (21, false, not()),
        (34, false, not()),
        (36, true, yes()),
    ];
    assert_eq!(ready, want);
}

#[test]
fn a_probe_that_is_not_there_cannot_fail() {
    let mut simulation = begin(pod(vec![container("main", Hooks::default())]), &[]);
    let got = told(&mut simulation, &[(5, probe(ProbeKind::Liveness, true))], 60);
    assert_eq!(got, ["5 it has no liveness probe"]);
}
