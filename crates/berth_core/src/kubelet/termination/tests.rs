//! What the corpus does not reach.

use super::*;
use crate::api::{Container, RestartPolicy};

fn container(name: &str, sidecar: bool) -> Container {
    Container {
        name: name.into(),
        restart_policy: sidecar.then_some(RestartPolicy::Always),
        ..Container::default()
    }
}

fn running(name: &str, exit_seconds: u64) -> Stopping<'_> {
    Stopping { name, exit: exit_seconds * SECOND, ..Stopping::default() }
}

#[test]
fn a_sidecar_does_not_wait_past_one_that_does_not_run() {
    let mut pod = Pod::default();
    pod.spec.containers.push(container("main", false));
    for name in ["first", "second", "third"] {
        pod.spec.init_containers.push(container(name, true));
    }
    let stops = |names: &[&'static str]| {
        let running: Vec<_> = names.iter().map(|name| running(name, 3)).collect();
        let stops = by_name(kill_pod(&pod, &running, Some(30), LEAST_SECONDS));
        stops.iter().map(|stop| (stop.name, stop.at / SECOND)).collect::<Vec<_>>()
    };
    assert_eq!(
        stops(&["main", "first", "second", "third"]),
        [("first", 9), ("main", 0), ("second", 6), ("third", 3)]
    );
    assert_eq!(stops(&["main", "first", "third"]), [("first", 3), ("main", 0), ("third", 3)]);
}

#[test]
fn a_pod_ends_with_its_last_container() {
    let mut pod = Pod::default();
    pod.spec.containers = ["a", "b"].map(|name| container(name, false)).into();
    assert_eq!(
        ended(&kill_pod(&pod, &[running("a", 1), running("b", 40)], Some(10), LEAST_SECONDS)),
        10 * SECOND
    );
    assert_eq!(ended(&kill_pod(&pod, &[], None, LEAST_SECONDS)), 0);
}

#[test]
fn what_sigkill_does_not_end_goes_on() {
    let pod = Pod::default();
    let stuck = Stopping { kill: 3 * SECOND, ..running("a", 40) };
    let stop = kill_container(&pod, &stuck, KillReason::Other, Some(10), LEAST_SECONDS);
    assert_eq!((stop.killed, stop.exited), (true, 13 * SECOND));
}

#[test]
fn an_eviction_is_waited_for_half_as_long_again() {
    assert_eq!([0, 1, 6, 7, 60].map(kill_timeout), [10, 10, 10, 10, 90]);
}
