//! `quantity`: what a text is worth, and its sum and difference with another.

use berth_core::api::Quantity;
use serde::Deserialize;
use serde_json::{Value, json};

/// The input.
#[derive(Deserialize)]
pub(super) struct Input {
    #[serde(default, deserialize_with = "super::null_is_default")]
    s: String,
    #[serde(default)]
    t: Option<String>,
}

pub(super) fn answer(input: &Input) -> Value {
    let a = match Quantity::parse(&input.s) {
        Ok(a) => a,
        Err(error) => return json!({ "error": error.to_string() }),
    };
    let mut out = json!({
        "value": a.value(),
        "milliValue": a.milli_value(),
        "canonical": a.to_string(),
        "recomputed": a.recomputed(),
        "format": a.format().as_str(),
        "sign": a.sign(),
    });
    match input.t.as_deref().map(Quantity::parse) {
        None => {}
        Some(Err(error)) => out["otherError"] = error.to_string().into(),
        Some(Ok(b)) => {
            let (mut sum, mut difference) = (a.clone(), a.clone());
            sum.add(&b);
            difference.sub(&b);
            out["cmp"] = (a.cmp(&b) as i8).into();
            out["sum"] = sum.to_string().into();
            out["difference"] = difference.to_string().into();
        }
    }
    out
}
