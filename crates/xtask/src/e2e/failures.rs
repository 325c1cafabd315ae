//! Which cases failed, by what Node's test runner reports.

/// A case that failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Failed {
    pub(super) file: String,
    pub(super) name: String,
}

impl Failed {
    /// The pattern that names this case alone.
    pub(super) fn pattern(&self) -> String {
        format!("^{}$", escaped(&self.name))
    }
}

/// The cases that failed, read from what Node's test runner says at the end.
#[derive(Debug, Default)]
pub(super) struct Failures {
    pub(super) cases: Vec<Failed>,
    /// The file that was just named.
    file: Option<String>,
}

impl Failures {
    /// Takes in a line of the report.
    pub(super) fn read(&mut self, line: &str) {
        // `test at NAME.test.mjs:12:1`, and in the next line `✖ what it is about (12.3ms)`
        if let Some(place) = line.strip_prefix("test at ") {
            self.file = place.split(':').next().map(str::to_owned);
        } else if let (Some(file), Some(rest)) = (self.file.take(), line.strip_prefix("✖ ")) {
            let name = rest.rsplit_once(" (").map_or(rest, |(name, _)| name).to_owned();
            self.cases.push(Failed { file, name });
        }
    }
}

/// A text as the regular expression that matches it and nothing else.
fn escaped(text: &str) -> String {
    text.chars().fold(String::new(), |mut out, char| {
        if !char.is_alphanumeric() && char != ' ' && char != ',' {
            out.push('\\');
        }
        out.push(char);
        out
    })
}

#[cfg(test)]
mod tests {
    use super::{Failed, Failures, escaped};

    #[test]
    fn what_failed_is_read_from_the_end_of_the_report() {
        let mut failures = Failures::default();
        for line in [
            "✔ drags (12.5ms)",
            "✖ on a phone (dark) (31697.374662ms)",
            "  locator.waitFor: Timeout 30000ms exceeded.",
            "ℹ fail 1",
            "✖ failing tests:",
            "",
            "test at yaml.test.mjs:228:3",
            "✖ on a phone (dark) (31697.374662ms)",
            "  locator.waitFor: Timeout 30000ms exceeded.",
        ] {
            failures.read(line);
        }
        let case = Failed { file: "yaml.test.mjs".into(), name: "on a phone (dark)".into() };
        assert_eq!(failures.cases, [case]);
    }

    #[test]
    fn a_name_is_matched_as_it_is() {
        assert_eq!(escaped("a, b (c)?"), r"a, b \(c\)\?");
    }
}
