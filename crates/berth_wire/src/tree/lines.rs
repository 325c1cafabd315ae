//! From byte offsets to lines and columns.

/// A place in a text, for people and for editors.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Position {
    /// Line, from 1.
    pub line: u32,
    /// Column in characters, from 1.
    pub column: u32,
    /// Byte offset.
    pub offset: u32,
}

/// Where the lines of a text begin. Made once, when the first place is asked for.
#[derive(Clone, Debug)]
pub struct Lines<'a> {
    text: &'a str,
    starts: Vec<u32>,
}

impl<'a> Lines<'a> {
    /// Finds the lines of a text.
    pub fn new(text: &'a str) -> Self {
        let breaks = text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n');
        let starts =
            std::iter::once(0).chain(breaks.map(|(at, _)| super::offset32(at + 1))).collect();
        Self { text, starts }
    }

    /// The place of a byte offset. One beyond the end is the end.
    pub fn locate(&self, offset: u32) -> Position {
        let offset = offset.min(super::offset32(self.text.len()));
        let line = self.starts.partition_point(|start| *start <= offset).saturating_sub(1);
        let start = self.starts.get(line).copied().unwrap_or(0);
        let before = self.text.as_bytes().get(start as usize..offset as usize).unwrap_or(&[]);
        // Every character has one byte that is not a continuation of another.
        let column = before.iter().filter(|byte| **byte & 0xC0 != 0x80).count();
        Position { line: line as u32 + 1, column: column as u32 + 1, offset }
    }
}

/// The offset in UTF-16 units, which browsers count in, of a byte offset.
pub fn utf16_offset(text: &str, offset: u32) -> u32 {
    let before = text.as_bytes().get(..offset as usize).unwrap_or(text.as_bytes());
    let units = before.iter().map(|byte| match byte {
        0x80..0xC0 => 0,
        0xF0.. => 2,
        _ => 1,
    });
    units.sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places() {
        let text = "a: 1\nß😀: 2\n";
        let lines = Lines::new(text);
        // "ß" is two bytes, "😀" four: the colon is byte 5 + 6 of the text and character 3 of line 2.
        let at = |offset| {
            let p = lines.locate(offset);
            (p.line, p.column)
        };
        assert_eq!(at(0), (1, 1));
        assert_eq!(at(3), (1, 4));
        assert_eq!(at(5), (2, 1));
        assert_eq!(at(11), (2, 3));
        assert_eq!(at(15), (3, 1));
        assert_eq!(at(999), (3, 1));
        // Five units on line 1, "ß" one, "😀" two.
        assert_eq!(utf16_offset(text, 11), 8);
        assert_eq!(utf16_offset(text, 999), 12);
    }

    #[test]
    fn empty_text() {
        assert_eq!(Lines::new("").locate(7), Position { line: 1, column: 1, offset: 0 });
    }
}
