//! Reading YAML, with the place of every value.
//!
//! The events are saphyr-parser's; what they mean is as `kubectl` reads them (see `scalar`). Anchors are copied into
//! place, merge keys are merged, a repeated key is an error. Depth, values and copies are limited in proportion to
//! the text, so that no short text becomes a large tree. Deviation: `!!binary` is refused, not decoded.

use std::borrow::Cow;

use std::rc::Rc;

use berth_core::collections::Map;

use saphyr_parser::{Event, Parser as Events, ScalarStyle, Span, StrInput, Tag};

use super::{
    Entry, Keys, Node, Piece, SyntaxError, Value, json, offset32, own_repeated_keys, scalar,
};

/// Values that even the shortest text may have.
const LEAST_NODES: usize = 10_000;

/// Aliases that even the shortest text may have.
const LEAST_ALIASES: usize = 100;

/// Reads a text that is one YAML document.
pub fn parse(text: &str) -> Result<Node<'_>, SyntaxError> {
    let mut parser = Parser::new(text, 0)?;
    parser.whole = true;
    let mut document = None;
    while !parser.is_done() {
        if let Some(Piece::Document(node)) = parser.advance()? {
            if document.is_some() {
                return Err(SyntaxError::new(node.start as usize, "more than one document"));
            }
            document = Some(node);
        }
    }
    Ok(document.unwrap_or(Node::made(Value::Null)))
}

/// A reader of a stream of documents.
pub struct Parser<'a> {
    events: Events<'a, StrInput<'a>>,
    places: Places<'a>,
    stack: Vec<Frame<'a>>,
    anchors: Map<usize, Rc<Anchored<'a>>>,
    nodes_left: usize,
    aliases_left: usize,
    whole: bool,
    done: bool,
}

/// A value that an alias can stand for.
struct Anchored<'a> {
    node: Node<'a>,
    size: Size,
}

/// How large a value is.
#[derive(Clone, Copy, Default)]
struct Size {
    nodes: usize,
    depth: usize,
}

/// A list or mapping that is not at its end yet.
struct Frame<'a> {
    start: u32,
    anchor: usize,
    size: Size,
    kind: FrameKind<'a>,
}

enum FrameKind<'a> {
    Sequence(Vec<Node<'a>>),
    Mapping { entries: Vec<Entry<'a>>, key: Option<(u32, Key<'a>)>, merges: Vec<Node<'a>> },
}

enum Key<'a> {
    Text(Cow<'a, str>),
    Merge,
}

impl<'a> Parser<'a> {
    /// Starts at a byte offset of a text.
    pub fn new(text: &'a str, offset: usize) -> Result<Self, SyntaxError> {
        let rest = text.get(offset..).unwrap_or_default();
        if let Some(at) = rest.find('\0') {
            return Err(SyntaxError::new(offset + at, "control characters are not allowed"));
        }
        Ok(Self {
            events: Events::new_from_str(rest),
            places: Places::new(rest, offset),
            stack: Vec::new(),
            anchors: Map::new(),
            nodes_left: LEAST_NODES + rest.len(),
            aliases_left: LEAST_ALIASES + rest.len() / 100,
            whole: false,
            done: false,
        })
    }

    /// Whether the text is at its end.
    pub const fn is_done(&self) -> bool {
        self.done
    }

    /// The keys of the document that is being read, as far as they were read.
    pub fn head(&self) -> &[Entry<'a>] {
        match self.stack.first() {
            Some(Frame { kind: FrameKind::Mapping { entries, .. }, .. }) => entries,
            _ => &[],
        }
    }

    /// About where the parser is, as a byte offset.
    pub const fn offset(&self) -> usize {
        self.places.base + self.places.byte
    }

