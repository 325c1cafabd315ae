//! Errors about a field, in the API server's words.
//!
//! Mirrors `util/validation/field/errors.go` and the aggregate of `util/errors/errors.go` of apimachinery.

use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

/// What is wrong with a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum FieldErrorKind {
    /// What the field refers to does not exist.
    NotFound,
    /// The field is missing or empty.
    Required,
    /// The value is there already.
    Duplicate,
    /// The value is malformed or out of range.
    Invalid,
    /// The value is not one of the known ones.
    NotSupported,
    /// The value is fine in itself, but not here.
    Forbidden,
    /// The value has too many bytes.
    TooLong,
    /// The list has too many items.
    TooMany,
    /// The check itself failed.
    Internal,
}

impl FieldErrorKind {
    /// Kubernetes' words for it.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::NotFound => "Not found",
            Self::Required => "Required value",
            Self::Duplicate => "Duplicate value",
            Self::Invalid => "Invalid value",
            Self::NotSupported => "Unsupported value",
            Self::Forbidden => "Forbidden",
            Self::TooLong => "Too long",
            Self::TooMany => "Too many",
            Self::Internal => "Internal error",
        }
    }
}

/// The value that an error is about.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum BadValue {
    /// Not shown.
    Omitted,
    /// A whole number.
    Integer(i64),
    /// A text, shown in quotes.
    Text(String),
    /// Anything else, shown as this JSON.
    Json(String),
}

impl BadValue {
    /// A word of the API, which is a type of its own in Go.
    #[must_use]
    pub fn word(word: &str) -> Self {
        Self::Json(json_string(word))
    }

    /// A list of texts; an empty one is `[]`.
    #[must_use]
    pub fn list(values: &[String]) -> Self {
        Self::Json(json_list(values))
    }
}

/// One error about one field. `Display` gives `field: kind: value: detail`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FieldError {
    /// What is wrong.
    pub kind: FieldErrorKind,
    /// The field, like `spec.containers[0].name`.
    pub field: String,
    /// The value that is wrong.
    pub bad_value: BadValue,
    /// Further words; may be empty.
    pub detail: String,
}

impl FieldError {
    /// A malformed value.
    #[must_use]
    pub fn invalid(field: String, bad_value: BadValue, detail: &str) -> Self {
        Self { kind: FieldErrorKind::Invalid, field, bad_value, detail: detail.to_owned() }
    }

    /// A missing value.
    #[must_use]
    pub fn required(field: String, detail: &str) -> Self {
        Self {
            kind: FieldErrorKind::Required,
            field,
            bad_value: BadValue::Omitted,
            detail: detail.to_owned(),
        }
    }

    /// A value that is there already.
    #[must_use]
    pub fn duplicate(field: String, bad_value: BadValue) -> Self {
        Self { kind: FieldErrorKind::Duplicate, field, bad_value, detail: String::new() }
    }

    /// A value that may not be there.
    #[must_use]
    pub fn forbidden(field: String, detail: &str) -> Self {
        Self {
            kind: FieldErrorKind::Forbidden,
            field,
            bad_value: BadValue::Omitted,
            detail: detail.to_owned(),
        }
    }

    /// A word that is not one of `supported`. Go shows a text of a type of its own as JSON.
    #[must_use]
    pub fn not_supported(field: String, value: &str, supported: &[&str]) -> Self {
        let quoted: Vec<String> = supported.iter().map(|v| quote(v)).collect();
        let detail = if quoted.is_empty() {
            String::new()
        } else {
            format!("supported values: {}", quoted.join(", "))
        };
        Self { kind: FieldErrorKind::NotSupported, field, bad_value: BadValue::word(value), detail }
    }
}

impl FieldError {
    /// The error without its field (`ErrorBody`).
    #[must_use]
    pub fn body(&self) -> String {
        format!("{}", Body(self))
    }
}

impl fmt::Display for FieldError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.field, Body(self))
    }
}

struct Body<'e>(&'e FieldError);

impl fmt::Display for Body<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let FieldError { kind, bad_value, detail, .. } = self.0;
        f.write_str(kind.as_str())?;
        match bad_value {
            BadValue::Omitted => {}
            BadValue::Integer(n) => write!(f, ": {n}")?,
            BadValue::Text(text) => write!(f, ": {}", quote(text))?,
            BadValue::Json(json) => write!(f, ": {json}")?,
        }
        if detail.is_empty() { Ok(()) } else { write!(f, ": {detail}") }
    }
}

impl core::error::Error for FieldError {}

/// Errors about fields, at least one. `Display` joins them as Kubernetes' aggregate does: each text once, in brackets
/// if there are several.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FieldErrors(Vec<FieldError>);

impl FieldErrors {
    /// The errors as a failure, or success if there are none.
    pub fn check(errors: Vec<FieldError>) -> Result<(), Self> {
        if errors.is_empty() { Ok(()) } else { Err(Self(errors)) }
    }

    /// The errors, in the order in which they were found.
    #[must_use]
    pub fn as_slice(&self) -> &[FieldError] {
        &self.0
    }

    /// The errors themselves.
    #[must_use]
    pub fn into_vec(self) -> Vec<FieldError> {
        self.0
    }
}

impl From<FieldError> for FieldErrors {
    fn from(error: FieldError) -> Self {
        Self(alloc::vec![error])
    }
}

