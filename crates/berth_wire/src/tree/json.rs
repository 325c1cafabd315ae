//! Reading JSON (RFC 8259), with the place of every value.
//!
//! Accepts what Go's `encoding/json` accepts: a key may repeat, half of a surrogate pair reads as U+FFFD, numbers
//! have any length. [`Parser`] reads value by value, so that a long list need not be in memory as a tree.

use std::borrow::Cow;

use super::{Entry, Node, SyntaxError, Value, offset32};

/// How deep values may be nested. Kubernetes' own objects stay below 40.
pub const DEPTH: u32 = 200;

/// How many values one [`Parser::value`] may hold, and with it the memory that a hostile text can claim. An object
/// that etcd would take (1.5 MB) has fewer.
pub const NODES: u32 = 1_500_000;

/// Reads a text that is one JSON value.
pub fn parse(text: &str) -> Result<Node<'_>, SyntaxError> {
    let mut parser = Parser::new(text, 0);
    parser.nodes = u32::MAX;
    let node = parser.value()?;
    match parser.peek() {
        None => Ok(node),
        Some(_) => Err(parser.unexpected("after top-level value")),
    }
}

/// A reader at some place of a text.
#[derive(Clone, Debug)]
pub struct Parser<'a> {
    text: &'a str,
    at: usize,
    depth: u32,
    nodes: u32,
}

impl<'a> Parser<'a> {
    /// Starts at a byte offset of a text.
    pub const fn new(text: &'a str, offset: usize) -> Self {
        Self { text, at: offset, depth: 0, nodes: NODES }
    }

    /// Where the parser is.
    pub const fn offset(&self) -> usize {
        self.at
    }

    /// Skips white space and tells the next byte, if there is one.
    pub fn peek(&mut self) -> Option<u8> {
        let bytes = self.text.as_bytes();
        while let Some(byte) = bytes.get(self.at) {
            if !matches!(byte, b' ' | b'\t' | b'\n' | b'\r') {
                return Some(*byte);
            }
            self.at += 1;
        }
        None
    }

    /// Skips white space and takes the next byte if it is this one.
    pub fn take(&mut self, byte: u8) -> bool {
        let found = self.peek() == Some(byte);
        self.at += usize::from(found);
        found
    }

    /// Takes the next byte, which has to be this one.
    pub fn expect(&mut self, byte: u8, place: &str) -> Result<(), SyntaxError> {
        if self.take(byte) { Ok(()) } else { Err(self.unexpected(place)) }
    }

    /// An error about the next byte, in Go's words.
    pub fn unexpected(&mut self, place: &str) -> SyntaxError {
        self.peek();
        match self.text.get(self.at..).and_then(|rest| rest.chars().next()) {
            None => SyntaxError::new(self.at, "unexpected end of JSON input"),
            Some(c) => SyntaxError::new(self.at, format!("invalid character {c:?} {place}")),
        }
    }

