//! A stream of documents in JSON, YAML, or both: what people paste.
//!
//! A document that begins with `{"`, `{}` or `[` is JSON, any other YAML. Several JSON documents may follow each other,
//! one a line or with white space or `---` between them. After an error reading goes on where a new document surely
//! begins: at the next `---`, or at the next line if the document was one line.

use super::{Entry, Node, Piece, SyntaxError, Value, json, offset32, yaml};

/// Reads a text piece by piece.
pub struct Stream<'a> {
    text: &'a str,
    state: State<'a>,
}

enum State<'a> {
    /// Before a document, at this offset.
    Between(usize),
    Json(Json<'a>),
    Yaml(Box<yaml::Parser<'a>>),
    Done,
}

/// A JSON document that is being read.
struct Json<'a> {
    parser: json::Parser<'a>,
    start: usize,
    place: Place,
    entries: Vec<Entry<'a>>,
    /// Whether nothing was read since the last bracket, so that no comma is due.
    fresh: bool,
}

enum Place {
    /// In the mapping that is the document.
    Object,
    /// In the list under `items`, whose key and value begin here.
    Items { key: u32, value: u32 },
    /// In the list that is the document.
    Array,
}

impl<'a> Stream<'a> {
    /// A stream at the beginning of a text.
    pub fn new(text: &'a str) -> Self {
        // A byte order mark says nothing in UTF-8.
        let first = if text.starts_with('\u{FEFF}') { '\u{FEFF}'.len_utf8() } else { 0 };
        Self { text, state: State::Between(first) }
    }

    /// Whether everything was read.
    pub const fn is_done(&self) -> bool {
        matches!(self.state, State::Done)
    }

    /// How far it came, as a byte offset.
    pub const fn offset(&self) -> usize {
        match &self.state {
            State::Between(offset) => *offset,
            State::Json(json) => json.parser.offset(),
            State::Yaml(parser) => parser.offset(),
            State::Done => self.text.len(),
        }
    }

    /// The keys of the document that is being read, as far as they were read.
    pub fn head(&self) -> &[Entry<'a>] {
        match &self.state {
            State::Json(json) => &json.entries,
            State::Yaml(parser) => parser.head(),
            State::Between(_) | State::Done => &[],
        }
    }

    /// Reads a little further. It may complete a piece.
    pub fn advance(&mut self) -> Result<Option<Piece<'a>>, SyntaxError> {
        let result = match &mut self.state {
            State::Done => return Ok(None),
            State::Between(offset) => {
                let offset = *offset;
                self.begin(offset).map(|()| None)
            }
            State::Yaml(parser) => {
                let result = parser.advance();
                if result.is_ok() && parser.is_done() {
                    self.state = State::Done;
                }
                result
            }
            State::Json(json) => {
                let result = json.advance();
                if let Ok(Some(Piece::Document(_))) = result {
                    self.state = State::Between(json.parser.offset());
                }
                result
            }
        };
        result.inspect_err(|error| self.recover(error.offset as usize))
    }

    fn begin(&mut self, offset: usize) -> Result<(), SyntaxError> {
        let mut parser = json::Parser::new(self.text, offset);
        let first = parser.peek();
        let start = parser.offset();
        let rest = self.text.get(start..).unwrap_or_default();
        let (opens_json, place) = match first {
            None => {
                self.state = State::Done;
                return Ok(());
            }
            Some(b'{') => {
                parser.take(b'{');
                (matches!(parser.peek(), Some(b'"' | b'}') | None), Place::Object)
            }
            Some(b'[') => {
                parser.take(b'[');
                (true, Place::Array)
            }
            // Between JSON documents this is white space.
            Some(b'-') if separates_json(rest) => {
                self.state = State::Between(start + 3);
                return Ok(());
            }
            Some(_) => (false, Place::Array),
        };
        self.state = if opens_json {
            State::Json(Json { parser, start, place, entries: Vec::new(), fresh: true })
        } else {
            // From the line's beginning: the indentation belongs to YAML.
            State::Yaml(Box::new(yaml::Parser::new(
                self.text,
                line_start(self.text, offset, start),
            )?))
        };
        Ok(())
    }

    /// Goes on where a new document surely begins.
    fn recover(&mut self, failed: usize) {
        let one_line = match &self.state {
            State::Json(json) => {
                !self.text.get(json.start..failed).unwrap_or_default().contains('\n')
            }
            _ => false,
        };
        // The error may be about the first dash itself.
        let from = if one_line { failed } else { failed.saturating_sub(1) };
        let rest = self.text.as_bytes().get(from..).unwrap_or_default();
        let next = if one_line {
            rest.iter().position(|byte| *byte == b'\n')
        } else {
            rest.windows(4).position(|four| four == b"\n---")
        };
        self.state = next.map_or(State::Done, |at| State::Between(from + at + 1));
    }
}

/// Whether `---` is here, with a JSON document (or nothing) behind it.
fn separates_json(rest: &str) -> bool {
    let Some(behind) = rest.strip_prefix("---") else { return false };
    match behind.trim_start().as_bytes() {
        [] | [b'[', ..] | [b'{', b'"' | b'}', ..] => true,
        [b'{', more @ ..] => {
            matches!(more.iter().find(|byte| !byte.is_ascii_whitespace()), Some(b'"' | b'}'))
        }
        _ => false,
    }
}

