//! Merge patches (RFC 7386) of objects.

use std::sync::Arc;

use berth_core::api::Object;
use berth_core::simulation::Patch;
use serde_json::{Map, Value};

use crate::export::encode;
use crate::manifest::{Content, Finding, decode, note_template};
use crate::tree::{json, write};

/// A merge patch, as `kubectl patch --type=merge` sends it. What Berth does not read of an object is lost to it: a new
/// pod template is hashed without, an old one keeps its hash.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MergePatch(Map<String, Value>);

impl MergePatch {
    /// A patch from JSON; an error if it is not an object.
    pub fn parse(text: &str) -> Result<Self, String> {
        serde_json::from_str(text).map(Self).map_err(|error| error.to_string())
    }
}

impl From<Map<String, Value>> for MergePatch {
    fn from(patch: Map<String, Value>) -> Self {
        Self(patch)
    }
}

impl Patch for MergePatch {
    fn apply(&self, object: &Object) -> Result<Object, String> {
        let text = write::json(&encode(object));
        let mut value: Value = serde_json::from_str(&text).map_err(|error| error.to_string())?;
        let template = |value: &Value| value.pointer("/spec/template").cloned();
        let before = template(&value);
        merge(&mut value, &self.0);
        let changes_template = template(&value) != before;
        let text = value.to_string();
        let tree = json::parse(&text).map_err(|error| error.message)?;
        match decode(&tree, None) {
            Ok(decoded) => match decoded.content {
                Content::Object(mut new) => {
                    if changes_template {
                        note_template(&mut new, &tree);
                    } else {
                        keep_template(&mut new, object);
                    }
                    Ok(new)
                }
                _ => Err("the patch makes another kind of object".to_owned()),
            },
            Err(findings) => Err(Finding::fault(findings.iter())
                .or_else(|| findings.first())
                .map(|finding| finding.message.clone())
                .unwrap_or_default()),
        }
    }

    fn changes_status(&self) -> bool {
        self.0.contains_key("status")
    }
}

/// Gives a workload the hash of the template that it had.
fn keep_template(new: &mut Object, old: &Object) {
    if let (Object::Workload(new), Object::Workload(old)) = (new, old) {
        Arc::make_mut(new).template.digest = old.template.digest;
    }
}

fn merge(into: &mut Value, patch: &Map<String, Value>) {
    if !into.is_object() {
        *into = Value::Object(Map::new());
    }
    let Some(object) = into.as_object_mut() else { return };
    for (key, value) in patch {
        match value {
            Value::Null => {
                object.remove(key);
            }
            Value::Object(inner) => merge(object.entry(key.clone()).or_insert(Value::Null), inner),
            other => {
                object.insert(key.clone(), other.clone());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn as_the_rfc_says() {
        for (before, patch, after) in [
            (json!({"a": "b"}), json!({"a": "c"}), json!({"a": "c"})),
            (json!({"a": "b"}), json!({"b": "c"}), json!({"a": "b", "b": "c"})),
            (json!({"a": "b", "b": "c"}), json!({"a": null}), json!({"b": "c"})),
            (json!({"a": ["b"]}), json!({"a": "c"}), json!({"a": "c"})),
            (
                json!({"a": {"b": "c"}}),
                json!({"a": {"b": "d", "c": null}}),
                json!({"a": {"b": "d"}}),
            ),
            (json!({"a": [{"b": "c"}]}), json!({"a": [1]}), json!({"a": [1]})),
            (json!({"e": null}), json!({"a": 1}), json!({"e": null, "a": 1})),
            (json!([1, 2]), json!({"a": "b", "c": null}), json!({"a": "b"})),
            (json!({}), json!({"a": {"bb": {"ccc": null}}}), json!({"a": {"bb": {}}})),
        ] {
            let mut value = before;
            merge(&mut value, patch.as_object().expect("a patch is an object"));
            assert_eq!(value, after);
        }
    }
}
