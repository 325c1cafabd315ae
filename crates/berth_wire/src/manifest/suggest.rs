//! The name that was probably meant.

/// Names longer than this are no typing mistakes of a field's name.
const LONGEST: usize = 64;

/// The candidate nearest to a word, if it is near enough: the same but for case, or at most one change in three
/// characters (two at most) away.
pub(crate) fn nearest<'c>(word: &str, candidates: &[&'c str]) -> Option<&'c str> {
    if word.len() > LONGEST {
        return None;
    }
    let most = (word.len() / 3).clamp(1, 2);
    candidates
        .iter()
        .map(|candidate| {
            (distance(&word.to_ascii_lowercase(), &candidate.to_ascii_lowercase()), *candidate)
        })
        .filter(|(changes, _)| *changes <= most)
        .min_by_key(|(changes, _)| *changes)
        .map(|(_, candidate)| candidate)
}

/// How many characters to insert, remove, replace or swap with their neighbour (optimal string alignment).
fn distance(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    let width = b.len() + 1;
    let mut before = Vec::new();
    let mut row: Vec<usize> = (0..width).collect();
    let cell = |row: &[usize], at: usize| row.get(at).copied().unwrap_or(usize::MAX / 2);
    for (i, x) in a.iter().enumerate() {
        let mut next = Vec::with_capacity(width);
        next.push(i + 1);
        for (j, y) in b.iter().enumerate() {
            let replace = cell(&row, j) + usize::from(x != y);
            let mut best = replace.min(cell(&row, j + 1) + 1).min(cell(&next, j) + 1);
            let swapped = i > 0 && j > 0 && a.get(i - 1) == Some(y) && b.get(j - 1) == Some(x);
            if swapped {
                best = best.min(cell(&before, j - 1) + 1);
            }
            next.push(best);
        }
        before = std::mem::replace(&mut row, next);
    }
    cell(&row, b.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_what_was_meant() {
        let fields = ["maxSkew", "topologyKey", "whenUnsatisfiable", "labelSelector", "minDomains"];
        for (word, want) in [
            ("maxskew", Some("maxSkew")),
            ("maxSkwe", Some("maxSkew")),
            ("topolgyKey", Some("topologyKey")),
            ("topologyKeys", Some("topologyKey")),
            ("whenUnsatisfable", Some("whenUnsatisfiable")),
            ("selector", None),
            ("x", None),
            ("", None),
            (&"maxSkew".repeat(20), None),
        ] {
            assert_eq!(nearest(word, &fields), want, "{word}");
        }
    }

    #[test]
    fn distances() {
        for (a, b, want) in
            [("", "", 0), ("", "ab", 2), ("kitten", "sitting", 3), ("ab", "ba", 1), ("ß", "s", 1)]
        {
            assert_eq!(distance(a, b), want, "{a} {b}");
        }
    }
}
