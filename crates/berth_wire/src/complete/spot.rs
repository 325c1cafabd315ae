//! Where in an object a place of a text is, judged by indentation.

/// A step on the way into an object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Step<'t> {
    /// The value of a field, which has a brother `name` perhaps: some decoders go by that.
    Field { key: &'t str, name: Option<&'t str> },
    /// An item of a list.
    Item,
}

/// What is written at a place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Here<'t> {
    /// The name of a field, or the beginning of one, beside these others.
    Key { others: Vec<&'t str> },
    /// The value of a field.
    Value(&'t str),
}

/// A place in an object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Spot<'t> {
    pub(super) version: Option<&'t str>,
    pub(super) kind: Option<&'t str>,
    /// From the object inward.
    pub(super) path: Vec<Step<'t>>,
    pub(super) here: Here<'t>,
    /// Where what is written begins, as a byte offset.
    pub(super) start: usize,
    /// What is written before the place.
    pub(super) written: &'t str,
    /// The whole word at the place.
    pub(super) word: &'t str,
}

/// A line, taken apart.
#[derive(Clone, Copy)]
struct Line<'t> {
    text: &'t str,
    /// The column of the first sign.
    indent: usize,
    /// The column after all `- `.
    column: usize,
    /// How many `- ` there are.
    dashes: usize,
    key: Option<&'t str>,
    value: Option<&'t str>,
}

impl<'t> Line<'t> {
    fn new(text: &'t str) -> Self {
        let text = text.strip_suffix('\r').unwrap_or(text);
        let indent = text.len() - text.trim_start_matches(' ').len();
        let (mut column, mut dashes) = (indent, 0);
        loop {
            let rest = text.get(column..).unwrap_or_default();
            let Some(inner) = rest.strip_prefix('-').filter(|r| r.is_empty() || r.starts_with(' '))
            else {
                break;
            };
            dashes += 1;
            column += 1 + inner.len() - inner.trim_start_matches(' ').len();
        }
        let rest = text.get(column..).unwrap_or_default();
        let parts =
            rest.split_once(": ").or_else(|| Some((rest.trim_end().strip_suffix(':')?, "")));
        let parts = parts.filter(|(key, _)| !key.is_empty() && !key.starts_with(['#', '{', '[']));
        let plain = |text: &'t str| text.trim().trim_matches(['"', '\'']);
        let (key, value) = (parts.map(|(key, _)| plain(key)), parts.map(|(_, value)| plain(value)));
        Self { text, indent, column, dashes, key, value }
    }

    /// Whether it says nothing.
    fn is_blank(&self) -> bool {
        let rest = self.text.get(self.column..).unwrap_or_default();
        self.dashes == 0 && (rest.is_empty() || rest.starts_with('#'))
    }

    fn ends_document(&self) -> bool {
        self.text == "---" || self.text.starts_with("--- ")
    }
}

impl<'t> Spot<'t> {
    /// The place at a byte offset; none in a comment, within brackets or in the middle of a text.
    pub(super) fn find(text: &'t str, offset: usize) -> Option<Self> {
        let before = text.get(..offset)?;
        let start = before.rfind('\n').map_or(0, |at| at + 1);
        let line = text.get(start..)?.split('\n').next()?;
        let at = offset - start;
        let own = Line::new(line);
        let (above, below) = lines(text, start, line.len());
        let head = before.get(start..)?;
        if head.trim_start().starts_with('#') || head.contains(['{', '[']) {
            return None;
        }
        let value_at =
            own.key.and_then(|_| Some(own.column + line.get(own.column..)?.find(':')? + 1));
        let in_value = value_at.is_some_and(|value| at > value);
        // The caret may stand among the blanks that a line begins with.
        let column = if own.is_blank() { at } else { own.column };
        let from = if in_value { value_at.unwrap_or(at) } else { column.min(at) };
        let blanks = line.get(from..at)?;
        let from = from + (blanks.len() - blanks.trim_start_matches(' ').len());
        let written = line.get(from..at)?;
        if written.contains(' ') {
            return None;
        }
        let word = line.get(from..)?.split([':', ' ']).next()?;
        let mut walk = Walk::new(column, &own);
        walk.up(above.iter().rev());
        walk.down(&below);
        let here = match (in_value, own.key) {
            (true, Some(key)) => Here::Value(key),
            _ => Here::Key { others: walk.others },
        };
        walk.path.reverse();
        let top = |wanted: &str| {
            let lines = above.iter().chain([&own]).chain(&below);
            let mut found = lines.filter(|line| line.indent == 0 && line.key == Some(wanted));
            found.find_map(|line| line.value).filter(|value| !value.is_empty())
        };
        Some(Self {
            version: top("apiVersion"),
            kind: top("kind"),
            path: walk.path,
            here,
            start: start + from,
            written,
            word,
        })
    }
}

