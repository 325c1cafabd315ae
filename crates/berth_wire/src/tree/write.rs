//! Writing trees: JSON in one line.

use super::{Node, Value};

/// The tree as JSON without white space, keys in their order.
pub fn json(node: &Node<'_>) -> String {
    let mut out = String::new();
    json_into(node, &mut out);
    out
}

/// Appends the tree as JSON.
pub fn json_into(node: &Node<'_>, out: &mut String) {
    match &node.value {
        Value::Null => out.push_str("null"),
        Value::Bool(value) => out.push_str(if *value { "true" } else { "false" }),
        Value::Number(text) => out.push_str(text),
        Value::String(text) => json_string(text, out),
        Value::Sequence(items) => {
            out.push('[');
            for (i, item) in items.iter().enumerate() {
                if i > 0 {
                    out.push(',');
                }
                json_into(item, out);
            }
            out.push(']');
        }
        Value::Mapping(entries) => {
            out.push('{');
            for (i, entry) in entries.iter().enumerate() {
                if i > 0 {
                    out.push(',');
                }
                json_string(&entry.key, out);
                out.push(':');
                json_into(&entry.value, out);
            }
            out.push('}');
        }
    }
}

/// Appends a string in quotes.
pub fn json_string(text: &str, out: &mut String) {
    out.push('"');
    let mut rest = text;
    while let Some(at) = rest.bytes().position(|byte| matches!(byte, b'"' | b'\\' | 0..0x20)) {
        let (plain, tail) = rest.split_at(at);
        out.push_str(plain);
        let mut chars = tail.chars();
        match chars.next() {
            Some('\n') => out.push_str("\\n"),
            Some('\t') => out.push_str("\\t"),
            Some('\r') => out.push_str("\\r"),
            Some(c @ ('"' | '\\')) => out.extend(['\\', c]),
            Some(c) => {
                out.push_str("\\u00");
                let code = c as u32;
                out.extend(
                    [code / 16, code % 16].map(|digit| char::from_digit(digit, 16).unwrap_or('0')),
                );
            }
            None => {}
        }
        rest = chars.as_str();
    }
    out.push_str(rest);
    out.push('"');
}
