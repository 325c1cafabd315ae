//! What a kubelet writes into the status of a pod.

use alloc::string::String;
use alloc::vec::Vec;

use crate::api::{Condition, ContainerStatus, Pod, PodPhase, PodStatus, Time};

/// The conditions that a pod without running containers does not meet.
const UNREADY: [&str; 2] = ["Ready", "ContainersReady"];

fn say(status: &mut PodStatus, kinds: &[&str], value: &str, reason: &str, now: Time) {
    for kind in kinds {
        Condition::update(&mut status.conditions, Condition::new(kind, value, reason), now);
    }
}

/// A kubelet takes a pod.
pub(super) fn admit(status: &mut PodStatus, now: Time) {
    say(status, &["Initialized"], "True", "", now);
    say(status, &UNREADY, "False", "ContainersNotReady", now);
    status.start_time = Some(now);
}

/// All containers of a pod run and are ready.
pub(in crate::simulation) fn run(status: &mut PodStatus, now: Time) {
    status.phase = PodPhase::Running;
    status.start_time.get_or_insert(now);
    say(status, &["PodScheduled", "Initialized"], "True", "", now);
    ready(status, true, now);
}

/// Whether all containers of a pod are ready.
pub(super) fn ready(status: &mut PodStatus, is_ready: bool, now: Time) {
    if is_ready {
        say(status, &UNREADY, "True", "", now);
    } else {
        say(status, &UNREADY, "False", "ContainersNotReady", now);
    }
}

/// The program of a pod ended well.
pub(super) fn succeed(status: &mut PodStatus, now: Time) {
    say(status, &UNREADY, "False", "PodCompleted", now);
    status.phase = PodPhase::Succeeded;
}

/// How many times each container was started again.
pub(super) fn restarts(status: &mut PodStatus, counts: impl Iterator<Item = (String, i32)>) {
    for (name, count) in counts.filter(|(_, count)| *count > 0) {
        match status.container_statuses.iter_mut().find(|known| known.name == name) {
            Some(known) => known.restart_count = count,
            None => status.container_statuses.push(ContainerStatus {
                name,
                restart_count: count,
                ..ContainerStatus::default()
            }),
        }
    }
}

/// All containers of a pod have ended, with these codes.
pub(super) fn fail(pod: &mut Pod, codes: &[(String, i32)], now: Time) {
    let status = &mut pod.status;
    say(status, &UNREADY, "False", "PodFailed", now);
    status.phase = PodPhase::Failed;
    let before = core::mem::take(&mut status.container_statuses);
    let ended = pod.spec.containers.iter().map(|container| {
        let code = codes.iter().find(|(name, _)| *name == container.name);
        let known = before.iter().find(|known| known.name == container.name);
        ContainerStatus {
            name: container.name.clone(),
            exit_code: code.map(|(_, code)| *code),
            finished_at: Some(now),
            restart_count: known.map_or(0, |known| known.restart_count),
            ..ContainerStatus::default()
        }
    });
    status.container_statuses = ended.collect::<Vec<_>>();
}
