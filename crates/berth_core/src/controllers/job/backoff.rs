//! How long a Job waits before it makes a new pod for one that failed.
//!
//! Mirrors `pkg/controller/job/backoff_utils.go`.

use alloc::sync::Arc;

use crate::api::{Condition, Pod, Time};
use crate::queue::time::SECOND;
use crate::simulation::Server;

/// How long it waits after the first failure (`DefaultJobPodFailureBackOff`).
const FIRST: i64 = 10 * SECOND;
/// How long it waits at most (`MaxJobPodFailureBackOff`).
const MOST: i64 = 600 * SECOND;

/// The failures of a Job's pods since one of them succeeded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Backoff {
    failures: i32,
    last: Option<Time>,
}

impl Backoff {
    /// With pods that ended since (`newBackoffRecord`).
    pub(super) fn after(self, succeeded: &[Arc<Pod>], failed: &[Arc<Pod>]) -> Self {
        let ends = |pods: &[Arc<Pod>]| pods.iter().map(|pod| end_of(pod)).max();
        let Some(success) = ends(succeeded) else {
            let failures = self.failures.saturating_add(failed.len() as i32);
            return Self { failures, last: ends(failed).or(self.last) };
        };
        let later = failed.iter().map(|pod| end_of(pod)).filter(|end| *end > success);
        Self { failures: later.clone().count() as i32, last: later.max() }
    }

    /// How long to wait still, in nanoseconds.
    pub(super) fn remaining(self, server: &Server) -> i64 {
        remaining(server, self.failures, self.last)
    }
}

/// How long to wait after so many failures (`getRemainingTimeForFailuresCount`).
pub(super) fn remaining(server: &Server, failures: i32, last: Option<Time>) -> i64 {
    let (Some(last), 1..) = (last, failures) else { return 0 };
    let doubled = FIRST.saturating_mul(1 << (failures - 1).min(32)).min(MOST);
    server.instant_of(last).after(doubled).0.saturating_sub(server.now().0).max(0)
}

/// When a pod ended (`getFinishedTime`).
pub(super) fn end_of(pod: &Pod) -> Time {
    let ready = Condition::find(&pod.status.conditions, "Ready");
    let not_ready = ready.filter(|ready| ready.status == "False");
    let asked = pod.metadata.deletion_timestamp.map(|time| {
        Time(time.0.saturating_sub(pod.metadata.deletion_grace_period_seconds.unwrap_or(0)))
    });
    containers_end(pod)
        .or_else(|| not_ready.and_then(|ready| ready.last_transition_time))
        .or(asked)
        .or(pod.metadata.creation_timestamp)
        .unwrap_or_default()
}

/// When the last container of a pod ended, sidecars included, if all have (`getFinishTimeFromContainers`).
fn containers_end(pod: &Pod) -> Option<Time> {
    let sidecars =
        pod.spec.init_containers.iter().filter(|container| container.restart_policy.is_some());
    let names =
        || pod.spec.containers.iter().chain(sidecars.clone()).map(|container| &container.name);
    let statuses = pod.status.container_statuses.iter();
    let mut counted = statuses.filter(|status| names().any(|name| *name == status.name));
    counted.try_fold(None, |last, status| Some(last.max(Some(status.finished_at?))))?
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::{Container, ContainerStatus};
    use crate::queue::Instant;

    fn ended(second: i64) -> Arc<Pod> {
        let mut pod = Pod::default();
        let condition = Condition::new("Ready", "False", "PodFailed");
        Condition::update(&mut pod.status.conditions, condition, Time(second));
        Arc::new(pod)
    }

    #[test]
    fn containers_that_ended_say_when() {
        let mut pod = (*ended(4)).clone();
        let main = Container { name: "main".into(), ..Container::default() };
        pod.spec.containers.push(main);
        assert_eq!(end_of(&pod), Time(4));
        let mut status = ContainerStatus { name: "main".into(), ..ContainerStatus::default() };
        pod.status.container_statuses.push(status.clone());
        assert_eq!(end_of(&pod), Time(4));
        status.finished_at = Some(Time(8));
        pod.status.container_statuses = alloc::vec![status];
        assert_eq!(end_of(&pod), Time(8));
    }

    #[test]
    fn each_failure_doubles_the_wait_up_to_ten_minutes() {
        let mut server = Server::new(Time(0));
        server.set_now(Instant(100 * SECOND));
        for (failures, wait) in [(0, 0), (1, 10), (2, 20), (3, 40), (6, 320), (7, 600), (90, 600)] {
            assert_eq!(remaining(&server, failures, Some(Time(100))), wait * SECOND, "{failures}");
        }
        assert_eq!(remaining(&server, 1, Some(Time(95))), 5 * SECOND);
        assert_eq!(remaining(&server, 1, Some(Time(80))), 0);
    }

    #[test]
    fn a_success_forgets_the_failures_before_it() {
        let failed = Backoff::default().after(&[], &[ended(5), ended(9)]);
        assert_eq!(failed, Backoff { failures: 2, last: Some(Time(9)) });
        assert_eq!(failed.after(&[], &[]), failed);
        assert_eq!(failed.after(&[ended(12)], &[ended(11)]), Backoff::default());
        let later = failed.after(&[ended(12)], &[ended(11), ended(14)]);
        assert_eq!(later, Backoff { failures: 1, last: Some(Time(14)) });
    }
}