    /// Takes one event. It may complete a piece.
    pub fn advance(&mut self) -> Result<Option<Piece<'a>>, SyntaxError> {
        let (event, span) = match self.events.next_event() {
            None => {
                self.done = true;
                return Ok(None);
            }
            Some(Ok(event)) => event,
            Some(Err(error)) => {
                self.done = true;
                let offset = self.places.offset(error.marker().index());
                return Err(SyntaxError { offset, message: error.info().to_owned() });
            }
        };
        let piece = self.take(event, span);
        self.done |= piece.is_err();
        piece
    }

    fn take(&mut self, event: Event<'a>, span: Span) -> Result<Option<Piece<'a>>, SyntaxError> {
        let start = self.places.offset(span.start.index());
        match event {
            Event::DocumentStart(_) => {
                self.anchors.clear();
            }
            Event::StreamEnd => self.done = true,
            Event::Nothing | Event::StreamStart | Event::DocumentEnd => {}
            Event::SequenceStart(anchor, tag) => {
                check_tag(start, tag.as_deref(), "seq")?;
                self.open(start, anchor, FrameKind::Sequence(Vec::new()))?;
            }
            Event::MappingStart(anchor, tag) => {
                check_tag(start, tag.as_deref(), "map")?;
                let kind =
                    FrameKind::Mapping { entries: Vec::new(), key: None, merges: Vec::new() };
                self.open(start, anchor, kind)?;
            }
            Event::SequenceEnd | Event::MappingEnd => return self.close(),
            Event::Scalar(text, style, anchor, tag) => {
                self.count(start, 1)?;
                if self.wants_key() {
                    let key = key(start, text, style, tag.as_deref())?;
                    if anchor != 0
                        && let Key::Text(text) = &key
                    {
                        let node = Node { start, value: Value::String(text.clone()) };
                        self.anchor(anchor, &node, Size { nodes: 1, depth: 0 });
                    }
                    self.put_key(start, key);
                    return Ok(None);
                }
                let value = value(start, text, style, tag.as_deref())?;
                let node = Node { start, value };
                let size = Size { nodes: 1, depth: 0 };
                self.anchor(anchor, &node, size);
                return self.put(node, size);
            }
            Event::Alias(id) => return self.alias(start, id),
        }
        Ok(None)
    }

    fn count(&mut self, start: u32, nodes: usize) -> Result<(), SyntaxError> {
        match self.nodes_left.checked_sub(nodes) {
            Some(left) => {
                self.nodes_left = left;
                Ok(())
            }
            None => Err(SyntaxError {
                offset: start,
                message: "document contains excessive aliasing".to_owned(),
            }),
        }
    }

    fn open(&mut self, start: u32, anchor: usize, kind: FrameKind<'a>) -> Result<(), SyntaxError> {
        self.count(start, 1)?;
        if self.wants_key() {
            return Err(SyntaxError {
                offset: start,
                message: "a key must be a single word".to_owned(),
            });
        }
        if self.stack.len() >= json::DEPTH as usize {
            return Err(SyntaxError { offset: start, message: "exceeded max depth".to_owned() });
        }
        self.stack.push(Frame { start, anchor, size: Size { nodes: 1, depth: 1 }, kind });
        Ok(())
    }

    fn close(&mut self) -> Result<Option<Piece<'a>>, SyntaxError> {
        let Some(frame) = self.stack.pop() else { return Ok(None) };
        let value = match frame.kind {
            FrameKind::Sequence(items) => Value::Sequence(items),
            FrameKind::Mapping { entries, merges, .. } => Value::Mapping(merge(entries, merges)?),
        };
        let node = Node { start: frame.start, value };
        if let Some((start, key)) = own_repeated_keys(&node).next() {
            return Err(SyntaxError {
                offset: start,
                message: format!("key {key:?} already set in map"),
            });
        }
        self.anchor(frame.anchor, &node, frame.size);
        self.put(node, frame.size)
    }

    fn anchor(&mut self, id: usize, node: &Node<'a>, size: Size) {
        if id != 0 {
            self.anchors.insert(id, Rc::new(Anchored { node: node.clone(), size }));
        }
    }

    fn alias(&mut self, start: u32, id: usize) -> Result<Option<Piece<'a>>, SyntaxError> {
        let Some(anchored) = self.anchors.get(&id).map(Rc::clone) else {
            return Err(SyntaxError {
                offset: start,
                message: "alias to a value that contains it".to_owned(),
            });
        };
        let too_many = || SyntaxError {
            offset: start,
            message: "document contains excessive aliasing".to_owned(),
        };
        self.aliases_left = self.aliases_left.checked_sub(1).ok_or_else(too_many)?;
        self.count(start, anchored.size.nodes)?;
        if self.stack.len() + anchored.size.depth > json::DEPTH as usize {
            return Err(SyntaxError { offset: start, message: "exceeded max depth".to_owned() });
        }
        let mut node = anchored.node.clone();
        node.start = start;
        if self.wants_key() {
            let Value::String(text) = node.value else {
                return Err(SyntaxError {
                    offset: start,
                    message: "a key must be a single word".to_owned(),
                });
            };
            self.put_key(start, Key::Text(text));
            return Ok(None);
        }
        self.put(node, anchored.size)
    }

    fn wants_key(&self) -> bool {
        matches!(self.stack.last(), Some(Frame { kind: FrameKind::Mapping { key: None, .. }, .. }))
    }

    fn put_key(&mut self, start: u32, new: Key<'a>) {
        if let Some(Frame { kind: FrameKind::Mapping { key, .. }, .. }) = self.stack.last_mut() {
            *key = Some((start, new));
        }
    }

    /// Whether the innermost list is the document itself or the one under its key `items`.
    fn in_items(&self) -> bool {
        match &self.stack[..] {
            _ if self.whole => false,
            [Frame { kind: FrameKind::Sequence(_), anchor: 0, .. }] => true,
            [
                Frame {
                    kind: FrameKind::Mapping { key: Some((_, Key::Text(key))), .. },
                    anchor: 0,
                    ..
                },
                Frame { kind: FrameKind::Sequence(_), anchor: 0, .. },
            ] => key == "items",
            _ => false,
        }
    }

    /// Puts a complete value where it belongs.
    fn put(&mut self, node: Node<'a>, size: Size) -> Result<Option<Piece<'a>>, SyntaxError> {
        if self.in_items() {
            return Ok(Some(Piece::Item(node)));
        }
        let Some(frame) = self.stack.last_mut() else {
            // An empty document is no document.
            return Ok((!node.is_null()).then_some(Piece::Document(node)));
        };
        frame.size.nodes += size.nodes;
        frame.size.depth = frame.size.depth.max(size.depth + 1);
        if frame.size.nodes > json::NODES as usize {
            return Err(SyntaxError {
                offset: frame.start,
                message: "object has too many values".to_owned(),
            });
        }
        match &mut frame.kind {
            FrameKind::Sequence(items) => items.push(node),
            FrameKind::Mapping { entries, key, merges } => match key.take() {
                Some((start, Key::Text(key))) => entries.push(Entry { start, key, value: node }),
                Some((_, Key::Merge)) => merges.push(node),
                None => {}
            },
        }
        Ok(None)
    }
}

