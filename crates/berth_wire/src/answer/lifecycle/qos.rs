//! `qos`: the class of a pod, as the API server stores it and as the pod is written.

use berth_core::api::compute_qos;
use serde_json::{Value, json};

use crate::manifest::{decode_pod, defaults};
use crate::tree::json;

pub(super) fn answer(input: &str) -> Result<Value, String> {
    let input = json::parse(input).map_err(|e| format!("bad input: {}", e.message))?;
    let pod = input.get("pod").ok_or("bad input: no pod")?;
    Ok(match decode_pod(pod) {
        Ok(mut pod) => {
            let undefaulted = compute_qos(&pod);
            defaults::pod(&mut pod);
            json!({ "qosClass": compute_qos(&pod).as_str(), "undefaulted": undefaulted.as_str() })
        }
        Err(findings) => {
            let texts: Vec<String> = findings.iter().map(ToString::to_string).collect();
            json!({ "decodeError": texts.join("; ") })
        }
    })
}
