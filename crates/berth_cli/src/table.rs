//! Tables that fit the width: column names are numbers with a legend where they do not fit.

use crate::lines::length;

/// Columns between two cells.
const GAP: usize = 2;
/// The longest name of a row that is shown whole.
const LONGEST_NAME: usize = 40;

/// A table: a name for each row, and cells under column names.
#[derive(Debug)]
pub(crate) struct Table {
    /// Above the names of the rows.
    pub(crate) corner: String,
    /// Names of the columns.
    pub(crate) columns: Vec<String>,
    /// Rows with their cells.
    pub(crate) rows: Vec<(String, Vec<String>)>,
}

impl Table {
    /// The lines of the table, none wider than `width` if it can be helped.
    pub(crate) fn lines(&self, width: usize) -> Vec<String> {
        let names = self.rows.iter().map(|(name, _)| length(name));
        let first = names.chain([length(&self.corner)]).max().unwrap_or(0).min(LONGEST_NAME);
        let whole = self.widths(&self.columns);
        if first + whole.iter().map(|width| width + GAP).sum::<usize>() <= width {
            return self.body(first, &self.columns, &whole);
        }
        let numbers: Vec<String> = (1..=self.columns.len()).map(|n| n.to_string()).collect();
        let mut lines = self.body(first, &numbers, &self.widths(&numbers));
        let legend = numbers.iter().zip(&self.columns);
        lines.extend(wrap(legend.map(|(number, name)| format!("{number} {name}")), width));
        lines
    }

    fn widths(&self, columns: &[String]) -> Vec<usize> {
        let cells = |i: usize| self.rows.iter().filter_map(move |(_, cells)| cells.get(i));
        let widest = |i: usize| cells(i).map(|cell| length(cell)).max().unwrap_or(0);
        columns.iter().enumerate().map(|(i, name)| length(name).max(widest(i))).collect()
    }

    fn body(&self, first: usize, columns: &[String], widths: &[usize]) -> Vec<String> {
        let line = |name: &str, cells: &[String]| {
            let mut line = pad(&shorten(name, first), first);
            for (cell, width) in cells.iter().zip(widths) {
                line += &" ".repeat(GAP);
                line += &pad(cell, *width);
            }
            line.trim_end().to_owned()
        };
        let rows = self.rows.iter().map(|(name, cells)| line(name, cells));
        core::iter::once(line(&self.corner, columns)).chain(rows).collect()
    }
}

/// Items one after another, on as few lines as the width allows.
pub(crate) fn wrap(items: impl Iterator<Item = String>, width: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for item in items {
        match lines.last_mut() {
            Some(line) if length(line) + GAP + length(&item) <= width => {
                line.push_str(&" ".repeat(GAP));
                line.push_str(&item);
            }
            _ => lines.push(item),
        }
    }
    lines
}

fn pad(text: &str, width: usize) -> String {
    text.to_owned() + &" ".repeat(width.saturating_sub(length(text)))
}

fn shorten(text: &str, width: usize) -> String {
    if length(text) <= width {
        return text.to_owned();
    }
    let kept: String = text.chars().take(width.saturating_sub(1)).collect();
    kept + "…"
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table() -> Table {
        Table {
            corner: "node".into(),
            columns: vec!["NodeName".into(), "NodeAffinity".into()],
            rows: vec![
                ("a".into(), vec!["✓".into(), "✗".into()]),
                ("node-b".into(), vec!["·".into(), "✓".into()]),
            ],
        }
    }

    #[test]
    fn names_stand_above_columns_where_they_fit() {
        let whole =
            ["node    NodeName  NodeAffinity", "a       ✓         ✗", "node-b  ·         ✓"];
        assert_eq!(table().lines(30), whole);
        let numbered =
            ["node    1  2", "a       ✓  ✗", "node-b  ·  ✓", "1 NodeName", "2 NodeAffinity"];
        assert_eq!(table().lines(20), numbered);
        assert_eq!(table().lines(29)[3..], ["1 NodeName  2 NodeAffinity"]);
    }

    #[test]
    fn long_names_are_cut() {
        let rows = vec![("n".repeat(50), vec!["✓".into()])];
        let table = Table { corner: "node".into(), columns: vec!["x".into()], rows };
        let cut = "n".repeat(39) + "…  ✓";
        assert_eq!(table.lines(80)[1], cut);
    }
}
