//! `pdb-status` and `validate-pdb`: what the disruption controller makes of a budget, and what the API server has
//! against it.

use berth_core::admission::validation;
use berth_core::api::{
    Condition, ObjectMeta, Pod, PodDisruptionBudget, PodDisruptionBudgetStatus, Time,
};
use berth_core::controllers::disruption::{Mapping, Scale, Scales, Sync, resource, sync};
use serde_json::{Value, json};

use super::input::{self, decode_error, default_namespace, list, number, required};
use crate::manifest::{decode_budget, decode_metadata, decode_pod};
use crate::tree::Node;

/// 2025-03-01T12:00:00Z.
const NOON: Time = Time(1_740_830_400);

/// An object with pods.
struct Owner {
    group: String,
    version: String,
    kind: String,
    metadata: ObjectMeta,
    replicas: Option<i32>,
}

/// The owners of an input. A kind that is not Kubernetes' own is served if there is an object of it, and has a scale
/// if one of them says a number of replicas.
struct Owners(Vec<Owner>);

impl Scales for Owners {
    fn get(&self, group: &str, kind: &str, namespace: &str, name: &str) -> Option<Scale<'_>> {
        let is_wanted = |owner: &&Owner| {
            let ObjectMeta { namespace: own_namespace, name: own_name, .. } = &owner.metadata;
            (&*owner.group, &*owner.kind, &**own_namespace, &**own_name)
                == (group, kind, namespace, name)
        };
        // Of several objects of one name the last is the one that is stored.
        let owner = self.0.iter().rfind(is_wanted)?;
        Some(Scale {
            uid: &owner.metadata.uid,
            replicas: owner.replicas.unwrap_or(1),
            controller: owner.metadata.controller(),
        })
    }

    fn mapping(&self, group: &str, version: &str, kind: &str) -> Option<Mapping> {
        if let Some(mapping) = Mapping::built_in(group, version, kind) {
            return Some(mapping);
        }
        let mut served = None;
        for owner in &self.0 {
            if (&*owner.group, &*owner.version, &*owner.kind) == (group, version, kind) {
                served = Some(served == Some(true) || owner.replicas.is_some());
            }
        }
        Some(Mapping { resource: resource(&plural(kind), group), has_scale: served? })
    }
}

/// The plural that a kind has by rule (`UnsafeGuessKindToResource`).
fn plural(kind: &str) -> String {
    let kind = kind.to_lowercase();
    if kind.ends_with("endpoints") {
        kind
    } else if let Some(stem) = kind.strip_suffix('y') {
        format!("{stem}ies")
    } else if kind.ends_with('s') {
        format!("{kind}es")
    } else {
        format!("{kind}s")
    }
}

fn owners(input: &Node<'_>) -> Result<Owners, String> {
    let empty = Node::made(crate::tree::Value::Null);
    let nodes = input.get("controllers").map(Node::items).unwrap_or_default();
    let metadata =
        list(input, "controllers", |node| decode_metadata(node.get("metadata").unwrap_or(&empty)))?;
    let mut owners = Vec::new();
    for (node, mut metadata) in nodes.iter().zip(metadata) {
        default_namespace(&mut metadata.namespace);
        let text = |key| node.get(key).and_then(Node::as_str).unwrap_or_default().to_owned();
        let api_version = text("apiVersion");
        let (group, version) = api_version.split_once('/').unwrap_or(("", &api_version));
        let replicas = number(node.get("spec").unwrap_or(&empty), "replicas")?;
        owners.push(Owner {
            group: group.to_owned(),
            version: version.to_owned(),
            kind: text("kind"),
            metadata,
            replicas: replicas.map(|replicas| replicas as i32),
        });
    }
    Ok(Owners(owners))
}

fn pods(input: &Node<'_>) -> Result<Vec<Pod>, String> {
    let mut pods = list(input, "pods", decode_pod)?;
    for pod in &mut pods {
        default_namespace(&mut pod.metadata.namespace);
    }
    pods.sort_by(|a, b| a.metadata.name.cmp(&b.metadata.name));
    Ok(pods)
}

pub(super) fn status(input: &str) -> Result<Value, String> {
    let input = input::parse(input)?;
    let mut budgets = match decode_budget(required(&input, "pdb")?) {
        Ok((budget, _)) => vec![budget],
        Err(findings) => return Ok(decode_error(&findings)),
    };
    budgets.extend(list(&input, "otherPdbs", |node| decode_budget(node).map(|(other, _)| other))?);
    let (owners, pods) = (owners(&input)?, pods(&input)?);
    let now = input::time(&input, "now")?.unwrap_or(NOON);
    let answer = |mut budget: PodDisruptionBudget| {
        default_namespace(&mut budget.metadata.namespace);
        whole(&sync(&budget, &mut pods.iter(), &owners, now.into(), Pod::is_ready))
    };
    let mut answers: Vec<Value> = budgets.into_iter().map(answer).collect();
    let mut first = answers.remove(0);
    if !answers.is_empty() {
        first["others"] = answers.into();
    }
    Ok(first)
}

fn whole(found: &Sync) -> Value {
    let status = &found.status;
    let mut answer = json!({
        "updated": found.updated,
        "disruptionsAllowed": status.disruptions_allowed,
        "currentHealthy": status.current_healthy,
        "desiredHealthy": status.desired_healthy,
        "expectedPods": status.expected_pods,
        "observedGeneration": status.observed_generation,
        "disruptedPods": status.disrupted_pods.keys().collect::<Vec<_>>(),
    });
    let condition = Condition::find(&status.conditions, PodDisruptionBudgetStatus::CONDITION);
    if let Some(condition) = condition {
        answer["status"] = condition.status.clone().into();
        answer["reason"] = condition.reason.clone().into();
        answer["message"] = condition.message.clone().into();
    }
    answer
}

pub(super) fn validate(input: &str) -> Result<Value, String> {
    let input = input::parse(input)?;
    Ok(match decode_budget(required(&input, "pdb")?) {
        Err(findings) => decode_error(&findings),
        Ok((budget, policy)) => {
            let errors = validation::pod_disruption_budget(&budget, policy.as_deref());
            let mut errors: Vec<String> = errors.iter().map(ToString::to_string).collect();
            errors.sort_unstable();
            json!({ "errors": errors })
        }
    })
}
