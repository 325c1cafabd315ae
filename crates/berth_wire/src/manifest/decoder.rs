//! The decoder's tools: one value at a time, every error noted, nothing given up.
//!
//! Follows Go's JSON decoder as the API server uses it (`sigs.k8s.io/json`, case-sensitive): `null` leaves the zero
//! value, and a value of the wrong type is an error in Go's words. Unlike Go's, this decoder goes on after an error.

use berth_core::api::{FieldErrors, Labels, Quantity, ResourceList, Time};

use berth_core::collections::sort;

use super::finding::{Finding, Severity};
use super::path::Path;
use super::suggest::nearest;
use crate::tree::{Entry, Node, Value};

/// Findings of one object beyond this many are counted, not kept.
const MOST: usize = 200;

/// Collects what there is to say while an object is decoded.
#[derive(Debug, Default)]
pub(crate) struct Cx {
    findings: Vec<Finding>,
    failed: bool,
    left_out: u32,
}

impl Cx {
    /// Everything found, and whether there was an error.
    pub(crate) fn finish(mut self) -> (Vec<Finding>, bool) {
        if self.left_out > 0 {
            self.findings.push(Finding {
                severity: if self.failed { Severity::Error } else { Severity::Note },
                offset: 0,
                path: String::new(),
                message: format!("{} more like these", self.left_out),
                suggestion: None,
            });
        }
        (self.findings, self.failed)
    }

    pub(crate) const fn failed(&self) -> bool {
        self.failed
    }

    fn push(
        &mut self,
        severity: Severity,
        at: &Path<'_>,
        offset: u32,
        message: String,
        suggestion: Option<&str>,
    ) {
        if !self.is_full(severity) {
            self.push_at(severity, at.to_string(), offset, message, suggestion);
        }
    }

    /// Counts a finding; says whether it is one too many to keep.
    fn is_full(&mut self, severity: Severity) -> bool {
        self.failed |= severity == Severity::Error;
        let full = self.findings.len() >= MOST;
        self.left_out += u32::from(full);
        full
    }

    fn push_at(
        &mut self,
        severity: Severity,
        path: String,
        offset: u32,
        message: String,
        suggestion: Option<&str>,
    ) {
        let suggestion = suggestion.map(str::to_owned);
        self.findings.push(Finding { severity, offset, path, message, suggestion });
    }

    pub(crate) fn error(&mut self, at: &Path<'_>, node: &Node<'_>, message: impl Into<String>) {
        self.push(Severity::Error, at, node.start, message.into(), None);
    }

    /// Errors that the engine found below a field.
    pub(crate) fn field_errors(&mut self, at: &Path<'_>, node: &Node<'_>, errors: FieldErrors) {
        for error in errors.into_vec() {
            if self.is_full(Severity::Error) {
                continue;
            }
            let text = error.to_string();
            let message = text
                .strip_prefix(&*error.field)
                .and_then(|text| text.strip_prefix(": "))
                .unwrap_or(&text);
            let joined =
                error.field.starts_with('[') || error.field.is_empty() || matches!(at, Path::Root);
            let dot = if joined { "" } else { "." };
            let path = format!("{at}{dot}{}", error.field);
            self.push_at(Severity::Error, path, node.start, message.to_owned(), None);
        }
    }

    pub(crate) fn warn(&mut self, at: &Path<'_>, offset: u32, message: impl Into<String>) {
        self.push(Severity::Warning, at, offset, message.into(), None);
    }

    /// A value of the wrong type.
    pub(crate) fn mismatch(&mut self, at: &Path<'_>, node: &Node<'_>, wanted: &str) {
        let found = match &node.value {
            Value::Number(text) if wanted.starts_with("int") => format!("number {text}"),
            _ => node.kind().to_owned(),
        };
        let place = match at.go_field() {
            Some((strukt, field)) => format!("struct field {strukt}.{field}"),
            None => "value".to_owned(),
        };
        self.error(
            at,
            node,
            format!("json: cannot unmarshal {found} into Go {place} of type {wanted}"),
        );
    }

    /// A field that no arm of a decoder took: one of `known` is silently kept, any other is noted.
    pub(crate) fn other(&mut self, at: &Path<'_>, entry: &Entry<'_>, known: &[&str]) {
        self.unknown(Severity::Note, "", at, entry, known);
    }

    /// The same where unknown fields are refused.
    pub(crate) fn refuse(&mut self, at: &Path<'_>, entry: &Entry<'_>, known: &[&str]) {
        self.unknown(Severity::Error, "strict decoding error: ", at, entry, known);
    }

    fn unknown(
        &mut self,
        severity: Severity,
        prefix: &str,
        at: &Path<'_>,
        entry: &Entry<'_>,
        known: &[&str],
    ) {
        // Looking for what was meant takes time: not for thousands of fields.
        if !known.contains(&&*entry.key) && !self.is_full(severity) {
            let suggestion = nearest(&entry.key, known);
            let message = format!("{prefix}unknown field {:?}", entry.key);
            self.push_at(severity, at.to_string(), entry.start, message, suggestion);
        }
    }

