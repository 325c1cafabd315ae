//! Reading whole inputs: several files, lists, streams, snapshots.

use std::sync::Arc;

use berth_core::collections::Index;

use berth_core::api::{FieldError, Object, ObjectKey};
use berth_core::framework::config::Configuration;

use super::finding::{Finding, Problem, Severity, Stage};
use super::limits::Entrance;
use super::{Content, Decoded, Foreign, decode, home, type_of};
use crate::tree::{
    Entry, Lines, Node, Piece, Position, Stream, SyntaxError, Value, place_of, repeated_keys, write,
};

/// Problems beyond this many are counted, not kept.
const MOST_PROBLEMS: usize = 1000;

/// A text with a name.
#[derive(Clone, Copy, Debug)]
pub struct Source<'a> {
    /// File name, or another word for where it is from.
    pub name: &'a str,
    /// The text.
    pub text: &'a str,
}

/// What came in.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// The objects, in the order of the input. An object that came twice stands in the place of the first, with the
    /// content of the last.
    pub items: Vec<Item>,
    /// The scheduler's configuration, if there was one.
    pub configuration: Option<Configuration>,
    /// The configuration as it came.
    pub configuration_text: Option<Box<str>>,
    /// Objects of kinds that Berth does not know.
    pub others: Vec<Other>,
    /// Errors, warnings and notes. An object with an error is in none of the lists.
    pub problems: Vec<Problem>,
    /// How many more problems there were.
    pub problems_left_out: u32,
}

/// An object with the text that it came from.
#[derive(Clone, Debug)]
pub struct Item {
    /// The object, defaulted.
    pub object: Object,
    /// The object as it came, as JSON: what is unknown to Berth is in here.
    pub text: Box<str>,
}

/// An object of a kind that Berth does not know.
#[derive(Clone, Debug)]
pub struct Other {
    /// What it calls itself.
    pub foreign: Foreign,
    /// The object as it came, as JSON.
    pub text: Box<str>,
}

impl Report {
    /// Whether there is an error.
    pub fn has_errors(&self) -> bool {
        self.problems.iter().any(|problem| problem.finding.severity == Severity::Error)
    }
}

/// How far a reader is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// Bytes read.
    pub done: usize,
    /// Bytes in all.
    pub total: usize,
    /// Whether everything was read.
    pub finished: bool,
}

/// What somebody has against an object that could be decoded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Complaint {
    /// The field, like `spec.containers[0].image`; empty for the object itself.
    pub field: String,
    /// What is wrong.
    pub message: String,
}

impl From<&FieldError> for Complaint {
    fn from(error: &FieldError) -> Self {
        Self { field: error.field.clone(), message: error.body() }
    }
}

