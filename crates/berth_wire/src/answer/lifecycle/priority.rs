//! `admit-priority` and `admit-priorityclass`: what admission makes of a pod and of a class.

use berth_core::admission::{forbidden, priority, validation};
use berth_core::api::{PreemptionPolicy, PriorityClass};
use serde_json::{Value, json};

use super::input::{self, decode_error, list, required};
use crate::manifest::{decode_pod, decode_priority_class};
use crate::tree::Node;

fn classes(input: &Node<'_>, key: &str) -> Result<Vec<PriorityClass>, String> {
    let mut classes: Vec<PriorityClass> = Vec::new();
    for class in list(input, key, |node| decode_priority_class(node).map(|(class, _)| class))? {
        // A class takes the place of one of its name.
        classes.retain(|known| known.metadata.name != class.metadata.name);
        classes.push(class);
    }
    Ok(classes)
}

pub(super) fn admit_pod(input: &str) -> Result<Value, String> {
    let input = input::parse(input)?;
    let classes = classes(&input, "priorityClasses")?;
    let mut pod = match decode_pod(required(&input, "pod")?) {
        Ok(pod) => pod,
        Err(findings) => return Ok(decode_error(&findings)),
    };
    Ok(match priority::admit(&mut pod.spec, classes.iter()) {
        Err(error) => json!({ "error": forbidden("pods", &pod.metadata.name, &error) }),
        Ok(()) => json!({
            "priority": pod.spec.priority,
            "preemptionPolicy": pod.spec.preemption_policy.map(PreemptionPolicy::as_str),
            "priorityClassName": pod.spec.priority_class_name,
        }),
    })
}

pub(super) fn admit_class(input: &str) -> Result<Value, String> {
    let input = input::parse(input)?;
    let existing = classes(&input, "existing")?;
    let (class, policy) = match decode_priority_class(required(&input, "class")?) {
        Ok(class) => class,
        Err(findings) => return Ok(decode_error(&findings)),
    };
    let old = input.get("old").filter(|old| !old.is_null()).map(decode_priority_class);
    let (errors, update) = match old {
        None => (validation::priority_class(&class, &policy), false),
        Some(Ok((old, old_policy))) => {
            let (new, old) = ((&class, &*policy), (&old, &*old_policy));
            (validation::priority_class_update(new, old), true)
        }
        Some(Err(findings)) => return Ok(decode_error(&findings)),
    };
    let errors: Vec<String> = errors.iter().map(ToString::to_string).collect();
    let mut answer = json!({ "validation": errors, "errors": errors });
    if let Err(error) = priority::admit_class(&class, update, existing.iter()) {
        let text = forbidden("priorityclasses.scheduling.k8s.io", &class.metadata.name, &error);
        answer["admission"] = text.clone().into();
        answer["errors"] = errors.into_iter().chain([text]).collect();
    }
    Ok(answer)
}