/// Adds the keys of merged mappings that the mapping does not have itself; the first that has a key wins.
fn merge<'a>(
    mut entries: Vec<Entry<'a>>,
    merges: Vec<Node<'a>>,
) -> Result<Vec<Entry<'a>>, SyntaxError> {
    for node in merges {
        let start = node.start;
        let parts = match node.value {
            Value::Sequence(items) => items,
            _ => vec![node],
        };
        for part in parts {
            let Value::Mapping(merged) = part.value else {
                let message = "map merge requires map or sequence of maps as the value".to_owned();
                return Err(SyntaxError { offset: start, message });
            };
            let known = Keys::new(&entries);
            let is_new: Vec<bool> =
                merged.iter().map(|entry| known.place(&entry.key).is_none()).collect();
            entries.extend(
                merged
                    .into_iter()
                    .zip(is_new)
                    .filter(|(_, is_new)| *is_new)
                    .map(|(entry, _)| entry),
            );
        }
    }
    Ok(entries)
}

fn core_tag(tag: Option<&Tag>) -> Option<&str> {
    tag.map(|tag| if tag.is_yaml_core_schema() { &*tag.suffix } else { "str" })
}

fn check_tag(start: u32, tag: Option<&Tag>, wanted: &str) -> Result<(), SyntaxError> {
    match tag {
        Some(tag) if tag.is_yaml_core_schema() && tag.suffix != wanted => Err(SyntaxError {
            offset: start,
            message: format!("cannot decode !!{wanted} as a !!{}", tag.suffix),
        }),
        _ => Ok(()),
    }
}

