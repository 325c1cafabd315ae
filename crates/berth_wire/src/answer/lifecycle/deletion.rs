//! `delete-pod`: what the deletion of a pod makes of it.

use berth_core::apiserver::{Graceful, Moment, before_delete};
use serde_json::{Value, json};

use super::eviction::delete_options;
use super::input::{self, bad, required, time};
use crate::manifest::{decode_pod, print_time};

pub(super) fn answer(input: &str) -> Result<Value, String> {
    let input = input::parse(input)?;
    let mut pod = decode_pod(required(&input, "pod")?).map_err(|_| bad("not a pod"))?;
    let options = input.get("options").map(delete_options).transpose()?;
    let mut options = options.unwrap_or_default();
    let second = time(&input, "now")?.unwrap_or_default();
    Ok(match before_delete(&mut pod, &mut options, Moment { second, nanos: 0 }) {
        Err(refused) => json!({ "error": refused.to_string() }),
        Ok(graceful) => json!({
            "graceful": graceful == Graceful::Yes,
            "pending": graceful == Graceful::Pending,
            "gracePeriodSeconds": options.grace_period_seconds,
            "deletionTimestamp": pod.metadata.deletion_timestamp.map(print_time),
            "deletionGracePeriodSeconds": pod.metadata.deletion_grace_period_seconds,
            "generation": pod.metadata.generation,
        }),
    })
}
