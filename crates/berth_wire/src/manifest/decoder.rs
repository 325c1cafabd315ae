//! The decoder's tools: one value at a time, every error noted, nothing given up.
//!
//! Follows Go's JSON decoder as the API server uses it (`sigs.k8s.io/json`, case-sensitive): `null` leaves the zero
//! value, and a value of the wrong type is an error in Go's words. Unlike Go's, this decoder goes on after an error.

use berth_core::api::{FieldError, FieldErrors, Labels, Quantity, ResourceList, Time};

use berth_core::collections::sort;

use super::finding::{Finding, Severity, Stage};
use super::path::Path;
use super::suggest::nearest;
use crate::tree::{Entry, Node, Value};

/// Findings of one object beyond this many are counted, not kept.
const MOST: usize = 200;

/// What stands where somebody asks what could stand there. No YAML has it.
pub(crate) const PROBE: &str = "\0";

/// What a decoder wants where [`PROBE`] stands.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Wanted {
    /// Go's type of the struct whose field it would be.
    pub(crate) strukt: String,
    /// The fields of that struct, read or not.
    pub(crate) fields: Vec<String>,
    /// Go's type of the value; empty if nobody reads it.
    pub(crate) type_name: String,
    /// The words that the value can be, where they are known.
    pub(crate) words: Vec<String>,
}

/// Collects what there is to say while an object is decoded.
#[derive(Debug, Default)]
pub(crate) struct Cx {
    /// What was wanted at the probe, if that is asked for.
    probe: Option<Box<Wanted>>,
    findings: Vec<Finding>,
    failed: bool,
    is_strict: bool,
    left_out: u32,
}

impl Cx {
    /// Notes what is wanted where [`PROBE`] stands.
    pub(crate) fn probing() -> Self {
        Self { probe: Some(Box::default()), ..Self::default() }
    }

    /// What was wanted there.
    pub(crate) fn wanted(self) -> Wanted {
        self.probe.map(|wanted| *wanted).unwrap_or_default()
    }

    /// At the probe's value: its type. The first one counts.
    pub(crate) fn wants_type(&mut self, node: &Node<'_>, type_name: &str) {
        if let Some(wanted) = &mut self.probe
            && node.as_str() == Some(PROBE)
            && wanted.type_name.is_empty()
        {
            type_name.clone_into(&mut wanted.type_name);
        }
    }

    /// At the probe's value: the words that it can be.
    pub(crate) fn wants_word(&mut self, text: &str, words: &[&str]) {
        if let Some(wanted) = &mut self.probe
            && text == PROBE
        {
            wanted.words = words.iter().map(|word| (*word).to_owned()).collect();
        }
    }

    /// At the probe's key: the struct that it stands in, and its fields.
    fn wants_field(&mut self, at: &Path<'_>, key: &str, fields: &[&str]) {
        if let Some(wanted) = &mut self.probe
            && key == PROBE
        {
            wanted.strukt = at.go_field().map(|(strukt, _)| strukt.to_owned()).unwrap_or_default();
            wanted.fields = fields.iter().map(|field| (*field).to_owned()).collect();
        }
    }

