//! Compares an answer with the one wanted, field by field. Empty values count as missing, and lists that name a set
//! are compared as sets; so are the events of one moment.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value};

/// Keys whose lists are sets: the scheduler gives them in any order.
const SETS: [&str; 6] = ["feasible", "best", "picked", "skippedScore", "preFilterNodes", "reasons"];
/// How much of a value is shown.
const SHOWN: usize = 300;

/// Where the two differ; nothing if they say the same. `left_out` are keys that are compared nowhere.
pub(super) fn differences(want: &Value, got: &Value, left_out: &[&str]) -> Vec<String> {
    let mut out = Vec::new();
    diff(&normal(want, "", left_out), &normal(got, "", left_out), "", &mut out);
    out
}

/// The value's JSON, or its beginning.
pub(super) fn shortened(value: &Value) -> String {
    value.to_string().chars().take(SHOWN).collect()
}

fn normal(value: &Value, key: &str, left_out: &[&str]) -> Value {
    match value {
        Value::Object(fields) => {
            let kept = fields.iter().filter(|(key, _)| !left_out.contains(&key.as_str()));
            let fields = kept.map(|(key, value)| (key.clone(), normal(value, key, left_out)));
            Value::Object(fields.filter(|(_, value)| !is_empty(value)).collect())
        }
        Value::Array(items) if key == "candidates" => {
            let entry = |item: &Value| {
                let node = item.get("node").and_then(Value::as_str).unwrap_or_default();
                (node.to_owned(), normal(item, "", left_out))
            };
            Value::Object(items.iter().map(entry).collect())
        }
        Value::Array(items) if key == "events" => by_moment(items, left_out),
        Value::Array(items) => {
            let mut items: Vec<Value> =
                items.iter().map(|item| normal(item, "", left_out)).collect();
            if SETS.contains(&key) {
                items.sort_by_key(Value::to_string);
            }
            Value::Array(items)
        }
        other => other.clone(),
    }
}

/// Events by the moment in which they happened: those of one moment are a set.
fn by_moment(events: &[Value], left_out: &[&str]) -> Value {
    let mut moments: BTreeMap<String, Vec<Value>> = BTreeMap::new();
    for event in events {
        let moment = event.get("t").map(Value::to_string).unwrap_or_default();
        moments.entry(moment).or_default().push(normal(event, "", left_out));
    }
    for events in moments.values_mut() {
        events.sort_by_cached_key(in_order);
    }
    let moments = moments.into_iter().map(|(moment, events)| (moment, Value::Array(events)));
    Value::Object(moments.collect())
}

/// A value's text with fields in order of name: they come in any order.
fn in_order(value: &Value) -> String {
    match value {
        Value::Object(fields) => {
            let fields: BTreeMap<&String, String> =
                fields.iter().map(|(key, value)| (key, in_order(value))).collect();
            format!("{fields:?}")
        }
        other => other.to_string(),
    }
}

fn is_empty(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::String(text) => text.is_empty(),
        Value::Array(items) => items.is_empty(),
        Value::Object(fields) => fields.is_empty(),
        Value::Bool(_) | Value::Number(_) => false,
    }
}

fn diff(want: &Value, got: &Value, path: &str, out: &mut Vec<String>) {
    let (Value::Object(wanted), Value::Object(given)) = (want, got) else {
        if want != got {
            let place = if path.is_empty() { "." } else { path };
            out.push(format!("{place}: want {}, got {}", shortened(want), shortened(got)));
        }
        return;
    };
    let sorted = |fields: &Map<String, Value>| -> BTreeMap<String, Value> {
        fields.clone().into_iter().collect()
    };
    let (wanted, given) = (sorted(wanted), sorted(given));
    let keys: BTreeSet<&String> = wanted.keys().chain(given.keys()).collect();
    for key in keys {
        match (wanted.get(key), given.get(key)) {
            (Some(want), Some(got)) => diff(want, got, &format!("{path}.{key}"), out),
            (Some(want), None) => {
                out.push(format!("{path}.{key}: missing, want {}", shortened(want)));
            }
            (None, Some(got)) => out.push(format!("{path}.{key}: unexpected {}", shortened(got))),
            (None, None) => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn same() {
        for (want, got) in [
            (json!({"a": 1, "b": null, "c": [], "d": {}, "e": ""}), json!({"a": 1})),
            (json!({"a": {"b": {"c": ""}}}), json!({})),
            (json!({"best": ["x", "y"]}), json!({"best": ["y", "x"]})),
            (json!({"message": "m", "x": {"preemption": 1}}), json!({})),
            (
                json!({"candidates": [{"node": "a", "v": 1}, {"node": "b"}]}),
                json!({"candidates": [{"node": "b"}, {"node": "a", "v": 1}]}),
            ),
            (
                json!({"events": [{"t": 1, "a": {"x": 1, "y": 2}}, {"t": 1, "a": {"x": 2}, "b": 3}, {"t": 2}]}),
                json!({"events": [{"t": 2}, {"b": 3, "a": {"x": 2}, "t": 1}, {"a": {"y": 2, "x": 1}, "t": 1}]}),
            ),
        ] {
            assert_eq!(
                differences(&want, &got, &["message", "preemption"]),
                [""; 0],
                "{want} {got}"
            );
        }
    }

    #[test]
    fn different() {
        for (want, got, told) in [
            (json!({"a": 1}), json!({"a": 2}), ".a: want 1, got 2"),
            (json!({"a": 0}), json!({}), ".a: missing, want 0"),
            (json!({}), json!({"a": {"b": false}}), ".a: unexpected {\"b\":false}"),
            (json!({"a": [1, 2]}), json!({"a": [2, 1]}), ".a: want [1,2], got [2,1]"),
            (json!({"a": 1}), json!({"a": 1.0}), ".a: want 1, got 1.0"),
            (json!([1]), json!({"error": "e"}), ".: want [1], got {\"error\":\"e\"}"),
        ] {
            assert_eq!(differences(&want, &got, &[]), [told], "{want} {got}");
        }
    }
}
