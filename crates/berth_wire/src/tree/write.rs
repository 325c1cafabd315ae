//! Writing trees: JSON in one line or in many, YAML in block style.

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

/// The tree as JSON with a line a value, four spaces deep, as `kubectl -o json` prints it.
pub fn json_pretty(node: &Node<'_>) -> String {
    let mut out = String::new();
    pretty_into(node, 1, &mut out);
    out.push('\n');
    out
}

fn pretty_into(node: &Node<'_>, depth: usize, out: &mut String) {
    let line = |depth: usize, out: &mut String| {
        out.push('\n');
        out.extend(std::iter::repeat_n("    ", depth));
    };
    match &node.value {
        Value::Sequence(items) if !items.is_empty() => {
            out.push('[');
            for (i, item) in items.iter().enumerate() {
                if i > 0 {
                    out.push(',');
                }
                line(depth, out);
                pretty_into(item, depth + 1, out);
            }
            line(depth - 1, out);
            out.push(']');
        }
        Value::Mapping(entries) if !entries.is_empty() => {
            out.push('{');
            for (i, entry) in entries.iter().enumerate() {
                if i > 0 {
                    out.push(',');
                }
                line(depth, out);
                json_string(&entry.key, out);
                out.push_str(": ");
                pretty_into(&entry.value, depth + 1, out);
            }
            line(depth - 1, out);
            out.push('}');
        }
        _ => json_into(node, out),
    }
}

/// The tree as YAML in block style, as `kubectl -o yaml` prints it: lists not indented, quotes where a reader of
/// YAML 1.1 or 1.2 could take the text for something else.
pub fn yaml(node: &Node<'_>) -> String {
    let mut out = String::new();
    yaml_into(node, 0, &mut out);
    if !out.ends_with('\n') {
        out.push('\n');
    }
    out
}

/// Writes a value at the end of a line that is `indent` deep; what follows on further lines is deeper.
fn yaml_into(node: &Node<'_>, indent: usize, out: &mut String) {
    match &node.value {
        Value::Sequence(items) if !items.is_empty() => {
            for (i, item) in items.iter().enumerate() {
                if i > 0 {
                    spaces(indent, out);
                }
                out.push_str("- ");
                yaml_into(item, indent + 2, out);
                end_line(out);
            }
        }
        Value::Mapping(entries) if !entries.is_empty() => {
            for (i, entry) in entries.iter().enumerate() {
                if i > 0 {
                    spaces(indent, out);
                }
                yaml_key(&entry.key, out);
                out.push(':');
                match &entry.value.value {
                    Value::Sequence(items) if !items.is_empty() => {
                        out.push('\n');
                        spaces(indent, out);
                        yaml_into(&entry.value, indent, out);
                    }
                    Value::Mapping(entries) if !entries.is_empty() => {
                        out.push('\n');
                        spaces(indent + 2, out);
                        yaml_into(&entry.value, indent + 2, out);
                    }
                    _ => {
                        out.push(' ');
                        yaml_into(&entry.value, indent + 2, out);
                    }
                }
                end_line(out);
            }
        }
        Value::String(text) => yaml_string(text, indent, out),
        _ => json_into(node, out),
    }
}

fn end_line(out: &mut String) {
    if !out.ends_with('\n') {
        out.push('\n');
    }
}

fn spaces(count: usize, out: &mut String) {
    out.extend(std::iter::repeat_n(' ', count));
}

fn yaml_key(text: &str, out: &mut String) {
    if is_plain(text) { out.push_str(text) } else { quoted(text, out) }
}

fn yaml_string(text: &str, indent: usize, out: &mut String) {
    if is_plain(text) {
        out.push_str(text);
    } else if is_block(text) {
        let body = text.trim_end_matches('\n');
        out.push_str(match text.len() - body.len() {
            0 => "|-",
            1 => "|",
            _ => "|+",
        });
        for line in text.strip_suffix('\n').unwrap_or(text).split('\n') {
            out.push('\n');
            if !line.is_empty() {
                // The document itself may be the text.
                spaces(indent.max(2), out);
                out.push_str(line);
            }
        }
        out.push('\n');
    } else {
        quoted(text, out);
    }
}

/// Whether a text is good as a literal block: several lines, all of them printable, and the first of them tells the
/// indentation.
fn is_block(text: &str) -> bool {
    text.trim_end_matches('\n').contains('\n')
        && !text.starts_with([' ', '\n', '\t'])
        && text.chars().all(|c| c == '\n' || c == '\t' || is_printable(c))
}

/// Whether YAML shows a character as it is, on one line.
fn is_printable(c: char) -> bool {
    !c.is_control() && !matches!(c, '\u{2028}' | '\u{2029}' | '\u{FEFF}' | '\u{FFFE}' | '\u{FFFF}')
}

/// Whether a text without quotes means itself, whoever reads it.
fn is_plain(text: &str) -> bool {
    // Dates, and numbers to base 60: some readers of YAML 1.1 know them.
    let looks_like_a_time = || {
        text.starts_with(|c: char| c.is_ascii_digit() || c == '-' || c == '+')
            && text.bytes().all(|byte| byte.is_ascii_digit() || b"+-.:_TtZz".contains(&byte))
            && text.contains([':', '-', '+'])
    };
    // An indicator that is harmless before a letter.
    let opens = text.starts_with('-')
        && !text.starts_with("---")
        && text.get(1..2).is_some_and(|c| c.trim() == c);
    !text.is_empty()
        && (opens || !text.starts_with('-'))
        && !text.starts_with(|c: char| c.is_whitespace() || "?:,[]{}#&*!|>'\"%@`=<~".contains(c))
        && !text.ends_with(|c: char| c.is_whitespace() || c == ':')
        && !text.contains(": ")
        && !text.contains(" #")
        && !text.starts_with("...")
        && text.chars().all(is_printable)
        && matches!(super::scalar::resolve(text), Ok(None))
        && !looks_like_a_time()
}

/// In double quotes, as JSON, with what YAML cannot show escaped too.
fn quoted(text: &str, out: &mut String) {
    let start = out.len();
    json_string(text, out);
    if text.chars().all(|c| is_printable(c) || c.is_ascii()) && !text.contains('\u{7F}') {
        return;
    }
    let json = out.split_off(start);
    for c in json.chars() {
        if is_printable(c) {
            out.push(c);
        } else {
            // Everything unprintable has at most four digits.
            out.push_str("\\u");
            let code = c as u32;
            out.extend(
                [12, 8, 4, 0].map(|shift| char::from_digit(code >> shift & 15, 16).unwrap_or('0')),
            );
        }
    }
}

#[cfg(test)]
mod tests;
