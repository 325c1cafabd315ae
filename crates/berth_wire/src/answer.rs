//! Answers questions in the shapes of the conformance vectors: one JSON line for each JSON line.
//!
//! A question is `{"scenario":…}` or a bare scenario, `{"sequence":…}`, `{"kind":…,"input":…}`, or a history's
//! `{"input":…}`. Anything else in it,
//! such as the expected `answer`, is ignored. What cannot be answered gives `{"error":…}`.

mod history;
pub mod lifecycle;
pub mod scenario;

use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Value, json};

/// The parts of a question, each still text: every kind of question has its own decoder.
#[derive(Deserialize)]
struct Question<'a> {
    #[serde(borrow, default)]
    scenario: Option<&'a RawValue>,
    #[serde(borrow, default)]
    sequence: Option<&'a RawValue>,
    #[serde(default)]
    kind: Option<String>,
    #[serde(borrow, default)]
    input: Option<&'a RawValue>,
}

/// Answers one line, with one line (without its end).
pub fn answer_line(line: &str) -> String {
    answer(line).unwrap_or_else(|error| error_answer(&error)).to_string()
}

fn answer(line: &str) -> Result<Value, String> {
    let question: Question<'_> = serde_json::from_str(line).map_err(|e| e.to_string())?;
    match question {
        Question { sequence: Some(sequence), .. } => scenario::answer_sequence(sequence.get()),
        Question { kind: Some(kind), input: Some(input), .. } if !kind.is_empty() => {
            lifecycle::answer(&kind, input.get())
        }
        Question { input: Some(input), .. } => history::answer(input.get()),
        Question { scenario, .. } => {
            scenario::answer_scenario(scenario.map_or(line, RawValue::get))
        }
    }
}

fn error_answer(error: &str) -> Value {
    json!({ "error": error })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_gets_a_line() {
        for line in [
            "",
            "{",
            "[]",
            "null",
            "\"scenario\"",
            "{\"kind\":\"quantity\"}",
            "{\"kind\":\"quantity\",\"input\":null}",
            "{\"kind\":\"quantity\",\"input\":{\"s\":1}}",
            "{\"kind\":\"unknown\",\"input\":{}}",
            "{\"input\":{}}",
        ] {
            let answer = answer_line(line);
            assert!(answer.contains("\"error\":\"") && !answer.contains('\n'), "{line}: {answer}");
        }
    }

    #[test]
    fn what_is_expected_does_not_matter() {
        let line = r#"{"answer":{"value":2},"input":{"s":"1"},"kind":"quantity","answers":[1]}"#;
        assert_eq!(
            answer_line(line),
            r#"{"value":1,"milliValue":1000,"canonical":"1","recomputed":"1","format":"DecimalSI","sign":1}"#
        );
    }
}