    /// Everything found, and whether there was an error.
    pub(crate) fn finish(mut self) -> (Vec<Finding>, bool) {
        if self.left_out > 0 {
            self.findings.push(Finding {
                severity: if self.failed { Severity::Error } else { Severity::Note },
                stage: Stage::Decoding,
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

    /// Counts a finding; says whether it is one too many to keep.
    fn is_full(&mut self, severity: Severity) -> bool {
        self.failed |= severity == Severity::Error;
        let full = self.findings.len() >= MOST;
        self.left_out += u32::from(full);
        full
    }

    fn push(
        &mut self,
        (severity, stage): (Severity, Stage),
        path: String,
        offset: u32,
        message: String,
        suggestion: Option<&str>,
    ) {
        let suggestion = suggestion.map(str::to_owned);
        self.findings.push(Finding { severity, stage, offset, path, message, suggestion });
    }

    fn say(
        &mut self,
        about: (Severity, Stage),
        at: &Path<'_>,
        offset: u32,
        message: impl Into<String>,
    ) {
        if !self.is_full(about.0) {
            self.push(about, at.to_string(), offset, message.into(), None);
        }
    }

    /// What cannot be decoded.
    pub(crate) fn error(&mut self, at: &Path<'_>, node: &Node<'_>, message: impl Into<String>) {
        self.say((Severity::Error, Stage::Decoding), at, node.start, message);
    }

    /// What is decoded and not valid. The error's field is below the place.
    pub(crate) fn invalid(&mut self, at: &Path<'_>, node: &Node<'_>, error: &FieldError) {
        self.field_error(Stage::Validation, at, node, error, None);
    }

    /// What is valid and of no use. The error's field is below the place.
    pub(crate) fn unusable(&mut self, at: &Path<'_>, node: &Node<'_>, error: &FieldError) {
        self.field_error(Stage::Construction, at, node, error, None);
    }

    /// Errors that the engine found below a field, each once.
    pub(crate) fn field_errors(&mut self, at: &Path<'_>, node: &Node<'_>, errors: FieldErrors) {
        let mut seen: Vec<FieldError> = Vec::new();
        for error in errors.into_vec() {
            if !seen.contains(&error) {
                self.invalid(at, node, &error);
                seen.push(error);
            }
        }
    }

    fn field_error(
        &mut self,
        stage: Stage,
        at: &Path<'_>,
        node: &Node<'_>,
        error: &FieldError,
        suggestion: Option<&str>,
    ) {
        if self.is_full(Severity::Error) {
            return;
        }
        let field = &*error.field;
        let joined = field.starts_with('[') || field.is_empty() || matches!(at, Path::Root);
        let dot = if joined { "" } else { "." };
        let path = format!("{at}{dot}{field}");
        self.push((Severity::Error, stage), path, node.start, error.body(), suggestion);
    }

    pub(crate) fn warn(&mut self, at: &Path<'_>, offset: u32, message: impl Into<String>) {
        self.say((Severity::Warning, Stage::Decoding), at, offset, message);
    }

    /// A value of the wrong type.
    pub(crate) fn mismatch(&mut self, at: &Path<'_>, node: &Node<'_>, wanted: &str) {
        self.wants_type(node, wanted);
        let found = match &node.value {
            Value::Number(text) if wanted.starts_with("int") => format!("number {text}"),
            _ => node.kind().to_owned(),
        };
        let place = match at.go_field() {
            Some((strukt, field)) => format!("struct field {strukt}.{field}"),
            None => "value".to_owned(),
        };
        let message = format!("json: cannot unmarshal {found} into Go {place} of type {wanted}");
        self.say((Severity::Error, Stage::Typing), at, node.start, message);
    }

    /// From here on unknown fields are refused.
    pub(crate) fn be_strict(&mut self) {
        self.is_strict = true;
    }

    /// A field that no arm of a decoder took: one of `known` is silently kept, any other is noted, or refused.
    pub(crate) fn other(&mut self, at: &Path<'_>, entry: &Entry<'_>, known: &[&str]) {
        if self.is_strict {
            return self.refuse(at, entry, known);
        }
        self.unknown((Severity::Note, Stage::Decoding), "", at, entry, known);
    }

    /// The same where unknown fields are always refused.
    pub(crate) fn refuse(&mut self, at: &Path<'_>, entry: &Entry<'_>, known: &[&str]) {
        let about = (Severity::Error, Stage::StrictDecoding);
        self.unknown(about, "strict decoding error: ", at, entry, known);
    }

    fn unknown(
        &mut self,
        about: (Severity, Stage),
        prefix: &str,
        at: &Path<'_>,
        entry: &Entry<'_>,
        known: &[&str],
    ) {
        self.wants_field(at, &entry.key, known);
        // Looking for what was meant takes time: not for thousands of fields.
        if !known.contains(&&*entry.key) && !self.is_full(about.0) {
            let suggestion = nearest(&entry.key, known);
            let message = format!("{prefix}unknown field {:?}", entry.key);
            self.push(about, at.to_string(), entry.start, message, suggestion);
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
        self.wants_type(node, "string");
        match &node.value {
            Value::String(text) => return text.clone().into_owned(),
            Value::Null => {}
            _ => self.mismatch(at, node, "string"),
        }
        String::new()
    }

    /// A text; none if the value is `null`.
    pub(crate) fn optional_string(&mut self, at: &Path<'_>, node: &Node<'_>) -> Option<String> {
        (!node.is_null()).then(|| self.string(at, node))
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
        const USUAL: &[&str] = &["cpu", "ephemeral-storage", "memory", "pods"];
        let entries = self.fields(at, node, "v1.ResourceList").iter();
        for e in entries.clone() {
            self.wants_field(&at.field("v1.ResourceList", &e.key), &e.key, USUAL);
        }
        entries
            .map(|e| (e.key.clone().into_owned(), self.quantity(&at.key(&e.key), &e.value)))
            .collect()
    }

    pub(crate) fn quantity(&mut self, at: &Path<'_>, node: &Node<'_>) -> Quantity {
        self.wants_type(node, "resource.Quantity");
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
        self.wants_type(node, "v1.Time");
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
        self.known(at, node, &text, all, name)
    }

    /// The word of a closed set that a text is.
    pub(crate) fn known<T: Copy>(
        &mut self,
        at: &Path<'_>,
        node: &Node<'_>,
        text: &str,
        all: &[T],
        name: fn(T) -> &'static str,
    ) -> Option<T> {
        let found = all.iter().copied().find(|word| name(*word) == text);
        if found.is_none() {
            let mut names: Vec<&str> = all.iter().map(|word| name(*word)).collect();
            self.wants_word(text, &names);
            sort(&mut names);
            let error = FieldError::not_supported(String::new(), text, &names);
            self.field_error(Stage::Validation, at, node, &error, nearest(text, &names));
        }
        found
    }
}