    /// The fields of a struct.
    pub(crate) fn fields<'n, 'a>(
        &mut self,
        at: &Path<'_>,
        node: &'n Node<'a>,
        strukt: &str,
    ) -> &'n [Entry<'a>] {
        match &node.value {
            Value::Mapping(entries) => return entries,
            Value::Null => {}
            _ => self.mismatch(at, node, strukt),
        }
        &[]
    }

    pub(crate) fn string(&mut self, at: &Path<'_>, node: &Node<'_>) -> String {
        match &node.value {
            Value::String(text) => return text.clone().into_owned(),
            Value::Null => {}
            _ => self.mismatch(at, node, "string"),
        }
        String::new()
    }

    pub(crate) fn boolean(&mut self, at: &Path<'_>, node: &Node<'_>) -> bool {
        match &node.value {
            Value::Bool(value) => return *value,
            Value::Null => {}
            _ => self.mismatch(at, node, "bool"),
        }
        false
    }

    pub(crate) fn int64(&mut self, at: &Path<'_>, node: &Node<'_>) -> Option<i64> {
        self.integer(at, node, "int64")
    }

    pub(crate) fn int32(&mut self, at: &Path<'_>, node: &Node<'_>) -> Option<i32> {
        self.integer(at, node, "int32")
    }

    fn integer<T: std::str::FromStr>(
        &mut self,
        at: &Path<'_>,
        node: &Node<'_>,
        wanted: &str,
    ) -> Option<T> {
        match &node.value {
            Value::Null => return None,
            Value::Number(text) => {
                if let Ok(value) = text.parse() {
                    return Some(value);
                }
            }
            _ => {}
        }
        self.mismatch(at, node, wanted);
        None
    }

    pub(crate) fn list<T>(
        &mut self,
        at: &Path<'_>,
        node: &Node<'_>,
        wanted: &str,
        item: impl Fn(&mut Self, &Path<'_>, &Node<'_>) -> T,
    ) -> Vec<T> {
        match &node.value {
            Value::Sequence(items) => {
                return items
                    .iter()
                    .enumerate()
                    .map(|(i, node)| item(self, &at.index(i), node))
                    .collect();
            }
            Value::Null => {}
            _ => self.mismatch(at, node, wanted),
        }
        Vec::new()
    }

    pub(crate) fn strings(&mut self, at: &Path<'_>, node: &Node<'_>) -> Vec<String> {
        self.list(at, node, "[]string", Self::string)
    }

    pub(crate) fn labels(&mut self, at: &Path<'_>, node: &Node<'_>) -> Labels {
        let entries = self.fields(at, node, "map[string]string").iter();
        entries
            .map(|e| (e.key.clone().into_owned(), self.string(&at.key(&e.key), &e.value)))
            .collect()
    }

    pub(crate) fn resources(&mut self, at: &Path<'_>, node: &Node<'_>) -> ResourceList {
        let entries = self.fields(at, node, "v1.ResourceList").iter();
        entries
            .map(|e| (e.key.clone().into_owned(), self.quantity(&at.key(&e.key), &e.value)))
            .collect()
    }

    pub(crate) fn quantity(&mut self, at: &Path<'_>, node: &Node<'_>) -> Quantity {
        let text = match &node.value {
            Value::Null => return Quantity::default(),
            Value::String(text) | Value::Number(text) => text.trim(),
            // Go hands the raw text to the quantity's parser, which refuses all of these.
            Value::Bool(_) | Value::Sequence(_) | Value::Mapping(_) => "{}",
        };
        Quantity::parse(text).unwrap_or_else(|error| {
            self.error(at, node, error.to_string());
            Quantity::default()
        })
    }

    pub(crate) fn time(&mut self, at: &Path<'_>, node: &Node<'_>) -> Option<Time> {
        let text = match &node.value {
            Value::Null => return None,
            Value::String(text) => text,
            _ => {
                self.mismatch(at, node, "string");
                return None;
            }
        };
        super::time::parse(text).map_err(|error| self.error(at, node, error)).ok()
    }

    /// One word of a closed set. Empty text is no word.
    pub(crate) fn word<T: Copy>(
        &mut self,
        at: &Path<'_>,
        node: &Node<'_>,
        all: &[T],
        name: fn(T) -> &'static str,
    ) -> Option<T> {
        let text = self.string(at, node);
        if text.is_empty() {
            return None;
        }
        let found = all.iter().copied().find(|word| name(*word) == text);
        if found.is_none() && !self.is_full(Severity::Error) {
            let mut names: Vec<&str> = all.iter().map(|word| name(*word)).collect();
            sort(&mut names);
            let message = unsupported(&text, &names);
            self.push_at(
                Severity::Error,
                at.to_string(),
                node.start,
                message,
                nearest(&text, &names),
            );
        }
        found
    }
}

/// The API server's words for a value outside a closed set (`field.NotSupported`).
pub(crate) fn unsupported(text: &str, names: &[&str]) -> String {
    let names: Vec<String> = names.iter().map(|name| format!("{name:?}")).collect();
    format!("Unsupported value: {text:?}: supported values: {}", names.join(", "))
}
