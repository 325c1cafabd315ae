//! Lines for a terminal: folded to its width, and without control characters.

/// Beyond so many nodes a table or a list of sums stops, and says so.
pub(crate) const MOST_NODES: usize = 100;

/// Text folded between words, further lines indented.
pub(crate) fn fold(text: &str, indent: usize, width: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split(' ') {
        match lines.last_mut() {
            Some(line) if length(line) + 1 + length(word) <= width => {
                line.push(' ');
                line.push_str(word);
            }
            Some(_) => lines.push(" ".repeat(indent) + word),
            None => lines.push(word.to_owned()),
        }
    }
    lines
}

/// As `fold`, of a line that is indented itself.
pub(crate) fn fold_indented(line: &str, width: usize) -> Vec<String> {
    let indent = line.len() - line.trim_start().len();
    let folded = fold(line.trim_start(), 4, width.saturating_sub(indent));
    folded.into_iter().map(|line| " ".repeat(indent) + &line).collect()
}

/// What is left out of so many nodes, if anything is.
pub(crate) fn more(nodes: usize) -> Option<String> {
    (nodes > MOST_NODES).then(|| format!("… and {} more nodes: --json has all", nodes - MOST_NODES))
}

/// Lines as one text.
pub(crate) fn finish(lines: &[String]) -> String {
    lines.iter().flat_map(|line| [printable(line), "\n".to_owned()]).collect()
}

/// A line whose control characters do not reach the terminal.
pub(crate) fn printable(line: &str) -> String {
    line.chars().map(|c| if c.is_control() { char::REPLACEMENT_CHARACTER } else { c }).collect()
}

/// Letters, which are as many columns.
pub(crate) fn length(text: &str) -> usize {
    text.chars().count()
}

/// Columns of the terminal, or as many as `COLUMNS` says.
pub(crate) fn width() -> usize {
    let set = std::env::var("COLUMNS").ok().and_then(|columns| columns.parse().ok());
    let terminal = || {
        let size = terminal_size::terminal_size_of(std::io::stdout());
        size.map(|(width, _)| usize::from(width.0))
    };
    set.or_else(terminal).unwrap_or(100).max(40)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_folds_between_words() {
        assert_eq!(fold("one two three four", 2, 9), ["one two", "  three", "  four"]);
        assert_eq!(fold("unbreakable", 2, 4), ["unbreakable"]);
    }
}
