//! The hash of a pod template, from which ReplicaSets and the revisions of a Deployment have their names.
//!
//! Kubernetes hashes what `go-spew` prints of the whole template, with every field and its type
//! (`ComputeHash` in `pkg/controller/controller_utils.go`, `k8s.io/utils/dump`). So the hash hangs on the names and the
//! order of Go's fields (`types.txt`, as reflection lists them for v1.36.3) and on the API server's defaults. Deviations:
//! owners and managed fields of a template are left out, and so is the label that holds the hash itself.

mod defaults;
mod quantity;

use std::collections::BTreeMap;
use std::fmt::{self, Write};
use std::sync::OnceLock;

use defaults::default;

use crate::tree::{Node, Value};

/// `type`, then a line for each field, indented: its name in Go, its type, its name in JSON if it has one of its own.
const TYPES: &str = include_str!("types.txt");

/// The label that tells the ReplicaSets of a Deployment apart.
const HASH_LABEL: &str = "pod-template-hash";

struct Field {
    name: &'static str,
    kind: &'static str,
    /// Empty if its own fields stand among those of the struct.
    json: &'static str,
}

fn types() -> &'static BTreeMap<&'static str, Vec<Field>> {
    static ALL: OnceLock<BTreeMap<&'static str, Vec<Field>>> = OnceLock::new();
    ALL.get_or_init(|| {
        let mut all = BTreeMap::new();
        let mut current = "";
        for line in TYPES.lines() {
            let mut words = line.split_whitespace();
            match (line.starts_with(' '), words.next(), words.next()) {
                (true, Some(name), Some(kind)) => {
                    let json = words.next().unwrap_or("");
                    all.entry(current).or_insert_with(Vec::new).push(Field { name, kind, json });
                }
                (_, name, _) => current = name.unwrap_or(""),
            }
        }
        all
    })
}

/// The hash before it is told how often it has collided.
pub(super) fn digest(template: &Node<'_>) -> u32 {
    let mut hash = Fnv(0x811c_9dc5);
    // Hashing cannot fail.
    let _ = write(&mut hash, "v1.PodTemplateSpec", Given::Node(template), true);
    hash.0
}

/// FNV-1a in 32 bits.
struct Fnv(u32);

impl Write for Fnv {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        for byte in text.bytes() {
            self.0 = (self.0 ^ u32::from(byte)).wrapping_mul(0x0100_0193);
        }
        Ok(())
    }
}

/// What a field holds.
#[derive(Clone, Copy)]
enum Given<'n, 'a> {
    /// Nothing.
    Nothing,
    /// What is written.
    Node(&'n Node<'a>),
    /// A default.
    Text(&'n str),
    /// A default that has no fields of its own.
    Object,
}

impl<'n, 'a> Given<'n, 'a> {
    /// What is empty is not sent, and comes out as nothing.
    fn of(node: Option<&'n Node<'a>>) -> Self {
        match node {
            Some(node) if !node.is_null() => Self::Node(node),
            _ => Self::Nothing,
        }
    }

    fn get(self, key: &str) -> Option<&'n Node<'a>> {
        match self {
            Self::Node(node) => node.get(key).filter(|node| !node.is_null()),
            _ => None,
        }
    }

    fn text(self) -> &'n str {
        match self {
            Self::Node(Node { value: Value::String(text) | Value::Number(text), .. }) => text,
            Self::Node(Node { value: Value::Bool(true), .. }) => "true",
            Self::Text(text) => text,
            _ => "",
        }
    }
}

/// What `go-spew` prints of a value of this Go type.
fn write(out: &mut impl Write, kind: &str, given: Given<'_, '_>, typed: bool) -> fmt::Result {
    if typed {
        write!(out, "({kind})")?;
    }
    if let Some(kind) = kind.strip_prefix('*') {
        return match given {
            Given::Nothing => out.write_str("<nil>"),
            given => write(out, kind, given, false),
        };
    }
    if let Some(kind) = kind.strip_prefix("[]") {
        return list(out, kind, given);
    }
    match kind {
        "v1.ResourceList" => map(out, "resource.Quantity", given),
        "resource.Quantity" => quantity::write(out, given.text()),
        "v1.Time" => out
            .write_str("{Time:(time.Time){wall:(uint64)0 ext:(int64)0 loc:(*time.Location)<nil>}}"),
        "intstr.IntOrString" => int_or_string(out, given),
        _ => match (kind.strip_prefix("map[string]"), types().get(kind)) {
            (Some(kind), _) => map(out, kind, given),
            (None, Some(fields)) => object(out, kind, fields, given),
            (None, None) => scalar(out, kind, given),
        },
    }
}

fn list(out: &mut impl Write, kind: &str, given: Given<'_, '_>) -> fmt::Result {
    let items = match given {
        Given::Node(node) => node.items(),
        _ => &[],
    };
    if items.is_empty() {
        return out.write_str("<nil>");
    }
    for (place, item) in items.iter().enumerate() {
        out.write_str(if place == 0 { "[" } else { " " })?;
        write(out, kind, Given::of(Some(item)), false)?;
    }
    out.write_str("]")
}

fn map(out: &mut impl Write, kind: &str, given: Given<'_, '_>) -> fmt::Result {
    let entries = match given {
        Given::Node(node) => node.entries(),
        _ => &[],
    };
    let mut sorted: BTreeMap<&str, &Node<'_>> =
        entries.iter().map(|entry| (&*entry.key, &entry.value)).collect();
    sorted.remove(HASH_LABEL);
    if sorted.is_empty() {
        return out.write_str("<nil>");
    }
    out.write_str("map")?;
    for (place, (key, value)) in sorted.into_iter().enumerate() {
        write!(out, "{}{key}:", if place == 0 { "[" } else { " " })?;
        write(out, kind, Given::of(Some(value)), false)?;
    }
    out.write_str("]")
}

fn object(out: &mut impl Write, kind: &str, fields: &[Field], given: Given<'_, '_>) -> fmt::Result {
    for (place, field) in fields.iter().enumerate() {
        write!(out, "{}{}:", if place == 0 { "{" } else { " " }, field.name)?;
        let own = if field.json.is_empty() {
            given
        } else {
            match Given::of(given.get(field.json)) {
                Given::Nothing => default(kind, field.json, given),
                own => own,
            }
        };
        write(out, field.kind, own, true)?;
    }
    out.write_str("}")
}

fn int_or_string(out: &mut impl Write, given: Given<'_, '_>) -> fmt::Result {
    let text = given.text();
    let (kind, number, text) = match given {
        Given::Node(Node { value: Value::String(_), .. }) => (1, "0", text),
        _ => (0, if text.is_empty() { "0" } else { text }, ""),
    };
    write!(out, "{{Type:(intstr.Type){kind} IntVal:(int32){number} StrVal:(string){text}}}")
}

fn scalar(out: &mut impl Write, kind: &str, given: Given<'_, '_>) -> fmt::Result {
    let text = given.text();
    out.write_str(match kind {
        "bool" if text.is_empty() => "false",
        _ if kind.starts_with("int") && text.is_empty() => "0",
        _ => text,
    })
}

#[cfg(test)]
mod tests;