fn value<'a>(
    start: u32,
    text: Cow<'a, str>,
    style: ScalarStyle,
    tag: Option<&Tag>,
) -> Result<Value<'a>, SyntaxError> {
    let wrong = |found: &str, wanted: &str| SyntaxError {
        offset: start,
        message: format!("cannot decode !!{found} `{text}` as a !!{wanted}"),
    };
    let tag = core_tag(tag);
    if tag == Some("str") || (tag.is_none() && style != ScalarStyle::Plain) {
        return Ok(Value::String(text));
    }
    let resolved = scalar::resolve(&text)
        .map_err(|message| SyntaxError { offset: start, message: message.to_owned() })?;
    let Some(tag) = tag else {
        return Ok(resolved.unwrap_or(Value::String(text)));
    };
    let (found, value) = match resolved {
        None => ("str", Value::String(Cow::Borrowed(""))),
        Some(value) => {
            let found = match &value {
                Value::Null => "null",
                Value::Bool(_) => "bool",
                Value::Number(text) if text.contains(['.', 'e']) => "float",
                _ => "int",
            };
            (found, value)
        }
    };
    match (found, tag) {
        ("int", "float") => Ok(value),
        ("str", "timestamp") => Ok(Value::String(text)),
        _ if found == tag => Ok(value),
        _ => Err(wrong(found, tag)),
    }
}

fn key<'a>(
    start: u32,
    text: Cow<'a, str>,
    style: ScalarStyle,
    tag: Option<&Tag>,
) -> Result<Key<'a>, SyntaxError> {
    if text == "<<" && style == ScalarStyle::Plain && tag.is_none() {
        return Ok(Key::Merge);
    }
    // A key that is a number or a truth value becomes its text.
    Ok(Key::Text(match value(start, text, style, tag)? {
        Value::String(text) | Value::Number(text) => text,
        Value::Bool(value) => Cow::Borrowed(if value { "true" } else { "false" }),
        _ => {
            let message = "unsupported map key of type: null".to_owned();
            return Err(SyntaxError { offset: start, message });
        }
    }))
}

/// From the parser's characters to bytes. Places come nearly in order, so it walks from the last one.
struct Places<'a> {
    text: &'a str,
    base: usize,
    is_ascii: bool,
    character: usize,
    byte: usize,
}

impl<'a> Places<'a> {
    const fn new(text: &'a str, base: usize) -> Self {
        Self { text, base, is_ascii: text.is_ascii(), character: 0, byte: 0 }
    }

    fn offset(&mut self, character: usize) -> u32 {
        if self.is_ascii {
            self.byte = character.min(self.text.len());
        } else {
            self.walk(character);
        }
        offset32(self.base + self.byte)
    }

    fn walk(&mut self, character: usize) {
        let bytes = self.text.as_bytes();
        let begins = |byte: Option<&u8>| byte.is_some_and(|byte| byte & 0xC0 != 0x80);
        while self.character < character && self.byte < bytes.len() {
            self.byte += 1;
            while self.byte < bytes.len() && !begins(bytes.get(self.byte)) {
                self.byte += 1;
            }
            self.character += 1;
        }
        while self.character > character && self.byte > 0 {
            self.byte -= 1;
            while self.byte > 0 && !begins(bytes.get(self.byte)) {
                self.byte -= 1;
            }
            self.character -= 1;
        }
    }
}

#[cfg(test)]
mod tests;
