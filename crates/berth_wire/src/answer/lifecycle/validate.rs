//! `validate-config`, `validate-node`, `validate-pod`: what Kubernetes has against an object, all at once.

use berth_core::api::FieldError;
use serde_json::{Value, json};

use super::input::{self, required};
use crate::config;
use crate::manifest::{Finding, Severity, Stage};
use crate::tree::{Node, write};

/// Where Go's program says that a kind is not known to it.
const SCHEME: &str = "pkg/runtime/scheme.go:111";

/// Answers for an object that `validate` says everything about.
pub(super) fn object(
    input: &str,
    key: &str,
    validate: fn(&Node<'_>) -> Result<Vec<FieldError>, Vec<Finding>>,
) -> Result<Value, String> {
    let input = input::parse(input)?;
    Ok(match validate(required(&input, key)?) {
        Ok(errors) => {
            let mut errors: Vec<String> = errors.iter().map(ToString::to_string).collect();
            errors.sort_unstable();
            json!({ "errors": errors })
        }
        Err(findings) => input::decode_error(&findings),
    })
}

pub(super) fn config(input: &str) -> Result<Value, String> {
    let input = input::parse(input)?;
    let node = required(&input, "config")?;
    if let Some(error) = type_error(node) {
        return Ok(json!({ "decodeError": error }));
    }
    let findings = config::decode(node).err().unwrap_or_default();
    Ok(match decode_error(node, &findings) {
        Some(error) => json!({ "decodeError": error }),
        None => json!({ "errors": invalid(&findings) }),
    })
}

/// The errors of validation, in order.
fn invalid(findings: &[Finding]) -> Vec<String> {
    let invalid = findings.iter().filter(|finding| finding.stage == Stage::Validation);
    let mut errors: Vec<String> =
        invalid.map(|Finding { path, message, .. }| format!("{path}: {message}")).collect();
    errors.sort_unstable();
    errors
}

/// What is said of an object that is no configuration.
fn type_error(node: &Node<'_>) -> Option<String> {
    let text = |key| node.get(key).and_then(Node::as_str).unwrap_or_default();
    for (key, name) in [("kind", "Kind"), ("apiVersion", "apiVersion")] {
        if text(key).is_empty() {
            return Some(format!("Object '{name}' is missing in '{}'", write::json(node)));
        }
    }
    let (version, kind) = (text("apiVersion"), text("kind"));
    ((version, kind) != (config::API_VERSION, config::KIND)).then(|| {
        format!("no kind {kind:?} is registered for version {version:?} in scheme {SCHEME:?}")
    })
}

/// Why a configuration cannot be decoded, in one text: the first fault that ends decoding, or else all that a strict
/// decoder minds. Arguments of plugins are decoded after everything else, each by itself.
fn decode_error(node: &Node<'_>, findings: &[Finding]) -> Option<String> {
    let errors = findings.iter().filter(|finding| finding.severity == Severity::Error);
    let (mut own, mut nested) = (Vec::new(), Vec::new());
    for finding in errors {
        match Arguments::of(node, &finding.path) {
            None => own.push(finding),
            Some(arguments) => nested.push((arguments, finding)),
        }
    }
    if let Some(fault) = Finding::fault(own.iter().copied()) {
        return Some(fault.message.clone());
    }
    // The first that cannot be decoded is the last that is.
    let faulty = |(_, finding): &&(Arguments<'_>, &Finding)| {
        matches!(finding.stage, Stage::Decoding | Stage::Typing)
    };
    if let Some((Arguments { place, .. }, _)) = nested.iter().find(faulty)
        && let mut same = nested.iter().filter(|(arguments, _)| arguments.place == *place)
        && let Some(fault) = Finding::fault(same.clone().map(|(_, finding)| *finding))
        && let Some((arguments, _)) = same.find(|(_, finding)| std::ptr::eq(*finding, fault))
    {
        let Arguments { place, plugin, field } = arguments;
        // That they are another plugin's is seen when they are decoded.
        let decoding = match field {
            Some(_) => format!("decoding args for plugin {plugin}: "),
            None => String::new(),
        };
        return Some(format!("decoding {place}: {decoding}{}", fault.message));
    }
    let is_unknown = |finding: &Finding| finding.stage == Stage::StrictDecoding;
    own.retain(|finding| is_unknown(finding));
    let mut texts: Vec<String> = own.iter().map(|finding| unknown(&finding.path)).collect();
    let mut last = String::new();
    for (arguments, finding) in nested {
        let Arguments { place, plugin, field: Some(field) } = arguments else { continue };
        if !is_unknown(finding) {
            continue;
        }
        let field = unknown(field);
        match texts.last_mut() {
            Some(text) if place == last => *text = format!("{text}, {field}"),
            _ => texts.push(format!(
                "decoding {place}: {STRICT}decoding args for plugin {plugin}: {STRICT}{field}"
            )),
        }
        last = place;
    }
    (!texts.is_empty()).then(|| format!("{STRICT}{}", texts.join(", ")))
}

const STRICT: &str = "strict decoding error: ";

fn unknown(path: &str) -> String {
    format!("unknown field {path:?}")
}

/// Whose arguments a path leads into.
struct Arguments<'p> {
    /// The entry of `pluginConfig`.
    place: String,
    plugin: &'p str,
    /// What is left of the path.
    field: Option<&'p str>,
}

impl<'p> Arguments<'p> {
    fn of(node: &'p Node<'_>, path: &'p str) -> Option<Self> {
        let (profile, rest) = path.strip_prefix("profiles[")?.split_once("].pluginConfig[")?;
        let (entry, field) = rest.split_once("].args")?;
        let profiles = node.get("profiles")?.items();
        let config = profiles.get(profile.parse::<usize>().ok()?)?.get("pluginConfig")?.items();
        let plugin = config.get(entry.parse::<usize>().ok()?)?.get("name");
        Some(Self {
            place: format!(".profiles[{profile}].pluginConfig[{entry}]"),
            plugin: plugin.and_then(Node::as_str).unwrap_or_default(),
            field: field.strip_prefix('.'),
        })
    }
}
