//! `evict`: what the eviction of a pod comes to.

use berth_core::api::{PodDisruptionBudget, Time};
use berth_core::apiserver::{DeleteOptions, Evicted, Preconditions, evict};
use serde_json::{Map, Value, json};

use super::input::{self, bad, default_namespace, list, number, required};
use crate::manifest::{decode_budget, decode_pod};
use crate::tree::Node;

pub(super) fn answer(input: &str) -> Result<Value, String> {
    let input = input::parse(input)?;
    let mut pod = decode_pod(required(&input, "pod")?).map_err(|_| bad("not a pod"))?;
    default_namespace(&mut pod.metadata.namespace);
    if pod.metadata.resource_version.is_empty() {
        "1".clone_into(&mut pod.metadata.resource_version);
    }
    let mut budgets = list(&input, "pdbs", |node| decode_budget(node).map(|(budget, _)| budget))?;
    for budget in &mut budgets {
        default_namespace(&mut budget.metadata.namespace);
    }
    let options = match input.get("options") {
        Some(options) => delete_options(options)?,
        None => DeleteOptions::default(),
    };
    // Times are not in the answer.
    let evicted = evict(&pod, &mut budgets.iter(), &options, Time(0));
    Ok(whole(&evicted, &budgets))
}

/// How an object is to be deleted.
pub(super) fn delete_options(options: &Node<'_>) -> Result<DeleteOptions, String> {
    let dry_run = options.get("dryRun").map(Node::items).unwrap_or_default();
    if dry_run.iter().any(|word| word.as_str() != Some("All")) {
        return Err(bad("dryRun is not All"));
    }
    let text = |node: Option<&Node<'_>>| node.and_then(Node::as_str).map(ToOwned::to_owned);
    let precondition = |key| text(options.get("preconditions").and_then(|all| all.get(key)));
    Ok(DeleteOptions {
        grace_period_seconds: number(options, "gracePeriodSeconds")?,
        dry_run: !dry_run.is_empty(),
        preconditions: Preconditions {
            uid: precondition("uid"),
            resource_version: precondition("resourceVersion"),
        },
        propagation_policy: text(options.get("propagationPolicy")),
        orphan_dependents: options.get("orphanDependents").and_then(Node::as_bool),
    })
}

fn whole(evicted: &Evicted, budgets: &[PodDisruptionBudget]) -> Value {
    let mut answer = match &evicted.outcome {
        Ok(deletion) => json!({
            "allowed": true,
            "deleted": true,
            "code": 0,
            "gracePeriodSeconds": deletion.grace_period_seconds,
            "resourceVersionPrecondition": deletion.same_version,
        }),
        Err(refusal) => {
            let mut answer = json!({
                "allowed": false,
                "deleted": false,
                "code": refusal.code(),
                "reason": refusal.reason(),
                "message": refusal.to_string(),
            });
            // An answer with a reason has details.
            if !refusal.reason().is_empty() {
                let cause = refusal.cause().map(|cause| format!("DisruptionBudget: {cause}"));
                answer["causes"] = cause.into_iter().collect();
                answer["retryAfterSeconds"] = refusal.retry_after_seconds().into();
            }
            answer
        }
    };
    if evicted.marked {
        answer["disruptionTarget"] = "EvictionByEvictionAPI".into();
    }
    let (mut allowed, mut disrupted) = (Map::new(), Map::new());
    for budget in budgets {
        let key = budget.metadata.key();
        let charge = evicted.charge.as_ref().filter(|charge| charge.budget == key);
        let status = charge.map_or(&budget.status, |charge| &charge.status);
        allowed.insert(key.to_string(), status.disruptions_allowed.into());
        disrupted.insert(key.to_string(), status.disrupted_pods.keys().cloned().collect());
    }
    answer["newDisruptionsAllowed"] = allowed.into();
    answer["disruptedPods"] = disrupted.into();
    answer
}
