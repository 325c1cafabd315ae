//! What eviction does to objects beyond its answer, which the corpus compares.

use super::*;
use crate::api::{LabelSelector, ObjectMeta};

const NOW: Time = Time(1000);

fn pod(phase: PodPhase, ready: &str) -> Pod {
    let metadata = ObjectMeta {
        name: "web".into(),
        uid: "u".into(),
        resource_version: "7".into(),
        ..ObjectMeta::default()
    };
    let mut pod = Pod { metadata, ..Pod::default() };
    pod.status.phase = phase;
    pod.status.conditions.push(Condition {
        kind: "Ready".into(),
        status: ready.into(),
        ..Condition::default()
    });
    pod
}

fn budget(disruptions_allowed: i32) -> PodDisruptionBudget {
    let metadata = ObjectMeta { name: "pdb".into(), ..ObjectMeta::default() };
    let status = PodDisruptionBudgetStatus {
        disruptions_allowed,
        current_healthy: 3,
        desired_healthy: 2,
        ..PodDisruptionBudgetStatus::default()
    };
    PodDisruptionBudget {
        metadata,
        selector: Some(LabelSelector::default()),
        status,
        ..PodDisruptionBudget::default()
    }
}

fn ask(pod: &Pod, budget: &PodDisruptionBudget, options: &DeleteOptions) -> Evicted {
    evict(pod, &mut [budget].into_iter(), options, NOW)
}

#[test]
fn a_ready_pod_is_charged_to_its_budget() {
    let pod = pod(PodPhase::Running, "True");
    for (allowed, reason) in [(2, None), (1, Some("InsufficientPods"))] {
        let evicted = ask(&pod, &budget(allowed), &DeleteOptions::default());
        let status = evicted.charge.expect("the budget is charged").status;
        assert_eq!(status.disruptions_allowed, allowed - 1);
        assert_eq!(status.disrupted_pods.get("web"), Some(&NOW));
        // The condition follows when the last disruption is given away.
        let condition = Condition::find(&status.conditions, PodDisruptionBudgetStatus::CONDITION);
        assert_eq!(condition.map(|condition| &*condition.reason), reason);
        assert!(evicted.marked && evicted.outcome.is_ok());
    }
    let dry_run = DeleteOptions { dry_run: true, ..DeleteOptions::default() };
    let evicted = ask(&pod, &budget(1), &dry_run);
    assert_eq!((evicted.charge, evicted.marked), (None, false));
    assert!(evicted.outcome.is_ok());
}

#[test]
fn the_budget_is_charged_even_if_the_deletion_fails() {
    let mut options = DeleteOptions::default();
    options.preconditions.uid = Some("another".into());
    let evicted = ask(&pod(PodPhase::Running, "True"), &budget(1), &options);
    assert!(evicted.charge.is_some() && !evicted.marked);
    assert!(matches!(evicted.outcome, Err(Refusal::Conflict(_))));
}

#[test]
fn a_pod_that_disrupts_nothing_costs_nothing() {
    for (phase, ready, same_version) in [
        (PodPhase::Pending, "False", true),
        (PodPhase::Succeeded, "False", false),
        (PodPhase::Failed, "False", false),
        // Not ready, and as many others are healthy as have to be.
        (PodPhase::Running, "False", true),
    ] {
        let evicted = ask(&pod(phase, ready), &budget(0), &DeleteOptions::default());
        let deletion = Deletion { grace_period_seconds: None, dry_run: false, same_version };
        assert_eq!(evicted, Evicted { charge: None, marked: true, outcome: Ok(deletion) });
    }
}

#[test]
fn an_unready_pod_that_changed_is_to_be_tried_again() {
    let unready = pod(PodPhase::Running, "False");
    let mut options = DeleteOptions::default();
    options.preconditions.uid = Some("another".into());
    let evicted = ask(&unready, &budget(0), &options);
    assert_eq!(evicted.outcome, Err(Refusal::BeingProcessed("pdb".into())));
    // Whoever names a version is told of the conflict.
    options.preconditions.resource_version = Some("7".into());
    let evicted = ask(&unready, &budget(0), &options);
    assert!(matches!(evicted.outcome, Err(Refusal::Conflict(_))));
}

#[test]
fn every_refusal_has_its_code() {
    let why = NotAllowed::Healthy { desired: 2, current: 1 };
    let conflict = Conflict {
        pod: "web".into(),
        precondition: crate::apiserver::Precondition::Uid,
        wanted: "a".into(),
        found: "b".into(),
    };
    let name = || String::from("pdb");
    for (refusal, code, retry) in [
        (Refusal::SeveralBudgets, 500, 0),
        (Refusal::BeingProcessed(name()), 429, 10),
        (Refusal::Negative(name()), 403, 0),
        (Refusal::TooManyDisrupted(name()), 403, 0),
        (Refusal::NotAllowed { budget: name(), why }, 429, 0),
        (Refusal::Conflict(conflict), 409, 0),
    ] {
        assert_eq!((refusal.code(), refusal.retry_after_seconds()), (code, retry));
    }
}
