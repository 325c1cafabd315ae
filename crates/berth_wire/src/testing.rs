//! Random values for property tests, the same in every run.

use std::borrow::Cow;

use crate::tree::{Entry, Node, Value};

/// A small generator (SplitMix64).
pub(crate) struct Random(u64);

impl Random {
    pub(crate) const fn new(seed: u64) -> Self {
        Self(seed)
    }

    pub(crate) const fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut x = self.0;
        x = (x ^ (x >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        x = (x ^ (x >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        x ^ (x >> 31)
    }

    pub(crate) const fn below(&mut self, limit: u64) -> u64 {
        self.next() % limit
    }

    pub(crate) fn one_of<'v, T>(&mut self, values: &'v [T]) -> &'v T {
        &values[self.below(values.len() as u64) as usize]
    }
}

/// Texts that YAML likes to take for something else, or to lose a part of.
const PIECES: &[&str] = &[
    "a",
    "zone-a",
    "yes",
    "n",
    "null",
    "~",
    "1",
    "1.30",
    "-",
    "- ",
    ": ",
    ":",
    " #",
    "#",
    "\n",
    "\n\n",
    " ",
    "  ",
    "\t",
    "'",
    "\"",
    "\\",
    "[",
    "{",
    "*",
    "&",
    "!",
    "|",
    ">",
    "%",
    "@",
    "`",
    ",",
    "ß",
    "😀",
    "\u{85}",
    "\u{2028}",
    "\u{FEFF}",
    "\r",
    "\u{0}",
    "\u{1b}",
    "\u{7f}",
    "---",
    "...",
    "<<",
    "=",
    "0x1",
    "1e3",
    ".inf",
    "true",
    "2026-01-01",
];

pub(crate) fn random_text(random: &mut Random) -> String {
    (0..random.below(5)).map(|_| *random.one_of(PIECES)).collect()
}

/// A tree without repeated keys.
pub(crate) fn random_tree(random: &mut Random, depth: u32) -> Node<'static> {
    let kinds = if depth == 0 { 5 } else { 8 };
    let value = match random.below(kinds) {
        0 => Value::Null,
        1 => Value::Bool(random.below(2) == 0),
        2 => {
            const NUMBERS: &[&str] =
                &["0", "-1", "12", "1.5", "18446744073709551615", "1e+21", "1e-7"];
            Value::Number(Cow::Borrowed(*random.one_of(NUMBERS)))
        }
        3 | 4 => Value::String(random_text(random).into()),
        5 => {
            Value::Sequence((0..random.below(4)).map(|_| random_tree(random, depth - 1)).collect())
        }
        _ => {
            let mut entries: Vec<Entry<'static>> = Vec::new();
            for _ in 0..random.below(4) {
                let key = random_text(random);
                if entries.iter().all(|entry| entry.key != key) {
                    entries.push(Entry {
                        start: 0,
                        key: key.into(),
                        value: random_tree(random, depth - 1),
                    });
                }
            }
            Value::Mapping(entries)
        }
    };
    Node::made(value)
}