    /// Reads one value, with a fresh budget.
    pub fn top_value(&mut self) -> Result<Node<'a>, SyntaxError> {
        self.nodes = NODES;
        self.value()
    }

    /// Reads one value.
    pub fn value(&mut self) -> Result<Node<'a>, SyntaxError> {
        let Some(byte) = self.peek() else {
            return Err(self.unexpected(""));
        };
        let start = offset32(self.at);
        self.nodes = match self.nodes.checked_sub(1) {
            Some(nodes) => nodes,
            None => return Err(SyntaxError::new(self.at, "object has too many values")),
        };
        let value = match byte {
            b'"' => Value::String(self.string()?),
            b'{' => self.nested(Self::mapping)?,
            b'[' => self.nested(Self::sequence)?,
            b't' => self.word("true", Value::Bool(true))?,
            b'f' => self.word("false", Value::Bool(false))?,
            b'n' => self.word("null", Value::Null)?,
            b'-' | b'0'..=b'9' => Value::Number(Cow::Borrowed(self.number()?)),
            _ => return Err(self.unexpected("looking for beginning of value")),
        };
        Ok(Node { start, value })
    }

    fn nested(
        &mut self,
        read: fn(&mut Self) -> Result<Value<'a>, SyntaxError>,
    ) -> Result<Value<'a>, SyntaxError> {
        if self.depth == DEPTH {
            return Err(SyntaxError::new(self.at, "exceeded max depth"));
        }
        self.at += 1;
        self.depth += 1;
        let value = read(self);
        self.depth -= 1;
        value
    }

    fn sequence(&mut self) -> Result<Value<'a>, SyntaxError> {
        let mut items = Vec::new();
        if self.take(b']') {
            return Ok(Value::Sequence(items));
        }
        loop {
            items.push(self.value()?);
            if self.take(b']') {
                return Ok(Value::Sequence(items));
            }
            self.expect(b',', "after array element")?;
        }
    }

    fn mapping(&mut self) -> Result<Value<'a>, SyntaxError> {
        let mut entries = Vec::new();
        if self.take(b'}') {
            return Ok(Value::Mapping(entries));
        }
        loop {
            let (start, key) = self.key()?;
            let value = self.value()?;
            entries.push(Entry { start, key, value });
            if self.take(b'}') {
                return Ok(Value::Mapping(entries));
            }
            self.expect(b',', "after object key:value pair")?;
        }
    }

    /// Reads a key and its colon.
    pub fn key(&mut self) -> Result<(u32, Cow<'a, str>), SyntaxError> {
        if self.peek() != Some(b'"') {
            return Err(self.unexpected("looking for beginning of object key string"));
        }
        let start = offset32(self.at);
        let key = self.string()?;
        self.expect(b':', "after object key")?;
        Ok((start, key))
    }

    fn word(&mut self, word: &str, value: Value<'a>) -> Result<Value<'a>, SyntaxError> {
        for expected in word.bytes() {
            if self.text.as_bytes().get(self.at) != Some(&expected) {
                return Err(self.unexpected(&format!(
                    "in literal {word} (expecting {:?})",
                    char::from(expected)
                )));
            }
            self.at += 1;
        }
        Ok(value)
    }

    fn digits(&mut self) -> Result<(), SyntaxError> {
        let bytes = self.text.as_bytes();
        let first = self.at;
        while bytes.get(self.at).is_some_and(u8::is_ascii_digit) {
            self.at += 1;
        }
        if first == self.at { Err(self.unexpected("in numeric literal")) } else { Ok(()) }
    }

    fn number(&mut self) -> Result<&'a str, SyntaxError> {
        let bytes = self.text.as_bytes();
        let first = self.at;
        if bytes.get(self.at) == Some(&b'-') {
            self.at += 1;
        }
        // No digit may follow a leading zero.
        if bytes.get(self.at) == Some(&b'0') {
            self.at += 1;
        } else {
            self.digits()?;
        }
        if bytes.get(self.at) == Some(&b'.') {
            self.at += 1;
            self.digits()?;
        }
        if matches!(bytes.get(self.at), Some(b'e' | b'E')) {
            self.at += 1;
            if matches!(bytes.get(self.at), Some(b'+' | b'-')) {
                self.at += 1;
            }
            self.digits()?;
        }
        Ok(self.text.get(first..self.at).unwrap_or_default())
    }

    /// Reads a string; the parser is at its opening quote.
    fn string(&mut self) -> Result<Cow<'a, str>, SyntaxError> {
        self.at += 1;
        let mut owned = String::new();
        loop {
            let run = self.at;
            let rest = self.text.as_bytes().get(run..).unwrap_or_default();
            let special = rest.iter().position(|byte| matches!(byte, b'"' | b'\\' | 0..0x20));
            self.at = special.map_or(self.text.len(), |length| run + length);
            // Both ends are at ASCII characters or at the end, so at character borders.
            let plain = self.text.get(run..self.at).unwrap_or_default();
            match self.text.as_bytes().get(self.at) {
                Some(b'"') => {
                    self.at += 1;
                    return Ok(if owned.is_empty() {
                        Cow::Borrowed(plain)
                    } else {
                        owned.push_str(plain);
                        Cow::Owned(owned)
                    });
                }
                Some(b'\\') => {
                    owned.push_str(plain);
                    self.at += 1;
                    let c = self.escape()?;
                    owned.push(c);
                }
                Some(byte) => {
                    let message =
                        format!("invalid character {:?} in string literal", char::from(*byte));
                    return Err(SyntaxError::new(self.at, message));
                }
                None => return Err(SyntaxError::new(self.at, "unexpected end of JSON input")),
            }
        }
    }

    /// Reads an escape; the parser is behind its backslash.
    fn escape(&mut self) -> Result<char, SyntaxError> {
        let byte = self.text.as_bytes().get(self.at).copied();
        let c = match byte {
            Some(b'"') => '"',
            Some(b'\\') => '\\',
            Some(b'/') => '/',
            Some(b'b') => '\u{8}',
            Some(b'f') => '\u{c}',
            Some(b'n') => '\n',
            Some(b'r') => '\r',
            Some(b't') => '\t',
            Some(b'u') => {
                self.at += 1;
                return self.unicode();
            }
            _ => return Err(self.unexpected("in string escape code")),
        };
        self.at += 1;
        Ok(c)
    }

    fn unicode(&mut self) -> Result<char, SyntaxError> {
        let first = self.hex()?;
        if !(0xD800..0xE000).contains(&first) {
            return Ok(char::from_u32(first).unwrap_or(char::REPLACEMENT_CHARACTER));
        }
        // The second half belongs to the first only if together they make a character.
        if first < 0xDC00 && self.text.as_bytes().get(self.at..self.at + 2) == Some(b"\\u") {
            let back = self.at;
            self.at += 2;
            let second = self.hex()?;
            if (0xDC00..0xE000).contains(&second) {
                let code = 0x1_0000 + ((first - 0xD800) << 10) + (second - 0xDC00);
                return Ok(char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER));
            }
            self.at = back;
        }
        Ok(char::REPLACEMENT_CHARACTER)
    }

    fn hex(&mut self) -> Result<u32, SyntaxError> {
        let mut code = 0;
        for _ in 0..4 {
            let digit =
                self.text.as_bytes().get(self.at).and_then(|byte| char::from(*byte).to_digit(16));
            let Some(digit) = digit else {
                return Err(self.unexpected("in \\u hexadecimal character escape"));
            };
            code = code * 16 + digit;
            self.at += 1;
        }
        Ok(code)
    }
}

#[cfg(test)]
mod tests;