/// Looks at an object, and at the tree that it came from.
pub type Check<'c> = &'c dyn Fn(&Object, &Node<'_>) -> Vec<Complaint>;

/// Reads everything at once, with a second look at each object. What that finds are errors of validation; the object is
/// among the items all the same.
pub fn read_checked(sources: &[Source<'_>], check: Check<'_>) -> Report {
    let mut reader = Reader::new(sources, Entrance::Paste);
    reader.check = Some(check);
    while !reader.step(usize::MAX).finished {}
    reader.finish()
}

/// Reads everything at once.
pub fn read(sources: &[Source<'_>]) -> Report {
    let mut reader = Reader::new(sources, Entrance::File);
    while !reader.step(usize::MAX).finished {}
    reader.finish()
}

/// Reads in slices, so that a page can draw, and cancel by dropping the reader.
pub struct Reader<'a> {
    sources: Vec<Source<'a>>,
    total: usize,
    before: usize,
    current: usize,
    stream: Option<Stream<'a>>,
    lines: Option<Lines<'a>>,
    /// Items without a kind whose list has not said its own yet.
    waiting: Vec<Node<'a>>,
    /// Where each object is in the report.
    places: Index,
    /// Where each object of another kind is in the report.
    foreign: Index,
    check: Option<Check<'a>>,
    report: Report,
}

/// What tells objects apart, as one text.
fn place(parts: &[&str]) -> Arc<str> {
    Arc::from(parts.join("\0"))
}

impl<'a> Reader<'a> {
    /// A reader of several sources, which are one input together. An input that is too large for its entrance is not
    /// read: the report says so.
    pub fn new(sources: &[Source<'a>], entrance: Entrance) -> Self {
        let total = sources.iter().map(|source| source.text.len()).sum();
        let mut reader = Self {
            sources: sources.to_vec(),
            total,
            before: 0,
            current: 0,
            stream: None,
            lines: None,
            waiting: Vec::new(),
            places: Index::default(),
            foreign: Index::default(),
            check: None,
            report: Report::default(),
        };
        if let Some(refusal) = entrance.refusal(total) {
            let name = reader.sources.first().map_or("", |source| source.name);
            reader.report.problems.push(Problem {
                source: name.to_owned(),
                object: String::new(),
                position: Position { line: 1, column: 1, offset: 0 },
                finding: finding(Severity::Error, 0, refusal),
            });
            reader.sources.clear();
        }
        reader
    }

    /// Reads about this many bytes further: a few more, or one object more.
    pub fn step(&mut self, bytes: usize) -> Progress {
        let goal = self.done().saturating_add(bytes.max(1));
        while self.done() < goal && self.advance() {}
        let finished = self.current >= self.sources.len();
        Progress { done: self.done().min(self.total), total: self.total, finished }
    }

    /// What was read so far.
    pub fn finish(self) -> Report {
        self.report
    }

    fn done(&self) -> usize {
        self.before + self.stream.as_ref().map_or(0, Stream::offset)
    }

    /// Takes one piece; says whether there is more.
    fn advance(&mut self) -> bool {
        let Some(source) = self.sources.get(self.current).copied() else { return false };
        let mut stream = self.stream.take().unwrap_or_else(|| Stream::new(source.text));
        match stream.advance() {
            Ok(None) => {}
            Ok(Some(Piece::Item(node))) => self.item(node, stream.head()),
            Ok(Some(Piece::Document(node))) => self.document(&node),
            Err(error) => self.syntax(error),
        }
        if stream.is_done() {
            self.flush(None);
            self.before += source.text.len();
            self.current += 1;
            self.lines = None;
        } else {
            self.stream = Some(stream);
        }
        self.current < self.sources.len()
    }

    fn item(&mut self, node: Node<'a>, head: &[Entry<'a>]) {
        if type_of(&node).1.is_some() || !matches!(node.value, Value::Mapping(_)) {
            return self.object(&node, None);
        }
        let text = |key| head.iter().find(|e| e.key == key).and_then(|e| e.value.as_str());
        match (text("apiVersion"), text("kind")) {
            (Some(version), Some(kind)) => {
                let listed = listed(version, kind);
                self.object(&node, listed);
            }
            _ => self.waiting.push(node),
        }
    }

    /// Decodes the items that waited for their list's kind.
    fn flush(&mut self, listed: Option<(&str, &str)>) {
        for node in std::mem::take(&mut self.waiting) {
            self.object(&node, listed);
        }
    }

    fn document(&mut self, node: &Node<'a>) {
        let (version, kind) = type_of(node);
        let listed = version.zip(kind).and_then(|(version, kind)| listed(version, kind));
        self.flush(listed);
        if matches!(kind, Some(kind) if kind == "List" || kind.ends_with("List")) || is_list(node) {
            return;
        }
        if kind.is_none() && SNAPSHOT.iter().any(|(key, _)| node.get(key).is_some_and(is_list)) {
            return self.snapshot(node);
        }
        self.object(node, None);
    }

    /// A snapshot of kube-scheduler-simulator: lists by kind, and a configuration.
    fn snapshot(&mut self, node: &Node<'_>) {
        for entry in node.entries() {
            let known = SNAPSHOT.iter().find(|(key, _)| entry.key == *key);
            match known {
                Some((_, kind)) => {
                    for item in entry.value.items() {
                        self.object(
                            item,
                            home(kind).map(|version| (version, *kind)).or(Some(("v1", kind))),
                        );
                    }
                }
                None if entry.key == "schedulerConfig" => {
                    if entry.value.is_null() {
                        continue;
                    }
                    self.object(
                        &entry.value,
                        Some((crate::config::API_VERSION, crate::config::KIND)),
                    );
                }
                None => self.problem(
                    "",
                    finding(Severity::Note, entry.start, format!("unknown field {:?}", entry.key)),
                ),
            }
        }
    }

    fn object(&mut self, node: &Node<'_>, listed: Option<(&str, &str)>) {
        let name = name_of(node, listed);
        for (offset, key) in repeated_keys(node) {
            let message = format!("key {key:?} already set in map");
            self.problem(&name, finding(Severity::Error, offset, message));
        }
        match decode(node, listed) {
            Err(findings) => self.problems(&name, findings),
            Ok(Decoded { content, findings }) => {
                self.problems(&name, findings);
                self.look_again(node, &name, &content);
                self.content(node, &name, content, listed);
            }
        }
    }

    fn look_again(&mut self, node: &Node<'_>, name: &str, content: &Content) {
        let (Some(check), Content::Object(object)) = (self.check, content) else { return };
        for Complaint { field, message } in check(object, node) {
            // Of a node's taints Kubernetes says that they are in its metadata.
            let taints =
                field.strip_prefix("metadata.taints").map(|rest| format!("spec.taints{rest}"));
            let offset = place_of(node, taints.as_deref().unwrap_or(&field));
            let (severity, stage) = (Severity::Error, Stage::Validation);
            self.problem(
                name,
                Finding { severity, stage, offset, path: field, message, suggestion: None },
            );
        }
    }

    fn content(
        &mut self,
        node: &Node<'_>,
        name: &str,
        content: Content,
        listed: Option<(&str, &str)>,
    ) {
        let mut text = write::json(node);
        // What its list said of it, it says itself from now on.
        if let (Some((version, kind)), (_, None)) = (listed, type_of(node))
            && let Some(rest) = text.strip_prefix('{')
        {
            let comma = if rest == "}" { "" } else { "," };
            text = format!("{{\"apiVersion\":{version:?},\"kind\":{kind:?}{comma}{rest}");
        }
        let text = text.into_boxed_str();
        let twice = match content {
            Content::Configuration(configuration) => {
                self.report.configuration_text = Some(text);
                self.report.configuration.replace(*configuration).is_some()
            }
            Content::Other(foreign) => {
                let Foreign { api_version, kind, key } = &foreign;
                let place = place(&[api_version, kind, &key.namespace, &key.name]);
                let known = self.foreign.get(&place);
                if let Some(other) = known.and_then(|i| self.report.others.get_mut(i as usize)) {
                    other.text = text;
                    true
                } else {
                    self.foreign.insert(place, self.report.others.len() as u32);
                    self.report.others.push(Other { foreign, text });
                    false
                }
            }
            Content::Object(object) => {
                let key = object.key();
                let place = place(&[object.kind().as_str(), &key.namespace, &key.name]);
                let item = Item { object, text };
                let known = self.places.get(&place);
                if let Some(first) = known.and_then(|i| self.report.items.get_mut(i as usize)) {
                    *first = item;
                    true
                } else {
                    self.places.insert(place, self.report.items.len() as u32);
                    self.report.items.push(item);
                    false
                }
            }
        };
        if twice {
            self.problem(
                name,
                finding(Severity::Note, node.start, "given before: the last one counts".to_owned()),
            );
        }
    }

    fn syntax(&mut self, error: SyntaxError) {
        self.problem("", finding(Severity::Error, error.offset, error.message));
    }

    fn problems(&mut self, object: &str, findings: Vec<Finding>) {
        for finding in findings {
            self.problem(object, finding);
        }
    }

    fn problem(&mut self, object: &str, mut finding: Finding) {
        if self.report.problems.len() >= MOST_PROBLEMS {
            self.report.problems_left_out += 1;
            return;
        }
        let source =
            self.sources.get(self.current).copied().unwrap_or(Source { name: "", text: "" });
        if finding.suggestion.is_none() && finding.message.ends_with(" of type string") {
            finding.suggestion = quoted_word(source.text, finding.offset);
        }
        let position =
            self.lines.get_or_insert_with(|| Lines::new(source.text)).locate(finding.offset);
        self.report.problems.push(Problem {
            source: source.name.to_owned(),
            object: object.to_owned(),
            position,
            finding,
        });
    }
}

fn finding(severity: Severity, offset: u32, message: String) -> Finding {
    Finding {
        severity,
        stage: Stage::Decoding,
        offset,
        path: String::new(),
        message,
        suggestion: None,
    }
}

/// The lists of a snapshot, with the kind of their items.
const SNAPSHOT: &[(&str, &str)] = &[
    ("pods", "Pod"),
    ("nodes", "Node"),
    ("pvs", "PersistentVolume"),
    ("pvcs", "PersistentVolumeClaim"),
    ("storageClasses", "StorageClass"),
    ("priorityClasses", "PriorityClass"),
    ("namespaces", "Namespace"),
];

/// The unquoted word at an offset, in quotes: what to write where a text is wanted and `yes` or `1.30` stands.
fn quoted_word(text: &str, offset: u32) -> Option<String> {
    let rest = text.get(offset as usize..)?;
    let word = rest.split(|c: char| c.is_whitespace() || matches!(c, ',' | ']' | '}')).next()?;
    let is_word =
        word.starts_with(|c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '+' | '.'));
    (is_word && word.len() <= 64).then(|| format!("{word:?}"))
}

fn is_list(node: &Node<'_>) -> bool {
    matches!(node.value, Value::Sequence(_))
}

/// The version and kind of the items of a list of one kind.
fn listed<'k>(version: &'k str, kind: &'k str) -> Option<(&'k str, &'k str)> {
    kind.strip_suffix("List").filter(|kind| !kind.is_empty()).map(|kind| (version, kind))
}

/// Kind, namespace and name, as far as they can be read.
fn name_of(node: &Node<'_>, listed: Option<(&str, &str)>) -> String {
    let kind = type_of(node).1.or(listed.map(|(_, kind)| kind)).unwrap_or_default();
    let metadata = |key| {
        node.get("metadata").and_then(|m| m.get(key)).and_then(Node::as_str).unwrap_or_default()
    };
    let key = ObjectKey::new(metadata("namespace"), metadata("name"));
    format!("{kind} {key}").trim().to_owned()
}
