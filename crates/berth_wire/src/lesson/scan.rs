//! The words of a line of a lesson, each with its place.

/// Something wrong in a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Wrong {
    /// Byte offset in the line.
    pub(super) at: usize,
    /// What.
    pub(super) message: String,
}

/// Takes words from a line.
#[derive(Clone, Debug)]
pub(super) struct Scanner<'a> {
    line: &'a str,
    at: usize,
}

impl<'a> Scanner<'a> {
    pub(super) fn new(line: &'a str) -> Self {
        Self { line, at: 0 }
    }

    fn rest_of_line(&self) -> &'a str {
        self.line.get(self.at..).unwrap_or_default()
    }

    fn skip_space(&mut self) {
        let rest = self.rest_of_line();
        self.at += rest.len() - rest.trim_start().len();
    }

    /// The next word, without taking it; empty at the end.
    pub(super) fn peek(&self) -> &'a str {
        let rest = self.rest_of_line().trim_start();
        rest.split(char::is_whitespace).next().unwrap_or_default()
    }

    /// The next word; `what` names it if there is none.
    pub(super) fn word(&mut self, what: &str) -> Result<&'a str, Wrong> {
        self.skip_space();
        let word = self.peek();
        if word.is_empty() {
            return Err(self.wrong(format!("{what} is missing")));
        }
        self.at += word.len();
        Ok(word)
    }

    /// Takes the next word if it is this one.
    pub(super) fn take(&mut self, word: &str) -> bool {
        let found = self.peek() == word;
        if found {
            self.skip_space();
            self.at += word.len();
        }
        found
    }

    /// Takes the next word, which has to be this one.
    pub(super) fn expect(&mut self, word: &str) -> Result<(), Wrong> {
        if self.take(word) {
            return Ok(());
        }
        self.skip_space();
        Err(self.wrong(match self.peek() {
            "" => format!("{word:?} is missing"),
            other => format!("expected {word:?}, found {other:?}"),
        }))
    }

    /// One of these words, as its place among them.
    pub(super) fn one_of(&mut self, words: &[&str]) -> Result<usize, Wrong> {
        self.skip_space();
        let found = self.peek();
        let place = words.iter().position(|word| *word == found);
        if let Some(place) = place {
            self.at += found.len();
            return Ok(place);
        }
        let all = words.join(", ");
        Err(self.wrong(if found.is_empty() {
            format!("expected one of {all}")
        } else {
            format!("expected one of {all}; found {found:?}")
        }))
    }

    /// A whole number.
    pub(super) fn number(&mut self) -> Result<i64, Wrong> {
        self.skip_space();
        let start = self.at;
        let word = self.word("a whole number")?;
        word.parse().map_err(|_| Wrong {
            at: start,
            message: format!("expected a whole number, found {word:?}"),
        })
    }

    /// `[one, two]`.
    pub(super) fn list(&mut self) -> Result<Vec<&'a str>, Wrong> {
        self.skip_space();
        let rest = self.rest_of_line();
        let inside = rest.strip_prefix('[').ok_or_else(|| self.wrong("expected a list: [a, b]"))?;
        let end =
            inside.find(']').ok_or_else(|| self.wrong("the list has no end: ] is missing"))?;
        self.at += end + 2;
        let items = inside.get(..end).unwrap_or_default().split(',').map(str::trim);
        Ok(items.filter(|item| !item.is_empty()).collect())
    }

    /// `"text"`.
    pub(super) fn string(&mut self) -> Result<&'a str, Wrong> {
        self.skip_space();
        let rest = self.rest_of_line();
        let inside =
            rest.strip_prefix('"').ok_or_else(|| self.wrong("expected a text in \"…\""))?;
        let end =
            inside.find('"').ok_or_else(|| self.wrong("the text has no end: \" is missing"))?;
        self.at += end + 2;
        Ok(inside.get(..end).unwrap_or_default())
    }

    /// All that is left, with its place.
    pub(super) fn rest(&mut self) -> (usize, &'a str) {
        self.skip_space();
        let (at, rest) = (self.at, self.rest_of_line().trim_end());
        self.at = self.line.len();
        (at, rest)
    }

    /// Nothing may be left.
    pub(super) fn end(&mut self) -> Result<(), Wrong> {
        self.skip_space();
        match self.peek() {
            "" => Ok(()),
            more => Err(self.wrong(format!("nothing may follow here, found {more:?}"))),
        }
    }

    /// An error where the next word begins, or the space before it.
    pub(super) fn wrong(&self, message: impl Into<String>) -> Wrong {
        Wrong { at: self.at, message: message.into() }
    }

    /// An error at the next word, past the space before it.
    pub(super) fn wrong_next(&mut self, message: impl Into<String>) -> Wrong {
        self.skip_space();
        self.wrong(message)
    }

    /// An error at the word that was taken last.
    pub(super) fn wrong_word(&self, word: &str, message: impl Into<String>) -> Wrong {
        Wrong { at: self.at.saturating_sub(word.len()), message: message.into() }
    }
}