impl fmt::Display for FieldErrors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut texts: Vec<String> = Vec::new();
        for error in &self.0 {
            let text = format!("{error}");
            if !texts.contains(&text) {
                texts.push(text);
            }
        }
        match texts.as_slice() {
            [text] => f.write_str(text),
            texts => write!(f, "[{}]", texts.join(", ")),
        }
    }
}

impl core::error::Error for FieldErrors {}

/// A field's place in an object: its parent's path and its name.
#[must_use]
pub fn child(path: &str, name: &str) -> String {
    if path.is_empty() { name.to_owned() } else { format!("{path}.{name}") }
}

/// An entry's place in a list.
#[must_use]
pub fn index(path: &str, index: usize) -> String {
    format!("{path}[{index}]")
}

/// A text in quotes with Go's escapes (`strconv.Quote`).
#[must_use]
pub fn quote(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '\u{7}' => out.push_str("\\a"),
            '\u{8}' => out.push_str("\\b"),
            '\u{b}' => out.push_str("\\v"),
            '\u{c}' => out.push_str("\\f"),
            c if is_printable(c) => out.push(c),
            c => {
                let n = u32::from(c);
                out.push('\\');
                let (letter, width) = match n {
                    ..0x80 => ('x', 2),
                    0x80..0x1_0000 => ('u', 4),
                    _ => ('U', 8),
                };
                out.push(letter);
                push_hex(&mut out, n, width);
            }
        }
    }
    out.push('"');
    out
}

/// Appends the last `width` hexadecimal digits.
fn push_hex(out: &mut String, n: u32, width: u32) {
    out.extend((0..width).rev().filter_map(|i| char::from_digit((n >> (4 * i)) & 0xf, 16)));
}

/// Whether Rust's own debug form leaves the character as it is. After another character that depends on its general
/// category alone, as Go's `IsPrint` does.
fn is_printable(c: char) -> bool {
    let mut buffer = [b'a'; 5];
    let Some(tail) = buffer.get_mut(1..) else { return false };
    let len = 1 + c.encode_utf8(tail).len();
    let text = buffer.get(..len).and_then(|b| core::str::from_utf8(b).ok()).unwrap_or_default();
    matches!(c, '"' | '\'' | '\\') || text.escape_debug().nth(1) == Some(c)
}

/// A JSON list of texts.
pub(crate) fn json_list(values: &[String]) -> String {
    let quoted: Vec<String> = values.iter().map(|v| json_string(v)).collect();
    format!("[{}]", quoted.join(","))
}

/// A JSON string as Go's encoder writes it, which escapes what HTML would read.
#[must_use]
pub fn json_string(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '\u{8}' => out.push_str("\\b"),
            '\u{c}' => out.push_str("\\f"),
            '\0'..='\u{1f}' | '<' | '>' | '&' | '\u{2028}' | '\u{2029}' => {
                out.push_str("\\u");
                push_hex(&mut out, c.into(), 4);
            }
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::ToString;

    fn invalid(field: &str, bad_value: BadValue) -> FieldError {
        FieldError::invalid(field.to_owned(), bad_value, "no good")
    }

    #[test]
    fn one_error() {
        assert_eq!(
            invalid("a", BadValue::Text("x".to_owned())).to_string(),
            "a: Invalid value: \"x\": no good"
        );
        assert_eq!(
            invalid("a", BadValue::Integer(-1)).to_string(),
            "a: Invalid value: -1: no good"
        );
        assert_eq!(invalid("a", BadValue::list(&[])).to_string(), "a: Invalid value: []: no good");
        assert_eq!(
            invalid("a", BadValue::list(&["x".to_owned(), "<\u{1}".to_owned()])).to_string(),
            "a: Invalid value: [\"x\",\"\\u003c\\u0001\"]: no good"
        );
        assert_eq!(FieldError::required("a.b".to_owned(), "").to_string(), "a.b: Required value");
        assert_eq!(
            FieldError::not_supported("a".to_owned(), "x", &["y", "z"]).to_string(),
            "a: Unsupported value: \"x\": supported values: \"y\", \"z\""
        );
    }

    #[test]
    fn several_errors_are_in_brackets_and_each_is_there_once() {
        let (a, b) = (invalid("a", BadValue::Omitted), invalid("b", BadValue::Omitted));
        let twice = FieldErrors(alloc::vec![a.clone(), a.clone()]);
        assert_eq!(twice.to_string(), "a: Invalid value: no good");
        let two = FieldErrors(alloc::vec![a.clone(), b, a]);
        assert_eq!(two.to_string(), "[a: Invalid value: no good, b: Invalid value: no good]");
    }

    #[test]
    fn quotes_are_go_quotes() {
        // What `strconv.Quote` prints for each.
        for (text, want) in [
            ("", r#""""#),
            ("a\"b\\c'", r#""a\"b\\c'""#),
            ("\0\u{7}\u{1b}\u{7f}", r#""\x00\a\x1b\x7f""#),
            ("ä\u{301}\u{200b}\u{a0}", "\"ä\u{301}\\u200b\\u00a0\""),
            ("\u{10ffff}", r#""\U0010ffff""#),
        ] {
            assert_eq!(quote(text), want);
        }
    }
}