/// The lines of the same document above and below the one that begins at `start`.
fn lines(text: &str, start: usize, length: usize) -> (Vec<Line<'_>>, Vec<Line<'_>>) {
    let said = |line: &Line<'_>| !line.is_blank();
    let ends = |line: &Line<'_>| line.ends_document();
    // The line break before the place is no line.
    let above = text.get(..start.saturating_sub(1)).unwrap_or_default();
    let above = above.split('\n').rev().map(Line::new);
    let mut above: Vec<Line<'_>> = above.take_while(|line| !ends(line)).filter(said).collect();
    above.reverse();
    let below = text.get(start + length + 1..).unwrap_or_default().split('\n').map(Line::new);
    (above, below.take_while(|line| !ends(line)).filter(said).collect())
}

/// The way from a line to the object.
struct Walk<'t> {
    /// From the place outward.
    path: Vec<Step<'t>>,
    /// The column of the mapping, or of the dash, that is looked for.
    column: usize,
    in_list: bool,
    /// Brothers of the place, as long as it is still in its own mapping.
    others: Vec<&'t str>,
    own_mapping: bool,
    first_column: usize,
}

impl<'t> Walk<'t> {
    fn new(column: usize, own: &Line<'t>) -> Self {
        let mut walk = Self {
            path: Vec::new(),
            column,
            in_list: false,
            others: Vec::new(),
            own_mapping: true,
            first_column: column,
        };
        walk.begin_items(own);
        walk
    }

    /// A line that begins as many items as it has dashes.
    fn begin_items(&mut self, line: &Line<'t>) {
        if line.dashes > 0 {
            self.path.extend((0..line.dashes).map(|_| Step::Item));
            self.in_list = true;
            self.column = line.indent;
            self.own_mapping = false;
        }
    }

    fn up<'l>(&mut self, lines: impl Iterator<Item = &'l Line<'t>>)
    where
        't: 'l,
    {
        for line in lines {
            if self.in_list {
                // Other items, and what is in them.
                let beside = line.dashes > 0 && line.indent == self.column;
                if beside || line.indent > self.column || line.column > self.column {
                    continue;
                }
                self.parent(line);
            } else if line.column == self.column {
                self.brother(line);
                self.begin_items(line);
            } else if line.column < self.column {
                self.parent(line);
            }
        }
    }

    /// Other fields of the mapping that the place is in, further down.
    fn down(&mut self, lines: &[Line<'t>]) {
        for line in lines {
            if line.indent < self.first_column
                || line.dashes > 0 && line.indent <= self.first_column
            {
                break;
            }
            if line.indent == self.first_column {
                self.others.extend(line.key);
            }
        }
    }

    fn brother(&mut self, line: &Line<'t>) {
        if let (Some("name"), Some(Step::Field { name, .. })) = (line.key, self.path.last_mut()) {
            *name = line.value;
        }
        if self.own_mapping {
            self.others.extend(line.key);
        }
    }

    fn parent(&mut self, line: &Line<'t>) {
        let Some(key) = line.key else { return };
        self.path.push(Step::Field { key, name: None });
        self.own_mapping = false;
        self.in_list = false;
        self.column = line.column;
        self.begin_items(line);
    }
}