/// The beginning of the line of `start`, but not before `offset`.
fn line_start(text: &str, offset: usize, start: usize) -> usize {
    let between = text.get(offset..start).unwrap_or_default();
    between.rfind('\n').map_or(offset, |at| offset + at + 1)
}

impl<'a> Json<'a> {
    fn advance(&mut self) -> Result<Option<Piece<'a>>, SyntaxError> {
        let (end, place) = match self.place {
            Place::Object => (b'}', "after object key:value pair"),
            Place::Items { .. } | Place::Array => (b']', "after array element"),
        };
        if self.parser.take(end) {
            return Ok(self.close());
        }
        if !std::mem::take(&mut self.fresh) {
            self.parser.expect(b',', place)?;
        }
        if !matches!(self.place, Place::Object) {
            return Ok(Some(Piece::Item(self.parser.top_value()?)));
        }
        let (start, key) = self.parser.key()?;
        if key == "items" && self.parser.peek() == Some(b'[') {
            self.place = Place::Items { key: start, value: offset32(self.parser.offset()) };
            self.parser.take(b'[');
            self.fresh = true;
        } else {
            let value = self.parser.top_value()?;
            self.entries.push(Entry { start, key, value });
        }
        Ok(None)
    }

    fn close(&mut self) -> Option<Piece<'a>> {
        let start = offset32(self.start);
        let value = match self.place {
            Place::Object => Value::Mapping(std::mem::take(&mut self.entries)),
            Place::Array => Value::Sequence(Vec::new()),
            Place::Items { key, value } => {
                let value = Node { start: value, value: Value::Sequence(Vec::new()) };
                self.entries.push(Entry { start: key, key: "items".into(), value });
                self.place = Place::Object;
                return None;
            }
        };
        Some(Piece::Document(Node { start, value }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tree::write::json;

    fn pieces(text: &str) -> Vec<String> {
        let mut stream = Stream::new(text);
        let mut out = Vec::new();
        while !stream.is_done() {
            match stream.advance() {
                Ok(Some(Piece::Item(node))) => out.push(format!("- {}", json(&node))),
                Ok(Some(Piece::Document(node))) => out.push(json(&node)),
                Ok(None) => {}
                Err(error) => out.push(format!("! {} {}", error.offset, error.message)),
            }
        }
        out
    }

    #[test]
    fn all_that_people_paste() {
        for (text, want) in [
            ("", &[][..]),
            (" \n\t", &[]),
            ("\u{FEFF}{\"a\":1}", &["{\"a\":1}"]),
            ("\u{FEFF}a: 1", &["{\"a\":1}"]),
            // JSON lines, JSON documents, JSON with separators.
            ("{\"a\":1}\n{\"b\":2}\n", &["{\"a\":1}", "{\"b\":2}"]),
            ("{\n \"a\": 1\n}\n{\n \"b\": 2}\n", &["{\"a\":1}", "{\"b\":2}"]),
            ("---\n{\"a\":1}\n---\n{}\n---\n", &["{\"a\":1}", "{}"]),
            // Both, either first.
            ("{\"a\":1}\n---\nb: 2\n", &["{\"a\":1}", "{\"b\":2}"]),
            ("b: 2\n---\n{\"a\": 1}\n", &["{\"b\":2}", "{\"a\":1}"]),
            // YAML that begins as JSON does.
            ("{a: 1}\n", &["{\"a\":1}"]),
            ("  a: 1\n  b: 2\n", &["{\"a\":1,\"b\":2}"]),
            // Lists.
            (
                "{\"kind\":\"List\",\"items\":[{\"a\":1},[]],\"z\":2}",
                &["- {\"a\":1}", "- []", "{\"kind\":\"List\",\"items\":[],\"z\":2}"],
            ),
            ("{\"items\":[]}", &["{\"items\":[]}"]),
            ("{\"items\":{\"a\":1}}", &["{\"items\":{\"a\":1}}"]),
            ("[{\"a\":1}, 2]", &["- {\"a\":1}", "- 2", "[]"]),
            ("[]", &["[]"]),
        ] {
            assert_eq!(pieces(text), want, "{text:?}");
        }
    }

    #[test]
    fn reading_goes_on_after_an_error() {
        for (text, want) in [
            (
                "{\"a\":1}\n{\"a\":}\n{\"b\":2}",
                &[
                    "{\"a\":1}",
                    "! 13 invalid character '}' looking for beginning of value",
                    "{\"b\":2}",
                ][..],
            ),
            (
                "a: [1\n---\nb: 2\n",
                &["! 6 while parsing a flow sequence, expected ',' or ']'", "{\"b\":2}"],
            ),
            ("a: 1\na: 2\n---\nb: 2\n", &["! 5 key \"a\" already set in map", "{\"b\":2}"]),
            (
                "{\n\"a\":}\n{\"b\":2}",
                &["! 6 invalid character '}' looking for beginning of value"],
            ),
            (
                "{\"items\":[1,]}",
                &["- 1", "! 12 invalid character ']' looking for beginning of value"],
            ),
            ("[1", &["- 1", "! 2 unexpected end of JSON input"]),
            ("{", &["! 1 unexpected end of JSON input"]),
            ("a: 1\n---\nb: \0\n", &["! 12 control characters are not allowed"]),
        ] {
            assert_eq!(pieces(text), want, "{text:?}");
        }
    }
}
